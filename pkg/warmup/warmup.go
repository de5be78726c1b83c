// Package warmup asks whether the start of each trial ran at the speed of its rest.
//
// It is pure arithmetic on numbers that a result file holds: SteadyRates turns a trial's clock readings into two rates,
// StartEffect tests over trials whether they differ. Nothing is cut from a trial; trials are the replicates.
package warmup

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

// Status says how the start of the trials compares with their rest.
type Status string

// The possible outcomes. StatusNeverSteady is reserved for callers that look at the series inside a trial;
// StartEffect itself does not return it.
const (
	StatusFlat        Status = "flat"         // no difference beyond the margin proven
	StatusWarmedUp    Status = "warmed-up"    // the counted trials still got faster: warm-up too short
	StatusSlowing     Status = "slowing"      // the start was faster than the rest
	StatusNeverSteady Status = "never-steady" // no steady part
	StatusUntestable  Status = "untestable"   // fewer than 2 trials
)

// Start is the outcome of StartEffect. Ratio and CI are first/rest, NaN when untestable.
type Start struct {
	Status Status
	N      int // trials used
	Ratio  float64
	CI     analysis.Interval
	Short  bool // the warm-up before the trials was too short
}

// minResolution stands in for an sd of exactly 0, so that identical ratios still have an interval.
const minResolution = 1e-9

// StartEffect compares the rate of the first tenth of each trial with the rate of its rest: a paired t interval of
// ln(first) − ln(rest) over trials.
//
// Short when the whole interval lies below −ln(1+margin); slowing when it lies above +ln(1+margin); flat otherwise, which
// for few trials means only that nothing was proven. Rates must be positive, in trial order, equal in number. Fewer
// than 2 trials are StatusUntestable, not an error. Errors: those of analysis.LogPairedT, and analysis.ErrBadParam for a
// negative margin or a level outside (0, 1). Inputs are not modified.
func StartEffect(first, rest []float64, margin, level float64) (Start, error) {
	nan := math.NaN()
	out := Start{Status: StatusUntestable, N: len(first), Ratio: nan, CI: analysis.Interval{Level: level, Low: nan, High: nan}}
	if !(margin >= 0) || !(level > 0 && level < 1) {
		return out, fmt.Errorf("compare start with rest: margin %v, level %v: %w", margin, level, analysis.ErrBadParam)
	}
	if len(first) == len(rest) && len(first) < 2 {
		return out, nil
	}
	t, err := analysis.LogPairedTResolution(first, rest, minResolution)
	if err != nil {
		return out, fmt.Errorf("compare start with rest: %w", err)
	}
	ci := t.Interval(level)
	out.Ratio = math.Exp(t.Estimate)
	out.CI = analysis.Interval{Level: level, Low: math.Exp(ci.Low), High: math.Exp(ci.High)}
	m := math.Log1p(margin)
	switch {
	case ci.High < -m:
		out.Status, out.Short = StatusWarmedUp, true
	case ci.Low > m:
		out.Status = StatusSlowing
	default:
		out.Status = StatusFlat
	}
	return out, nil
}

// SteadyRates returns the requests per second of the first tenth of a trial and of its rest.
//
// n is the number of requests, t10 the second at which ceil(n/10) had completed, tLastIssue the second at which the
// last request was sent and completedAtLastIssue the completions by then: what follows is the drain, when connections
// idle, and is not counted. ok is false when a tenth is less than 10 requests per connection (the first requests of
// each connection would dominate) or the numbers leave no interval.
func SteadyRates(n int64, t10, tLastIssue float64, completedAtLastIssue int64, concurrency int) (first, rest float64, ok bool) {
	tenth := n / 10
	if n%10 != 0 {
		tenth++
	}
	// Compared as floats: 10·concurrency times ten must not overflow.
	if n <= 0 || concurrency < 1 || float64(n) < 100*float64(concurrency) {
		return 0, 0, false
	}
	if !(t10 > 0 && tLastIssue > t10) || math.IsInf(tLastIssue, 0) || completedAtLastIssue <= tenth || completedAtLastIssue > n {
		return 0, 0, false
	}
	return float64(tenth) / t10, float64(completedAtLastIssue-tenth) / (tLastIssue - t10), true
}

// WithoutFill returns the rate of the first tenth with the time to fill an empty server taken off.
//
// first is the rate up to t10 (seconds), fill the time that the very first request takes, in seconds; the smallest
// latency of the trial is a good value. A trial starts with no request in progress, so that a server with W workers,
// however warm, completes up to W/2 requests fewer by t10 than it would have later (renewal theory: W·(1 − cv²)/2 with
// cv that of the service times); W is about first·fill. The rate without the fill allows for W, so it is an upper
// bound: a start that is slow even so is slow for another reason. NaN when fill is not in 0 … t10.
func WithoutFill(first, t10, fill float64) float64 {
	if !(fill >= 0 && fill < t10) {
		return math.NaN()
	}
	return first * t10 / (t10 - fill)
}

// DrainShare is the share of a trial of the given seconds that passed after its last request was sent, 0 to 1; NaN when
// the two times do not fit together.
func DrainShare(seconds, tLastIssue float64) float64 {
	if !(seconds > 0 && tLastIssue >= 0 && tLastIssue <= seconds) || math.IsInf(seconds, 0) {
		return math.NaN()
	}
	return (seconds - tLastIssue) / seconds
}

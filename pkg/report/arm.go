package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/trend"
	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// arm is one target while its report is being made.
type arm struct {
	in      TargetInput
	trials  []result.Trial // by trial number
	counted []result.Trial // those that enter the statistics, by trial number
	rps     *sample
	*sample // of the metric that decides; the same as rps when that is it
	drift   trend.SessionResult
	replies replies
	out     Target
}

func newArm(in TargetInput, d Design) *arm {
	a := &arm{in: in}
	for _, t := range in.Trials {
		a.trials = append(a.trials, withBreakdown(t))
	}
	slices.SortStableFunc(a.trials, func(x, y result.Trial) int { return cmp.Compare(x.Trial, y.Trial) })
	m, _ := metricNamed(d.Metric)
	a.sample = &sample{metric: m}
	for _, t := range a.trials {
		if a.counts(t) {
			a.counted = append(a.counted, t)
		}
	}
	rate, _ := metricNamed("rps")
	a.rps = newSample(a.counted, rate, d.Margin, a.startsCount())
	a.sample = a.rps
	if m.name != rate.name {
		a.sample = newSample(a.counted, m, d.Margin, a.startsCount())
	}
	a.drift = a.testDrift()
	a.replies = repliesOf(a)
	return a
}

// startsCount reports whether starts of the servers are replicates by plan. A server that had to be started again in
// between, where the plan says never, leaves the trials what they were planned to be.
func (a *arm) startsCount() bool { return a.in.Plan == nil || a.in.Plan.Restart > 0 }

// on is the arm with another metric in the place of the deciding one.
func (a *arm) on(m metric, margin float64) *arm {
	other := *a
	other.sample = newSample(a.counted, m, margin, a.startsCount())
	return &other
}

// counts reports whether the trial enters the statistics: it is valid, and has a rate or the figure that decides, finite
// and above 0, or is known by its latencies alone.
func (a *arm) counts(t result.Trial) bool {
	_, ok := a.metric.figure(t)
	return t.Valid && (ok || hasRate(t) || latencyOnly(t))
}

func hasRate(t result.Trial) bool {
	return t.RPS != nil && *t.RPS > 0 && !math.IsInf(*t.RPS, 0) && !math.IsNaN(*t.RPS)
}

// complete reports whether the trial ran to its end and has a rate, whatever its failures.
func complete(t result.Trial) bool { return hasRate(t) && !t.Aborted && !t.Interrupted }

// number is nil where x does not exist.
func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return new(x)
}

// interval turns an analysis interval into the model's; nil where a bound does not exist.
func interval(i analysis.Interval, method string) *CI {
	if number(i.Low) == nil || number(i.High) == nil || number(i.Level) == nil {
		return nil
	}
	return &CI{Level: i.Level, Low: i.Low, High: i.High, Method: method}
}

package changepoint

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// Status says whether a series settled.
type Status string

// The possible outcomes of Steady.
const (
	StatusSteady    Status = "steady"
	StatusNotSteady Status = "not-steady"
	StatusTooShort  Status = "too-short" // fewer than 20 batches
)

// Reason says why a series is not steady.
type Reason string

// The reasons, in the order in which they are looked for.
const (
	ReasonNone      Reason = ""
	ReasonLimit     Reason = "warm-up-unfinished" // the warm-up takes half of the series or more
	ReasonLateShift Reason = "late-change"        // the last change lies in the second half
	ReasonLevels    Reason = "levels-differ"      // some part runs at another speed than the last
)

const (
	steadyBatch   = 5
	steadyBatches = 20
	steadyShare   = 0.5
)

// SteadyResult is the outcome of Steady. Below 20 batches only Status is set and the figures are NaN.
type SteadyResult struct {
	Status Status
	Reason Reason
	Cut    int // values of warm-up by MSER-5; not to be trusted with ReasonLimit
	// Segments divides x[Cut:]; its Changes count from the start of x.
	Segments  Segmentation
	LastShare float64 // share of x[Cut:] in the last segment
	// LargestDifference is max |mean of a segment/mean of the last − 1|; +Inf when the last is 0 and another is not.
	LargestDifference float64
}

// Steady asks whether the series x inside one trial, such as the counts of 100 ms each, settles at one level.
//
// MSER-5 proposes the warm-up to cut; PELTMeanVar with penalty 15·ln n and segments of at least 2 values divides the rest.
// The series is steady when MSER found its minimum before the limit, the last segment holds at least half of what is
// left, and no segment's mean differs from that of the last by more than margin (0.01 for 1 %). The steps follow White,
// Cobb & Spratt 2000 and Barrett et al. 2017 (warm-up of virtual machines; they too use cpt.meanvar with 15·ln n).
// Steady is a rule, not a test: it has no p-value. Clean independent series (normal, or Poisson counts of mean 0.5 to
// 1000) of 100 values are called not steady in 2.5 % of cases, of 120 in 1.5 %, of 300 in 0.1 %, all by the limit of
// MSER; AR(1) noise of .5 does not raise that (simulated). Fewer than 100 values are StatusTooShort, for then that share
// is 7 to 50 %. A stop of the server for a few intervals is a segment of its own and makes the series not steady. Cut is
// one trial's: to compare targets cut the maximum over all trials from each of them. Scale changes nothing; a shift
// changes the relative differences. Errors: ErrEmpty, ErrNonFinite, ErrBadParam for a negative margin. x is
// not modified. O(n²) at worst (0.5 s for 6000 values).
func Steady(x []float64, margin float64) (SteadyResult, error) {
	if err := num.CheckFinite(x, 1); err != nil {
		return SteadyResult{}, fmt.Errorf("find steady state: %w", err)
	}
	if !(margin >= 0) {
		return SteadyResult{}, fmt.Errorf("find steady state: margin %v: %w", margin, num.ErrBadParam)
	}
	if len(x) < steadyBatch*steadyBatches {
		return SteadyResult{Status: StatusTooShort, LastShare: math.NaN(), LargestDifference: math.NaN()}, nil
	}
	warm, err := MSER(x, steadyBatch)
	if err != nil {
		return SteadyResult{}, fmt.Errorf("find steady state: %w", err)
	}
	rest := x[warm.Cut:]
	seg, err := PELTMeanVar(rest, 15*math.Log(float64(len(rest))), 2)
	if err != nil {
		return SteadyResult{}, fmt.Errorf("find steady state: %w", err)
	}
	r := SteadyResult{Status: StatusNotSteady, Cut: warm.Cut, Segments: seg, LastShare: 1}
	if k := len(seg.Changes); k > 0 {
		r.LastShare = 1 - float64(seg.Changes[k-1])/float64(len(rest))
	}
	for i := range seg.Changes {
		seg.Changes[i] += warm.Cut
	}
	r.LargestDifference = largestDifference(seg.Means)
	switch {
	case warm.AtLimit:
		r.Reason = ReasonLimit
	case r.LastShare < steadyShare:
		r.Reason = ReasonLateShift
	case r.LargestDifference > margin:
		r.Reason = ReasonLevels
	default:
		r.Status = StatusSteady
	}
	return r, nil
}

// largestDifference is the largest relative distance of a mean from the last.
func largestDifference(means []float64) float64 {
	last, most := means[len(means)-1], 0.0
	for _, m := range means {
		if m != last {
			most = max(most, math.Abs((m-last)/last))
		}
	}
	return most
}

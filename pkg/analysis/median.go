package analysis

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// MedianEstimate is a median with a distribution-free interval.
type MedianEstimate struct {
	Median   float64
	CI       Interval // Level is the one asked for; NaN ends when no interval exists
	Achieved float64  // confidence that the interval really has, at least CI.Level
	Rank     int      // the ends are the Rank-th smallest and the Rank-th largest value; 0 when there is none
}

// MedianInterval is the interval of the median between two order statistics, for any continuous distribution.
//
// [x_(k), x_(n+1−k)] with the largest k for which P(B <= k−1) <= (1−level)/2, B binomial(n, ½) (Thompson 1936); R's
// sort(x)[c(k, n+1-k)] with k = qbinom((1-level)/2, n, 0.5). Confidence moves in steps, so Achieved is reported: for
// 95 % it is 96.9 % at n = 6, 99.2 % at 8 (the next step would be 93.0 %) and 97.9 % at 10. Ties make it conservative.
// There is no 95 % interval below 6 values (the extremes of 5 reach 93.75 %): then the ends are NaN, Median is still set and the error is ErrTooFew with
// the number needed. Errors: ErrEmpty, ErrNonFinite, ErrTooFew, ErrBadParam. x is not modified. O(n log n).
func MedianInterval(x []float64, level float64) (MedianEstimate, error) {
	nan := math.NaN()
	out := MedianEstimate{Median: nan, CI: Interval{level, nan, nan}, Achieved: nan}
	if err := num.CheckUnit("level", level); err != nil {
		return out, err
	}
	if err := num.CheckFinite(x, 1); err != nil {
		return out, err
	}
	s, n := num.Sorted(x), len(x)
	out.Median = num.QuantileSorted(s, .5)
	k := medianRank(n, level)
	if k == 0 {
		return out, fmt.Errorf("need %d values for a %g %% interval of the median, have %d: %w", medianNeeds(level), 100*level, n, ErrTooFew)
	}
	out.Rank, out.CI.Low, out.CI.High = k, s[k-1], s[n-k]
	out.Achieved = 1 - 2*num.BinomialAtLeast(n-k+1, n, .5)
	return out, nil
}

// medianRank is the largest k with P(B <= k−1) <= (1−level)/2; 0 when even the extremes fall short.
func medianRank(n int, level float64) int {
	const slack = 1 + 1e-12 // a tail that equals the limit is within it
	lo, hi := 0, (n+1)/2
	for lo < hi {
		k := (lo + hi + 1) / 2
		// P(B <= k−1) = P(B >= n−k+1) by symmetry.
		if num.BinomialAtLeast(n-k+1, n, .5) <= (1-level)/2*slack {
			lo = k
		} else {
			hi = k - 1
		}
	}
	return lo
}

// medianNeeds is the smallest n with 2·½ⁿ <= 1−level.
func medianNeeds(level float64) int {
	n := 1
	for medianRank(n, level) == 0 {
		n++
	}
	return n
}

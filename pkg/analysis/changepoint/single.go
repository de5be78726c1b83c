package changepoint

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// Single is the outcome of SingleChange.
type Single struct {
	At         int     // values before the most likely change
	R2         float64 // share of the sum of squares that a change there explains
	P          float64
	MeanBefore float64
	MeanAfter  float64
}

// SingleChange tests H0: the values of x are exchangeable in time, against one change of mean somewhere, with at least
// minSegment values on either side.
//
// R² = max_k S_k²·(1/k + 1/(n−k))/Σ(x−x̄)², S_k = Σ_{i<=k}(x_i−x̄): the best division in time, that is the largest two-sample
// t (Sen & Srivastava 1975). P = (1 + #)/(1 + permutations), # the random orders of x with R² at least as large, so the
// search is counted and P is valid for every distribution (in the manner of Matteson & James 2014, whose
// ecp::e.divisive(x, min.size=minSegment) finds changes of any kind). Use minSegment 3 across sessions. Equal maxima: the
// first. It weighs places near the ends higher than trend.CUSUM does. The number of different orders limits P: 6 values
// with minSegment 3 have 20 divisions into halves, so P cannot be much below .1. Assumes no serial correlation, which looks like
// a change. P depends on rng. Invariant to shift and scale; reversing x mirrors At. Errors: ErrEmpty, ErrNonFinite,
// ErrTooFew for n < 2·minSegment, ErrZeroVariance, ErrBadParam for minSegment or permutations < 1 or no rng. x is not
// modified. O(n·permutations).
func SingleChange(x []float64, minSegment, permutations int, rng *rand.Rand) (Single, error) {
	if minSegment < 1 || permutations < 1 || rng == nil {
		return Single{}, fmt.Errorf("test change: segments of at least %d, %d permutations, random source given: %t: %w",
			minSegment, permutations, rng != nil, num.ErrBadParam)
	}
	if err := num.CheckFinite(x, 2*minSegment); err != nil {
		return Single{}, fmt.Errorf("test change: %w", err)
	}
	mean, variance := num.MeanVar(x)
	if variance == 0 {
		return Single{}, fmt.Errorf("test change: %w", num.ErrZeroVariance)
	}
	d := make([]float64, len(x))
	for i, v := range x {
		d[i] = v - mean
	}
	peak, at := bestDivision(d, minSegment)
	r := Single{At: at, R2: min(1, peak/(variance*float64(len(x)-1)))}
	r.MeanBefore, _ = num.MeanVar(x[:at])
	r.MeanAfter, _ = num.MeanVar(x[at:])
	v, count := slices.Clone(d), 1
	for range permutations {
		rng.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
		// The factor keeps orders that differ only by rounding on the side of the observed one.
		if other, _ := bestDivision(v, minSegment); other >= peak*(1-1e-12) {
			count++
		}
	}
	r.P = float64(count) / float64(permutations+1)
	return r, nil
}

// bestDivision returns the largest sum of squares between two parts of deviations d, and the size of the first.
func bestDivision(d []float64, minSegment int) (peak float64, at int) {
	n, sum := len(d), 0.0
	at = minSegment
	for i := range n - minSegment {
		sum += d[i]
		k := i + 1
		if k < minSegment {
			continue
		}
		if b := sum * sum * (1/float64(k) + 1/float64(n-k)); b > peak {
			peak, at = b, k
		}
	}
	return peak, at
}

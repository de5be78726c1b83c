package rank

import (
	"math"
	"sort"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// CliffsDelta is the share of pairs with x > y minus the share with x < y, in [−1, 1] (Cliff 1993); R's
// effectsize::cliffs_delta. Swapping the samples changes the sign. It describes how seldom the samples overlap, not how far apart they are: on a
// quiet machine a difference of 0.1 % makes it 1. Errors: ErrTooFew for an empty sample, ErrNonFinite. O((n+m) log m).
func CliffsDelta(x, y []float64) (float64, error) {
	if err := checkBoth(x, y, 1); err != nil {
		return math.NaN(), err
	}
	above, below := dominance(x, y)
	return float64(above-below) / (float64(len(x)) * float64(len(y))), nil
}

// VarghaDelaney is the chance that a value of x exceeds one of y, ties half: (CliffsDelta + 1)/2 (Vargha & Delaney 2000); R's
// effsize::VD.A. 0.5 when neither tends to be larger. Errors as CliffsDelta.
func VarghaDelaney(x, y []float64) (float64, error) {
	d, err := CliffsDelta(x, y)
	return (d + 1) / 2, err
}

// dominance counts the pairs with x > y and those with x < y.
func dominance(x, y []float64) (above, below int) {
	s := num.Sorted(y)
	for _, v := range x {
		above += sort.SearchFloat64s(s, v)
		below += len(s) - sort.Search(len(s), func(i int) bool { return s[i] > v })
	}
	return above, below
}

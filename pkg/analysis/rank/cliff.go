package rank

import (
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// CliffsDelta is the share of pairs with x > y minus the share with x < y, in [−1, 1] (Cliff 1993); R's
// effectsize::cliffs_delta. Swapping the samples changes the sign. Errors: ErrEmpty, ErrNonFinite.
func CliffsDelta(x, y []float64) (float64, error) {
	for _, s := range [][]float64{x, y} {
		if err := num.CheckFinite(s, 1); err != nil {
			return math.NaN(), err
		}
	}
	d := 0
	for _, a := range x {
		for _, b := range y {
			switch {
			case a > b:
				d++
			case a < b:
				d--
			}
		}
	}
	return float64(d) / float64(len(x)*len(y)), nil
}

package analysis

import (
	"fmt"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// ClopperPearson is the exact interval of a proportion, k of n (Clopper & Pearson 1934): quantiles of the beta
// distribution, R's binom.test(k, n)$conf.int. Coverage is at least the level; 2 of 5 gives 5 % to 85 %.
// Errors: ErrBadParam unless 0 <= k <= n, n >= 1 and 0 < level < 1.
func ClopperPearson(k, n int, level float64) (Interval, error) {
	if n < 1 || k < 0 || k > n {
		return Interval{}, fmt.Errorf("%d of %d: %w", k, n, ErrBadParam)
	}
	if err := num.CheckUnit("level", level); err != nil {
		return Interval{}, err
	}
	a, out := (1-level)/2, Interval{level, 0, 1}
	if k > 0 {
		out.Low = num.BetaQuantile(a, float64(k), float64(n-k+1))
	}
	if k < n {
		// The upper end as the mirrored lower tail, so that a small a keeps its digits.
		out.High = 1 - num.BetaQuantile(a, float64(n-k), float64(k+1))
	}
	return out, nil
}

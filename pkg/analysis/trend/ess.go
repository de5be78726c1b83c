package trend

import (
	"fmt"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// ESS is the outcome of EffectiveSampleSize. No size exceeds N.
type ESS struct {
	N           int
	R1          float64 // lag-1 autocorrelation
	PairsUsed   int     // pairs of lags summed before the first that is not positive
	Tau         float64 // values that are worth one independent value, by the initial positive sequence
	Size        float64 // N / max(1, Tau)
	TauMonotone float64 // as Tau, with the pairs made non-increasing
	Monotone    float64 // N / max(1, TauMonotone): the one to use
	AR1         float64 // N·(1−r)/(1+r) with r = max(0, R1)
}

// EffectiveSampleSize estimates how many independent values would know the mean of the correlated series x as well.
//
// With G_m = r_{2m} + r_{2m+1}, summed from m = 0 while positive (2m+1 < n), tau = −1 + 2·Σ G_m and size = n/max(1, tau):
// the initial positive sequence of Geyer 1992, section 3.3; TauMonotone replaces each G_m by the smallest so far (his
// initial monotone sequence). r as Autocorrelation. AR1 assumes that only neighbours are linked and needs less data.
// The uncorrected standard error of the mean is too small by √(n/size). Reference: R's mcmc::initseq(x) on the same
// pairs. A pair that is zero up to rounding ends the sum. Below about 20 values the estimate is noise biased towards n.
// Trends and level shifts shrink the size too. Invariant to shift, scale and reversal. Errors: ErrEmpty, ErrNonFinite,
// ErrTooFew for n < 2, ErrZeroVariance. x is not modified. O(n·lags used).
func EffectiveSampleSize(x []float64) (ESS, error) {
	if err := num.CheckFinite(x, 2); err != nil {
		return ESS{}, fmt.Errorf("estimate effective sample size: %w", err)
	}
	d, ss := deviations(x)
	if ss == 0 {
		return ESS{}, fmt.Errorf("estimate effective sample size: %w", num.ErrZeroVariance)
	}
	n := float64(len(x))
	r := ESS{N: len(x), R1: lagSum(d, 1) / ss, Tau: -1, TauMonotone: -1}
	noise := n * 0x1p-52
	least := 2.0
	for lag := 0; lag+1 < len(x); lag += 2 {
		g := (lagSum(d, lag) + lagSum(d, lag+1)) / ss
		if g <= noise {
			break
		}
		least = min(least, g)
		r.PairsUsed++
		r.Tau += 2 * g
		r.TauMonotone += 2 * least
	}
	r.Size, r.Monotone = n/max(1, r.Tau), n/max(1, r.TauMonotone)
	ar := max(0, r.R1)
	r.AR1 = n * (1 - ar) / (1 + ar)
	return r, nil
}

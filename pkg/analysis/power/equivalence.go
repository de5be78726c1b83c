package power

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// TOST returns the chance that two one-sided paired t tests at alpha declare n blocks equivalent within ±margin, for
// a true mean difference delta; sd is that of the block differences. All are logarithms for ratios: margin = ln(1+m).
//
// Exact for normal differences (Owen 1965; Phillips 1990): with e = sd/√n the tests agree when D + t·e·s < margin and
// D − t·e·s > −margin, so the chance is the integral of Φ((margin−delta)/e − t·s) − Φ((−margin−delta)/e + t·s) over the
// density of s = √(χ²_(n−1)/(n−1)), up to the s at which the interval is as wide as the margins. It must agree with R's
// PowerTOST::power.TOST(method="exact", logscale=FALSE). At delta = ±margin it is at most alpha. Few blocks make it 0: the
// interval rarely fits between the margins.
//
// Errors: ErrNonFinite; ErrBadParam for an sd or margin <= 0 or alpha outside (0, 0.5); ErrTooFew for n < 2.
func TOST(n int, delta, sd, margin, alpha float64) (float64, error) {
	if err := checkTOST(n, delta, sd, margin, alpha); err != nil {
		return math.NaN(), err
	}
	return tostPower(delta, sd/math.Sqrt(float64(n)), margin, float64(n-1), alpha), nil
}

// TOSTEqual is TOST for two independent groups of n with a common sd: standard error sd·√(2/n), df 2n−2. For
// Welch's test an approximation, as in Welch. Errors as TOST.
func TOSTEqual(n int, delta, sd, margin, alpha float64) (float64, error) {
	if err := checkTOST(n, delta, sd, margin, alpha); err != nil {
		return math.NaN(), err
	}
	return tostPower(delta, sd*math.Sqrt(2/float64(n)), margin, float64(2*n-2), alpha), nil
}

func checkTOST(n int, delta, sd, margin, alpha float64) error {
	if err := checkPower(n, delta, alpha, sd, margin); err != nil {
		return err
	}
	if alpha >= .5 {
		return fmt.Errorf("alpha %v is not below 0.5: %w", alpha, num.ErrBadParam)
	}
	return nil
}

func tostPower(delta, se, margin, df, alpha float64) float64 {
	t := num.TQuantileUpper(alpha, df)
	high, low, top := (margin-delta)/se, (-margin-delta)/se, margin/(se*t)
	g := func(s float64) float64 { return num.NormalCDF(high-t*s) - num.NormalCDF(low+t*s) }
	near := min(high, -low) / t // where the nearer bound is passed
	return min(1, max(0, integrateSD(df, top, g, near-maxSigma/t, near, near+maxSigma/t)))
}

// EquivalenceSampleSize returns the blocks, at least 2, with which two one-sided paired t tests at alpha declare
// equivalence within ±margin with the given power, for a true mean difference delta, sd being that of the block
// differences; all are logarithms for ratios.
//
// The smallest n with TOST >= power; R's PowerTOST::sampleN.TOST(method="exact", logscale=FALSE). For power 0.8 at
// delta 0 and alpha 0.05, an sd of 0.5, 1, 1.5, 2 and 3 times the margin needs 4, 11, 21, 36 and 79 blocks. Planning with
// delta 0 is optimistic: a true difference of half a margin asks for about three times as many.
//
// Errors as TOST; ErrBadParam also for |delta| >= margin, power outside (0, 1) or not above alpha, or more than 1e9 blocks.
func EquivalenceSampleSize(delta, sd, margin, alpha, power float64) (int, error) {
	return equivalenceSize(delta, sd, margin, alpha, power, TOST)
}

// EquivalenceSampleSizeEqual is EquivalenceSampleSize for two independent groups: the values per group.
func EquivalenceSampleSizeEqual(delta, sd, margin, alpha, power float64) (int, error) {
	return equivalenceSize(delta, sd, margin, alpha, power, TOSTEqual)
}

type tostFunc func(n int, delta, sd, margin, alpha float64) (float64, error)

func equivalenceSize(delta, sd, margin, alpha, power float64, at tostFunc) (int, error) {
	if err := checkTOST(2, delta, sd, margin, alpha); err != nil {
		return 0, err
	}
	if err := checkPlan(alpha, power, sd); err != nil {
		return 0, err
	}
	if math.Abs(delta) >= margin {
		return 0, fmt.Errorf("difference %v is not within the margin %v: %w", delta, margin, num.ErrBadParam)
	}
	enough := func(n int) bool {
		p, _ := at(n, delta, sd, margin, alpha)
		return p >= power
	}
	low, high := 1, 2 // low is not enough
	for ; !enough(high); high *= 2 {
		if low = high; low > maxPlanned {
			return 0, fmt.Errorf("more than %.0g blocks needed: %w", maxPlanned, num.ErrBadParam)
		}
	}
	for high-low > 1 {
		if mid := low + (high-low)/2; enough(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high, nil
}

// EquivalenceMargin returns the smallest margin within which n blocks are declared equivalent with the given power when
// the true difference is 0, sd being that of the block differences; on the ln scale for ratios. The inverse of
// EquivalenceSampleSize: for alpha 0.05 and power 0.8 it is 2.66 sd for n = 3, 1.60 sd for 5, 1.00 sd for 10 and 0.68 sd
// for 20. Errors as TOST; ErrBadParam also for a power outside (0, 1) or not above alpha.
func EquivalenceMargin(sd float64, n int, alpha, power float64) (float64, error) {
	return equivalenceMargin(sd, n, alpha, power, TOST)
}

// EquivalenceMarginEqual is EquivalenceMargin for two independent groups of n values with a common sd.
func EquivalenceMarginEqual(sd float64, n int, alpha, power float64) (float64, error) {
	return equivalenceMargin(sd, n, alpha, power, TOSTEqual)
}

func equivalenceMargin(sd float64, n int, alpha, power float64, at tostFunc) (float64, error) {
	if err := checkTOST(n, 0, sd, 1, alpha); err != nil {
		return math.NaN(), err
	}
	if err := checkPlan(alpha, power, sd); err != nil {
		return math.NaN(), err
	}
	enough := func(margin float64) bool {
		p, _ := at(n, 0, 1, margin, alpha)
		return p >= power
	}
	hi := 1.0
	for !enough(hi) && hi < maxPlanned {
		hi *= 2
	}
	return sd * bisect(enough, 0, hi), nil
}

package power

import (
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// PairedDetectable returns the smallest |mean difference| that n blocks find with the given power in a two-sided paired t
// test, sd being that of the block differences; on the ln scale for ratios.
//
// R's power.t.test(n, sd=sd, sig.level=alpha, power=power, type="paired", strict=TRUE)$delta. About 1.7 sd at n = 5 and
// 1.0 sd at 10 for power 0.8. A true difference below it is not absent: it is more likely missed than planned for.
//
// Errors: ErrTooFew for n < 2; ErrNonFinite; ErrBadParam for an sd <= 0, alpha or power outside (0, 1) or power <= alpha.
func PairedDetectable(sd float64, n int, alpha, power float64) (float64, error) {
	if err := checkPlan(alpha, power, sd); err != nil {
		return math.NaN(), err
	}
	if n < 2 {
		return math.NaN(), num.ErrTooFew
	}
	return detectable(sd/math.Sqrt(float64(n)), float64(n-1), alpha, power), nil
}

// WelchDetectable is PairedDetectable for two independent groups, under the approximation of Welch; for equal groups
// R's power.t.test(n, sd=sd, sig.level=alpha, power=power, strict=TRUE)$delta.
func WelchDetectable(sd1, sd2 float64, n1, n2 int, alpha, power float64) (float64, error) {
	if err := checkPlan(alpha, power, sd1, sd2); err != nil {
		return math.NaN(), err
	}
	if min(n1, n2) < 2 {
		return math.NaN(), num.ErrTooFew
	}
	se, df := welchScale(sd1, sd2, n1, n2)
	return detectable(se, df, alpha, power), nil
}

func detectable(se, df, alpha, power float64) float64 {
	hi := 1.0
	for tPower(hi, df, alpha) < power && hi < maxPlanned {
		hi *= 2
	}
	return se * bisect(func(d float64) bool { return tPower(d, df, alpha) >= power }, 0, hi)
}

// SingleRunCV returns the trial-to-trial CV at which two groups of n trials with this ratio of means would just reach
// p = alpha in Welch's test on logarithms: |ln ratio| / (t(1−α/2, 2n−2)·√(2/n)). A ratio seen in single runs means
// something only on a machine quieter than this. NaN for n < 2, a ratio <= 0 or alpha outside (0, 1).
func SingleRunCV(ratio float64, n int, alpha float64) float64 {
	if n < 2 || !(ratio > 0) || math.IsInf(ratio, 0) || num.CheckUnit("alpha", alpha) != nil {
		return math.NaN()
	}
	se := math.Abs(math.Log(ratio)) / num.TQuantileUpper(alpha/2, float64(2*n-2))
	return se / math.Sqrt(2/float64(n))
}

// SDUpperLimit returns the upper confidence limit of a standard deviation of which n values gave the estimate sd:
// sd·√((n−1)/χ²(1−level, n−1)), the one-sided limit of normal data.
//
// An experiment planned with a pilot's own sd is too small in half of all cases; planned with this limit, in 1−level of
// them. The factor at level 0.9 is 3.08 for n = 3, 1.94 for 5 and 1.47 for 10: R's sqrt((n-1)/qchisq(1-level, n-1)). For
// an sd pooled over groups give n = its degrees of freedom + 1. The limit assumes normal data; tiers break it. sd 0 gives 0.
//
// Errors: ErrNonFinite; ErrBadParam for an sd < 0 or level outside (0, 1); ErrTooFew for n < 2.
func SDUpperLimit(sd float64, n int, level float64) (float64, error) {
	if math.IsNaN(sd) || math.IsInf(sd, 0) {
		return math.NaN(), num.ErrNonFinite
	}
	if err := num.CheckUnit("level", level); err != nil {
		return math.NaN(), err
	}
	if sd < 0 {
		return math.NaN(), num.ErrBadParam
	}
	if n < 2 {
		return math.NaN(), num.ErrTooFew
	}
	df := float64(n - 1)
	return sd * math.Sqrt(df/num.ChiSquaredQuantile(1-level, df)), nil
}

package power

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// maxPlanned bounds every search for a sample size; no experiment beyond it is practical.
const maxPlanned = 1e9

// nctUpper returns P(T > t) of the noncentral t distribution: ∫ Q(t·s − δ) f(s) ds, s = √(χ²_ν/ν). Gauss–Legendre over
// the part of s that holds all but 1e-16 of the mass.
func nctUpper(t, df, delta float64) float64 {
	lg, _ := math.Lgamma(df / 2)
	c := math.Ln2 + df/2*math.Log(df/2) - lg
	f := func(s float64) float64 {
		return math.Exp(c+(df-1)*math.Log(s)-df*s*s/2) * distuv.UnitNormal.CDF(delta-t*s)
	}
	w := 9 / math.Sqrt(2*df)
	lo, hi := max(0, 1-w), 1+w
	sum := 0.0
	const panels = 12
	for i := range panels {
		a := lo + (hi-lo)*float64(i)/panels
		sum += quad.Fixed(f, a, a+(hi-lo)/panels, 24, quad.Legendre{}, 0)
	}
	return sum
}

// tPower is the two-sided power of a t test, both tails counted.
func tPower(ncp, df, alpha float64) float64 {
	crit := num.TQuantileUpper(alpha/2, df)
	return nctUpper(crit, df, ncp) + nctUpper(crit, df, -ncp)
}

func checkPlan(alpha, power float64, positive ...float64) error {
	for _, v := range append(positive, alpha, power) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return num.ErrNonFinite
		}
	}
	for _, v := range positive {
		if v <= 0 {
			return fmt.Errorf("%v is not positive: %w", v, num.ErrBadParam)
		}
	}
	if err := num.CheckUnit("alpha", alpha); err != nil {
		return err
	}
	if err := num.CheckUnit("power", power); err != nil {
		return err
	}
	if power <= alpha {
		return fmt.Errorf("power %v is not above alpha %v: %w", power, alpha, num.ErrBadParam)
	}
	return nil
}

// PowerEqual is the power of the two-sided equal-variance t test with n values in each group, for a true difference
// delta and sd in the same unit: noncentral t, df 2n−2, both tails; R's power.t.test(n, delta, sd, strict=TRUE).
// Errors: ErrTooFew for n < 2, ErrNonFinite, ErrBadParam.
func PowerEqual(n int, delta, sd, alpha float64) (float64, error) {
	return PowerWelch(n, n, delta, sd, sd, alpha)
}

// PowerWelch is the power of Welch's test for true sds sd1 and sd2: noncentral t with delta/√(sd1²/n1+sd2²/n2) and the
// Satterthwaite df at the true variances. An approximation: up to 3 points too high at n = 5. Errors as PowerEqual.
func PowerWelch(n1, n2 int, delta, sd1, sd2, alpha float64) (float64, error) {
	if math.IsNaN(delta) || math.IsInf(delta, 0) {
		return math.NaN(), num.ErrNonFinite
	}
	if err := checkPlan(alpha, 1-1e-9*(1-alpha), sd1, sd2); err != nil {
		return math.NaN(), err
	}
	if min(n1, n2) < 2 {
		return math.NaN(), num.ErrTooFew
	}
	se, df := welchScale(sd1, sd2, n1, n2)
	return tPower(delta/se, df, alpha), nil
}

func welchScale(sd1, sd2 float64, n1, n2 int) (se, df float64) {
	a, b := sd1*sd1/float64(n1), sd2*sd2/float64(n2)
	sa, sb := a/(a+b), b/(a+b)
	return math.Sqrt(a + b), 1 / (sa*sa/float64(n1-1) + sb*sb/float64(n2-1))
}

// SampleSize returns the values per group that let the two-sided equal-variance t test find a difference effect with
// the given power: the real root (NaN when 2 suffice) and the smallest whole number >= 2.
//
// Exact noncentral t, both tails; R's power.t.test(delta, sd, sig.level, power, strict=TRUE). An sd taken from a pilot
// of 5 should first be multiplied by 1.94, its upper 90 % limit. Errors: ErrNonFinite, ErrBadParam.
func SampleSize(effect, sd, alpha, power float64) (float64, int, error) {
	if err := checkPlan(alpha, power, math.Abs(effect), sd); err != nil {
		return math.NaN(), 0, err
	}
	d := math.Abs(effect) / sd
	f := func(n float64) float64 { return tPower(d*math.Sqrt(n/2), 2*n-2, alpha) }
	return smallestN(f, power)
}

// PairedSampleSize returns the blocks that let the two-sided paired t test find a mean difference delta with the given
// power, sd being that of the block differences (both on the ln scale for ratios); at least 2. R's
// power.t.test(type="paired", strict=TRUE). Errors as SampleSize.
func PairedSampleSize(delta, sd, alpha, power float64) (int, error) {
	if err := checkPlan(alpha, power, math.Abs(delta), sd); err != nil {
		return 0, err
	}
	d := math.Abs(delta) / sd
	_, n, err := smallestN(func(n float64) float64 { return tPower(d*math.Sqrt(n), n-1, alpha) }, power)
	return n, err
}

func smallestN(f func(float64) float64, power float64) (float64, int, error) {
	if f(2) >= power {
		return math.NaN(), 2, nil
	}
	hi := 4.0
	for f(hi) < power {
		if hi *= 2; hi > maxPlanned {
			return math.NaN(), 0, fmt.Errorf("more than %.0g values needed: %w", maxPlanned, num.ErrBadParam)
		}
	}
	root := bisect(func(n float64) bool { return f(n) >= power }, max(2, hi/2), hi)
	return root, int(math.Ceil(root - 1e-9)), nil
}

// bisect returns the boundary between false at lo and true at hi to 1e-12 relative.
func bisect(done func(float64) bool, lo, hi float64) float64 {
	for range 200 {
		mid := lo + (hi-lo)/2
		if hi-lo <= 1e-12*hi {
			break
		}
		if done(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return lo + (hi-lo)/2
}

// PairedDetectable is the smallest |mean difference| that n blocks find with the given power in a two-sided paired t
// test, sd being that of the block differences; on the ln scale for ratios. About 1.7 sd at n = 5 and 1.0 sd at 10 for
// power 0.8. Errors: ErrTooFew for n < 2, ErrNonFinite, ErrBadParam.
func PairedDetectable(sd float64, n int, alpha, power float64) (float64, error) {
	if err := checkPlan(alpha, power, sd); err != nil {
		return math.NaN(), err
	}
	if n < 2 {
		return math.NaN(), num.ErrTooFew
	}
	return detectable(sd/math.Sqrt(float64(n)), float64(n-1), alpha, power), nil
}

// WelchDetectable is PairedDetectable for two independent groups, under the approximation of PowerWelch.
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

package power

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// checkPlan refuses values that no plan can use: sds and effects must be positive, power above alpha.
func checkPlan(alpha, power float64, positive ...float64) error {
	if err := checkPositive(positive...); err != nil {
		return err
	}
	if math.IsNaN(alpha) || math.IsNaN(power) {
		return num.ErrNonFinite
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

// checkPositive names the first value that is not finite, else the first that is not above 0.
func checkPositive(values ...float64) error {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return num.ErrNonFinite
		}
	}
	for _, v := range values {
		if v <= 0 {
			return fmt.Errorf("%v is not positive: %w", v, num.ErrBadParam)
		}
	}
	return nil
}

// checkPower is what every power needs: a finite difference, positive sds, alpha in (0, 1), two values a group.
func checkPower(n int, delta, alpha float64, sds ...float64) error {
	if math.IsNaN(delta) || math.IsInf(delta, 0) || math.IsNaN(alpha) {
		return num.ErrNonFinite
	}
	if err := checkPositive(sds...); err != nil {
		return err
	}
	if err := num.CheckUnit("alpha", alpha); err != nil {
		return err
	}
	if n < 2 {
		return fmt.Errorf("%d values in a group, need 2: %w", n, num.ErrTooFew)
	}
	return nil
}

// Equal returns the power of the two-sided equal-variance t test with n values in each group, for a true difference
// delta and a common sd in the same unit.
//
// Noncentral t with df 2n−2 and ncp delta/(sd·√(2/n)), both tails; R's power.t.test(n, delta, sd, sig.level=alpha,
// strict=TRUE)$power. Exact for normal data with equal variances; delta 0 gives alpha. Plan with logarithms for ratios.
//
// Errors: ErrNonFinite; ErrBadParam for an sd <= 0 or alpha outside (0, 1); ErrTooFew for n < 2.
func Equal(n int, delta, sd, alpha float64) (float64, error) {
	return Welch(n, n, delta, sd, sd, alpha)
}

// Welch returns the power of Welch's test for a true difference delta and true sds sd1 and sd2.
//
// Noncentral t with the ncp and df of WelchNoncentrality, both tails; for equal n and sd the same as Equal. An
// approximation, since the test estimates its df: up to 3 points too high at n = 5. Errors as Equal.
func Welch(n1, n2 int, delta, sd1, sd2, alpha float64) (float64, error) {
	if err := checkPower(min(n1, n2), delta, alpha, sd1, sd2); err != nil {
		return math.NaN(), err
	}
	se, df := welchScale(sd1, sd2, n1, n2)
	return tPower(delta/se, df, alpha), nil
}

// WelchOneTail is Welch without the rejections on the wrong side of 0: what R's power.t.test reports without
// strict=TRUE. Only for comparison with other programs: the two differ where power is near alpha. Errors as Equal.
func WelchOneTail(n1, n2 int, delta, sd1, sd2, alpha float64) (float64, error) {
	if err := checkPower(min(n1, n2), delta, alpha, sd1, sd2); err != nil {
		return math.NaN(), err
	}
	se, df := welchScale(sd1, sd2, n1, n2)
	return tPowerOneTail(math.Abs(delta)/se, df, alpha), nil
}

// WelchNoncentrality returns what Welch rests on: ncp = delta/√(sd1²/n1 + sd2²/n2), and the degrees of freedom of
// Satterthwaite (1946) at the true variances. Errors as Equal.
func WelchNoncentrality(n1, n2 int, delta, sd1, sd2 float64) (ncp, df float64, err error) {
	if err := checkPower(min(n1, n2), delta, .5, sd1, sd2); err != nil {
		return math.NaN(), math.NaN(), err
	}
	se, df := welchScale(sd1, sd2, n1, n2)
	return delta / se, df, nil
}

func welchScale(sd1, sd2 float64, n1, n2 int) (se, df float64) {
	a, b := sd1*sd1/float64(n1), sd2*sd2/float64(n2)
	sa, sb := a/(a+b), b/(a+b)
	return math.Sqrt(a + b), 1 / (sa*sa/float64(n1-1) + sb*sb/float64(n2-1))
}

// Paired returns the power of the two-sided paired t test with n blocks for a true mean difference delta, sd being
// that of the block differences.
//
// Noncentral t with df n−1 and ncp delta·√n/sd, both tails; R's power.t.test(n, delta, sd, sig.level=alpha,
// type="paired", strict=TRUE)$power. Exact for normal differences. Errors as Equal.
func Paired(n int, delta, sd, alpha float64) (float64, error) {
	if err := checkPower(n, delta, alpha, sd); err != nil {
		return math.NaN(), err
	}
	return tPower(delta/sd*math.Sqrt(float64(n)), float64(n-1), alpha), nil
}

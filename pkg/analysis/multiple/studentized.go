package multiple

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// StudentizedRangeSurvival returns P(Q > q): the chance that k means of one population lie further apart than q
// standard errors, the standard error being estimated with df degrees of freedom (Student 1927; Tukey 1949).
//
// P(Q > q) = ∫ P(R > q·s) f(s) ds, R the range of k standard normals and s = √(χ²/df). Both integrals run by the
// trapezoidal rule (the outer over ln s), which converges exponentially for such integrands; k = 2 is Student's t.
// The upper tail is integrated itself, so that it keeps about 10 digits at any q; R's ptukey(q, k, df,
// lower.tail=FALSE) is off by up to 3e-4 of the value below 4 df, NaN below 2 df, and takes 25 000 df for infinite;
// scipy.stats.studentized_range.sf(q, k, df) agrees to about 1e-9.
//
// df need not be whole and may be +Inf; q <= 0 gives 1. Errors: ErrNonFinite for q; ErrBadParam for k < 2 or df <= 0.
// About 0.5 ms a call, more below 1 df.
func StudentizedRangeSurvival(q float64, k int, df float64) (float64, error) {
	r, err := checkedRange(q, k, df)
	if err != nil {
		return 0, err
	}
	return r.survival(q, df), nil
}

// StudentizedRangeCDF returns P(Q <= q), the lower tail of StudentizedRangeSurvival and integrated itself too: small
// values keep their digits. It must agree with scipy.stats.studentized_range.cdf(q, k, df). Errors as there.
func StudentizedRangeCDF(q float64, k int, df float64) (float64, error) {
	r, err := checkedRange(q, k, df)
	if err != nil {
		return 0, err
	}
	return r.cdf(q, df), nil
}

// StudentizedRangeQuantile returns the q with P(Q > q) = p: p is the upper tail, 0.05 for a 5 % critical value.
//
// It solves for ln q until the bracket is closed to about 1e-13 of q. R's qtukey(p, k, df, lower.tail=FALSE) stops at 1e-4;
// scipy.stats.studentized_range.isf(p, k, df) agrees to about 1e-9. Errors: ErrBadParam for p outside (0, 1), k < 2 or
// df <= 0; ErrOutOfRange when the quantile is no float64. About 5 ms a call.
func StudentizedRangeQuantile(p float64, k int, df float64) (float64, error) {
	r, err := checkedRange(0, k, df)
	if err != nil {
		return 0, err
	}
	if err := num.CheckUnit("tail probability", p); err != nil {
		return 0, err
	}
	q := r.quantile(p, df)
	if math.IsNaN(q) {
		return 0, fmt.Errorf("quantile of the studentised range at %v with %v df: %w", p, df, num.ErrOutOfRange)
	}
	return q, nil
}

func checkedRange(q float64, k int, df float64) (*normalRange, error) {
	switch {
	case k < 2:
		return nil, fmt.Errorf("studentised range of %d means: %w", k, num.ErrBadParam)
	case !(df > 0):
		return nil, fmt.Errorf("%v degrees of freedom: %w", df, num.ErrBadParam)
	case math.IsNaN(q) || math.IsInf(q, 0):
		return nil, fmt.Errorf("studentised range %v: %w", q, num.ErrNonFinite)
	}
	return newNormalRange(k), nil
}

// survival is P(Q > q) for q that may be any number, also +Inf.
func (r *normalRange) survival(q, df float64) float64 {
	switch {
	case q <= 0:
		return 1
	case math.IsInf(q, 1):
		return 0
	case r.others == 1:
		return 2 * num.TSurvival(q/math.Sqrt2, df)
	}
	return min(1, overChi(q, df, r.above))
}

// cdf is P(Q <= q).
func (r *normalRange) cdf(q, df float64) float64 {
	switch {
	case q <= 0:
		return 0
	case math.IsInf(q, 1):
		return 1
	case r.others == 1 && math.IsInf(df, 1):
		return math.Erf(q / 2)
	case r.others == 1:
		return num.FCDF(q*q/2, 1, df)
	}
	return min(1, overChi(q, df, r.below))
}

// quantile solves P(Q > q) = p on logarithms of both, where the curve is nearly straight; from the lower tail when that
// is the smaller one. NaN when q would overflow.
func (r *normalRange) quantile(p, df float64) float64 {
	const largest = 709.0 // exp overflows just above
	want := math.Log(p)
	f := func(x float64) float64 { return want - math.Log(r.survival(math.Exp(x), df)) }
	if p > .5 {
		want = math.Log1p(-p)
		f = func(x float64) float64 { return math.Log(r.cdf(math.Exp(x), df)) - want }
	}
	lo, hi := 1.0, 1.0
	flo := f(lo)
	fhi := flo
	for step := 1.0; fhi < 0; step *= 2 {
		if hi == largest {
			return math.NaN()
		}
		lo, flo = hi, fhi
		hi = min(largest, hi+step)
		fhi = f(hi)
	}
	for step := 1.0; flo > 0; step *= 2 {
		if lo == -largest {
			return math.NaN()
		}
		hi, fhi = lo, flo
		lo = max(-largest, lo-step)
		flo = f(lo)
	}
	return math.Exp(root(f, lo, hi, flo, fhi))
}

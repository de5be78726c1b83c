package trend

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// VonNeumannResult is the outcome of VonNeumann. The P values are NaN where a result holds no test.
type VonNeumannResult struct {
	N         int
	Q         float64 // 2 when independent, towards 0 for positive and 4 for negative serial correlation
	Z         float64
	P         float64 // two-sided
	PPositive float64 // alternative: a value resembles the one before it
	PNegative float64 // alternative: values alternate
}

// VonNeumann tests H0: the values of x are independent normals with one mean, against serial correlation, a trend or
// slow waves (von Neumann 1941).
//
// q = Σ(x_{i+1}−x_i)²/Σ(x_i−x̄)² with mean 2 and variance 4(n−2)/(n²−1) under H0; z = (q−2)/√variance, compared with the
// normal distribution. It must agree with R's DescTools::VonNeumannTest(x, unbiased=FALSE); the unbiased version scales
// q by n/(n−1) and has the same z and p. For benchmark trials PPositive is the one to read: power against AR(1)
// of .5 at n = 10 / 20 / 30 is .34 / .63 / .81 one-sided, .21 / .51 / .73 two-sided; both hold 5 % under independence
// (4 to 5 % from n = 10 on). Needs 3 values; PPositive can fall below .05 from 4 on, P from 5. Invariant to shift, scale and reversal.
// Errors: ErrEmpty, ErrNonFinite, ErrTooFew for n < 3, ErrZeroVariance. x is not modified. O(n).
func VonNeumann(x []float64) (VonNeumannResult, error) {
	if err := num.CheckFinite(x, 3); err != nil {
		return VonNeumannResult{}, fmt.Errorf("test serial correlation: %w", err)
	}
	d, ss := deviations(x)
	if ss == 0 {
		return VonNeumannResult{}, fmt.Errorf("test serial correlation: %w", num.ErrZeroVariance)
	}
	n := float64(len(x))
	return newVonNeumann(d, ss, 2, 4*(n-2)/(n*n-1)), nil
}

// newVonNeumann judges the ratio of residuals e with sum of squares ss by its mean and variance under H0.
func newVonNeumann(e []float64, ss, mean, variance float64) VonNeumannResult {
	r := VonNeumannResult{N: len(e)}
	for i := 1; i < len(e); i++ {
		r.Q += (e[i] - e[i-1]) * (e[i] - e[i-1])
	}
	r.Q /= ss
	r.Z = (r.Q - mean) / math.Sqrt(variance)
	r.P = min(1, 2*num.NormalSurvival(math.Abs(r.Z)))
	r.PPositive, r.PNegative = num.NormalCDF(r.Z), num.NormalSurvival(r.Z)
	return r
}

package trend

import (
	"fmt"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// LjungBoxResult is the outcome of LjungBox.
type LjungBoxResult struct {
	Q   float64
	DF  int
	P   float64
	ACF []float64 // r_1 .. r_lag
}

// Autocorrelation is r_k, the correlation of x with itself k = lag values later.
//
// r_k = Σ_{i<=n−k}(x_i−x̄)(x_{i+k}−x̄)/Σ(x_i−x̄)²: both sums over 1/n, the convention that keeps |r_k| <= 1 (Box & Jenkins
// 1970). It must agree with R's acf(x, plot=FALSE)$acf[lag+1] and statsmodels' acf. It is biased downwards by about
// (1+4ρ)/n: independent values have r_1 near −1/n. Lag 0 is 1. Invariant to shift, scale and reversal. Errors: ErrEmpty,
// ErrNonFinite, ErrTooFew for n < 2, ErrBadParam unless 0 <= lag < n, ErrZeroVariance. x is not modified. O(n).
func Autocorrelation(x []float64, lag int) (float64, error) {
	if err := num.CheckFinite(x, 2); err != nil {
		return 0, fmt.Errorf("compute autocorrelation: %w", err)
	}
	if lag < 0 || lag >= len(x) {
		return 0, fmt.Errorf("compute autocorrelation: lag %d of %d values: %w", lag, len(x), num.ErrBadParam)
	}
	d, ss := deviations(x)
	if ss == 0 {
		return 0, fmt.Errorf("compute autocorrelation: %w", num.ErrZeroVariance)
	}
	return lagSum(d, lag) / ss, nil
}

// LjungBox tests H0: x is uncorrelated in time, by its first lag autocorrelations together (Ljung & Box 1978).
//
// Q = n(n+2)·Σ_{k<=lag} r_k²/(n−k), compared with chi-squared of lag degrees of freedom, upper tail. It must agree with
// R's Box.test(x, lag=lag, type="Ljung-Box"). Use it for a pattern longer than one trial; for neighbouring trials
// VonNeumann is far stronger (AR(1) of .5 at n = 10 / 20 / 30: .34 / .63 / .81 against .11 / .42 / .65 at lag 1). The
// chi-squared approximation is poor below about 20 values or for lags beyond n/4. A trend or level shift counts as
// correlation. Errors: ErrEmpty, ErrNonFinite, ErrTooFew for n < 2, ErrBadParam unless 1 <= lag < n, ErrZeroVariance.
// x is not modified. O(n·lag).
func LjungBox(x []float64, lag int) (LjungBoxResult, error) {
	if err := num.CheckFinite(x, 2); err != nil {
		return LjungBoxResult{}, fmt.Errorf("test autocorrelation: %w", err)
	}
	if lag < 1 || lag >= len(x) {
		return LjungBoxResult{}, fmt.Errorf("test autocorrelation: lag %d of %d values: %w", lag, len(x), num.ErrBadParam)
	}
	d, ss := deviations(x)
	if ss == 0 {
		return LjungBoxResult{}, fmt.Errorf("test autocorrelation: %w", num.ErrZeroVariance)
	}
	r := LjungBoxResult{DF: lag, ACF: make([]float64, lag)}
	n := float64(len(x))
	for k := 1; k <= lag; k++ {
		rk := lagSum(d, k) / ss
		r.ACF[k-1] = rk
		r.Q += rk * rk / (n - float64(k))
	}
	r.Q *= n * (n + 2)
	r.P = num.ChiSquaredSurvival(r.Q, float64(lag))
	return r, nil
}

// deviations returns x minus its mean, computed without rounding away a large offset, and the sum of their squares;
// equal values give exact zeros. x must not be empty.
func deviations(x []float64) (d []float64, ss float64) {
	n, sum := float64(len(x)), 0.0
	d = make([]float64, len(x))
	for i, v := range x {
		d[i] = v - x[0]
		sum += d[i]
	}
	for i := range d {
		d[i] -= sum / n
	}
	rest := 0.0
	for _, v := range d {
		rest += v
	}
	for i := range d {
		d[i] -= rest / n
		ss += d[i] * d[i]
	}
	return d, ss
}

func lagSum(d []float64, lag int) float64 {
	sum := 0.0
	for i := range len(d) - lag {
		sum += d[i] * d[i+lag]
	}
	return sum
}

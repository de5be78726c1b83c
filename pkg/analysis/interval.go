package analysis

import (
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// Interval is a confidence interval [Low, High] at the given Level (0.95 for 95 %).
type Interval struct{ Level, Low, High float64 }

// TInterval is Student's interval for the mean of x: mean ± t(1−α/2, n−1)·s/√n.
//
// It must agree with R's t.test(x, conf.level=level)$conf.int (Student 1908). Needs n >= 2; at n = 2 the half-width is
// 9 s. Zero variance gives width 0: the caller widens it by the resolution of the measurement. Its coverage on normal
// data is exact; on two-tier data of 5 trials 95 % becomes about 91 %. Errors: ErrEmpty, ErrNonFinite, ErrTooFew,
// ErrBadParam. x is not modified.
func TInterval(x []float64, level float64) (Interval, error) {
	if err := num.CheckFinite(x, 2); err != nil {
		return Interval{}, err
	}
	if err := num.CheckUnit("level", level); err != nil {
		return Interval{}, err
	}
	m, v := num.MeanVar(x)
	h := num.TQuantileUpper((1-level)/2, float64(len(x)-1)) * math.Sqrt(v/float64(len(x)))
	return Interval{level, m - h, m + h}, nil
}

// GeometricTInterval is the interval of the geometric mean: exp of the t interval of the logarithms,
// R's exp(t.test(log(x))$conf.int). Errors as TInterval, and ErrNonPositive.
func GeometricTInterval(x []float64, level float64) (Interval, error) {
	l, err := num.Logs(x)
	if err != nil {
		return Interval{}, err
	}
	ci, err := TInterval(l, level)
	return Interval{level, math.Exp(ci.Low), math.Exp(ci.High)}, err
}

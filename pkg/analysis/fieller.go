package analysis

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// Fieller is an interval for a ratio of arithmetic means.
type Fieller struct {
	Ratio   float64  // x̄/ȳ
	DF      float64  // Satterthwaite, at the estimated ratio
	G       float64  // t²·vy/ȳ²: at 1 or more the baseline's mean itself may be 0
	Bounded bool     // G < 1
	CI      Interval // NaN ends unless Bounded
}

// RatioFieller is the confidence interval of mean(x)/mean(y) for independent samples (Fieller 1954): every ratio r that
// a t test of x̄ − r·ȳ = 0 does not reject.
//
// The ends are the roots of (ȳ²−t²vy)·q² − 2x̄ȳ·q + (x̄²−t²vx) = 0, v = s²/n, t the quantile at
// df = (vx+r²vy)²/(vx²/(nx−1)+(r²vy)²/(ny−1)), r = x̄/ȳ. Inverting R's t statistic with uniroot gives the same ends.
// It is for arithmetic means of data that may be zero or negative; for rates LogWelchT covers as well (95 to 97 % at n
// of 3 to 10), is symmetric in x and y up to the reciprocal, and is never unbounded.
//
// When ȳ is not distinguishable from 0 (G >= 1) the set of ratios is unbounded: Bounded is false and the ends NaN, which
// is an answer and no error. Needs 2 values each; one sample without variance is fine. Errors: ErrEmpty, ErrNonFinite,
// ErrTooFew, ErrZeroVariance, ErrZeroDenominator when ȳ = 0, ErrBadParam for a level outside (0, 1).
func RatioFieller(x, y []float64, level float64) (Fieller, error) {
	nan := math.NaN()
	out := Fieller{Ratio: nan, DF: nan, G: nan, CI: Interval{level, nan, nan}}
	if err := num.CheckUnit("level", level); err != nil {
		return out, err
	}
	for _, s := range [][]float64{x, y} {
		if err := num.CheckFinite(s, 2); err != nil {
			return out, err
		}
	}
	mx, vx := num.MeanVar(x)
	my, vy := num.MeanVar(y)
	if my == 0 {
		return out, fmt.Errorf("mean of the baseline is 0: %w", ErrZeroDenominator)
	}
	// In units of the baseline's mean: the squares below neither overflow nor vanish.
	nx, ny := float64(len(x)), float64(len(y))
	r, a, b := mx/my, vx/nx/my/my, vy/ny/my/my
	spread := a + r*r*b
	if !(spread > 0) {
		return out, ErrZeroVariance
	}
	sa, sb := a/spread, r*r*b/spread
	out.Ratio, out.DF = r, 1/(sa*sa/(nx-1)+sb*sb/(ny-1))
	t := num.TQuantileUpper((1-level)/2, out.DF)
	out.G = t * t * b
	if out.G >= 1 {
		return out, nil
	}
	out.Bounded = true
	// The discriminant written so that nothing cancels, and each root from the sum that does not cancel either.
	root := t * math.Sqrt(a*(1-out.G)+r*r*b)
	far := r + math.Copysign(root, r)
	near := (r*r - t*t*a) / far
	far /= 1 - out.G
	out.CI.Low, out.CI.High = min(near, far), max(near, far)
	return out, nil
}

package modes

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// KDE estimates the density of x at the points of at with a Gaussian kernel of standard deviation h (Rosenblatt 1956;
// Parzen 1962).
//
// f(a) = 1/(n·h·√2π) · Σ exp(−(a − x_i)²/(2h²)), summed exactly over the sample without binning. It must agree with
// R's sapply(at, function(a) mean(dnorm(a, x, h))); density() bins the sample and is good to about 4 digits only. Unit:
// one over that of x. The estimate is smoother and wider than the truth: its variance is that of the sample plus h².
// n = 1 gives one kernel; ties count as often as they occur; far from all values the density underflows to 0.
//
// Errors: ErrEmpty, ErrNonFinite (x or at); ErrBadParam unless h is positive and finite. An empty at gives an empty
// result. Inputs are not modified. O(n) for each point.
func KDE(x []float64, h float64, at []float64) ([]float64, error) {
	if err := num.CheckFinite(x, 1); err != nil {
		return nil, fmt.Errorf("estimate density: %w", err)
	}
	if !(h > 0) || math.IsInf(h, 0) {
		return nil, fmt.Errorf("estimate density: bandwidth %v: %w", h, num.ErrBadParam)
	}
	if len(at) > 0 {
		if err := num.CheckFinite(at, 1); err != nil {
			return nil, fmt.Errorf("estimate density: %w", err)
		}
	}
	out := make([]float64, len(at))
	norm := 1 / (float64(len(x)) * h * math.Sqrt(2*math.Pi))
	for i, a := range at {
		sum := 0.0
		for _, v := range x {
			z := (a - v) / h
			sum += math.Exp(-z * z / 2)
		}
		out[i] = sum * norm
	}
	return out, nil
}

package num

import (
	"math"
	"slices"
)

// MeanVar is the corrected two-pass mean and sample variance (n−1): equal values give exactly that value and 0, one
// value gives variance NaN. x must not be empty.
func MeanVar(x []float64) (mean, variance float64) {
	if slices.Min(x) == slices.Max(x) {
		if len(x) == 1 {
			return x[0], math.NaN()
		}
		return x[0], 0
	}
	// Summing deviations from the first value keeps a large common offset out of the rounding.
	n, base, sum := float64(len(x)), x[0], 0.0
	for _, v := range x {
		sum += v - base
	}
	off := sum / n
	ss, comp := 0.0, 0.0
	for _, v := range x {
		d := (v - base) - off
		ss += d * d
		comp += d
	}
	return base + off, (ss - comp*comp/n) / (n - 1)
}

// Sorted returns an ascending copy.
func Sorted(x []float64) []float64 {
	s := slices.Clone(x)
	slices.Sort(s)
	return s
}

// QuantileSorted is the p-quantile of an ascending sample by R's type 7. s must not be empty, p in [0, 1].
func QuantileSorted(s []float64, p float64) float64 {
	h := float64(len(s)-1) * p
	i := int(h)
	if i >= len(s)-1 {
		return s[len(s)-1]
	}
	return s[i] + (h-float64(i))*(s[i+1]-s[i])
}

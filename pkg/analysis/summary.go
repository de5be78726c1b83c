package analysis

import (
	"math"
	"slices"
)

// madScale makes the median absolute deviation estimate the sd of a normal sample; R's mad() uses the same constant.
const madScale = 1.4826

// Summary describes one sample. Fields that do not exist for the sample are NaN: SD, Variance, SEM and CV for N = 1,
// CV for a mean of 0, GeometricMean and HarmonicMean unless every value is positive.
type Summary struct {
	N             int     // number of values
	Mean          float64 // arithmetic mean, unit of the values
	SD            float64 // sample standard deviation (n−1)
	Variance      float64 // SD squared
	SEM           float64 // SD/√N
	CV            float64 // SD/|Mean|, a fraction
	Median        float64 // mean of the middle two for even N
	Min, Max      float64 // extremes
	GeometricMean float64 // exp of the mean logarithm
	HarmonicMean  float64 // N / Σ 1/x: total requests over total time for trials of equal request count
	MAD           float64 // 1.4826 × median |x − Median|
}

// Summarize computes location and spread of x in two passes.
//
// Formulas are the textbook ones with n−1 in the variance; it must agree with R's mean, sd, median and mad. Equal
// values give SD exactly 0, although their floating-point mean may differ from them (7 × 0.1). N = 1 is allowed and
// leaves the spread NaN. Errors: ErrEmpty, ErrNonFinite. x is not modified. O(n log n).
func Summarize(x []float64) (Summary, error) {
	if err := checkFinite(x, 1); err != nil {
		return Summary{}, err
	}
	nan := math.NaN()
	s := sorted(x)
	m, v := meanVar(x)
	n := float64(len(x))
	out := Summary{N: len(x), Mean: m, Variance: v, SD: math.Sqrt(v), SEM: math.Sqrt(v / n), CV: nan,
		Median: quantileSorted(s, .5), Min: s[0], Max: s[len(s)-1], GeometricMean: nan, HarmonicMean: nan}
	if m != 0 {
		out.CV = out.SD / math.Abs(m)
	}
	dev := make([]float64, len(x))
	for i, w := range x {
		dev[i] = math.Abs(w - out.Median)
	}
	slices.Sort(dev)
	out.MAD = madScale * quantileSorted(dev, .5)
	if l, err := logs(x); err == nil {
		lm, _ := meanVar(l)
		out.GeometricMean = math.Exp(lm)
		inv := 0.0
		for _, w := range x {
			inv += 1 / w
		}
		out.HarmonicMean = n / inv
	}
	return out, nil
}

// Quantile returns the p-quantile of x by R's type 7 (Hyndman & Fan 1996, definition 7): linear interpolation at
// position (n−1)p of the order statistics. It must agree with R's quantile(x, p). x need not be sorted and is not
// modified. Errors: ErrEmpty, ErrNonFinite, ErrBadParam for p outside [0, 1].
func Quantile(x []float64, p float64) (float64, error) {
	if err := checkFinite(x, 1); err != nil {
		return math.NaN(), err
	}
	if !(p >= 0 && p <= 1) {
		return math.NaN(), ErrBadParam
	}
	return quantileSorted(sorted(x), p), nil
}

func quantileSorted(s []float64, p float64) float64 {
	h := float64(len(s)-1) * p
	i := int(h)
	if i >= len(s)-1 {
		return s[len(s)-1]
	}
	return s[i] + (h-float64(i))*(s[i+1]-s[i])
}

func sorted(x []float64) []float64 {
	s := slices.Clone(x)
	slices.Sort(s)
	return s
}

// meanVar is the corrected two-pass mean and sample variance: equal values give exactly that value and 0, one value
// gives variance NaN.
func meanVar(x []float64) (mean, variance float64) {
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

package analysis

import (
	"math"
	"slices"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// madScale makes the median absolute deviation estimate the sd of a normal sample; R's mad() uses the same constant.
const madScale = 1.4826

// Summary describes one sample. Fields that do not exist for the sample are NaN: SD, Variance, SEM, CV and GeometricSD
// for N = 1, CV for a mean of 0, GeometricMean, GeometricSD and HarmonicMean unless every value is positive.
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
	MADRaw        float64 // median |x − Median|, unit of the values
	GeometricSD   float64 // exp of the sd of the logarithms, a factor >= 1
}

// Summarize computes location and spread of x in two passes.
//
// Formulas are the textbook ones with n−1 in the variance; it must agree with R's mean, sd, median and mad. Equal
// values give SD exactly 0, although their floating-point mean may differ from them (7 × 0.1). N = 1 is allowed and
// leaves the spread NaN. Errors: ErrEmpty, ErrNonFinite. x is not modified. O(n log n).
func Summarize(x []float64) (Summary, error) {
	if err := num.CheckFinite(x, 1); err != nil {
		return Summary{}, err
	}
	nan := math.NaN()
	s := num.Sorted(x)
	m, v := num.MeanVar(x)
	n := float64(len(x))
	out := Summary{N: len(x), Mean: m, Variance: v, SD: math.Sqrt(v), SEM: math.Sqrt(v / n), CV: nan,
		Median: num.QuantileSorted(s, .5), Min: s[0], Max: s[len(s)-1], GeometricMean: nan, HarmonicMean: nan, GeometricSD: nan}
	if m != 0 {
		out.CV = out.SD / math.Abs(m)
	}
	dev := make([]float64, len(x))
	for i, w := range x {
		dev[i] = math.Abs(w - out.Median)
	}
	slices.Sort(dev)
	out.MADRaw = num.QuantileSorted(dev, .5)
	out.MAD = madScale * out.MADRaw
	if l, err := num.Logs(x); err == nil {
		lm, lv := num.MeanVar(l)
		out.GeometricMean, out.GeometricSD = math.Exp(lm), math.Exp(math.Sqrt(lv))
		inv := 0.0
		for _, w := range x {
			inv += 1 / w
		}
		out.HarmonicMean = n / inv
	}
	return out, nil
}

// RelativeHalfWidth is half the width of Student's interval of the mean as a fraction of |Mean|: t(1−α/2, N−1)·SEM/|Mean|.
// It is what "known to within 2 %" means. NaN for N < 2, for a mean of 0 and for a level outside (0, 1).
func (s Summary) RelativeHalfWidth(level float64) float64 {
	if s.N < 2 || s.Mean == 0 || num.CheckUnit("level", level) != nil {
		return math.NaN()
	}
	return num.TQuantileUpper((1-level)/2, float64(s.N-1)) * s.SEM / math.Abs(s.Mean)
}

// Quantile returns the p-quantile of x by R's type 7 (Hyndman & Fan 1996, definition 7): linear interpolation at
// position (n−1)p of the order statistics. It must agree with R's quantile(x, p). x need not be sorted and is not
// modified. Errors: ErrEmpty, ErrNonFinite, ErrBadParam for p outside [0, 1].
func Quantile(x []float64, p float64) (float64, error) {
	if err := num.CheckFinite(x, 1); err != nil {
		return math.NaN(), err
	}
	if !(p >= 0 && p <= 1) {
		return math.NaN(), ErrBadParam
	}
	return num.QuantileSorted(num.Sorted(x), p), nil
}

package trend

import (
	"fmt"
	"math"
	"slices"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// TheilSenResult is the outcome of TheilSen.
type TheilSenResult struct {
	Slope     float64 // unit of y per unit of time
	Intercept float64
	Slopes    int               // pairs with different times
	CI        analysis.Interval // of the slope; ends NaN when the ties leave no variance
}

// TheilSen estimates the slope of y over time by the median of the slopes of all pairs (Theil 1950; Sen 1968).
//
// Intercept = median(y) − Slope·median(time). The interval is made of order statistics of the M slopes: those of rank
// (M ± z·σ)/2, σ² = (n(n−1)(2n+5) − Σ t(t−1)(2t+5))/18 with t over ties of the times and of the values, ranks rounded
// half to even. It must agree with scipy's theilslopes(y, time, alpha=level, method='separate') for level >= 0.5; scipy
// reads a smaller level as its complement, here it means itself. Up to 29 % of the values may be arbitrary before the
// slope breaks. Below 5 values the interval is the whole range of slopes and covers less than 95 %. Times need not be
// sorted or distinct. Shifting y moves only the intercept; scaling y scales all. Errors: ErrEmpty, ErrNonFinite,
// ErrLengthMismatch, ErrTooFew for n < 2, ErrBadParam when all times are equal or level is not in (0, 1). Inputs are
// not modified. O(n² log n) time, O(n²) memory.
func TheilSen(time, y []float64, level float64) (TheilSenResult, error) {
	if err := checkSeries(time, y, 2); err != nil {
		return TheilSenResult{}, fmt.Errorf("estimate slope: %w", err)
	}
	if err := num.CheckUnit("level", level); err != nil {
		return TheilSenResult{}, fmt.Errorf("estimate slope: %w", err)
	}
	var slopes []float64
	for i := range time {
		for j := range i {
			if d := time[i] - time[j]; d != 0 {
				slopes = append(slopes, (y[i]-y[j])/d)
			}
		}
	}
	if len(slopes) == 0 {
		return TheilSenResult{}, fmt.Errorf("estimate slope: all times are %v: %w", time[0], num.ErrBadParam)
	}
	slices.Sort(slopes)
	r := TheilSenResult{Slope: num.QuantileSorted(slopes, .5), Slopes: len(slopes)}
	r.Intercept = num.QuantileSorted(num.Sorted(y), .5) - r.Slope*num.QuantileSorted(num.Sorted(time), .5)
	r.CI = analysis.Interval{Level: level, Low: math.NaN(), High: math.NaN()}
	variance := float64(kendallTerm(len(y))-tieTerm(time)-tieTerm(y)) / 18
	if variance < 0 {
		return r, nil
	}
	m, h := float64(len(slopes)), num.NormalQuantileUpper((1-level)/2)*math.Sqrt(variance)
	low := max(int(math.RoundToEven((m-h)/2))-1, 0)
	high := min(int(math.RoundToEven((m+h)/2)), len(slopes)-1)
	r.CI.Low, r.CI.High = slopes[low], slopes[high]
	return r, nil
}

// checkSeries demands as many times as values, all finite, at least minN of them.
func checkSeries(time, y []float64, minN int) error {
	if len(time) != len(y) {
		return fmt.Errorf("%d times for %d values: %w", len(time), len(y), num.ErrLengthMismatch)
	}
	if err := num.CheckFinite(time, 0); err != nil {
		return fmt.Errorf("times: %w", err)
	}
	return num.CheckFinite(y, minN)
}

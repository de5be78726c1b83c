package nested

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// OptimalTrialsPerRestart returns how many trials to run in each restart so that a given time buys the narrowest interval
// of the mean: ⌈√(costRestart/costTrial · varWithin/varBetween)⌉, at least 1.
//
// It minimises (varBetween + varWithin/t)·(costRestart + t·costTrial) over t (Cochran 1977, ch. 10; Kalibera &
// Jones 2013 for more levels). costRestart is the cost of a restart without its trials, costTrial that of one trial, in the
// same unit; the variances are VarWithin and VarBetween of TwoLevel. For a restart of 30 s and trials of 10 s: sd 2 %
// between and 1 % within give 1 trial, 1 % and 1 % give 2, 0.5 % and 2 % give 7. A result within 1e-9 above a whole
// number counts as that number.
//
// Estimates from few restarts make it a guess. Without variance between restarts there is no finite optimum: the longer a
// restart is used the better.
//
// Errors: ErrBadParam for costs that are not positive and finite or a varWithin that is negative or not finite;
// ErrNonFinite for a varBetween that is not finite; ErrZeroVariance for varBetween <= 0.
func OptimalTrialsPerRestart(costRestart, costTrial, varWithin, varBetween float64) (int, error) {
	if err := checkPositive("cost of a restart", costRestart); err != nil {
		return 0, err
	}
	if err := checkPositive("cost of a trial", costTrial); err != nil {
		return 0, err
	}
	if !(varWithin >= 0) || math.IsInf(varWithin, 1) {
		return 0, fmt.Errorf("variance within restarts %v: %w", varWithin, num.ErrBadParam)
	}
	if err := num.CheckFinite([]float64{varBetween}, 1); err != nil {
		return 0, fmt.Errorf("variance between restarts: %w", err)
	}
	if varBetween <= 0 {
		return 0, fmt.Errorf("no variance between restarts: %w", num.ErrZeroVariance)
	}
	return wholeUp(math.Sqrt(costRestart / costTrial * varWithin / varBetween)), nil
}

// RestartsForHalfWidth returns the smallest number of restarts, at least 2, of trials trials each for which the expected
// interval of the mean is at most ±halfWidth: t((1+level)/2, a−1)·√((varBetween + varWithin/trials)/a) <= halfWidth.
//
// halfWidth has the unit of the data (on a logarithmic scale 0.01 is 1 %), the variances its square, as estimated by
// TwoLevel. The variances count as known: with estimated ones the interval found may be wider or narrower. R:
// qt((1+level)/2, a-1)*sqrt((vb+vw/trials)/a).
//
// Errors: ErrBadParam for a halfWidth that is not positive and finite, variances that are negative or not finite, trials < 1 or
// a level outside (0, 1); ErrOutOfRange above 2²⁰ restarts.
func RestartsForHalfWidth(halfWidth, varWithin, varBetween float64, trials int, level float64) (int, error) {
	if err := checkPositive("half-width", halfWidth); err != nil {
		return 0, err
	}
	if err := num.CheckUnit("level", level); err != nil {
		return 0, err
	}
	for _, v := range []float64{varWithin, varBetween} {
		if !(v >= 0) || math.IsInf(v, 1) {
			return 0, fmt.Errorf("variance %v: %w", v, num.ErrBadParam)
		}
	}
	if trials < 1 {
		return 0, fmt.Errorf("%d trials per restart: %w", trials, num.ErrBadParam)
	}
	const most = 1 << 20
	sd := math.Sqrt(varBetween + varWithin/float64(trials))
	enough := func(a int) bool {
		return num.TQuantileUpper((1-level)/2, float64(a-1))*sd <= halfWidth*math.Sqrt(float64(a))
	}
	low, high := 1, 2 // low is not enough, high is tried
	for ; !enough(high); high *= 2 {
		if low = high; low >= most {
			return 0, fmt.Errorf("more than %d restarts for ±%v: %w", most, halfWidth, num.ErrOutOfRange)
		}
	}
	for high-low > 1 {
		if mid := low + (high-low)/2; enough(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high, nil
}

package analysis

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// TTest is the outcome of a t test. Estimate and SE are on the scale tested: the unit of the data, or natural
// logarithms for the Log functions (exp(Estimate) is then the ratio x / y).
type TTest struct {
	N1, N2   int     // sizes of x and y; both the number of pairs when paired
	Estimate float64 // mean(x) − mean(y)
	SE       float64 // its standard error
	T, DF    float64 // Estimate/SE and the degrees of freedom
	P        float64 // two-sided
	PLess    float64 // alternative x < y
	PGreater float64 // alternative x > y
}

// Interval returns Estimate ± t·SE at level, on the scale tested. A level outside
// (0, 1), or a zero TTest, gives NaN ends.
func (t TTest) Interval(level float64) Interval {
	if num.CheckUnit("level", level) != nil || !(t.DF > 0) {
		return Interval{level, math.NaN(), math.NaN()}
	}
	h := num.TQuantileUpper((1-level)/2, t.DF) * t.SE
	return Interval{level, t.Estimate - h, t.Estimate + h}
}

// Ratio is exp(Estimate): the ratio x / y of geometric means after one of the Log functions, meaningless otherwise.
func (t TTest) Ratio() float64 { return math.Exp(t.Estimate) }

// RatioInterval is Interval carried from the ln scale to the ratio x / y, for the Log functions: exp of both ends. It is
// never negative, and turning x / y round into y / x turns it into its reciprocal.
func (t TTest) RatioInterval(level float64) Interval {
	ci := t.Interval(level)
	return Interval{level, math.Exp(ci.Low), math.Exp(ci.High)}
}

func newTTest(n1, n2 int, est, se, df float64) TTest {
	t := est / se
	return TTest{N1: n1, N2: n2, Estimate: est, SE: se, T: t, DF: df,
		P: min(1, 2*num.TSurvival(math.Abs(t), df)), PLess: num.TSurvival(-t, df), PGreater: num.TSurvival(t, df)}
}

// WelchT tests H0: equal means of two independent samples, variances free (Welch 1947).
//
// t = (x̄ − ȳ)/√(vx+vy), v = s²/n, df = (vx+vy)²/(vx²/(nx−1)+vy²/(ny−1)) (Satterthwaite 1946). It must agree with R's
// t.test(x, y) and scipy's ttest_ind(x, y, equal_var=False). Needs 2 values each; false positives at a nominal 5 % are
// 2.3 % at n = 2, 4.3 % at 5, 4.9 % at 10. One zero variance is fine, two give ErrZeroVariance even if the means
// differ. Wrong for blocked trials: it throws the blocking away. Errors: ErrEmpty, ErrNonFinite, ErrTooFew,
// ErrZeroVariance. Inputs are not modified.
func WelchT(x, y []float64) (TTest, error) { return welch(x, y, 0) }

func welch(x, y []float64, resolution float64) (TTest, error) {
	for _, s := range [][]float64{x, y} {
		if err := num.CheckFinite(s, 2); err != nil {
			return TTest{}, err
		}
	}
	mx, vx := num.MeanVar(x)
	my, vy := num.MeanVar(y)
	if vx == 0 && vy == 0 {
		if resolution <= 0 {
			return TTest{}, ErrZeroVariance
		}
		vx, vy = resolution*resolution, resolution*resolution
	}
	nx, ny := float64(len(x)), float64(len(y))
	a, b := vx/nx, vy/ny
	// Shares instead of the raw squares, so that tiny variances do not underflow.
	sa, sb := a/(a+b), b/(a+b)
	df := 1 / (sa*sa/(nx-1) + sb*sb/(ny-1))
	return newTTest(len(x), len(y), mx-my, math.Sqrt(a+b), df), nil
}

// LogWelchT is WelchT on natural logarithms: exp(Estimate) is the ratio of geometric means.
// Errors as WelchT, and ErrNonPositive.
func LogWelchT(x, y []float64) (TTest, error) { return logWelch(x, y, 0) }

// LogWelchTResolution is LogWelchT for measurements printed in steps of the fraction r: when both samples show no
// variation at all, each sd is taken to be r. With r = 0 it is LogWelchT. Negative or non-finite r: ErrBadParam.
func LogWelchTResolution(x, y []float64, r float64) (TTest, error) {
	if err := checkResolution(r); err != nil {
		return TTest{}, err
	}
	return logWelch(x, y, r)
}

func logWelch(x, y []float64, r float64) (TTest, error) {
	lx, err := num.Logs(x)
	if err != nil {
		return TTest{}, err
	}
	ly, err := num.Logs(y)
	if err != nil {
		return TTest{}, err
	}
	return welch(lx, ly, r)
}

// PairedT tests H0: the mean of the differences x[i] − y[i] is 0 (Student 1908).
//
// t = d̄/(s_d/√n), df = n−1; R's t.test(x, y, paired=TRUE). With randomised blocks it keeps 5 % false positives under
// drift and shocks shared by a block. Needs 2 pairs (df 1, t quantile 12.7). Equal differences: ErrZeroVariance.
// Other errors: ErrEmpty, ErrNonFinite, ErrTooFew, ErrLengthMismatch. Inputs are not modified.
func PairedT(x, y []float64) (TTest, error) { return paired(x, y, 0) }

func paired(x, y []float64, r float64) (TTest, error) {
	if len(x) != len(y) {
		return TTest{}, fmt.Errorf("%d and %d values: %w", len(x), len(y), ErrLengthMismatch)
	}
	for _, s := range [][]float64{x, y} {
		if err := num.CheckFinite(s, 2); err != nil {
			return TTest{}, err
		}
	}
	d := make([]float64, len(x))
	for i := range x {
		d[i] = x[i] - y[i]
	}
	m, v := num.MeanVar(d)
	sd := max(math.Sqrt(v), r)
	if sd == 0 {
		return TTest{}, ErrZeroVariance
	}
	n := float64(len(d))
	return newTTest(len(d), len(d), m, sd/math.Sqrt(n), n-1), nil
}

// LogPairedT is PairedT on natural logarithms: exp(Estimate) is the geometric mean of the block ratios.
// Errors as PairedT, and ErrNonPositive.
func LogPairedT(x, y []float64) (TTest, error) { return logPaired(x, y, 0) }

// LogPairedTResolution is LogPairedT for measurements known only to the fraction r: the sd of the log ratios is taken
// to be at least r, so equal readings never claim infinite precision. Negative or non-finite r: ErrBadParam.
func LogPairedTResolution(x, y []float64, r float64) (TTest, error) {
	if err := checkResolution(r); err != nil {
		return TTest{}, err
	}
	return logPaired(x, y, r)
}

func logPaired(x, y []float64, r float64) (TTest, error) {
	if len(x) != len(y) {
		return TTest{}, fmt.Errorf("%d and %d values: %w", len(x), len(y), ErrLengthMismatch)
	}
	lx, err := num.Logs(x)
	if err != nil {
		return TTest{}, err
	}
	ly, err := num.Logs(y)
	if err != nil {
		return TTest{}, err
	}
	return paired(lx, ly, r)
}

func checkResolution(r float64) error {
	if !(r >= 0) || math.IsInf(r, 0) {
		return fmt.Errorf("resolution %v: %w", r, ErrBadParam)
	}
	return nil
}

// PositionEffect compares the block differences of blocks run in order A-B with those run B-A by WelchT: a non-zero
// estimate means that running second costs (or gains) something. A finding only; it never changes the deciding test.
// Errors as WelchT.
func PositionEffect(dAB, dBA []float64) (TTest, error) { return WelchT(dAB, dBA) }

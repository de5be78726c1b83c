package num_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

func near(got, want, rel float64) bool {
	return got == want || math.Abs(got-want) <= rel*math.Abs(want)
}

// Both tails add up to one, and each quantile undoes its tail.
func TestTailsAndQuantiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		df, df2 := math.Exp(12*rng.Float64()-1), math.Exp(12*rng.Float64()-1)
		p := math.Exp(-30 * rng.Float64())
		for name, d := range map[string]struct{ cdf, survival, quantile, upper func(float64) float64 }{
			"normal": {num.NormalCDF, num.NormalSurvival, num.NormalQuantile, num.NormalQuantileUpper},
			"t": {func(x float64) float64 { return num.TCDF(x, df) }, func(x float64) float64 { return num.TSurvival(x, df) },
				func(p float64) float64 { return num.TQuantile(p, df) }, func(p float64) float64 { return num.TQuantileUpper(p, df) }},
			"chi2": {func(x float64) float64 { return num.ChiSquaredCDF(x, df) }, func(x float64) float64 { return num.ChiSquaredSurvival(x, df) },
				func(p float64) float64 { return num.ChiSquaredQuantile(p, df) }, func(p float64) float64 { return num.ChiSquaredQuantileUpper(p, df) }},
			"f": {func(x float64) float64 { return num.FCDF(x, df, df2) }, func(x float64) float64 { return num.FSurvival(x, df, df2) },
				func(p float64) float64 { return num.FQuantile(p, df, df2) }, func(p float64) float64 { return num.FQuantileUpper(p, df, df2) }},
		} {
			lo, hi := d.quantile(p), d.upper(p)
			if got := d.cdf(lo); !near(got, p, 1e-9) {
				t.Fatalf("%s df %v %v: P(X <= quantile(%v)) = %v", name, df, df2, p, got)
			}
			if got := d.survival(hi); !near(got, p, 1e-9) {
				t.Fatalf("%s df %v %v: P(X > quantile(%v)) = %v", name, df, df2, p, got)
			}
			if got := d.cdf(hi) + d.survival(hi); !near(got, 1, 1e-14) {
				t.Fatalf("%s: tails sum to %v", name, got)
			}
			if p < .5 && lo >= hi {
				t.Fatalf("%s: quantiles %v and %v are out of order", name, lo, hi)
			}
		}
		if x := num.BetaQuantile(p, df, df2); x > 0 && x < .5 {
			if got, _ := num.Beta(df, df2, x, 1-x); !near(got, p, 1e-9) {
				t.Fatalf("beta(%v, %v): %v, want %v", df, df2, got, p)
			}
		}
	}
}

// Known relations between the distributions.
func TestRelations(t *testing.T) {
	for _, x := range []float64{.01, .5, 1, 2.5, 7} {
		for _, df := range []float64{1, 2, 4.5, 30, 1e5} {
			if a, b := num.FSurvival(x*x, 1, df), 2*num.TSurvival(x, df); !near(a, b, 1e-12) {
				t.Errorf("F(1, %v) at %v: %v, t %v", df, x*x, a, b)
			}
			if a, b := num.FCDF(x, df, 3), num.FSurvival(1/x, 3, df); !near(a, b, 1e-12) {
				t.Errorf("F(%v, 3) at %v: %v, reciprocal %v", df, x, a, b)
			}
		}
		if a, b := num.ChiSquaredSurvival(x*x, 1), 2*num.NormalSurvival(x); !near(a, b, 1e-12) {
			t.Errorf("chi2 at %v: %v, normal %v", x*x, a, b)
		}
		if a, b := num.FSurvival(x, 3, math.Inf(1)), num.ChiSquaredSurvival(3*x, 3); a != b {
			t.Errorf("F with infinite df2 at %v: %v, chi2 %v", x, a, b)
		}
		if a := num.ChiSquaredSurvival(2*x, 2); !near(a, math.Exp(-x), 1e-13) {
			t.Errorf("chi2(2) at %v: %v", 2*x, a)
		}
		if a, b := num.TSurvival(x, math.Inf(1)), num.NormalSurvival(x); a != b {
			t.Errorf("t with infinite df at %v: %v, normal %v", x, a, b)
		}
		if a, want := num.TSurvival(x, 1), math.Atan2(1, x)/math.Pi; !near(a, want, 1e-13) {
			t.Errorf("Cauchy at %v: %v, want %v", x, a, want)
		}
	}
	// Far out the Cauchy tail is 1/(πt), also where t² is no float64.
	if a := num.TSurvival(1e200, 1); !near(a, 1e-200/math.Pi, 1e-12) {
		t.Errorf("Cauchy at 1e200: %v", a)
	}
	if q := num.TQuantileUpper(1e-200, 1); !near(q, 1e200/math.Pi, 1e-9) {
		t.Errorf("Cauchy quantile: %v", q)
	}
	if z := num.TQuantileUpper(.025, math.Inf(1)); z != num.NormalQuantileUpper(.025) {
		t.Error(z)
	}
}

func TestBinomial(t *testing.T) {
	choose := []float64{1, 7, 21, 35, 35, 21, 7, 1}
	const p = .3
	tail := 0.0
	for k := 7; k >= 0; k-- {
		w := choose[k] * math.Pow(p, float64(k)) * math.Pow(1-p, float64(7-k))
		tail += w
		if got := math.Exp(num.BinomialLog(k, 7, p, 1-p)); !near(got, w, 1e-13) {
			t.Errorf("P(X = %d) = %v, want %v", k, got, w)
		}
		if got := num.BinomialAtLeast(k, 7, p); !near(got, tail, 1e-13) {
			t.Errorf("P(X >= %d) = %v, want %v", k, got, tail)
		}
	}
	if num.BinomialAtLeast(8, 7, p) != 0 || num.BinomialAtLeast(-1, 7, p) != 1 || !math.IsNaN(num.BinomialAtLeast(1, 7, 2)) ||
		!math.IsInf(num.BinomialLog(8, 7, p, 1-p), -1) || num.BinomialLog(0, 0, p, 1-p) != 0 || num.BinomialLog(4, 4, 1, 0) != 0 {
		t.Error("ends of the range")
	}
}

func TestDistributionEdges(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, v := range map[string]float64{
		"TSurvival df 0": num.TSurvival(1, 0), "TSurvival NaN": num.TSurvival(nan, 3), "TQuantile p 2": num.TQuantile(2, 3),
		"TQuantileUpper p -1": num.TQuantileUpper(-1, 3), "ChiSquaredCDF NaN": num.ChiSquaredCDF(nan, 3),
		"ChiSquaredSurvival df -1": num.ChiSquaredSurvival(1, -1), "ChiSquaredQuantile p 2": num.ChiSquaredQuantile(2, 3),
		"FCDF df 0": num.FCDF(1, 0, 3), "FSurvival NaN": num.FSurvival(nan, 1, 3), "FQuantile p -1": num.FQuantile(-1, 2, 3),
		"FQuantile df NaN": num.FQuantile(.5, nan, 3), "BetaQuantile a 0": num.BetaQuantile(.5, 0, 3),
		"NormalQuantile p 2": num.NormalQuantile(2), "NormalQuantile NaN": num.NormalQuantile(nan), "NormalCDF NaN": num.NormalCDF(nan),
	} {
		if !math.IsNaN(v) {
			t.Errorf("%s: %v, want NaN", name, v)
		}
	}
	for name, c := range map[string][2]float64{
		"t at inf": {num.TSurvival(inf, 3), 0}, "t at -inf": {num.TSurvival(-inf, 3), 1}, "t at 0": {num.TSurvival(0, 3), .5},
		"chi2 at inf": {num.ChiSquaredSurvival(inf, 3), 0}, "chi2 at -1": {num.ChiSquaredCDF(-1, 3), 0},
		"F at inf": {num.FSurvival(inf, 3, 4), 0}, "F at 0": {num.FCDF(0, 3, 4), 0},
		"t quantile of 0": {num.TQuantile(0, 3), -inf}, "t quantile of 1": {num.TQuantile(1, 3), inf}, "t quantile of 0.5": {num.TQuantile(.5, 3), 0},
		"chi2 quantile of 0": {num.ChiSquaredQuantile(0, 3), 0}, "F quantile of 1": {num.FQuantile(1, 3, 4), inf},
		"normal quantile of 0": {num.NormalQuantile(0), -inf}, "normal quantile of 1": {num.NormalQuantile(1), inf},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %v, want %v", name, c[0], c[1])
		}
	}
	if lo, up := num.Beta(2, 3, .4, nan); !math.IsNaN(lo) || !math.IsNaN(up) {
		t.Error("beta of NaN")
	}
	if lo, up := num.Beta(2, 3, 1, 0); lo != 1 || up != 0 {
		t.Error("beta at 1")
	}
}

func TestMoments(t *testing.T) {
	for _, c := range []struct {
		x              []float64
		mean, variance float64
	}{
		{[]float64{.1, .1, .1, .1, .1, .1, .1}, .1, 0},
		{[]float64{1e9 + 1, 1e9 + 2, 1e9 + 3}, 1e9 + 2, 1},
		{[]float64{-1, 1}, 0, 2},
		{[]float64{5}, 5, math.NaN()},
	} {
		m, v := num.MeanVar(c.x)
		if m != c.mean || v != c.variance && !(math.IsNaN(v) && math.IsNaN(c.variance)) {
			t.Errorf("%v: %v %v", c.x, m, v)
		}
	}
	s := num.Sorted([]float64{3, 1, 2})
	if s[0] != 1 || num.QuantileSorted(s, .25) != 1.5 || num.QuantileSorted(s, 1) != 3 || num.QuantileSorted(s, 0) != 1 {
		t.Error(s)
	}
}

func TestChecks(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		x    []float64
		n    int
		want error
	}{{nil, 0, num.ErrEmpty}, {[]float64{1, nan}, 5, num.ErrNonFinite}, {[]float64{1}, 2, num.ErrTooFew}, {[]float64{1, 2}, 2, nil}} {
		if err := num.CheckFinite(c.x, c.n); !errors.Is(err, c.want) {
			t.Errorf("%v: %v, want %v", c.x, err, c.want)
		}
	}
	for _, v := range []float64{0, 1, nan, -3} {
		if err := num.CheckUnit("level", v); !errors.Is(err, num.ErrBadParam) {
			t.Errorf("%v: %v", v, err)
		}
	}
	if _, err := num.Logs([]float64{1, 0}); !errors.Is(err, num.ErrNonPositive) {
		t.Error(err)
	}
	if _, err := num.Logs(nil); !errors.Is(err, num.ErrEmpty) {
		t.Error(err)
	}
	if l, err := num.Logs([]float64{1, math.E}); err != nil || l[0] != 0 || l[1] != 1 {
		t.Error(l, err)
	}
}

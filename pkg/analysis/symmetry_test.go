package analysis_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

func normals(rng *rand.Rand, n int, mean, sd float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = mean + sd*rng.NormFloat64()
	}
	return out
}

func mapped(x []float64, f func(float64) float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = f(v)
	}
	return out
}

// must turns an error into a panic, for inputs that are known to be good.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestEffectSizeProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for range 100 {
		x, y := normals(rng, 2+rng.IntN(8), 100, 3), normals(rng, 2+rng.IntN(8), 101, 2)
		scale := func(v float64) float64 { return 5 - 3*v }
		for name, f := range map[string]func(x, y []float64) (float64, error){
			"CohensD": analysis.CohensD, "HedgesG": analysis.HedgesG, "HedgesGApprox": analysis.HedgesGApprox, "GlassDelta": analysis.GlassDelta,
		} {
			a := must(f(x, y))
			if b := must(f(mapped(x, scale), mapped(y, scale))); !near(b, -a, 1e-9) {
				t.Fatalf("%s depends on shift or scale: %v %v", name, a, b)
			}
			if b := must(f(y, x)); name != "GlassDelta" && !near(b, -a, 1e-12) {
				t.Fatalf("%s does not change sign: %v %v", name, a, b)
			}
		}
		d, g := must(analysis.CohensD(x, y)), must(analysis.HedgesG(x, y))
		if math.Abs(g) > math.Abs(d) {
			t.Fatalf("g %v is further out than d %v", g, d)
		}
		// d and the t of equal variances are the same thing.
		sd := must(analysis.PooledSD(x, y))
		sx, sy := must(analysis.Summarize(x)), must(analysis.Summarize(y))
		if !near(d*sd, sx.Mean-sy.Mean, 1e-9) {
			t.Fatalf("d %v times sd %v is not the difference", d, sd)
		}
	}
}

// TestHedgesCorrection holds R 4.2.2's exp(lgamma(m/2) - lgamma((m-1)/2)) / sqrt(m/2) and, at 1e6, the series
// 1 - 3/(4m) - 7/(32m^2).
func TestHedgesCorrection(t *testing.T) {
	for m, want := range map[float64]float64{2: 0.5641895835477563, 8: 0.9027033336764101, 1798: 0.9995828021775842, 1e6: 1 - .75e-6 - 7./32*1e-12} {
		if got := analysis.HedgesCorrection(m); !near(got, want, 1e-13) {
			t.Errorf("J(%v) = %v, want %v", m, got, want)
		}
	}
	// The two ways of computing it meet.
	if a, b := analysis.HedgesCorrection(40-1e-9), analysis.HedgesCorrection(40); !near(a, b, 1e-11) {
		t.Errorf("%v and %v at 40", a, b)
	}
	if !math.IsNaN(analysis.HedgesCorrection(1)) || !math.IsNaN(analysis.HedgesCorrection(math.NaN())) {
		t.Error("one degree of freedom has no correction")
	}
}

func TestFiellerProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for range 200 {
		x, y := normals(rng, 2+rng.IntN(8), 50, 4), normals(rng, 3+rng.IntN(8), 60, 5)
		f := must(analysis.RatioFieller(x, y, .95))
		if !f.Bounded {
			continue
		}
		// By definition: the t of mean(x) − q·mean(y) is the quantile at both ends.
		sx, sy := must(analysis.Summarize(x)), must(analysis.Summarize(y))
		for _, q := range []float64{f.CI.Low, f.CI.High} {
			z := analysis.TTest{DF: f.DF, SE: math.Sqrt(sx.SEM*sx.SEM + q*q*sy.SEM*sy.SEM)}
			if d := math.Abs(sx.Mean - q*sy.Mean); !near(d, z.Interval(.95).High, 1e-9) {
				t.Fatalf("end %v: difference %v, quantile %v", q, d, z.Interval(.95).High)
			}
		}
		if !(f.CI.Low < f.Ratio && f.Ratio < f.CI.High) {
			t.Fatalf("ratio outside: %+v", f)
		}
		back := must(analysis.RatioFieller(y, x, .95))
		if back.Bounded && f.CI.Low > 0 && (!near(back.CI.Low, 1/f.CI.High, 1e-9) || !near(back.CI.High, 1/f.CI.Low, 1e-9) || !near(back.DF, f.DF, 1e-9)) {
			t.Fatalf("swapped: %+v %+v", f, back)
		}
		neg := must(analysis.RatioFieller(mapped(x, func(v float64) float64 { return -2 * v }), y, .95))
		if !near(neg.CI.Low, -2*f.CI.High, 1e-9) || !near(neg.CI.High, -2*f.CI.Low, 1e-9) {
			t.Fatalf("scaled: %+v %+v", f, neg)
		}
		if wide := must(analysis.RatioFieller(x, y, .99)); wide.Bounded && (wide.CI.Low >= f.CI.Low || wide.CI.High <= f.CI.High) {
			t.Fatalf("does not widen: %+v %+v", f, wide)
		}
	}
}

func TestShapeProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	for range 100 {
		x := normals(rng, 4+rng.IntN(20), 10, 3)
		a := must(analysis.MeasureShape(x))
		b := must(analysis.MeasureShape(mapped(x, func(v float64) float64 { return 7 - 2*v })))
		if !near(b.Skewness, -a.Skewness, 1e-9) || !near(b.ExcessKurtosis, a.ExcessKurtosis, 1e-8) || !near(b.Bimodality, a.Bimodality, 1e-8) {
			t.Fatalf("%+v %+v", a, b)
		}
		n := float64(len(x))
		if math.Abs(a.G1) > (n-2)/math.Sqrt(n-1)+1e-9 {
			t.Fatalf("skewness beyond its bound: %+v", a)
		}
		tiny := must(analysis.MeasureShape(mapped(x, func(v float64) float64 { return v * 1e-120 })))
		if !near(tiny.G2, a.G2, 1e-6) {
			t.Fatalf("tiny values: %+v %+v", a, tiny)
		}
	}
}

func TestIntervalDuality(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 28))
	for range 300 {
		n := 2 + rng.IntN(8)
		x, y := normals(rng, n, 100, 2), normals(rng, n, 101, 2)
		for name, test := range map[string]func(x, y []float64) (analysis.TTest, error){"welch": analysis.LogWelchT, "paired": analysis.LogPairedT} {
			r, back := must(test(x, y)), must(test(y, x))
			ci, rev := r.RatioInterval(.95), back.RatioInterval(.95)
			if (r.P < .05) != (ci.Low > 1 || ci.High < 1) {
				t.Fatalf("%s: p %v, interval %+v", name, r.P, ci)
			}
			if !near(rev.Low, 1/ci.High, 1e-12) || !near(back.Ratio(), 1/r.Ratio(), 1e-12) || !near(back.PLess, r.PGreater, 1e-9) {
				t.Fatalf("%s: not symmetric", name)
			}
			checkEquivalence(t, r, back)
		}
	}
}

// checkEquivalence: p below alpha is the 1−2·alpha interval inside the bounds, and at alpha = p the interval touches one.
func checkEquivalence(t *testing.T, r, back analysis.TTest) {
	t.Helper()
	const margin = .02
	e, b := analysis.TOST(r, margin, .05), analysis.TOST(back, margin, .05)
	if inside := e.CI.Low > 1/(1+margin) && e.CI.High < 1+margin; inside != e.Equivalent {
		t.Fatalf("equivalence and interval disagree: %+v", e)
	}
	if !near(b.PLower, e.PUpper, 1e-9) || b.Equivalent != e.Equivalent {
		t.Fatalf("equivalence is not symmetric: %+v %+v", e, b)
	}
	if e.P < .5 {
		at := analysis.TOST(r, margin, e.P)
		if touch := min(math.Abs(at.CI.High/(1+margin)-1), math.Abs(at.CI.Low*(1+margin)-1)); touch > 1e-9 {
			t.Fatalf("at alpha = p the interval %+v misses the bounds by %v", at.CI, touch)
		}
	}
	if wide := analysis.TOST(r, 2*margin, .05); wide.P > e.P {
		t.Fatalf("a wider margin gives a larger p: %v %v", wide.P, e.P)
	}
	rel := analysis.TOSTRelative(r, margin, .05)
	own := analysis.TOSTBounds(r, math.Log1p(-margin), math.Log1p(margin), .05)
	if rel.P != own.P || rel.PUpper != e.PUpper || rel.PLower > e.PLower {
		t.Fatalf("relative bounds: %+v %+v", rel, own)
	}
	// One-sided non-inferiority: an infinite bound leaves the other test alone.
	if one := analysis.TOSTBounds(r, -e.HighLog, math.Inf(1), .05); one.P != e.PLower {
		t.Fatalf("one bound: %+v %+v", one, e)
	}
}

func TestOrderDoesNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 30))
	for range 50 {
		x := normals(rng, 6+rng.IntN(9), 100, 2)
		s, keep := slices.Clone(x), slices.Clone(x)
		rng.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
		a, b := must(analysis.Summarize(x)), must(analysis.Summarize(s))
		if !near(a.Mean, b.Mean, 1e-13) || !near(a.SD, b.SD, 1e-12) || a.Median != b.Median || a.MADRaw != b.MADRaw || !near(a.GeometricSD, b.GeometricSD, 1e-12) {
			t.Fatalf("%+v %+v", a, b)
		}
		if p, q := must(analysis.MedianInterval(x, .9)), must(analysis.MedianInterval(s, .9)); p != q {
			t.Fatalf("%+v %+v", p, q)
		}
		if p, q := must(analysis.HartiganDip(x)), must(analysis.HartiganDip(s)); p != q {
			t.Fatalf("%+v %+v", p, q)
		}
		if !slices.Equal(x, keep) {
			t.Fatal("input modified")
		}
	}
}

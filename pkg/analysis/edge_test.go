package analysis_test

import (
	"errors"
	"math"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

// oneSample and twoSample are the functions of one and of two samples, reduced to their errors.
func oneSample() map[string]func(x []float64) error {
	return map[string]func(x []float64) error{
		"Summarize":          func(x []float64) error { _, err := analysis.Summarize(x); return err },
		"MeasureShape":       func(x []float64) error { _, err := analysis.MeasureShape(x); return err },
		"Quantile":           func(x []float64) error { _, err := analysis.Quantile(x, .5); return err },
		"TInterval":          func(x []float64) error { _, err := analysis.TInterval(x, .95); return err },
		"GeometricTInterval": func(x []float64) error { _, err := analysis.GeometricTInterval(x, .95); return err },
		"MedianInterval":     func(x []float64) error { _, err := analysis.MedianInterval(x, .95); return err },
		"BestSplit":          func(x []float64) error { _, err := analysis.BestSplit(x, 2); return err },
		"HartiganDip":        func(x []float64) error { _, err := analysis.HartiganDip(x); return err },
		"Tiers":              func(x []float64) error { _, err := analysis.Tiers(x, .01); return err },
	}
}

func twoSample() map[string]func(x, y []float64) error {
	return map[string]func(x, y []float64) error{
		"WelchT":        func(x, y []float64) error { _, err := analysis.WelchT(x, y); return err },
		"LogWelchT":     func(x, y []float64) error { _, err := analysis.LogWelchT(x, y); return err },
		"PairedT":       func(x, y []float64) error { _, err := analysis.PairedT(x, y); return err },
		"LogPairedT":    func(x, y []float64) error { _, err := analysis.LogPairedT(x, y); return err },
		"PooledSD":      func(x, y []float64) error { _, err := analysis.PooledSD(x, y); return err },
		"CohensD":       func(x, y []float64) error { _, err := analysis.CohensD(x, y); return err },
		"HedgesG":       func(x, y []float64) error { _, err := analysis.HedgesG(x, y); return err },
		"HedgesGApprox": func(x, y []float64) error { _, err := analysis.HedgesGApprox(x, y); return err },
		"GlassDelta":    func(x, y []float64) error { _, err := analysis.GlassDelta(x, y); return err },
		"RatioFieller":  func(x, y []float64) error { _, err := analysis.RatioFieller(x, y, .95); return err },
		"MeanRate":      func(x, y []float64) error { _, err := analysis.MeanRate(x, y); return err },
		"TotalRate":     func(x, y []float64) error { _, err := analysis.TotalRate(x, y); return err },
		"PositionEffect": func(x, y []float64) error {
			_, err := analysis.PositionEffect(x, y)
			return err
		},
	}
}

func TestEdgesOneSample(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	few, positive, constant := analysis.ErrTooFew, analysis.ErrNonPositive, analysis.ErrZeroVariance
	for _, c := range []struct {
		x    []float64
		want map[string]error // others: nil
		all  error            // or all of them
	}{
		{x: nil, all: analysis.ErrEmpty},
		{x: []float64{}, all: analysis.ErrEmpty},
		{x: []float64{1, 2, nan, 4, 5, 6, 7}, all: analysis.ErrNonFinite},
		{x: []float64{1, 2, -inf, 4, 5, 6, 7}, all: analysis.ErrNonFinite},
		{x: []float64{nan}, all: analysis.ErrNonFinite},
		{x: []float64{1}, want: map[string]error{"TInterval": few, "GeometricTInterval": few, "MedianInterval": few, "BestSplit": few}},
		{x: []float64{1, 2}, want: map[string]error{"MedianInterval": few, "BestSplit": few}},
		{x: []float64{1, 2, 3}, want: map[string]error{"MedianInterval": few, "BestSplit": few}},
		{x: []float64{3, 3, 3, 3, 3, 3}, want: map[string]error{"BestSplit": constant}},
		{x: []float64{1, 2, 3, 4, 5, -6}, want: map[string]error{"GeometricTInterval": positive, "Tiers": positive}},
		{x: []float64{1, 2, 3, 4, 5, 0}, want: map[string]error{"GeometricTInterval": positive, "Tiers": positive}},
		{x: []float64{1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4, 1e9 + 5, 1e9 + 6}},
		{x: []float64{1e-300, 2e-300, 3e-300, 4e-300, 5e-300, 6e-300}},
	} {
		for name, f := range oneSample() {
			want := c.all
			if want == nil {
				want = c.want[name]
			}
			if err := f(c.x); !errors.Is(err, want) {
				t.Errorf("%s(%v): %v, want %v", name, c.x, err, want)
			}
		}
	}
}

func TestEdgesTwoSamples(t *testing.T) {
	good := []float64{1, 2, 3, 4}
	for name, f := range twoSample() {
		rate := name == "MeanRate" || name == "TotalRate"
		paired := rate || name == "PairedT" || name == "LogPairedT"
		for _, c := range []struct {
			x, y []float64
			want error
			skip bool
		}{
			{x: nil, y: nil, want: analysis.ErrEmpty},
			{x: good, y: []float64{1, 2, math.NaN(), 4}, want: analysis.ErrNonFinite},
			{x: []float64{1, 2, math.Inf(-1), 4}, y: good, want: analysis.ErrNonFinite},
			{x: nil, y: good, want: analysis.ErrEmpty, skip: paired},
			{x: []float64{1}, y: []float64{2}, want: analysis.ErrTooFew, skip: rate},
			{x: []float64{2, 2, 2}, y: []float64{1, 1, 1}, want: analysis.ErrZeroVariance, skip: rate || name == "PooledSD"},
			{x: good, y: good[:3], want: analysis.ErrLengthMismatch, skip: !paired},
			{x: good, y: []float64{2, 1, 4, 4}},
		} {
			if c.skip {
				continue
			}
			if err := f(c.x, c.y); !errors.Is(err, c.want) {
				t.Errorf("%s(%v, %v): %v, want %v", name, c.x, c.y, err, c.want)
			}
		}
	}
	for name, f := range map[string]func(x, y []float64) error{"LogWelchT": twoSample()["LogWelchT"], "LogPairedT": twoSample()["LogPairedT"]} {
		for _, bad := range [][2][]float64{{good, {1, 0, 3, 4}}, {{1, -1, 3, 4}, good}} {
			if err := f(bad[0], bad[1]); !errors.Is(err, analysis.ErrNonPositive) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestBadParameters(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6}
	bad := func(name string, err error) {
		t.Helper()
		if !errors.Is(err, analysis.ErrBadParam) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, level := range []float64{0, 1, -1, 2, math.NaN()} {
		_, err := analysis.TInterval(x, level)
		bad("TInterval", err)
		_, err = analysis.MedianInterval(x, level)
		bad("MedianInterval", err)
		_, err = analysis.RatioFieller(x, x, level)
		bad("RatioFieller", err)
		_, err = analysis.ClopperPearson(1, 2, level)
		bad("ClopperPearson", err)
		r := must(analysis.WelchT(x, []float64{1, 3, 2}))
		if ci := r.Interval(level); !math.IsNaN(ci.Low) || !math.IsNaN(ci.High) {
			t.Errorf("level %v gives %+v", level, ci)
		}
		if s := must(analysis.Summarize(x)); !math.IsNaN(s.RelativeHalfWidth(level)) {
			t.Errorf("level %v has a half width", level)
		}
	}
	_, err := analysis.Quantile(x, 1.1)
	bad("Quantile", err)
	_, err = analysis.Quantile(x, math.NaN())
	bad("Quantile", err)
	_, err = analysis.BestSplit(x, 3)
	bad("BestSplit", err)
	_, err = analysis.Tiers(x, -1)
	bad("Tiers", err)
	_, err = analysis.Tiers(x, math.NaN())
	bad("Tiers", err)
	for _, k := range [][2]int{{-1, 2}, {3, 2}, {0, 0}} {
		_, err = analysis.ClopperPearson(k[0], k[1], .95)
		bad("ClopperPearson", err)
	}
	for _, r := range []float64{-1, math.NaN(), math.Inf(1)} {
		_, err = analysis.LogWelchTResolution(x, x, r)
		bad("LogWelchTResolution", err)
		_, err = analysis.LogPairedTResolution(x, x, r)
		bad("LogPairedTResolution", err)
	}
}

// A test that says nothing decides nothing.
func TestUndefinedEquivalence(t *testing.T) {
	r := must(analysis.LogWelchT([]float64{1, 2, 3}, []float64{2, 3, 4}))
	for name, e := range map[string]analysis.Equivalence{
		"margin 0":            analysis.TOST(r, 0, .05),
		"margin NaN":          analysis.TOST(r, math.NaN(), .05),
		"alpha 0.5":           analysis.TOST(r, .1, .5),
		"alpha 0":             analysis.TOST(r, .1, 0),
		"no test":             analysis.TOST(analysis.TTest{}, .1, .05),
		"relative margin 1":   analysis.TOSTRelative(r, 1, .05),
		"bounds out of order": analysis.TOSTBounds(r, .1, -.1, .05),
	} {
		if e.Equivalent || !math.IsNaN(e.P) || !math.IsNaN(e.CI.Low) || !math.IsNaN(e.TLower) {
			t.Errorf("%s: %+v", name, e)
		}
	}
	for name, d := range map[string]analysis.Decision{
		"alpha 0": analysis.Decide(r, .01, 0, 1, analysis.HigherIsBetter), "no test": analysis.Decide(analysis.TTest{}, .01, .05, 3, analysis.LowerIsBetter),
	} {
		if d.Verdict != analysis.Inconclusive || !math.IsNaN(d.Ratio) || d.Significant {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

func TestDecideDirections(t *testing.T) {
	fast := must(analysis.LogPairedT([]float64{110, 111, 112, 110}, []float64{100, 100, 101, 101}))
	slow := must(analysis.LogPairedT([]float64{100, 100, 101, 101}, []float64{110, 111, 112, 110}))
	for _, c := range []struct {
		test   analysis.TTest
		better analysis.Better
		margin float64
		want   analysis.Verdict
		dir    analysis.Direction
	}{
		{fast, analysis.HigherIsBetter, .01, analysis.Faster, analysis.DirectionFaster},
		{fast, analysis.LowerIsBetter, .01, analysis.Slower, analysis.DirectionSlower},
		{slow, analysis.HigherIsBetter, .01, analysis.Slower, analysis.DirectionSlower},
		{slow, analysis.LowerIsBetter, .01, analysis.Faster, analysis.DirectionFaster},
		{fast, analysis.HigherIsBetter, .5, analysis.Equivalent, analysis.DirectionFaster}, // detectable, but too small to matter
	} {
		d := analysis.Decide(c.test, c.margin, .05, 1, c.better)
		if d.Verdict != c.want || d.Direction != c.dir {
			t.Errorf("%+v: %s %s", c, d.Verdict, d.Direction)
		}
	}
	if d := analysis.Decide(fast, .01, .05, 5, analysis.HigherIsBetter); d.Alpha != .01 || d.CI.Level != .99 || d.Equivalence.CI.Level != .98 {
		t.Errorf("family of 5: %+v", d)
	}
}

func TestMeanRate(t *testing.T) {
	r := must(analysis.MeanRate([]float64{100, 300, 200}, []float64{1, 2, 4}))
	if !near(r.Arithmetic, 100, 1e-14) || !near(r.Total, 600./7, 1e-14) || !near(r.Geometric, math.Cbrt(100*150*50), 1e-14) {
		t.Errorf("%+v", r)
	}
	// Equal counts: the total rate is the harmonic mean; equal lengths: the arithmetic one.
	lighttpd := []float64{5596.50, 7611.98, 7690.85, 7600.03, 5515.75}
	s := must(analysis.Summarize(lighttpd))
	count := mapped(lighttpd, func(float64) float64 { return 1000 })
	length := mapped(lighttpd, func(v float64) float64 { return 1000 / v })
	if total := must(analysis.TotalRate(count, length)); !near(total, s.HarmonicMean, 1e-13) || math.Abs(total-6640.49) > .005 {
		t.Errorf("equal counts: %v", total)
	}
	if total := must(analysis.TotalRate(lighttpd, []float64{1, 1, 1, 1, 1})); !near(total, s.Mean, 1e-13) {
		t.Errorf("equal lengths: %v", total)
	}
	if r := must(analysis.MeanRate([]float64{0, 4}, []float64{1, 1})); r.Total != 2 || !math.IsNaN(r.Geometric) {
		t.Errorf("a trial without requests: %+v", r)
	}
	for _, c := range []struct {
		count, length []float64
		want          error
	}{{[]float64{1}, []float64{0}, analysis.ErrNonPositive}, {[]float64{1}, []float64{-1}, analysis.ErrNonPositive}, {[]float64{-1}, []float64{1}, analysis.ErrBadParam}} {
		if v, err := analysis.TotalRate(c.count, c.length); !errors.Is(err, c.want) || !math.IsNaN(v) {
			t.Errorf("%v: %v %v", c, v, err)
		}
	}
}

func TestFiellerEdges(t *testing.T) {
	if _, err := analysis.RatioFieller([]float64{1, 2}, []float64{-1, 1}, .95); !errors.Is(err, analysis.ErrZeroDenominator) {
		t.Error(err)
	}
	f := must(analysis.RatioFieller([]float64{1, 2, 3}, []float64{-9, 1, 11}, .95))
	if f.Bounded || f.G < 1 || !math.IsNaN(f.CI.Low) || !math.IsNaN(f.CI.High) || f.Ratio != 2 {
		t.Errorf("unbounded: %+v", f)
	}
	f = must(analysis.RatioFieller([]float64{-1, 0, 1}, []float64{9, 10, 11}, .95))
	if !f.Bounded || f.Ratio != 0 || !near(f.CI.Low, -f.CI.High, 1e-12) {
		t.Errorf("ratio 0: %+v", f)
	}
	if f = must(analysis.RatioFieller([]float64{3, 3}, []float64{2, 2.1}, .5)); !f.Bounded || f.DF != 1 {
		t.Errorf("constant candidate: %+v", f)
	}
	if f, err := analysis.RatioFieller([]float64{1e100, 2e100}, []float64{3e100, 3.1e100}, .5); err != nil || !f.Bounded || math.IsNaN(f.CI.Low) {
		t.Errorf("huge: %+v %v", f, err)
	}
}

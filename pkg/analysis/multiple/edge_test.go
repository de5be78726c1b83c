package multiple

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

func TestAdjustEdges(t *testing.T) {
	nan := math.NaN()
	for _, m := range methods {
		for _, c := range []struct {
			p    []float64
			want error
		}{
			{[]float64{.1, nan}, analysis.ErrNonFinite}, {[]float64{math.Inf(1)}, analysis.ErrNonFinite},
			{[]float64{-1e-9}, analysis.ErrBadParam}, {[]float64{.5, 1.0001}, analysis.ErrBadParam},
		} {
			if _, err := Adjust(c.p, m); !errors.Is(err, c.want) {
				t.Errorf("%s %v: %v", m, c.p, err)
			}
		}
		if got, err := Adjust(nil, m); err != nil || got == nil || len(got) != 0 {
			t.Errorf("%s of nothing: %v, %v", m, got, err)
		}
		if got, err := Adjust([]float64{.25}, m); err != nil || got[0] != .25 {
			t.Errorf("%s of one: %v, %v", m, got, err)
		}
		if got, err := Adjust([]float64{0, 1}, m); err != nil || got[0] != 0 || got[1] != 1 {
			t.Errorf("%s of 0 and 1: %v, %v", m, got, err)
		}
	}
	if _, err := Adjust([]float64{.1}, "sidak"); !errors.Is(err, analysis.ErrBadParam) {
		t.Errorf("unknown method: %v", err)
	}
}

func TestSimultaneous(t *testing.T) {
	if l, err := Simultaneous(.05, 1); err != nil || !near(l.Difference, .95, 1e-15) || !near(l.Equivalence, .9, 1e-15) {
		t.Errorf("%+v, %v", l, err)
	}
	for _, c := range []struct {
		alpha float64
		m     int
	}{{.05, 0}, {0, 1}, {.5, 1}, {math.NaN(), 2}} {
		if _, err := Simultaneous(c.alpha, c.m); !errors.Is(err, analysis.ErrBadParam) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestGroupEdges(t *testing.T) {
	nan := math.NaN()
	anova := func(g [][]float64) error { _, err := OneWayANOVA(g); return err }
	welch := func(g [][]float64) error { _, err := WelchANOVA(g); return err }
	howell := func(g [][]float64) error { _, err := GamesHowell(g, .95); return err }
	tukey := func(g [][]float64) error { _, err := TukeyHSD(g, .95); return err }
	type try struct {
		name string
		f    func([][]float64) error
	}
	all := []try{{"anova", anova}, {"welch", welch}, {"games-howell", howell}, {"tukey", tukey}}
	check := func(what string, g [][]float64, want error, fs ...try) {
		t.Helper()
		for _, f := range fs {
			if err := f.f(g); want == nil && err != nil || !errors.Is(err, want) {
				t.Errorf("%s of %s: %v, want %v", f.name, what, err, want)
			}
		}
	}
	check("nothing", nil, analysis.ErrEmpty, all...)
	check("an empty group", [][]float64{{1, 2}, {}}, analysis.ErrEmpty, all...)
	check("one group", [][]float64{{1, 2}}, analysis.ErrBadParam, all...)
	check("NaN", [][]float64{{1, 2}, {1, nan}}, analysis.ErrNonFinite, all...)
	check("infinity", [][]float64{{1, 2}, {1, math.Inf(-1)}}, analysis.ErrNonFinite, all...)
	check("one value in each", [][]float64{{1}, {2}}, analysis.ErrTooFew, all...)
	check("one single value", [][]float64{{1}, {2, 3}}, nil, all[0], all[3])
	check("one single value", [][]float64{{1}, {2, 3}}, analysis.ErrTooFew, all[1], all[2])
	check("constants", [][]float64{{.1, .1, .1}, {.3, .3, .3}}, analysis.ErrZeroVariance, all...)
	check("one constant", [][]float64{{1, 1}, {2, 3}, {2, 4}}, nil, all[0], all[2], all[3])
	check("one constant", [][]float64{{1, 1}, {2, 3}, {2, 4}}, analysis.ErrZeroVariance, all[1])
	for _, level := range []float64{0, 1, nan} {
		if _, err := GamesHowell([][]float64{{1, 2}, {2, 4}}, level); !errors.Is(err, analysis.ErrBadParam) {
			t.Errorf("level %v: %v", level, err)
		}
		if _, err := TukeyHSD([][]float64{{1, 2}, {2, 4}}, level); !errors.Is(err, analysis.ErrBadParam) {
			t.Errorf("level %v: %v", level, err)
		}
	}
	a, err := OneWayANOVA([][]float64{{1, 1}, {3, 3}})
	if !errors.Is(err, analysis.ErrZeroVariance) || a.SSBetween != 4 || a.RSquared != 1 || !math.IsNaN(a.F) {
		t.Errorf("constants: %+v, %v", a, err)
	}
}

func TestSeparated(t *testing.T) {
	score := []float64{100, 103, 90, 101}
	pairs := func(p01, p02, p03, p12, p13, p23 float64) []Comparison {
		return []Comparison{{1, 0, p01}, {0, 2, p02}, {3, 0, p03}, {1, 2, p12}, {1, 3, p13}, {3, 2, p23}}
	}
	for _, c := range []struct {
		name      string
		family    []Comparison
		separated bool
		set       []int
	}{
		{"all apart", pairs(.001, .001, .001, .001, .001, .001), true, []int{1}},
		{"runner-up close", pairs(.001, .001, .001, .001, .2, .001), false, []int{1, 3}},
		{"only the last behind", pairs(.2, .001, .2, .001, .2, .001), false, []int{1, 3, 0}},
		{"nothing apart", pairs(.2, .2, .2, .2, .2, .2), false, []int{1, 3, 0, 2}},
		{"raw but not adjusted", pairs(.04, .04, .04, .04, .04, .04), false, []int{1, 3, 0, 2}},
		{"baseline 0 beaten by two", []Comparison{{1, 0, .001}, {0, 2, .001}, {3, 0, .001}}, false, []int{1, 3}},
		{"best score beaten", []Comparison{{0, 1, .001}, {1, 2, .001}, {1, 3, .001}}, false, []int{1, 3, 0, 2}},
		{"no comparison", nil, false, []int{1, 3, 0, 2}},
	} {
		s, err := Separated(score, c.family, .05)
		if err != nil || s.Separated != c.separated || !slices.Equal(s.Set, c.set) || s.Best != 1 || s.RunnerUp != 3 {
			t.Errorf("%s: %+v, %v", c.name, s, err)
		}
	}
	for _, c := range []struct {
		score  []float64
		family []Comparison
		alpha  float64
		want   error
	}{
		{nil, nil, .05, analysis.ErrEmpty}, {[]float64{1}, nil, .05, analysis.ErrTooFew},
		{[]float64{1, math.NaN()}, nil, .05, analysis.ErrNonFinite}, {score, nil, 0, analysis.ErrBadParam},
		{score, []Comparison{{1, 1, .1}}, .05, analysis.ErrBadParam}, {score, []Comparison{{4, 1, .1}}, .05, analysis.ErrBadParam},
		{score, []Comparison{{0, -1, .1}}, .05, analysis.ErrBadParam}, {score, []Comparison{{0, 1, 2}}, .05, analysis.ErrBadParam},
		{score, []Comparison{{0, 1, math.NaN()}}, .05, analysis.ErrNonFinite},
	} {
		if _, err := Separated(c.score, c.family, c.alpha); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Among equal targets in blocks, "fastest" may be claimed in at most alpha of the experiments.
func TestSeparatedHoldsItsLevel(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	rng := rand.New(rand.NewPCG(11, 12))
	const runs, k = 2000, 4
	claimed, beaten := 0, 0
	for range runs {
		x := make([][]float64, k)
		for range 10 {
			block := rng.NormFloat64()
			for i := range x {
				x[i] = append(x[i], 1000*math.Exp(.02*block+.01*rng.NormFloat64()))
			}
		}
		var family []Comparison
		score := make([]float64, k)
		for i := range x {
			s, _ := analysis.Summarize(x[i])
			score[i] = s.Mean
			for j := range i {
				tt, err := analysis.LogPairedT(x[i], x[j])
				if err != nil {
					t.Fatal(err)
				}
				c := Comparison{i, j, tt.P}
				if tt.Estimate < 0 {
					c.Better, c.Worse = j, i
				}
				family = append(family, c)
			}
		}
		s, err := Separated(score, family, .05)
		if err != nil {
			t.Fatal(err)
		}
		if s.Separated {
			claimed++
		}
		if len(s.Set) < k {
			beaten++
		}
	}
	limit := .05 + 4*math.Sqrt(.05*.95/runs)
	if got := float64(beaten) / runs; got > limit || float64(claimed)/runs > limit {
		t.Errorf("false claims in %.3f of experiments, any false rejection in %.3f", float64(claimed)/runs, got)
	}
}

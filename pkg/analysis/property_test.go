package analysis

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func normals(rng *rand.Rand, n int, mean, sd float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = mean + sd*rng.NormFloat64()
	}
	return out
}

func TestSymmetryAndInvariance(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		x, y := normals(rng, 4+rng.IntN(6), 100, 3), normals(rng, 3+rng.IntN(6), 101, 2)
		keep := slices.Clone(x)
		a, _ := LogWelchT(x, y)
		b, _ := LogWelchT(y, x)
		if a.P != b.P || a.Estimate != -b.Estimate || a.PLess != b.PGreater {
			t.Fatal("Welch is not symmetric")
		}
		if w, n := a.Interval(.99), a.Interval(.9); w.Low >= n.Low || w.High <= n.High {
			t.Fatal("intervals do not widen with the level")
		}
		moved := make([]float64, len(x))
		for i := range x {
			moved[len(x)-1-i] = 7 + 3*x[i]
		}
		s, _ := BestSplit(x, 2)
		m, _ := BestSplit(moved, 2)
		if math.Abs(s.R2-m.R2) > 1e-9 || math.Abs(s.P-m.P) > 1e-6 {
			t.Fatal("split depends on order, shift or scale")
		}
		_, _ = Tiers(x, .01)
		_, _ = HartiganDip(x)
		_, _ = Summarize(x)
		if !slices.Equal(x, keep) {
			t.Fatal("input modified")
		}
	}
}

func TestEdges(t *testing.T) {
	if s, err := Summarize([]float64{.1, .1, .1, .1, .1, .1, .1}); err != nil || s.SD != 0 || s.Mean != .1 {
		t.Errorf("7 x 0.1: %+v %v", s, err)
	}
	if s, _ := Summarize([]float64{5}); !math.IsNaN(s.SD) || s.Median != 5 {
		t.Errorf("one value: %+v", s)
	}
	if s, _ := Summarize([]float64{1e9 + 1, 1e9 + 2, 1e9 + 3}); s.SD != 1 {
		t.Errorf("offset: %+v", s)
	}
	for _, c := range []struct {
		x    []float64
		want error
	}{{nil, ErrEmpty}, {[]float64{1, 2, math.NaN(), 4}, ErrNonFinite}, {[]float64{1, 2, math.Inf(1), 4}, ErrNonFinite},
		{[]float64{1, 2, 3}, ErrTooFew}, {[]float64{1, 1, 1, 1}, ErrZeroVariance}} {
		if _, err := BestSplit(c.x, 2); !errors.Is(err, c.want) {
			t.Errorf("%v: %v, want %v", c.x, err, c.want)
		}
	}
	if r, err := Tiers([]float64{1, 2, 3}, .01); err != nil || r.Status != TiersUntestable {
		t.Errorf("%+v %v", r, err)
	}
	if r, err := LogPairedTResolution([]float64{2, 2}, []float64{1, 1}, .001); err != nil || r.SE == 0 {
		t.Errorf("%+v %v", r, err)
	}
	if d := Decide(TTest{}, .01, .05, 1, HigherIsBetter); d.Verdict != Inconclusive || !math.IsNaN(d.Ratio) {
		t.Errorf("%+v", d)
	}
	if ci, err := ClopperPearson(2, 5, .95); err != nil || math.Abs(ci.Low-.0527) > .0001 || math.Abs(ci.High-.8534) > .0001 {
		t.Errorf("%+v %v", ci, err)
	}
}

func TestFalseClaims(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	const runs = 4000
	rng := rand.New(rand.NewPCG(3, 4))
	limit := .05 + 3*math.Sqrt(.05*.95/runs)
	for _, n := range []int{5, 10, 20} {
		for _, truth := range []float64{0, math.Log1p(.02)} {
			bad := 0
			for range runs {
				d := normals(rng, n, truth, .02)
				x, y := make([]float64, n), make([]float64, n)
				for i := range d {
					x[i], y[i] = math.Exp(d[i]), 1
				}
				r, _ := LogPairedT(x, y)
				v := Decide(r, .02, .05, 1, HigherIsBetter).Verdict
				if truth == 0 && (v == Faster || v == Slower) || truth > 0 && (v == Equivalent || v == Slower) {
					bad++
				}
			}
			if share := float64(bad) / runs; share > limit {
				t.Errorf("n=%d truth=%v: %v false claims", n, truth, share)
			}
		}
	}
}

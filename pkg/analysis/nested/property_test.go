package nested

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

// sample draws restarts with standard deviation between, of trials with standard deviation within.
func sample(rng *rand.Rand, sizes []int, mean, between, within float64) [][]float64 {
	out := make([][]float64, len(sizes))
	for i, n := range sizes {
		m := mean + between*rng.NormFloat64()
		for range n {
			out[i] = append(out[i], m+within*rng.NormFloat64())
		}
	}
	return out
}

func near(a, b, rel float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= rel*max(math.Abs(a), math.Abs(b))
}

func mapped(groups [][]float64, f func(float64) float64) [][]float64 {
	out := make([][]float64, len(groups))
	for i, g := range groups {
		for _, v := range g {
			out[i] = append(out[i], f(v))
		}
	}
	return out
}

func TestTwoLevelInvariance(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		sizes := make([]int, 2+rng.IntN(5))
		for i := range sizes {
			sizes[i] = 1 + rng.IntN(5)
		}
		sizes[0]++
		x := sample(rng, sizes, 100, 2, 1)
		keep := mapped(x, func(v float64) float64 { return v })
		a, err := TwoLevel(x)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := TwoLevel(mapped(x, func(v float64) float64 { return 7 - 3*v }))
		if !near(b.GrandMean, 7-3*a.GrandMean, 1e-12) || !near(b.SE, 3*a.SE, 1e-11) || !near(b.F, a.F, 1e-9) ||
			!near(b.VarBetweenRaw, 9*a.VarBetweenRaw, 1e-8) || !near(b.DesignEffect, a.DesignEffect, 1e-9) {
			t.Fatalf("not equivariant: %+v, %+v", a, b)
		}
		c, _ := TwoLevel(mapped(x, func(v float64) float64 { return v + 1e9 }))
		if !near(c.SE, a.SE, 1e-5) || !near(c.MSWithin, a.MSWithin, 1e-5) {
			t.Fatalf("an offset of 1e9 eats the digits: %+v, %+v", a, c)
		}
		turned := slices.Clone(x)
		slices.Reverse(turned)
		for i := range turned {
			turned[i] = slices.Clone(turned[i])
			slices.Reverse(turned[i])
		}
		if d, _ := TwoLevel(turned); !near(d.SE, a.SE, 1e-11) || !near(d.MSWithin, a.MSWithin, 1e-11) {
			t.Fatal("depends on the order of restarts or trials")
		}
		for i := range x {
			if !slices.Equal(x[i], keep[i]) {
				t.Fatal("input modified")
			}
		}
		if w, n := a.Interval(.99), a.Interval(.9); w.Low >= n.Low || w.High <= n.High || n.Low > a.GrandMean || n.High < a.GrandMean {
			t.Fatal("intervals do not nest around the mean")
		}
	}
}

// In balanced data the sums of squares add up, and the interval is that of the restart means.
func TestTwoLevelBalanced(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		x := sample(rng, []int{4, 4, 4, 4, 4}, 50, 1, 1)
		r, _ := TwoLevel(x)
		var means, all []float64
		for _, g := range x {
			s, _ := analysis.Summarize(g)
			means = append(means, s.Mean)
			all = append(all, g...)
		}
		want, _ := analysis.TInterval(means, .95)
		if got := r.Interval(.95); !near(got.Low, want.Low, 1e-12) || !near(got.High, want.High, 1e-12) {
			t.Fatalf("%v, want %v", got, want)
		}
		s, _ := analysis.Summarize(all)
		if total := float64(r.DFBetween)*r.MSBetween + float64(r.DFWithin)*r.MSWithin; !near(total, 19*s.SD*s.SD, 1e-10) {
			t.Fatalf("sums of squares %v, want %v", total, 19*s.SD*s.SD)
		}
		if r.N0 != 4 || !r.Balanced {
			t.Fatalf("%+v", r)
		}
		kj, err := KaliberaJones(Restarts(x), []float64{10, 30})
		if err != nil || !near(kj.T2[1], r.VarBetweenRaw, 1e-9) || !near(kj.T2[0], r.VarWithin, 1e-12) {
			t.Fatalf("%+v, %+v, %v", kj, r, err)
		}
		if r.VarBetween > 0 {
			n, err := OptimalTrialsPerRestart(30, 10, r.VarWithin, r.VarBetween)
			if err != nil || n != kj.Optimal[0] {
				t.Fatalf("%d trials, %v; want %d", n, err, kj.Optimal[0])
			}
		}
	}
}

// The optimum must cost no more than its neighbours, by brute force.
func TestOptimumIsOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		cr, ct, vw, vb := 1+60*rng.Float64(), 1+20*rng.Float64(), rng.Float64(), .02+rng.Float64()
		cost := func(n float64) float64 { return (vb + vw/n) * (cr + n*ct) }
		n, err := OptimalTrialsPerRestart(cr, ct, vw, vb)
		if err != nil {
			t.Fatal(err)
		}
		best := 1
		for k := 1; k < 200; k++ {
			if cost(float64(k)) < cost(float64(best)) {
				best = k
			}
		}
		// Rounding up keeps within one of the best whole number.
		if n != best && n != best+1 {
			t.Fatalf("%d trials, brute force says %d", n, best)
		}
	}
}

func TestEdges(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name   string
		groups [][]float64
		want   error
	}{
		{"none", nil, analysis.ErrEmpty},
		{"an empty restart", [][]float64{{1, 2}, {}}, analysis.ErrEmpty},
		{"one restart", [][]float64{{1, 2, 3}}, analysis.ErrTooFew},
		{"NaN", [][]float64{{1, 2}, {3, nan}}, analysis.ErrNonFinite},
		{"Inf", [][]float64{{1, 2}, {3, -inf}}, analysis.ErrNonFinite},
	} {
		if _, err := TwoLevel(c.groups); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if r, err := TwoLevel([][]float64{{.1, .1, .1}, {.1, .1}}); err != nil || r.SE != 0 || r.GrandMean != .1 ||
		!math.IsNaN(r.ICC) || !math.IsNaN(r.F) || !math.IsNaN(r.DesignEffect) || r.Interval(.95).High != .1 {
		t.Errorf("constant: %+v, %v", r, err)
	}
	if r, err := TwoLevel([][]float64{{1}, {2}, {4}}); err != nil || !math.IsNaN(r.MSWithin) || !math.IsNaN(r.VarBetween) ||
		!near(r.DesignEffect, 1, 1e-12) || r.Interval(.95).Low >= r.GrandMean {
		t.Errorf("single trials: %+v, %v", r, err)
	}
	if r, _ := TwoLevel([][]float64{{1, 2}, {2, 4}}); !math.IsNaN(r.Interval(1).Low) {
		t.Error("level 1 gives an interval")
	}
}

func TestKaliberaJonesEdges(t *testing.T) {
	pair := Tree{Values: []float64{1, 2}}
	for _, c := range []struct {
		name  string
		data  Tree
		costs []float64
		want  error
	}{
		{"nothing", Tree{}, []float64{1}, analysis.ErrEmpty},
		{"an empty cell", Restarts([][]float64{{1, 2}, {}}), []float64{1, 1}, analysis.ErrEmpty},
		{"NaN", Restarts([][]float64{{1, 2}, {1, math.NaN()}}), []float64{1, 1}, analysis.ErrNonFinite},
		{"unequal cells", Restarts([][]float64{{1, 2}, {1, 2, 3}}), []float64{1, 1}, analysis.ErrUnbalanced},
		{"unequal depth", Tree{Groups: []Tree{pair, {Groups: []Tree{pair, pair}}}}, []float64{1, 1}, analysis.ErrUnbalanced},
		{"values and groups", Tree{Values: []float64{1}, Groups: []Tree{pair}}, []float64{1, 1}, analysis.ErrUnbalanced},
		{"one restart", Restarts([][]float64{{1, 2}}), []float64{1, 1}, analysis.ErrTooFew},
		{"a cost short", Restarts([][]float64{{1, 2}, {1, 3}}), []float64{1}, analysis.ErrBadParam},
		{"negative cost", Restarts([][]float64{{1, 2}, {1, 3}}), []float64{1, -1}, analysis.ErrBadParam},
		{"NaN cost", Restarts([][]float64{{1, 2}, {1, 3}}), []float64{math.NaN(), 1}, analysis.ErrBadParam},
	} {
		if _, err := KaliberaJones(c.data, c.costs); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if r, err := KaliberaJones(pair, []float64{1}); err != nil || r.Levels != 1 || len(r.Optimal) != 0 || r.S2[0] != .5 {
		t.Errorf("one level: %+v, %v", r, err)
	}
	r, err := KaliberaJones(Restarts([][]float64{{1, 3}, {2, 2}}), []float64{1, 1})
	if err != nil || r.Optimal[0] != 0 || !math.IsNaN(r.OptimalReal[0]) {
		t.Errorf("no variance between restarts: %+v, %v", r, err)
	}
}

func TestPlanEdges(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		a, b, w, v float64
		want       error
	}{
		{0, 1, 1, 1, analysis.ErrBadParam}, {1, -1, 1, 1, analysis.ErrBadParam}, {1, inf, 1, 1, analysis.ErrBadParam},
		{1, 1, -1, 1, analysis.ErrBadParam}, {1, 1, math.NaN(), 1, analysis.ErrBadParam},
		{1, 1, 1, 0, analysis.ErrZeroVariance}, {1, 1, 1, -1, analysis.ErrZeroVariance}, {1, 1, 1, inf, analysis.ErrNonFinite},
	} {
		if _, err := OptimalTrialsPerRestart(c.a, c.b, c.w, c.v); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if n, err := OptimalTrialsPerRestart(1e300, 1e-300, 1, 1); err != nil || n < 1 {
		t.Errorf("extreme costs: %d, %v", n, err)
	}
	for _, c := range []struct {
		h, w, b float64
		trials  int
		level   float64
		want    error
	}{
		{0, 1, 1, 1, .95, analysis.ErrBadParam}, {1, -1, 1, 1, .95, analysis.ErrBadParam}, {1, 1, inf, 1, .95, analysis.ErrBadParam},
		{1, 1, 1, 0, .95, analysis.ErrBadParam}, {1, 1, 1, 1, 1, analysis.ErrBadParam}, {1e-9, 1, 1, 1, .95, analysis.ErrOutOfRange},
	} {
		if _, err := RestartsForHalfWidth(c.h, c.w, c.b, c.trials, c.level); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if n, err := RestartsForHalfWidth(1, 0, 0, 1, .95); err != nil || n != 2 {
		t.Errorf("no variance: %d, %v", n, err)
	}
}

// The interval over restart means holds its level where pooling all trials does not.
func TestCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	rng := rand.New(rand.NewPCG(7, 8))
	const runs = 4000
	hit, pooled := 0, 0
	for range runs {
		r, err := TwoLevel(sample(rng, []int{6, 6, 6, 6, 6}, 100, 2, 1))
		if err != nil {
			t.Fatal(err)
		}
		if ci := r.Interval(.95); ci.Low <= 100 && 100 <= ci.High {
			hit++
		}
		if math.Abs(r.PooledMean-100) <= 2.045*r.NaiveSE {
			pooled++
		}
	}
	if got := float64(hit) / runs; math.Abs(got-.95) > 4*math.Sqrt(.95*.05/runs) {
		t.Errorf("restart means cover %.3f", got)
	}
	if got := float64(pooled) / runs; got > .75 {
		t.Errorf("pooled trials cover %.3f: the demonstration no longer holds", got)
	}
}

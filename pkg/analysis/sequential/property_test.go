package sequential_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/sequential"
)

func normals(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

func TestAnytimeProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		x := normals(rng, 2+rng.IntN(20))
		shift := 3 * rng.Float64()
		for i := range x {
			x[i] += shift
		}
		before := slices.Clone(x)
		g := math.Exp(4*rng.Float64() - 2)
		r, err := sequential.AnytimeT(x, g)
		if err != nil {
			t.Fatal(err)
		}
		// The sign, the unit and the order change nothing.
		changed := make([]float64, len(x))
		for i, v := range x {
			changed[len(x)-1-i] = -1e-6 * v
		}
		if !slices.Equal(x, before) {
			t.Fatal("input changed")
		}
		if s, err := sequential.AnytimeT(changed, g); err != nil || math.Abs(s.LogE-r.LogE) > 1e-9*(1+math.Abs(r.LogE)) {
			t.Errorf("LogE %v, of the negated %v %v", r.LogE, s.LogE, err)
		}
		// Evidence of 1/alpha is the same as an interval that excludes 0.
		for _, alpha := range []float64{.2, .05, .01} {
			ci := r.Interval(1 - alpha)
			if excludes := ci.Low > 0 || ci.High < 0; excludes != (r.P() <= alpha) && math.Abs(r.P()/alpha-1) > 1e-9 {
				t.Errorf("P %v, alpha %v, interval %+v", r.P(), alpha, ci)
			}
		}
		if !(r.LogE <= float64(r.N-1)/2*math.Log1p(float64(r.N)*g)) {
			t.Errorf("LogE %v is above its limit", r.LogE)
		}
	}
}

// Under a true null the level holds over all looks: 1.7 % for the e-value by look 20, 5 % for the declared looks; and
// Stein's interval covers.
func TestErrorRates(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	const runs = 4000
	rng := rand.New(rand.NewPCG(7, 8))
	at := []int{10, 20, 30, 40, 50}
	boundaries := []sequential.Boundary{sequential.Pocock, sequential.OBrienFleming}
	var looks [][]sequential.Look
	for _, b := range boundaries {
		l, err := sequential.GroupSequential(at, .05, b)
		if err != nil {
			t.Fatal(err)
		}
		looks = append(looks, l)
	}
	anytime, rejected, missed := 0, make([]int, len(boundaries)), 0
	for range runs {
		x := normals(rng, 50)
		for n := 5; n <= 20; n++ {
			if r, err := sequential.AnytimeT(x[:n], 1); err != nil {
				t.Fatal(err)
			} else if r.P() <= .05 {
				anytime++
				break
			}
		}
		for b, l := range looks {
			if slices.ContainsFunc(l, func(look sequential.Look) bool {
				s, _ := analysis.Summarize(x[:look.N])
				ci := look.Interval(s.Mean, s.SD)
				return ci.Low > 0 || ci.High < 0
			}) {
				rejected[b]++
			}
		}
		plan, err := sequential.SteinTwoStage(x[:10], .5, .95)
		if err != nil {
			t.Fatal(err)
		}
		ci, err := plan.Interval(append(slices.Clone(x[:10]), normals(rng, plan.N-10)...))
		if err != nil || ci.High-ci.Low > 1+1e-9 {
			t.Fatal(ci, err)
		}
		if ci.Low > 0 || ci.High < 0 {
			missed++
		}
	}
	check := func(what string, hits int, want float64) {
		t.Helper()
		if got := float64(hits) / runs; math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/runs) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	check("anytime by look 20", anytime, .017)
	check("Pocock", rejected[0], .052)
	check("O'Brien-Fleming", rejected[1], .052)
	check("Stein", missed, .05)
}

// The probability of crossing agrees with simulated sums, for looks that are not evenly spaced.
func TestUnevenLooks(t *testing.T) {
	const runs = 40000
	rng := rand.New(rand.NewPCG(5, 5))
	at := []int{4, 5, 20, 60, 64}
	looks, err := sequential.GroupSequential(at, .1, sequential.OBrienFleming)
	if err != nil || math.Abs(looks[4].Spent-.1) > 1e-9 {
		t.Fatal(looks, err)
	}
	crossed := make([]int, len(at))
	for range runs {
		sum, n := 0.0, 0
		for i, l := range looks {
			sum += rng.NormFloat64() * math.Sqrt(float64(l.N-n))
			n = l.N
			if math.Abs(sum) > l.Z*math.Sqrt(float64(n)) {
				for k := i; k < len(at); k++ {
					crossed[k]++
				}
				break
			}
		}
	}
	for i, l := range looks {
		if got := float64(crossed[i]) / runs; math.Abs(got-l.Spent) > 4*math.Sqrt(l.Spent*(1-l.Spent)/runs)+1e-9 {
			t.Errorf("look %d: %v simulated, %v computed", i+1, got, l.Spent)
		}
	}
}

func TestSteinEdges(t *testing.T) {
	same := []float64{1e9 + 1, 1e9 + 1, 1e9 + 1}
	r, err := sequential.SteinTwoStage(same, .1, .95)
	if err != nil || r.N != 3 || r.SD != 0 {
		t.Error(r, err)
	}
	if ci, err := r.Interval(same); err != nil || ci.Low != ci.High {
		t.Error(ci, err)
	}
	if _, err := r.Interval(same[:2]); !errors.Is(err, analysis.ErrTooFew) {
		t.Error(err)
	}
	a, _ := sequential.SteinTwoStage([]float64{1, 2, 3, 5}, .5, .9)
	b, _ := sequential.SteinTwoStage([]float64{1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 5}, .5, .9)
	if a.N != b.N || a.N < 4 {
		t.Error(a, b)
	}
}

func TestRefusals(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	anytime := func(x []float64, g float64) error { _, err := sequential.AnytimeT(x, g); return err }
	multiplier := func(n int, g, alpha float64) error { _, err := sequential.AnytimeMultiplier(n, g, alpha); return err }
	stein := func(x []float64, h, level float64) error { _, err := sequential.SteinTwoStage(x, h, level); return err }
	looks := func(alpha float64, b sequential.Boundary, at ...int) error {
		_, err := sequential.GroupSequential(at, alpha, b)
		return err
	}
	two := []float64{1, 2}
	for i, c := range []struct{ got, want error }{
		{anytime(nil, 1), analysis.ErrEmpty}, {anytime([]float64{1}, 1), analysis.ErrTooFew}, {anytime([]float64{1, nan}, 1), analysis.ErrNonFinite},
		{anytime([]float64{3, 3}, 1), analysis.ErrZeroVariance}, {anytime(two, 0), analysis.ErrBadParam}, {anytime(two, inf), analysis.ErrBadParam},
		{multiplier(1, 1, .05), analysis.ErrTooFew}, {multiplier(5, nan, .05), analysis.ErrBadParam}, {multiplier(5, 1, 1), analysis.ErrBadParam},
		{stein(nil, 1, .9), analysis.ErrEmpty}, {stein([]float64{1}, 1, .9), analysis.ErrTooFew}, {stein([]float64{1, inf}, 1, .9), analysis.ErrNonFinite},
		{stein(two, 0, .9), analysis.ErrBadParam}, {stein(two, inf, .9), analysis.ErrBadParam}, {stein(two, 1, 1), analysis.ErrBadParam},
		{stein(two, 1e-9, .9), analysis.ErrOutOfRange},
		{looks(.05, sequential.Pocock), analysis.ErrEmpty}, {looks(.05, sequential.Pocock, 1, 5), analysis.ErrTooFew},
		{looks(.05, sequential.Pocock, 5, 5), analysis.ErrBadParam}, {looks(.05, "triangle", 5, 10), analysis.ErrBadParam},
		{looks(0, sequential.Pocock, 5, 10), analysis.ErrBadParam}, {looks(.05, sequential.Pocock, make([]int, 101)...), analysis.ErrOutOfRange},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("case %d: %v, want %v", i, c.got, c.want)
		}
	}
	r, _ := sequential.AnytimeT(two, 1)
	if ci := r.Interval(1); !math.IsNaN(ci.Low) {
		t.Error(ci)
	}
	if ci := r.Interval(.95); !math.IsInf(ci.Low, -1) || !math.IsInf(ci.High, 1) {
		t.Error(ci)
	}
}

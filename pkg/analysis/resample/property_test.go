package resample

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 3)) }

func normals(rng *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = 100 + rng.NormFloat64()
	}
	return out
}

// TestPermutationProperties: swapping the samples keeps the two-sided p and exchanges the others; shift and scale change nothing;
// no p is below 1/arrangements; a random draw agrees with the enumeration.
func TestPermutationProperties(t *testing.T) {
	rng := random(1)
	for range 30 {
		x, y := normals(rng, 2+rng.IntN(5)), normals(rng, 2+rng.IntN(5))
		keep := slices.Clone(x)
		a, err := PermutationMeanDiff(x, y, nil)
		b, err2 := PermutationMeanDiff(y, x, nil)
		if err != nil || err2 != nil || a.P != b.P || a.PLess != b.PGreater || math.Abs(a.Estimate+b.Estimate) > 1e-9 {
			t.Fatalf("swap: %+v %+v %v %v", a, b, err, err2)
		}
		moved := func(v []float64) []float64 {
			out := make([]float64, len(v))
			for i := range v {
				out[i] = 7 + 3*v[i]
			}
			return out
		}
		if c, _ := PermutationMeanDiff(moved(x), moved(y), nil); c.P != a.P || c.Draws != a.Draws {
			t.Fatalf("shift and scale: %+v %+v", a, c)
		}
		if a.P < a.Reachable || a.Reachable < 1/float64(a.Draws) || !slices.Equal(x, keep) {
			t.Fatalf("%+v", a)
		}
	}
	x, y := normals(rng, 14), normals(rng, 14) // 40 million assignments
	y[0] += 4
	r, err := PermutationMeanDiff(x, y, rng)
	w, _ := analysis.WelchT(x, y)
	if err != nil || r.Exact || math.Abs(r.P-w.P) > .03 || r.P == 0 {
		t.Errorf("%+v %v, Welch p %v", r, err, w.P)
	}
}

// TestSignFlip: five blocks of the same sign give 2/2⁵, and random flips agree with all of them.
func TestSignFlip(t *testing.T) {
	r, err := SignFlip([]float64{.1, .2, .3, .15, .12}, nil)
	if err != nil || !r.Exact || r.P != .0625 || r.Reachable != .0625 || r.PGreater != 1/32. || r.PLess != 1 {
		t.Errorf("%+v %v", r, err)
	}
	rng := random(2)
	d := make([]float64, 25)
	for i := range d {
		d[i] = .3 + rng.NormFloat64()
	}
	many, err := SignFlip(d, rng)
	few, _ := SignFlip(d[:18], nil)
	test, _ := analysis.PairedT(d, make([]float64, 25))
	if err != nil || many.Exact || !few.Exact || math.Abs(many.P-test.P) > .03 {
		t.Errorf("%+v %v, t p %v", many, err, test.P)
	}
	if zero, err := SignFlip([]float64{0, 0, 0}, nil); err != nil || zero.P != 1 {
		t.Errorf("%+v %v", zero, err)
	}
}

// TestEnumerationIsAllResamples: the weighted multisets are the nⁿ ordered resamples.
func TestEnumerationIsAllResamples(t *testing.T) {
	x := []float64{3, 1, 4, 1.5}
	var all []float64
	for i := range 256 {
		all = append(all, Mean([]float64{x[i&3], x[i>>2&3], x[i>>4&3], x[i>>6&3]}))
	}
	want := newDistribution(all, nil, 4)
	got := enumerate(x, Mean)
	if got.total != 256 || !slices.EqualFunc(got.value, want.value, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
		t.Fatalf("%+v\n%+v", got, want)
	}
	for i := range got.weight {
		if math.Abs(got.weight[i]-want.weight[i]) > 1e-9 {
			t.Errorf("%v: weight %v, want %v", got.value[i], got.weight[i], want.weight[i])
		}
	}
}

// TestClusterBootstrap: where trials have levels of their own, the interval is as wide as they are apart, not as the requests would make it.
func TestClusterBootstrap(t *testing.T) {
	rng := random(4)
	var trials [][]float64
	var levels []float64
	for range 12 {
		level := 10 * math.Exp(.05*rng.NormFloat64())
		levels = append(levels, level)
		trial := make([]float64, 200)
		for i := range trial {
			trial[i] = level * math.Exp(.02*rng.NormFloat64())
		}
		trials = append(trials, trial)
	}
	b, err := ClusterBootstrap(trials, Mean, .95, Options{Replicates: 2000}, rng)
	ci, _ := analysis.TInterval(levels, .95)
	width := (b.CI.High - b.CI.Low) / (ci.High - ci.Low)
	if err != nil || width < .6 || width > 1.1 || b.CI.Low > b.Estimate || b.CI.High < b.Estimate {
		t.Errorf("%+v %v, width %v of the t interval's", b, err, width)
	}
}

// TestIntervalsWiden with the level, and contain the estimate.
func TestIntervalsWiden(t *testing.T) {
	x := normals(random(5), 20)
	for _, f := range []func([]float64, Statistic, float64, Options, *rand.Rand) (Bootstrap, error){BootstrapPercentile, BootstrapBCa} {
		narrow, err := f(x, Mean, .8, Options{}, random(6))
		wide, err2 := f(x, Mean, .99, Options{}, random(6))
		if err != nil || err2 != nil || wide.CI.Low >= narrow.CI.Low || wide.CI.High <= narrow.CI.High || narrow.CI.Low > narrow.Estimate {
			t.Errorf("%+v %+v %v %v", narrow, wide, err, err2)
		}
	}
}

func TestErrors(t *testing.T) {
	ok := []float64{1, 2, 3}
	nan := []float64{1, math.NaN(), 3}
	for name, c := range map[string]struct {
		err  error
		want error
	}{
		"permutation without x":     {errOf(PermutationMeanDiff(nil, ok, nil)), analysis.ErrTooFew},
		"permutation of NaN":        {errOf(PermutationMeanDiff(ok, nan, nil)), analysis.ErrNonFinite},
		"permutation without rng":   {errOf(PermutationMeanDiff(make([]float64, 40), make([]float64, 40), nil)), analysis.ErrBadParam},
		"flip nothing":              {errOf(SignFlip(nil, nil)), analysis.ErrEmpty},
		"flip 30 without rng":       {errOf(SignFlip(make([]float64, 30), nil)), analysis.ErrBadParam},
		"bootstrap of one":          {errOf(BootstrapPercentile([]float64{1}, Mean, .95, Options{}, nil)), analysis.ErrTooFew},
		"bootstrap of Inf":          {errOf(BootstrapBCa([]float64{1, math.Inf(1)}, Mean, .95, Options{}, nil)), analysis.ErrNonFinite},
		"bootstrap level":           {errOf(BootstrapBCa(ok, Mean, 1, Options{}, nil)), analysis.ErrBadParam},
		"bootstrap of no statistic": {errOf(BootstrapBCa(ok, nil, .95, Options{}, nil)), analysis.ErrBadParam},
		"bootstrap of 10 draws":     {errOf(BootstrapBCa(ok, Mean, .95, Options{Replicates: 10}, nil)), analysis.ErrBadParam},
		"bootstrap without rng":     {errOf(BootstrapBCa([]float64{1, 2, 3, 4, 5, 6, 7}, Mean, .95, Options{}, nil)), analysis.ErrBadParam},
		"no trial":                  {errOf(ClusterBootstrap(nil, Mean, .95, Options{}, random(1))), analysis.ErrEmpty},
		"one trial":                 {errOf(ClusterBootstrap([][]float64{ok}, Mean, .95, Options{}, random(1))), analysis.ErrTooFew},
		"an empty trial":            {errOf(ClusterBootstrap([][]float64{ok, nil}, Mean, .95, Options{}, random(1))), analysis.ErrEmpty},
		"trials at level 2":         {errOf(ClusterBootstrap([][]float64{ok, ok}, Mean, 2, Options{}, random(1))), analysis.ErrBadParam},
		"trials without rng":        {errOf(ClusterBootstrap([][]float64{ok, ok}, Mean, .95, Options{}, nil)), analysis.ErrBadParam},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", name, c.err, c.want)
		}
	}
}

func errOf[T any](_ T, err error) error { return err }

func BenchmarkBootstrapBCa(b *testing.B) {
	x := normals(random(7), 1000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := BootstrapBCa(x, Mean, .95, Options{Replicates: 2000}, random(8)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPermutationThousand(b *testing.B) {
	x, y := normals(random(9), 1000), normals(random(10), 1000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := PermutationMeanDiff(x, y, random(11)); err != nil {
			b.Fatal(err)
		}
	}
}

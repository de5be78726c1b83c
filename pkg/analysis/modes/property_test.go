package modes

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

func near(got, want, rel float64) bool {
	return got == want || math.Abs(got-want) <= rel*math.Abs(want)
}

func normals(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

func mapped(x []float64, f func(float64) float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = f(v)
	}
	return out
}

// gridModes is the count of local maxima on a fine grid, the naive way.
func gridModes(t *testing.T, x []float64, h float64) int {
	t.Helper()
	lo, hi := slices.Min(x)-h, slices.Max(x)+h
	at := make([]float64, 40001)
	for i := range at {
		at[i] = lo + (hi-lo)*float64(i)/float64(len(at)-1)
	}
	d, err := KDE(x, h, at)
	if err != nil {
		t.Fatal(err)
	}
	modes := 0
	for i := 1; i+1 < len(d); i++ {
		if d[i] > d[i-1] && d[i] >= d[i+1] {
			modes++
		}
	}
	return modes
}

// The counter agrees with a fine grid where the grid can be trusted, just above and below the critical bandwidth.
func TestModeCountAgainstGrid(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		x := normals(rng, 3+rng.IntN(6))
		for k := 1; k <= 2; k++ {
			h, err := CriticalBandwidth(x, k)
			if err != nil {
				t.Fatal(err)
			}
			if below, above := gridModes(t, x, h*.999), gridModes(t, x, h*1.001); below <= k || above > k {
				t.Errorf("%v: %d modes below h_%d = %v, %d above", x, below, k, h, above)
			}
		}
	}
}

// More smoothing never makes modes.
func TestModeCountFallsWithBandwidth(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		s := centred(normals(rng, 2+rng.IntN(30)))
		before := len(s)
		for h := 1e-4; h < 10; h *= 1.3 {
			n := countModes(s, h, len(s))
			if n > before || n < 1 {
				t.Fatalf("%d modes at %v after %d", n, h, before)
			}
			before = n
		}
		if countModes(s, 1e-6, len(s)) != len(s) || before != 1 {
			t.Fatal("the limits are wrong")
		}
	}
}

func TestCriticalBandwidthProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 30 {
		x := normals(rng, 4+rng.IntN(10))
		before := math.Inf(1)
		for k := 1; k <= len(x); k++ {
			h, err := CriticalBandwidth(x, k)
			if err != nil || h > before || (h == 0) != (k == len(x)) {
				t.Fatalf("h_%d = %v after %v, %v", k, h, before, err)
			}
			before = h
		}
		h, _ := CriticalBandwidth(x, 1)
		// Doubling every value, shifting, mirroring, shuffling.
		for name, c := range map[string]struct {
			f     func(float64) float64
			scale float64
		}{
			"shift": {func(v float64) float64 { return v + 1e6 }, 1}, "scale": {func(v float64) float64 { return v * 3e-7 }, 3e-7},
			"mirror": {func(v float64) float64 { return -v }, 1},
		} {
			y := mapped(x, c.f)
			rng.Shuffle(len(y), func(i, j int) { y[i], y[j] = y[j], y[i] })
			if g, err := CriticalBandwidth(y, 1); err != nil || !near(g, h*c.scale, 1e-8) {
				t.Errorf("%s: %v, want %v, %v", name, g, h*c.scale, err)
			}
		}
		if g, _ := CriticalBandwidth(append(slices.Clone(x), x...), 1); !near(g, h, 1e-8) {
			t.Errorf("doubled sample: %v, want %v", g, h)
		}
	}
}

// Far clusters: the gap is thousands of bandwidths wide, and each cluster is judged by itself.
func TestCriticalBandwidthFarClusters(t *testing.T) {
	for _, gap := range []float64{1e2, 1e4, 1e7, 1e9} {
		for _, c := range []struct {
			x    []float64
			k    int
			want float64
		}{
			{[]float64{0, 1, gap, gap + .5}, 3, .25}, {[]float64{0, 1, gap, gap + .5}, 2, .5},
			{[]float64{0, 1, gap, gap, gap}, 2, .5}, {[]float64{0, gap}, 1, gap / 2},
		} {
			if h, err := CriticalBandwidth(c.x, c.k); err != nil || !near(h, c.want, 1e-6) {
				t.Errorf("%v, k = %d: %v, want %v, %v", c.x, c.k, h, c.want, err)
			}
		}
	}
}

func TestKDEIntegratesToOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	x := normals(rng, 20)
	at := make([]float64, 4001)
	for i := range at {
		at[i] = -20 + .01*float64(i)
	}
	d, err := KDE(x, .4, at)
	sum := 0.0
	for _, v := range d {
		sum += v * .01
	}
	if err != nil || !near(sum, 1, 1e-9) {
		t.Error(sum, err)
	}
	if e, err := KDE(x, 1, nil); err != nil || len(e) != 0 {
		t.Error(e, err)
	}
}

// On normal samples the test keeps its level (it is conservative); one far cluster makes it reject.
func TestSilvermanTestLevel(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	rejected := 0
	for range 60 {
		r, err := SilvermanTest(normals(rng, 20), 1, 100, rng)
		if err != nil {
			t.Fatal(err)
		}
		if r.P <= .05 {
			rejected++
		}
	}
	if rejected > 8 {
		t.Errorf("%d of 60 rejected", rejected)
	}
	x := append(normals(rng, 15), mapped(normals(rng, 15), func(v float64) float64 { return v + 40 })...)
	before := slices.Clone(x)
	r, err := SilvermanTest(x, 1, 500, rand.New(rand.NewPCG(1, 1)))
	if err != nil || r.P > .02 || !near(r.SE, math.Sqrt(r.P*(1-r.P)/500), 1e-12) {
		t.Errorf("%+v, %v", r, err)
	}
	again, _ := SilvermanTest(x, 1, 500, rand.New(rand.NewPCG(1, 1)))
	if again != r || !slices.Equal(before, x) {
		t.Error("the same random numbers give another result, or the input changed")
	}
	if r, err := SilvermanTest([]float64{1, 1, 2, 2}, 2, 10, rng); err != nil || r.P != 1 || r.Bandwidth != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestMixtureProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 10 {
		x := append(normals(rng, 8), mapped(normals(rng, 12), func(v float64) float64 { return 6 + 2*v })...)
		for _, model := range []MixtureModel{EqualVariance, OwnVariances} {
			m, err := GaussianMixture(x, model)
			if err != nil {
				t.Fatal(err)
			}
			if m.Two.LogLikelihood < m.One.LogLikelihood-1e-6 || m.Two.Means[0] > m.Two.Means[1] || !near(m.Two.Weights[0]+m.Two.Weights[1], 1, 1e-12) {
				t.Errorf("%+v", m)
			}
			mixed := m.Two.Weights[0]*m.Two.Means[0] + m.Two.Weights[1]*m.Two.Means[1]
			if math.Abs(mixed-m.One.Mean) > 1e-6 {
				t.Errorf("mean of the components %v, of the sample %v", mixed, m.One.Mean)
			}
			d, err := AshmanD(m.Two.Means[0], m.Two.Means[1], math.Sqrt(m.Two.Variances[0]), math.Sqrt(m.Two.Variances[1]))
			if err != nil || !near(d, m.AshmanD, 1e-9) {
				t.Error(d, m.AshmanD, err)
			}
			// Mirrored and scaled: the same fit the other way round.
			y := mapped(x, func(v float64) float64 { return 1000 - 10*v })
			slices.Reverse(y)
			w, err := GaussianMixture(y, model)
			if err != nil || math.Abs(w.DeltaBIC-m.DeltaBIC) > 1e-4 || !near(w.AshmanD, m.AshmanD, 1e-3) ||
				math.Abs(w.Two.Weights[0]-m.Two.Weights[1]) > 1e-3 {
				t.Errorf("%+v\n%+v, %v", m, w, err)
			}
		}
	}
}

func TestEdges(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]struct {
		x                  []float64
		kde, crit, mixture error
	}{
		"empty": {nil, num.ErrEmpty, num.ErrEmpty, num.ErrEmpty}, "one": {[]float64{3}, nil, nil, num.ErrTooFew},
		"two": {[]float64{3, 4}, nil, nil, num.ErrTooFew}, "equal": {[]float64{3, 3, 3, 3, 3}, nil, nil, num.ErrZeroVariance},
		"nan": {[]float64{1, nan, 2, 3}, num.ErrNonFinite, num.ErrNonFinite, num.ErrNonFinite},
		"inf": {[]float64{1, inf, 2, 3}, num.ErrNonFinite, num.ErrNonFinite, num.ErrNonFinite},
		"1e9": {[]float64{1e9, 1e9 + 1, 1e9 + 2, 1e9 + 7, 1e9 + 9}, nil, nil, nil},
	} {
		if _, err := KDE(c.x, 1, []float64{1}); !errors.Is(err, c.kde) {
			t.Errorf("%s: KDE %v, want %v", name, err, c.kde)
		}
		if _, err := CriticalBandwidth(c.x, 1); !errors.Is(err, c.crit) {
			t.Errorf("%s: CriticalBandwidth %v, want %v", name, err, c.crit)
		}
		if _, err := SilvermanTest(c.x, 1, 5, rng); !errors.Is(err, c.crit) {
			t.Errorf("%s: SilvermanTest %v, want %v", name, err, c.crit)
		}
		if _, err := GaussianMixture(c.x, EqualVariance); !errors.Is(err, c.mixture) {
			t.Errorf("%s: GaussianMixture %v, want %v", name, err, c.mixture)
		}
	}
	two := []float64{1, 2}
	for _, h := range []float64{0, -1, nan, inf} {
		if _, err := KDE(two, h, two); !errors.Is(err, num.ErrBadParam) {
			t.Errorf("bandwidth %v: %v", h, err)
		}
	}
	if _, err := KDE(two, 1, []float64{nan}); !errors.Is(err, num.ErrNonFinite) {
		t.Error(err)
	}
	for _, err := range []error{
		second(SilvermanTest(two, 1, 0, rng)), second(SilvermanTest(two, 1, 5, nil)), second(SilvermanTest(two, 0, 5, rng)),
		second(CriticalBandwidth(two, 0)), second(GaussianMixture([]float64{1, 2, 3, 4}, "X")), second(AshmanD(1, 2, -1, 1)),
	} {
		if !errors.Is(err, num.ErrBadParam) {
			t.Errorf("%v, want a bad parameter", err)
		}
	}
	m, err := GaussianMixture([]float64{1, 1, 2, 2}, OwnVariances)
	if !errors.Is(err, num.ErrNotEstimable) || !math.IsNaN(m.DeltaBIC) || !near(m.One.Variance, .25, 1e-12) {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := GaussianMixture([]float64{1, 1, 2, 2}, EqualVariance); !errors.Is(err, num.ErrNotEstimable) {
		t.Error(err)
	}
}

func second[T any](_ T, err error) error { return err }

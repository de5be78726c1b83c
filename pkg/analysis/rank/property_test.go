package rank

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

func sample(rng *rand.Rand, n int, ties bool) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = 100 + 3*rng.NormFloat64()
		if ties {
			out[i] = math.Round(out[i])
		}
	}
	return out
}

// enumerate visits U for every assignment of the pooled values to a sample of n.
func enumerate(pool []float64, n int, visit func(u float64)) {
	var choose func(i int, x, y []float64)
	choose = func(i int, x, y []float64) {
		if i == len(pool) {
			if len(x) == n {
				above, below := dominance(x, y)
				visit(float64(above) + float64(len(x)*len(y)-above-below)/2)
			}
			return
		}
		choose(i+1, append(slices.Clone(x), pool[i]), y)
		choose(i+1, x, append(slices.Clone(y), pool[i]))
	}
	choose(0, nil, nil)
}

// TestMannWhitneyOracle: small samples against all assignments, with and without ties.
func TestMannWhitneyOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 40 {
		x, y := sample(rng, 1+rng.IntN(5), i%2 == 0), sample(rng, 1+rng.IntN(5), i%2 == 0)
		r, err := MannWhitney(x, y)
		if err != nil || !r.Exact {
			t.Fatal(r, err)
		}
		var all, low, high, far float64
		mean := float64(len(x)*len(y)) / 2
		enumerate(slices.Concat(x, y), len(x), func(u float64) {
			all++
			if u <= r.U {
				low++
			}
			if u >= r.U {
				high++
			}
			if math.Abs(u-mean) >= math.Abs(r.U-mean) {
				far++
			}
		})
		want := min(1, 2*min(low, high)/all)
		if r.Ties {
			want = far / all
		}
		if math.Abs(r.P-want) > 1e-12 || math.Abs(r.PLess-low/all) > 1e-12 || math.Abs(r.PGreater-high/all) > 1e-12 || r.P < 1/all {
			t.Errorf("%v %v: %+v, want %v %v %v", x, y, r, want, low/all, high/all)
		}
	}
}

// TestSwapShiftScale: swapping mirrors every result, shift and scale leave ranks alone and move the shift, inputs stay.
func TestSwapShiftScale(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 40 {
		x, y := sample(rng, 4+rng.IntN(60), false), sample(rng, 4+rng.IntN(60), false)
		keep := slices.Clone(x)
		a, _ := MannWhitney(x, y)
		b, _ := MannWhitney(y, x)
		if math.Abs(a.P-b.P) > 1e-12 || math.Abs(a.PLess-b.PGreater) > 1e-12 || a.U+b.U != float64(len(x)*len(y)) {
			t.Fatalf("Mann-Whitney: %+v %+v", a, b)
		}
		h, _ := HodgesLehmann(x, y, .95)
		g, _ := HodgesLehmann(y, x, .95)
		if math.Abs(h.Shift+g.Shift) > 1e-9 || math.Abs(h.CI.Low+g.CI.High) > 1e-9 {
			t.Fatalf("Hodges-Lehmann: %+v %+v", h, g)
		}
		m, _ := BrunnerMunzel(x, y)
		k, _ := BrunnerMunzel(y, x)
		if math.Abs(m.PHat+k.PHat-1) > 1e-12 || math.Abs(m.P-k.P) > 1e-9 || math.Abs(m.PLess-k.PGreater) > 1e-9 {
			t.Fatalf("Brunner-Munzel: %+v %+v", m, k)
		}
		moved := func(v []float64) []float64 {
			out := make([]float64, len(v))
			for i := range v {
				out[i] = 1e6 + 2*v[i]
			}
			return out
		}
		c, _ := MannWhitney(moved(x), moved(y))
		j, _ := HodgesLehmann(moved(x), moved(y), .95)
		if c.U != a.U || c.P != a.P || math.Abs(j.Shift-2*h.Shift) > 1e-6 {
			t.Fatalf("moved: %+v %+v", c, j)
		}
		if wide, _ := HodgesLehmann(x, y, .99); wide.CI.Low > h.CI.Low || wide.CI.High < h.CI.High {
			t.Fatalf("interval narrows with the level: %+v %+v", h, wide)
		}
		d, _ := CliffsDelta(x, y)
		e, _ := CliffsDelta(y, x)
		if d != -e || math.Abs(m.PHat-(1-d)/2) > 1e-12 || !slices.Equal(x, keep) {
			t.Fatalf("delta %v %v", d, e)
		}
	}
}

// TestSignedRank: R's wilcox.test(d, exact=TRUE, conf.int=TRUE), and all choices of signs.
func TestSignedRank(t *testing.T) {
	d := []float64{0.049, -0.01, 0.046, 0.045, 0.012, 0.048, -0.003, 0.047, 0.021}
	r, err := WilcoxonSignedRank(d)
	if err != nil || r.V != 42 || math.Abs(r.P-0.01953125) > 1e-15 {
		t.Errorf("%+v %v", r, err)
	}
	w, err := WalshMedian(d, .95)
	if err != nil || math.Abs(w.Shift-0.0295) > 1e-12 || math.Abs(w.CI.Low-0.0055) > 1e-12 || math.Abs(w.CI.High-0.0475) > 1e-12 {
		t.Errorf("%+v %v", w, err)
	}
	rng := rand.New(rand.NewPCG(3, 3))
	for i := range 30 {
		d := sample(rng, 1+rng.IntN(8), false)
		for j := range d {
			d[j] -= 99
			if i%2 == 0 {
				d[j] = math.Round(d[j])
			}
		}
		r, _ := WilcoxonSignedRank(d)
		size := make([]float64, 0, len(d))
		for _, v := range d {
			if v != 0 {
				size = append(size, math.Abs(v))
			}
		}
		ranks, _ := doubledRanks(size, nil)
		var all, low, high float64
		for signs := range 1 << len(size) {
			v := 0
			for k, rank := range ranks {
				if signs>>k&1 == 1 {
					v += rank
				}
			}
			all++
			if float64(v)/2 <= r.V {
				low++
			}
			if float64(v)/2 >= r.V {
				high++
			}
		}
		if r.N > 0 && (math.Abs(r.PLess-low/all) > 1e-12 || math.Abs(r.PGreater-high/all) > 1e-12 || r.Zeros != len(d)-len(size)) {
			t.Errorf("%v: %+v, want %v %v", d, r, low/all, high/all)
		}
	}
	if r, err := WilcoxonSignedRank([]float64{0, 0}); err != nil || r.P != 1 || r.Zeros != 2 {
		t.Errorf("%+v %v", r, err)
	}
	if w, err := WalshMedian([]float64{1, 2, 3, 4, 5}, .95); err != nil || w.K != 1 || math.Abs(w.Achieved-.9375) > 1e-12 || w.CI.Low != 1 || w.CI.High != 5 {
		t.Errorf("%+v %v", w, err)
	}
}

// TestSignedRankNormal: R's wilcox.test(d, exact=FALSE) on 60 differences with ties.
func TestSignedRankNormal(t *testing.T) {
	d := []float64{-0.762, -0.093, 0.459, -0.952, 0.396, 0.23, 0.285, 1.317, -1.019, 1.467, -0.545, -0.931, -0.516, 0.453, 0.352,
		-0.108, -0.753, -0.448, 1.424, 0.4, -0.378, -0.742, -0.004, -1.466, -0.284, -0.541, 1.361, 1.212, 0.128, -0.937,
		1.101, 1.052, 0.928, 0.937, -0.152, 0.906, 1.5, 0.238, -0.779, 0.994, 0.987, -0.11, 1.899, -0.595, 0.548, -2.065,
		0.038, 1.331, -0.256, -0.699, 0.927, -0.609, 0.467, -1.537, -1.211, -0.254, -0.835, 1.562, 1.117, -0.585}
	r, err := WilcoxonSignedRank(d)
	if err != nil || r.V != 1023.5 || math.Abs(r.P-0.42658103417969923) > 1e-12 {
		t.Errorf("%+v %v", r, err)
	}
}

// TestLarge: beyond 50 the approximations take over, and agree with the exact values near the border.
func TestLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	x, y := sample(rng, 49, false), sample(rng, 49, false)
	exact, _ := MannWhitney(x, y)
	normal, _ := MannWhitneyNormal(x, y, true)
	if !exact.Exact || normal.Exact || math.Abs(exact.P-normal.P) > .005 {
		t.Errorf("%+v %+v", exact, normal)
	}
	d := sample(rng, 51, false)
	for i := range d {
		d[i] -= 99.5
	}
	more, _ := WilcoxonSignedRank(d)
	less, _ := WilcoxonSignedRank(d[:50])
	a, _ := WalshMedian(d, .95)
	b, _ := WalshMedian(d[:50], .95)
	if more.Exact || !less.Exact || math.Abs(more.P-less.P) > .3 || a.Exact || !b.Exact || math.Abs(a.CI.Low-b.CI.Low) > .5 {
		t.Errorf("%+v %+v %+v %+v", more, less, a, b)
	}
	if r, _ := MannWhitneyNormal([]float64{5, 5}, []float64{5}, true); !math.IsNaN(r.P) {
		t.Errorf("equal values: %+v", r)
	}
	if h, err := HodgesLehmann(x[:3], sample(rng, 60, false), .95); err != nil || h.Exact {
		t.Errorf("%+v %v", h, err)
	}
}

func TestErrors(t *testing.T) {
	ok, nan := []float64{1, 2, 3}, []float64{1, math.NaN()}
	big := make([]float64, 4000)
	for name, c := range map[string]struct{ err, want error }{
		"Mann-Whitney of nothing":     {errOf(MannWhitney(nil, ok)), analysis.ErrTooFew},
		"Mann-Whitney of NaN":         {errOf(MannWhitney(ok, nan)), analysis.ErrNonFinite},
		"normal of Inf":               {errOf(MannWhitneyNormal(ok, []float64{math.Inf(-1)}, true)), analysis.ErrNonFinite},
		"Hodges-Lehmann at level 0":   {errOf(HodgesLehmann(ok, ok, 0)), analysis.ErrBadParam},
		"Hodges-Lehmann of NaN":       {errOf(HodgesLehmannNormal(nan, ok, .95)), analysis.ErrNonFinite},
		"16 million differences":      {errOf(HodgesLehmann(big, big, .95)), analysis.ErrOutOfRange},
		"exact of 60":                 {errOf(HodgesLehmannExact(make([]float64, 60), ok, .95)), analysis.ErrOutOfRange},
		"exact of nothing":            {errOf(HodgesLehmannExact(nil, ok, .95)), analysis.ErrTooFew},
		"Brunner-Munzel of one":       {errOf(BrunnerMunzel([]float64{1}, ok)), analysis.ErrTooFew},
		"delta of NaN":                {errOf(CliffsDelta(nan, ok)), analysis.ErrNonFinite},
		"signed rank of nothing":      {errOf(WilcoxonSignedRank(nil)), analysis.ErrEmpty},
		"Walsh of NaN":                {errOf(WalshMedian(nan, .95)), analysis.ErrNonFinite},
		"Walsh at level 2":            {errOf(WalshMedian(ok, 2)), analysis.ErrBadParam},
		"Walsh of 5000":               {errOf(WalshMedian(make([]float64, 5000), .95)), analysis.ErrOutOfRange},
		"Vargha-Delaney of no sample": {errOf(VarghaDelaney(ok, nil)), analysis.ErrTooFew},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", name, c.err, c.want)
		}
	}
}

// TestOffset: an offset of 1e9 leaves what depends on the order alone.
func TestOffset(t *testing.T) {
	x, y := []float64{1, 4, 6, 7}, []float64{2, 3, 5, 9, 10}
	far := func(v []float64) []float64 {
		out := make([]float64, len(v))
		for i := range v {
			out[i] = 1e9 + v[i]
		}
		return out
	}
	a, _ := MannWhitney(x, y)
	b, _ := MannWhitney(far(x), far(y))
	h, _ := HodgesLehmann(x, y, .95)
	g, _ := HodgesLehmann(far(x), far(y), .95)
	m, _ := BrunnerMunzel(x, y)
	k, _ := BrunnerMunzel(far(x), far(y))
	if a.P != b.P || h.Shift != g.Shift || h.CI != g.CI || m != k {
		t.Errorf("%+v %+v, %+v %+v, %+v %+v", a, b, h, g, m, k)
	}
}

func errOf[T any](_ T, err error) error { return err }

func BenchmarkMannWhitneyExact(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 5))
	x, y := sample(rng, 49, false), sample(rng, 49, false)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := MannWhitney(x, y); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMannWhitneyThousand(b *testing.B) {
	rng := rand.New(rand.NewPCG(6, 6))
	x, y := sample(rng, 1000, false), sample(rng, 1000, false)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := MannWhitney(x, y); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCliffsDeltaThousand(b *testing.B) {
	rng := rand.New(rand.NewPCG(6, 6))
	x, y := sample(rng, 1000, false), sample(rng, 1000, false)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := CliffsDelta(x, y); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHodgesLehmannThousand(b *testing.B) {
	rng := rand.New(rand.NewPCG(6, 6))
	x, y := sample(rng, 1000, false), sample(rng, 1000, false)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := HodgesLehmann(x, y, .95); err != nil {
			b.Fatal(err)
		}
	}
}

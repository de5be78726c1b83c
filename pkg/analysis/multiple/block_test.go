package multiple

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

var abc = []string{"A", "B", "C"}

// blocks draws b blocks of all treatments; keep says which trials survive.
func blocks(rng *rand.Rand, b int, levels []string, keep func() bool) []Observation {
	var out []Observation
	for i := range b {
		effect := 5 * rng.NormFloat64()
		for j, l := range levels {
			if y := 100 + effect + float64(j) + rng.NormFloat64(); keep() {
				out = append(out, Observation{"b" + strconv.Itoa(i), l, y})
			}
		}
	}
	return out
}

func always() bool { return true }

// Complete blocks of two are the paired t test.
func TestBlocksOfTwoArePairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		obs := blocks(rng, 3+rng.IntN(8), []string{"A", "B"}, always)
		var x, y []float64
		for i := 0; i < len(obs); i += 2 {
			y, x = append(y, obs[i].Y), append(x, obs[i+1].Y)
		}
		want, _ := analysis.PairedT(x, y)
		f, err := BlockAdjusted(obs, []string{"A", "B"})
		if err != nil {
			t.Fatal(err)
		}
		c := f.Contrasts[0]
		if !near(c.Estimate, want.Estimate, 1e-9) || !near(c.SE, want.SE, 1e-9) || !near(c.P, want.P, 1e-8) ||
			!near(c.PLess, want.PLess, 1e-8) || c.DF != want.DF || !near(f.F, want.T*want.T, 1e-8) || !near(f.P, want.P, 1e-8) {
			t.Fatalf("%+v, want %+v", f, want)
		}
	}
}

// One block is one-way analysis of variance.
func TestOneBlockIsANOVA(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	x := draw(rng, []int{4, 2, 5})
	var obs []Observation
	for i, g := range x {
		for _, v := range g {
			obs = append(obs, Observation{"only", abc[i], v})
		}
	}
	f, err := BlockAdjusted(obs, abc)
	a, err2 := OneWayANOVA(x)
	if err != nil || err2 != nil || !near(f.F, a.F, 1e-9) || !near(f.Sigma2, a.MSWithin, 1e-10) || f.DFResid != a.DFWithin ||
		!math.IsNaN(f.MSBlock) {
		t.Fatalf("%+v, %+v, %v %v", f, a, err, err2)
	}
}

// R 4.2.2: m <- lm(y ~ b + t, d); summary(m)$coefficients; anova(m), with every pair of three treatments in two of six
// blocks.
func TestIncompleteBlocksAgainstR(t *testing.T) {
	y := []float64{10.1, 11.2, 12.9, 12.2, 9.1, 10.4, 8.8, 9.9, 14.1, 13.2, 7.9, 8.7}
	tr := []string{"A", "B", "B", "C", "A", "C", "A", "B", "B", "C", "A", "C"}
	var obs []Observation
	for i, v := range y {
		obs = append(obs, Observation{strconv.Itoa(i / 2), tr[i], v})
	}
	f, err := BlockAdjusted(obs, abc)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct{ est, se, t, p float64 }{
		{1.349999999999997, 0.208166599946614, 6.48519022910598, 0.00291456797007913},
		{0.799999999999998, 0.208166599946614, 3.84307569132206, 0.01841109922425617},
	} {
		c := f.Contrasts[i]
		if !near(c.Estimate, want.est, 1e-12) || !near(c.SE, want.se, 1e-12) || !near(c.T, want.t, 1e-12) || !near(c.P, want.p, 1e-11) {
			t.Errorf("%+v, want %+v", c, want)
		}
	}
	if f.DFResid != 4 || !near(f.Sigma2, .065, 1e-12) || !near(f.F, 21.26923, 1e-6) || !near(f.P, .00738747, 1e-6) || !math.IsNaN(f.VarBlock) {
		t.Errorf("%+v", f)
	}
}

func TestBlockInvariance(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		obs := blocks(rng, 7, abc, func() bool { return rng.IntN(5) > 0 })
		a, err := BlockAdjusted(obs, abc)
		if err != nil {
			t.Fatal(err)
		}
		keep := slices.Clone(obs)
		moved := slices.Clone(obs)
		rng.Shuffle(len(moved), func(i, j int) { moved[i], moved[j] = moved[j], moved[i] })
		for i, o := range moved {
			shift := float64(len(o.Block)+int(o.Block[1])) * 1000 // block effects must not matter
			moved[i].Y = 3*o.Y + shift
		}
		b, err := BlockAdjusted(moved, abc)
		if err != nil || !near(a.F, b.F, 1e-7) || !near(3*a.Contrasts[1].Estimate, b.Contrasts[1].Estimate, 1e-7) {
			t.Fatalf("depends on order, scale or block effects: %+v, %+v, %v", a, b, err)
		}
		c, _ := BlockAdjusted(obs, []string{"C", "B", "A"})
		if !near(a.F, c.F, 1e-9) || !near(a.Contrasts[1].Estimate, -c.Contrasts[1].Estimate, 1e-9) ||
			!near(a.Contrasts[1].SE, c.Contrasts[1].SE, 1e-9) {
			t.Fatalf("depends on the baseline: %+v, %+v", a, c)
		}
		alone, _ := BlockAdjusted(append(slices.Clone(obs), Observation{"lone", "B", 1234}), abc)
		if !near(a.F, alone.F, 1e-8) || !near(a.Contrasts[0].Estimate, alone.Contrasts[0].Estimate, 1e-9) {
			t.Fatal("a block of one value changes the contrasts")
		}
		if !slices.Equal(obs, keep) {
			t.Fatal("input modified")
		}
	}
}

func TestBlockEdges(t *testing.T) {
	o := func(block, treatment string, y float64) Observation { return Observation{block, treatment, y} }
	pair := []Observation{o("1", "A", 1), o("1", "B", 2), o("2", "A", 3), o("2", "B", 5)}
	for _, c := range []struct {
		name   string
		obs    []Observation
		levels []string
		want   error
	}{
		{"nothing", nil, abc, analysis.ErrEmpty},
		{"NaN", append(slices.Clone(pair), o("3", "A", math.NaN())), abc[:2], analysis.ErrNonFinite},
		{"one level", pair, abc[:1], analysis.ErrBadParam},
		{"a level twice", pair, []string{"A", "B", "A"}, analysis.ErrBadParam},
		{"an unknown treatment", append(slices.Clone(pair), o("3", "X", 1)), abc[:2], analysis.ErrBadParam},
		{"a treatment that never occurs", pair, abc, analysis.ErrNotEstimable},
		{"no common block", append(slices.Clone(pair), o("3", "C", 1), o("3", "C", 2)), abc, analysis.ErrNotEstimable},
		{"no residual", pair[:2], abc[:2], analysis.ErrTooFew},
		{"a perfect fit", []Observation{o("1", "A", 10.1), o("1", "B", 10.2), o("2", "A", 20.1), o("2", "B", 20.2)}, abc[:2], analysis.ErrZeroVariance},
		{"constant", []Observation{o("1", "A", 1), o("1", "B", 1), o("2", "A", 1), o("2", "B", 1)}, abc[:2], analysis.ErrZeroVariance},
	} {
		if _, err := BlockAdjusted(c.obs, c.levels); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	// A and C share no block but B joins them.
	chain := []Observation{o("1", "A", 1), o("1", "B", 2), o("2", "B", 4), o("2", "C", 7), o("3", "A", 2), o("3", "B", 4), o("4", "B", 1), o("4", "C", 3)}
	if f, err := BlockAdjusted(chain, abc); err != nil || !near(f.Contrasts[1].Estimate, 1.5+2.5, 1e-12) {
		t.Errorf("chain: %+v, %v", f, err)
	}
	far := slices.Clone(pair)
	for i := range far {
		far[i].Y += 1e9
	}
	a, _ := BlockAdjusted(pair, abc[:2])
	if b, err := BlockAdjusted(far, abc[:2]); err != nil || !near(a.F, b.F, 1e-12) || !near(a.MSBlock, b.MSBlock, 1e-12) {
		t.Errorf("offset 1e9: %+v, %+v, %v", a, b, err)
	}
}

package changepoint

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

func generator() *rand.Rand { return rand.New(rand.NewPCG(11, 12)) }

// Reference: R 4.2.2, dynamic programming over
// cost <- function(v) length(v)*(log(2*pi) + log(mean((v-mean(v))^2)) + 1), penalty 3*log(26), segments of 2 or more.
func TestPELTMeanVarReference(t *testing.T) {
	x := []float64{10.21, 9.87, 10.05, 10.33, 9.76, 10.12, 9.95, 10.4, 12.9, 13.2, 12.7, 13.05, 12.85, 13.3, 12.95, 13.1,
		13.01, 12.2, 15.1, 11.3, 14.6, 10.9, 16.2, 12.4, 13.9, 11.8}
	r, err := PELTMeanVar(x, 3*math.Log(26), 2)
	if err != nil || !slices.Equal(r.Changes, []int{8, 17}) || math.Abs(r.Cost-46.652954061024317) > 1e-9 {
		t.Errorf("%+v %v", r, err)
	}
}

// Reference: R 4.2.2, d <- x-mean(x); k <- 3:9; b <- cumsum(d)[k]^2*(1/k+1/(12-k)): max(b)/sum(d^2) = 0.8 at k = 6;
// 199999 of replicate(sample(d)) gave P = 0.0021.
func TestSingleChangeReference(t *testing.T) {
	x := []float64{5, 6, 4, 5, 7, 6, 8, 9, 8, 10, 9, 9}
	r, err := SingleChange(x, 3, 20000, generator())
	if err != nil || r.At != 6 || math.Abs(r.R2-.8) > 1e-12 || math.Abs(r.P-.0021) > .0015 {
		t.Errorf("%+v %v", r, err)
	}
	if r.MeanBefore != 5.5 || math.Abs(r.MeanAfter-53./6) > 1e-12 {
		t.Errorf("means %v %v", r.MeanBefore, r.MeanAfter)
	}
}

// For few values the P of all orders can be counted: 2 of the 6 orders of 1, 2, 9 with minSegment 1 leave 9 inside.
func TestSingleChangeCountsTheSearch(t *testing.T) {
	r, err := SingleChange([]float64{1, 2, 9}, 1, 40000, generator())
	if err != nil || r.At != 2 || math.Abs(r.P-4./6) > .01 {
		t.Errorf("%+v %v", r, err)
	}
}

func TestShiftScaleReversal(t *testing.T) {
	rng := generator()
	for range 40 {
		x := stepped(rng, 60)
		keep := slices.Clone(x)
		moved, back := make([]float64, len(x)), slices.Clone(x)
		for i, v := range x {
			moved[i] = 4096*v + 1<<30
		}
		slices.Reverse(back)
		a, _ := PELTMean(x, 8, 3)
		b, _ := PELTMean(moved, 8*4096*4096, 3)
		c, _ := PELTMean(back, 8, 3)
		if !slices.Equal(a.Changes, b.Changes) || math.Abs(a.Cost-c.Cost) > 1e-8 {
			t.Fatalf("mean: %v, moved %v, reversed %v", a, b, c)
		}
		d, _ := PELTMeanVar(x, 20, 3)
		e, _ := PELTMeanVar(moved, 20, 3)
		if !slices.Equal(d.Changes, e.Changes) {
			t.Fatalf("mean and variance: %v, moved %v", d, e)
		}
		f, _ := MSER(x, 2)
		g, _ := MSER(moved, 2)
		if f.Cut != g.Cut {
			t.Fatalf("cut %d, moved %d", f.Cut, g.Cut)
		}
		h, _ := SingleChange(x, 3, 99, rand.New(rand.NewPCG(1, 1)))
		i, _ := SingleChange(moved, 3, 99, rand.New(rand.NewPCG(1, 1)))
		j, _ := SingleChange(back, 3, 9, generator())
		if h.At != i.At || h.P != i.P || math.Abs(h.R2-i.R2) > 1e-6 || j.At != len(x)-h.At {
			t.Fatalf("single: %+v, moved %+v, reversed %+v", h, i, j)
		}
		_, _ = Steady(append(x[:60:60], x...), .01)
		if !slices.Equal(x, keep) {
			t.Fatal("input modified")
		}
	}
}

func TestSegmentsRespectTheirMinimum(t *testing.T) {
	x := []float64{0, 0, 0, 50, 0, 0, 0, 9, 9, 9, 9}
	r, err := PELTMean(x, 1, 4)
	if err != nil {
		t.Fatal(err)
	}
	edges := slices.Concat([]int{0}, r.Changes, []int{len(x)})
	for i := 1; i < len(edges); i++ {
		if edges[i]-edges[i-1] < 4 {
			t.Errorf("segment of %d values in %v", edges[i]-edges[i-1], r.Changes)
		}
	}
	if short, err := PELTMean([]float64{0, 9, 0}, 1, 4); err != nil || len(short.Changes) != 0 || len(short.Means) != 1 {
		t.Errorf("short series: %+v %v", short, err)
	}
}

func TestErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	calls := map[string]func(x []float64) error{
		"mean":    func(x []float64) error { _, err := PELTMean(x, 1, 1); return err },
		"meanvar": func(x []float64) error { _, err := PELTMeanVar(x, 1, 2); return err },
		"mser":    func(x []float64) error { _, err := MSER(x, 1); return err },
		"steady":  func(x []float64) error { _, err := Steady(x, .01); return err },
		"single":  func(x []float64) error { _, err := SingleChange(x, 1, 9, generator()); return err },
	}
	for name, call := range calls {
		for _, c := range []struct {
			x    []float64
			want error
		}{{nil, num.ErrEmpty}, {[]float64{1, nan, 3}, num.ErrNonFinite}, {[]float64{1, inf, 3}, num.ErrNonFinite},
			{[]float64{1, 2, 4}, nil}, {[]float64{1e9, 1e9 + 1, 1e9 + 5}, nil}} {
			if err := call(c.x); !errors.Is(err, c.want) {
				t.Errorf("%s of %v: %v, want %v", name, c.x, err, c.want)
			}
		}
	}
	x := []float64{1, 2, 3, 4}
	for name, err := range map[string]error{
		"negative penalty": second(PELTMean(x, -1, 1)), "NaN penalty": second(PELTMean(x, nan, 1)),
		"infinite penalty": second(PELTMean(x, inf, 1)), "no segment": second(PELTMean(x, 1, 0)),
		"segments of one": second(PELTMeanVar(x, 1, 1)), "batch 0": second(MSER(x, 0)),
		"negative margin": second(Steady(x, -1)), "NaN margin": second(Steady(x, nan)),
		"no permutations": second(SingleChange(x, 1, 0, generator())), "no rng": second(SingleChange(x, 1, 9, nil)),
		"no minimum": second(SingleChange(x, 0, 9, generator())),
	} {
		if !errors.Is(err, num.ErrBadParam) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := second(SingleChange(x, 3, 9, generator())); !errors.Is(err, num.ErrTooFew) {
		t.Errorf("too few: %v", err)
	}
	if err := second(SingleChange([]float64{2, 2, 2}, 1, 9, generator())); !errors.Is(err, num.ErrZeroVariance) {
		t.Errorf("constant: %v", err)
	}
	if err := second(MSER([]float64{1, 2, 3}, 2)); !errors.Is(err, num.ErrTooFew) {
		t.Errorf("one batch: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestConstantSeries(t *testing.T) {
	x := slices.Repeat([]float64{.1}, 120)
	if r, err := PELTMean(x, 0, 1); err != nil || r.Cost != 0 || len(r.Changes) != 0 || r.Means[0] != .1 {
		t.Errorf("mean: %+v %v", r, err)
	}
	if r, err := PELTMeanVar(x, 0, 2); err != nil || !math.IsInf(r.Cost, -1) || len(r.Changes) != 0 {
		t.Errorf("mean and variance: %+v %v", r, err)
	}
	if r, err := Steady(x, 0); err != nil || r.Status != StatusSteady || r.Cut != 0 || r.LastShare != 1 {
		t.Errorf("steady: %+v %v", r, err)
	}
}

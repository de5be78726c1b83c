package power_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/power"
)

// Effects found and sample sizes are inverses of each other.
func TestDetectable(t *testing.T) {
	d, err := power.PairedDetectable(.01, 10, .05, .8)
	n, err2 := power.PairedSampleSize(d*1.0001, .01, .05, .8)
	if err != nil || err2 != nil || n != 10 {
		t.Errorf("%v %v: %d %v", d, err, n, err2)
	}
	if p, err := power.Paired(10, d, .01, .05); err != nil || math.Abs(p-.8) > 1e-9 {
		t.Errorf("%v %v", p, err)
	}
	w, err := power.WelchDetectable(.01, .01, 17, 17, .05, .8)
	if p, _ := power.Equal(17, w, .01, .05); err != nil || math.Abs(p-.8) > 1e-9 {
		t.Errorf("%v %v %v", w, p, err)
	}
	for n := 2; n < 40; n += 3 {
		m, err := power.EquivalenceMargin(.02, n, .05, .9)
		got, err2 := power.EquivalenceSampleSize(0, .02, m*1.00001, .05, .9)
		if err != nil || err2 != nil || got != n {
			t.Errorf("n=%d: margin %v %v gives %d %v", n, m, err, got, err2)
		}
		m, err = power.EquivalenceMarginEqual(.02, n, .05, .9)
		got, err2 = power.EquivalenceSampleSizeEqual(0, .02, m*1.00001, .05, .9)
		if err != nil || err2 != nil || got != n {
			t.Errorf("groups of %d: margin %v %v gives %d %v", n, m, err, got, err2)
		}
	}
}

// The size found has the power and one less has not, in any unit and for either sign of the effect.
func TestSampleSizeIsTheSmallest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		effect, sd := math.Exp(-5*rng.Float64()), math.Exp(-2*rng.Float64())
		scale := math.Exp(40*rng.Float64() - 20)
		for kind, f := range map[string]struct {
			size func(scale float64) (int, error)
			at   func(n int) (float64, error)
		}{
			"equal": {func(k float64) (int, error) { _, n, err := power.SampleSize(-k*effect, k*sd, .05, .8); return n, err },
				func(n int) (float64, error) { return power.Equal(n, effect, sd, .05) }},
			"paired": {func(k float64) (int, error) { return power.PairedSampleSize(-k*effect, k*sd, .05, .8) },
				func(n int) (float64, error) { return power.Paired(n, effect, sd, .05) }},
			"equivalent": {func(k float64) (int, error) { return power.EquivalenceSampleSize(-k*effect/4, k*sd, k*effect, .05, .8) },
				func(n int) (float64, error) { return power.TOST(n, effect/4, sd, effect, .05) }},
			"equivalent groups": {func(k float64) (int, error) {
				return power.EquivalenceSampleSizeEqual(k*effect/4, k*sd, k*effect, .05, .8)
			},
				func(n int) (float64, error) { return power.TOSTEqual(n, -effect/4, sd, effect, .05) }},
		} {
			n, err := f.size(1)
			scaled, err2 := f.size(scale)
			if err != nil || err2 != nil || n < 2 || n != scaled {
				t.Fatalf("%s: %d %v, scaled %d %v", kind, n, err, scaled, err2)
			}
			if p, err := f.at(n); err != nil || p < .8 {
				t.Errorf("%s: n=%d has power %v %v", kind, n, p, err)
			}
			if p, _ := f.at(n - 1); n > 2 && p >= .8 {
				t.Errorf("%s: n=%d suffices", kind, n-1)
			}
		}
	}
}

// At the margin the chance of a false "equivalent" is at most alpha, and without noise it is alpha itself.
func TestTOSTAtTheMargin(t *testing.T) {
	for n := 2; n <= 64; n *= 2 {
		p, err := power.TOST(n, 1, 1, 1, .05)
		if err != nil || p > .05+1e-12 {
			t.Errorf("n=%d: %v %v", n, p, err)
		}
		if p, err := power.TOST(n, -1, 1e-4, 1, .05); err != nil || math.Abs(p-.05) > 1e-9 {
			t.Errorf("n=%d, no noise: %v %v", n, p, err)
		}
	}
}

// The integrals agree with the tests themselves, simulated.
func TestPowerSimulated(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	const runs = 20000
	rng := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		n         int
		delta, sd float64
	}{{3, 0, .006}, {5, 0, .006}, {5, .004, .008}, {11, 0, .01}, {20, -.005, .01}} {
		equivalent, differ := 0, 0
		x, y := make([]float64, c.n), make([]float64, c.n)
		for range runs {
			for i := range x {
				x[i], y[i] = math.Exp(c.delta+c.sd*rng.NormFloat64()), 1
			}
			r, err := analysis.LogPairedT(x, y)
			if err != nil {
				t.Fatal(err)
			}
			if analysis.TOST(r, .01, .05).Equivalent {
				equivalent++
			}
			if r.P < .05 {
				differ++
			}
		}
		tost, err := power.TOST(c.n, c.delta, c.sd, math.Log1p(.01), .05)
		found, err2 := power.Paired(c.n, c.delta, c.sd, .05)
		for _, v := range []struct {
			hits int
			want float64
		}{{equivalent, tost}, {differ, found}} {
			if got := float64(v.hits) / runs; err != nil || err2 != nil || math.Abs(got-v.want) > 4*math.Sqrt(v.want*(1-v.want)/runs)+1e-4 {
				t.Errorf("%+v: %v simulated, %v computed (%v %v)", c, got, v.want, err, err2)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	second := func(_ float64, n int, err error) error { return err }
	only := func(_ float64, err error) error { return err }
	whole := func(_ int, err error) error { return err }
	for i, c := range []struct{ got, want error }{
		{second(power.SampleSize(0, 1, .05, .8)), analysis.ErrBadParam}, {second(power.SampleSize(nan, 1, .05, .8)), analysis.ErrNonFinite},
		{second(power.SampleSize(1, -1, .05, .8)), analysis.ErrBadParam}, {second(power.SampleSize(1, 1, 0, .8)), analysis.ErrBadParam},
		{second(power.SampleSize(1, 1, .05, 1)), analysis.ErrBadParam}, {second(power.SampleSize(1, 1, .05, .04)), analysis.ErrBadParam},
		{second(power.SampleSize(1e-6, 1, .05, .8)), analysis.ErrBadParam}, {second(power.SampleSizeOneTail(1, nan, .05, .8)), analysis.ErrNonFinite},
		{second(power.SampleSize(1, 1, nan, .8)), analysis.ErrNonFinite},
		{whole(power.PairedSampleSize(1, inf, .05, .8)), analysis.ErrNonFinite}, {only(power.Equal(1, 1, 1, .05)), analysis.ErrTooFew},
		{only(power.Welch(5, 5, inf, 1, 1, .05)), analysis.ErrNonFinite}, {only(power.Welch(5, 5, 1, 0, 1, .05)), analysis.ErrBadParam},
		{only(power.WelchOneTail(5, 1, 1, 1, 1, .05)), analysis.ErrTooFew}, {only(power.Paired(5, 1, 1, 1)), analysis.ErrBadParam},
		{only(power.TOST(5, 0, 1, 0, .05)), analysis.ErrBadParam}, {only(power.TOST(5, 0, 1, 1, .5)), analysis.ErrBadParam},
		{only(power.TOSTEqual(1, 0, 1, 1, .05)), analysis.ErrTooFew}, {whole(power.EquivalenceSampleSize(1, 1, 1, .05, .8)), analysis.ErrBadParam},
		{whole(power.EquivalenceSampleSize(0, 1, 1, .05, .01)), analysis.ErrBadParam}, {whole(power.EquivalenceSampleSize(0, 1, nan, .05, .8)), analysis.ErrNonFinite},
		{whole(power.EquivalenceSampleSize(0, 1, 1e-7, .05, .8)), analysis.ErrBadParam},
		{only(power.EquivalenceMargin(1, 1, .05, .8)), analysis.ErrTooFew}, {only(power.EquivalenceMargin(1, 5, .05, 0)), analysis.ErrBadParam},
		{only(power.PairedDetectable(.01, 1, .05, .8)), analysis.ErrTooFew}, {only(power.PairedDetectable(0, 5, .05, .8)), analysis.ErrBadParam},
		{only(power.WelchDetectable(1, 1, 5, 1, .05, .8)), analysis.ErrTooFew}, {only(power.WelchDetectable(1, nan, 5, 5, .05, .8)), analysis.ErrNonFinite},
		{only(power.SDUpperLimit(nan, 5, .9)), analysis.ErrNonFinite}, {only(power.SDUpperLimit(-1, 5, .9)), analysis.ErrBadParam},
		{only(power.SDUpperLimit(1, 1, .9)), analysis.ErrTooFew}, {only(power.SDUpperLimit(1, 5, 1)), analysis.ErrBadParam},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("case %d: %v, want %v", i, c.got, c.want)
		}
	}
	if _, _, err := power.WelchNoncentrality(1, 2, 1, 1, 1); !errors.Is(err, analysis.ErrTooFew) {
		t.Error(err)
	}
	if sd, err := power.SDUpperLimit(0, 5, .9); err != nil || sd != 0 {
		t.Error(sd, err)
	}
}

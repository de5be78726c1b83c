package percentile

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

var (
	xTrials = [][]float64{{1, 2, 3, 4, 10}, {2, 2.5, 3, 5, 12}, {1.5, 2, 2.75, 4, 9.5}}
	yTrials = [][]float64{{1.2, 2.2, 3.5, 4.1, 11}, {2, 2.6, 3.1, 5.5, 14}, {1.4, 2.3, 3, 4.4, 9}}
)

// R 4.2.2: q <- sapply(x, quantile, .9); q; exp(mean(log(q))); exp(t.test(log(q))$conf.int)
func TestPerTrialAgainstR(t *testing.T) {
	e, err := PerTrial(xTrials, .9, .95)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{7.6, 9.2, 7.3} {
		if !near(e.Quantiles[i], want, 1e-12) {
			t.Errorf("trial %d: %v, want %v", i+1, e.Quantiles[i], want)
		}
	}
	if !near(e.GeometricMean, 7.99174147753447, 1e-12) || !near(e.CI.Low, 5.8791389216919363, 1e-9) || !near(e.CI.High, 10.8634840398301957, 1e-9) {
		t.Errorf("%+v", e)
	}
}

// R 4.2.2: qx <- sapply(x, quantile, 1:9/10); qy likewise;
// p <- sapply(1:9, function(j) t.test(log(qx[j,]), log(qy[j,]), paired=TRUE)$p.value); p.adjust(p, "holm")
// exp(mean(log(qx[j,]) - log(qy[j,]))); exp(t.test(log(qx[9,]), log(qy[9,]), paired=TRUE, conf.level=1-.05/9)$conf.int)
func TestShiftAgainstR(t *testing.T) {
	ratio := []float64{0.93980912262810923, 0.92074620344207525, 0.91211289799382744, 0.91209085056880723, 0.91272806253014205,
		0.91924811284123853, 0.92689291732133472, 0.93162886398128064, 0.93452887953311803}
	for _, c := range []struct {
		blocked     bool
		p, adjusted []float64
	}{
		{true, []float64{0.227199930538724, 0.080270251717414032, 0.078732834993411716, 0.091414771656865443, 0.12141531804091157,
			0.011455236927277667, 0.036636199477964766, 0.095874498604745464, 0.28593955436558732},
			[]float64{0.55112984495388195, 0.55112984495388195, 0.55112984495388195, 0.55112984495388195, 0.55112984495388195,
				0.103097132345499, 0.29308959582371813, 0.55112984495388195, 0.55112984495388195}},
		{false, []float64{0.72678943741243374, 0.49525728021576665, 0.26748788927044559, 0.13103809423318108, 0.18700418024160373,
			0.23708619068466363, 0.48172426499609211, 0.59097083186641286, 0.6474741225623819}, []float64{1, 1, 1, 1, 1, 1, 1, 1, 1}},
	} {
		d, err := Shift(xTrials, yTrials, ShiftOptions{Blocked: c.blocked, Level: .95})
		if err != nil || len(d) != DecileCount {
			t.Fatal(d, err)
		}
		for j := range d {
			if !near(d[j].Ratio, ratio[j], 1e-12) || !near(d[j].P, c.p[j], 1e-9) || !near(d[j].PAdjusted, c.adjusted[j], 1e-9) || !near(d[j].Q, float64(j+1)/10, 1e-12) {
				t.Errorf("blocked %v: %+v", c.blocked, d[j])
			}
		}
		if c.blocked && (!near(d[8].CI.Low, 0.49912851171225697, 1e-9) || !near(d[8].CI.High, 1.74973820606926189, 1e-9)) {
			t.Errorf("%+v", d[8])
		}
	}
}

// trialsOf draws n trials of 500 requests with their own speed, those beyond the median slower by tail.
func trialsOf(rng *rand.Rand, n int, tail float64) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		speed := math.Exp(.02 * rng.NormFloat64())
		for range 500 {
			z := rng.NormFloat64()
			v := speed * math.Exp(.4*z)
			if z > .5 {
				v *= tail
			}
			out[i] = append(out[i], v)
		}
	}
	return out
}

// A slow tail shows at the upper deciles only; equal targets show nothing more often than one family in 20.
func TestShiftFindsTheTail(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	d, err := Shift(trialsOf(rng, 10, 1.5), trialsOf(rng, 10, 1), ShiftOptions{Blocked: true, Level: .95})
	if err != nil {
		t.Fatal(err)
	}
	for j, s := range d {
		if tail := j >= 7; tail != (s.PAdjusted < .05 && s.Ratio > 1.2) || s.CI.Low > s.Ratio || s.CI.High < s.Ratio {
			t.Errorf("%+v", s)
		}
	}
	families := 0
	for range 100 {
		d, err := Shift(trialsOf(rng, 5, 1), trialsOf(rng, 5, 1), ShiftOptions{Level: .95})
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(d, func(s DecileShift) bool { return s.PAdjusted <= .05 }) {
			families++
		}
	}
	if families > 12 {
		t.Errorf("%d of 100 families of equal targets differ", families)
	}
}

func TestShiftSymmetry(t *testing.T) {
	for _, blocked := range []bool{true, false} {
		o := ShiftOptions{Blocked: blocked, Level: .9}
		a, err := Shift(xTrials, yTrials, o)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Shift(yTrials, xTrials, o)
		if err != nil {
			t.Fatal(err)
		}
		for j := range a {
			if !near(a[j].Ratio*b[j].Ratio, 1, 1e-12) || !near(a[j].PAdjusted, b[j].PAdjusted, 1e-9) || !near(a[j].CI.Low*b[j].CI.High, 1, 1e-9) {
				t.Errorf("%+v\n%+v", a[j], b[j])
			}
		}
	}
}

func TestShiftErrors(t *testing.T) {
	nan, one, zero := math.NaN(), [][]float64{{1, 2}}, [][]float64{{1, 2}, {0, 1}}
	same := [][]float64{{1, 2}, {1, 2}}
	for name, c := range map[string]struct {
		x, y [][]float64
		o    ShiftOptions
		err  error
	}{
		"no trials": {nil, nil, ShiftOptions{Level: .95}, num.ErrEmpty}, "one trial": {one, one, ShiftOptions{Level: .95}, num.ErrTooFew},
		"empty trial":    {[][]float64{{}, {1}}, xTrials, ShiftOptions{Level: .95}, num.ErrEmpty},
		"nan":            {xTrials, [][]float64{{nan}, {1}}, ShiftOptions{Level: .95}, num.ErrNonFinite},
		"zero latency":   {zero, same, ShiftOptions{Level: .95}, num.ErrNonPositive},
		"unlike blocks":  {xTrials, same, ShiftOptions{Level: .95, Blocked: true}, num.ErrLengthMismatch},
		"level":          {xTrials, yTrials, ShiftOptions{}, num.ErrBadParam},
		"no spread":      {same, same, ShiftOptions{Level: .95, Blocked: true}, num.ErrZeroVariance},
		"bad resolution": {same, same, ShiftOptions{Level: .95, Resolution: -1}, num.ErrBadParam},
		"resolution":     {same, same, ShiftOptions{Level: .95, Blocked: true, Resolution: .01}, nil},
		"resolution, w":  {same, same, ShiftOptions{Level: .95, Resolution: .01}, nil},
	} {
		if _, err := Shift(c.x, c.y, c.o); !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want %v", name, err, c.err)
		}
	}
	for _, bad := range [][2][][]float64{{same, same}, {xDeciles(t), same}} {
		if _, err := CompareDeciles(bad[0], bad[1], ShiftOptions{Level: .95}); !errors.Is(err, num.ErrLengthMismatch) {
			t.Error(err)
		}
	}
}

func xDeciles(t *testing.T) [][]float64 {
	t.Helper()
	out := make([][]float64, len(xTrials))
	for i, trial := range xTrials {
		d, err := Deciles(trial)
		if err != nil {
			t.Fatal(err)
		}
		out[i] = d
	}
	return out
}

func TestPerTrialEdges(t *testing.T) {
	fine := [][]float64{{1, 2}, {2, 3}}
	for name, c := range map[string]struct {
		trials   [][]float64
		q, level float64
		err      error
	}{
		"none": {nil, .5, .95, num.ErrEmpty}, "empty trial": {[][]float64{{1}, {}}, .5, .95, num.ErrEmpty},
		"nan": {[][]float64{{math.NaN()}}, .5, .95, num.ErrNonFinite}, "inf": {[][]float64{{math.Inf(1)}}, .5, .95, num.ErrNonFinite},
		"zero": {[][]float64{{0, 1}}, .5, .95, num.ErrNonPositive}, "quantile": {fine, 1.1, .95, num.ErrBadParam},
		"quantile nan": {fine, math.NaN(), .95, num.ErrBadParam}, "level": {fine, .5, 1, num.ErrBadParam}, "ends": {fine, 1, .95, nil},
	} {
		if _, err := PerTrial(c.trials, c.q, c.level); !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want %v", name, err, c.err)
		}
	}
	e, err := PerTrial([][]float64{{3, 1, 2}}, .5, .95)
	if err != nil || e.GeometricMean != math.Exp(math.Log(2)) || !math.IsNaN(e.CI.Low) || !math.IsNaN(e.CI.High) {
		t.Errorf("%+v, %v", e, err)
	}
	e, err = PerTrial([][]float64{{5}, {5}, {5}}, .99, .95)
	if err != nil || !near(e.CI.Low, 5, 1e-12) || !near(e.CI.High, 5, 1e-12) {
		t.Errorf("%+v, %v", e, err)
	}
	// The unit scales everything; the order of requests does not matter and the input stays as it is.
	trials := [][]float64{{3, 1, 2}, {5, 4, 1}}
	a, _ := PerTrial(trials, .5, .95)
	b, err := PerTrial([][]float64{{1000, 2000, 3000}, {4000, 1000, 5000}}, .5, .95)
	if err != nil || !near(b.GeometricMean, 1000*a.GeometricMean, 1e-12) || !near(b.CI.High, 1000*a.CI.High, 1e-9) || trials[0][0] != 3 {
		t.Errorf("%+v %+v, %v", a, b, err)
	}
}

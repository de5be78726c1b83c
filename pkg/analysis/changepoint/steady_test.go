package changepoint

import (
	"math"
	"testing"
)

// course draws n counts per interval around level(i/n), with 3 % noise.
func course(n int, level func(share float64) float64) []float64 {
	rng := generator()
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Round(level(float64(i)/float64(n)) * (1 + .03*rng.NormFloat64()))
	}
	return x
}

// gusty draws n values that fall by 2 % after 40 %. Part of the noise is common to five neighbours, so that the step is
// small compared with batch means and MSER does not cut the first part off.
func gusty(n int) []float64 {
	rng := generator()
	x, gust := make([]float64, n), 0.0
	for i := range x {
		if i%steadyBatch == 0 {
			gust = 15 * rng.NormFloat64()
		}
		x[i] = 1000 + gust + 20*rng.NormFloat64()
		if 5*i < 2*n {
			x[i] += 20
		}
	}
	return x
}

func TestSteady(t *testing.T) {
	flat := func(float64) float64 { return 1000 }
	after := func(at, before, then float64) func(float64) float64 {
		return func(s float64) float64 {
			if s < at {
				return before
			}
			return then
		}
	}
	for _, c := range []struct {
		name   string
		x      []float64
		status Status
		reason Reason
		cut    bool // some warm-up is cut
	}{
		{"flat", course(300, flat), StatusSteady, ReasonNone, false},
		{"99 intervals", course(99, flat), StatusTooShort, ReasonNone, false},
		{"cold start", course(300, after(.1, 600, 1000)), StatusSteady, ReasonNone, true},
		{"slow start of the whole trial", course(300, func(s float64) float64 { return 500 + 500*s }),
			StatusNotSteady, ReasonLimit, true},
		{"slowdown at 75 %", course(300, after(.75, 1000, 800)), StatusNotSteady, ReasonLateShift, false},
		{"small step at 40 %", gusty(1500), StatusNotSteady, ReasonLevels, false},
	} {
		r, err := Steady(c.x, .01)
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != c.status || r.Reason != c.reason {
			t.Errorf("%s: %+v, want %s %q", c.name, r, c.status, c.reason)
		}
		if c.cut && r.Cut == 0 {
			t.Errorf("%s: nothing cut", c.name)
		}
		if c.status == StatusTooShort && !math.IsNaN(r.LastShare) {
			t.Errorf("%s: last share %v", c.name, r.LastShare)
		}
	}
}

// A change that is smaller than the margin leaves the series steady.
func TestSteadyWithinMargin(t *testing.T) {
	x := gusty(1500)
	for margin, want := range map[float64]Status{.01: StatusNotSteady, .03: StatusSteady} {
		r, err := Steady(x, margin)
		if err != nil || r.Status != want {
			t.Errorf("margin %v: %+v %v, want %s", margin, r, err, want)
		}
	}
}

func TestLargestDifference(t *testing.T) {
	for _, c := range []struct {
		means []float64
		want  float64
	}{{[]float64{5}, 0}, {[]float64{0, 0}, 0}, {[]float64{1, 0}, math.Inf(1)}, {[]float64{9, 12, 10}, .2}} {
		if got := largestDifference(c.means); math.Abs(got-c.want) > 1e-12 && got != c.want {
			t.Errorf("%v: %v, want %v", c.means, got, c.want)
		}
	}
}

// Clean series are called steady: of 150 at most a few are not (about 2.5 % by the limit of MSER at 100 intervals,
// 0.1 % at 300). The bounds leave more than 4 standard errors.
func TestSteadyFalseAlarms(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	rng := generator()
	for n, most := range map[int]int{100: 13, 300: 3} {
		alarms := 0
		for range 150 {
			x := make([]float64, n)
			for i := range x {
				x[i] = 1000 + 30*rng.NormFloat64()
			}
			r, err := Steady(x, .01)
			if err != nil {
				t.Fatal(err)
			}
			if r.Status != StatusSteady {
				alarms++
			}
		}
		if alarms > most {
			t.Errorf("%d intervals: %d of 150 clean series not steady", n, alarms)
		}
	}
}

// Under H0 the P of SingleChange is below 5 % in 5 % of samples: 400 samples, 4 standard errors.
func TestSingleChangeLevel(t *testing.T) {
	rng := generator()
	alarms := 0
	for range 400 {
		x := make([]float64, 12)
		for i := range x {
			x[i] = rng.ExpFloat64()
		}
		r, err := SingleChange(x, 3, 199, rng)
		if err != nil {
			t.Fatal(err)
		}
		if r.P <= .05 {
			alarms++
		}
	}
	if alarms > 38 || alarms < 5 {
		t.Errorf("%d of 400 with P <= .05, want about 20", alarms)
	}
}

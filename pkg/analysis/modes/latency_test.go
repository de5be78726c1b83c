package modes

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// lognormalTrial draws n latencies around 10 ms with the given sd of ln, a share of them times factor, each rounded.
func lognormalTrial(rng *rand.Rand, n int, sd, share, factor float64, round func(float64) float64) []Weighted {
	out := make([]Weighted, n)
	for i := range out {
		v := 10 * math.Exp(sd*rng.NormFloat64())
		if rng.Float64() < share {
			v = 10 * factor * math.Exp(.15*rng.NormFloat64())
		}
		out[i] = Weighted{round(v), 1}
	}
	return out
}

// toDigits rounds to significant digits.
func toDigits(digits int) func(float64) float64 {
	return func(v float64) float64 {
		q := math.Pow(10, float64(digits-1)-math.Floor(math.Log10(v)))
		return math.Round(v*q) / q
	}
}

// toStep rounds to a multiple of the step, at least one.
func toStep(step float64) func(float64) float64 {
	return func(v float64) float64 { return max(1, math.Round(v/step)) * step }
}

func hdr(v float64) float64 {
	us := int64(v * 1000)
	size := int64(1)
	for us/size >= 2048 {
		size *= 2
	}
	return (float64(us/size*size) + float64(size)/2) / 1000
}

var roundings = map[string]func(float64) float64{
	"exact": func(v float64) float64 { return v }, "3 digits": toDigits(3), "2 digits": toDigits(2), "0.1 ms": toStep(.1),
	"1 ms": toStep(1), "hdr": hdr,
}

// One lognormal mode stays one mode, however the clock rounds, where a dip test rejects.
func TestOneLognormalModeStaysOne(t *testing.T) {
	for name, round := range roundings {
		for _, sd := range []float64{.2, .5, 1} {
			rng := rand.New(rand.NewPCG(3, uint64(sd*100)))
			for _, n := range []int{1000, 10000} {
				trials := make([][]Weighted, 5)
				for i := range trials {
					trials[i] = lognormalTrial(rng, n, sd, 0, 1, round)
				}
				r, err := LatencyModes(trials)
				if err != nil || r.Confirmed != 1 || len(r.Modes) != 1 || r.Modes[0].Mass < .999 {
					t.Errorf("%s, sd %v, n %d: %+v, %v", name, sd, n, r, err)
				}
			}
		}
	}
}

// A second mode of 5 % is found wherever it is set apart, with its mass.
func TestSecondModeIsFound(t *testing.T) {
	for name, round := range roundings {
		rng := rand.New(rand.NewPCG(5, 6))
		found, sessions := 0, 20
		for range sessions {
			trials := make([][]Weighted, 5)
			for i := range trials {
				trials[i] = lognormalTrial(rng, 4000, .25, .05, 4, round)
			}
			r, err := LatencyModes(trials)
			if err != nil {
				t.Fatal(err)
			}
			if r.Confirmed != 2 || len(r.Modes) != 2 {
				continue
			}
			found++
			m := r.Modes[1]
			if math.Abs(m.Mass-.05) > .01 || m.MassCI.Low > m.Mass || m.MassCI.High < m.Mass || math.Abs(m.Location-40) > 6 {
				t.Errorf("%s: second mode %+v", name, m)
			}
			if math.Abs(r.Modes[0].Location-10) > 1.5 {
				t.Errorf("%s: first mode %+v", name, r.Modes[0])
			}
		}
		if found < sessions*9/10 {
			t.Errorf("%s: two modes in %d of %d sessions", name, found, sessions)
		}
	}
}

// A mode that only some trials have is a candidate, not confirmed; so is a latency that jumps between trials.
func TestModeOfFewTrialsIsNotConfirmed(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	trials := make([][]Weighted, 10)
	for i := range trials {
		share := 0.0
		if i < 5 {
			share = .1
		}
		trials[i] = lognormalTrial(rng, 3000, .25, share, 4, toDigits(3))
	}
	r, err := LatencyModes(trials)
	if err != nil || len(r.Modes) != 2 || r.Confirmed != 1 || r.Modes[1].Trials != 5 || r.Modes[1].Confirmed || r.Modes[0].Trials != 10 {
		t.Errorf("%+v, %v", r, err)
	}
}

// Below one per cent there is no mode.
func TestTinyModeIsIgnored(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	trials := make([][]Weighted, 5)
	for i := range trials {
		trials[i] = lognormalTrial(rng, 10000, .25, .005, 6, toDigits(3))
	}
	if r, err := LatencyModes(trials); err != nil || len(r.Modes) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestLatencyModesInvariances(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	trials := make([][]Weighted, 5)
	for i := range trials {
		trials[i] = lognormalTrial(rng, 2000, .3, .2, 5, toDigits(3))
	}
	r, err := LatencyModes(trials)
	if err != nil || r.Confirmed != 2 {
		t.Fatal(r, err)
	}
	// Neither the order of requests nor that of trials, nor adding up equal values, changes anything.
	grouped := make([][]Weighted, 5)
	for i, trial := range trials {
		before := slices.Clone(trial)
		counts := map[float64]int64{}
		for _, w := range trial {
			counts[w.Value] += w.Count
		}
		for v, c := range counts {
			grouped[4-i] = append(grouped[4-i], Weighted{v, c}, Weighted{v * 3, 0})
		}
		if !slices.Equal(before, trial) {
			t.Error("input changed")
		}
	}
	g, err := LatencyModes(grouped)
	if err != nil || len(g.Modes) != len(r.Modes) {
		t.Fatal(g, err)
	}
	for i, m := range g.Modes {
		w := r.Modes[i]
		if m.Trials != w.Trials || math.Abs(m.Mass-w.Mass) > 1e-12 || math.Abs(m.Location-w.Location) > 1e-9*w.Location ||
			math.Abs(m.MassCI.Low-w.MassCI.Low) > 1e-12 {
			t.Errorf("%+v, want %+v", m, w)
		}
	}
	// A change of unit by whole decades moves the locations only.
	for i := range trials {
		for j := range trials[i] {
			trials[i][j].Value *= 1000
		}
	}
	u, err := LatencyModes(trials)
	if err != nil || u.Confirmed != 2 || math.Abs(u.Modes[1].Location/r.Modes[1].Location-1000) > .01 {
		t.Error(u, err)
	}
}

func TestLatencyModesEdges(t *testing.T) {
	one := [][]Weighted{{{5, 3}}}
	for name, c := range map[string]struct {
		trials [][]Weighted
		err    error
	}{
		"no trials": {nil, num.ErrEmpty}, "empty trial": {[][]Weighted{{{1, 1}}, {}}, num.ErrEmpty},
		"only zero counts": {[][]Weighted{{{1, 0}}}, num.ErrEmpty}, "negative count": {[][]Weighted{{{1, -1}}}, num.ErrBadParam},
		"nan": {[][]Weighted{{{math.NaN(), 1}}}, num.ErrNonFinite}, "inf": {[][]Weighted{{{math.Inf(1), 1}}}, num.ErrNonFinite},
		"zero": {[][]Weighted{{{0, 1}}}, num.ErrNonPositive}, "one value": {one, nil},
		"too short": {[][]Weighted{{{5e-324, 1}}}, num.ErrOutOfRange}, "too long": {[][]Weighted{{{1e300, 1}}}, num.ErrOutOfRange},
	} {
		if _, err := LatencyModes(c.trials); !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want %v", name, err, c.err)
		}
	}
	r, err := LatencyModes(one)
	if err != nil || len(r.Modes) != 1 || r.Modes[0].Low != 5 || r.Modes[0].High != 5 || r.Modes[0].Mass != 1 || math.Abs(r.Modes[0].Location-5) > .3 {
		t.Errorf("%+v, %v", r, err)
	}
	// Two values far apart are two modes, not one wide quantum; one trial has no interval.
	r, err = LatencyModes([][]Weighted{{{1, 700}, {100, 300}}})
	if err != nil || len(r.Modes) != 2 || math.Abs(r.Modes[0].Mass-.7) > 1e-12 || !math.IsNaN(r.Modes[0].MassCI.Low) {
		t.Errorf("%+v, %v", r, err)
	}
	// Whole milliseconds from 1 up: steps of the clock are no modes.
	r, err = LatencyModes([][]Weighted{{{1, 50}, {2, 40}, {3, 25}, {4, 15}, {5, 8}, {6, 4}}})
	if err != nil || len(r.Modes) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	// Extreme latencies and counts.
	if _, err = LatencyModes([][]Weighted{{{1e-6, 1 << 40}, {1e9, 1}}}); err != nil {
		t.Error(err)
	}
}

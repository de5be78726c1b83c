package trend

import (
	"math"
	"math/rand/v2"
	"testing"
)

// rate returns how often found says yes for 2000 samples that draw fills.
func rate(n int, draw func(rng *rand.Rand, x []float64), found func(x []float64) bool) float64 {
	const samples = 2000
	rng := generator()
	x := make([]float64, n)
	hits := 0
	for range samples {
		draw(rng, x)
		if found(x) {
			hits++
		}
	}
	return float64(hits) / samples
}

func independent(rng *rand.Rand, x []float64) {
	for i := range x {
		x[i] = rng.NormFloat64()
	}
}

// drifting rises by 2 sd from the first value to the last.
func drifting(rng *rand.Rand, x []float64) {
	for i := range x {
		x[i] = rng.NormFloat64() + 2*float64(i)/float64(len(x)-1)
	}
}

// autoregressive is a stationary AR(1) series with coefficient .5.
func autoregressive(rng *rand.Rand, x []float64) {
	for i := range x {
		if i == 0 {
			x[i] = rng.NormFloat64() / math.Sqrt(.75)
			continue
		}
		x[i] = .5*x[i-1] + rng.NormFloat64()
	}
}

func slopeFound(x []float64) bool {
	times := make([]float64, len(x))
	for i := range times {
		times[i] = float64(i)
	}
	r, err := Slope(times, x)
	return err == nil && r.P < .05
}

func kendallFound(x []float64) bool {
	r, err := MannKendall(x)
	return err == nil && r.P < .05
}

func serialFound(x []float64) bool {
	r, err := VonNeumann(x)
	return err == nil && r.PPositive < .05
}

// The powers that the doc comments state, and 5 % without an effect: 2000 samples each, so .01 is one standard error.
func TestPower(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	for _, c := range []struct {
		name  string
		draw  func(*rand.Rand, []float64)
		found func([]float64) bool
		want  map[int]float64
	}{
		{"slope, drift", drifting, slopeFound, map[int]float64{5: .20, 10: .43, 20: .73, 30: .89}},
		{"slope, steady", independent, slopeFound, map[int]float64{5: .05, 10: .05, 30: .05}},
		{"Mann-Kendall, drift", drifting, kendallFound, map[int]float64{10: .39, 20: .70, 30: .85}},
		{"von Neumann, AR(1)", autoregressive, serialFound, map[int]float64{10: .34, 20: .63, 30: .81}},
		{"von Neumann, independent", independent, serialFound, map[int]float64{10: .05, 20: .05, 30: .05}},
	} {
		for n, want := range c.want {
			got := rate(n, c.draw, c.found)
			if math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/2000)+.005 {
				t.Errorf("%s, n = %d: %.3f, want %.2f", c.name, n, got, want)
			}
		}
	}
}

// CUSUM's p-value is below 5 % in at most 5 % of steady series, for skewed values too.
func TestCUSUMLevel(t *testing.T) {
	rng := generator()
	hits := 0
	for range 400 {
		x := make([]float64, 12)
		for i := range x {
			x[i] = rng.ExpFloat64()
		}
		r, err := CUSUM(x, 199, rng)
		if err != nil {
			t.Fatal(err)
		}
		if r.P <= .05 {
			hits++
		}
	}
	if hits < 5 || hits > 38 {
		t.Errorf("%d of 400 with P <= .05, want about 20", hits)
	}
}

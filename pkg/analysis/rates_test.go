package analysis

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestTierRates simulates the rule before the order check: proven or order-unclear.
func TestTierRates(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	const runs = 2000
	rng := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		n    int
		sep  float64
		want float64
	}{{5, 0, .01}, {10, 0, .01}, {20, 0, .007}, {5, 40, .58}, {10, 40, .95}, {10, 6, .54}} {
		hit := 0
		for range runs {
			x := normals(rng, c.n, 1000, 1)
			for i := range x {
				if rng.Float64() < .4 {
					x[i] -= c.sep
				}
			}
			r, err := Tiers(x, 0)
			if err != nil {
				t.Fatal(err)
			}
			if r.Status == TiersProven || r.Status == TiersOrderUnclear {
				hit++
			}
		}
		got := float64(hit) / runs
		if math.Abs(got-c.want) > 4*math.Sqrt(c.want*(1-c.want)/runs)+.01 {
			t.Errorf("n=%d sep=%v: fires in %v, want %v", c.n, c.sep, got, c.want)
		}
	}
}

func TestSmallResults(t *testing.T) {
	if q, err := Quantile([]float64{4, 1, 3, 2}, .5); err != nil || q != 2.5 {
		t.Error(q, err)
	}
	if r, err := PositionEffect([]float64{1, 2}, []float64{2, 3}); err != nil || r.Estimate != -1 {
		t.Error(r, err)
	}
	if r, err := LogWelchTResolution([]float64{2, 2}, []float64{1, 1}, .001); err != nil || r.SE <= 0 {
		t.Error(r, err)
	}
}

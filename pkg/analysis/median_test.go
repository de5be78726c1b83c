package analysis_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

// TestMedianInterval holds R 4.2.2's k <- qbinom((1-level)/2, n, .5) and 1-2*pbinom(k-1, n, .5).
func TestMedianInterval(t *testing.T) {
	for _, c := range []struct {
		n        int
		level    float64
		rank     int
		achieved float64
	}{
		{6, .95, 1, .96875}, {7, .95, 1, .984375}, {8, .95, 1, .9921875}, {10, .95, 2, .978515625}, {20, .95, 6, 0.95861053466796875},
		{50, .95, 18, 0.96716086243573141}, {101, .95, 41, 0.95395593307065718}, {8, .99, 1, .9921875},
		{10, .99, 1, .998046875}, {20, .99, 4, 0.99742317199707031}, {50, .99, 16, 0.99339955203318908},
		{6, .96875, 1, .96875}, // the level itself is within reach
	} {
		x := make([]float64, c.n)
		for i := range x {
			x[(i*7)%c.n] = float64(i + 1) // any order
		}
		if c.n%7 == 0 {
			for i := range x {
				x[i] = float64(c.n - i)
			}
		}
		r, err := analysis.MedianInterval(x, c.level)
		if err != nil || r.Rank != c.rank || !near(r.Achieved, c.achieved, 1e-12) || r.CI.Low != float64(c.rank) ||
			r.CI.High != float64(c.n+1-c.rank) || r.Median != float64(c.n+1)/2 || r.CI.Level != c.level {
			t.Errorf("n=%d level=%v: %+v %v", c.n, c.level, r, err)
		}
	}
}

func TestMedianIntervalTooFew(t *testing.T) {
	for _, c := range []struct {
		n     int
		level float64
		need  string
	}{{1, .95, "need 6 "}, {5, .95, "need 6 "}, {7, .99, "need 8 "}, {3, .9, "need 5 "}} {
		x := make([]float64, c.n)
		for i := range x {
			x[i] = float64(i)
		}
		r, err := analysis.MedianInterval(x, c.level)
		if !errors.Is(err, analysis.ErrTooFew) || !strings.Contains(err.Error(), c.need) {
			t.Errorf("n=%d: %v", c.n, err)
		}
		if !math.IsNaN(r.CI.Low) || !math.IsNaN(r.CI.High) || !math.IsNaN(r.Achieved) || r.Rank != 0 || r.Median != float64(c.n-1)/2 {
			t.Errorf("n=%d: %+v", c.n, r)
		}
	}
}

// The interval is distribution-free: its coverage of the median of an exponential law is the one it reports.
func TestMedianIntervalCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	rng := rand.New(rand.NewPCG(11, 12))
	const runs = 4000
	for _, n := range []int{6, 9, 25} {
		hit, achieved := 0, 0.0
		for range runs {
			x := make([]float64, n)
			for i := range x {
				x[i] = rng.ExpFloat64()
			}
			r, err := analysis.MedianInterval(x, .95)
			if err != nil {
				t.Fatal(err)
			}
			achieved = r.Achieved
			if r.CI.Low <= math.Ln2 && math.Ln2 <= r.CI.High {
				hit++
			}
		}
		if share := float64(hit) / runs; math.Abs(share-achieved) > 4*math.Sqrt(achieved*(1-achieved)/runs) {
			t.Errorf("n=%d: covers in %v, claims %v", n, share, achieved)
		}
	}
}

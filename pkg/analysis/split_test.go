package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// bestByTrying looks at every division into two groups, contiguous or not.
func bestByTrying(x []float64, minSide int) float64 {
	total, best := spread(x), 0.0
	for set := range 1 << len(x) {
		var a, b []float64
		for i, v := range x {
			if set>>i&1 == 1 {
				a = append(a, v)
			} else {
				b = append(b, v)
			}
		}
		if len(a) >= minSide && len(b) >= minSide {
			best = max(best, 1-(spread(a)+spread(b))/total)
		}
	}
	return best
}

func spread(x []float64) float64 {
	mean, ss := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		ss += (v - mean) * (v - mean)
	}
	return ss
}

func TestSplitByTrying(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for range 200 {
		x := normals(rng, 4+rng.IntN(6), 10, 2)
		if rng.IntN(2) == 0 { // ties
			for i := range x {
				x[i] = math.Round(x[i])
			}
		}
		slices.Sort(x)
		if x[0] == x[len(x)-1] {
			continue
		}
		for side := 1; side <= 2; side++ {
			if got, _ := SplitR2(x, side); math.Abs(got-bestByTrying(x, side)) > 1e-12 {
				t.Fatalf("%v, sides >= %d: R2 %v, want %v", x, side, got, bestByTrying(x, side))
			}
		}
	}
}

// TestSplitCriticalValues checks the table against independently simulated critical values (numpy, 10⁵ samples a size),
// within four standard errors of theirs; the steepness of p in R² carries the error from one to the other.
func TestSplitCriticalValues(t *testing.T) {
	values := map[int][3]float64{
		4: {.9670, .9935, .9993}, 5: {.9484, .9821, .9961}, 6: {.9277, .9673, .9895}, 7: {.9082, .9509, .9805},
		8: {.8912, .9359, .9706}, 9: {.8765, .9220, .9592}, 10: {.8633, .9086, .9484}, 12: {.8417, .8859, .9278},
		15: {.8179, .8602, .9020}, 20: {.7911, .8297, .8707}, 25: {.7731, .8094, .8483}, 30: {.7599, .7943, .8309},
		40: {.7416, .7726, .8038}, 50: {.7292, .7576, .7873}, 75: {.7103, .7341, .7603}, 100: {.6996, .7206, .7436},
	}
	for n, want := range values {
		for i, p := range []float64{.05, .01, .001} {
			got := splitTables()[1].p(n, -math.Log(1-want[i]))
			// Rounding to four decimals moves R² by up to 5e-5, p by more the steeper the tail.
			steep := math.Abs(math.Log(splitTables()[1].p(n, -math.Log(1-want[i]-5e-5)) / got))
			if limit := 4*math.Sqrt(1/(p*1e5)+1/(p*2e5)) + steep; math.Abs(math.Log(got/p)) > limit {
				t.Errorf("n=%d R2=%v: p=%v, want %v within %v", n, want[i], got, p, limit)
			}
		}
	}
	if got := splitTables()[0].p(5, -math.Log(1-.9606)); math.Abs(got-.05) > .001 {
		t.Errorf("sides >= 1, n=5, R2=.9606: p=%v, want .05", got)
	}
}

// TestNullTables simulates sizes that lie between the rows, and checks that p falls as the statistic grows.
func TestNullTables(t *testing.T) {
	if size := len(nullText); size > 100_000 {
		t.Errorf("the tables take %d bytes", size)
	}
	for name, table := range loadTables() {
		for n := 4; n <= 1200; n += 1 + n/10 {
			for v, last := 0.0, 1.0; v < 12; v += .01 {
				p := table.p(n, v)
				if !(p > 0 && p <= last) {
					t.Fatalf("%s n=%d v=%v: p=%v after %v", name, n, v, p, last)
				}
				last = p
			}
		}
	}
	if testing.Short() {
		t.Skip("simulation")
	}
	const runs = 4000
	rng := rand.New(rand.NewPCG(33, 34))
	for _, n := range []int{13, 33, 45, 120} {
		count := [3]int{}
		for range runs {
			x := normals(rng, n, 0, 1)
			slices.Sort(x)
			u := make([]float64, n)
			for i := range u {
				u[i] = rng.Float64()
			}
			slices.Sort(u)
			for side := 1; side <= 2; side++ {
				r2, _ := SplitR2(x, side)
				if splitTables()[side-1].p(n, -math.Log(1-r2)) <= .05 {
					count[side-1]++
				}
			}
			if dipTable().p(n, math.Sqrt(float64(n))*Dip(u)) <= .05 {
				count[2]++
			}
		}
		for i, k := range count {
			if share := float64(k) / runs; math.Abs(share-.05) > 4*math.Sqrt(.05*.95/runs)+.001 {
				t.Errorf("n=%d, table %d: p <= .05 in %v of samples", n, i, share)
			}
		}
	}
}

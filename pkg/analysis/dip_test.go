package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// dipByBisection finds the least d for which some unimodal distribution function stays within d of the empirical one:
// convex left of a mode, concave right of it. It shares nothing with AS 217: for each candidate mode it asks whether
// the corridor between F−d and F+d has room for such a function.
func dipByBisection(s []float64) float64 {
	lo, hi := 0.0, 1.0
	for range 60 {
		if d := (lo + hi) / 2; slices.ContainsFunc(modes(s), func(m float64) bool { return fits(s, m, d) }) {
			hi = d
		} else {
			lo = d
		}
	}
	return hi
}

// modes are the values themselves and points between them.
func modes(s []float64) []float64 {
	out := slices.Clone(s)
	for i := range s[1:] {
		out = append(out, (s[i]+s[i+1])/2)
	}
	return out
}

type corridor struct{ x, low, high float64 }

// fits asks for a function that is convex on the values below the mode m, concave on those above it, and may jump at m.
func fits(s []float64, m, d float64) bool {
	n := float64(len(s))
	var left, right []corridor
	before, upTo := 0, 0 // values below m, values up to m
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && s[j] == s[i] {
			j++
		}
		// A continuous function must be close to F on either side of its jump.
		c := corridor{s[i], float64(j)/n - d, float64(i)/n + d}
		switch {
		case s[i] < m:
			left, before = append(left, c), j
		case s[i] > m:
			right = append(right, c)
		}
		if s[i] <= m {
			upTo = j
		}
		i = j
	}
	// Mirrored at the mode, the right side is the same question.
	mirrored := make([]corridor, len(right))
	for i, c := range right {
		mirrored[len(right)-1-i] = corridor{2*m - c.x, 1 - c.high, 1 - c.low}
	}
	below, ok := least(left, m, float64(before)/n-d)
	above, ok2 := least(mirrored, m, 1-float64(upTo)/n-d)
	return ok && ok2 && below <= float64(before)/n+d+1e-12 && above <= 1-float64(upTo)/n+d+1e-12 && below+above <= 1+1e-12
}

// least is the smallest value at m of an increasing convex function through all corridors.
func least(c []corridor, m, floor float64) (float64, bool) {
	v := max(0, floor)
	for k := range c {
		if c[k].low > c[k].high+1e-12 {
			return 0, false
		}
		v = max(v, c[k].low)
		for i := range k {
			slope := (c[k].low - c[i].high) / (c[k].x - c[i].x)
			v = max(v, c[k].low+slope*(m-c[k].x))
			for j := k + 1; j < len(c); j++ {
				if c[k].low+slope*(c[j].x-c[k].x) > c[j].high+1e-12 { // steeper than the corridor further right
					return 0, false
				}
			}
		}
	}
	return v, true
}

func TestDipByBisection(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	for range 300 {
		x := normals(rng, 2+rng.IntN(9), 0, 1)
		switch rng.IntN(3) {
		case 0:
			for i := range x {
				x[i] = math.Round(2 * x[i])
			}
		case 1:
			for i := range x {
				x[i] += 6 * float64(rng.IntN(2))
			}
		}
		slices.Sort(x)
		if got, want := Dip(x), max(dipByBisection(x), 1/float64(2*len(x))); math.Abs(got-want) > 1e-9 {
			t.Fatalf("%v: dip %v, want %v", x, got, want)
		}
	}
	if got := dipByBisection([]float64{5515.75, 5596.50, 7600.03, 7611.98, 7690.85}); math.Abs(got-.192251520908899) > 1e-9 {
		t.Errorf("the example: %v", got)
	}
}

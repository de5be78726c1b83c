package sequential

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// reach is the standard deviations beyond which a normal density counts as 0.
const reach = 8.5

// crossings returns the probability, for each look, that |Z| first exceeds its bound there, under H0.
//
// The sums are a Brownian motion B seen at times (the last is 1), B(t) = Z·√t. The density of B over the paths that no
// look has stopped is carried from look to look on Gauss–Legendre nodes.
func crossings(times, bounds []float64) []float64 {
	out := make([]float64, len(times))
	var at, mass []float64 // nodes of the previous look, and density × weight there
	least := times[0]      // the shortest step decides how fast a density can vary
	for i := 1; i < len(times); i++ {
		least = min(least, times[i]-times[i-1])
	}
	before := 0.0
	for i, t := range times {
		edge := bounds[i] * math.Sqrt(t)
		step := math.Sqrt(t - before)
		before = t
		if i == 0 {
			out[i] = 2 * num.NormalSurvival(bounds[i])
		} else {
			for j, y := range at {
				out[i] += mass[j] * (num.NormalSurvival((edge-y)/step) + num.NormalCDF((-edge-y)/step))
			}
		}
		if i == len(times)-1 {
			break
		}
		next, weights := nodes(min(edge, reach*math.Sqrt(t)), math.Sqrt(least))
		nextMass := make([]float64, len(next))
		for k, x := range next {
			if i == 0 {
				nextMass[k] = weights[k] * normalDensity(x, step)
				continue
			}
			density := 0.0
			for j, y := range at {
				if d := x - y; math.Abs(d) < reach*step {
					density += mass[j] * normalDensity(d, step)
				}
			}
			nextMass[k] = weights[k] * density
		}
		at, mass = next, nextMass
	}
	return out
}

// nodes are Gauss–Legendre nodes and weights on [−edge, edge], close enough for densities that vary over scale.
func nodes(edge, scale float64) (x, weights []float64) {
	n := 24 + int(math.Ceil(4*edge/scale))
	x, weights = make([]float64, n), make([]float64, n)
	quad.Legendre{}.FixedLocations(x, weights, -edge, edge)
	return x, weights
}

func normalDensity(x, sd float64) float64 {
	z := x / sd
	return math.Exp(-z*z/2) / (sd * math.Sqrt(2*math.Pi))
}

package study

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/benchstat-http/benchstat-http/internal/calibrate/sim"
	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

// origin lifts samples above 0, as rates are; the rule does not depend on it while no margin is asked for.
const origin = 1e4

// tierWorld fills a sample in run order.
type tierWorld struct {
	name string
	fill func(rng *rand.Rand, x []float64)
}

func each(draw func(*rand.Rand) float64) func(*rand.Rand, []float64) {
	return func(rng *rand.Rand, x []float64) {
		for i := range x {
			x[i] = origin + draw(rng)
		}
	}
}

// separated has levels sep within-level standard deviations apart.
func separated(sep, slow float64) tierWorld {
	return tierWorld{fmt.Sprintf("two tiers, separation %g, %g %% slow", sep, 100*slow), each(func(rng *rand.Rand) float64 {
		return sep*yes(rng.Float64() >= slow) + rng.NormFloat64()
	})}
}

func normalTrials() tierWorld { return tierWorld{"normal", each((*rand.Rand).NormFloat64)} }

func studentT3(rng *rand.Rand) float64 {
	z, q := rng.NormFloat64(), 0.0
	for range 3 {
		v := rng.NormFloat64()
		q += v * v
	}
	return z / math.Sqrt(q/3)
}

func randomWalk(rng *rand.Rand, x []float64) {
	v := origin
	for i := range x {
		v += rng.NormFloat64()
		x[i] = v
	}
}

// ruleFires is the rule for tiers before the check of the order.
func ruleFires(x []float64) bool {
	r, err := analysis.Tiers(x, 0)
	return err == nil && (r.Status == analysis.TiersProven || r.Status == analysis.TiersOrderUnclear)
}

func tierExperiments() []sim.Experiment {
	var out []sim.Experiment
	add := func(w tierWorld, sizes []int, references ...string) {
		for i, n := range sizes {
			out = append(out, sim.Experiment{Table: tableTiers, Name: fmt.Sprintf("%s, n = %d", w.name, n), Full: 20000,
				Cells: []sim.Cell{
					{Row: w.name, Column: fmt.Sprintf("n = %d", n), Reference: references[i]},
				},
				New: func() sim.Replicate {
					x := make([]float64, n)
					return func(rng *rand.Rand, out []float64) {
						w.fill(rng, x)
						out[0] = yes(ruleFires(x))
					}
				}})
		}
	}
	four, three := []int{5, 10, 20, 50}, []int{5, 10, 20}
	add(normalTrials(), four, ".010", ".010", ".007", ".000")
	add(tierWorld{"lognormal σ 0.5", each(func(rng *rand.Rand) float64 { return math.Exp(.5 * rng.NormFloat64()) })}, four,
		".01", ".02", ".03", ".00")
	add(tierWorld{"exponential", each((*rand.Rand).ExpFloat64)}, four, ".02", ".05", ".07", ".01")
	add(tierWorld{"Student t, 3 degrees of freedom", each(studentT3)}, four, ".01", ".01", ".01", ".00")
	add(tierWorld{"random walk", randomWalk}, []int{10, 20, 50, 100}, ".02", ".06", ".07", ".19")
	add(separated(6, .4), four, ".09", ".54", ".89", ".92")
	add(separated(10, .4), three, ".27", ".94", "1")
	add(separated(40, .4), three, ".58", ".95", "1")
	add(separated(40, .2), three, ".27", ".63", ".93")
	return append(out, append(extensionExperiments(), orderExperiments()...)...)
}

// extensionExperiments run 5 trials, 5 more when tiers are suspected (or more), and then decide.
func extensionExperiments() []sim.Experiment {
	var out []sim.Experiment
	for _, c := range []struct {
		w         tierWorld
		reference string
	}{
		{normalTrials(), ".004"}, {separated(10, .4), ".72"}, {separated(40, .4), ".89"}, {separated(40, .2), ".55"},
	} {
		out = append(out, sim.Experiment{Table: tableTiersExtend, Name: c.w.name, Full: 20000,
			Cells: []sim.Cell{{Row: c.w.name, Column: "5 trials, 10 when suspected: tiers", Reference: c.reference}},
			New: func() sim.Replicate {
				x := make([]float64, 10)
				return func(rng *rand.Rand, out []float64) {
					c.w.fill(rng, x)
					r, err := analysis.Tiers(x[:5], 0)
					out[0] = yes(err == nil && r.Status != analysis.TiersNone && ruleFires(x))
				}
			}})
	}
	return out
}

// orderExperiments ask how the order check labels a step in time and a mixture.
func orderExperiments() []sim.Experiment {
	const mixture5, mixture10 = "two tiers found, separation 40, 40 % slow, n = 5",
		"two tiers found, separation 40, 40 % slow, n = 10"
	label := func(w tierWorld, n int) func() sim.Replicate {
		return func() sim.Replicate {
			x := make([]float64, n)
			return func(rng *rand.Rand, out []float64) {
				w.fill(rng, x)
				r, err := analysis.Tiers(x, 0)
				switch {
				case err != nil || r.Status != analysis.TiersProven && r.Status != analysis.TiersOrderUnclear:
					out[0] = math.NaN() // nothing found, nothing to label
				default:
					out[0] = yes(r.Status == analysis.TiersOrderUnclear)
				}
			}
		}
	}
	const column = "found, but called one switch in time"
	return []sim.Experiment{
		stepExperiment(),
		simulate(tableTiersExtend, mixture5, 20000, []sim.Cell{{Row: mixture5, Column: column, Reference: ".20"}}, label(separated(40, .4), 5)),
		simulate(tableTiersExtend, mixture10, 20000, []sim.Cell{{Row: mixture10, Column: column, Reference: ".016"}}, label(separated(40, .4), 10)),
	}
}

// stepExperiment is a change in time that looks like two tiers until its order is looked at.
func stepExperiment() sim.Experiment {
	const row, step = "one step of 10 sd in mid-run, n = 10", 10
	return simulate(tableTiersExtend, row, 20000,
		[]sim.Cell{{Row: row, Column: "called a level shift", Reference: ".997"}, {Row: row, Column: "called tiers", Reference: ".000"}},
		func() sim.Replicate {
			x := make([]float64, 10)
			return func(rng *rand.Rand, out []float64) {
				for i := range x {
					x[i] = origin + step*yes(i >= len(x)/2) + rng.NormFloat64()
				}
				r, err := analysis.Tiers(x, 0)
				out[0], out[1] = yes(err == nil && r.LevelShift), yes(err == nil && r.Status == analysis.TiersProven)
			}
		})
}

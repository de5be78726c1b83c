package study

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/benchstat-http/benchstat-http/internal/calibrate/sim"
	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/nested"
)

// trialsPerTarget is divided among the restarts.
const trialsPerTarget = 30

type restartRow struct {
	restart, trial float64 // standard deviations on the ln scale
	pooled         [6]string
	means          [3]string
	power          [4]string
}

func restartRows() []restartRow {
	return []restartRow{
		{.02, .01, [6]string{".85", ".68", ".57", ".41", ".24", ".05"}, [3]string{".034", ".042", ".049"}, [4]string{".22", ".49", ".85", "1.0"}},
		{.01, .01, [6]string{".72", ".55", ".44", ".32", ".17", ".05"}, [3]string{".034", ".045", ".046"}, [4]string{".62", ".96", "1", "1"}},
		{.005, .01, [6]string{".49", ".34", ".25", ".17", ".10", ".05"}, [3]string{".033", ".044", ".048"}, [4]string{".97", "1", "1", "1"}},
	}
}

func (r restartRow) label() string {
	return fmt.Sprintf("restart sd %g %%, trial sd %g %%", 100*r.restart, 100*r.trial)
}

// restartExperiments compare Welch on all trials with Welch on the means of restarts.
func restartExperiments() []sim.Experiment {
	var out []sim.Experiment
	for _, r := range restartRows() {
		add := func(table, column, reference string, restarts int, means bool, effect float64) {
			out = append(out, simulate(table, r.label()+", "+column, 20000,
				[]sim.Cell{{Row: r.label(), Column: column, Reference: reference}},
				func() sim.Replicate { return r.replicate(restarts, means, effect) }))
		}
		for i, n := range []int{1, 2, 3, 5, 10, 30} {
			add(tableRestarts, fmt.Sprintf("%d × %d", n, trialsPerTarget/n), r.pooled[i], n, false, 0)
		}
		for i, n := range []int{3, 5, 10} {
			add(tableMeans, fmt.Sprintf("false positives, %d restarts", n), r.means[i], n, true, 0)
		}
		for i, n := range []int{3, 5, 10, 30} {
			add(tableMeans, fmt.Sprintf("power at +3 %%, %d restarts", n), r.power[i], n, true, math.Log(1.03))
		}
	}
	return append(out, componentExperiment())
}

func (r restartRow) replicate(restarts int, means bool, effect float64) sim.Replicate {
	per := trialsPerTarget / restarts
	sample := func(rng *rand.Rand, shift float64) []float64 {
		var trials, averages []float64
		for range restarts {
			server, sum := shift+r.restart*rng.NormFloat64(), 0.0
			for range per {
				v := server + r.trial*rng.NormFloat64()
				trials = append(trials, v)
				sum += v
			}
			averages = append(averages, sum/float64(per))
		}
		if means {
			return averages
		}
		return trials
	}
	return func(rng *rand.Rand, out []float64) {
		t, err := analysis.WelchT(sample(rng, effect), sample(rng, 0))
		out[0] = yes(err == nil && t.P < alpha)
	}
}

// componentExperiment asks how often three restarts of five trials give a negative variance between restarts.
func componentExperiment() sim.Experiment {
	const row = "3 restarts of 5 trials, restart sd 2 %, trial sd 1 %"
	return simulate(tableMeans, row, 20000, []sim.Cell{{Row: row, Column: "variance between restarts negative", Reference: ".045"}},
		func() sim.Replicate {
			groups := make([][]float64, 3)
			for i := range groups {
				groups[i] = make([]float64, 5)
			}
			return func(rng *rand.Rand, out []float64) {
				for _, g := range groups {
					server := .02 * rng.NormFloat64()
					for i := range g {
						g[i] = server + .01*rng.NormFloat64()
					}
				}
				r, err := nested.TwoLevel(groups)
				out[0] = yes(err == nil && r.VarBetweenRaw < 0)
			}
		})
}

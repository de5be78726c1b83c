package study

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/benchstat-http/benchstat-http/internal/calibrate/sim"
	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

// running is the mean and spread of a growing sample, by Welford's recurrence.
type running struct {
	n        int
	mean, ss float64
}

func (r *running) add(v float64) {
	r.n++
	d := v - r.mean
	r.mean += d / float64(r.n)
	r.ss += d * (v - r.mean)
}

func (r *running) se() float64 { return math.Sqrt(r.ss / float64(r.n-1) / float64(r.n)) }

func quantiles975(most int) []float64 { return quantiles(most, level) }

// quantiles holds the two-sided quantile of Student's t at a level by number of values.
func quantiles(most int, level float64) []float64 {
	q := make([]float64, most+1)
	for n := 2; n <= most; n++ {
		q[n] = analysis.TTest{SE: 1, DF: float64(n - 1)}.Interval(level).High
	}
	return q
}

func stoppingExperiments() []sim.Experiment {
	out := []sim.Experiment{naiveExperiment()}
	for _, w := range []struct {
		world
		reference [4]string
	}{
		{normalWorld(), [4]string{".88", ".92", ".94", ".95"}},
		{commonTiers(wideSpread), [4]string{".59", ".86", ".91", ".95"}},
		{rareTier(wideSpread), [4]string{".59", ".46", ".64", ".80"}},
	} {
		for i, least := range []int{2, 5, 10, 15} {
			out = append(out, widthExperiment(w.world, least, w.reference[i]))
		}
	}
	return out
}

// naiveExperiment tests after every pair and stops at the first p < 0.05, there being no difference.
func naiveExperiment() sim.Experiment {
	firsts, lasts := []int{3, 5}, []int{10, 20, 50, 200}
	references := []string{".17", ".23", ".31", ".42", ".13", ".20", ".27", ".39"}
	var cells []sim.Cell
	for _, first := range firsts {
		for _, last := range lasts {
			cells = append(cells, sim.Cell{Row: fmt.Sprintf("from %d pairs on", first), Column: fmt.Sprintf("at most %d pairs", last),
				Reference: references[len(cells)]})
		}
	}
	return simulate(tableNaive, "naive", 10000, cells, func() sim.Replicate {
		const most = 200
		q := quantiles975(most)
		return func(rng *rand.Rand, out []float64) {
			stopped := [2]int{most + 1, most + 1} // first look that claims a difference
			for r := (running{}); r.n < most; {
				r.add(rng.NormFloat64())
				for i, first := range firsts {
					if r.n >= first && r.n < stopped[i] && math.Abs(r.mean) > q[r.n]*r.se() {
						stopped[i] = r.n
					}
				}
			}
			for i := range out {
				out[i] = yes(stopped[i/len(lasts)] <= lasts[i%len(lasts)])
			}
		}
	})
}

// widthExperiment stops when the 95 % interval is half a standard deviation wide on either side, and asks whether the
// interval then covers the mean.
func widthExperiment(w world, least int, reference string) sim.Experiment {
	column := fmt.Sprintf("from %d trials on", least)
	return simulate(tableWidth, w.name+", "+column, 10000, []sim.Cell{{Row: w.name, Column: column, Reference: reference}},
		func() sim.Replicate {
			const most = 1000
			q := quantiles975(most)
			return func(rng *rand.Rand, out []float64) {
				var r running
				for r.n < most {
					r.add(w.draw(rng))
					if r.n >= least && q[r.n]*r.se() < w.sd/2 {
						break
					}
				}
				out[0] = yes(math.Abs(r.mean-w.mean) <= q[r.n]*r.se())
			}
		})
}

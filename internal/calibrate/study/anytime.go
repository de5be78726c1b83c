package study

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/benchstat-http/benchstat-http/internal/calibrate/sim"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/sequential"
)

// anytimeFactors holds the half-width of the anytime-valid interval in standard errors by number of values.
func anytimeFactors(most int, a float64) []float64 {
	q := make([]float64, most+1)
	for n := 2; n <= most; n++ {
		m, err := sequential.AnytimeMultiplier(n, 1, a)
		if err != nil {
			m = math.NaN() // shows as a miss
		}
		q[n] = m
	}
	return q
}

func anytimeExperiments() []sim.Experiment {
	out := []sim.Experiment{anytimeNull()}
	for _, c := range []struct {
		effect                  float64
		column                  string
		power                   bool
		anytime, pocock, obrien string
	}{
		{1, "blocks needed, effect 1 sd", false, "13.3", "14.5", "22.7"},
		{2, "blocks needed, effect 2 sd", false, "6.9", "", ""},
		{.5, "power in 50 blocks, effect 0.5 sd", true, ".69", ".88", ".93"},
		{0, "false positives in 50 blocks", true, ".024", ".052", ".052"},
	} {
		out = append(out, simulate(tableRules, c.column, 10000, []sim.Cell{
			{Row: "anytime-valid t", Column: c.column, Reference: c.anytime, Quantity: !c.power},
			{Row: "Pocock, looks at 10, 20, 30, 40, 50", Column: c.column, Reference: c.pocock, Quantity: !c.power},
			{Row: "O'Brien–Fleming, the same looks", Column: c.column, Reference: c.obrien, Quantity: !c.power},
		}, func() sim.Replicate {
			const most = 50
			rules := stopRules(most)
			return func(rng *rand.Rand, out []float64) {
				compareRules(rng, c.effect, most, rules, c.power, out)
			}
		}))
	}
	for _, w := range []struct {
		world
		reference string
	}{{normalWorld(), ".96"}, {commonTiers(wideSpread), ".89"}, {rareTier(wideSpread), ".49"}} {
		out = append(out, alwaysExperiment(w.world, w.reference))
	}
	for i, n := range []int{5, 10, 15} {
		out = append(out, steinExperiment(n, []string{"124", "82", "75"}[i]))
	}
	return out
}

// stopRules are critical values of |t| by number of values: infinite where there is no look.
func stopRules(most int) [][]float64 {
	return [][]float64{anytimeFactors(most, alpha), lookRule(most, sequential.Pocock), lookRule(most, sequential.OBrienFleming)}
}

func lookRule(most int, b sequential.Boundary) []float64 {
	critical := make([]float64, most+1)
	for n := range critical {
		critical[n] = math.Inf(1)
	}
	looks, err := sequential.GroupSequential([]int{10, 20, 30, 40, 50}, alpha, b)
	if err != nil {
		return critical // never rejects: shows as a miss
	}
	for _, l := range looks {
		critical[l.N] = l.T
	}
	return critical
}

// compareRules runs all rules on the same values; out is the number of values used, or whether a rule rejected.
func compareRules(rng *rand.Rand, effect float64, most int, rules [][]float64, power bool, out []float64) {
	for i := range out {
		out[i] = float64(most)
		if power {
			out[i] = 0
		}
	}
	done := make([]bool, len(rules))
	for r := (running{}); r.n < most; {
		r.add(effect + rng.NormFloat64())
		for i, critical := range rules {
			if r.n < 2 || done[i] || math.Abs(r.mean) < critical[r.n]*r.se() {
				continue
			}
			done[i] = true
			out[i] = float64(r.n)
			if power {
				out[i] = 1
			}
		}
	}
}

// anytimeNull looks after every block at the anytime-valid interval, there being no difference.
func anytimeNull() sim.Experiment {
	lasts, references := []int{20, 50, 200, 1000}, []string{".017", ".024", ".031", ".033"}
	var cells []sim.Cell
	for i, last := range lasts {
		cells = append(cells, sim.Cell{Row: "anytime-valid t, from 2 blocks on", Column: fmt.Sprintf("at most %d blocks", last),
			Reference: references[i], Limit: alpha})
	}
	return simulate(tableAnytime, "null", 10000, cells, func() sim.Replicate {
		const most = 1000
		q := anytimeFactors(most, alpha)
		return func(rng *rand.Rand, out []float64) {
			stopped := most + 1
			for r := (running{}); r.n < most && stopped > most; {
				r.add(rng.NormFloat64())
				if r.n >= 2 && math.Abs(r.mean) >= q[r.n]*r.se() {
					stopped = r.n
				}
			}
			for i, last := range lasts {
				out[i] = yes(stopped <= last)
			}
		}
	})
}

const alwaysColumn = "covers at every look, 2 to 200 trials"

// alwaysExperiment asks whether the anytime-valid interval covers the mean at every look up to 200 trials.
func alwaysExperiment(w world, reference string) sim.Experiment {
	return simulate(tableAlways, w.name, 10000,
		[]sim.Cell{{Row: w.name, Column: alwaysColumn, Reference: reference}},
		func() sim.Replicate {
			const most = 200
			q := anytimeFactors(most, alpha)
			return func(rng *rand.Rand, out []float64) {
				out[0] = 1
				for r := (running{}); r.n < most; {
					r.add(w.draw(rng))
					if r.n >= 2 && math.Abs(r.mean-w.mean) > q[r.n]*r.se() {
						out[0] = 0
						return
					}
				}
			}
		})
}

// steinExperiment fixes the size from a pilot so that the half-width is a quarter of a standard deviation.
func steinExperiment(pilot int, reference string) sim.Experiment {
	row := fmt.Sprintf("pilot of %d", pilot)
	return simulate(tableStein, row, 10000,
		[]sim.Cell{{Row: row, Column: "coverage", Reference: ".95"}, {Row: row, Column: "trials needed", Reference: reference, Quantity: true}},
		func() sim.Replicate {
			return func(rng *rand.Rand, out []float64) {
				x := make([]float64, pilot)
				normalWorld().fill(rng, x)
				plan, err := sequential.SteinTwoStage(x, .25, level)
				if err != nil {
					out[0], out[1] = 0, math.NaN()
					return
				}
				for len(x) < plan.N {
					x = append(x, rng.NormFloat64())
				}
				ci, err := plan.Interval(x)
				out[0], out[1] = yes(err == nil && covers(ci, 0)), float64(plan.N)
			}
		})
}

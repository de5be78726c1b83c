package study

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/benchstat-http/benchstat-http/internal/calibrate/sim"
)

// runningRow is a rule and the sd of the ln ratios, with the published rates and mean numbers of blocks.
type runningRow struct {
	naive                                           bool
	sd                                              float64
	falseFast, falseEqual, blocksNull, blocksEffect string
}

const (
	runningFirst, runningMost = 5, 50
	runningMargin             = .02
)

// runningExperiments look at the verdict after every block and stop at the first that is not inconclusive.
func runningExperiments() []sim.Experiment {
	var out []sim.Experiment
	for _, c := range []runningRow{
		{true, .02, ".095", ".11", "", ""},
		{true, .04, ".22", ".16", "", ""},
		{false, .02, ".017", ".022", "14.8", "8.5"},
		{false, .04, ".028", ".009", "44.2", "19.9"},
	} {
		row := fmt.Sprintf("anytime-valid, sd %g %%", 100*c.sd)
		if c.naive {
			row = fmt.Sprintf("naive, sd %g %%", 100*c.sd)
		}
		out = append(out, simulate(tableRunning, row, 20000, []sim.Cell{
			{Row: row, Column: "0: fast or slow (false)", Reference: c.falseFast},
			{Row: row, Column: "+2 %: equivalent (false)", Reference: c.falseEqual},
			{Row: row, Column: "0: blocks", Reference: c.blocksNull, Quantity: true},
			{Row: row, Column: "+3 %: blocks", Reference: c.blocksEffect, Quantity: true},
		}, c.replicate))
	}
	return out
}

func (c runningRow) replicate() sim.Replicate {
	outer, inner := anytimeFactors(runningMost, alpha), anytimeFactors(runningMost, 2*alpha)
	if c.naive {
		outer, inner = quantiles(runningMost, level), quantiles(runningMost, 1-2*alpha)
	}
	return func(rng *rand.Rand, out []float64) {
		different, _, n := c.run(rng, 0, outer, inner)
		out[0], out[2] = yes(different), float64(n)
		_, equivalent, _ := c.run(rng, runningMargin, outer, inner)
		out[1] = yes(equivalent)
		_, _, n = c.run(rng, .03, outer, inner)
		out[3] = float64(n)
	}
}

// run stops at the first verdict: equivalent first, by the interval of level 1−2·alpha.
func (c runningRow) run(rng *rand.Rand, effect float64, outer, inner []float64) (different, equivalent bool, n int) {
	r, m := running{}, math.Log1p(runningMargin)
	for r.n < runningMost {
		r.add(math.Log1p(effect) + c.sd*rng.NormFloat64())
		if r.n < runningFirst {
			continue
		}
		if math.Abs(r.mean)+inner[r.n]*r.se() < m {
			return false, true, r.n
		}
		if math.Abs(r.mean) > outer[r.n]*r.se() {
			return true, false, r.n
		}
	}
	return false, false, r.n
}

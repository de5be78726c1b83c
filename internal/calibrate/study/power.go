package study

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/benchstat-http/benchstat-http/internal/calibrate/sim"
)

// powerRows hold the power of the paired t test at +1, +2 and +5 %, by number of blocks and sd of one trial. Each is R's
// power.t.test(n, delta=log1p(effect), sd=sd*sqrt(2), type="paired", strict=TRUE)$power.
func powerRows() []struct {
	n         int
	sd        float64
	reference [3]string
} {
	return []struct {
		n         int
		sd        float64
		reference [3]string
	}{
		{5, .005, [3]string{".6584", ".9944", "1.0000"}},
		{5, .01, [3]string{".2296", ".6544", ".9998"}},
		{5, .02, [3]string{".0945", ".2278", ".8183"}},
		{5, .05, [3]string{".0570", ".0781", ".2228"}},
		{10, .005, [3]string{".9761", "1.0000", "1.0000"}},
		{10, .01, [3]string{".5104", ".9750", "1.0000"}},
		{10, .02, [3]string{".1694", ".5066", ".9978"}},
		{10, .05, [3]string{".0685", ".1248", ".4953"}},
		{20, .005, [3]string{"1.0000", "1.0000", "1.0000"}},
		{20, .01, [3]string{".8471", "1.0000", "1.0000"}},
		{20, .02, [3]string{".3209", ".8436", "1.0000"}},
		{20, .05, [3]string{".0919", ".2214", ".8331"}},
	}
}

// powerExperiments are the chances that the interval of the ratio excludes 1, in balanced random blocks.
func powerExperiments() []sim.Experiment {
	var out []sim.Experiment
	for _, p := range powerRows() {
		row := fmt.Sprintf("n = %d, trial sd %g %%", p.n, 100*p.sd)
		for i, effect := range []float64{.01, .02, .05} {
			column := fmt.Sprintf("+%g %%", 100*effect)
			out = append(out, simulate(tablePower, row+", "+column, 20000,
				[]sim.Cell{{Row: row, Column: column, Reference: p.reference[i], Exact: true}},
				func() sim.Replicate {
					s := newSession(p.n, balancedBlocks, disturbances()[0], gaussian(p.sd))
					return func(rng *rand.Rand, out []float64) {
						t, err := pairedTest.run(s.run(rng, math.Log1p(effect)))
						out[0] = yes(err == nil && t.P < alpha)
					}
				}))
		}
	}
	return out
}

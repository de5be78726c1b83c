package study

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/benchstat-http/benchstat-http/internal/calibrate/sim"
	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

// coverageRow is one data set and sample size with its published coverages: t, z, percentile, BCa, bootstrap t.
type coverageRow struct {
	w         world
	n         int
	reference [5]string
}

func coverageRows() []coverageRow {
	n, e, c, r := normalWorld(), leftTail(), commonTiers(clearSpread), rareTier(clearSpread)
	return []coverageRow{
		{n, 3, [5]string{".947", ".81", ".74", ".72", ".83"}},
		{n, 5, [5]string{".953", ".87", ".83", ".83", ".95"}},
		{n, 10, [5]string{".955", ".92", ".90", ".91", ".96"}},
		{e, 5, [5]string{".88", ".82", ".79", ".79", ".92"}},
		{e, 10, [5]string{".90", ".88", ".87", ".87", ".94"}},
		{e, 20, [5]string{".93", ".91", ".91", ".92", ".95"}},
		{c, 3, [5]string{".72", ".72", ".72", ".72", ".76"}},
		{c, 5, [5]string{".91", ".84", ".87", ".91", ".91"}},
		{c, 10, [5]string{".94", ".92", ".93", ".97", ".99"}},
		{c, 20, [5]string{".94", ".94", ".94", ".96", "1.0"}},
		{r, 5, [5]string{".39", ".39", ".39", ".39", ".40"}},
		{r, 10, [5]string{".69", ".69", ".69", "", ".69"}},
		{r, 20, [5]string{".89", ".89", ".89", "", ".88"}},
		{r, 50, [5]string{".90", ".90", ".90", ".97", ".99"}},
	}
}

func (c coverageRow) label() string { return fmt.Sprintf("%s, n = %d", c.w.name, c.n) }

// intervalExperiments are the coverages of nominal 95 % intervals of the mean.
func intervalExperiments() []sim.Experiment {
	var out []sim.Experiment
	for _, c := range coverageRows() {
		out = append(out, sim.Experiment{Table: tableCoverage, Name: c.label(), Full: 20000,
			Cells: []sim.Cell{
				{Row: c.label(), Column: "t", Reference: c.reference[0]},
				{Row: c.label(), Column: "z", Reference: c.reference[1]},
			},
			New: func() sim.Replicate {
				x := make([]float64, c.n)
				return func(rng *rand.Rand, out []float64) {
					c.w.fill(rng, x)
					ci, err := analysis.TInterval(x, level)
					out[0] = yes(err == nil && covers(ci, c.w.mean))
					s, err := analysis.Summarize(x)
					out[1] = yes(err == nil && math.Abs(s.Mean-c.w.mean) <= normal975*s.SD/math.Sqrt(float64(c.n)))
				}
			}})
	}
	return out
}

func covers(ci analysis.Interval, v float64) bool { return ci.Low <= v && v <= ci.High }

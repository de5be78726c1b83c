package study

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/benchstat-http/benchstat-http/internal/calibrate/sim"
	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/resample"
)

const bootstrapReplicates = 1000

// bootstrapExperiments are the coverages of three bootstrap intervals of the mean.
func bootstrapExperiments() []sim.Experiment {
	var out []sim.Experiment
	for _, c := range coverageRows() {
		out = append(out, sim.Experiment{Table: tableCoverage, Name: c.label() + ", bootstrap", Full: 3000,
			Cells: []sim.Cell{
				{Row: c.label(), Column: "percentile bootstrap", Reference: c.reference[2]},
				{Row: c.label(), Column: "BCa", Reference: c.reference[3]},
				{Row: c.label(), Column: "bootstrap t", Reference: c.reference[4]},
			},
			New: func() sim.Replicate {
				x := make([]float64, c.n)
				t := newBootstrapT(c.n)
				o := resample.Options{Replicates: bootstrapReplicates, Random: true}
				return func(rng *rand.Rand, out []float64) {
					c.w.fill(rng, x)
					p, err := resample.BootstrapPercentile(x, resample.Mean, level, o, rng)
					out[0] = yes(err == nil && covers(p.CI, c.w.mean))
					p, err = resample.BootstrapBCa(x, resample.Mean, level, o, rng)
					out[1] = yes(err == nil && covers(p.CI, c.w.mean))
					out[2] = yes(covers(t.interval(rng, x), c.w.mean))
				}
			}})
	}
	return out
}

// bootstrapT is the interval from the distribution of t among resamples (Efron & Tibshirani 1993, section 12.5). No report
// uses it; it is here for comparison.
type bootstrapT struct{ t, y []float64 }

func newBootstrapT(n int) *bootstrapT {
	return &bootstrapT{y: make([]float64, n)}
}

// interval leaves out resamples whose values are all the same: they have no t.
func (b *bootstrapT) interval(rng *rand.Rand, x []float64) analysis.Interval {
	mean, se := meanSE(x)
	b.t = b.t[:0]
	for range bootstrapReplicates {
		for j := range b.y {
			b.y[j] = x[rng.IntN(len(x))]
		}
		if slices.Min(b.y) < slices.Max(b.y) {
			m, s := meanSE(b.y)
			b.t = append(b.t, (m-mean)/s)
		}
	}
	low, errLow := analysis.Quantile(b.t, (1-level)/2)
	high, errHigh := analysis.Quantile(b.t, (1+level)/2)
	if errLow != nil || errHigh != nil {
		return analysis.Interval{Low: math.NaN(), High: math.NaN()}
	}
	return analysis.Interval{Level: level, Low: mean - high*se, High: mean - low*se}
}

func meanSE(x []float64) (mean, se float64) {
	var r running
	for _, v := range x {
		r.add(v)
	}
	return r.mean, r.se()
}

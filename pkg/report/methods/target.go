package methods

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/modes"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/nested"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/resample"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/trend"
)

// seed starts every random number, so that a report comes out the same each time.
const seed = 1

func random() *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// Sample is one target's figures in the order measured.
type Sample struct {
	Values   []float64
	Time     []float64 // seconds, or trial numbers
	Timed    bool      // Time is seconds
	Restarts []int     // which start of the servers each trial ran on; 0 = not known
	// Latencies are the requests of each trial, in ms; empty when a trial does not show them.
	Latencies [][]modes.Weighted
}

// Target runs every method on one target at the level (0.95 for 95 %).
func Target(s Sample, level float64) []Row {
	t := &table{n: len(s.Values)}
	t.location(s.Values, level)
	t.shape(s.Values)
	t.time(s, level)
	t.restarts(s, level)
	t.latencyModes(s.Latencies)
	return t.rows
}

func (t *table) location(x []float64, level float64) {
	s, err := analysis.Summarize(x)
	if err != nil {
		return
	}
	ci, err := analysis.TInterval(x, level)
	t.add("Student t", "mean", s.Mean, ci, math.NaN(), err, "")
	ci, err = analysis.GeometricTInterval(x, level)
	t.add("t of logarithms", "geometric mean", s.GeometricMean, ci, math.NaN(), err, "")
	m, err := analysis.MedianInterval(x, level)
	note := ""
	if err == nil && m.Rank > 0 {
		note = fmt.Sprintf("really at least %.4g %%", 100*m.Achieved)
	}
	t.add("order statistics", "median", m.Median, m.CI, math.NaN(), err, note)
	t.bootstrap(x, level)
}

func (t *table) shape(x []float64) {
	split, err := analysis.BestSplit(x, 2)
	t.add("best split", "R²", split.R2, none, split.P, err, "")
	dip, err := analysis.HartiganDip(x)
	t.add("Hartigan dip", "D", dip.D, none, dip.P, err, "")
	t.modes(x)
	shape, err := analysis.MeasureShape(x)
	t.add("skewness", "skewness", shape.Skewness, none, math.NaN(), err, "")
	t.add("bimodality coefficient", "coefficient", shape.Bimodality, none, math.NaN(), err, "above 0.555 is said to suggest two modes; skewness alone does that too")
}

func (t *table) time(s Sample, level float64) {
	unit := "slope a trial"
	if s.Timed {
		unit = "slope a second"
	}
	line, err := trend.Slope(s.Time, s.Values)
	ci := none
	if err == nil {
		ci = analysis.TTest{Estimate: line.Slope, SE: line.SE, DF: line.DF}.Interval(level)
	}
	t.add("least squares over time", unit, line.Slope, ci, line.P, err, "")
	kendall, err := trend.MannKendall(s.Values)
	t.add("Mann–Kendall", "tau-b", kendall.TauB, none, kendall.P, err, "")
	sen, err := trend.TheilSen(s.Time, s.Values, level)
	slopes, note := sen.CI, ""
	if len(s.Values) < 5 { // the fewest whose ranks reach p < 0.05: 2/5!
		slopes, note = none, "no interval: need 5 trials"
	}
	t.add("Theil–Sen", unit, sen.Slope, slopes, math.NaN(), err, note)
	neumann, err := trend.VonNeumann(s.Values)
	t.add("von Neumann ratio", "ratio", neumann.Q, none, neumann.P, err, "2 when trials are independent")
	box, err := trend.LjungBox(s.Values, 1)
	t.add("Ljung–Box, lag 1", "Q", box.Q, none, box.P, err, "")
	cusum, err := trend.CUSUM(s.Values, 1999, random())
	note = ""
	if err == nil {
		note = fmt.Sprintf("after trial %d; 1,999 permutations", cusum.Position)
	}
	t.add("CUSUM", "largest sum", cusum.Max, none, cusum.P, err, note)
	size, err := trend.EffectiveSampleSize(s.Values)
	t.add("effective sample size", "trials", size.Monotone, none, math.NaN(), err, "")
}

// restarts has something to say when trials ran on several starts of the servers, several on one of them.
func (t *table) restarts(s Sample, level float64) {
	var groups [][]float64
	index := map[int]int{}
	for i, r := range s.Restarts {
		if r == 0 {
			return
		}
		j, known := index[r]
		if !known {
			j = len(groups)
			index[r] = j
			groups = append(groups, nil)
		}
		groups[j] = append(groups[j], s.Values[i])
	}
	if len(groups) < 2 || len(groups) == len(s.Values) {
		return
	}
	two, err := nested.TwoLevel(groups)
	ci := none
	note := ""
	if err == nil {
		ci = two.Interval(level)
		note = fmt.Sprintf("%d restarts; sd between them %.3g, within %.3g", two.Restarts, math.Sqrt(two.VarBetween), math.Sqrt(two.VarWithin))
	}
	t.add("means of restarts", "mean", two.GrandMean, ci, two.P, err, note)
}

// bootstrap has something to say from 10 trials on; with fewer its intervals are far too narrow.
func (t *table) bootstrap(x []float64, level float64) {
	const least, most = 10, 2000
	if len(x) < least || len(x) > most {
		return
	}
	b, err := resample.BootstrapBCa(x, resample.Mean, level, resample.Options{Replicates: 5000}, random())
	t.add("BCa bootstrap", "mean", b.Estimate, b.CI, math.NaN(), err, "5,000 resamples; too narrow below some 20 trials")
}

// modes looks for more than one, in samples that are not so large that it takes long.
func (t *table) modes(x []float64) {
	const most, resamples = 200, 500
	if len(x) > most {
		return
	}
	s, err := modes.SilvermanTest(x, 1, resamples, random())
	t.add("Silverman, one mode", "critical bandwidth", s.Bandwidth, none, s.P, err, "500 smoothed resamples")
	m, err := modes.GaussianMixture(x, modes.EqualVariance)
	t.add("two normal components", "BIC gained", m.DeltaBIC, none, math.NaN(), err, "a description: of five trials of one normal tier every second sample gains")
}

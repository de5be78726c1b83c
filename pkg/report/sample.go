package report

import (
	"math"
	"strconv"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// Resolution is the smallest relative step that the data can show: half a unit of the last digit that another tool
// prints or a plain number has, or the precision of the clock and of the histogram that measured it here.
const (
	clockResolution     = 1e-6    // as a fraction
	histogramResolution = 5e-4    // three digits
	floatResolution     = 0x1p-53 // of a number itself
)

// sample is one metric over the trials of a target that show it.
type sample struct {
	metric     metric
	used       []*result.Trial // by trial number
	values     []float64       // values[i] is the figure of used[i]
	summary    analysis.Summary
	tiers      analysis.TierResult
	tiered     bool // tiers is set
	resolution float64
	starts     [][]float64 // values by start of the servers, when starts are the replicates
}

func newSample(trials []result.Trial, m metric, margin float64, startsCount bool) *sample {
	s := &sample{metric: m, resolution: clockResolution}
	for i := range trials {
		if v, ok := m.figure(trials[i]); ok {
			s.used, s.values = append(s.used, &trials[i]), append(s.values, v)
		}
	}
	if x, err := analysis.Summarize(s.values); err == nil {
		s.summary = x
	}
	if t, err := analysis.Tiers(s.values, margin); err == nil {
		s.tiers, s.tiered = t, true
	}
	s.resolution = resolution(s.used, s.values, m)
	if startsCount {
		s.starts = s.byRestart()
	}
	return s
}

// resolution is that of the coarsest source among the trials, relative to the figure. Plain numbers are known to their
// last digit, whatever clock was behind them.
func resolution(trials []*result.Trial, values []float64, m metric) float64 {
	r, step := floatResolution, printStep(trials, values, m)
	for i, t := range trials {
		text := t.Source != nil && t.Latency() == nil
		if !text || t.Source.Tool != plainNumbers || step == 0 {
			r = max(r, clockResolution)
		}
		switch {
		case text:
			r = max(r, step/2/values[i])
		case m.unit == "ms" && m.name != "mean":
			r = max(r, histogramResolution)
		}
	}
	return r
}

// plainNumbers is the tool of trials that were read from nothing but numbers.
const plainNumbers = "numbers"

// printStep is the step in which figures read from text are known: the one in which tools print them, or the last digit
// of plain numbers that have more digits than tools print.
func printStep(trials []*result.Trial, values []float64, m metric) float64 {
	step := m.quantum
	for i, t := range trials {
		if t.Source != nil && t.Source.Tool == plainNumbers {
			_, decimals, _ := strings.Cut(strconv.FormatFloat(values[i], 'f', -1, 64), ".")
			step = min(step, math.Pow10(-len(decimals)))
		}
	}
	return step
}

// provenTiers returns the tiers when they are proven, else nil.
func (s *sample) provenTiers() []analysis.Tier {
	if s.tiered && s.tiers.Status == analysis.TiersProven {
		return s.tiers.Tiers
	}
	return nil
}

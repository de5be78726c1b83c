package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// percentile is one percentile of the report: its share, and its key in the figures of other tools.
type percentile struct {
	q   float64
	key string
}

var (
	p50  = percentile{0.50, "p50"}
	p90  = percentile{0.90, "p90"}
	p95  = percentile{0.95, "p95"}
	p99  = percentile{0.99, "p99"}
	p999 = percentile{0.999, "p99.9"}
)

const nanosecondsPerMillisecond = 1e6

// needs is the number of requests a trial must have for the percentile to be worth printing: ten beyond it.
func (p percentile) needs() float64 { return math.Round(10 / (1 - p.q)) }

// latencyOf summarises latency with trials as replicates; nil when no trial shows any. With histograms in every trial,
// a value is the percentile of all requests together and its interval the t interval of the logarithms of the
// per-trial percentiles. Otherwise, when every trial states the percentile, the value is the geometric mean of those.
func latencyOf(trials []result.Trial, alpha float64) *Latency {
	if len(trials) == 0 {
		return nil
	}
	kind := kindService
	if trials[0].Response != nil {
		kind = kindResponse
	}
	per := histograms(trials, (*result.Measurement).Latency)
	if per == nil {
		return newLatency(kind, trials, alpha, printedFigure, printedMax)
	}
	return histogramLatency(kind, trials, per, alpha)
}

// The kinds of latency.
const (
	kindService  = "service"  // from when a request was sent
	kindResponse = "response" // from when it was due
)

// serviceOf summarises the service times of an open loop; nil for a closed one, whose latency they are.
func serviceOf(trials []result.Trial, alpha float64) *Latency {
	per := histograms(trials, func(m *result.Measurement) *result.Histogram { return m.Service })
	if per == nil {
		return nil
	}
	return histogramLatency(kindService, trials, per, alpha)
}

func histogramLatency(kind string, trials []result.Trial, per []*result.Histogram, alpha float64) *Latency {
	merged, err := result.MergeHistograms(per)
	if err != nil {
		return nil
	}
	figure := func(_ []result.Trial, p percentile, alpha float64) *LatencyFigure {
		return histogramFigure(per, merged, p, alpha)
	}
	extreme := func(trials []result.Trial) *LatencyFigure {
		return &LatencyFigure{ValueMS: milliseconds(merged.Max), N: len(trials)}
	}
	return newLatency(kind, trials, alpha, figure, extreme)
}

// newLatency lists the percentiles; nil when there is none.
func newLatency(kind string, trials []result.Trial, alpha float64,
	figure func([]result.Trial, percentile, float64) *LatencyFigure, extreme func([]result.Trial) *LatencyFigure,
) *Latency {
	l := &Latency{
		Kind: kind,
		P50:  figure(trials, p50, alpha),
		P90:  figure(trials, p90, alpha),
		P95:  figure(trials, p95, alpha),
		P99:  figure(trials, p99, alpha),
		P999: figure(trials, p999, alpha),
		Max:  extreme(trials),
	}
	if l.P50 == nil && l.P90 == nil && l.P95 == nil && l.P99 == nil && l.P999 == nil && l.Max == nil {
		return nil
	}
	return l
}

// latencyOnly reports whether a trial was read from the latencies of its requests, which say nothing of the time that
// they took together: it has no rate, and never had one.
func latencyOnly(t result.Trial) bool {
	return t.Source != nil && t.RPS == nil && !t.Aborted && !t.Interrupted && !t.Truncated && t.Total != nil && t.Total.N() > 0
}

// histograms are the distributions of the trials; nil unless every trial has one.
func histograms(trials []result.Trial, of func(*result.Measurement) *result.Histogram) []*result.Histogram {
	var all []*result.Histogram
	for i := range trials {
		h := of(&trials[i].Measurement)
		if h == nil || h.N() == 0 {
			return nil
		}
		all = append(all, h)
	}
	return all
}

func histogramFigure(trials []*result.Histogram, merged *result.Histogram, p percentile, alpha float64) *LatencyFigure {
	per := make([]float64, 0, len(trials))
	for _, h := range trials {
		if float64(h.N()) < p.needs() {
			return nil
		}
		v, ok := h.Quantile(p.q)
		if !ok {
			return nil
		}
		per = append(per, milliseconds(v))
	}
	v, ok := merged.Quantile(p.q)
	if !ok {
		return nil
	}
	return &LatencyFigure{ValueMS: milliseconds(v), N: len(trials), CI: geometricCI(per, alpha)}
}

// printedFigure is the figure from percentiles that another tool printed, one per trial.
func printedFigure(trials []result.Trial, p percentile, alpha float64) *LatencyFigure {
	per := make([]float64, 0, len(trials))
	for _, t := range trials {
		v, ok := t.LatencyMS[p.key]
		if !ok || !(v > 0) || t.Requests == nil || float64(*t.Requests) < p.needs() {
			return nil
		}
		per = append(per, v)
	}
	s, err := analysis.Summarize(per)
	if err != nil || number(s.GeometricMean) == nil {
		return nil
	}
	return &LatencyFigure{ValueMS: s.GeometricMean, N: len(per), CI: geometricCI(per, alpha)}
}

// printedMax is the longest latency that another tool printed.
func printedMax(trials []result.Trial) *LatencyFigure {
	longest := 0.0
	for _, t := range trials {
		v, ok := t.LatencyMS["max"]
		if !ok || !(v > 0) || math.IsInf(v, 0) {
			return nil
		}
		longest = max(longest, v)
	}
	return &LatencyFigure{ValueMS: longest, N: len(trials)}
}

// geometricCI is nil with one trial, or when a value is not above 0.
func geometricCI(x []float64, alpha float64) *CI {
	ci, err := analysis.GeometricTInterval(x, 1-alpha)
	if err != nil {
		return nil
	}
	return interval(ci, "t of logarithms")
}

func milliseconds(ns int64) float64 { return float64(ns) / nanosecondsPerMillisecond }

// latencyLine lists the percentiles of a target that has no rate, whose row in the table is therefore nearly empty.
func (t Target) latencyLine() string {
	if t.Latency == nil || t.RPS.N > 0 {
		return ""
	}
	l := t.Latency
	var parts []string
	for _, f := range []struct {
		key    string
		figure *LatencyFigure
	}{{p50.key, l.P50}, {p90.key, l.P90}, {p95.key, l.P95}, {p99.key, l.P99}, {p999.key, l.P999}, {"max", l.Max}} {
		if f.figure == nil {
			continue
		}
		text := f.key + " " + f.figure.ms()
		if c := f.figure.CI; c != nil {
			text += fmt.Sprintf(" [%s, %s]", significant(c.Low, 3), significant(c.High, 3))
		}
		parts = append(parts, text)
	}
	return "latency in ms " + strings.Join(parts, ", ") + "."
}

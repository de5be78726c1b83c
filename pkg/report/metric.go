package report

import (
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// metric is one figure per trial that targets can be compared on.
type metric struct {
	name   string
	what   string // in a sentence: "p99 latency"
	unit   string
	better analysis.Better
	// figure is the value of a trial; false where the trial does not show it.
	figure func(result.Trial) (float64, bool)
	// quantum is the step in which another tool prints the figure, in its unit.
	quantum float64
}

// metricNames are the metrics in the order of the report; the first is the default.
var metricNames = []string{"rps", "mean", "p50", "p90", "p99", "server_cpu"}

// Metrics returns the names of the metrics that targets can be compared on; the first is the default.
func Metrics() []string { return append([]string(nil), metricNames...) }

// metricNamed returns the metric of that name.
func metricNamed(name string) (metric, bool) {
	latency := func(what string, figure func(result.Trial) (float64, bool)) metric {
		return metric{name: name, what: what, unit: "ms", better: analysis.LowerIsBetter, figure: figure, quantum: 1}
	}
	switch name {
	case "rps":
		return metric{name: name, what: "requests/s", unit: "requests/s", better: analysis.HigherIsBetter, figure: rateOf, quantum: 0.01}, true
	case "mean":
		m := latency("mean latency", meanLatency)
		m.quantum = 0.001 // ab, wrk and hey print a mean with more digits than its percentiles
		return m, true
	case "p50":
		return latency("p50 latency", percentileOf(p50)), true
	case "p90":
		return latency("p90 latency", percentileOf(p90)), true
	case "p99":
		return latency("p99 latency", percentileOf(p99)), true
	case "server_cpu":
		return metric{name: name, what: "server CPU per request", unit: "µs", better: analysis.LowerIsBetter, figure: serverCPU}, true
	default:
		return metric{}, false
	}
}

// positive keeps figures that statistics on logarithms can take.
func positive(v float64) (float64, bool) { return v, v > 0 && !math.IsInf(v, 0) }

func rateOf(t result.Trial) (float64, bool) {
	if t.RPS == nil {
		return 0, false
	}
	return positive(*t.RPS)
}

func meanLatency(t result.Trial) (float64, bool) {
	if t.Latency() != nil && t.Latency().N() > 0 {
		return positive(t.Latency().Mean() / nanosecondsPerMillisecond)
	}
	if v, ok := t.LatencyMS["mean"]; ok {
		return positive(v)
	}
	return positive(t.ConnectionTimes["total"]["mean"])
}

// percentileOf is the percentile of a trial that has enough requests for it.
func percentileOf(p percentile) func(result.Trial) (float64, bool) {
	return func(t result.Trial) (float64, bool) {
		if t.Latency() != nil {
			v, ok := t.Latency().Quantile(p.q)
			if !ok || float64(t.Latency().N()) < p.needs() {
				return 0, false
			}
			return positive(milliseconds(v))
		}
		if t.Requests == nil || float64(*t.Requests) < p.needs() {
			return 0, false
		}
		return positive(t.LatencyMS[p.key])
	}
}

func serverCPU(t result.Trial) (float64, bool) {
	if t.ServerCPUSeconds == nil || t.Requests == nil || *t.Requests == 0 {
		return 0, false
	}
	return positive(*t.ServerCPUSeconds / float64(*t.Requests) * 1e6)
}

// text prints a figure with its unit.
func (m metric) text(x float64) string {
	if m.name == "rps" {
		return rateText(x) + " " + m.unit
	}
	return significant(x, 4) + " " + m.unit
}

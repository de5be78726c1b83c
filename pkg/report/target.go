package report

import (
	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// describe fills the target's part of the report.
func (a *arm) describe(d Design, baseline bool) {
	a.out = Target{
		Name:           a.in.Name,
		URL:            a.url(),
		Baseline:       baseline,
		Trials:         a.countTrials(),
		RPS:            summarise(a.rps, d.Alpha),
		Metric:         a.describeMetric(d),
		Latency:        latencyOf(a.counted, d.Alpha),
		ServiceLatency: serviceOf(a.counted, d.Alpha),
		CPU:            cpuOf(a.counted),
		Tiers:          a.describeTiers(),
		Warmup:         a.warmup(d),
		Drift:          a.describeDrift(),
	}
	if a.out.Trials.Invalid > 0 {
		var all []result.Trial
		for _, t := range a.trials {
			if complete(t) {
				all = append(all, t)
			}
		}
		if len(all) > len(a.counted) {
			a.out.WithExcluded = new(summarise(newSample(all, a.rps.metric, d.Margin, a.startsCount()), d.Alpha))
		}
	}
	a.out.Findings = sortFindings(append(a.findings(), a.driftFindings(d)...))
}

// describeMetric is the summary of the metric that decides; nil when that is the rate.
func (a *arm) describeMetric(d Design) *NamedMetric {
	if a.sample == a.rps {
		return nil
	}
	return &NamedMetric{Name: a.metric.name, Unit: a.metric.unit, Metric: summarise(a.sample, d.Alpha)}
}

// url is the address that was measured, with its port when a trial recorded it.
func (a *arm) url() string {
	for _, t := range a.trials {
		if t.URL != "" {
			return t.URL
		}
	}
	return a.in.URL
}

// countTrials says how many trials count and why the others do not.
func (a *arm) countTrials() TrialCounts {
	c := TrialCounts{Total: len(a.trials)}
	for _, t := range a.trials {
		switch {
		case a.counts(t):
			c.Valid++
			continue
		case t.Aborted || t.Interrupted || t.Truncated, t.RPS == nil && !measuredToEnd(t):
			c.Aborted++
		default:
			c.Invalid++
		}
		c.InvalidBecause = append(c.InvalidBecause, reason(t))
	}
	return c
}

// measuredToEnd reports whether a trial without a rate was measured here, to its end: no reply of it was good.
func measuredToEnd(t result.Trial) bool {
	return t.Source == nil && t.Requests != nil && *t.Requests > 0
}

// reason is why a trial does not count.
func reason(t result.Trial) string {
	switch {
	case t.InvalidBecause != "":
		return t.InvalidBecause
	case t.Interrupted:
		return "interrupted"
	case t.Aborted:
		return "aborted"
	case t.Truncated:
		return "the text is cut before the rate"
	case t.RPS == nil:
		return "no rate"
	case !(*t.RPS > 0):
		return "rate is not above 0"
	default:
		return "marked as not valid"
	}
}

// summarise describes one figure over the trials that show it. With one trial there is no interval; without variation
// the interval is ± the resolution of the data, never of width 0.
func summarise(x *sample, alpha float64) Metric {
	m := Metric{N: len(x.values), Values: append([]float64{}, x.values...), TrialNumbers: make([]int, 0, len(x.used))}
	for _, t := range x.used {
		m.TrialNumbers = append(m.TrialNumbers, t.Trial)
		if t.Block > 0 {
			m.Blocks = append(m.Blocks, t.Block)
		}
		if x.starts != nil {
			m.Restarts = append(m.Restarts, t.Restart)
		}
	}
	if len(m.Blocks) < len(m.TrialNumbers) {
		m.Blocks = nil
	}
	if m.N == 0 {
		return m
	}
	s := x.summary
	m.Mean, m.SD, m.CV = number(s.Mean), number(s.SD), number(s.CV)
	m.Median, m.Min, m.Max = number(s.Median), number(s.Min), number(s.Max)
	m.Geomean = number(s.GeometricMean)
	if x.metric.name == "rps" {
		m.Total = totalRate(x.used)
	}
	ci, err := analysis.TInterval(m.Values, 1-alpha)
	if err != nil {
		return m
	}
	m.CI = interval(ci, "t")
	if x.starts != nil {
		m.CI = x.startsInterval(1 - alpha)
	}
	if s.SD == 0 {
		r := s.Mean * x.resolution
		m.CI = &CI{Level: 1 - alpha, Low: s.Mean - r, High: s.Mean + r, Method: "resolution"}
	}
	return m
}

// totalRate is all requests over all seconds; nil unless every trial shows both.
func totalRate(trials []*result.Trial) *float64 {
	var requests, seconds float64
	for _, t := range trials {
		n := t.OK
		if n == nil {
			n = t.Requests
		}
		if n == nil || t.Seconds == nil {
			return nil
		}
		requests += float64(*n)
		seconds += *t.Seconds
	}
	if seconds <= 0 {
		return nil
	}
	return number(requests / seconds)
}

// cpuOf is processor time per request over the trials that measured it.
func cpuOf(trials []result.Trial) CPU {
	per := func(seconds func(result.Trial) *float64) *float64 {
		var sum, requests float64
		for _, t := range trials {
			if s := seconds(t); s != nil && t.Requests != nil {
				sum += *s
				requests += float64(*t.Requests)
			}
		}
		if requests == 0 {
			return nil
		}
		return number(sum / requests * 1e6)
	}
	return CPU{
		Server: per(func(t result.Trial) *float64 { return t.ServerCPUSeconds }),
		Client: per(func(t result.Trial) *float64 { return t.ClientCPUSeconds }),
	}
}

package report

import (
	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// describe fills the target's part of the report.
func (a *arm) describe(d Design, baseline bool) {
	a.out = Target{
		Name:     a.in.Name,
		URL:      a.url(),
		Baseline: baseline,
		Trials:   countTrials(a.trials),
		RPS:      metricOf(a.counted, d.Alpha, a.resolution),
		Latency:  latencyOf(a.counted, d.Alpha),
		CPU:      cpuOf(a.counted),
		Tiers:    a.describeTiers(),
		Warmup:   a.warmup(d),
	}
	if a.out.Trials.Invalid > 0 {
		var all []result.Trial
		for _, t := range a.trials {
			if complete(t) {
				all = append(all, t)
			}
		}
		if len(all) > len(a.counted) {
			a.out.WithExcluded = new(metricOf(all, d.Alpha, resolution(all)))
		}
	}
	a.out.Findings = sortFindings(a.findings())
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
func countTrials(trials []result.Trial) TrialCounts {
	c := TrialCounts{Total: len(trials)}
	for _, t := range trials {
		switch {
		case counts(t):
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

// metricOf summarises the rates of trials, which all have one. With one trial there is no interval; without variation
// the interval is ± the resolution of the data, never of width 0.
func metricOf(trials []result.Trial, alpha, resolution float64) Metric {
	m := Metric{N: len(trials), Values: make([]float64, 0, len(trials)), TrialNumbers: make([]int, 0, len(trials))}
	for _, t := range trials {
		m.Values = append(m.Values, *t.RPS)
		m.TrialNumbers = append(m.TrialNumbers, t.Trial)
	}
	s, err := analysis.Summarize(m.Values)
	if err != nil {
		return m
	}
	m.Mean, m.SD, m.CV = number(s.Mean), number(s.SD), number(s.CV)
	m.Median, m.Min, m.Max = number(s.Median), number(s.Min), number(s.Max)
	m.Geomean, m.Total = number(s.GeometricMean), totalRate(trials)
	ci, err := analysis.TInterval(m.Values, 1-alpha)
	if err != nil {
		return m
	}
	m.CI = interval(ci, "t")
	if s.SD == 0 {
		r := s.Mean * resolution
		m.CI = &CI{Level: 1 - alpha, Low: s.Mean - r, High: s.Mean + r, Method: "resolution"}
	}
	return m
}

// totalRate is all requests over all seconds; nil unless every trial shows both.
func totalRate(trials []result.Trial) *float64 {
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

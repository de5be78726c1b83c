package report

import (
	"github.com/benchstat-http/benchstat-http/pkg/result"
	"github.com/benchstat-http/benchstat-http/pkg/warmup"
)

// maxDrain is how much of a trial may pass after its last request was sent without a note.
const maxDrain = 0.05

// warmup says whether the first tenth of the counted trials ran at the rate of their rest. It is untestable when fewer
// than two trials count, or when one of them does not allow the comparison.
func (a *arm) warmup(d Design) *Warmup {
	w := &Warmup{Status: string(warmup.StatusUntestable)}
	var first, filled, rest []float64
	var t10 float64
	for _, t := range a.counted {
		if t.Requests == nil || t.Concurrency == nil || t.T10 == nil || t.TLastIssue == nil || t.CompletedAtLastIssue == nil ||
			t.Schedule != nil { // an open loop has the rate of its schedule, however warm the server is
			return w
		}
		f, r, ok := warmup.SteadyRates(*t.Requests, *t.T10, *t.TLastIssue, *t.CompletedAtLastIssue, *t.Concurrency)
		if !ok {
			return w
		}
		first, rest = append(first, f), append(rest, r)
		filled = append(filled, warmup.WithoutFill(f, *t.T10, fillSeconds(t)))
		t10 += *t.T10
	}
	s, err := warmup.StartEffect(first, rest, d.Margin, 1-d.Alpha)
	if err != nil || s.Status == warmup.StatusUntestable {
		return w
	}
	// A slow start is one that filling an empty server does not explain.
	if even, err := warmup.StartEffect(filled, rest, d.Margin, 1-d.Alpha); s.Short && (err != nil || !even.Short) {
		s.Status, s.Short = warmup.StatusFlat, false
	}
	w.Status, w.StartRatio, w.CI, w.N = string(s.Status), number(s.Ratio), interval(s.CI, "t of logarithms"), s.N
	if s.Short {
		w.Seconds = number(t10 / float64(s.N))
		w.RecommendedRequests = a.longerWarmup()
	}
	return w
}

// fillSeconds is the time that a trial takes to get going, whatever the server's state: its smallest latency, before
// which no reply can have arrived, and on kept connections the opening of all of them, which happens once. It is 0 when
// unknown.
func fillSeconds(t result.Trial) float64 {
	if t.Total == nil {
		return 0
	}
	fill := t.Total.Min
	if t.Connect != nil && t.Connect.N() <= int64(*t.Concurrency) {
		fill += t.Connect.Max
	}
	return float64(fill) / 1e9
}

// longerWarmup is the warm-up that would have covered the first tenth of the trials too; nil when nothing is planned.
func (a *arm) longerWarmup() *int64 {
	if a.in.Plan == nil {
		return nil
	}
	most := int64(0)
	for _, t := range a.counted {
		most = max(most, (*t.Requests+9)/10)
	}
	if a.in.Plan.Warmup.Mode == "none" {
		return new(most)
	}
	return new(a.in.Plan.Warmup.Requests + most)
}

// warmupFindings is about a start that is still slower, and an end with idle connections.
func (a *arm) warmupFindings() []Finding {
	var out []Finding
	if w := a.out.Warmup; w != nil && w.Status == string(warmup.StatusWarmedUp) {
		f := find("warmup-short", "The first tenth of the trials of %s is %s slower than the rest (%s CI %s to %s; n = %d).", a.in.Name,
			percentText(1-*w.StartRatio), levelPercent(w.CI.Level), percentText(1-w.CI.High), percentText(1-w.CI.Low), w.N)
		short, _ := a.shortTrials()
		switch {
		case short > len(a.counted)/2:
			f.Advice = "Raise -n: the first tenth of so short a trial is mostly the start of the load itself."
		case w.RecommendedRequests != nil:
			f.Advice = "Raise warmup.requests to " + countText(*w.RecommendedRequests) + " or more."
		}
		out = append(out, f)
	}
	long, worst := 0, 0.0
	for _, t := range a.counted {
		if t.Seconds == nil || t.TLastIssue == nil {
			continue
		}
		if share := warmup.DrainShare(*t.Seconds, *t.TLastIssue); share > maxDrain {
			long++
			worst = max(worst, share)
		}
	}
	if long > 0 {
		out = append(out, find("drain-tail", "%d of %s of %s spent more than %s of their time after the last request was sent (at most %s).",
			long, plural(len(a.counted), "trial"), a.in.Name, percentText(maxDrain), percentText(worst)))
	}
	return out
}

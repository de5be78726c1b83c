package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

// The lines that both the table and the Markdown renderer write.

// title is the heading of a report.
func (r *Report) title() string {
	if r.Title != "" {
		return clean(r.Title)
	}
	names := make([]string, len(r.Targets))
	for i, t := range r.Targets {
		names[i] = clean(t.Name)
	}
	return strings.Join(names, " · ")
}

// designLine says how the trials were laid out and what decides.
func (r *Report) designLine() string {
	d := r.Design
	var parts []string
	switch {
	case d.Blocked:
		order := map[string]string{"": "block", "as given": "block", "random-blocks": "random block", "abba": "ABBA block"}[d.Order]
		if order == "" {
			order = clean(d.Order) + " block"
		}
		parts = append(parts, plural(len(r.Targets), "target")+" in "+plural(d.Blocks, order))
	case len(r.Targets) > 1:
		parts = append(parts, plural(len(r.Targets), "target")+", measured apart")
	default:
		parts = append(parts, plural(len(r.Targets), "target"))
	}
	if d.Seed != nil {
		parts = append(parts, fmt.Sprintf("seed %d", *d.Seed))
	}
	parts = append(parts, fmt.Sprintf("alpha %g", d.Alpha))
	if len(r.Targets) > 1 {
		parts = append(parts, "margin "+percentText(d.Margin))
		test := "log-Welch decides"
		if d.Blocked && d.Test != "welch" {
			test = "paired t over blocks decides"
			if r.countsStarts() {
				test = "paired t over restarts decides"
			}
		}
		parts = append(parts, test)
		if m := len(r.primary()); m > 1 {
			parts = append(parts, familyText(d.Family, m))
		}
	}
	if m, ok := metricNamed(d.Metric); ok && m.name != metricNames[0] {
		text := "metric " + m.what
		if d.PlannedMetric != "" {
			text += " (planned: " + d.PlannedMetric + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// countsStarts reports whether starts of the servers, not blocks, are the replicates.
func (r *Report) countsStarts() bool {
	return !slices.ContainsFunc(r.Targets, func(t Target) bool { return t.deciding().Restarts == nil })
}

// familyText says how alpha is shared.
func familyText(family string, comparisons int) string {
	of := "with the baseline"
	if family == familyAllPairs {
		of = "of all pairs"
	}
	return fmt.Sprintf("%d comparisons %s, each at alpha/%d", comparisons, of, comparisons)
}

// headline is the number of a target's row: its mean with the half-width of its interval. Proven tiers replace it.
func (t Target) headline() string {
	switch {
	case t.provenTiers() && t.Metric == nil:
		return plural(len(t.Tiers.Tiers), "tier")
	case t.RPS.Mean == nil:
		return missing
	case t.RPS.CI == nil:
		return rateText(*t.RPS.Mean)
	default:
		return rateText(*t.RPS.Mean) + " ± " + halfWidthText((t.RPS.CI.High-t.RPS.CI.Low)/2)
	}
}

// metricHeadline is headline for the metric that decides, when that is not the rate.
func (t Target) metricHeadline() string {
	m := t.Metric
	switch {
	case t.provenTiers():
		return plural(len(t.Tiers.Tiers), "tier")
	case m == nil || m.Mean == nil:
		return missing
	case m.CI == nil:
		return significant(*m.Mean, 4)
	default:
		half := (m.CI.High - m.CI.Low) / 2
		return significant(*m.Mean, 4) + " ± " + significant(half, 2)
	}
}

func (t Target) provenTiers() bool {
	return t.Tiers != nil && t.Tiers.Status == string(analysis.TiersProven)
}

// count is the number of trials that count, of how many when some do not.
func (t Target) count() string {
	if t.Trials.Valid == t.Trials.Total {
		return fmt.Sprint(t.Trials.Valid)
	}
	return fmt.Sprintf("%d/%d", t.Trials.Valid, t.Trials.Total)
}

func (t Target) cv() string {
	m := t.deciding()
	if m.CV == nil {
		return missing
	}
	return fixed(*m.CV*100, 2) + " %"
}

// deciding is the summary of the figure that decides.
func (t Target) deciding() Metric {
	if t.Metric != nil {
		return t.Metric.Metric
	}
	return t.RPS
}

// unit is that of the figure that decides.
func (t Target) unit() string {
	if t.Metric != nil {
		return t.Metric.Unit
	}
	return "requests/s"
}

// tierWord is the tier status in a column.
func (t Target) tierWord() string {
	if t.Tiers == nil || t.Tiers.Status == string(analysis.TiersUntestable) {
		return missing
	}
	if t.Tiers.Status == string(analysis.TiersOrderUnclear) {
		return "unclear"
	}
	return t.Tiers.Status
}

// ms is a latency figure in a column.
func (f *LatencyFigure) ms() string {
	if f == nil {
		return missing
	}
	return significant(f.ValueMS, 3)
}

func (t Target) p50() *LatencyFigure {
	if t.Latency == nil {
		return nil
	}
	return t.Latency.P50
}

func (t Target) p99() *LatencyFigure {
	if t.Latency == nil {
		return nil
	}
	return t.Latency.P99
}

// lines says below the table what its row has no room for.
func (t Target) lines() []string {
	var out []string
	name := clean(t.Name)
	if t.provenTiers() {
		out = append(out, name+": "+t.tierSentence())
	}
	if l := t.ServiceLatency; l != nil && t.Latency != nil {
		out = append(out, fmt.Sprintf("%s: the latencies are response times, from when a request was due; from when it was sent, p50 is %s ms and p99 %s ms.",
			name, l.P50.ms(), l.P99.ms()))
	}
	if t.WithExcluded != nil && t.WithExcluded.Mean != nil {
		out = append(out, fmt.Sprintf("%s: %s excluded for failures; with them %s requests/s%s, n = %d.",
			name, plural(t.Trials.Invalid, "trial"), rateText(*t.WithExcluded.Mean), ciText(t.WithExcluded.CI), t.WithExcluded.N))
	}
	if line := t.latencyLine(); line != "" {
		out = append(out, name+": "+line)
	}
	return out
}

// tierSentence states the tiers, the evidence, and last the mean that they replace.
func (t Target) tierSentence() string {
	parts := make([]string, len(t.Tiers.Tiers))
	for i, tier := range t.Tiers.Tiers {
		parts[i] = fmt.Sprintf("%s (%s)", levelText(tier.Mean), trialList(tier.Trials))
	}
	text := fmt.Sprintf("%s tiers proven", countWord(len(parts)))
	if t.Tiers.R2 != nil && t.Tiers.P != nil {
		text += fmt.Sprintf(" (R² %s, %s if there were only one)", fixed(*t.Tiers.R2, 5), strings.Replace(pText(*t.Tiers.P), "p = ", "p ≈ ", 1))
	}
	text += ": " + joinAnd(parts) + " " + t.unit() + "."
	m := t.deciding()
	if low := t.Tiers.Tiers[0]; low.ShareCI != nil {
		word := "slowest"
		if t.Metric != nil {
			word = "lowest"
		}
		text += fmt.Sprintf(" The %s tier is %d of %d trials (%s CI %s to %s %%).", word, low.N, m.N,
			levelPercent(low.ShareCI.Level), fixed(100*low.ShareCI.Low, 0), fixed(100*low.ShareCI.High, 0))
	}
	if m.Mean != nil {
		text += fmt.Sprintf(" Over all trials: mean %s%s, n = %d.", rateText(*m.Mean), ciText(m.CI), m.N)
	}
	return text
}

// ciText is ", 95 % CI low … high"; empty when there is none.
func ciText(c *CI) string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf(", %s CI %s … %s", levelPercent(c.Level), rateText(c.Low), rateText(c.High))
}

// testsLine shows both tests of a comparison, the deciding one named.
func (c Comparison) testsLine() string {
	var parts []string
	add := func(name, key string, t *TTest) {
		if t == nil {
			return
		}
		text := name + " " + pText(t.P)
		if c.DecidedBy == key {
			text += " (decides)"
		}
		parts = append(parts, text)
	}
	add("paired t", decidedPaired, c.Paired)
	add("log-Welch", decidedLogWelch, c.LogWelch)
	if c.HolmP != nil {
		parts = append(parts, "Holm "+pText(*c.HolmP))
	}
	if len(parts) == 0 {
		return ""
	}
	said := c.Verdict == string(analysis.Inconclusive) && len(c.CappedBy) == 0 // the sentence has it
	if c.SmallestDetectablePercent != nil && !said {
		parts = append(parts, "smallest detectable change "+significant(*c.SmallestDetectablePercent, 2)+" %")
	}
	return strings.Join(parts, "; ")
}

// primary lists the comparisons that decide.
func (r *Report) primary() []Comparison {
	var out []Comparison
	for _, c := range r.Comparisons {
		if c.Primary {
			out = append(out, c)
		}
	}
	return out
}

// allFindings is every finding of the report, the gravest first; a code's findings are neighbours.
func (r *Report) allFindings() []Finding {
	all := slices.Clone(r.Findings)
	for _, t := range r.Targets {
		all = append(all, t.Findings...)
	}
	for _, c := range r.primary() {
		all = append(all, c.Findings...)
	}
	return sortFindings(all)
}

// group is findings of one code and severity with the same advice.
type group struct {
	severity, code, advice string
	texts                  []string
}

// grouped joins neighbours that differ only in their text, so that advice is given once. errors selects the severity
// "error", or all others.
func (r *Report) grouped(errors bool) []group {
	var out []group
	for _, f := range r.allFindings() {
		if (f.Severity == SeverityError) != errors {
			continue
		}
		if last := len(out) - 1; last >= 0 && out[last].code == f.Code && out[last].severity == f.Severity && out[last].advice == clean(f.Advice) {
			out[last].texts = append(out[last].texts, clean(f.Text))
			continue
		}
		out = append(out, group{severity: f.Severity, code: f.Code, advice: clean(f.Advice), texts: []string{clean(f.Text)}})
	}
	return out
}

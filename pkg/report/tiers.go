package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/report/explain"
	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// describeTiers turns the tier test into the model; trials are named by their numbers.
func (a *arm) describeTiers() *Tiers {
	out := &Tiers{Metric: a.metric.name, Status: string(analysis.TiersUntestable), Method: "best-split", Tiers: []Tier{}}
	if !a.tiered {
		return out
	}
	t := a.tiers
	out.Status = string(t.Status)
	if t.Status != analysis.TiersUntestable {
		out.R2, out.P = number(t.Split.R2), number(t.Split.P)
	}
	if t.HasDip && number(t.Dip.D) != nil && number(t.Dip.P) != nil {
		out.Dip = &Dip{D: t.Dip.D, P: t.Dip.P}
	}
	for _, tier := range t.Tiers {
		m := Tier{Mean: tier.Mean, N: len(tier.Members), Share: tier.Share, ShareCI: interval(tier.ShareCI, "clopper-pearson"), Trials: []int{}}
		for _, i := range tier.Members {
			m.Trials = append(m.Trials, a.used[i].Trial)
		}
		slices.Sort(m.Trials)
		out.Tiers = append(out.Tiers, m)
	}
	out.ExplainedBy = a.explanations()
	return out
}

// explanations compares every other figure of the trials between tiers that are proven, suspected or unclear; nil
// without tiers.
func (a *arm) explanations() []Explanation {
	members := make([][]int, len(a.tiers.Tiers))
	for i, tier := range a.tiers.Tiers {
		members[i] = tier.Members
	}
	if len(members) < 2 {
		return nil
	}
	out := []Explanation{}
	trials := make([]result.Trial, len(a.used))
	for i, t := range a.used {
		trials[i] = *t
	}
	for _, c := range explain.Tiers(explain.Covariates(trials, tierFigure[a.metric.name]), members) {
		out = append(out, Explanation{Metric: c.Name, LowTier: c.Low, HighTier: c.High, Separates: c.Separates, Chance: c.Chance})
	}
	return out
}

// tierFigure names the covariate that is the metric itself.
var tierFigure = map[string]string{"mean": "total_mean_ms", "server_cpu": "server_cpu_us_per_request"}

// selfEvident names the covariates that say nothing new about tiers of the rate or of the latency: trials are listed
// anyway, and at a fixed concurrency the mean latency is the rate in another form.
var selfEvident = map[string]bool{"trial": true, "total_mean_ms": true}

// explainedText is what separates the tiers, in words; empty when nothing does.
func explainedText(clues []Explanation) string {
	const most = 4
	var parts []string
	separating := 0
	for _, c := range clues {
		if !c.Separates || selfEvident[c.Metric] {
			continue
		}
		if separating++; separating <= most {
			parts = append(parts, fmt.Sprintf("%s (%s against %s)", c.Metric, significant(c.LowTier, 4), significant(c.HighTier, 4)))
		}
	}
	if separating == 0 {
		return ""
	}
	if separating > most {
		parts = append(parts, fmt.Sprintf("%d more", separating-most))
	}
	return fmt.Sprintf(" What separates them completely: %s; by chance alone one of the %s looked at does so with probability %s at most.",
		joinAnd(parts), plural(len(clues), "figure"), significant(clues[0].Chance, 2))
}

// tierFindings says what the tier test found.
func (a *arm) tierFindings() []Finding {
	if !a.tiered {
		return nil
	}
	var out []Finding
	described := a.out.Tiers
	levels, why := tierList(described.Tiers), explainedText(described.ExplainedBy)
	p := pText(a.tiers.Split.P)
	switch a.tiers.Status {
	case analysis.TiersProven:
		out = append(out, find("two-tiers", "The trials of %s fall into %s tiers: %s (%s if there were only one).%s", a.in.Name, countWord(len(a.tiers.Tiers)), levels, p, why))
	case analysis.TiersSuspected:
		if len(a.tiers.Tiers) == 0 { // one trial apart: said below, as the outlier
			break
		}
		out = append(out, find("tiers-suspected", "The trials of %s may fall into tiers: %s (%s if there were only one); not proven.%s", a.in.Name, levels, p, why))
	case analysis.TiersOrderUnclear:
		if a.tiers.LevelShift {
			out = append(out, find("level-shift", "%s changed its level once during the session: %s.%s", a.in.Name, levels, why))
			break
		}
		out = append(out, find("order-unclear", "The trials of %s have two levels, one after the other: %s; a change over time and tiers look the same here.%s", a.in.Name, levels, why))
	case analysis.TiersNone, analysis.TiersUntestable:
	}
	if i := a.tiers.Outlier; i >= 0 && i < len(a.used) {
		f := find("outlier", "Trial %d of %s (%s) is far from its other %d trials (median %s).",
			a.used[i].Trial, a.in.Name, a.metric.text(a.values[i]), len(a.values)-1, strings.TrimSuffix(a.metric.text(a.summary.Median), " "+a.metric.unit))
		if a.tiers.Status == analysis.TiersSuspected {
			f.Advice = "It may be the first of a second tier: run 5 more trials to know."
		}
		out = append(out, f)
	}
	return out
}

// tierList is "5556.1 (trials 1, 5) and 7634.3 (trials 2, 3, 4)".
func tierList(tiers []Tier) string {
	parts := make([]string, len(tiers))
	for i, t := range tiers {
		parts[i] = fmt.Sprintf("%s (%s)", levelText(t.Mean), trialList(t.Trials))
	}
	return joinAnd(parts)
}

// trialList names trials by number; a long list is cut.
func trialList(trials []int) string {
	const most = 12
	parts := make([]string, 0, most+1)
	for i, n := range trials {
		if i == most && len(trials) > most+1 {
			parts = append(parts, fmt.Sprintf("and %d more", len(trials)-most))
			break
		}
		parts = append(parts, fmt.Sprint(n))
	}
	word := "trials"
	if len(trials) == 1 {
		word = "trial"
	}
	return word + " " + strings.Join(parts, ", ")
}

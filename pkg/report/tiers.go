package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

// describeTiers turns the tier test into the model; trials are named by their numbers.
func (a *arm) describeTiers() *Tiers {
	out := &Tiers{Status: string(analysis.TiersUntestable), Method: "best-split", Tiers: []Tier{}}
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
			m.Trials = append(m.Trials, a.counted[i].Trial)
		}
		slices.Sort(m.Trials)
		out.Tiers = append(out.Tiers, m)
	}
	return out
}

// tierFindings says what the tier test found.
func (a *arm) tierFindings() []Finding {
	if !a.tiered {
		return nil
	}
	var out []Finding
	levels := tierList(a.describeTiers().Tiers)
	p := pText(a.tiers.Split.P)
	switch a.tiers.Status {
	case analysis.TiersProven:
		out = append(out, find("two-tiers", "The trials of %s fall into %s tiers: %s (%s if there were only one).", a.in.Name, countWord(len(a.tiers.Tiers)), levels, p))
	case analysis.TiersSuspected:
		if len(a.tiers.Tiers) == 0 { // one trial apart: said below, as the outlier
			break
		}
		out = append(out, find("tiers-suspected", "The trials of %s may fall into tiers: %s (%s if there were only one); not proven.", a.in.Name, levels, p))
	case analysis.TiersOrderUnclear:
		if a.tiers.LevelShift {
			out = append(out, find("level-shift", "%s changed its level once during the session: %s.", a.in.Name, levels))
			break
		}
		out = append(out, find("order-unclear", "The trials of %s have two levels, one after the other: %s; a change over time and tiers look the same here.", a.in.Name, levels))
	case analysis.TiersNone, analysis.TiersUntestable:
	}
	if i := a.tiers.Outlier; i >= 0 && i < len(a.counted) {
		f := find("outlier", "Trial %d of %s (%s requests/s) is far from its other %d trials (median %s).",
			a.counted[i].Trial, a.in.Name, rateText(a.values[i]), len(a.values)-1, rateText(a.summary.Median))
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

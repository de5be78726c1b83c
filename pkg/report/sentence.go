package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/power"
)

// sentence is the verdict in words. It never states a change without its interval and the number of trials.
func (c *contest) sentence() string {
	x, y := c.out.Candidate, c.out.Baseline
	if c.decision == nil {
		return c.undecidedSentence()
	}
	switch {
	case c.payload != nil && c.payload.Severity == SeverityError:
		return fmt.Sprintf("Inconclusive: %s and %s send different replies, so their rates do not compare. Not to be quoted: %s.", x, y, c.evidence())
	case len(c.out.CappedBy) > 0 && c.out.DecidedBy == decidedNone && len(c.erringNames()) == 0:
		return fmt.Sprintf("Inconclusive: the speed of %s changed during the session, and the targets were not measured in blocks, so that this is part of any difference. Not to be quoted: %s.",
			joinAnd(c.drifting()), c.evidence())
	case len(c.out.CappedBy) > 0 && c.out.DecidedBy == decidedNone:
		return fmt.Sprintf("Inconclusive: %s mostly errors, so there is no performance to compare. Not to be quoted: %s.", c.erring(), c.evidence())
	case len(c.out.CappedBy) > 0:
		return c.cappedSentence()
	}
	switch c.decision.Verdict {
	case analysis.Faster, analysis.Slower:
		return c.changeSentence()
	case analysis.Equivalent:
		return c.equivalentSentence()
	default:
		return c.inconclusiveSentence()
	}
}

// undecidedSentence is for data that no test can be made of.
func (c *contest) undecidedSentence() string {
	x, y := c.out.Candidate, c.out.Baseline
	var none, silent []string
	for _, a := range []*arm{c.base, c.cand} {
		switch {
		case len(a.counted) == 0:
			none = append(none, a.in.Name)
		case len(a.values) == 0:
			silent = append(silent, a.in.Name)
		}
	}
	switch {
	case len(silent) > 0:
		return fmt.Sprintf("Inconclusive%s: no trial of %s shows it.", c.inMetric(), joinAnd(silent))
	case len(none) > 0:
		return fmt.Sprintf("Inconclusive: no trial of %s counts.", joinAnd(none))
	case c.pairedDecides() && len(c.pairs) == 0:
		return fmt.Sprintf("Inconclusive: no block has a trial of both %s and %s that counts.", x, y)
	case c.pairedDecides():
		return fmt.Sprintf("Inconclusive: %s against %s is %s %% in a single block (n = 1); that has no interval, measure at least 5 blocks.", x, y, c.plainChange())
	default:
		return fmt.Sprintf("Inconclusive: %s against %s is %s %% (n = %d and %d trials); a single trial has no interval, measure at least 5 of each.",
			x, y, c.plainChange(), c.out.N[1], c.out.N[0])
	}
}

// plainChange is the change in percent where there is no interval to take the digits from.
func (c *contest) plainChange() string {
	if c.out.ChangePercent == nil {
		return "?"
	}
	return signed(*c.out.ChangePercent, 2)
}

// erring names the targets whose replies are mostly errors: "the replies of a are".
func (c *contest) erring() string { return "the replies of " + joinAnd(c.erringNames()) + " are" }

func (c *contest) erringNames() []string {
	var names []string
	for _, a := range []*arm{c.base, c.cand} {
		if a.mostlyErrors() {
			names = append(names, a.in.Name)
		}
	}
	return names
}

func (c *contest) changeSentence() string {
	x, y := c.out.Candidate, c.out.Baseline
	d := c.decision
	word := string(d.Verdict)
	change, low, high := c.percents()
	moved := "higher"
	if change < 0 {
		change, low, high, moved = -change, -high, -low, "lower"
	}
	dec := decimalsFor((high - low) / 2)
	tail := "."
	if margin := 100 * c.design.Margin; low < margin {
		tail = fmt.Sprintf(", at least %s %%, so the size is not yet known to exceed the margin of %s.", fixed(low, max(dec, decimalsFor(low))), percentText(c.design.Margin))
	}
	by := fmt.Sprintf(" by %s %%", fixed(change, dec))
	if m := c.base.metric; m.name != "rps" {
		by = fmt.Sprintf(": its %s is %s %% %s", m.what, fixed(change, dec), moved)
	} else {
		moved = word
	}
	return fmt.Sprintf("%s is %s than %s%s%s (%s CI %s to %s %% %s; %s)%s",
		x, word, y, c.everyTier(), by, levelPercent(d.CI.Level), fixed(low, dec), fixed(high, dec), moved, c.tested(dec), tail)
}

// inMetric names the metric, unless it is the rate: " in p99 latency".
func (c *contest) inMetric() string {
	if c.base.metric.name == "rps" {
		return ""
	}
	return " in " + c.base.metric.what
}

// everyTier is said when a target has tiers and the verdict does not depend on them.
func (c *contest) everyTier() string {
	if !c.hasTiers() {
		return ""
	}
	if c.pairedDecides() && c.ratios.Status != analysis.TiersNone && c.ratios.Status != analysis.TiersUntestable {
		return ""
	}
	return " in every tier"
}

func (c *contest) equivalentSentence() string {
	d := c.decision
	change, low, high := c.percents()
	dec := decimalsFor((high - low) / 2)
	text := fmt.Sprintf("%s is equivalent to %s%s%s within ±%s", c.out.Candidate, c.out.Baseline, c.inMetric(), c.everyTier(), percentText(c.design.Margin))
	if d.Significant {
		word := string(d.Direction)
		if change < 0 {
			change, low, high = -change, -high, -low
		}
		return fmt.Sprintf("%s; detectably %s by %s %% [%s, %s] (%s CI; %s).", text, word, fixed(change, dec), fixed(low, dec), fixed(high, dec), levelPercent(d.CI.Level), c.tested(dec))
	}
	e := d.Equivalence.CI
	return fmt.Sprintf("%s: %s %% (%s CI %s to %s %%, inside the margin; %s).", text, signed(change, dec), levelPercent(e.Level),
		signed(100*(e.Low-1), dec), signed(100*(e.High-1), dec), c.tested(dec))
}

func (c *contest) inconclusiveSentence() string {
	text := fmt.Sprintf("Inconclusive%s: %s against %s is %s", c.inMetric(), c.out.Candidate, c.out.Baseline, c.evidence())
	unit := c.unit() + "s"
	if !c.pairedDecides() {
		unit += " per target"
	}
	if c.out.TrialsNeeded != nil {
		text += fmt.Sprintf("; about %s %s would decide", countText(int64(*c.out.TrialsNeeded)), unit)
	}
	if p := c.out.SmallestDetectablePercent; p != nil {
		text += fmt.Sprintf("; these can resolve a change of %s %%", significant(*p, 2))
	}
	return text + "."
}

func (c *contest) cappedSentence() string {
	what := "the tiers of the trials"
	if c.pairedDecides() {
		what = "the tiers of the " + c.unit() + "s"
	}
	return fmt.Sprintf("Inconclusive%s: %s against %s is %s, but this depends on how often each of %s comes up: from tier to tier the ratio is %s to %s.",
		c.inMetric(), c.out.Candidate, c.out.Baseline, c.evidence(), what, significant(c.tierSpread[0], 3), significant(c.tierSpread[1], 3))
}

// evidence is the change with its interval and test: "−0.4 % (95 % CI −1.9 to +1.2 %; ratio …)".
func (c *contest) evidence() string {
	change, low, high := c.percents()
	dec := decimalsFor((high - low) / 2)
	return fmt.Sprintf("%s %% (%s CI %s to %s %%; %s)", signed(change, dec), levelPercent(c.decision.CI.Level), signed(low, dec), signed(high, dec), c.tested(dec))
}

// tested is "ratio 0.909 [0.906, 0.911]; n = 10 blocks, paired t p < 1e-9".
func (c *contest) tested(decimals int) string {
	d, t := c.decision, c.deciding()
	n, name := fmt.Sprintf("n = %d and %d %ss", c.out.N[1], c.out.N[0], c.unit()), "log-Welch"
	if c.out.N[0] == c.out.N[1] {
		n = fmt.Sprintf("n = %d %ss each", c.out.N[0], c.unit())
	}
	if c.pairedDecides() {
		n, name = plural(len(c.pairs), c.unit()), "paired t"
		n = "n = " + n
	}
	return fmt.Sprintf("ratio %s [%s, %s]; %s, %s %s", fixed(d.Ratio, decimals+2), fixed(d.CI.Low, decimals+2), fixed(d.CI.High, decimals+2), n, name, pText(t.P))
}

// unit is what the deciding test counts: a block, a trial, or a restart of the servers.
func (c *contest) unit() string {
	switch {
	case c.starts:
		return "restart"
	case c.pairedDecides():
		return "block"
	default:
		return "trial"
	}
}

// percents is the change and its interval in percent.
func (c *contest) percents() (change, low, high float64) {
	d := c.decision
	return 100 * (d.Ratio - 1), 100 * (d.CI.Low - 1), 100 * (d.CI.High - 1)
}

// singleFinding says what it would take to turn one trial each into an answer.
func (c *contest) singleFinding() *Finding {
	if c.out.Ratio == nil || len(c.base.values) == 0 || len(c.cand.values) == 0 {
		return nil
	}
	ratio := c.out.Ratio.Value
	if c.decision != nil || ratio == 1 {
		return nil
	}
	parts := make([]string, 0, 3)
	for _, n := range []int{5, 10, 20} {
		if cv := power.SingleRunCV(math.Max(ratio, 1/ratio), n, c.alpha); number(cv) != nil {
			parts = append(parts, fmt.Sprintf("%s %% with %d trials each", significant(100*cv, 3), n))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	f := find("one-trial", "%s against %s is %s %% from single trials, which decides nothing. It would be significant if trials vary (CV) by at most %s.",
		c.out.Candidate, c.out.Baseline, c.plainChange(), strings.Join(parts, ", "))
	return &f
}

package report

import (
	"fmt"
	"strings"
	"sync"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/multiple"
)

// Build makes the report: every statistic of every target, a comparison of each other target with the baseline, and
// the findings. It returns ErrNotBlocked when a paired test is asked of trials that were not measured in blocks, and
// ErrBadInput for a design that makes no sense. Doubt about the numbers is never an error: it is a finding.
//
// With more than one comparison in the family (each target with the baseline, or all pairs) each verdict is made at
// alpha / number of comparisons (Bonferroni; equivalence at 1 − 2·alpha/m), so that any false claim among the primary
// comparisons stays at alpha; Holm p-values are information. Comparisons on other metrics than the one that was decided
// on follow the primary ones and are outside of that promise.
func Build(in Input) (*Report, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	base := in.baseline()
	if m, _ := metricNamed(in.Design.Metric); !in.shows(m) {
		return nil, fmt.Errorf("%w: no trial shows %s, which --metric %s asks for", ErrBadInput, m.what, m.name)
	}
	arms := make([]*arm, len(in.Targets))
	var work sync.WaitGroup // targets are independent of each other, and may have thousands of trials
	for i, t := range in.Targets {
		work.Go(func() {
			arms[i] = newArm(t, in.Design)
			arms[i].describe(in.Design, i == base && len(in.Targets) > 1)
			if in.Methods {
				arms[i].out.Methods = arms[i].everyMethod(in.Design)
			}
		})
	}
	work.Wait()
	r := &Report{
		Schema: Schema, Version: in.Version, PlanSHA256: in.PlanSHA256, Title: in.Title, Design: in.Design,
		Targets: make([]Target, 0, len(arms)), Comparisons: []Comparison{}, Environment: in.Environment,
	}
	for _, a := range arms {
		r.Targets = append(r.Targets, a.out)
	}
	pairs := familyPairs(in.Design.Family, len(arms), base)
	for _, p := range pairs {
		r.Comparisons = append(r.Comparisons, compare(in.Design, arms[p[0]], arms[p[1]], len(pairs), extent{plan: true, methods: in.Methods}))
	}
	holm(r.Comparisons)
	r.Ranking = rankTargets(in.Design, arms, r.Comparisons)
	if in.Methods && len(arms) > 2 {
		r.groupMethods(in.Design, arms, pairs, base)
	}
	r.Comparisons = append(r.Comparisons, secondary(in.Design, arms, pairs)...)
	r.Findings = sortFindings(experimentFindings(in, arms))
	return r, nil
}

// shows reports whether a trial shows the metric. The rate is not asked for: that no trial has one is an answer.
func (in Input) shows(m metric) bool {
	if m.name == metricNames[0] {
		return true
	}
	for _, t := range in.Targets {
		for _, trial := range t.Trials {
			if _, ok := m.figure(trial); ok {
				return true
			}
		}
	}
	return false
}

// familyPairs lists the comparisons of a family as indexes of baseline and candidate: each other target with the
// baseline, or every pair, those with the baseline first.
func familyPairs(family string, targets, base int) [][2]int {
	order := []int{base}
	for i := range targets {
		if i != base {
			order = append(order, i)
		}
	}
	var out [][2]int
	for i, first := range order {
		if i > 0 && family != familyAllPairs {
			break
		}
		for _, second := range order[i+1:] {
			out = append(out, [2]int{first, second})
		}
	}
	return out
}

// secondary compares the same pairs on every other metric that trials of both targets show.
func secondary(d Design, arms []*arm, pairs [][2]int) []Comparison {
	var out []Comparison
	for _, name := range metricNames {
		m, _ := metricNamed(name)
		if m.name == d.Metric {
			continue
		}
		on := make([]*arm, len(arms))
		for i, a := range arms {
			on[i] = a.on(m, d.Margin)
		}
		first := len(out)
		for _, p := range pairs {
			if base, cand := on[p[0]], on[p[1]]; len(base.values) > 0 && len(cand.values) > 0 {
				out = append(out, compare(d, base, cand, len(pairs), extent{}))
			}
		}
		holm(out[first:])
	}
	return out
}

// WithoutValidTrial names the targets of which no trial counts; a measurement that has one has failed.
func (r *Report) WithoutValidTrial() []string {
	var out []string
	for _, t := range r.Targets {
		if t.Trials.Valid == 0 {
			out = append(out, t.Name)
		}
	}
	return out
}

// holm fills in the step-down p-values of the deciding tests. A comparison without one counts as p = 1, so that the
// family keeps its size.
func holm(c []Comparison) {
	if len(c) < 2 {
		return
	}
	p := make([]float64, len(c))
	for i := range c {
		p[i] = 1
		if t := c[i].decider(); t != nil {
			p[i] = t.P
		}
	}
	adjusted, err := multiple.Holm(p)
	if err != nil {
		return
	}
	for i := range c {
		if c[i].decider() != nil {
			c[i].HolmP = number(adjusted[i])
		}
	}
}

// decider is the test that decided; nil when none did.
func (c Comparison) decider() *TTest {
	switch c.DecidedBy {
	case decidedPaired:
		return c.Paired
	case decidedLogWelch:
		return c.LogWelch
	default:
		return nil
	}
}

// experimentFindings is about the experiment as a whole.
func experimentFindings(in Input, arms []*arm) []Finding {
	out := append([]Finding(nil), in.Notes...)
	if in.Interrupted {
		out = append(out, find("interrupted", "The experiment did not reach its planned end; %s were measured.", plural(trialTotal(arms), "trial")))
	}
	if in.Torn {
		f := find("truncated-text", "The last line of the result file is torn and was left out.")
		f.Advice = "Every whole line before it is kept; --resume cuts the torn one off."
		out = append(out, f)
	}
	if in.ChainBroken > 0 {
		out = append(out, find("inconsistent-numbers", "Line %d of the result file does not fit its check sum: the file was changed or damaged after it was written.", in.ChainBroken))
	}
	if names := startedOnce(arms); len(names) > 0 {
		out = append(out, find("one-restart", "All trials of %s ran on one start of the servers.", joinAnd(names)))
	}
	if len(arms) < 2 {
		return out
	}
	out = append(out, sessionFinding(in.Design, arms)...)
	if !in.Design.Blocked {
		out = append(out, find("not-interleaved", "The trials of the targets were not measured in common blocks."))
	}
	if f := unequal(arms); f != nil && !in.Design.Blocked {
		out = append(out, *f)
	}
	return out
}

func trialTotal(arms []*arm) int {
	n := 0
	for _, a := range arms {
		n += len(a.trials)
	}
	return n
}

// startedOnce names the targets whose servers are ours and were started only once for at least two trials.
func startedOnce(arms []*arm) []string {
	var names []string
	for _, a := range arms {
		once := len(a.counted) > 1
		for _, t := range a.counted {
			once = once && t.Restart == 1
		}
		if once {
			names = append(names, a.in.Name)
		}
	}
	return names
}

// unequal notes that the targets have different numbers of trials that count.
func unequal(arms []*arm) *Finding {
	same := true
	parts := make([]string, len(arms))
	for i, a := range arms {
		same = same && len(a.counted) == len(arms[0].counted)
		parts[i] = fmt.Sprintf("%s %d", a.in.Name, len(a.counted))
	}
	if same {
		return nil
	}
	f := find("unequal-trials", "Trials that count: %s.", strings.Join(parts, ", "))
	return &f
}

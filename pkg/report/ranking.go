package report

import (
	"fmt"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/multiple"
)

// rankTargets says which of three or more targets is best, or which may be: those that no other beats, with the p-values
// of the family adjusted by Holm. Looking for the largest difference first and testing only that would claim too much
// (a best of five equal targets in 18 experiments of 100).
func rankTargets(d Design, arms []*arm, comparisons []Comparison) *Ranking {
	if len(arms) < 3 {
		return nil
	}
	index := map[string]int{}
	score := make([]float64, len(arms))
	for i, a := range arms {
		if len(a.values) == 0 {
			return nil
		}
		index[a.in.Name] = i
		score[i] = a.summary.GeometricMean
		if a.metric.better == analysis.LowerIsBetter {
			score[i] = -score[i]
		}
	}
	family := make([]multiple.Comparison, len(comparisons))
	for i, c := range comparisons {
		winner, loser := c.order()
		family[i] = multiple.Comparison{Better: index[winner], Worse: index[loser], P: c.claimP()}
	}
	s, err := multiple.Separated(score, family, d.Alpha)
	if err != nil {
		return nil
	}
	r := &Ranking{NotSeparated: []string{}}
	for _, i := range s.Set {
		r.NotSeparated = append(r.NotSeparated, arms[i].in.Name)
	}
	ahead, proven := gap(comparisons, arms[s.Best].in.Name, arms[s.RunnerUp].in.Name)
	if s.Separated && !proven { // Holm's p-value and the interval at alpha/m disagree: claim the less
		r.NotSeparated = append(r.NotSeparated, arms[s.RunnerUp].in.Name)
	}
	if len(r.NotSeparated) > 1 {
		r.Sentence = "Not separated: " + joinAnd(r.NotSeparated) + "."
		return r
	}
	best, second := arms[s.Best].in.Name, arms[s.RunnerUp].in.Name
	r.Best, r.RunnerUp = &best, &second
	r.Sentence = fmt.Sprintf("%s is fastest, ahead of the runner-up %s%s.", best, second, ahead)
	return r
}

// gap is how far the best is ahead of the second, and whether the interval of their comparison proves it. Where the
// family did not compare them, each beat another target, and there is nothing to contradict.
func gap(comparisons []Comparison, best, second string) (ahead string, proven bool) {
	for _, c := range comparisons {
		if winner, loser := c.order(); winner == best && loser == second {
			return c.ahead(), c.Significant
		}
	}
	return "", true
}

// claimP is the p-value that the comparison brings to a ranking; 1 when it allows no claim of a difference that matters.
func (c Comparison) claimP() float64 {
	t := c.decider()
	if t == nil || len(c.CappedBy) > 0 || c.Verdict == string(analysis.Equivalent) {
		return 1
	}
	return t.P
}

// order is the better and the worse of the two by the ratio, whether or not that is proven.
func (c Comparison) order() (winner, loser string) {
	if c.Ratio != nil && (c.Ratio.Value > 1) == (c.Better == "higher") {
		return c.Candidate, c.Baseline
	}
	return c.Baseline, c.Candidate
}

// ahead is how far the winner is ahead: " by 4.1 % (98.33 % CI 3.0 to 5.2 %)".
func (c Comparison) ahead() string {
	if c.Ratio == nil || c.Ratio.CI == nil {
		return ""
	}
	v, low, high := c.Ratio.Value, c.Ratio.CI.Low, c.Ratio.CI.High
	if winner, _ := c.order(); winner == c.Baseline {
		v, low, high = 1/v, 1/high, 1/low
	}
	gain, least, most := v-1, low-1, high-1
	if c.Better == "lower" {
		gain, least, most = 1-v, 1-high, 1-low
	}
	dec := decimalsFor(50 * (most - least))
	return fmt.Sprintf(" by %s %% (%s CI %s to %s %%)", fixed(100*gain, dec), levelPercent(c.Ratio.CI.Level), fixed(100*least, dec), fixed(100*most, dec))
}

package multiple

import (
	"fmt"
	"slices"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// Comparison is one test between two targets, numbered from 0.
type Comparison struct {
	Better, Worse int     // by the sign of this comparison's own estimate
	P             float64 // two-sided, not adjusted
}

// Separation says what may be claimed about the best of several targets.
type Separation struct {
	Best     int // the target with the best score
	RunnerUp int // the one with the second best score
	// Separated allows the claim "Best is the fastest, ahead of RunnerUp".
	Separated bool
	// Set holds the targets that may be the best, best score first; only Best when Separated.
	Set []int
	// Adjusted holds the Holm-adjusted p-values, in the order of the comparisons.
	Adjusted []float64
}

// Separated decides whether the best of k targets may be called the fastest, or which of them are not separated.
//
// score has one value a target, higher is better (negate latencies): it orders the targets and decides nothing. family
// holds every comparison that was declared: all pairs, or each against the baseline. Their p-values are adjusted by Holm
// (R: p.adjust(p, "holm")); a target is beaten when it is the worse one of a comparison with an adjusted p < alpha. Set is
// every target that is not beaten. The best is separated when nothing else is left: each other target is then beaten by
// some target, so the chance of naming a wrong one is at most alpha.
//
// Naming the best mean without this is no evidence: among k equal targets the best looks 0.57, 1.16 and 1.54 standard
// errors better than it is, for k = 2, 5 and 10. Targets with equal scores keep their order. With the family "against
// the baseline" two targets that both beat it stay unseparated, not having been compared. When the best score itself is
// beaten, which happens only when comparisons rest on different trials, nothing is claimed: Set is every target.
//
// Errors: ErrEmpty, ErrTooFew for fewer than 2 targets; ErrNonFinite; ErrBadParam for alpha outside (0, 1), a p outside [0, 1],
// or a comparison of targets that do not exist or are the same. Inputs are not modified. O(k log k + m log m).
func Separated(score []float64, family []Comparison, alpha float64) (Separation, error) {
	p, err := checkFamily(score, family, alpha)
	if err != nil {
		return Separation{}, err
	}
	adjusted, err := Holm(p)
	if err != nil {
		return Separation{}, err
	}
	order := make([]int, len(score))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case score[a] > score[b]:
			return -1
		case score[a] < score[b]:
			return 1
		}
		return 0
	})
	beaten := make([]bool, len(score))
	for i, c := range family {
		if adjusted[i] < alpha {
			beaten[c.Worse] = true
		}
	}
	s := Separation{Best: order[0], RunnerUp: order[1], Adjusted: adjusted}
	if beaten[s.Best] {
		s.Set = order
		return s, nil
	}
	for _, t := range order {
		if !beaten[t] {
			s.Set = append(s.Set, t)
		}
	}
	s.Separated = len(s.Set) == 1
	return s, nil
}

// checkFamily returns the p-values of a family that makes sense.
func checkFamily(score []float64, family []Comparison, alpha float64) ([]float64, error) {
	if err := num.CheckFinite(score, 2); err != nil {
		return nil, err
	}
	if err := num.CheckUnit("alpha", alpha); err != nil {
		return nil, err
	}
	p := make([]float64, len(family))
	for i, c := range family {
		for _, t := range []int{c.Better, c.Worse} {
			if t < 0 || t >= len(score) || c.Better == c.Worse {
				return nil, fmt.Errorf("comparison %d of targets %d and %d: %w", i+1, c.Better, c.Worse, num.ErrBadParam)
			}
		}
		p[i] = c.P
	}
	return p, nil
}

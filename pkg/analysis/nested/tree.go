package nested

import (
	"fmt"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// Tree holds measurements of a nested experiment: either Values, the innermost repetitions (trials), or Groups, one
// Tree for every repetition of the level above (restarts, builds, machines).
type Tree struct {
	Values []float64
	Groups []Tree
}

// Restarts makes a two-level Tree of the trials of each restart.
func Restarts(groups [][]float64) Tree {
	t := Tree{Groups: make([]Tree, len(groups))}
	for i, g := range groups {
		t.Groups[i].Values = g
	}
	return t
}

// first is the first value of all; the tree must not be empty.
func (t Tree) first() float64 {
	if len(t.Groups) > 0 {
		return t.Groups[0].first()
	}
	return t.Values[0]
}

// counts returns the repetitions of every level, innermost first, of a tree in which they are the same everywhere.
func (t Tree) counts() ([]int, error) {
	switch {
	case len(t.Values) > 0 && len(t.Groups) > 0:
		return nil, fmt.Errorf("values beside groups: %w", num.ErrUnbalanced)
	case len(t.Groups) == 0:
		if err := num.CheckFinite(t.Values, 1); err != nil {
			return nil, err
		}
		return []int{len(t.Values)}, nil
	}
	first, err := t.Groups[0].counts()
	if err != nil {
		return nil, err
	}
	for i, g := range t.Groups[1:] {
		c, err := g.counts()
		if err != nil {
			return nil, err
		}
		if len(c) != len(first) {
			return nil, fmt.Errorf("group %d has %d levels below it, group 1 %d: %w", i+2, len(c), len(first), num.ErrUnbalanced)
		}
		for level := range c {
			if c[level] != first[level] {
				return nil, fmt.Errorf("group %d has %d repetitions where group 1 has %d: %w", i+2, c[level], first[level], num.ErrUnbalanced)
			}
		}
	}
	return append(first, len(t.Groups)), nil
}

// variances returns the mean of the tree and adds to sum, for every level below and at it, the variance of the means (or
// values) of each cell, and to cells their number. All is taken from origin, so that a large offset does not eat digits.
func (t Tree) variances(origin float64, sum, cells []float64) float64 {
	x := shifted(t.Values, origin)
	if len(t.Groups) > 0 {
		x = make([]float64, len(t.Groups))
		for i, g := range t.Groups {
			x[i] = g.variances(origin, sum[:len(sum)-1], cells[:len(cells)-1])
		}
	}
	m, v := num.MeanVar(x)
	sum[len(sum)-1] += v
	cells[len(cells)-1]++
	return m
}

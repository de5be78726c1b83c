package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// pair is one block in which both targets have a trial that counts.
type pair struct {
	block     int
	base      *result.Trial
	candidate *result.Trial
	x, y      float64 // the figures of candidate and base
}

// pairBlocks joins the trials of two targets by block, in the order of blocks. dropped is the number of blocks in which
// at least one of them has a trial, but not both have one that counts.
func pairBlocks(base, cand *arm) (pairs []pair, dropped int) {
	blocks := map[int]bool{}
	byBlock := func(a *arm) map[int]int {
		for _, t := range a.trials {
			if t.Block != 0 {
				blocks[t.Block] = true
			}
		}
		out := map[int]int{}
		for i, t := range a.used {
			if t.Block != 0 {
				out[t.Block] = i
			}
		}
		return out
	}
	b, c := byBlock(base), byBlock(cand)
	for block := range blocks {
		i, inBase := b[block]
		j, inCandidate := c[block]
		if inBase && inCandidate {
			pairs = append(pairs, pair{block: block, base: base.used[i], candidate: cand.used[j], x: cand.values[j], y: base.values[i]})
		} else {
			dropped++
		}
	}
	slices.SortFunc(pairs, func(p, q pair) int { return cmp.Compare(p.block, q.block) })
	return pairs, dropped
}

// figures returns the candidate's and the baseline's figures, block by block.
func figures(pairs []pair) (candidate, base []float64) {
	for _, p := range pairs {
		candidate = append(candidate, p.x)
		base = append(base, p.y)
	}
	return candidate, base
}

// blockRatios is candidate / baseline per block.
func blockRatios(pairs []pair) []float64 {
	out := make([]float64, len(pairs))
	for i, p := range pairs {
		out[i] = p.x / p.y
	}
	return out
}

// positionP is the level of the position finding. It is stricter than alpha, since blocks are balanced and the ratio
// does not depend on the effect: a clean run should rarely show it.
const positionP = 0.01

// positionFinding says when the candidate gains or loses by being measured after the baseline in a block.
func positionFinding(pairs []pair, m metric) *Finding {
	var baseFirst, candidateFirst []float64
	for _, p := range pairs {
		d := math.Log(p.x) - math.Log(p.y)
		switch {
		case p.base.Position < p.candidate.Position:
			baseFirst = append(baseFirst, d)
		case p.base.Position > p.candidate.Position:
			candidateFirst = append(candidateFirst, d)
		}
	}
	t, err := analysis.PositionEffect(baseFirst, candidateFirst)
	if err != nil || !(t.P < positionP) {
		return nil
	}
	// The two kinds of block differ by twice the gain of being later.
	later := math.Expm1(t.Estimate / 2)
	word := "faster"
	if (later < 0) == (m.better == analysis.HigherIsBetter) {
		word = "slower"
	}
	f := find("position-effect", "A target is %s %s when it is measured later in its block (%s; %d and %d blocks).",
		percentText(math.Abs(later)), word, pText(t.P), len(baseFirst), len(candidateFirst))
	return &f
}

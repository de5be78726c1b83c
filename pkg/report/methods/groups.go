package methods

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/multiple"
)

// Groups are three or more targets.
type Groups struct {
	Values [][]float64 // figures of each target's trials
	Blocks [][]int     // the block of each figure; nil when the trials were not measured in blocks
	Base   int         // index of the baseline
	Alpha  float64     // of the whole family
}

// GroupRows are the methods on all targets at once.
type GroupRows struct {
	All   []Row
	Pairs map[[2]int][]Row // by the indexes of baseline and candidate
}

// All runs every method on three or more targets at once, on logarithms: Welch's analysis of variance and Games–Howell for targets
// measured apart, the additive model of blocks and targets for those measured in blocks.
func All(g Groups) GroupRows {
	out := GroupRows{Pairs: map[[2]int][]Row{}}
	logged := make([][]float64, len(g.Values))
	all := &table{}
	for i, v := range g.Values {
		logged[i] = logs(v)
		all.n += len(v)
	}
	if g.Blocks == nil {
		apart(g, logged, all, out)
	} else {
		blocked(g, logged, all, out)
	}
	out.All = all.rows
	return out
}

func apart(g Groups, logged [][]float64, all *table, out GroupRows) {
	w, err := multiple.WelchANOVA(logged)
	all.add("Welch ANOVA of logarithms", "F", w.F, none, w.P, err, "H0: all targets are alike")
	pairs, err := multiple.GamesHowell(logged, 1-g.Alpha)
	if err != nil {
		all.add("Games–Howell", "ratio", math.NaN(), none, math.NaN(), err, "")
		return
	}
	for _, p := range pairs {
		for _, key := range [][2]int{{p.I, p.J}, {p.J, p.I}} {
			diff, ci := p.Diff, p.Interval
			if key[0] == p.J { // the other way round
				diff, ci = -diff, analysis.Interval{Level: ci.Level, Low: -ci.High, High: -ci.Low}
			}
			t := &table{n: len(g.Values[p.I]) + len(g.Values[p.J])}
			t.add("Games–Howell", "ratio", math.Exp(diff), exp(ci), p.P, nil, "interval and p hold for all pairs at once")
			out.Pairs[key] = t.rows
		}
	}
}

func blocked(g Groups, logged [][]float64, all *table, out GroupRows) {
	name := func(i int) string { return fmt.Sprint(i) }
	levels := []string{name(g.Base)}
	var obs []multiple.Observation
	for i, values := range logged {
		if i != g.Base {
			levels = append(levels, name(i))
		}
		for j, v := range values {
			obs = append(obs, multiple.Observation{Block: fmt.Sprint(g.Blocks[i][j]), Treatment: name(i), Y: v})
		}
	}
	fit, err := multiple.BlockAdjusted(obs, levels)
	all.add("blocks and targets", "F", fit.F, none, fit.P, err, "H0: all targets are alike; one noise level for all of them is assumed")
	if err != nil {
		return
	}
	for i := range g.Values {
		for _, c := range fit.Contrasts {
			if c.Treatment == name(i) {
				t := &table{n: all.n}
				t.add("blocks and targets", "ratio", math.Exp(c.Estimate), exp(c.Interval(1-g.Alpha)), c.P, nil, "one noise level for all targets is assumed; not adjusted for the family")
				out.Pairs[[2]int{g.Base, i}] = t.rows
			}
		}
	}
}

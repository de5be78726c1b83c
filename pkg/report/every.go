package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/modes"
	"github.com/benchstat-http/benchstat-http/pkg/report/methods"
	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// everyMethod runs each method on the target.
func (a *arm) everyMethod(d Design) []methods.Row {
	x := a.series()
	s := methods.Sample{Values: x.Value, Time: x.Time, Timed: a.timed()}
	for _, t := range a.used {
		s.Restarts = append(s.Restarts, t.Restart)
	}
	s.Latencies = a.latencies()
	return methods.Target(s, 1-d.Alpha)
}

// everyMethod runs each method on the pair.
func (c *contest) everyMethod() []methods.Row {
	p := methods.Pair{X: c.cand.units(), Y: c.base.units(), Resolution: c.resolution, Margin: c.design.Margin, Alpha: c.alpha}
	p.PX, p.PY = figures(c.pairs)
	p.DX, p.DY, p.DecileResolution = c.cand.deciles(), c.base.deciles(), histogramResolution
	if c.design.Blocked {
		p.DX, p.DY = nil, nil
		for _, pair := range c.blocks {
			if x, y := decilesOf(pair.candidate), decilesOf(pair.base); x != nil && y != nil {
				p.DX, p.DY = append(p.DX, x), append(p.DY, y)
			}
		}
	}
	return methods.Compare(p)
}

// latencies are the requests of each trial by bucket; nil unless every trial has its distribution.
func (a *arm) latencies() [][]modes.Weighted {
	var out [][]modes.Weighted
	for _, t := range a.used {
		if t.Latency() == nil {
			return nil
		}
		trial := make([]modes.Weighted, 0, len(t.Latency().Counts))
		for _, c := range t.Latency().Counts {
			trial = append(trial, modes.Weighted{Value: milliseconds(c[0]), Count: c[1]})
		}
		out = append(out, trial)
	}
	return out
}

// deciles are those of every trial; nil unless all have them.
func (a *arm) deciles() [][]float64 {
	var out [][]float64
	for _, t := range a.used {
		d := decilesOf(t)
		if d == nil {
			return nil
		}
		out = append(out, d)
	}
	return out
}

// decileCount is how many deciles there are.
const decileCount = 9

// decilesOf are the nine latency deciles of a trial, in ms; nil when it does not show them.
func decilesOf(t *result.Trial) []float64 {
	if t.Latency() == nil {
		return nil
	}
	out := make([]float64, decileCount)
	for i := range out {
		v, ok := t.Latency().Quantile(float64(i+1) / (decileCount + 1))
		if !ok || v <= 0 {
			return nil
		}
		out[i] = milliseconds(v)
	}
	return out
}

// groupMethods adds the methods on all targets at once; the comparisons are those of pairs, in that order.
func (r *Report) groupMethods(d Design, arms []*arm, pairs [][2]int, base int) {
	g := methods.Groups{Base: base, Alpha: d.Alpha}
	for _, a := range arms {
		g.Values = append(g.Values, a.units())
		if d.Blocked && a.starts == nil {
			var blocks []int
			for _, t := range a.used {
				blocks = append(blocks, t.Block)
			}
			g.Blocks = append(g.Blocks, blocks)
		}
	}
	if len(g.Blocks) != len(arms) {
		g.Blocks = nil
	}
	all := methods.All(g)
	r.Methods = all.All
	for i, p := range pairs {
		r.Comparisons[i].Methods = append(r.Comparisons[i].Methods, all.Pairs[p]...)
	}
}

// methodSection is the methods of one target or pair, ready to be drawn.
type methodSection struct {
	title string
	rows  [][]string
	notes []string
}

var methodHead = []string{"method", "of", "estimate", "CI", "p"}

// methodSections is empty unless every method was asked for.
func (r *Report) methodSections() []methodSection {
	var out []methodSection
	if len(r.Methods) > 0 {
		out = append(out, sectionOf(fmt.Sprintf("Every method on all %d targets (alpha %g)", len(r.Targets), r.Design.Alpha), r.Methods))
	}
	for _, t := range r.Targets {
		if len(t.Methods) > 0 {
			out = append(out, sectionOf(fmt.Sprintf("Every method on %s, %s (n = %d)", clean(t.Name), t.unit(), t.deciding().N), t.Methods))
		}
	}
	for _, c := range r.primary() {
		if len(c.Methods) > 0 {
			out = append(out, sectionOf(fmt.Sprintf("Every method on %s against %s (n = %d and %d)", clean(c.Candidate), clean(c.Baseline), c.N[1], c.N[0]), c.Methods))
		}
	}
	return out
}

func sectionOf(title string, rows []methods.Row) methodSection {
	s := methodSection{title: title}
	notes := map[string][]string{}
	var order []string
	note := func(text, method string) {
		if notes[text] == nil {
			order = append(order, text)
		}
		notes[text] = append(notes[text], method)
	}
	level := 0.0 // of the first interval; another is noted
	for _, m := range rows {
		estimate, ci, p := missing, "", ""
		if m.Estimate != nil {
			estimate = significant(*m.Estimate, 5)
		}
		if m.CI != nil {
			dec := decimalsOf((m.CI.High - m.CI.Low) / 2)
			estimate, ci = fixed(*m.Estimate, dec), fixed(m.CI.Low, dec)+" … "+fixed(m.CI.High, dec)
			switch level {
			case 0:
				level = m.CI.Level
				s.title = strings.TrimSuffix(title, ")") + ", " + levelPercent(level) + " CI)"
			case m.CI.Level:
			default:
				note("the interval is one of "+levelPercent(m.CI.Level), m.Method)
			}
		}
		if m.P != nil {
			p = strings.TrimPrefix(strings.TrimPrefix(pText(*m.P), "p "), "= ")
		}
		s.rows = append(s.rows, []string{m.Method, m.Of, estimate, ci, p})
		if m.Note != "" {
			note(m.Note, m.Method)
		}
	}
	for _, text := range order {
		s.notes = append(s.notes, strings.Join(notes[text], "; ")+": "+text+".")
	}
	return s
}

// decimalsOf shows two digits of the half-width of an interval.
func decimalsOf(halfWidth float64) int {
	if !(halfWidth > 0) || math.IsInf(halfWidth, 0) {
		return 4
	}
	return min(max(0, 1-int(math.Floor(math.Log10(halfWidth)))), 9)
}

package study

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/benchstat-http/benchstat-http/internal/calibrate/sim"
	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

// decider gives the bare verdict on a t result.
type decider func(t analysis.TTest) analysis.Verdict

func decideAt(margin float64) decider {
	return func(t analysis.TTest) analysis.Verdict {
		return analysis.Decide(t, margin, alpha, 1, analysis.HigherIsBetter).Verdict
	}
}

// Procedure gives the verdict on the rates of blocks.
type Procedure func(candidate, baseline []float64) analysis.Verdict

// Reported is the verdict as a report gives it: that of the paired test, inconclusive when it depends on tiers of the block
// ratios.
func Reported(margin float64) Procedure {
	decide := decideAt(margin)
	return func(candidate, baseline []float64) analysis.Verdict {
		v := verdictOf(pairedTest, decide, candidate, baseline)
		if v == analysis.Inconclusive {
			return v
		}
		ratios := make([]float64, len(candidate))
		for i := range ratios {
			ratios[i] = candidate[i] / baseline[i]
		}
		if r, err := analysis.Tiers(ratios, margin); err == nil && r.Status == analysis.TiersProven {
			return analysis.Inconclusive
		}
		return v
	}
}

// isFalse says whether a verdict contradicts the true ln ratio: faster when it is not above 0, slower when not below,
// equivalent when the ratio is at or beyond the margin.
func isFalse(v analysis.Verdict, effect, margin float64) bool {
	switch v {
	case analysis.Faster:
		return effect <= 0
	case analysis.Slower:
		return effect >= 0
	case analysis.Equivalent:
		return math.Abs(effect) >= math.Log1p(margin)
	case analysis.Inconclusive:
	}
	return false
}

// verdictRow is a number of blocks and a spread of their ln ratios, with the published rates: at true 0 fast or slow,
// equivalent, inconclusive; at the margin of 2 % faster, falsely equivalent, inconclusive; faster at +3 % and +5 %.
type verdictRow struct {
	n         int
	sd        float64
	reference [8]string
}

func verdictRows() []verdictRow {
	return []verdictRow{
		{5, .01, [8]string{".003", ".947", ".050", ".86", ".050", ".09", "1.0", "1.0"}},
		{5, .02, [8]string{".038", ".28", ".68", ".39", ".045", ".56", ".71", ".98"}},
		{5, .04, [8]string{".049", ".02", ".93", ".13", ".011", ".85", ".25", ".56"}},
		{10, .02, [8]string{".031", ".79", ".18", ".78", ".050", ".17", ".99", "1.0"}},
		{20, .02, [8]string{".007", ".99", ".00", ".95", ".051", ".00", "1.0", "1.0"}},
		{20, .04, [8]string{".052", ".38", ".57", ".56", ".046", ".40", ".89", "1.0"}},
	}
}

func (r verdictRow) label() string { return fmt.Sprintf("n = %d, sd %g %%", r.n, 100*r.sd) }

// verdictExperiments are the rates of the four verdicts, the true ratio and the spread of the block ratios given.
func verdictExperiments() []sim.Experiment {
	const margin = .02
	var out []sim.Experiment
	for _, r := range verdictRows() {
		run := func(effect float64, tally func(v analysis.Verdict, out []float64)) func() sim.Replicate {
			return func() sim.Replicate {
				candidate, baseline, decide := make([]float64, r.n), ones(r.n), decideAt(margin)
				return func(rng *rand.Rand, out []float64) {
					for i := range candidate {
						candidate[i] = math.Exp(math.Log1p(effect) + r.sd*rng.NormFloat64())
					}
					tally(verdictOf(pairedTest, decide, candidate, baseline), out)
				}
			}
		}
		cell := func(column string, i int) sim.Cell {
			return sim.Cell{Row: r.label(), Column: column, Reference: r.reference[i]}
		}
		faster := func(v analysis.Verdict, out []float64) { out[0] = yes(v == analysis.Faster) }
		out = append(out,
			simulate(tableVerdict, r.label()+", 0", 20000,
				[]sim.Cell{cell("0: fast or slow", 0), cell("0: equivalent", 1), cell("0: inconclusive", 2)},
				run(0, func(v analysis.Verdict, out []float64) {
					out[0], out[1] = yes(v == analysis.Faster || v == analysis.Slower), yes(v == analysis.Equivalent)
					out[2] = yes(v == analysis.Inconclusive)
				})),
			simulate(tableVerdict, r.label()+", 2", 20000,
				[]sim.Cell{cell("+2 %: faster", 3), cell("+2 %: equivalent (false)", 4), cell("+2 %: inconclusive", 5)},
				run(margin, func(v analysis.Verdict, out []float64) {
					out[0], out[1], out[2] = yes(v == analysis.Faster), yes(v == analysis.Equivalent), yes(v == analysis.Inconclusive)
				})),
			simulate(tableVerdict, r.label()+", 3", 20000, []sim.Cell{cell("+3 %: faster", 6)}, run(.03, faster)),
			simulate(tableVerdict, r.label()+", 5", 20000, []sim.Cell{cell("+5 %: faster", 7)}, run(.05, faster)))
	}
	return out
}

func ones(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 1
	}
	return x
}

func verdictOf(t test, decide decider, candidate, baseline []float64) analysis.Verdict {
	r, err := t.run(candidate, baseline)
	if err != nil {
		return analysis.Inconclusive
	}
	return decide(r)
}

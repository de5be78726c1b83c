package study

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/benchstat-http/benchstat-http/internal/calibrate/sim"
	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

// noise is what one trial does on the ln scale, with mean 0.
type noise struct {
	name string
	draw func(rng *rand.Rand) float64
}

// sameNoise are noises that both targets share.
func sameNoise() []noise {
	return []noise{
		{"normal, sd 0.5 %", gaussian(.005)},
		{"normal, sd 1 %", gaussian(.01)},
		{"normal, sd 2 %", gaussian(.02)},
		{"normal, sd 5 %", gaussian(.05)},
		{"lognormal σ 0.5, sd 2 %", lognormalNoise(.02)},
		{"exponential left tail, sd 2 %", leftTailNoise(.02)},
		{"tiers 0.73 and 1, 40 % slow", tierNoise(commonShare)},
		{"rare slow tier, 10 %", tierNoise(rareShare)},
		{"restart before every trial, sd 2 %, trial sd 1 %", gaussian(math.Hypot(.02, .01))},
	}
}

func leftTailNoise(sd float64) func(*rand.Rand) float64 {
	return func(rng *rand.Rand) float64 { return sd * (1 - rng.ExpFloat64()) }
}

// lognormalNoise has a long right tail: exp(0.5 z), centred and scaled.
func lognormalNoise(sd float64) func(*rand.Rand) float64 {
	const sigma = .5
	mean := math.Exp(sigma * sigma / 2)
	scale := mean * math.Sqrt(math.Expm1(sigma*sigma))
	return func(rng *rand.Rand) float64 { return sd * (math.Exp(sigma*rng.NormFloat64()) - mean) / scale }
}

// tierNoise is ln of a level and its spread; the mean share of the slow level is taken off, so that two targets with
// this noise differ by nothing but the effect.
func tierNoise(slow float64) func(*rand.Rand) float64 {
	return func(rng *rand.Rand) float64 {
		return math.Log(tierLevel(rng, slow)) - slow*math.Log(slowLevel) + clearSpread*rng.NormFloat64()
	}
}

// truths are the true ratios less 1 at which the verdict is tried, for a margin: none, half the margin, the margin from
// either side, and beyond it.
func truths(margin float64) []float64 {
	return []float64{0, margin / 2, margin, 1/(1+margin) - 1, 1.5 * margin}
}

// claimWorld is a world in which the verdict promises at most alpha false claims.
type claimWorld struct {
	name    string
	session func(n int) *session
}

func claimWorlds() []claimWorld {
	var out []claimWorld
	quiet := disturbances()[0]
	for _, k := range sameNoise() {
		out = append(out, claimWorld{k.name, func(n int) *session { return newSession(n, balancedBlocks, quiet, k.draw) }})
	}
	for _, d := range disturbances()[1:] {
		out = append(out, claimWorld{d.name, func(n int) *session { return newSession(n, balancedBlocks, d, gaussian(.01)) }})
	}
	return append(out, claimWorld{"unequal noise, sd 1 % and 4 %", func(n int) *session {
		s := newSession(n, balancedBlocks, quiet, gaussian(.01))
		s.candidateOwn = gaussian(.04)
		return s
	}})
}

// FalseClaims are the rates of false claims of a verdict, by world, number of blocks and truth, each with its limit.
func FalseClaims(decide func(margin float64) Procedure) []sim.Experiment {
	var out []sim.Experiment
	for _, margin := range []float64{.01, .02} {
		for _, w := range claimWorlds() {
			for _, n := range []int{5, 10, 20} {
				row := fmt.Sprintf("%s; n = %d; margin %g %%", w.name, n, 100*margin)
				out = append(out, sim.Experiment{Table: tableFalse, Name: row, Full: 10000,
					Cells: claimCells(row, margin), New: claimReplicate(w, n, margin, decide)})
			}
		}
	}
	return out
}

func claimCells(row string, margin float64) []sim.Cell {
	names := []string{"no difference", "half the margin", "the margin", "the margin, slower", "1.5 margins"}
	var cells []sim.Cell
	for i := range truths(margin) {
		cells = append(cells, sim.Cell{Row: row, Column: names[i], Limit: alpha})
	}
	return cells
}

func claimReplicate(w claimWorld, n int, margin float64, decide func(margin float64) Procedure) func() sim.Replicate {
	return func() sim.Replicate {
		s, d := w.session(n), decide(margin)
		return func(rng *rand.Rand, out []float64) {
			for i, truth := range truths(margin) {
				effect := math.Log1p(truth)
				candidate, baseline := s.run(rng, effect)
				out[i] = yes(isFalse(d(candidate, baseline), effect, margin))
			}
		}
	}
}

const uncapped = "common slow tier of 40 % in both targets, verdict not capped"

// bare is the verdict without a look at tiers.
func bare(margin float64) Procedure {
	decide := decideAt(margin)
	return func(candidate, baseline []float64) analysis.Verdict {
		return verdictOf(pairedTest, decide, candidate, baseline)
	}
}

// endExperiments are worlds outside the promise, where targets differ in the form of their noise.
func endExperiments() []sim.Experiment {
	const margin = .02
	quiet := disturbances()[0]
	worlds := []struct {
		name            string
		base, candidate func(*rand.Rand) float64
		verdict         func(margin float64) Procedure
	}{
		{"rare slow tier of 10 % in the baseline only", tierNoise(rareShare), gaussian(clearSpread), Reported},
		{"common slow tier of 40 % in the baseline only", tierNoise(commonShare), gaussian(clearSpread), Reported},
		{"exponential left tail of sd 5 % in the baseline only", leftTailNoise(.05), gaussian(.01), Reported},
		{uncapped, tierNoise(commonShare), tierNoise(commonShare), bare},
	}
	var out []sim.Experiment
	for _, w := range worlds {
		for _, n := range []int{5, 10, 20} {
			row := fmt.Sprintf("%s; n = %d", w.name, n)
			out = append(out, sim.Experiment{Table: tableEnds, Name: row, Full: 20000,
				Cells: []sim.Cell{{Row: row, Column: "no difference in the mean"}, {Row: row, Column: "candidate faster by the margin"},
					{Row: row, Column: "candidate slower by the margin"}},
				New: func() sim.Replicate {
					s := newSession(n, balancedBlocks, quiet, w.base)
					s.candidateOwn = w.candidate
					decide := w.verdict(margin)
					return func(rng *rand.Rand, out []float64) {
						for i, effect := range []float64{0, math.Log1p(margin), -math.Log1p(margin)} {
							candidate, baseline := s.run(rng, effect)
							out[i] = yes(isFalse(decide(candidate, baseline), effect, margin))
						}
					}
				}})
		}
	}
	return out
}

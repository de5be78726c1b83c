package methods

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/rank"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/resample"
)

// Pair is two targets: x the candidate, y the baseline.
type Pair struct {
	X, Y []float64 // figures of all trials (or of starts of the servers, when those are the replicates)
	// PX and PY are the figures of the pairs, block by block; empty when the trials were not measured in blocks.
	PX, PY []float64
	// DX and DY are the nine latency deciles of each trial, pair by pair when measured in blocks; empty when a trial does not
	// show its latencies. DecileResolution is the relative step of those.
	DX, DY           [][]float64
	DecileResolution float64
	Resolution       float64 // smallest relative step of the data
	Margin           float64
	Alpha            float64 // of one comparison
}

// Compare runs every method on two targets. Ratios are candidate over baseline.
func Compare(p Pair) []Row {
	t := &table{}
	t.paired(p)
	t.n = len(p.X) + len(p.Y)
	t.parametric(p)
	t.ranks(p)
	t.effects(p)
	t.shift(p)
	return t.rows
}

// paired holds the methods on ln x − ln y of the pairs.
func (t *table) paired(p Pair) {
	if len(p.PX) == 0 {
		return
	}
	t.n = len(p.PX)
	level := 1 - p.Alpha
	test, err := analysis.LogPairedTResolution(p.PX, p.PY, p.Resolution)
	t.add("paired t of logarithms", "ratio", math.Exp(test.Estimate), exp(test.Interval(level)), test.P, err, "")
	t.equivalence("equivalence of pairs", test, p, err)
	d := make([]float64, len(p.PX))
	for i := range d {
		d[i] = math.Log(p.PX[i]) - math.Log(p.PY[i])
	}
	w, err := rank.WilcoxonSignedRank(d)
	t.add("Wilcoxon signed rank", "V", w.V, none, w.P, err, least(len(d)))
	h, err := rank.WalshMedian(d, level)
	ci, note := achieved(h)
	t.add("Hodges–Lehmann of pairs", "ratio", math.Exp(h.Shift), ci, math.NaN(), err, note)
	s, err := resample.SignFlip(d, random())
	t.add("sign-flip permutation", "mean of ln ratio", s.Estimate, none, s.P, err, least(len(d)))
}

// least says which p the number of pairs allows at best.
func least(pairs int) string {
	if p := math.Ldexp(1, 1-pairs); p > 0.05 {
		return fmt.Sprintf("cannot be below %.2g with %d pairs", p, pairs)
	}
	return ""
}

// achieved is the interval of ratios, and the confidence that it really has; none where so few trials cannot reach the
// level.
func achieved(h rank.ShiftEstimate) (analysis.Interval, string) {
	switch {
	case number(h.Achieved) == nil || h.Achieved == 0:
		return exp(h.CI), ""
	case h.Achieved < h.CI.Level:
		return none, fmt.Sprintf("no interval: so few trials reach %.4g %% at most", 100*h.Achieved)
	default:
		return exp(h.CI), fmt.Sprintf("really at %.4g %%", 100*h.Achieved)
	}
}

func (t *table) equivalence(name string, test analysis.TTest, p Pair, err error) {
	e := analysis.TOST(test, p.Margin, p.Alpha)
	t.add(name, "ratio", math.Exp(test.Estimate), e.CI, e.P, err, fmt.Sprintf("H0: the ratio is %.3g %% or more away from 1", 100*p.Margin))
}

func (t *table) parametric(p Pair) {
	level := 1 - p.Alpha
	log, err := analysis.LogWelchTResolution(p.X, p.Y, p.Resolution)
	t.add("Welch t of logarithms", "ratio", math.Exp(log.Estimate), exp(log.Interval(level)), log.P, err, "")
	t.equivalence("equivalence, Welch", log, p, err)
	raw, err := analysis.WelchT(p.X, p.Y)
	t.add("Welch t", "difference", raw.Estimate, raw.Interval(level), raw.P, err, "")
	f, err := analysis.RatioFieller(p.X, p.Y, level)
	note := ""
	if err == nil && !f.Bounded {
		note = "unbounded: the baseline's mean may be 0"
	}
	t.add("Fieller", "ratio of means", f.Ratio, f.CI, math.NaN(), err, note)
	perm, err := resample.PermutationMeanDiff(p.X, p.Y, random())
	note = ""
	if err == nil && !perm.Exact {
		note = fmt.Sprintf("%d random permutations", perm.Draws)
	}
	t.add("permutation", "difference", perm.Estimate, none, perm.P, err, note)
}

func (t *table) ranks(p Pair) {
	u, err := rank.MannWhitney(p.X, p.Y)
	t.add("Mann–Whitney", "U", u.U, none, u.P, err, "")
	lx, ly := logs(p.X), logs(p.Y)
	h, err := rank.HodgesLehmann(lx, ly, 1-p.Alpha)
	ci, note := achieved(h)
	t.add("Hodges–Lehmann", "ratio", math.Exp(h.Shift), ci, math.NaN(), err, note)
	b, err := rank.BrunnerMunzel(p.X, p.Y)
	note = "ties count half"
	if err == nil && math.IsNaN(b.P) {
		note = "no p: the samples do not overlap, or do not vary"
	}
	t.add("Brunner–Munzel", "P(x < y)", b.PHat, none, b.P, err, note)
	delta, err := rank.CliffsDelta(p.X, p.Y)
	t.add("Cliff's delta", "delta", delta, none, math.NaN(), err, "")
}

func (t *table) effects(p Pair) {
	g, err := analysis.HedgesG(p.X, p.Y)
	t.add("Hedges g", "g", g, none, math.NaN(), err, "in standard deviations of a trial")
}

func logs(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = math.Log(v)
	}
	return out
}

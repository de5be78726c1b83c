package report

import (
	"math"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/rank"
)

// Values of Comparison.DecidedBy.
const (
	decidedPaired   = "paired"
	decidedLogWelch = "log_welch"
	decidedNone     = "none"
)

// contest is one comparison while it is being made. x is the candidate, y the baseline.
type contest struct {
	design     Design
	base, cand *arm
	family     int // comparisons in the family
	alpha      float64
	resolution float64
	pairs      []pair
	blocks     []pair // the same as pairs, unless starts are the replicates
	starts     bool   // pairs are starts of both targets' servers, not blocks
	dropped    int
	paired     *analysis.TTest
	logWelch   *analysis.TTest
	welch      *analysis.TTest
	ratios     analysis.TierResult // of the ratios of the blocks
	payload    *Finding
	decision   *analysis.Decision
	tierSpread [2]float64 // lowest and highest ratio of like and unlike tiers, when capped
	out        Comparison
}

// extent is how much is worked out for a comparison.
type extent struct {
	plan    bool // it is primary: what more trials would bring, and aborted trials
	methods bool // every method
}

// compare decides between a candidate and the baseline, in a family of that many comparisons.
func compare(d Design, base, cand *arm, family int, e extent) Comparison {
	c := newContest(d, base, cand, family)
	c.out.Primary = e.plan
	c.judge()
	if e.methods {
		c.out.Methods = c.everyMethod()
	}
	if e.plan {
		c.plan()
		c.out.Aborts = compareAborts(base, cand)
	}
	c.out.Findings = sortFindings(c.findings())
	c.out.Sentence = c.sentence() + c.abortsText()
	return c.out
}

func newContest(d Design, base, cand *arm, family int) *contest {
	c := &contest{
		design: d, base: base, cand: cand, family: family, alpha: d.Alpha / float64(family),
		resolution: max(base.resolution, cand.resolution),
		out: Comparison{
			Baseline: base.in.Name, Candidate: cand.in.Name, Metric: base.metric.name, Better: "higher",
			Verdict: string(analysis.Inconclusive), DecidedBy: decidedNone, Direction: string(analysis.DirectionNone),
			Resolution: max(base.resolution, cand.resolution), CappedBy: []string{}, N: [2]int{len(base.units()), len(cand.units())},
		},
	}
	if base.metric.better == analysis.LowerIsBetter {
		c.out.Better = "lower"
	}
	c.ratios.Status, c.ratios.Outlier = analysis.TiersUntestable, -1
	c.starts = base.starts != nil && cand.starts != nil
	if d.Blocked {
		c.pairs, c.dropped = pairBlocks(base, cand)
		c.blocks = c.pairs
		if c.starts {
			c.pairs = pairStarts(c.pairs)
		}
		if t, err := analysis.Tiers(blockRatios(c.pairs), d.Margin); err == nil {
			c.ratios = t
		}
	}
	return c
}

// judge makes the verdict and the numbers that it rests on.
func (c *contest) judge() {
	c.test()
	c.describe()
	c.decide()
}

// test runs every test that can be run; nil is one that cannot.
func (c *contest) test() {
	keep := func(t analysis.TTest, err error) *analysis.TTest {
		if err != nil || number(t.T) == nil || number(t.DF) == nil || number(t.P) == nil {
			return nil
		}
		return &t
	}
	x, y := c.cand.units(), c.base.units()
	c.welch = keep(analysis.WelchT(x, y))
	c.logWelch = keep(analysis.LogWelchTResolution(x, y, c.resolution))
	if c.design.Blocked {
		px, py := figures(c.pairs)
		c.paired = keep(analysis.LogPairedTResolution(px, py, c.resolution))
	}
}

// pairedDecides says which test the plan names, whether or not it can be run.
func (c *contest) pairedDecides() bool { return c.design.Blocked && c.design.Test != "welch" }

// deciding is the test that the plan names; nil when it cannot be run.
func (c *contest) deciding() *analysis.TTest {
	if c.pairedDecides() {
		return c.paired
	}
	return c.logWelch
}

// describe fills in what needs no decision: ratio, difference, tests, effect sizes.
func (c *contest) describe() {
	x, y := c.cand.units(), c.base.units()
	c.out.Welch, c.out.LogWelch, c.out.Paired = modelTest(c.welch), modelTest(c.logWelch), modelTest(c.paired)
	if c.pairedDecides() {
		c.out.N = [2]int{len(c.pairs), len(c.pairs)}
		x, y = figures(c.pairs)
	}
	sx, errX := analysis.Summarize(x)
	sy, errY := analysis.Summarize(y)
	if errX != nil || errY != nil {
		return
	}
	if ratio := sx.GeometricMean / sy.GeometricMean; number(ratio) != nil {
		c.out.Ratio = &Ratio{Value: ratio}
		c.out.ChangePercent = number((ratio - 1) * 100)
	}
	c.out.Difference = &Difference{Value: c.cand.summary.Mean - c.base.summary.Mean}
	if c.welch != nil { // of the starts, when those are the replicates
		c.out.Difference.Value = c.welch.Estimate
	}
	if c.welch != nil {
		c.out.Difference.CI = interval(c.welch.Interval(1-c.alpha), "Welch t")
	}
	if u, err := rank.MannWhitney(c.cand.units(), c.base.units()); err == nil && number(u.P) != nil {
		c.out.MannWhitney = &MannWhitney{U: u.U, P: u.P}
	}
	c.out.Effect = c.effect()
}

func (c *contest) effect() *Effect {
	var e Effect
	if g, err := analysis.HedgesG(c.cand.units(), c.base.units()); err == nil {
		e.HedgesG = number(g)
	}
	if d, err := rank.CliffsDelta(c.cand.units(), c.base.units()); err == nil {
		e.CliffsDelta = number(d)
	}
	if e.HedgesG == nil && e.CliffsDelta == nil {
		return nil
	}
	return &e
}

func modelTest(t *analysis.TTest) *TTest {
	if t == nil {
		return nil
	}
	return &TTest{T: t.T, DF: t.DF, P: t.P}
}

// findings is what the reader must know about the comparison.
func (c *contest) findings() []Finding {
	var out []Finding
	if c.payload != nil {
		out = append(out, *c.payload)
	}
	if c.dropped > 0 {
		f := find("unequal-trials", "%s of %d left out of the pairs: a trial in it does not count or is missing.", plural(c.dropped, "block"), c.dropped+len(c.blocks))
		out = append(out, f)
	}
	if len(c.base.values) == 1 || len(c.cand.values) == 1 || (c.pairedDecides() && len(c.pairs) == 1) {
		if f := c.singleFinding(); f != nil {
			out = append(out, *f)
		}
	}
	if f := positionFinding(c.blocks, c.base.metric); f != nil {
		out = append(out, *f)
	}
	if c.paired != nil && c.logWelch != nil && (c.paired.P < c.alpha) != (c.logWelch.P < c.alpha) {
		out = append(out, find("tests-disagree", "Paired t says %s, log-Welch %s, with alpha %.3g between them.", pText(c.paired.P), pText(c.logWelch.P), c.alpha))
	}
	if f := c.estimandFinding(); f != nil {
		out = append(out, *f)
	}
	out = append(out, c.ratioFindings()...)
	return out
}

// ratioFindings names the proven tiers of the ratios of the blocks. Tiers that are only suspected cap nothing, and are
// not worth a second warning beside those of the targets.
func (c *contest) ratioFindings() []Finding {
	if !c.pairedDecides() || c.ratios.Status != analysis.TiersProven {
		return nil
	}
	var levels []string
	for _, t := range c.ratios.Tiers {
		blocks := make([]int, len(t.Members))
		for i, m := range t.Members {
			blocks[i] = c.pairs[m].block
		}
		levels = append(levels, significant(t.Mean, 4)+" ("+strings.Replace(trialList(blocks), "trial", c.unit(), 1)+")")
	}
	return []Finding{find("two-tiers", "The ratios of the %ss fall into %s tiers: %s (%s if there were only one).",
		c.unit(), countWord(len(levels)), joinAnd(levels), pText(c.ratios.Split.P))}
}

// estimandFinding is raised when the choice of mean moves the ratio by more than the effect and more than the margin.
func (c *contest) estimandFinding() *Finding {
	if c.out.Ratio == nil || len(c.base.values) < 2 || len(c.cand.values) < 2 {
		return nil
	}
	x, y := c.cand.summary, c.base.summary
	geometric := math.Log(x.GeometricMean / y.GeometricMean)
	other, name := math.Log(x.Mean/y.Mean), "arithmetic means"
	tx, ty := c.cand.out.RPS.Total, c.base.out.RPS.Total
	if c.base.metric.name == "rps" && tx != nil && ty != nil {
		if total := math.Log(*tx / *ty); math.Abs(total-geometric) > math.Abs(other-geometric) {
			other, name = total, "total requests over total time"
		}
	}
	gap := math.Abs(other - geometric)
	if !(gap > math.Abs(geometric) && gap > math.Log1p(c.design.Margin)) {
		return nil
	}
	f := find("estimand-matters", "The change is %s %% by geometric means but %s %% by %s.",
		signed(math.Expm1(geometric)*100, 1), signed(math.Expm1(other)*100, 1), name)
	return &f
}

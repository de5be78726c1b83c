package report

import (
	"math"
	"slices"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/power"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/trend"
)

// Reasons of Comparison.CappedBy.
const (
	cappedByTiers   = "tiers"
	cappedByErrors  = "non-2xx"
	cappedByReplies = "response-differs"
	cappedByDrift   = "drift"
)

// planPower is the chance of a decision that trials needed, and the smallest detectable change, are computed for.
const planPower = 0.8

// decide makes the verdict: no test decides between replies that are not the same work; else the test that the plan
// names, unless its answer depends on the tiers.
func (c *contest) decide() {
	if f := compareReplies(c.base, c.cand); f != nil {
		c.payload = f
		if f.Severity == SeverityError {
			c.out.CappedBy = append(c.out.CappedBy, cappedByReplies)
		}
	}
	if c.base.mostlyErrors() || c.cand.mostlyErrors() {
		c.out.CappedBy = append(c.out.CappedBy, cappedByErrors)
	}
	if len(c.drifting()) > 0 {
		c.out.CappedBy = append(c.out.CappedBy, cappedByDrift)
	}
	t := c.deciding()
	if t == nil {
		return
	}
	d := analysis.Decide(*t, c.design.Margin, c.design.Alpha, c.family, c.base.metric.better)
	c.decision = &d
	c.out.Ratio = &Ratio{Value: d.Ratio, CI: interval(d.CI, "t of logarithms")}
	c.out.ChangePercent = number((d.Ratio - 1) * 100)
	c.out.Equivalence = &Equivalence{
		Margin: d.Equivalence.Margin, PLower: d.Equivalence.PLower, PUpper: d.Equivalence.PUpper,
		CI90: interval(d.Equivalence.CI, "t of logarithms"),
	}
	if len(c.out.CappedBy) > 0 {
		return
	}
	c.out.DecidedBy = decidedLogWelch
	if c.pairedDecides() {
		c.out.DecidedBy = decidedPaired
	}
	c.out.Verdict, c.out.Significant, c.out.Direction = string(d.Verdict), d.Significant, string(d.Direction)
	if d.Verdict != analysis.Inconclusive && c.dependsOnTiers() {
		c.out.Verdict = string(analysis.Inconclusive)
		c.out.CappedBy = append(c.out.CappedBy, cappedByTiers)
	}
}

// drifting names the targets that changed during the session, where that spoils the comparison: targets measured one
// after the other, at known times, differ by whatever the machine did in between. In blocks it cancels, and numbers
// without times may be in any order.
func (c *contest) drifting() []string {
	var names []string
	for _, a := range []*arm{c.base, c.cand} {
		s := a.drift.Status
		if !c.design.Blocked && a.timed() && (s == trend.StatusDrift || s == trend.StatusLevelShift) {
			names = append(names, a.in.Name)
		}
	}
	return names
}

// dependsOnTiers reports whether another mix of the tiers could change the verdict. When pairs decide: the ratios of
// the blocks have proven tiers themselves. When log-Welch decides: not every ratio of a tier of the candidate to one of
// the baseline lies on the same side of the margin (above it, below it, or within it).
func (c *contest) dependsOnTiers() bool {
	if c.pairedDecides() {
		if c.ratios.Status != analysis.TiersProven {
			return false
		}
		c.tierSpread = [2]float64{math.Inf(1), math.Inf(-1)}
		for _, t := range c.ratios.Tiers {
			c.widenSpread(t.Mean)
		}
		return true
	}
	if !c.hasTiers() {
		return false
	}
	sides := map[int]bool{}
	c.tierSpread = [2]float64{math.Inf(1), math.Inf(-1)}
	for _, x := range levels(c.cand) {
		for _, y := range levels(c.base) {
			c.widenSpread(x / y)
			sides[side(x/y, c.design.Margin)] = true
		}
	}
	return len(sides) > 1
}

func (c *contest) widenSpread(ratio float64) {
	c.tierSpread[0] = min(c.tierSpread[0], ratio)
	c.tierSpread[1] = max(c.tierSpread[1], ratio)
}

// hasTiers reports whether one of the two targets has proven tiers.
func (c *contest) hasTiers() bool {
	return c.base.provenTiers() != nil || c.cand.provenTiers() != nil
}

// levels is the mean of each proven tier, or the one geometric mean.
func levels(a *arm) []float64 {
	tiers := a.provenTiers()
	if tiers == nil {
		return []float64{a.summary.GeometricMean}
	}
	out := make([]float64, len(tiers))
	for i, t := range tiers {
		out[i] = t.Mean
	}
	return out
}

// side is −1 below the margin, 0 within it, 1 above it.
func side(ratio, margin float64) int {
	m := math.Log1p(margin)
	switch l := math.Log(ratio); {
	case l > m:
		return 1
	case l < -m:
		return -1
	default:
		return 0
	}
}

// plan fills in what these trials can resolve and, when more of them could decide, how many are needed.
func (c *contest) plan() {
	t := c.deciding()
	if t == nil {
		return
	}
	var detectable float64
	var err error
	var needed func(delta, alpha, chance float64) (int, error)
	if c.pairedDecides() {
		sd := max(t.SE*math.Sqrt(float64(t.N1)), c.resolution)
		detectable, err = power.PairedDetectable(sd, t.N1, c.alpha, planPower)
		needed = func(delta, alpha, chance float64) (int, error) {
			return power.PairedSampleSize(delta, sd, alpha, chance)
		}
	} else {
		sx, sy := c.logSD(c.cand), c.logSD(c.base)
		detectable, err = power.WelchDetectable(sx, sy, len(c.cand.units()), len(c.base.units()), c.alpha, planPower)
		needed = func(delta, alpha, chance float64) (int, error) {
			_, n, err := power.SampleSize(delta, math.Sqrt((sx*sx+sy*sy)/2), alpha, chance)
			return n, err
		}
	}
	if err == nil {
		c.out.SmallestDetectablePercent = number(math.Expm1(detectable) * 100)
	}
	if c.out.Verdict != string(analysis.Inconclusive) || len(c.out.CappedBy) > 0 {
		return
	}
	if n, ok := trialsNeeded(math.Abs(t.Estimate), math.Log1p(c.design.Margin), c.alpha, needed); ok {
		c.out.TrialsNeeded = new(max(n, min(c.out.N[0], c.out.N[1])+1))
	}
}

// trialsNeeded is the number of trials per target with which a change as large as the one seen would be found in four
// of five experiments, or, where the change seen is within the margin and that is cheaper, with which equivalence would
// be (two one-sided tests at alpha, each with power 0.9, so that both reject in four of five). ok is false when neither
// can be computed.
func trialsNeeded(delta, margin, alpha float64, needed func(delta, alpha, chance float64) (int, error)) (n int, ok bool) {
	var sizes []int
	if delta > 0 {
		if n, err := needed(delta, alpha, planPower); err == nil {
			sizes = append(sizes, n)
		}
	}
	if delta < margin {
		if n, err := needed(margin-delta, 2*alpha, 1-(1-planPower)/2); err == nil {
			sizes = append(sizes, n)
		}
	}
	if len(sizes) == 0 {
		return 0, false
	}
	return slices.Min(sizes), true
}

// logSD is the standard deviation of the logarithms of a target's rates, at least the resolution.
func (c *contest) logSD(a *arm) float64 {
	x := a.units()
	logs := make([]float64, len(x))
	for i, v := range x {
		logs[i] = math.Log(v)
	}
	s, err := analysis.Summarize(logs)
	if err != nil || number(s.SD) == nil {
		return c.resolution
	}
	return max(s.SD, c.resolution)
}

package analysis

import (
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// Better says which direction of a metric is an improvement.
type Better int

// The directions of improvement.
const (
	HigherIsBetter Better = iota // requests per second
	LowerIsBetter                // latency
)

// Verdict is the outcome of a comparison, seen from the candidate.
type Verdict string

// The four verdicts.
const (
	Faster       Verdict = "faster"
	Slower       Verdict = "slower"
	Equivalent   Verdict = "equivalent"
	Inconclusive Verdict = "inconclusive"
)

// Direction is the direction of a detectable difference, whatever the verdict.
type Direction string

// The directions.
const (
	DirectionFaster Direction = "faster"
	DirectionSlower Direction = "slower"
	DirectionNone   Direction = "none"
)

// Decision is a verdict with the numbers behind it.
type Decision struct {
	Verdict     Verdict
	Significant bool      // the interval CI excludes ratio 1
	Direction   Direction // of the significant difference, also for an equivalent verdict
	Ratio       float64   // candidate / baseline
	CI          Interval  // ratio, level 1−Alpha
	Equivalence Equivalence
	Alpha       float64 // per comparison: alpha/m
}

// Decide gives one of four verdicts on a t result on the ln scale, equivalence first.
//
// With a = alpha/m (Bonferroni over the m comparisons of the family; m < 1 counts as 1): the 1−2a interval inside
// ±ln(1+margin) is equivalent; otherwise the 1−a interval above or below 0 is faster or slower; otherwise
// inconclusive. Any false claim has probability <= alpha, whatever the truth: at ratio 1 only faster or slower can be
// false, at the margin only equivalent can. The margin must be fixed before measuring. A test without degrees of
// freedom (zero value) is inconclusive.
func Decide(t TTest, margin, alpha float64, m int, better Better) Decision {
	a := alpha / float64(max(m, 1))
	d := Decision{Verdict: Inconclusive, Direction: DirectionNone, Alpha: a}
	if !(t.DF > 0 && t.SE > 0) || num.CheckUnit("alpha", a) != nil {
		nan := math.NaN()
		d.Ratio, d.CI = nan, Interval{1 - a, nan, nan}
		d.Equivalence = Equivalence{Margin: margin, Alpha: a, PLower: nan, PUpper: nan, P: nan, CI: Interval{1 - 2*a, nan, nan}}
		return d
	}
	d.Ratio, d.CI, d.Equivalence = math.Exp(t.Estimate), t.RatioInterval(1-a), TOST(t, margin, a)
	if t.P < a {
		d.Significant, d.Direction = true, DirectionSlower
		if (t.Estimate > 0) == (better == HigherIsBetter) {
			d.Direction = DirectionFaster
		}
	}
	switch {
	case d.Equivalence.Equivalent:
		d.Verdict = Equivalent
	case d.Significant:
		d.Verdict = Verdict(d.Direction)
	}
	return d
}

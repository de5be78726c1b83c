package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// Resolution is the smallest relative step that the data can show. Text has two decimals, so half a unit of the last
// one; a rate measured here is limited by the clock.
const (
	textQuantum     = 0.005 // requests/s
	clockResolution = 1e-6  // as a fraction
)

// arm is one target while its report is being made.
type arm struct {
	in      TargetInput
	trials  []result.Trial // by trial number
	counted []result.Trial // valid, with a rate above 0, by trial number
	values  []float64      // rates of counted
	summary analysis.Summary
	tiers   analysis.TierResult
	tiered  bool // tiers is set
	// resolution is a fraction of the rate.
	resolution float64
	replies    replies
	out        Target
}

func newArm(in TargetInput, d Design) *arm {
	a := &arm{in: in}
	for _, t := range in.Trials {
		a.trials = append(a.trials, withBreakdown(t))
	}
	slices.SortStableFunc(a.trials, func(x, y result.Trial) int { return cmp.Compare(x.Trial, y.Trial) })
	for _, t := range a.trials {
		if counts(t) {
			a.counted = append(a.counted, t)
			a.values = append(a.values, *t.RPS)
		}
	}
	a.resolution = resolution(a.counted)
	if s, err := analysis.Summarize(a.values); err == nil {
		a.summary = s
	}
	if t, err := analysis.Tiers(a.values, d.Margin); err == nil {
		a.tiers, a.tiered = t, true
	}
	a.replies = repliesOf(a)
	return a
}

// counts reports whether the trial's rate enters the statistics: valid, finite and above 0.
func counts(t result.Trial) bool { return t.Valid && hasRate(t) }

func hasRate(t result.Trial) bool {
	return t.RPS != nil && *t.RPS > 0 && !math.IsInf(*t.RPS, 0) && !math.IsNaN(*t.RPS)
}

// complete reports whether the trial ran to its end and has a rate, whatever its failures.
func complete(t result.Trial) bool { return hasRate(t) && !t.Aborted && !t.Interrupted }

// resolution is the relative resolution of the rates: of the coarsest source among them.
func resolution(trials []result.Trial) float64 {
	r := clockResolution
	for _, t := range trials {
		if t.Source != nil {
			r = max(r, textQuantum / *t.RPS)
		}
	}
	return r
}

// provenTiers returns the tiers when they are proven, else nil.
func (a *arm) provenTiers() []analysis.Tier {
	if a.tiered && a.tiers.Status == analysis.TiersProven {
		return a.tiers.Tiers
	}
	return nil
}

// number is nil where x does not exist.
func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return new(x)
}

// interval turns an analysis interval into the model's; nil where a bound does not exist.
func interval(i analysis.Interval, method string) *CI {
	if number(i.Low) == nil || number(i.High) == nil || number(i.Level) == nil {
		return nil
	}
	return &CI{Level: i.Level, Low: i.Low, High: i.High, Method: method}
}

package planning

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/power"
)

// ErrBadInput is the cause of every refusal.
var ErrBadInput = errors.New("cannot plan")

// Request is what is asked. Effects, margins and CVs are shares; a CV, a pilot or a number of trials is needed.
type Request struct {
	Version              string
	CV, RatioCV          float64 // of trials and of block ratios; 0: not given
	Pilot                *Pilot  // instead of the CVs
	Effect               float64 // 0: none asked for
	Effects              []float64
	Margin, Alpha, Power float64
	Trials               int     // 0: none asked for
	RestartCost          float64 // seconds; 0: not given
	TrialCost            float64 // seconds; 0: as measured in the pilot
}

// DefaultEffects are the effects of the table.
func DefaultEffects() []float64 { return []float64{.005, .01, .02, .05, .1} }

// Build computes the plan. Sizes count on normal logarithms: an effect e is ln(1+e), and a CV the sd of the logarithms
// that gives a log-normal figure this CV. The errors wrap ErrBadInput.
func Build(r Request) (*Plan, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	p := &Plan{Schema: Schema, Version: r.Version, Alpha: r.Alpha, Power: r.Power, Margin: r.Margin, Unit: "trial"}
	if r.Pilot != nil {
		if err := p.fromPilot(r); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrBadInput, err)
		}
	} else if r.CV > 0 {
		p.Spread = given(r.CV, r.RatioCV)
	}
	if p.Spread != nil {
		if r.Effect > 0 {
			p.Difference = p.difference(r.Effect)
		}
		p.Equivalence = p.equivalence(r.Margin)
	}
	if r.Trials > 0 {
		p.Resolution = p.resolve(r.Trials)
	}
	effects := slices.Clone(r.Effects)
	if len(effects) == 0 {
		effects = DefaultEffects()
	}
	if r.Effect > 0 {
		effects = append(effects, r.Effect)
	}
	slices.Sort(effects)
	for _, e := range slices.Compact(effects) {
		row := Row{Effect: e}
		if p.Spread != nil {
			row.Difference, row.Equivalence = p.difference(e), p.equivalence(e)
		}
		if p.Resolution != nil {
			row.LargestCV = p.largestCV(e)
		}
		p.Table = append(p.Table, row)
	}
	return p, nil
}

func (r Request) check() error {
	share := func(name string, v float64, zero bool) error {
		if !(v > 0 && v < 1) && (!zero || v != 0) {
			return fmt.Errorf("%w: %s %v is not between 0 and 1", ErrBadInput, name, v)
		}
		return nil
	}
	errs := []error{share("alpha", 2*r.Alpha, false), share("power", r.Power, false), share("margin", r.Margin, false),
		share("effect", r.Effect, true), share("CV", r.CV, true), share("CV of ratios", r.RatioCV, true)}
	for _, e := range r.Effects {
		errs = append(errs, share("effect", e, false))
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	switch {
	case r.Power <= r.Alpha:
		return fmt.Errorf("%w: power %v is not above alpha %v", ErrBadInput, r.Power, r.Alpha)
	case r.Pilot == nil && r.CV == 0 && r.Trials == 0:
		return fmt.Errorf("%w: neither a CV, a pilot nor a number of trials", ErrBadInput)
	case r.Trials == 1 || r.Trials < 0:
		return fmt.Errorf("%w: %d trials resolve nothing, at least 2 are needed", ErrBadInput, r.Trials)
	case r.Pilot != nil && r.CV > 0 || r.CV == 0 && r.RatioCV > 0:
		return fmt.Errorf("%w: a CV of ratios needs one of trials, and a pilot has its own", ErrBadInput)
	case r.Effect > 0 && r.Pilot == nil && r.CV == 0:
		return fmt.Errorf("%w: an effect needs a CV or a pilot", ErrBadInput)
	}
	return nil
}

// given is the spread of CVs that the user states.
func given(cv, ratioCV float64) *Spread {
	s := &Spread{Source: "given", Trial: SD{CV: cv, log: logSD(cv)}, Ratio: SD{CV: ratioCV, log: logSD(ratioCV)}}
	if ratioCV == 0 {
		s.assumeRatio()
	}
	return s
}

// assumeRatio is the ratio of two trials that have nothing in common.
func (s *Spread) assumeRatio() {
	s.Ratio = SD{log: s.Trial.log * math.Sqrt2, Assumed: true}
	s.Ratio.CV = cvOf(s.Ratio.log)
}

// logSD is the sd of the logarithms of a log-normal figure with this CV, and cvOf its inverse.
func logSD(cv float64) float64 { return math.Sqrt(math.Log1p(cv * cv)) }
func cvOf(sd float64) float64  { return math.Sqrt(math.Expm1(sd * sd)) }

// difference is what a change by effect needs to be found.
func (p *Plan) difference(effect float64) *Sizes {
	delta := math.Log1p(effect)
	_, apart, errApart := power.SampleSize(delta, p.Spread.Trial.log, p.Alpha, p.Power)
	blocked, errBlocked := power.PairedSampleSize(delta, p.Spread.Ratio.log, p.Alpha, p.Power)
	return &Sizes{Effect: effect, Apart: known(apart, errApart), Blocked: known(blocked, errBlocked)}
}

// equivalence is what equal targets need to be called equivalent within margin.
func (p *Plan) equivalence(margin float64) *Sizes {
	bound := math.Log1p(margin)
	apart, errApart := power.EquivalenceSampleSizeEqual(0, p.Spread.Trial.log, bound, p.Alpha, p.Power)
	blocked, errBlocked := power.EquivalenceSampleSize(0, p.Spread.Ratio.log, bound, p.Alpha, p.Power)
	return &Sizes{Effect: margin, Apart: known(apart, errApart), Blocked: known(blocked, errBlocked)}
}

func (p *Plan) resolve(n int) *Resolution {
	r := &Resolution{Trials: n, DifferenceInCV: p.detectable(n)}
	apart, errApart := power.EquivalenceMarginEqual(1, n, p.Alpha, p.Power)
	blocked, errBlocked := power.EquivalenceMargin(1, n, p.Alpha, p.Power)
	r.EquivalenceInCV = Pair{known(apart, errApart), known(blocked, errBlocked)}
	if p.Spread != nil {
		r.Difference, r.Equivalence = p.shares(r.DifferenceInCV), p.shares(r.EquivalenceInCV)
	}
	return r
}

// detectable is the smallest difference that n find, in units of the sd of the logarithms.
func (p *Plan) detectable(n int) Pair {
	apart, errApart := power.WelchDetectable(1, 1, n, n, p.Alpha, p.Power)
	blocked, errBlocked := power.PairedDetectable(1, n, p.Alpha, p.Power)
	return Pair{known(apart, errApart), known(blocked, errBlocked)}
}

// shares turns multiples of the sds into shares.
func (p *Plan) shares(in Pair) *Pair {
	scale := func(v *float64, sd float64) *float64 {
		if v == nil {
			return nil
		}
		return finite(math.Expm1(*v * sd))
	}
	return &Pair{scale(in.Apart, p.Spread.Trial.log), scale(in.Blocked, p.Spread.Ratio.log)}
}

// largestCV is the CV up to which the trials asked for find the effect.
func (p *Plan) largestCV(effect float64) *Pair {
	at := func(v *float64) *float64 {
		if v == nil {
			return nil
		}
		return finite(cvOf(math.Log1p(effect) / *v))
	}
	return &Pair{at(p.Resolution.DifferenceInCV.Apart), at(p.Resolution.DifferenceInCV.Blocked)}
}

// known is nil where v could not be computed.
func known[T any](v T, err error) *T {
	if err != nil {
		return nil
	}
	return &v
}

func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

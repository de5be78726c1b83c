package trend

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// Status says how a series changed over a session.
type Status string

// The possible outcomes of Session and Drift.
const (
	StatusNone       Status = "none"        // no change proven
	StatusDrift      Status = "drift"       // a steady rise or fall
	StatusLevelShift Status = "level-shift" // one jump
	StatusUntestable Status = "untestable"  // too few trials to tell
)

// FamilyLevel is the largest share of steady sessions that Session calls drift or level-shift.
const FamilyLevel = 0.02

// sessionPermutations makes the smallest possible P of the level shift 1/2000.
const sessionPermutations = 1999

// minSessionDF is the smallest number of residual degrees of freedom that is tested: 5 trials of one target.
const minSessionDF = 3

// Series is what was measured of one target: when, in seconds from any origin, and how fast, in any positive unit.
type Series struct{ Time, Value []float64 }

// SessionResult is the outcome of Session. Figures that cannot be computed are NaN.
type SessionResult struct {
	Status Status
	N      int // trials used: those of targets with at least two
	Groups int // targets with at least two trials
	// P belongs to Status: min(1, tests·smallest p) over the tests done, so it is below FamilyLevel exactly when Status
	// is drift or level-shift.
	P float64

	PerSecond        float64           // slope of ln(value) per second
	PercentPerHour   float64           // 100·3600·PerSecond, a rate and not a forecast: it is not compounded
	PercentPerHourCI analysis.Interval // 95 %
	TotalPercent     float64           // change along the line from the first to the last trial
	SE, T, DF        float64           // of PerSecond
	PSlope           float64           // two-sided, H0: no slope

	PShift       float64 // CUSUM permutation test, H0: no change of level; NaN below 10 trials
	ShiftAt      int     // trials, in time order over all targets, before the most likely shift; -1 when not tested
	ShiftTime    float64 // time of the first trial after it
	ShiftPercent float64 // change of level at it

	Serial VonNeumannResult // of the residuals of the line
}

// Session asks whether all targets together got faster or slower in the course of a session, gradually or at once.
//
// The model is ln y = target + β·time + noise. H0: β = 0, tested by t = β/SE with n−k−1 degrees of freedom, n trials of k
// targets (R: summary(lm(log(y) ~ target + time))). From 10 trials on, the cumulative sums of ln y − mean of the target,
// in time order, test for a change of level; their p comes from 1999 permutations within the targets and counts the
// search for the position (see CUSUM). Rule, at FamilyLevel = .02 for both tests together:
//
//	untestable   n−k−1 < 3 (fewer than 5 trials of one target, 6 of two, ...), or no target was measured at two times
//	level-shift  2·PShift < .02, and either a step at that place fits better than the line, its place counted as a
//	             parameter (RSS of the step·n^(1/n) < RSS of the line: Schwarz 1978), or 2·PSlope >= .02
//	drift        otherwise, tests·PSlope < .02
//	none         otherwise
//
// Each test thus has a false-alarm rate of .01 (.02 for the slope alone below 10 trials), both together at most .02
// by Bonferroni's inequality (.015 simulated). At n = 10 / 20 / 30 a drift of 2 sd over the session is found, as one or
// the other, with probability .20 / .49 / .74 and a step of 2 sd in the middle with .36 / .87 / .99: none means unproven.
// Drift and level shift are told apart less surely than found: at n = 30 a quarter of the drifts of 2 sd that are found are
// called level shifts, and one step in seven a drift; at 4 sd it is one in 14 and one in 100.
//
// Serial tests H0: independent noise, by von Neumann's ratio of the residuals of the line, against the mean and
// variance that the ratio has for residuals of that very fit (Durbin & Watson 1950; R: lmtest::dwtest(exact=FALSE)),
// which for residuals of a mean are those of VonNeumann. It does not enter Status, but when Serial.PPositive is small
// the other p-values are too small; a block that is slow for all its targets is serial correlation in this sense.
//
// Targets with one trial say nothing about time and are left out. When every target's values are all equal there is no
// drift: Status is none, P and PSlope are 1, SE is 0. Trials at equal times keep the order of groups. The t test assumes
// one noise level (in ln) for all targets, the permutation test does not.
//
// Errors: ErrEmpty without any value, ErrNonFinite, ErrNonPositive, ErrLengthMismatch, ErrBadParam without rng. Inputs
// are not modified. O(n·permutations).
func Session(groups []Series, rng *rand.Rand) (SessionResult, error) {
	if rng == nil {
		return SessionResult{}, fmt.Errorf("test drift: no random source: %w", num.ErrBadParam)
	}
	p, err := newPool(groups)
	if err != nil {
		return SessionResult{}, fmt.Errorf("test drift: %w", err)
	}
	r := untested(p)
	df := float64(len(p.value) - len(p.members) - 1)
	if df < minSessionDF || !p.timeVaries() {
		return r, nil
	}
	r.Status, r.DF = StatusNone, df
	if !p.valueVaries() {
		r.P, r.PSlope, r.PerSecond, r.PercentPerHour, r.TotalPercent, r.SE, r.T = 1, 1, 0, 0, 0, 0, 0
		r.PercentPerHourCI.Low, r.PercentPerHourCI.High = 0, 0
		return r, nil
	}
	line := fitSlope(p.time, p.value, df)
	r.slope(line, p)
	stepRSS := r.shift(p, rng)
	r.Serial = p.serial(line)
	n := float64(r.N)
	r.judge(stepRSS*math.Pow(n, 1/n) < line.rss)
	return r, nil
}

// Drift is Session for a single target.
func Drift(time, y []float64, rng *rand.Rand) (SessionResult, error) {
	return Session([]Series{{Time: time, Value: y}}, rng)
}

// untested is a result without any test.
func untested(p pool) SessionResult {
	nan := math.NaN()
	return SessionResult{Status: StatusUntestable, N: len(p.value), Groups: len(p.members), P: nan, PerSecond: nan,
		PercentPerHour: nan, PercentPerHourCI: analysis.Interval{Level: .95, Low: nan, High: nan}, TotalPercent: nan,
		SE: nan, T: nan, DF: nan, PSlope: nan, PShift: nan, ShiftAt: -1, ShiftTime: nan, ShiftPercent: nan,
		Serial: VonNeumannResult{Q: nan, Z: nan, P: nan, PPositive: nan, PNegative: nan}}
}

func (r *SessionResult) slope(line slopeFit, p pool) {
	const toPercentPerHour = 100 * 3600
	r.PerSecond, r.SE, r.T = line.slope, line.se, line.t
	r.PSlope = min(1, 2*num.TSurvival(math.Abs(line.t), line.df))
	r.PercentPerHour = toPercentPerHour * line.slope
	ci := slopeInterval(line.slope, line.se, line.df, .95)
	r.PercentPerHourCI.Low, r.PercentPerHourCI.High = toPercentPerHour*ci.Low, toPercentPerHour*ci.High
	r.TotalPercent = 100 * math.Expm1(line.slope*(p.clock[len(p.clock)-1]-p.clock[0]))
}

// shift tests for one change of level and returns the residual sum of squares of a step there.
func (r *SessionResult) shift(p pool, rng *rand.Rand) (stepRSS float64) {
	if len(p.value) < minCUSUM {
		return math.Inf(1)
	}
	_, r.ShiftAt = cusumPeak(p.value)
	r.ShiftTime = p.clock[r.ShiftAt]
	r.PShift = permutationP(p.value, p.members, sessionPermutations, rng)
	height, rss := p.step(r.ShiftAt)
	r.ShiftPercent = 100 * math.Expm1(height)
	return rss
}

// judge applies the rule that Session documents.
func (r *SessionResult) judge(stepFitsBetter bool) {
	tests, shift := 1.0, math.Inf(1)
	if !math.IsNaN(r.PShift) {
		tests, shift = 2, 2*r.PShift
	}
	slope := tests * r.PSlope
	r.P = min(1, slope, shift)
	switch {
	case shift < FamilyLevel && (stepFitsBetter || slope >= FamilyLevel):
		r.Status = StatusLevelShift
	case slope < FamilyLevel:
		r.Status = StatusDrift
	}
}

package analysis

import (
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// Equivalence is the result of two one-sided tests. CI is the ratio interval at level 1−2·Alpha, the one that decides.
type Equivalence struct {
	Margin, Alpha     float64 // Margin is NaN for TOSTBounds
	LowLog, HighLog   float64 // the bounds used, natural logarithms of the ratio
	TLower, TUpper    float64 // (estimate − LowLog)/se and (estimate − HighLog)/se
	PLower, PUpper, P float64 // H0 ratio <= exp(LowLog); H0 ratio >= exp(HighLog); the larger of the two
	CI                Interval
	Equivalent        bool // P < Alpha
}

// TOST runs two one-sided t tests of equivalence (Schuirmann 1987) on a t result on the ln scale, bounds ±ln(1+margin).
//
// H0: the ratio is at or beyond a bound; P < alpha is the same as the 1−2·alpha interval lying inside the bounds. It
// must agree with two calls of R's t.test(log(x), log(y), mu=±log(1+margin)). The bounds are symmetric on the ln scale,
// so exchanging x and y changes nothing. margin must be > 0 and alpha in (0, 0.5): otherwise everything is NaN and
// Equivalent false. "Not significant" is never evidence of equivalence.
func TOST(t TTest, margin, alpha float64) Equivalence {
	high := math.NaN()
	if margin > 0 {
		high = math.Log1p(margin)
	}
	e := TOSTBounds(t, -high, high, alpha)
	e.Margin = margin
	return e
}

// TOSTRelative is TOST with the bounds 1 − margin and 1 + margin of the ratio, symmetric as percentages and therefore
// not under exchange of x and y; some standards ask for them. margin must be in (0, 1).
func TOSTRelative(t TTest, margin, alpha float64) Equivalence {
	low, high := math.NaN(), math.NaN()
	if margin > 0 && margin < 1 {
		low, high = math.Log1p(-margin), math.Log1p(margin)
	}
	e := TOSTBounds(t, low, high, alpha)
	e.Margin = margin
	return e
}

// TOSTBounds is TOST with bounds of the reader's own, lowLog < highLog, natural logarithms of the ratio; log(0.8) and
// log(1.25) are the ones of bioequivalence. They need not enclose ratio 1: a low bound alone that matters ("not more
// than 2 % slower") is a high bound of +Inf. Bounds in the wrong order or NaN, alpha outside (0, 0.5) or a test without
// degrees of freedom give NaN and Equivalent false.
func TOSTBounds(t TTest, lowLog, highLog, alpha float64) Equivalence {
	nan := math.NaN()
	e := Equivalence{Margin: nan, Alpha: alpha, LowLog: lowLog, HighLog: highLog, TLower: nan, TUpper: nan,
		PLower: nan, PUpper: nan, P: nan, CI: Interval{1 - 2*alpha, nan, nan}}
	if !(lowLog < highLog && alpha > 0 && alpha < .5 && t.DF > 0 && t.SE > 0) {
		return e
	}
	e.TLower, e.TUpper = (t.Estimate-lowLog)/t.SE, (t.Estimate-highLog)/t.SE
	e.PLower, e.PUpper = num.TSurvival(e.TLower, t.DF), num.TSurvival(-e.TUpper, t.DF)
	e.P = max(e.PLower, e.PUpper)
	e.CI = t.RatioInterval(1 - 2*alpha)
	e.Equivalent = e.P < alpha
	return e
}

package sequential

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// AnytimeResult is the evidence of n values against a mean of 0.
type AnytimeResult struct {
	N        int
	Mean, SD float64
	SE, T    float64 // SD/√N and Mean/SE
	G        float64 // variance of the effect prior, in units of the variance of a value
	LogE     float64 // natural logarithm of the e-value
}

// E returns the e-value: how many times likelier the values are under the prior of effects than under mean 0. It may
// overflow to +Inf where LogE is still finite.
func (r AnytimeResult) E() float64 { return math.Exp(r.LogE) }

// P returns min(1, 1/E), an upper bound of the anytime-valid p-value: P <= alpha exactly when Interval(1−alpha) excludes 0.
func (r AnytimeResult) P() float64 { return min(1, math.Exp(-r.LogE)) }

// Interval returns Mean ± AnytimeMultiplier·SE. The interval of every n covers the true mean at once with probability
// >= level. Infinite ends while n is too small to bound the mean at all; NaN ends for a level outside (0, 1).
func (r AnytimeResult) Interval(level float64) analysis.Interval {
	m, err := AnytimeMultiplier(r.N, r.G, 1-level)
	if err != nil {
		m = math.NaN()
	}
	h := m * r.SE
	return analysis.Interval{Level: level, Low: r.Mean - h, High: r.Mean + h}
}

// AnytimeT tests H0: the mean of x is 0, so that looking after each new value and stopping at will keeps the level: under
// H0 the e-value ever exceeds 1/alpha with probability <= alpha.
//
// With t = mean/(sd/√n) and c = 1 + n·g, E = c^(−1/2)·[(1 + t²/(n−1))/(1 + t²/(c(n−1)))]^(n/2): the Bayes factor of mean
// ~ N(0, g·σ²) against mean 0, both with the right-Haar prior 1/σ (Lai 1976; Gronau, Ly & Wagenmakers 2020; Wang & Ramdas
// 2023). R: c<-1+n*g; c^-.5*((1+t^2/(n-1))/(1+t^2/(c*(n-1))))^(n/2). g = 1 suits effects of about one sd; a larger g large
// ones. g must be fixed before measuring.
//
// E is at most c^((n−1)/2): with g = 1 and alpha 0.05 fewer than 5 values never reject. A true null is then rejected by look
// 20 in 1.7 % of experiments and by look 200 in 3 %; an effect of one sd takes 13.3 blocks on average. The price is width: see AnytimeMultiplier.
// Assumes independent normal values; on two-tier data the always-coverage is 0.89, with a rare tier 0.49.
//
// Errors: ErrEmpty; ErrNonFinite; ErrTooFew for n < 2; ErrZeroVariance; ErrBadParam for g <= 0 or not finite. x is not
// modified. O(n).
func AnytimeT(x []float64, g float64) (AnytimeResult, error) {
	if err := num.CheckFinite(x, 2); err != nil {
		return AnytimeResult{}, err
	}
	if err := checkG(g); err != nil {
		return AnytimeResult{}, err
	}
	mean, v := num.MeanVar(x)
	if v == 0 {
		return AnytimeResult{}, num.ErrZeroVariance
	}
	n := float64(len(x))
	r := AnytimeResult{N: len(x), Mean: mean, SD: math.Sqrt(v), SE: math.Sqrt(v / n), G: g}
	r.T = mean / r.SE
	c, q := 1+n*g, r.T*r.T/(n-1)
	r.LogE = -math.Log(c)/2 + n/2*(math.Log1p(q)-math.Log1p(q/c))
	return r, nil
}

// AnytimeMultiplier returns the half-width of the anytime interval of n values in standard errors, at level 1−alpha.
//
// The e-value of AnytimeT inverted: with c = 1 + n·g and k = (c/alpha²)^(1/n), √((n−1)(k−1)/(1 − k/c)); +Inf while k >= c.
// For alpha 0.05 and g = 1 (4): n = 5 8.45 (5.36), 10 3.87 (3.97), 20 3.42 (3.63), 50 3.32 (3.54); an ordinary t interval
// has 2.78, 2.26, 2.09, 2.01. It falls to a least value and then grows slowly, as √ln n.
//
// Errors: ErrTooFew for n < 2; ErrBadParam for g <= 0 or not finite, or alpha outside (0, 1).
func AnytimeMultiplier(n int, g, alpha float64) (float64, error) {
	if n < 2 {
		return math.NaN(), fmt.Errorf("need 2 values, have %d: %w", n, num.ErrTooFew)
	}
	if err := checkG(g); err != nil {
		return math.NaN(), err
	}
	if err := num.CheckUnit("alpha", alpha); err != nil {
		return math.NaN(), err
	}
	m := float64(n)
	logC := math.Log1p(m * g)
	logK := (logC - 2*math.Log(alpha)) / m
	if logK >= logC {
		return math.Inf(1), nil
	}
	return math.Sqrt((m - 1) * math.Expm1(logK) / -math.Expm1(logK-logC)), nil
}

func checkG(g float64) error {
	if !(g > 0) || math.IsInf(g, 1) {
		return fmt.Errorf("prior variance g %v is not positive and finite: %w", g, num.ErrBadParam)
	}
	return nil
}

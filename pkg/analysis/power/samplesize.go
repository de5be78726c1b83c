package power

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// maxPlanned bounds every search for a sample size; no experiment beyond it is practical.
const maxPlanned = 1e9

// SampleSize returns the values per group that let the two-sided equal-variance t test find a difference effect with
// the given power: the real root (NaN when 2 suffice) and the smallest whole number >= 2.
//
// Exact noncentral t, both tails; R's power.t.test(delta=effect, sd=sd, sig.level=alpha, power=power, strict=TRUE)$n. The
// sign of effect does not matter; for ratios effect and sd are logarithms. An sd taken from a pilot should first be
// raised to its SDUpperLimit. Below the number found a test is not forbidden, only likely to miss the difference.
//
// Errors: ErrNonFinite; ErrBadParam for effect 0, an sd <= 0, alpha or power outside (0, 1), power <= alpha, or more than
// 1e9 values.
func SampleSize(effect, sd, alpha, power float64) (float64, int, error) {
	return groupSize(effect, sd, alpha, power, tPower)
}

// SampleSizeOneTail is SampleSize without the rejections on the wrong side of 0: R's power.t.test without strict=TRUE. Only for
// comparison with other programs: the difference matters where power is near alpha. Errors as SampleSize.
func SampleSizeOneTail(effect, sd, alpha, power float64) (float64, int, error) {
	return groupSize(effect, sd, alpha, power, tPowerOneTail)
}

func groupSize(effect, sd, alpha, power float64, at func(ncp, df, alpha float64) float64) (float64, int, error) {
	if err := checkPlan(alpha, power, math.Abs(effect), sd); err != nil {
		return math.NaN(), 0, err
	}
	d := math.Abs(effect) / sd
	return smallestN(func(n float64) float64 { return at(d*math.Sqrt(n/2), 2*n-2, alpha) }, power)
}

// PairedSampleSize returns the blocks, at least 2, that let the two-sided paired t test find a mean difference delta with
// the given power, sd being that of the block differences (both logarithms for ratios).
//
// Exact noncentral t, both tails; R's power.t.test(delta=delta, sd=sd, sig.level=alpha, power=power, type="paired",
// strict=TRUE)$n, rounded up. Errors as SampleSize.
func PairedSampleSize(delta, sd, alpha, power float64) (int, error) {
	if err := checkPlan(alpha, power, math.Abs(delta), sd); err != nil {
		return 0, err
	}
	d := math.Abs(delta) / sd
	_, n, err := smallestN(func(n float64) float64 { return tPower(d*math.Sqrt(n), n-1, alpha) }, power)
	return n, err
}

// smallestN returns the real n at which f, which rises, reaches power, and the smallest whole n >= 2 that has it.
func smallestN(f func(float64) float64, power float64) (float64, int, error) {
	if f(2) >= power {
		return math.NaN(), 2, nil
	}
	hi := 4.0
	for f(hi) < power {
		if hi *= 2; hi > maxPlanned {
			return math.NaN(), 0, fmt.Errorf("more than %.0g values needed: %w", maxPlanned, num.ErrBadParam)
		}
	}
	root := bisect(func(n float64) bool { return f(n) >= power }, max(2, hi/2), hi)
	n := math.Ceil(root)
	if n > 2 && f(n-1) >= power { // the root lies a rounding error above a whole number
		n--
	}
	return root, int(n), nil
}

// bisect returns the boundary between false at lo and true at hi to 1e-12 relative.
func bisect(done func(float64) bool, lo, hi float64) float64 {
	for range 200 {
		mid := lo + (hi-lo)/2
		if hi-lo <= 1e-12*hi {
			break
		}
		if done(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return lo + (hi-lo)/2
}

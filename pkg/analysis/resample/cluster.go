package resample

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// ClusterBootstrap is the percentile interval of a statistic of pooled requests when only trials are independent: whole trials are drawn with
// replacement, and the statistic is that of all their requests together (Davison & Hinkley 1997, section 3.8; R's
// boot::boot on the index of the trial).
//
// Drawing single requests instead would take the requests of a trial for independent: comparing equal targets by such intervals of p50 or p99
// found a difference in 24 to 89 % of simulated experiments (5 trials of 10,000 requests, trials 2 to 5 % apart).
// Needs 10 trials to be of use, and 2 to exist: with n trials the interval is too narrow by about √((n−1)/n) and more. Cost: the whole
// pool is copied and handed to the statistic for each replicate. Errors: ErrEmpty without trials or for an empty one, ErrTooFew
// for one trial, ErrNonFinite, ErrBadParam. Inputs are not modified.
func ClusterBootstrap(trials [][]float64, statistic Statistic, level float64, o Options, rng *rand.Rand) (Bootstrap, error) {
	nan := math.NaN()
	b := Bootstrap{Estimate: nan, CI: analysis.Interval{Level: level, Low: nan, High: nan}, Z0: nan, Acceleration: nan, AlphaLow: nan, AlphaHigh: nan}
	if o.Replicates == 0 {
		o.Replicates = DefaultReplicates
	}
	if err := checkClusters(trials, statistic, level, o, rng); err != nil {
		return b, err
	}
	var pool []float64
	for _, t := range trials {
		pool = append(pool, t...)
	}
	scale := largest(pool)
	b.Estimate, b.Replicates = statistic(pool), o.Replicates
	values := make([]float64, o.Replicates)
	for i := range values {
		pool = pool[:0]
		for range trials {
			pool = append(pool, trials[rng.IntN(len(trials))]...)
		}
		values[i] = statistic(pool)
	}
	d := newDistribution(values, nil, scale)
	b.Degenerate = len(d.value) == 1
	b.CI.Low, b.CI.High = d.quantile((1-level)/2), d.quantile(1-(1-level)/2)
	return b, nil
}

func checkClusters(trials [][]float64, statistic Statistic, level float64, o Options, rng *rand.Rand) error {
	if len(trials) == 0 {
		return num.ErrEmpty
	}
	for i, t := range trials {
		if err := num.CheckFinite(t, 1); err != nil {
			return fmt.Errorf("trial %d: %w", i+1, err)
		}
	}
	if len(trials) < 2 {
		return fmt.Errorf("need 2 trials, have 1: %w", num.ErrTooFew)
	}
	if err := num.CheckUnit("level", level); err != nil {
		return err
	}
	if statistic == nil || o.Replicates < 100 || rng == nil {
		return fmt.Errorf("cluster bootstrap of %d replicates: %w", o.Replicates, num.ErrBadParam)
	}
	return nil
}

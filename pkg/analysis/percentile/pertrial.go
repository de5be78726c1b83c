package percentile

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// Estimate is the outcome of PerTrial.
type Estimate struct {
	Quantiles     []float64         // of each trial, in the order given
	GeometricMean float64           // of the quantiles: "geometric mean of the per-trial p99", not the p99 of all requests
	CI            analysis.Interval // of GeometricMean; NaN ends for one trial
}

// PerTrial takes the q-quantile of every trial (R type 7) and the trials as replicates: the interval is Student's on the
// logarithms of the per-trial quantiles.
//
// trials[i] is the latencies of one trial in any positive unit; q is 0.99 for p99. It must agree with R's
// exp(t.test(log(sapply(trials, quantile, .99)))$conf.int). Between equal targets with 5 trials of 10⁴ requests, a 2 %
// spread between trials and requests correlated at .9, comparing per-trial quantiles is wrong 5 % of the time as promised,
// an interval that takes the requests for independent 47 % (p99). Trials must be independent; trials of unlike length weigh
// the same. Whether a trial has requests enough for the percentile is for Needed to say, it is not checked here.
//
// Readings from a histogram carry an error of one bucket width, which the interval does not contain: equal quantiles in
// all trials give width 0. One trial gives its quantile and NaN ends; 2 trials an interval of 12.7 standard errors each way.
// Errors: ErrEmpty without trials or for an empty one; ErrNonFinite, ErrNonPositive; ErrBadParam for q outside [0, 1] or a
// level outside (0, 1). Inputs are not modified. O(N log N).
func PerTrial(trials [][]float64, q, level float64) (Estimate, error) {
	if err := num.CheckUnit("level", level); err != nil {
		return Estimate{}, fmt.Errorf("estimate percentile: %w", err)
	}
	if !(q >= 0 && q <= 1) {
		return Estimate{}, fmt.Errorf("estimate percentile: quantile %v is not from 0 to 1: %w", q, num.ErrBadParam)
	}
	if len(trials) == 0 {
		return Estimate{}, fmt.Errorf("estimate percentile: %w", num.ErrEmpty)
	}
	e := Estimate{CI: analysis.Interval{Level: level, Low: math.NaN(), High: math.NaN()}}
	for i, trial := range trials {
		v, err := quantiles(trial, q)
		if err != nil {
			return Estimate{}, fmt.Errorf("estimate percentile: trial %d: %w", i+1, err)
		}
		e.Quantiles = append(e.Quantiles, v[0])
	}
	logs, err := num.Logs(e.Quantiles)
	if err != nil {
		return Estimate{}, fmt.Errorf("estimate percentile: %w", err)
	}
	mean, _ := num.MeanVar(logs)
	e.GeometricMean = math.Exp(mean)
	if len(trials) > 1 {
		e.CI, err = analysis.GeometricTInterval(e.Quantiles, level)
	}
	return e, err
}

// quantiles of one trial, all of whose latencies must be positive.
func quantiles(trial []float64, q ...float64) ([]float64, error) {
	if err := num.CheckFinite(trial, 1); err != nil {
		return nil, err
	}
	s := num.Sorted(trial)
	if s[0] <= 0 {
		return nil, fmt.Errorf("latency %v: %w", s[0], num.ErrNonPositive)
	}
	out := make([]float64, len(q))
	for i, p := range q {
		out[i] = num.QuantileSorted(s, p)
	}
	return out, nil
}

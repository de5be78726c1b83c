package percentile

import (
	"fmt"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/multiple"
)

// DecileCount is the number of deciles: .1 to .9.
const DecileCount = 9

// ShiftOptions says how the trials were run and read.
type ShiftOptions struct {
	Blocked    bool    // x[i] and y[i] ran in the same block
	Level      float64 // of the family of nine intervals, .95 for 95 %
	Resolution float64 // step of the readings as a fraction of them, 0 when exact
}

// DecileShift compares one decile of two targets.
type DecileShift struct {
	Q         float64           // .1 to .9
	Ratio     float64           // geometric mean of x's decile over that of y's; below 1: x is faster there
	CI        analysis.Interval // of Ratio, at level 1 − (1 − Level)/9: the nine hold together at Level
	P         float64           // of this decile alone, H0: Ratio = 1
	PAdjusted float64           // Holm over the nine
}

// Deciles returns the nine deciles of one trial's latencies (R's quantile(x, 1:9/10, type=7)).
// Errors: ErrEmpty, ErrNonFinite, ErrNonPositive. trial is not modified. O(n log n).
func Deciles(trial []float64) ([]float64, error) {
	q := make([]float64, DecileCount)
	for i := range q {
		q[i] = float64(i+1) / 10
	}
	return quantiles(trial, q...)
}

// Shift is the shift function of two targets (Doksum 1974; Wilcox 1995): the ratio x / y at each decile of latency, which
// tells an improvement of the typical request from one of the slow ones. H0 of each decile: the ratio is 1.
//
// x[i] and y[i] are the latencies of one trial. The deciles of each trial (type 7) are its replicates: nine paired t tests
// of ln x − ln y over blocks, or nine Welch tests of the logarithms when the trials were not blocked, adjusted by Holm, so
// the chance of any false difference stays at 5 %. For one decile it must agree with R's
// t.test(log(qx), log(qy), paired=TRUE), for PAdjusted with p.adjust(p, "holm"). WRS2::qcomhd is for independent
// observations and must not be used on requests.
//
// Needs 2 trials each; with n blocks df is n−1. Neighbouring deciles go up and down together, so Holm is on the safe side.
// CI is Bonferroni's and so a little wider than what PAdjusted rejects. A spread of 0 between trials is taken to be
// Resolution. Errors: ErrEmpty, ErrTooFew, ErrNonFinite, ErrNonPositive; ErrLengthMismatch when blocked; ErrZeroVariance
// when Resolution is 0 too; ErrBadParam for a level outside (0, 1) or a negative Resolution. Inputs are not modified.
// Swapping x and y turns every ratio into its reciprocal. O(N log N).
func Shift(x, y [][]float64, o ShiftOptions) ([]DecileShift, error) {
	var deciles [2][][]float64
	for t, trials := range [2][][]float64{x, y} {
		for i, trial := range trials {
			d, err := Deciles(trial)
			if err != nil {
				return nil, fmt.Errorf("compare deciles: trial %d of %s: %w", i+1, [2]string{"x", "y"}[t], err)
			}
			deciles[t] = append(deciles[t], d)
		}
	}
	return CompareDeciles(deciles[0], deciles[1], o)
}

// CompareDeciles is Shift for trials whose nine deciles are known already, such as those of a histogram: x[i][j] is decile
// j+1 of trial i. Give the relative width of a bucket as Resolution. A trial without nine deciles is ErrLengthMismatch;
// other errors as Shift.
func CompareDeciles(x, y [][]float64, o ShiftOptions) ([]DecileShift, error) {
	if err := num.CheckUnit("level", o.Level); err != nil {
		return nil, fmt.Errorf("compare deciles: %w", err)
	}
	test := analysis.LogWelchTResolution
	if o.Blocked {
		test = analysis.LogPairedTResolution
	}
	out := make([]DecileShift, DecileCount)
	p := make([]float64, DecileCount)
	for j := range out {
		cx, err := column(x, j)
		if err != nil {
			return nil, err
		}
		cy, err := column(y, j)
		if err != nil {
			return nil, err
		}
		t, err := test(cx, cy, o.Resolution)
		if err != nil {
			return nil, fmt.Errorf("compare decile %d: %w", j+1, err)
		}
		p[j] = t.P
		out[j] = DecileShift{Q: float64(j+1) / 10, Ratio: t.Ratio(), P: t.P, CI: t.RatioInterval(1 - (1-o.Level)/DecileCount)}
	}
	adjusted, err := multiple.Holm(p)
	if err != nil {
		return nil, fmt.Errorf("compare deciles: %w", err)
	}
	for j := range out {
		out[j].PAdjusted = adjusted[j]
	}
	return out, nil
}

// column is decile j of every trial.
func column(trials [][]float64, j int) ([]float64, error) {
	c := make([]float64, len(trials))
	for i, t := range trials {
		if len(t) != DecileCount {
			return nil, fmt.Errorf("compare deciles: trial %d has %d deciles: %w", i+1, len(t), num.ErrLengthMismatch)
		}
		c[i] = t[j]
	}
	return c, nil
}

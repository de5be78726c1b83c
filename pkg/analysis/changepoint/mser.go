package changepoint

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// MSERResult is the outcome of MSER.
type MSERResult struct {
	Batches    int // whole batches
	CutBatches int
	Cut        int     // values to cut: CutBatches·batch
	Value      float64 // the minimum
	// AtLimit: the minimum lies at the end of the search, half of the series. It did not settle; do not trust Cut.
	AtLimit       bool
	TruncatedMean float64 // of x[Cut:]
}

// MSER chooses how much of the start of x to cut so that the mean of the rest is known best: the marginal standard
// error rule (White 1997; MSER-5 with batches of 5: White, Cobb & Spratt 2000).
//
// With means z_1..z_k of k batches (values after the last whole batch are left out),
// MSER(d) = Σ_{j>d}(z_j − mean)²/(k−d)², for d = 0..⌊k/2⌋; the smallest d with the smallest value wins, values within
// 1e−12 of each other counting as equal. No R function; the definition is short enough to enumerate. It is a rule and
// not a test. Of clean series it calls 38 to 50 % AtLimit with 20 values in batches of 5, 7 to 16 % with 60, 1 to 6 %
// with 120, at most 1 % with 300: use 20 batches or more. A slow warm-up (time constant as long as the series) is
// noticed as AtLimit, not repaired. A constant series gives Cut 0. Shift and scale keep Cut. Errors: ErrEmpty,
// ErrNonFinite, ErrTooFew for fewer than 2 batches, ErrBadParam for batch < 1. x is not modified. O(n).
func MSER(x []float64, batch int) (MSERResult, error) {
	if err := num.CheckFinite(x, 1); err != nil {
		return MSERResult{}, fmt.Errorf("find warm-up: %w", err)
	}
	if batch < 1 {
		return MSERResult{}, fmt.Errorf("find warm-up: batches of %d: %w", batch, num.ErrBadParam)
	}
	k := len(x) / batch
	if k < 2 {
		return MSERResult{}, fmt.Errorf("find warm-up: %d values make %d batches of %d, want 2: %w",
			len(x), k, batch, num.ErrTooFew)
	}
	z := make([]float64, k)
	for j := range z {
		for _, v := range x[j*batch : (j+1)*batch] {
			z[j] += v - x[0]
		}
		z[j] /= float64(batch)
	}
	values := marginalErrors(z)
	d, least := 0, math.Inf(1)
	for i, v := range values[:k/2+1] {
		if v < least*(1-1e-12) || math.IsInf(least, 1) {
			d, least = i, v
		}
	}
	mean, _ := num.MeanVar(x[d*batch:])
	return MSERResult{Batches: k, CutBatches: d, Cut: d * batch, Value: least, AtLimit: d == k/2, TruncatedMean: mean}, nil
}

// marginalErrors is MSER(d) for every d, from the end by the updating formula of Welford (1962).
func marginalErrors(z []float64) []float64 {
	out := make([]float64, len(z))
	mean, ss := 0.0, 0.0
	for d := len(z) - 1; d >= 0; d-- {
		m := float64(len(z) - d)
		delta := z[d] - mean
		mean += delta / m
		ss += delta * (z[d] - mean)
		out[d] = ss / (m * m)
	}
	return out
}

package multiple

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// Holm adjusts the p-values of one family so that the chance of any false rejection stays below alpha when every
// adjusted value below alpha is rejected (Holm 1979, the step-down Bonferroni).
//
// p̃(i) = max_{j≤i} min(1, (m−j+1)·p(j)) over the sorted p(1) ≤ … ≤ p(m), returned in the order given. It must agree with
// R's p.adjust(p, "holm"). Valid under every dependence of the p-values, and never weaker than Bonferroni.
//
// The family must be declared before the data are seen: all pairs, or each target against the baseline. Ties share a
// value; p = 0 stays 0; an empty family stays empty. A missing p-value may not be dropped silently, so NaN is refused.
//
// Errors: ErrNonFinite; ErrBadParam outside [0, 1]. p is not modified. O(m log m).
func Holm(p []float64) ([]float64, error) {
	run := 0.0
	return stepwise(p, func(v []float64) {
		for i := range v {
			run = math.Max(run, min(1, float64(len(v)-i)*v[i]))
			v[i] = run
		}
	})
}

// stepwise checks p, lets adjust replace the ascending values by adjusted ones, and returns them in p's order.
func stepwise(p []float64, adjust func(ascending []float64)) ([]float64, error) {
	if err := checkProbabilities(p); err != nil {
		return nil, err
	}
	idx := make([]int, len(p))
	for i := range idx {
		idx[i] = i
	}
	slices.SortStableFunc(idx, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	v := make([]float64, len(p))
	for j, i := range idx {
		v[j] = p[i]
	}
	adjust(v)
	out := make([]float64, len(p))
	for j, i := range idx {
		out[i] = v[j]
	}
	return out, nil
}

// checkProbabilities accepts an empty family.
func checkProbabilities(p []float64) error {
	if len(p) == 0 {
		return nil
	}
	if err := num.CheckFinite(p, 1); err != nil {
		return err
	}
	for i, v := range p {
		if v < 0 || v > 1 {
			return fmt.Errorf("p-value %d is %v: %w", i+1, v, num.ErrBadParam)
		}
	}
	return nil
}

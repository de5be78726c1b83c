package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Holm adjusts the p values of one family (Holm 1979): p̃(i) = max_{j≤i} min(1, (m−j+1)·p(j)), in the order given.
//
// It controls the chance of any false rejection under every dependence and must agree with R's
// p.adjust(p, "holm"). An empty family stays empty. Errors: ErrNonFinite; ErrBadParam outside [0, 1]. p is not modified.
func Holm(p []float64) ([]float64, error) {
	if len(p) == 0 {
		return []float64{}, nil
	}
	if err := checkFinite(p, 1); err != nil {
		return nil, err
	}
	idx := make([]int, len(p))
	for i, v := range p {
		if v < 0 || v > 1 {
			return nil, fmt.Errorf("p value %v: %w", v, ErrBadParam)
		}
		idx[i] = i
	}
	slices.SortStableFunc(idx, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	out := make([]float64, len(p))
	run := 0.0
	for j, i := range idx {
		run = math.Max(run, math.Min(1, float64(len(p)-j)*p[i]))
		out[i] = run
	}
	return out, nil
}

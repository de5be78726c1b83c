package nested

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// Repetitions is what a pilot experiment says about the repetitions worth their cost. Levels count from the innermost.
type Repetitions struct {
	Levels int
	// S2 is, for every level, the mean variance of its means within one cell of the level above.
	S2 []float64
	// T2 is the part of S2 that comes from the level itself; chance may make it negative.
	T2 []float64
	// OptimalReal and Optimal are the best number of repetitions of every level but the outermost, Optimal being a whole
	// number >= 1. They are NaN and 0 where the level above shows no variance: there is no finite optimum.
	OptimalReal []float64
	Optimal     []int
}

// KaliberaJones estimates how much variance each level of a nested experiment adds and how often to repeat each level
// so that a given time buys the narrowest interval of the overall mean (Kalibera & Jones 2013, ISMM).
//
// data is the pilot, the outermost level on top; costs[0] is the cost of one innermost repetition (trial), costs[i] that of
// one repetition of level i+1 without what is below it (a restart), all in one unit such as seconds. S²ᵢ is the mean
// variance of level-i means within a cell; T²₁ = S²₁ and T²ᵢ = S²ᵢ − S²ᵢ₋₁/rᵢ₋₁ with r the pilot's repetitions. The best count of
// level i is ⌈√(cᵢ₊₁/cᵢ · T²ᵢ/T²ᵢ₊₁)⌉, at least 1; the outermost level is then repeated until the interval is narrow enough
// (RestartsForHalfWidth). A result within 1e-9 above a whole number counts as that number. A negative T²ᵢ counts as 0.
//
// It must agree with libkalibera's optimalreps; for two levels T2[1] is VarBetweenRaw of TwoLevel. A pilot with few
// outer repetitions says little: do not optimise from 3 restarts.
//
// Errors: ErrEmpty; ErrNonFinite; ErrUnbalanced when cells differ in size; ErrTooFew when a level has one repetition;
// ErrBadParam when there is not one finite positive cost a level. Inputs are not modified. O(N).
func KaliberaJones(data Tree, costs []float64) (Repetitions, error) {
	counts, err := data.counts()
	if err != nil {
		return Repetitions{}, err
	}
	if len(costs) != len(counts) {
		return Repetitions{}, fmt.Errorf("%d costs for %d levels: %w", len(costs), len(counts), num.ErrBadParam)
	}
	for i, c := range counts {
		if err := checkPositive("cost", costs[i]); err != nil {
			return Repetitions{}, err
		}
		if c < 2 {
			return Repetitions{}, fmt.Errorf("one repetition at level %d, need two: %w", i+1, num.ErrTooFew)
		}
	}
	n := len(counts)
	r := Repetitions{Levels: n, S2: make([]float64, n), T2: make([]float64, n)}
	cells := make([]float64, n)
	data.variances(data.first(), r.S2, cells)
	for i := range n {
		r.S2[i] /= cells[i]
		r.T2[i] = r.S2[i]
		if i > 0 {
			r.T2[i] -= r.S2[i-1] / float64(counts[i-1])
		}
	}
	for i := range n - 1 {
		best := math.NaN()
		if r.T2[i+1] > 0 {
			best = math.Sqrt(costs[i+1] / costs[i] * max(0, r.T2[i]) / r.T2[i+1])
		}
		r.OptimalReal = append(r.OptimalReal, best)
		r.Optimal = append(r.Optimal, wholeUp(best))
	}
	return r, nil
}

// wholeUp rounds up to at least 1; 0 for NaN. Rounding noise above a whole number does not cost a repetition.
func wholeUp(v float64) int {
	switch {
	case math.IsNaN(v):
		return 0
	case v > 1<<53:
		return 1 << 53
	}
	return max(1, int(math.Ceil(v*(1-1e-9))))
}

func checkPositive(name string, v float64) error {
	if !(v > 0) || math.IsInf(v, 1) {
		return fmt.Errorf("%s %v is not a positive number: %w", name, v, num.ErrBadParam)
	}
	return nil
}

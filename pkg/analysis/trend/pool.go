package trend

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// pool holds the trials of all targets in time order, each as its deviation from the mean of its target.
type pool struct {
	clock   []float64 // the time itself
	time    []float64 // deviation from the target's mean time
	value   []float64 // deviation of ln(value) from the target's mean
	members [][]int   // for each target, where its trials are
}

// newPool checks and sorts the trials; targets with one trial are left out.
func newPool(groups []Series) (pool, error) {
	type trial struct {
		clock, time, value float64
		group              int
	}
	var all []trial
	given, kept := 0, 0
	for i, g := range groups {
		if len(g.Time) == 0 && len(g.Value) == 0 {
			continue
		}
		if err := checkSeries(g.Time, g.Value, 1); err != nil {
			return pool{}, fmt.Errorf("target %d: %w", i+1, err)
		}
		logs, err := num.Logs(g.Value)
		if err != nil {
			return pool{}, fmt.Errorf("target %d: %w", i+1, err)
		}
		given += len(logs)
		if len(logs) == 1 {
			continue
		}
		dt, _ := deviations(g.Time)
		dy, _ := deviations(logs)
		for j := range dt {
			all = append(all, trial{g.Time[j], dt[j], dy[j], kept})
		}
		kept++
	}
	if given == 0 {
		return pool{}, num.ErrEmpty
	}
	slices.SortStableFunc(all, func(a, b trial) int { return cmp.Compare(a.clock, b.clock) })
	p := pool{members: make([][]int, kept)}
	for i, t := range all {
		p.clock, p.time, p.value = append(p.clock, t.clock), append(p.time, t.time), append(p.value, t.value)
		p.members[t.group] = append(p.members[t.group], i)
	}
	return p, nil
}

func isNonZero(v float64) bool { return v != 0 }

func (p pool) timeVaries() bool  { return slices.ContainsFunc(p.time, isNonZero) }
func (p pool) valueVaries() bool { return slices.ContainsFunc(p.value, isNonZero) }

// step fits ln y = target + height·[trial at or after position at] and returns the height and the residual sum of
// squares. The regressor is centred within targets, so one product and one sum of squares are all it takes.
func (p pool) step(at int) (height, rss float64) {
	after, squares := 0.0, 0.0
	for i, v := range p.value {
		rss += v * v
		if i >= at {
			after += v
		}
	}
	for _, pos := range p.members {
		first, _ := slices.BinarySearch(pos, at)
		n, late := float64(len(pos)), float64(len(pos)-first)
		squares += late * (n - late) / n
	}
	height = after / squares
	return height, rss - height*after
}

// serial is von Neumann's ratio of the residuals of the line, judged by its mean and variance for residuals of that
// fit. With M the projection onto residuals (rank m = n−k−1) and A the matrix of Σ(e_{i+1}−e_i)², the mean is
// tr(MA)/m and the variance 2(tr(MAMA) − tr(MA)²/m)/(m(m+2)). The traces are taken through orthonormal columns q of the
// design: tr(MA) = tr A − Σ q'Aq and tr(MAMA) = tr A² − 2Σ|Aq|² + Σ(q'Aq*)².
func (p pool) serial(line slopeFit) VonNeumannResult {
	n := len(p.value)
	if line.rss == 0 {
		return untested(p).Serial
	}
	columns := p.orthonormal()
	first, second := float64(2*(n-1)), float64(6*n-8)
	images := make([][]float64, len(columns))
	for i, q := range columns {
		images[i] = differenced(q)
		second -= 2 * dot(images[i], images[i])
	}
	for i, q := range columns {
		first -= dot(q, images[i])
		for _, image := range images {
			second += dot(q, image) * dot(q, image)
		}
	}
	m := line.df
	mean := first / m
	return newVonNeumann(line.residuals, line.rss, mean, 2*(second-first*mean)/(m*(m+2)))
}

// orthonormal returns columns that span the design: one for each target and one for time within targets.
func (p pool) orthonormal() [][]float64 {
	columns := make([][]float64, 0, len(p.members)+1)
	for _, pos := range p.members {
		q := make([]float64, len(p.value))
		for _, i := range pos {
			q[i] = 1
		}
		columns = append(columns, q)
	}
	columns = append(columns, slices.Clone(p.time))
	for _, q := range columns {
		scale := 1 / norm(q)
		for i := range q {
			q[i] *= scale
		}
	}
	return columns
}

// differenced is A·q, the gradient of Σ(q_{i+1}−q_i)²/2.
func differenced(q []float64) []float64 {
	out := make([]float64, len(q))
	for i := 1; i < len(q); i++ {
		d := q[i] - q[i-1]
		out[i] += d
		out[i-1] -= d
	}
	return out
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func norm(a []float64) float64 { return math.Sqrt(dot(a, a)) }

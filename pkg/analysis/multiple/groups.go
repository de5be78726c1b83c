package multiple

import (
	"fmt"
	"slices"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// group is a sample reduced to what the tests of several means need.
type group struct {
	n    float64
	mean float64 // from the common origin of all groups
	ss   float64 // sum of squares about its own mean
}

func (g group) variance() float64 { return g.ss / (g.n - 1) }

// summarise reduces samples of at least minN values each. All means are taken from one origin, the first value of all,
// so that a large offset that the groups share does not eat the digits of their differences.
func summarise(groups [][]float64, minN int) ([]group, error) {
	if len(groups) == 0 {
		return nil, fmt.Errorf("no groups: %w", num.ErrEmpty)
	}
	for i, x := range groups {
		if err := num.CheckFinite(x, minN); err != nil {
			return nil, fmt.Errorf("group %d: %w", i+1, err)
		}
	}
	if len(groups) == 1 {
		return nil, fmt.Errorf("one group, need two: %w", num.ErrBadParam)
	}
	origin := groups[0][0]
	out := make([]group, len(groups))
	for i, x := range groups {
		out[i] = reduce(x, origin)
	}
	return out, nil
}

func reduce(x []float64, origin float64) group {
	g := group{n: float64(len(x)), mean: x[0] - origin}
	if slices.Min(x) == slices.Max(x) {
		return g
	}
	var sum, ss, rest compensated
	for _, v := range x {
		sum.add(v - origin)
	}
	g.mean = sum.value() / g.n
	for _, v := range x {
		d := (v - origin) - g.mean
		ss.add(d * d)
		rest.add(d)
	}
	g.ss = ss.value() - rest.value()*rest.value()/g.n
	return g
}

// pooledMean is the mean of all values, from the common origin.
func pooledMean(gs []group) (n, mean float64) {
	var sum compensated
	for _, g := range gs {
		n += g.n
		sum.add(g.n * g.mean)
	}
	return n, sum.value() / n
}

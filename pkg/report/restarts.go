package report

import (
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/nested"
)

// byRestart groups the figures by the start of the servers that they were measured on, in the order of the starts; nil
// unless there are at least two starts, at least one of them with more than one trial. Trials of one start share whatever
// that start brought (memory layout, a worker's core, a warm cache), so only starts are replicates: taking 3 starts of 10
// trials for 30 trials makes 57 of 100 differences between equal targets significant.
func (s *sample) byRestart() [][]float64 {
	var groups [][]float64
	index := map[int]int{}
	for i, t := range s.used {
		if t.Restart == 0 {
			return nil
		}
		j, known := index[t.Restart]
		if !known {
			j = len(groups)
			index[t.Restart] = j
			groups = append(groups, nil)
		}
		groups[j] = append(groups[j], s.values[i])
	}
	if len(groups) < 2 || len(groups) == len(s.values) {
		return nil
	}
	return groups
}

// units are the figures that a decision rests on: one a trial, or the geometric mean of each start.
func (s *sample) units() []float64 {
	if s.starts == nil {
		return s.values
	}
	out := make([]float64, len(s.starts))
	for i, g := range s.starts {
		out[i] = geometricMean(g)
	}
	return out
}

func geometricMean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(x)))
}

// startsInterval is the interval of the mean with starts as replicates; nil when it cannot be computed.
func (s *sample) startsInterval(level float64) *CI {
	two, err := nested.TwoLevel(s.starts)
	if err != nil {
		return nil
	}
	return interval(two.Interval(level), "t of restart means")
}

// pairStarts joins the blocks that ran on the same starts of both targets into one pair of geometric means.
func pairStarts(pairs []pair) []pair {
	type starts struct{ base, candidate int }
	var out []pair
	var x, y [][]float64
	index := map[starts]int{}
	for _, p := range pairs {
		key := starts{p.base.Restart, p.candidate.Restart}
		i, known := index[key]
		if !known {
			i = len(out)
			index[key] = i
			out, x, y = append(out, p), append(x, nil), append(y, nil)
		}
		x[i], y[i] = append(x[i], p.x), append(y[i], p.y)
	}
	for i := range out {
		out[i].x, out[i].y = geometricMean(x[i]), geometricMean(y[i])
	}
	return out
}

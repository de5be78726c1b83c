package modes

import (
	"math"
	"slices"
)

// binsPerDecade: a bin is 5.9 % wide.
const binsPerDecade = 40

// quantumSlack absorbs the rounding of decimal distances such as 10 − 9.9.
const quantumSlack = 1 + 1e-6

// grid is the log10 bins shared by all trials, and the quanta of their values.
type grid struct {
	first    int       // number of the lowest bin: it starts at 10^(first/binsPerDecade)
	bins     int       // with room for the kernel at both ends
	values   []float64 // distinct values of all trials, ascending
	low, upp []float64 // the stretch each of them stands for
}

func newGrid(samples []sample) grid {
	var g grid
	for _, s := range samples {
		for _, w := range s.values {
			g.values = append(g.values, w.Value)
		}
	}
	slices.Sort(g.values)
	g.values = slices.Compact(g.values)
	g.quanta()
	g.first = int(math.Floor(math.Log10(g.low[0])*binsPerDecade)) - 1
	last := int(math.Floor(math.Log10(g.upp[len(g.upp)-1])*binsPerDecade)) + 1
	g.bins = last - g.first + 1
	return g
}

// quanta infers for each value the stretch that was rounded to it. Between two neighbours the border is half-way, as for
// any rounding. A gap in the data is no quantum, so a side is held to ten times the other one (the step changes by a
// factor ten at a power of ten) and to a tenth of the value (two significant digits) or the smallest step of all, if
// that step is no larger than the smallest value (readings in whole milliseconds).
func (g *grid) quanta() {
	v := g.values
	step := 0.0
	for i := 1; i < len(v); i++ {
		if d := v[i] - v[i-1]; i == 1 || d < step {
			step = d
		}
	}
	if step > v[0]*quantumSlack {
		step = 0
	}
	g.low, g.upp = make([]float64, len(v)), make([]float64, len(v))
	for i, x := range v {
		left, right := math.Inf(1), math.Inf(1)
		if i > 0 {
			left = x - v[i-1]
		}
		if i+1 < len(v) {
			right = v[i+1] - x
		}
		most := min(10*min(left, right), max(x/10, step)) * quantumSlack
		g.low[i] = max(x-min(left, most)/2, x/2)
		g.upp[i] = x + min(right, most)/2
	}
}

// edge is the lower end of bin i in ms.
func (g *grid) edge(i float64) float64 { return math.Pow(10, (float64(g.first)+i)/binsPerDecade) }

// histogram is the share of the requests of s in each bin, each value spread evenly over its stretch.
func (g *grid) histogram(s sample) []float64 {
	h := make([]float64, g.bins)
	k := 0
	for _, w := range s.values {
		for g.values[k] != w.Value {
			k++
		}
		share, lo, hi := float64(w.Count)/s.total, g.low[k], g.upp[k]
		b := g.bin(lo)
		if hi <= lo || b == g.bin(hi) {
			h[b] += share
			continue
		}
		for from := lo; from < hi; b++ {
			to := hi
			if b+1 < g.bins {
				to = min(hi, max(from, g.edge(float64(b+1))))
			}
			h[b] += share * (to - from) / (hi - lo)
			if b+1 == g.bins {
				break
			}
			from = to
		}
	}
	return h
}

func (g *grid) bin(x float64) int {
	b := int(math.Floor(math.Log10(x)*binsPerDecade)) - g.first
	return min(max(b, 0), g.bins-1)
}

// ruleOfThumb is the bandwidth 0.9·min(sd, IQR/1.34)·n^(−1/5), in bins.
func ruleOfThumb(h []float64, s sample) float64 {
	mean, v := 0.0, 0.0
	for i, p := range h {
		mean += p * float64(i)
	}
	for i, p := range h {
		v += p * (float64(i) - mean) * (float64(i) - mean)
	}
	spread := math.Sqrt(v)
	if iqr := quantile(h, .75) - quantile(h, .25); iqr > 0 {
		spread = min(spread, iqr/1.34)
	}
	return .9 * spread * math.Pow(s.total, -.2)
}

// quantile of a histogram, in bins from its start.
func quantile(h []float64, p float64) float64 {
	sum := 0.0
	for i, v := range h {
		if v > 0 && sum+v >= p {
			return float64(i) + (p-sum)/v
		}
		sum += v
	}
	return float64(len(h))
}

// smooth is the kernel density of a histogram at the middles of its bins, with a bandwidth of width bins.
func smooth(h []float64, width float64) []float64 {
	reach := int(math.Ceil(6 * width))
	kernel := make([]float64, reach+1)
	for d := range kernel {
		z := float64(d) / width
		kernel[d] = math.Exp(-z*z/2) / (width * math.Sqrt(2*math.Pi))
	}
	out := make([]float64, len(h))
	for i := range out {
		for j := max(0, i-reach); j <= min(len(h)-1, i+reach); j++ {
			if h[j] > 0 {
				out[i] += h[j] * kernel[max(i-j, j-i)]
			}
		}
	}
	return out
}

package modes

import (
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

// peak is a peak of a density on the grid: its bin, and the bins from and to (exclusive) between its valleys.
type peak struct{ top, from, to int }

// findPeaks returns the peaks of density d that rules (i) and (ii) leave; mass is the histogram beneath it.
func findPeaks(d, mass []float64) []peak {
	tops := localMaxima(d)
	tops = separated(d, tops)
	for {
		peaks := basins(d, tops)
		least, at := MinModeMass, -1
		for i, p := range peaks {
			if m := between(mass, p); m < least {
				least, at = m, i
			}
		}
		if at < 0 || len(peaks) == 1 {
			return peaks
		}
		tops = append(tops[:at:at], tops[at+1:]...)
	}
}

// localMaxima returns the middle of each stretch of equal values with lower ones on both sides.
func localMaxima(d []float64) []int {
	var tops []int
	for i := 0; i < len(d); {
		j := i
		for j+1 < len(d) && d[j+1] == d[i] {
			j++
		}
		if d[i] > 0 && (i == 0 || d[i-1] < d[i]) && (j+1 == len(d) || d[j+1] < d[i]) {
			tops = append(tops, (i+j)/2)
		}
		i = j + 1
	}
	return tops
}

// separated removes the lower of the two peaks with the shallowest valley between them, until every valley is deep.
func separated(d []float64, tops []int) []int {
	for len(tops) > 1 {
		worst, at := MaxValley, -1
		for i := 1; i < len(tops); i++ {
			a, b := tops[i-1], tops[i]
			lower := a
			if d[b] < d[a] {
				lower = b
			}
			if ratio := d[valley(d, a, b)] / d[lower]; ratio > worst {
				worst, at = ratio, i-1
				if lower == b {
					at = i
				}
			}
		}
		if at < 0 {
			break
		}
		tops = append(tops[:at:at], tops[at+1:]...)
	}
	return tops
}

// valley is the middle of the lowest stretch between bins a and b.
func valley(d []float64, a, b int) int {
	first, last := a, a
	for i := a; i <= b; i++ {
		switch {
		case d[i] < d[first]:
			first, last = i, i
		case d[i] == d[first]:
			last = i
		}
	}
	return (first + last) / 2
}

// basins parts the grid at the valleys between the peaks.
func basins(d []float64, tops []int) []peak {
	peaks := make([]peak, len(tops))
	for i, t := range tops {
		peaks[i] = peak{top: t, to: len(d)}
		if i > 0 {
			v := valley(d, tops[i-1], t)
			peaks[i-1].to, peaks[i].from = v, v
		}
	}
	return peaks
}

func between(mass []float64, p peak) float64 {
	sum := 0.0
	for _, v := range mass[p.from:p.to] {
		sum += v
	}
	return sum
}

// describe measures candidate c of the average density in every trial.
func (g *grid) describe(c peak, average []float64, hist [][]float64, samples []sample, own [][]peak) LatencyMode {
	m := LatencyMode{Location: g.edge(.5 + refine(average, c.top))}
	m.MassCI = analysis.Interval{Level: modeLevel, Low: math.NaN(), High: math.NaN()}
	m.Low, m.High = g.values[0], g.values[len(g.values)-1]
	if c.from > 0 {
		m.Low = g.edge(float64(c.from))
	}
	if c.to < g.bins {
		m.High = g.edge(float64(c.to))
	}
	left, right := c.top, c.top
	for left > c.from && average[left-1] >= MaxValley*average[c.top] {
		left--
	}
	for right+1 < c.to && average[right+1] >= MaxValley*average[c.top] {
		right++
	}
	logits := make([]float64, len(samples))
	for i, s := range samples {
		share := min(1, between(hist[i], c))
		m.Mass += share / float64(len(samples))
		logits[i] = math.Log((share*s.total + .5) / ((1-share)*s.total + .5))
		for _, p := range own[i] {
			// Bins are whole numbers: a peak within half a bin of the stretch is in one of its bins.
			if p.top >= left && p.top <= right {
				m.Trials++
				break
			}
		}
	}
	m.Confirmed = float64(m.Trials) >= MinModeShare*float64(len(samples))
	if ci, err := analysis.TInterval(logits, modeLevel); err == nil {
		m.MassCI.Low, m.MassCI.High = logistic(ci.Low), logistic(ci.High)
	}
	return m
}

func logistic(v float64) float64 { return 1 / (1 + math.Exp(-v)) }

// refine is the top of the parabola through a peak's bin and its neighbours.
func refine(d []float64, i int) float64 {
	if i == 0 || i+1 == len(d) {
		return float64(i)
	}
	bend := d[i-1] - 2*d[i] + d[i+1]
	if bend >= 0 {
		return float64(i)
	}
	return float64(i) + min(.5, max(-.5, (d[i-1]-d[i+1])/(2*bend)))
}

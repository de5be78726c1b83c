package modes

import "math"

// The number of modes is counted without a grid, which would miss narrow features and drown in rounding between far
// clusters. Up to a positive factor the slope of the Gaussian density is
//
//	g(x) = m(x) − x,  m(x) the mean of the sample under the weights w_i ∝ exp(−(x − x_i)²/(2h²)),
//
// which never underflows. Moving x tilts the weights exponentially, so m' = V/h² with V their variance, and V' = κ₃/h²,
// V'' = κ₄/h⁴ with their cumulants. Bounds of these over an interval prove that g has no zero there or is monotone
// there; an interval without such a proof is halved.

// smallestCell ends the halving: below this part of the range there are no further numbers.
const smallestCell = 4e-16

// modeCounter counts the modes of the density of s (ascending) at bandwidth h.
type modeCounter struct {
	s     []float64
	h     float64
	limit int // stop counting above it
	width float64
	modes int
}

// countModes returns the number of modes, or limit+1 as soon as there are more than limit. s must be ascending.
func countModes(s []float64, h float64, limit int) int {
	lo, hi := s[0], s[len(s)-1]
	if lo == hi {
		return 1
	}
	c := &modeCounter{s: s, h: h, limit: limit, width: hi - lo}
	// All modes lie between the extremes, where g points inwards. Uneven margins keep the midpoints off the symmetry
	// points of the data.
	a, b := lo-.1234*h-1e-9*c.width, hi+.2718*h+1e-9*c.width
	c.visit(a, b, c.at(a), c.at(b))
	return c.modes
}

// rising says whether g = slope is positive: a zero counts as rising, so that a root on the border of two cells belongs
// to exactly one.
func rising(slope float64) bool { return slope >= 0 }

// visit adds the modes in [a, b], at whose ends g is ga and gb.
func (c *modeCounter) visit(a, b, ga, gb float64) {
	if c.modes > c.limit {
		return
	}
	if c.proven(a, b, ga, gb) {
		if rising(ga) && !rising(gb) {
			c.modes++
		}
		return
	}
	mid := a + (b-a)/2
	gm := c.at(mid)
	c.visit(a, mid, ga, gm)
	c.visit(mid, b, gm, gb)
}

// proven reports whether g has at most one zero in [a, b] for certain.
func (c *modeCounter) proven(a, b, ga, gb float64) bool {
	// m = g + x never falls: above b at a it stays above b.
	if ga > b-a || gb < a-b || b-a <= smallestCell*c.width {
		return true
	}
	k := c.momentsAt(a+(b-a)/2, (b-a)/2)
	hh := c.h * c.h
	if k.direct < hh {
		return true // V < h² throughout: g falls
	}
	spread := math.Abs(k.k3)*k.tau + 8*k.bound4*k.tau*k.tau
	if k.v+spread < hh || k.v-spread > hh {
		return true
	}
	steepest := math.Abs(k.v-hh) + spread // times 1/h²: the largest |g'|
	return math.Abs(k.slope) > steepest/hh*(b-a)/2
}

// at is g(x). Only distances to x enter: x itself may be large and costs no digits.
func (c *modeCounter) at(x float64) float64 {
	nearest := c.nearest(x)
	var sum, off float64
	for _, v := range c.s {
		e := c.exponent(v, x, nearest)
		if e > 745 {
			continue
		}
		w := math.Exp(-e)
		sum += w
		off += w * (v - x)
	}
	return off / sum
}

// moments are those of the weights at the centre of a cell, with bounds over the cell: the tilt changes by at most tau.
type moments struct {
	slope, v, k3 float64 // g, the variance, the third cumulant
	tau          float64
	direct       float64 // E[(X−m)²·exp(τ|X−m|)] >= V anywhere in the cell
	bound4       float64 // E[(X−m)⁴·exp(τ|X−m|)]; |κ₄| <= 16 times it anywhere in the cell
}

func (c *modeCounter) momentsAt(x, half float64) moments {
	k := moments{tau: half / (c.h * c.h)}
	k.slope = c.at(x)
	nearest := c.nearest(x)
	sum := 0.0
	for _, v := range c.s {
		e := c.exponent(v, x, nearest)
		d := v - x - k.slope
		tilt := k.tau * math.Abs(d)
		if e-tilt > 745 {
			continue
		}
		w := math.Exp(-e)
		sum += w
		k.v += w * d * d
		k.k3 += w * d * d * d
		t := math.Exp(tilt-e) * d * d
		k.direct += t
		k.bound4 += t * d * d
	}
	k.v /= sum
	k.k3 /= sum
	k.direct /= sum
	k.bound4 /= sum
	return k
}

// exponent is ((x−v)² − nearest²)/(2h²), factored so that it keeps its digits far away.
func (c *modeCounter) exponent(v, x, nearest float64) float64 {
	d := math.Abs(x - v)
	return (d - nearest) / c.h * ((d + nearest) / c.h) / 2
}

// nearest is the distance of x to the closest value.
func (c *modeCounter) nearest(x float64) float64 {
	lo, hi := 0, len(c.s)
	for lo < hi {
		if mid := (lo + hi) / 2; c.s[mid] < x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	best := math.Inf(1)
	if lo < len(c.s) {
		best = c.s[lo] - x
	}
	if lo > 0 {
		best = min(best, x-c.s[lo-1])
	}
	return best
}

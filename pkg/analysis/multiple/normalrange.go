package multiple

import (
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// normalRange holds what the range of k standard normals needs at every point: the density and the distribution of the
// largest value on one grid, so that they are computed once for the many ranges of an outer integral.
type normalRange struct {
	others float64 // k − 1
	step   float64
	z      []float64
	pdf    []float64 // k·φ(z)
	upTo   []float64 // Φ(z)
}

const (
	gridLow  = -9.0
	gridHigh = 40.0 // beyond a range of about 60 the tail is below the smallest float64
	halfSpan = 8.5  // φ leaves less than 1e-17 outside
)

func newNormalRange(k int) *normalRange {
	// The rule's step must follow what narrows with k: the density of the largest value, and Φ(z)−Φ(z−w) to the k-th.
	step := min(.25/math.Sqrt(1+math.Log(float64(k)/2)), .85/math.Sqrt(float64(k)))
	n := int((gridHigh-gridLow)/step) + 1
	r := &normalRange{others: float64(k - 1), step: step,
		z: make([]float64, n), pdf: make([]float64, n), upTo: make([]float64, n)}
	for i := range n {
		z := gridLow + float64(i)*step
		r.z[i] = z
		r.pdf[i] = float64(k) * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
		r.upTo[i] = num.NormalCDF(z)
	}
	return r
}

// window returns the indices of the grid from lo to hi.
func (r *normalRange) window(lo, hi float64) (int, int) {
	i := max(0, int((lo-gridLow)/r.step))
	j := min(len(r.z), int((hi-gridLow)/r.step)+1)
	return i, max(i, j)
}

// above is P(range > w): over the largest value z, the chance that not all others lie within w below it.
func (r *normalRange) above(w float64) float64 {
	sum := 0.0
	i, j := r.window(w/2-halfSpan, w/2+halfSpan)
	for ; i < j; i++ {
		a := r.upTo[i]
		miss := num.NormalCDF(r.z[i]-w) / a
		sum -= r.pdf[i] * math.Pow(a, r.others) * math.Expm1(r.others*math.Log1p(-miss))
	}
	return sum * r.step
}

// below is P(range <= w).
func (r *normalRange) below(w float64) float64 {
	sum := 0.0
	i, j := r.window(-halfSpan, halfSpan)
	for ; i < j; i++ {
		sum += r.pdf[i] * math.Pow(normalBetween(r.z[i]-w, r.z[i], w), r.others)
	}
	return sum * r.step
}

// normalBetween is Φ(b) − Φ(a), b − a = w, without cancellation.
func normalBetween(a, b, w float64) float64 {
	switch {
	case w < 1e-3:
		m := b - w/2
		return math.Exp(-m*m/2) / math.Sqrt(2*math.Pi) * w * (1 + w*w*(m*m-1)/24)
	case a > 0:
		return num.NormalSurvival(a) - num.NormalSurvival(b)
	}
	return num.NormalCDF(b) - num.NormalCDF(a)
}

// overChi averages f(q·s) over s = √(χ²/df). The rule runs over u = ln s, where the density is
// exp(df·(u − (e^{2u}−1)/2)) but for a constant, which the same rule supplies; every integrand that occurs here has one
// hump, so that a walk from the density's own peak, u = 0, can stop where terms no longer count.
func overChi(q, df float64, f func(float64) float64) float64 {
	if math.IsInf(df, 1) {
		return f(q)
	}
	step := min(.09, .5/math.Sqrt(2*df))
	weight := func(u float64) float64 { return math.Exp(df * (u - math.Expm1(2*u)/2)) }
	total, norm, top := f(q), 1.0, f(q)
	for _, h := range []float64{step, -step} {
		for i := 1; ; i++ {
			w := weight(float64(i) * h)
			if w < negligible {
				break
			}
			norm += w
		}
		for i, last := 1, 0.0; ; i++ {
			u := float64(i) * h
			w := weight(u)
			if w == 0 {
				break
			}
			term := w * f(q*math.Exp(u))
			total += term
			if top = max(top, term); term <= last && term < negligible*top {
				break
			}
			last = term
		}
	}
	return total / norm
}

// negligible terms of a sum of a few hundred do not reach its last digit.
const negligible = 1e-18

// root finds the zero of an increasing f between lo and hi, f(lo) <= 0 <= f(hi), by false position with the
// Illinois correction, or bisection should that stall.
func root(f func(float64) float64, lo, hi, flo, fhi float64) float64 {
	side := 0
	for i := 0; i < 150 && hi-lo > 1e-14*max(1, math.Abs(hi)); i++ {
		x := hi - fhi*(hi-lo)/(fhi-flo)
		if i > 50 || !(x > lo && x < hi) {
			x = lo + (hi-lo)/2
		}
		y := f(x)
		switch {
		case math.Abs(y) < 1e-14:
			return x
		case y < 0:
			lo, flo = x, y
			if side < 0 {
				fhi /= 2
			}
			side = -1
		default:
			hi, fhi = x, y
			if side > 0 {
				flo /= 2
			}
			side = 1
		}
	}
	return lo + (hi-lo)/2
}

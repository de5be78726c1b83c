package analysis

import (
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// DipResult is the outcome of HartiganDip.
type DipResult struct {
	D float64 // largest distance to the closest unimodal distribution function, at least 1/(2N)
	P float64 // under the uniform null
	N int
}

// HartiganDip tests H0: the distribution has one mode, by the dip statistic.
//
// D = min over unimodal G of sup|F−G|, F the empirical distribution function (Hartigan & Hartigan 1985; algorithm
// AS 217). D must agree with R's diptest::dip.test. P is the share of uniform samples of size n with a dip as large,
// from an embedded simulated table of this project (see gen). n <= 3 and constant samples: P = 1. Conservative for
// normal data: 3 % at a nominal 5 % for n = 5, 1 % for 20. Order, shift and scale do not matter. Ties count as they
// are. Errors: ErrEmpty, ErrNonFinite. x is not modified. O(n log n).
func HartiganDip(x []float64) (DipResult, error) {
	if err := num.CheckFinite(x, 1); err != nil {
		return DipResult{}, err
	}
	s, n := num.Sorted(x), len(x)
	r := DipResult{D: Dip(s), P: 1, N: n}
	if n > 3 && s[0] != s[n-1] {
		r.P = dipTable().p(n, r.D*math.Sqrt(float64(n)))
	}
	return r, nil
}

// Dip returns the dip statistic of an ascending sample: HartiganDip without its p value, exported for the generator
// of the null table.
func Dip(s []float64) float64 {
	n := len(s)
	best := 1.0 // in units of 1/(2n)
	if n > 1 && s[0] != s[n-1] {
		f := &dipFit{x: s, down: convexLinks(s), up: concaveLinks(s)}
		for low, high := 0, n-1; ; {
			f.hulls(low, high)
			gap, ig, ih := f.widest()
			if gap < best {
				break
			}
			best = max(best, f.lowerDip(ig), f.upperDip(ih))
			if f.gcm[ig] == low && f.lcm[ih] == high {
				break
			}
			low, high = f.gcm[ig], f.lcm[ih]
		}
	}
	return best / (2 * float64(n))
}

// dipFit holds the greatest convex minorant (gcm, from high down to low) and the least concave majorant (lcm, from
// low up to high) of the empirical distribution function on the current modal interval.
type dipFit struct {
	x        []float64
	down, up []int
	gcm, lcm []int
}

// convexLinks gives for each index the previous vertex of the convex minorant that ends there.
func convexLinks(x []float64) []int {
	link := make([]int, len(x))
	for j := 1; j < len(x); j++ {
		a := j - 1
		for a > 0 {
			b := link[a]
			if (x[j]-x[a])*float64(a-b) < (x[a]-x[b])*float64(j-a) {
				break
			}
			a = b
		}
		link[j] = a
	}
	return link
}

// concaveLinks gives for each index the next vertex of the concave majorant that starts there.
func concaveLinks(x []float64) []int {
	last := len(x) - 1
	link := make([]int, len(x))
	link[last] = last
	for k := last - 1; k >= 0; k-- {
		a := k + 1
		for a < last {
			b := link[a]
			if (x[a]-x[k])*float64(b-a) < (x[b]-x[a])*float64(a-k) {
				break
			}
			a = b
		}
		link[k] = a
	}
	return link
}

func (f *dipFit) hulls(low, high int) {
	f.gcm, f.lcm = append(f.gcm[:0], high), append(f.lcm[:0], low)
	for i := high; i > low; {
		i = f.down[i]
		f.gcm = append(f.gcm, i)
	}
	for i := low; i < high; {
		i = f.up[i]
		f.lcm = append(f.lcm, i)
	}
}

// widest finds the largest vertical distance between the two hulls and the hull vertices around it.
func (f *dipFit) widest() (gap float64, ig, ih int) {
	x, g, l := f.x, f.gcm, f.lcm
	ig, ih = len(g)-1, len(l)-1
	if len(g) == 2 && len(l) == 2 {
		return 1, ig, ih
	}
	for ix, iv := len(g)-2, 1; ; {
		var d float64
		if a, b := g[ix], l[iv]; a > b {
			c := g[ix+1]
			d = float64(b-c+1) - (x[b]-x[c])*float64(a-c)/(x[a]-x[c])
			if iv++; d >= gap {
				gap, ig, ih = d, ix+1, iv-1
			}
		} else {
			c := l[iv-1]
			d = (x[a]-x[c])*float64(b-c)/(x[b]-x[c]) - float64(a-c-1)
			if ix--; d >= gap {
				gap, ig, ih = d, ix+1, iv
			}
		}
		ix, iv = max(ix, 0), min(iv, len(l)-1)
		if g[ix] == l[iv] {
			return gap, ig, ih
		}
	}
}

func (f *dipFit) lowerDip(ig int) float64 {
	out := 1.0
	for j := ig; j < len(f.gcm)-1; j++ {
		b, e := f.gcm[j+1], f.gcm[j]
		if e-b > 1 && f.x[e] != f.x[b] {
			c := float64(e-b) / (f.x[e] - f.x[b])
			for k := b; k <= e; k++ {
				out = max(out, float64(k-b+1)-(f.x[k]-f.x[b])*c)
			}
		}
	}
	return out
}

func (f *dipFit) upperDip(ih int) float64 {
	out := 1.0
	for j := ih; j < len(f.lcm)-1; j++ {
		b, e := f.lcm[j], f.lcm[j+1]
		if e-b > 1 && f.x[e] != f.x[b] {
			c := float64(e-b) / (f.x[e] - f.x[b])
			for k := b; k <= e; k++ {
				out = max(out, (f.x[k]-f.x[b])*c-float64(k-b-1))
			}
		}
	}
	return out
}

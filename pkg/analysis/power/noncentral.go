package power

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// maxSigma is the reach of every integral in standard deviations: what lies beyond has less than 1e-17 of the mass.
const maxSigma = 9

// NoncentralTSurvival returns P(T > t) for T = (Z + ncp)/√(χ²_df/df), Z standard normal: the power of a one-sided t test
// with critical value t. R's pt(t, df, ncp, lower.tail=FALSE).
//
// It integrates Φ(ncp − t·s) over the density of s = √(χ²_df/df) by Gauss–Legendre quadrature (the definition, Johnson,
// Kotz & Balakrishnan 1995, ch. 31), accurate to about 1e-12 absolute for df from 1 to 1e9; far tails keep absolute, not
// relative digits. NaN for a NaN argument, an infinite t or ncp, or df <= 0.
func NoncentralTSurvival(t, df, ncp float64) float64 {
	if !(df > 0) || math.IsInf(df, 1) || math.IsNaN(t+ncp) || math.IsInf(t, 0) || math.IsInf(ncp, 0) {
		return math.NaN()
	}
	// Φ(ncp − t·s) passes from 0 to 1 over a few 1/|t| around this s, which the quadrature must not step over.
	turn, width := ncp/t, maxSigma/math.Abs(t)
	sum := integrateSD(df, math.Inf(1), func(s float64) float64 { return num.NormalCDF(ncp - t*s) }, turn-width, turn, turn+width)
	return min(1, max(0, sum))
}

// integrateSD integrates g(s)·f(s) from 0 to top, f being the density of s = √(χ²_df/df). g may change fast only close
// to the points named in turns, which must ascend; those that are not finite are ignored.
func integrateSD(df, top float64, g func(float64) float64, turns ...float64) float64 {
	w := maxSigma / math.Sqrt(2*df)
	lo, hi := max(0, 1-w), min(top, 1+w)
	if lo >= hi {
		return 0
	}
	density := sdDensity(df)
	f := func(s float64) float64 { return density(s) * g(s) }
	edges := []float64{lo}
	for _, t := range append(turns, hi) {
		if t > edges[len(edges)-1] && t <= hi {
			edges = append(edges, t)
		}
	}
	sum := 0.0
	for i := 1; i < len(edges); i++ {
		a, b := edges[i-1], edges[i]
		panels := max(2, int(math.Ceil(12*(b-a)/(hi-lo))))
		step := (b - a) / float64(panels)
		for p := range panels {
			from := a + float64(p)*step
			sum += quad.Fixed(f, from, from+step, 24, quad.Legendre{}, 0)
		}
	}
	return sum
}

// sdDensity is the density of √(χ²_df/df), from Stirling's error so that a large df does not cancel.
func sdDensity(df float64) func(float64) float64 {
	a := df / 2
	c := math.Sqrt(2*a/math.Pi) * math.Exp(-num.StirlingError(a))
	return func(s float64) float64 {
		if s <= 0 {
			return 0
		}
		e := s - 1
		return c / s * math.Exp(-a*(e*(e+2)-2*math.Log1p(e)))
	}
}

// tPower is the two-sided power of a t test, both tails counted.
func tPower(ncp, df, alpha float64) float64 {
	return tPowerOneTail(ncp, df, alpha) + tPowerOneTail(-ncp, df, alpha)
}

// tPowerOneTail counts only the rejections on the side of the true difference.
func tPowerOneTail(ncp, df, alpha float64) float64 {
	return NoncentralTSurvival(num.TQuantileUpper(alpha/2, df), df, ncp)
}

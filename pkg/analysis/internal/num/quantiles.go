package num

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// NormalQuantile returns z with P(Z <= z) = p; R's qnorm(p). p outside [0, 1] gives NaN, 0 and 1 the infinities.
func NormalQuantile(p float64) float64 {
	if p > .5 {
		return -NormalQuantile(1 - p)
	}
	if !(p >= 0) {
		return math.NaN()
	}
	z := mathext.NormalQuantile(p)
	if p == 0 || math.IsInf(z, 0) {
		return math.Inf(-1)
	}
	// One Newton step on ln Φ: the rational approximation alone is good to 1e-9 in parts of its range.
	if phi := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi); phi > 0 {
		c := NormalCDF(z)
		z -= math.Log(c/p) * c / phi
	}
	return z
}

// NormalQuantileUpper returns z with P(Z > z) = p.
func NormalQuantileUpper(p float64) float64 { return -NormalQuantile(p) }

// TQuantile returns t with P(T <= t) = p; R's qt(p, df). p outside [0, 1] or df <= 0 gives NaN.
func TQuantile(p, df float64) float64 {
	if p > .5 {
		return TQuantileUpper(1-p, df)
	}
	return -TQuantileUpper(p, df)
}

// TQuantileUpper returns t with P(T > t) = p; R's qt(p, df, lower.tail=FALSE). Small p keep their digits.
func TQuantileUpper(p, df float64) float64 {
	switch {
	case !(p >= 0 && p <= 1 && df > 0):
		return math.NaN()
	case p > .5:
		return -TQuantileUpper(1-p, df)
	case p == .5:
		return 0
	case math.IsInf(df, 1):
		return NormalQuantileUpper(p)
	}
	parts := func(t float64) (float64, float64) { return tParts(t, df) }
	return invert(parts, 1-2*p, 2*p, math.Max(NormalQuantileUpper(p), 1e-300))
}

// ChiSquaredQuantile returns x with P(X <= x) = p; R's qchisq(p, df). p outside [0, 1] or df <= 0 gives NaN.
func ChiSquaredQuantile(p, df float64) float64 { return chiSquaredInverse(p, 1-p, df) }

// ChiSquaredQuantileUpper returns x with P(X > x) = p; R's qchisq(p, df, lower.tail=FALSE).
func ChiSquaredQuantileUpper(p, df float64) float64 { return chiSquaredInverse(1-p, p, df) }

func chiSquaredInverse(lower, upper, df float64) float64 {
	if !(lower >= 0 && upper >= 0 && df > 0) || math.IsInf(df, 1) {
		return math.NaN()
	}
	return invert(func(x float64) (float64, float64) { return chiSquaredParts(x, df) }, lower, upper, df)
}

// FQuantile returns f with P(F <= f) = p; R's qf(p, df1, df2). p outside [0, 1] or df <= 0 gives NaN.
func FQuantile(p, df1, df2 float64) float64 { return fInverse(p, 1-p, df1, df2) }

// FQuantileUpper returns f with P(F > f) = p; R's qf(p, df1, df2, lower.tail=FALSE).
func FQuantileUpper(p, df1, df2 float64) float64 { return fInverse(1-p, p, df1, df2) }

func fInverse(lower, upper, df1, df2 float64) float64 {
	if !(lower >= 0 && upper >= 0 && df1 > 0 && df2 > 0) || math.IsInf(df1, 1) {
		return math.NaN()
	}
	return invert(func(f float64) (float64, float64) { return fParts(f, df1, df2) }, lower, upper, 1)
}

// BetaQuantile returns x with I_x(a, b) = p; R's qbeta(p, a, b). p outside [0, 1] or a, b <= 0 gives NaN.
func BetaQuantile(p, a, b float64) float64 {
	if !(p >= 0 && p <= 1 && a > 0 && b > 0) {
		return math.NaN()
	}
	// The odds x/(1−x) range over (0, ∞), so that both ends keep their digits.
	odds := invert(func(o float64) (float64, float64) {
		x, y := shares(o, 1)
		return Beta(a, b, x, y)
	}, p, 1-p, a/b)
	x, _ := shares(odds, 1)
	return x
}

// invert finds x > 0 where parts(x) = (lower, upper), both parts being monotone. It solves for the logarithm of the
// smaller part as a function of ln x, close to a straight line in either tail.
func invert(parts func(float64) (float64, float64), lower, upper, start float64) float64 {
	switch {
	case lower == 0:
		return 0
	case upper == 0:
		return math.Inf(1)
	}
	f := func(u float64) float64 { // increasing in u
		lo, up := parts(math.Exp(u))
		if lower < upper {
			return math.Log(lo / lower)
		}
		return math.Log(upper / up)
	}
	a := math.Log(start)
	fa := f(a)
	step := -.25
	if fa < 0 {
		step = .25
	}
	b, fb := a, fa
	for range 60 {
		if (fb < 0) != (fa < 0) || fb == 0 {
			break
		}
		a, fa = b, fb
		b += step
		fb = f(b)
		step *= 2
	}
	return math.Exp(root(f, a, b, fa, fb))
}

// root is a sign change of f between a and b by the method of Chandrupatla (1997): inverse quadratic interpolation
// where it is safe, bisection elsewhere.
func root(f func(float64) float64, a, b, fa, fb float64) float64 {
	var c, fc float64 // the end that b had before
	t := .5
	for range 200 {
		x := a + t*(b-a)
		fx := f(x)
		if (fx < 0) == (fa < 0) {
			c, fc = a, fa
		} else {
			c, b, fc, fb = b, a, fb, fa
		}
		a, fa = x, fx
		best, fbest := a, fa
		if math.Abs(fb) < math.Abs(fa) {
			best, fbest = b, fb
		}
		least := (2e-16*math.Abs(best) + 1e-16) / math.Abs(b-c)
		if least > .5 || fbest == 0 {
			return best
		}
		xi, phi := (a-b)/(c-b), (fa-fb)/(fc-fb)
		t = .5
		if phi*phi < xi && (1-phi)*(1-phi) < 1-xi && !math.IsInf(fa+fb+fc, 0) {
			t = fa/(fb-fa)*fc/(fb-fc) + (c-a)/(b-a)*fa/(fc-fa)*fb/(fc-fb)
		}
		t = min(max(t, least), 1-least)
	}
	return a
}

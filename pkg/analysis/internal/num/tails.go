package num

import "math"

// Tails of distributions. A probability is always computed as the tail it is, never as one minus the other tail, so
// it keeps its digits down to the smallest float64. A NaN argument or a parameter out of range gives NaN.

// NormalCDF returns P(Z <= x) of the standard normal distribution; R's pnorm(x).
func NormalCDF(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// NormalSurvival returns P(Z > x); R's pnorm(x, lower.tail=FALSE).
func NormalSurvival(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }

// TCDF returns P(T <= t) of Student's t; R's pt(t, df).
func TCDF(t, df float64) float64 { return TSurvival(-t, df) }

// TSurvival returns P(T > t) of Student's t; R's pt(t, df, lower.tail=FALSE). df = +Inf is the normal distribution.
func TSurvival(t, df float64) float64 {
	if !(df > 0) {
		return math.NaN()
	}
	if math.IsInf(df, 1) {
		return NormalSurvival(t)
	}
	inside, outside := tParts(math.Abs(t), df)
	switch {
	case t > 0:
		return outside / 2
	case outside < .5:
		return 1 - outside/2
	}
	return .5 + inside/2
}

// tParts returns P(|T| <= t) and P(|T| > t) for t >= 0.
func tParts(t, df float64) (inside, outside float64) {
	if math.IsInf(t, 1) {
		return 1, 0
	}
	r := t / math.Sqrt(df)
	if r > 1e150 { // its square overflows; the tail is a power of r long before
		a, _ := math.Lgamma(df/2 + .5)
		b, _ := math.Lgamma(df/2 + 1)
		outside = math.Exp(a-b-df*math.Log(r)) / math.Sqrt(math.Pi)
		return 1 - outside, outside
	}
	x, y := shares(r*r, 1)
	return Beta(.5, df/2, x, y)
}

// shares returns a/(a+b) and b/(a+b); a may be infinite.
func shares(a, b float64) (float64, float64) {
	if a > b {
		return 1 / (1 + b/a), b / a / (1 + b/a)
	}
	return a / b / (1 + a/b), 1 / (1 + a/b)
}

// ChiSquaredCDF returns P(X <= x) of the χ² distribution; R's pchisq(x, df).
func ChiSquaredCDF(x, df float64) float64 {
	lower, _ := chiSquaredParts(x, df)
	return lower
}

// ChiSquaredSurvival returns P(X > x) of the χ² distribution; R's pchisq(x, df, lower.tail=FALSE).
func ChiSquaredSurvival(x, df float64) float64 {
	_, upper := chiSquaredParts(x, df)
	return upper
}

func chiSquaredParts(x, df float64) (lower, upper float64) {
	if !(df > 0) || math.IsInf(df, 1) {
		return math.NaN(), math.NaN()
	}
	return Gamma(df/2, x/2)
}

// FCDF returns P(F <= f) of the F distribution; R's pf(f, df1, df2). df2 = +Inf is χ²/df1.
func FCDF(f, df1, df2 float64) float64 {
	lower, _ := fParts(f, df1, df2)
	return lower
}

// FSurvival returns P(F > f) of the F distribution; R's pf(f, df1, df2, lower.tail=FALSE).
func FSurvival(f, df1, df2 float64) float64 {
	_, upper := fParts(f, df1, df2)
	return upper
}

func fParts(f, df1, df2 float64) (lower, upper float64) {
	switch {
	case !(df1 > 0 && df2 > 0) || math.IsNaN(f) || math.IsInf(df1, 1):
		return math.NaN(), math.NaN()
	case math.IsInf(df2, 1):
		return chiSquaredParts(f*df1, df1)
	case f <= 0:
		return 0, 1
	case math.IsInf(f, 1):
		return 1, 0
	}
	x, y := shares(df1*f, df2)
	return Beta(df1/2, df2/2, x, y)
}

// BinomialAtLeast returns P(X >= k) for n trials of probability p; R's pbinom(k-1, n, p, lower.tail=FALSE).
func BinomialAtLeast(k, n int, p float64) float64 {
	switch {
	case !(p >= 0 && p <= 1) || n < 0:
		return math.NaN()
	case k <= 0:
		return 1
	case k > n:
		return 0
	}
	lower, _ := Beta(float64(k), float64(n-k+1), p, 1-p)
	return lower
}

// BinomialLog returns ln P(X = k) for n trials of probability p = 1−q; R's dbinom(k, n, p, log=TRUE). −Inf for k outside
// 0..n.
func BinomialLog(k, n int, p, q float64) float64 {
	switch a, b, m := float64(k), float64(n-k), float64(n); {
	case k < 0 || k > n:
		return math.Inf(-1)
	case n == 0:
		return 0
	case k == 0:
		return m * logShare(p, q)
	case k == n:
		return m * logShare(q, p)
	default:
		return StirlingError(m) - StirlingError(a) - StirlingError(b) - deviance(a, m*p) - deviance(b, m*q) +
			math.Log(m/(2*math.Pi*a)/b)/2
	}
}

// logShare is ln q for q = 1−p, from whichever of the two keeps its digits.
func logShare(p, q float64) float64 {
	if p < .5 {
		return math.Log1p(-p)
	}
	return math.Log(q)
}

package num

import "math"

// The incomplete beta and gamma functions are computed here rather than taken from gonum, whose prefactor (the
// difference of three log-gamma values) keeps only nine digits at 10⁵ degrees of freedom and which takes 1−x from x.

// maxTerms bounds every series and fraction; they need about √(largest parameter) terms.
const maxTerms = 1_000_000

// epsTerm ends a series: below it a further term does not change a float64.
const epsTerm = 1e-16

// StirlingError is ln Γ(n+1) − ((n+½)·ln n − n + ½·ln 2π), the error of Stirling's formula (Loader 2000).
func StirlingError(n float64) float64 {
	if n < 16 {
		lg, _ := math.Lgamma(n + 1)
		return lg - (n+.5)*math.Log(n) + n - .5*math.Log(2*math.Pi)
	}
	s := n * n
	return (1./12 - (1./360-(1./1260-(1./1680-(1./1188-691./360360/s)/s)/s)/s)/s) / n
}

// deviance is a·ln(a/m) + m − a without cancellation near a = m (Loader 2000, bd0).
func deviance(a, m float64) float64 {
	if math.Abs(a-m) >= .1*(a+m) {
		return a*math.Log(a/m) + m - a
	}
	v := (a - m) / (a + m)
	s := (a - m) * v
	e := 2 * a * v
	for j := 1; j < 1000; j++ {
		e *= v * v
		next := s + e/float64(2*j+1)
		if next == s {
			break
		}
		s = next
	}
	return s
}

// Beta returns the regularised incomplete beta function I_x(a, b) and its complement, each as a tail of its own.
// y must be 1−x, computed where no digits are lost. a, b > 0; x in [0, 1].
func Beta(a, b, x, y float64) (lower, upper float64) {
	switch {
	case math.IsNaN(x + y + a + b):
		return math.NaN(), math.NaN()
	case x <= 0:
		return 0, 1
	case y <= 0:
		return 1, 0
	}
	n := a + b
	// x^a·y^b/B(a, b), from a binomial probability for whole a and b.
	power := math.Sqrt(a*(b/n)/(2*math.Pi)) *
		math.Exp(StirlingError(n)-StirlingError(a)-StirlingError(b)-deviance(a, n*x)-deviance(b, n*y))
	if x < (a+1)/(n+2) {
		lower = min(1, power/betaFraction(a, b, x, y))
		return lower, 1 - lower
	}
	upper = min(1, power/betaFraction(b, a, y, x))
	return 1 - upper, upper
}

// betaFraction is x^a·y^b/(I_x(a, b)·B(a, b)) as a continued fraction (Didonato & Morris 1992, the even part of the
// classical one) by Lentz's method. It converges fast for x < (a+1)/(a+b+2), and as y comes in beside x, large a with x
// close to 1 keep their digits.
func betaFraction(a, b, x, y float64) float64 {
	const tiny = 1e-300
	excess := a*y - b*x + 1
	part := func(m float64) (over, under float64) {
		s := a + 2*m
		over = (a + m - 1) * (a + b + m - 1) / (s - 1) * (m * (b - m) / (s - 1)) * x * x
		under = m + m*(b-m)*x/(s-1) + (a+m)/(s+1)*(excess+m*(1+y))
		return over, under
	}
	h := a / (a + 1) * excess
	if math.Abs(h) < tiny {
		h = tiny
	}
	c, d := h, 0.0
	for i := 1; i <= maxTerms; i++ {
		over, under := part(float64(i))
		if d = under + over*d; math.Abs(d) < tiny {
			d = tiny
		}
		if c = under + over/c; math.Abs(c) < tiny {
			c = tiny
		}
		d = 1 / d
		h *= c * d
		if math.Abs(c*d-1) <= 2*epsTerm {
			break
		}
	}
	return h
}

// Gamma returns the regularised incomplete gamma functions P(a, x) and Q(a, x), each as a tail of its own.
// a > 0, x >= 0.
func Gamma(a, x float64) (lower, upper float64) {
	switch {
	case math.IsNaN(a + x):
		return math.NaN(), math.NaN()
	case x <= 0:
		return 0, 1
	case math.IsInf(x, 1):
		return 1, 0
	}
	// x^a·e^−x/Γ(a+1), a Poisson probability for whole a.
	poisson := math.Exp(-StirlingError(a)-deviance(a, x)) / math.Sqrt(2*math.Pi*a)
	if x < a+1 {
		sum, term := 1.0, 1.0
		for i := 1; i <= maxTerms && term > epsTerm*sum; i++ {
			term *= x / (a + float64(i))
			sum += term
		}
		lower = min(1, poisson*sum)
		return lower, 1 - lower
	}
	upper = min(1, poisson*a*gammaFraction(a, x))
	return 1 - upper, upper
}

// gammaFraction is the continued fraction of Γ(a, x)/(x^a·e^−x) by Lentz's method (Abramowitz & Stegun 6.5.31), for
// x >= a+1.
func gammaFraction(a, x float64) float64 {
	const tiny = 1e-300
	b := x + 1 - a
	c, d := 1/tiny, 1/b
	h := d
	for i := 1; i <= maxTerms; i++ {
		m := float64(i)
		t := -m * (m - a)
		b += 2
		if d = t*d + b; math.Abs(d) < tiny {
			d = tiny
		}
		if c = b + t/c; math.Abs(c) < tiny {
			c = tiny
		}
		d = 1 / d
		h *= d * c
		if math.Abs(d*c-1) <= 2*epsTerm {
			break
		}
	}
	return h
}

package trend

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// MannKendallResult is the outcome of MannKendall or MannKendallExact.
type MannKendallResult struct {
	N           int
	S           int     // pairs that rise minus pairs that fall
	VarS        float64 // variance of S under H0, ties included
	TauB        float64 // Kendall's tau-b of the values and time, NaN when all values are equal
	Z           float64 // NaN when exact or when all values are equal
	P           float64 // two-sided
	PIncreasing float64 // alternative: the series rises
	PDecreasing float64 // alternative: the series falls
	Exact       bool
}

// MannKendall tests H0: the values of x are exchangeable in time, against a monotone trend (Mann 1945; Kendall 1975).
//
// S = Σ_{i<j} sign(x_j − x_i); Var S = (n(n−1)(2n+5) − Σ t(t−1)(2t+5))/18 over groups of t tied values;
// z = (S − sign S)/√Var S, compared with the normal distribution (z = 0 at S = 0). It must agree with R's
// trend::mk.test(x) and Kendall::MannKendall(x). tau-b is S/√(n₀(n₀−n₁)), n₀ = n(n−1)/2 and n₁ the tied pairs.
// The approximation is fair from about 10 values; below that use MannKendallExact. Two-sided P cannot fall below .05
// for fewer than 5 values. Power against a drift of 2 sd over the series: .39 / .70 / .85 at n = 10 / 20 / 30, slightly
// below Slope's, but it needs neither a line nor normal noise. All values equal: VarS 0 and the other figures NaN.
// Invariant to every increasing transformation of x; reversing x swaps PIncreasing and PDecreasing. Errors: ErrEmpty,
// ErrNonFinite, ErrTooFew for n < 2. x is not modified. O(n²).
func MannKendall(x []float64) (MannKendallResult, error) {
	r, _, err := kendallS(x)
	if err != nil {
		return MannKendallResult{}, err
	}
	r.Z, r.P, r.PIncreasing, r.PDecreasing = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	if r.VarS == 0 {
		return r, nil
	}
	s := float64(r.S)
	if r.S != 0 {
		s -= math.Copysign(1, s)
	}
	r.Z = s / math.Sqrt(r.VarS)
	r.P = min(1, 2*num.NormalSurvival(math.Abs(r.Z)))
	r.PIncreasing, r.PDecreasing = num.NormalSurvival(r.Z), num.NormalCDF(r.Z)
	return r, nil
}

// MannKendallExact is MannKendall with the exact null distribution of S, for values without ties.
//
// Under H0 every order of the values is equally likely and S = n(n−1)/2 − 2·(inversions), so P(S >= s) counts the
// permutations with at most that many inversions (Kendall 1938). PIncreasing = P(S >= s), PDecreasing = P(S <= s),
// P = min(1, 2·min of both). It must agree with R's cor.test(seq_along(x), x, method="kendall", exact=TRUE), but keeps
// its digits in the tail, where R returns −4e−16 for 7e−21. The smallest two-sided P is 2/n!: .33 for 3 values, .083
// for 4, .017 for 5. Ties are ErrBadParam: the exact distribution is not defined for them, use MannKendall. Other
// errors as MannKendall. x is not modified. O(n³) in time: 0.05 s at n = 300.
func MannKendallExact(x []float64) (MannKendallResult, error) {
	r, tied, err := kendallS(x)
	if err != nil {
		return MannKendallResult{}, err
	}
	if tied > 0 {
		return MannKendallResult{}, fmt.Errorf("exact distribution of S: %d tied pairs: %w", tied, num.ErrBadParam)
	}
	all := r.N * (r.N - 1) / 2
	down := (all - r.S) / 2 // inversions
	up := all - down
	r.Z, r.Exact = math.NaN(), true
	p := inversions(r.N, min(up, down))
	tail := 0.0
	for _, v := range p {
		tail += v
	}
	// tail is P(inversions <= min(up, down)); the opposite tail contains the observed value as well.
	opposite := 1 - tail + p[len(p)-1]
	if down <= up {
		r.PIncreasing, r.PDecreasing = tail, opposite
	} else {
		r.PIncreasing, r.PDecreasing = opposite, tail
	}
	r.P = min(1, 2*min(r.PIncreasing, r.PDecreasing))
	return r, nil
}

// kendallS counts rising and falling pairs, and ties.
func kendallS(x []float64) (r MannKendallResult, tied int, err error) {
	if err := num.CheckFinite(x, 2); err != nil {
		return r, 0, fmt.Errorf("test trend: %w", err)
	}
	n := len(x)
	r.N = n
	for i, a := range x {
		for _, b := range x[i+1:] {
			switch {
			case b > a:
				r.S++
			case b < a:
				r.S--
			default:
				tied++
			}
		}
	}
	pairs := n * (n - 1) / 2
	r.TauB = float64(r.S) / math.Sqrt(float64(pairs)*float64(pairs-tied)) // 0/0 when all values are equal
	r.VarS = float64(kendallTerm(n)-tieTerm(x)) / 18
	return r, tied, nil
}

func kendallTerm(t int) int { return t * (t - 1) * (2*t + 5) }

// tieTerm is Σ t(t−1)(2t+5) over the groups of equal values.
func tieTerm(x []float64) int {
	s := num.Sorted(x)
	sum := 0
	for i := 0; i < len(s); {
		j := i + 1
		for j < len(s) && s[j] == s[i] {
			j++
		}
		sum += kendallTerm(j - i)
		i = j
	}
	return sum
}

// inversions returns P(k inversions) for k = 0..most in a random permutation of n. The number for n is that for n−1
// plus a uniform 0..n−1, so each step is a moving average. Its window sums are made of the sum since the last multiple
// of n and the sum back to it: nothing is subtracted, so the smallest probabilities keep all their digits.
func inversions(n, most int) []float64 {
	p := make([]float64, most+1)
	next, since, back := make([]float64, most+1), make([]float64, most+1), make([]float64, most+1)
	p[0] = 1
	for w := 2; w <= n; w++ {
		for k := range p {
			since[k] = p[k]
			if k%w != 0 {
				since[k] += since[k-1]
			}
		}
		for k := most; k >= 0; k-- {
			back[k] = p[k]
			if (k+1)%w != 0 && k < most {
				back[k] += back[k+1]
			}
		}
		for k := range next {
			from := k - w + 1
			next[k] = since[k]
			if from > 0 && from%w != 0 {
				next[k] += back[from]
			}
			next[k] /= float64(w)
		}
		p, next = next, p
	}
	return p
}

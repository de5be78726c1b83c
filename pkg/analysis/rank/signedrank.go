package rank

import (
	"fmt"
	"math"
	"slices"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// SignedRankResult is the outcome of WilcoxonSignedRank.
type SignedRankResult struct {
	V        float64 // sum of the ranks of the positive differences
	N        int     // differences that are not 0
	Zeros    int     // differences that are 0, left out
	Ties     bool
	Exact    bool
	P        float64 // two-sided
	PLess    float64 // alternative: the differences tend to be negative
	PGreater float64 // alternative: positive
}

// WilcoxonSignedRank tests H0: the differences of pairs are symmetric around 0, by the ranks of their absolute values (Wilcoxon 1945).
//
// Zeros are dropped and counted. Up to 50 differences the p-values are exact, over all 2ⁿ choices of signs of the ranks, ties sharing their
// mean rank: min(1, 2·min(P(V<=v), P(V>=v))), R's wilcox.test(d, exact=TRUE) without ties. Above, the normal approximation with continuity
// correction and the variance Σr²/4. The smallest P is 2/2ⁿ: 0.0625 for 5 blocks, so it cannot decide five; from 8 on it is a
// useful second opinion. All zero: P = 1. Errors: ErrEmpty, ErrNonFinite. d is not modified.
func WilcoxonSignedRank(d []float64) (SignedRankResult, error) {
	if err := num.CheckFinite(d, 1); err != nil {
		return SignedRankResult{}, err
	}
	var kept, size []float64
	for _, v := range d {
		if v != 0 {
			kept, size = append(kept, v), append(size, math.Abs(v))
		}
	}
	r := SignedRankResult{N: len(kept), Zeros: len(d) - len(kept), P: 1, PLess: 1, PGreater: 1, Exact: true}
	if r.N == 0 {
		return r, nil
	}
	ranks, tieSum := doubledRanks(size, nil)
	r.Ties = tieSum > 0
	v := 0
	for i, k := range ranks {
		if kept[i] > 0 {
			v += k
		}
	}
	r.V = float64(v) / 2
	if r.N > exactRankLimit {
		r.Exact = false
		r.normal(ranks)
		return r, nil
	}
	r.exact(ranks, v)
	return r, nil
}

func (r *SignedRankResult) exact(ranks []int, v int) {
	low, high, all := 0.0, 0.0, 0.0
	for s, c := range signedSums(ranks) {
		all += c
		if s <= v {
			low += c
		}
		if s >= v {
			high += c
		}
	}
	r.PLess, r.PGreater = low/all, high/all
	r.P = min(1, 2*min(r.PLess, r.PGreater))
}

// signedSums counts the choices of signs by the sum of the doubled ranks that get a plus.
func signedSums(ranks []int) []float64 {
	ways := make([]float64, sumOf(ranks)+1)
	ways[0] = 1
	for _, k := range ranks {
		for s := len(ways) - 1; s >= k; s-- {
			ways[s] += ways[s-k]
		}
	}
	return ways
}

func (r *SignedRankResult) normal(ranks []int) {
	mean, variance := 0.0, 0.0
	for _, k := range ranks {
		rank := float64(k) / 2
		mean += rank / 2
		variance += rank * rank / 4
	}
	sigma, d := math.Sqrt(variance), r.V-mean
	r.PLess, r.PGreater = num.NormalCDF((d+.5)/sigma), num.NormalSurvival((d-.5)/sigma)
	r.P = min(1, 2*num.NormalSurvival(max(0, math.Abs(d)-.5)/sigma))
}

// WalshMedian estimates the centre of differences of pairs: the median of all n(n+1)/2 means of two of them (Hodges & Lehmann 1963),
// the estimate that goes with the signed-rank test; R's wilcox.test(d, conf.int=TRUE). On logarithms exp of it is a robust ratio of
// the blocks.
//
// The interval is [W(k), W(M+1−k)] of the M ordered means, k = max(1, the smallest v with P(V <= v) >= α/2), R's qsignrank(α/2), up to 50
// differences; above, by the normal approximation. Below 6 differences no interval reaches 95 %: the ends are then the extremes, and Achieved says
// what they are worth (93.75 % at 5). Zeros stay in. Errors: ErrEmpty, ErrNonFinite, ErrBadParam for a level outside (0, 1), ErrOutOfRange
// above 10⁷ means. d is not modified.
func WalshMedian(d []float64, level float64) (ShiftEstimate, error) {
	if err := num.CheckFinite(d, 1); err != nil {
		return ShiftEstimate{}, err
	}
	if err := num.CheckUnit("level", level); err != nil {
		return ShiftEstimate{}, err
	}
	n := len(d)
	if float64(n)*float64(n+1)/2 > maxDifferences {
		return ShiftEstimate{}, fmt.Errorf("means of %d differences two by two: %w", n, num.ErrOutOfRange)
	}
	walsh := make([]float64, 0, n*(n+1)/2)
	for i, a := range d {
		for _, b := range d[i:] {
			walsh = append(walsh, a/2+b/2)
		}
	}
	slices.Sort(walsh)
	if n > exactRankLimit {
		size := float64(n)
		z := -num.NormalQuantile((1 - level) / 2)
		k := int(math.Floor(size*(size+1)/4 - z*math.Sqrt(size*(size+1)*(2*size+1)/24)))
		return shiftAt(walsh, max(1, k), level), nil
	}
	k, achieved := exactWalshK(n, level)
	out := shiftAt(walsh, k, level)
	out.Exact, out.Achieved = true, achieved
	return out, nil
}

// exactWalshK is exactK for the signed-rank statistic of n untied differences.
func exactWalshK(n int, level float64) (k int, achieved float64) {
	ranks := make([]int, n)
	for i := range ranks {
		ranks[i] = i + 1
	}
	counts := signedSums(ranks)
	all, sum, v := math.Ldexp(1, n), 0.0, 0
	for ; v < len(counts)-1; v++ {
		if (sum+counts[v])/all >= (1-level)/2*(1-1e-14) {
			break
		}
		sum += counts[v]
	}
	k = max(1, v)
	below := 0.0
	for _, c := range counts[:k] {
		below += c
	}
	return k, 1 - 2*below/all
}

package rank

import (
	"fmt"
	"math"
	"slices"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// exactRankLimit is the sample size below which MannWhitney enumerates, R's default. 49 against 49 takes a few milliseconds.
const exactRankLimit = 50

// MannWhitneyResult is the outcome of MannWhitney. U counts pairs with x > y, ties half (R's W).
type MannWhitneyResult struct {
	U        float64
	P        float64 // two-sided
	PLess    float64 // alternative: x tends to be smaller
	PGreater float64 // alternative: x tends to be larger
	Exact    bool    // the p-values are exact, not a normal approximation
	Ties     bool
	// TieSum is Σ(t³−t) over groups of ties; Sigma and Z belong to the normal approximation and are NaN when exact.
	TieSum, Sigma, Z float64
}

// MannWhitney tests H0: x and y have the same distribution, by ranks (Mann & Whitney 1947).
//
// Below 50 values on each side the p-values are exact: without ties P = min(1, 2·min(P(U<=u), P(U>=u))) as R's wilcox.test(exact=TRUE),
// with ties the share of all assignments of the midranks at least as far from the mean (R's exactRankTests). Otherwise MannWhitneyNormal
// with continuity correction, as R. The smallest P possible is 0.1 for 3 against 3, 0.029 for 4, 0.008 for 5, so it cannot decide
// a small experiment. All values equal: P = 1 when exact, NaN otherwise. Swapping x and y keeps P. Errors: ErrTooFew for an empty sample,
// ErrNonFinite. Inputs are not modified. O(n·N³) when exact, a few milliseconds for 49 against 49; O(N log N) otherwise.
func MannWhitney(x, y []float64) (MannWhitneyResult, error) {
	if err := checkBoth(x, y, 1); err != nil {
		return MannWhitneyResult{}, err
	}
	ranks, tieSum := doubledRanks(x, y)
	n := len(x)
	if n >= exactRankLimit || len(y) >= exactRankLimit {
		return normalOf(ranks, n, tieSum, true), nil
	}
	w := sumOf(ranks[:n])
	out := MannWhitneyResult{U: uOf(w, n), Ties: tieSum > 0, TieSum: tieSum, Exact: true, Sigma: math.NaN(), Z: math.NaN()}
	out.P, out.PLess, out.PGreater = exactRankP(ranks, n, w, out.Ties)
	return out, nil
}

// MannWhitneyNormal is MannWhitney by the normal approximation at any size: variance nm/12·(N+1−Σ(t³−t)/(N(N−1))), and 0.5 towards the mean
// when continuity is asked for; R's wilcox.test(exact=FALSE, correct=continuity). Poor below about 10 values each. All values
// equal: p-values NaN. Errors as MannWhitney.
func MannWhitneyNormal(x, y []float64, continuity bool) (MannWhitneyResult, error) {
	if err := checkBoth(x, y, 1); err != nil {
		return MannWhitneyResult{}, err
	}
	ranks, tieSum := doubledRanks(x, y)
	return normalOf(ranks, len(x), tieSum, continuity), nil
}

// checkBoth demands at least minN finite values in each sample.
func checkBoth(x, y []float64, minN int) error {
	for _, s := range [][]float64{x, y} {
		if len(s) == 0 {
			return fmt.Errorf("need %d values in each sample, have none: %w", minN, num.ErrTooFew)
		}
		if err := num.CheckFinite(s, minN); err != nil {
			return err
		}
	}
	return nil
}

func sumOf(ranks []int) int {
	w := 0
	for _, r := range ranks {
		w += r
	}
	return w
}

// uOf turns a sum of doubled ranks of n values into U.
func uOf(w, n int) float64 { return float64(w-n*(n+1)) / 2 }

// doubledRanks returns twice the midranks of the pooled sample, x first, and Σ(t³−t) over groups of ties.
func doubledRanks(x, y []float64) (ranks []int, tieSum float64) {
	pool := slices.Concat(x, y)
	idx := make([]int, len(pool))
	for i := range idx {
		idx[i] = i
	}
	slices.SortFunc(idx, func(a, b int) int {
		switch {
		case pool[a] < pool[b]:
			return -1
		case pool[a] > pool[b]:
			return 1
		}
		return 0
	})
	ranks = make([]int, len(pool))
	for i := 0; i < len(idx); {
		j := i
		for j < len(idx) && pool[idx[j]] == pool[idx[i]] {
			j++
		}
		for _, k := range idx[i:j] {
			ranks[k] = i + 1 + j
		}
		t := float64(j - i)
		tieSum += t*t*t - t
		i = j
	}
	return ranks, tieSum
}

// exactRankP counts, by dynamic programming over (number chosen, sum of doubled ranks), the assignments of n of the
// ranks, and returns the p-values of the observed sum w. deviation makes the two-sided one that of the distance from the mean.
func exactRankP(ranks []int, n, w int, deviation bool) (p, less, greater float64) {
	// Ascending ranks keep the sums of the first rounds small, and without half ranks the doubling is waste.
	ranks = slices.Sorted(slices.Values(ranks))
	if !slices.ContainsFunc(ranks, func(r int) bool { return r%2 == 1 }) {
		for i := range ranks {
			ranks[i] /= 2
		}
		w /= 2
	}
	total := sumOf(ranks)
	ways := rankSums(ranks, n)
	var all, low, high, far float64
	// The mean sum is n·total/N; scaled by N the distances are integers, so equality is exact.
	size := len(ranks)
	dist := func(s int) int { return max(s*size-n*total, n*total-s*size) }
	for s, c := range ways {
		all += c
		if s <= w {
			low += c
		}
		if s >= w {
			high += c
		}
		if dist(s) >= dist(w) {
			far += c
		}
	}
	less, greater = low/all, high/all
	if deviation {
		return far / all, less, greater
	}
	return min(1, 2*min(less, greater)), less, greater
}

// rankSums counts the choices of n of the ascending ranks by their sum.
func rankSums(ranks []int, n int) []float64 {
	total := sumOf(ranks)
	ways := make([][]float64, n+1)
	for i := range ways {
		ways[i] = make([]float64, total+1)
	}
	ways[0][0] = 1
	for done, r := range ranks {
		// No sum of k of the first ranks exceeds that of the k largest of them.
		largest := 0
		for k := 1; k <= min(n, done+1); k++ {
			largest += ranks[done+1-k]
		}
		for k := min(n, done+1); k >= 1; k-- {
			row, from := ways[k], ways[k-1]
			for s := largest; s >= r; s-- {
				row[s] += from[s-r]
			}
			largest -= ranks[done+1-k]
		}
	}
	return ways[n]
}

func normalOf(ranks []int, n int, tieSum float64, continuity bool) MannWhitneyResult {
	u := uOf(sumOf(ranks[:n]), n)
	x, y := float64(n), float64(len(ranks)-n)
	size := x + y
	nan := math.NaN()
	out := MannWhitneyResult{U: u, P: nan, PLess: nan, PGreater: nan, Ties: tieSum > 0, TieSum: tieSum, Z: nan}
	out.Sigma = math.Sqrt(x * y / 12 * (size + 1 - tieSum/(size*(size-1))))
	if !(out.Sigma > 0) {
		return out
	}
	half := 0.0
	if continuity {
		half = .5
	}
	d := u - x*y/2
	out.PLess = num.NormalCDF((d + half) / out.Sigma)
	out.PGreater = num.NormalSurvival((d - half) / out.Sigma)
	switch {
	case d > 0:
		d -= half
	case d < 0:
		d += half
	}
	out.Z = d / out.Sigma
	out.P = min(1, 2*num.NormalSurvival(math.Abs(out.Z)))
	return out
}

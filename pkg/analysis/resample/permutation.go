package resample

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

const (
	// enumerationLimit is the largest number of arrangements that are all visited: about 20 ms.
	enumerationLimit = 2_000_000
	// randomDraws is the number of arrangements drawn beyond it; the smallest p is then 1/20000.
	randomDraws = 19_999
	// equalWithin decides, as a share of the largest absolute value, which differences count as equal to the one seen:
	// sums in another order differ by rounding.
	equalWithin = 1e-12
)

// Permutation is the outcome of a permutation test.
type Permutation struct {
	Estimate  float64 // mean(x) − mean(y), or the mean of the differences
	Exact     bool    // every arrangement was visited
	Draws     int     // arrangements visited, the one seen included
	P         float64 // two-sided
	PLess     float64 // alternative: x tends to be smaller
	PGreater  float64 // alternative: x tends to be larger
	AtLeast   int     // arrangements with |difference| at least as large
	NotAbove  int     // with a difference no larger
	NotBelow  int     // with a difference no smaller
	Reachable float64 // the smallest two-sided P that the size of the sample allows
}

// PermutationMeanDiff tests H0: the labels of the two samples are exchangeable, by the difference of means (Fisher 1935;
// Pitman 1937).
//
// P is the share of all C(n+m, n) assignments whose |difference| is at least the one seen, which is among them; scipy's
// permutation_test(permutation_type="independent", n_resamples=inf). Above 2 million assignments 19,999 are drawn from rng and
// p = (1 + count)/(1 + draws), never 0 (Phipson & Smyth 2010). Differences within 1e-12 of the largest value count as
// equal. Exact for any distribution if the trials are exchangeable, which a drift destroys; not an exact test of
// equal means when spreads differ. The smallest P is 2/C(n+m, n) for n = m: 0.1 for 3 against 3, 0.029 for 4, 0.008 for 5. All values equal:
// P = 1. Errors: ErrTooFew for an empty sample, ErrNonFinite, ErrBadParam without rng when one is needed. Inputs are not modified.
func PermutationMeanDiff(x, y []float64, rng *rand.Rand) (Permutation, error) {
	for _, s := range [][]float64{x, y} {
		if len(s) == 0 {
			return Permutation{}, fmt.Errorf("need 1 value in each sample: %w", num.ErrTooFew)
		}
		if err := num.CheckFinite(s, 1); err != nil {
			return Permutation{}, err
		}
	}
	t := newTally(slices.Concat(x, y), len(x))
	if n := choose(len(x)+len(y), len(x)); n <= enumerationLimit {
		t.exact = true
		t.assignments(0, 0, 0)
		return t.result(), nil
	}
	if rng == nil {
		return Permutation{}, fmt.Errorf("permute %d and %d values: no random source: %w", len(x), len(y), num.ErrBadParam)
	}
	pool := slices.Clone(t.pool)
	t.count(t.seen)
	for range randomDraws {
		// Only the first n places need to be drawn.
		sum := 0.0
		for i := range t.n {
			j := i + rng.IntN(len(pool)-i)
			pool[i], pool[j] = pool[j], pool[i]
			sum += pool[i]
		}
		t.count(t.difference(sum))
	}
	return t.result(), nil
}

// tally counts arrangements against the one seen. The pool is centred, so that a large offset costs no digits.
type tally struct {
	pool  []float64
	n     int // members of the first sample
	total float64
	seen  float64
	slack float64
	exact bool
	Permutation
}

func newTally(pool []float64, n int) *tally {
	largest := 0.0
	for _, v := range pool {
		largest = max(largest, math.Abs(v))
	}
	centre, _ := num.MeanVar(pool)
	t := &tally{pool: make([]float64, len(pool)), n: n, slack: equalWithin * largest}
	sum := 0.0
	for i, v := range pool {
		t.pool[i] = v - centre
		t.total += t.pool[i]
		if i < n {
			sum += t.pool[i]
		}
	}
	t.seen = t.difference(sum)
	t.Estimate = t.seen
	return t
}

// difference is that of the means when the first sample has this sum.
func (t *tally) difference(sum float64) float64 {
	return sum/float64(t.n) - (t.total-sum)/float64(len(t.pool)-t.n)
}

func (t *tally) count(d float64) {
	t.Draws++
	if math.Abs(d) >= math.Abs(t.seen)-t.slack {
		t.AtLeast++
	}
	if d <= t.seen+t.slack {
		t.NotAbove++
	}
	if d >= t.seen-t.slack {
		t.NotBelow++
	}
}

// assignments visits every choice of the first sample from the pool, from index i on with chosen members of sum.
func (t *tally) assignments(i, chosen int, sum float64) {
	if chosen == t.n {
		t.count(t.difference(sum))
		return
	}
	for ; len(t.pool)-i >= t.n-chosen; i++ {
		t.assignments(i+1, chosen+1, sum+t.pool[i])
	}
}

func (t *tally) result() Permutation {
	r := t.Permutation
	r.Exact = t.exact
	all := float64(r.Draws)
	r.P, r.PLess, r.PGreater = float64(r.AtLeast)/all, float64(r.NotAbove)/all, float64(r.NotBelow)/all
	r.Reachable = 1 / all
	if t.exact && 2*t.n == len(t.pool) {
		r.Reachable = min(1, 2/all)
	}
	return r
}

// choose is the binomial coefficient as a float.
func choose(n, k int) float64 {
	out := 1.0
	for i := 1; i <= min(k, n-k); i++ {
		out = out * float64(n-min(k, n-k)+i) / float64(i)
	}
	return math.Round(out)
}

// SignFlip tests H0: the differences of pairs are symmetric around 0, by their mean: candidate and baseline can be swapped within any
// block (Fisher 1935).
//
// P is the share of all 2ⁿ choices of signs whose |mean| is at least the one seen; scipy's permutation_test(permutation_type="samples")
// on pairs. Above 20 pairs 19,999 choices are drawn from rng and p = (1 + count)/(1 + draws). The smallest P is 2/2ⁿ: 0.0625
// at n = 5, so five blocks cannot decide; 0.002 at 10. Zeros are kept and change nothing. All zero: P = 1. Errors: ErrEmpty, ErrNonFinite,
// ErrBadParam without rng when one is needed. d is not modified.
func SignFlip(d []float64, rng *rand.Rand) (Permutation, error) {
	if err := num.CheckFinite(d, 1); err != nil {
		return Permutation{}, err
	}
	n := float64(len(d))
	largest, sum := 0.0, 0.0
	for _, v := range d {
		largest = max(largest, math.Abs(v))
		sum += v
	}
	t := &tally{slack: equalWithin * largest, seen: sum / n}
	t.Estimate = t.seen
	const most = 20
	if len(d) <= most {
		t.exact = true
		for signs := range 1 << len(d) {
			s := 0.0
			for i, v := range d {
				if signs>>i&1 == 1 {
					v = -v
				}
				s += v
			}
			t.count(s / n)
		}
		return t.result(), nil
	}
	if rng == nil {
		return Permutation{}, fmt.Errorf("flip the signs of %d differences: no random source: %w", len(d), num.ErrBadParam)
	}
	t.count(t.seen)
	for range randomDraws {
		s := 0.0
		for i, bits := 0, uint64(0); i < len(d); i++ {
			if i%64 == 0 {
				bits = rng.Uint64()
			}
			if bits&1 == 1 {
				s -= d[i]
			} else {
				s += d[i]
			}
			bits >>= 1
		}
		t.count(s / n)
	}
	return t.result(), nil
}

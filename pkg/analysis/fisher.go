package analysis

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// FisherResult holds the p values of Fisher's exact test.
type FisherResult struct {
	P        float64 // two-sided
	PLess    float64 // alternative a·d < b·c: the first row of the first column is rarer than independence makes it
	PGreater float64 // alternative a·d > b·c
}

// FisherExact tests H0: rows and columns of the table
//
//	a  c
//	b  d
//
// are independent, exactly and for any counts (Fisher 1934). With all margins fixed a is hypergeometric under H0;
// PGreater = P(A >= a), PLess = P(A <= a), and P sums every table that is no more probable than the one observed. It
// must agree with R's fisher.test(matrix(c(a, b, c, d), 2))$p.value, its tolerance of 1e-7 for equal probabilities
// included, and with scipy's fisher_exact([[a, c], [b, d]]).
//
// Use it for trials (do the trials with a retransmit coincide with the slow ones?), not for requests: those of one
// trial depend on each other. With a margin of 0 nothing can be learnt and every p is 1. At 2 + 3 trials the least
// two-sided p is 0.1. Conservative: under H0 P <= 0.05 happens in less than 5 % of tables. Errors: ErrBadParam for a
// negative count, ErrEmpty for four zeros. The time grows with the distance of a from
// its expectation.
func FisherExact(a, b, c, d int) (FisherResult, error) {
	nan := math.NaN()
	out := FisherResult{nan, nan, nan}
	if min(a, b, c, d) < 0 {
		return out, fmt.Errorf("table %d %d %d %d has a negative count: %w", a, b, c, d, ErrBadParam)
	}
	if a == 0 && b == 0 && c == 0 && d == 0 {
		return out, ErrEmpty
	}
	t := newFisherTable(a, b, c, d)
	out.PLess, out.PGreater = min(1, t.tail(a, -1)), min(1, t.tail(a, 1))
	out.P = t.twoSided(a, out)
	return out, nil
}

// fisherTable is the distribution of the first cell given the margins.
type fisherTable struct {
	col1, col2, row1 int
	low, high, mode  int
}

func newFisherTable(a, b, c, d int) fisherTable {
	t := fisherTable{col1: a + b, col2: c + d, row1: a + c}
	t.low, t.high = max(0, t.row1-t.col2), min(t.row1, t.col1)
	mode := (float64(t.row1) + 1) * (float64(t.col1) + 1) / (float64(t.col1+t.col2) + 2)
	t.mode = min(max(int(mode), t.low), t.high)
	return t
}

// log is the log probability of the first cell being k, the ratio of three binomial ones (Loader 2000).
func (t fisherTable) log(k int) float64 {
	n := float64(t.col1 + t.col2)
	p, q := float64(t.row1)/n, (n-float64(t.row1))/n
	return num.BinomialLog(k, t.col1, p, q) + num.BinomialLog(t.row1-k, t.col2, p, q) - num.BinomialLog(t.row1, t.col1+t.col2, p, q)
}

// tail sums the probabilities from k on in direction step, each from the one before, until they no longer count.
func (t fisherTable) tail(k, step int) float64 {
	if k < t.low || k > t.high {
		return 0
	}
	sum, term := 1.0, 1.0
	lead := t.log(k)
	for ; k+step >= t.low && k+step <= t.high; k += step {
		if step > 0 {
			term *= t.ratio(k)
		} else {
			term /= t.ratio(k - 1)
		}
		if sum += term; sum > 1e200 { // a tail that starts far out and runs over the mode
			sum, term, lead = sum/1e200, term/1e200, lead+200*math.Ln10
		}
		if beyond := (k-t.mode)*step > 0; beyond && term < 1e-17*sum {
			break
		}
	}
	return math.Exp(lead + math.Log(sum))
}

// ratio is P(k+1)/P(k).
func (t fisherTable) ratio(k int) float64 {
	return float64(t.col1-k) / float64(k+1) * (float64(t.row1-k) / float64(t.col2-t.row1+k+1))
}

// twoSided adds to the tail that holds a the far tables that are no more probable.
func (t fisherTable) twoSided(a int, one FisherResult) float64 {
	const equal = 1e-7
	limit := t.log(a) + math.Log1p(equal)
	if t.log(t.mode) <= limit {
		return 1
	}
	if a < t.mode {
		k := search(t.mode, t.high+1, func(k int) bool { return t.log(k) <= limit })
		return min(1, one.PLess+t.tail(k, 1))
	}
	k := search(-t.mode, -t.low+1, func(k int) bool { return t.log(-k) <= limit })
	return min(1, one.PGreater+t.tail(-k, -1))
}

// search is the smallest k in [lo, hi) for which ok, which stays true once it is; hi if there is none.
func search(lo, hi int, ok func(int) bool) int {
	for lo < hi {
		if mid := lo + (hi-lo)/2; ok(mid) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

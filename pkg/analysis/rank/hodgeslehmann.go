package rank

import (
	"fmt"
	"math"
	"slices"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// maxDifferences bounds the differences that are held in memory: 80 MB.
const maxDifferences = 10_000_000

// ShiftEstimate is a robust shift with its interval.
type ShiftEstimate struct {
	Shift    float64
	CI       analysis.Interval // Level is the one asked for; a sample too small for it gets its extremes: see Achieved
	Achieved float64           // confidence that an exact interval really has; NaN for the normal approximation
	K        int               // the ends are the K-th smallest and K-th largest difference
	Exact    bool
}

// HodgesLehmann estimates the shift of x against y: the median of all n·m differences x[i] − y[j] (Hodges & Lehmann 1963). On logarithms
// exp of it is a robust ratio.
//
// The interval is [D(k), D(nm+1−k)] of the ordered differences. Below 50 values on each side and without ties k comes from the exact
// distribution of U, k = max(1, qwilcox(α/2)), as R's wilcox.test(x, y, conf.int=TRUE, exact=TRUE); otherwise
// k = max(1, ⌊nm/2 − z·√(nm(N+1)/12)⌋), HodgesLehmannNormal. With ties R solves for a root instead of the median. Small samples
// have a confidence below the level, which Achieved says: 3 against 3 reaches 90 %, 4 against 4 97 %. It assumes that the
// two distributions differ by a shift only. Errors: ErrTooFew for an empty sample, ErrNonFinite, ErrBadParam for a level outside (0, 1),
// ErrOutOfRange above 10⁷ differences. Inputs are not modified.
func HodgesLehmann(x, y []float64, level float64) (ShiftEstimate, error) {
	d, err := differences(x, y, level)
	if err != nil {
		return ShiftEstimate{}, err
	}
	if len(x) >= exactRankLimit || len(y) >= exactRankLimit || hasTies(x, y) {
		return normalShift(d, x, y, level), nil
	}
	k, achieved := exactK(len(x), len(y), level)
	out := shiftAt(d, k, level)
	out.Exact, out.Achieved = true, achieved
	return out, nil
}

// HodgesLehmannNormal is HodgesLehmann with k by the normal approximation at any size. Errors as HodgesLehmann.
func HodgesLehmannNormal(x, y []float64, level float64) (ShiftEstimate, error) {
	d, err := differences(x, y, level)
	if err != nil {
		return ShiftEstimate{}, err
	}
	return normalShift(d, x, y, level), nil
}

// HodgesLehmannExact is HodgesLehmann with k from the exact distribution of U whatever the ties. Errors as HodgesLehmann, and
// ErrOutOfRange for 50 values or more.
func HodgesLehmannExact(x, y []float64, level float64) (ShiftEstimate, error) {
	d, err := differences(x, y, level)
	if err != nil {
		return ShiftEstimate{}, err
	}
	if len(x) >= exactRankLimit || len(y) >= exactRankLimit {
		return ShiftEstimate{}, fmt.Errorf("exact interval of %d against %d values: %w", len(x), len(y), num.ErrOutOfRange)
	}
	k, achieved := exactK(len(x), len(y), level)
	out := shiftAt(d, k, level)
	out.Exact, out.Achieved = true, achieved
	return out, nil
}

// differences returns all x[i] − y[j], ascending.
func differences(x, y []float64, level float64) ([]float64, error) {
	if err := checkBoth(x, y, 1); err != nil {
		return nil, err
	}
	if err := num.CheckUnit("level", level); err != nil {
		return nil, err
	}
	if float64(len(x))*float64(len(y)) > maxDifferences {
		return nil, fmt.Errorf("%d times %d differences: %w", len(x), len(y), num.ErrOutOfRange)
	}
	d := make([]float64, 0, len(x)*len(y))
	for _, a := range x {
		for _, b := range y {
			d = append(d, a-b)
		}
	}
	slices.Sort(d)
	return d, nil
}

func hasTies(x, y []float64) bool {
	s := num.Sorted(slices.Concat(x, y))
	for i := 1; i < len(s); i++ {
		if s[i] == s[i-1] {
			return true
		}
	}
	return false
}

func shiftAt(d []float64, k int, level float64) ShiftEstimate {
	return ShiftEstimate{Shift: num.QuantileSorted(d, .5), K: k, Achieved: math.NaN(), CI: analysis.Interval{Level: level, Low: d[k-1], High: d[len(d)-k]}}
}

func normalShift(d, x, y []float64, level float64) ShiftEstimate {
	n, m := float64(len(x)), float64(len(y))
	z := -num.NormalQuantile((1 - level) / 2)
	k := max(1, int(math.Floor(n*m/2-z*math.Sqrt(n*m*(n+m+1)/12))))
	return shiftAt(d, k, level)
}

// exactK is max(1, the smallest u with P(U <= u) >= α/2), R's qwilcox(α/2, n, m), and the confidence 1 − 2·P(U <= k−1) it brings.
func exactK(n, m int, level float64) (k int, achieved float64) {
	counts := uCounts(n, m)
	all := 0.0
	for _, c := range counts {
		all += c
	}
	sum, u := 0.0, 0
	// R compares with a slack of a few ulps, so that a share equal to α/2 but for rounding counts as reaching it.
	for ; u < len(counts)-1; u++ {
		if (sum+counts[u])/all >= (1-level)/2*(1-1e-14) {
			break
		}
		sum += counts[u]
	}
	k = max(1, u)
	below := 0.0
	for _, c := range counts[:k] {
		below += c
	}
	return k, 1 - 2*below/all
}

// uCounts is the number of arrangements of n and m distinct values with U = 0, 1, … nm.
func uCounts(n, m int) []float64 {
	// The recursion on the largest value, f(n, m, u) = f(n−1, m, u−m) + f(n, m−1, u), in place: after round j row i is f(i, j).
	table := make([][]float64, n+1)
	for i := range table {
		table[i] = make([]float64, n*m+1)
		table[i][0] = 1
	}
	for j := 1; j <= m; j++ {
		for i := 1; i <= n; i++ {
			for u := n * m; u >= 0; u-- {
				if u >= j {
					table[i][u] += table[i-1][u-j]
				}
			}
		}
	}
	return table[n]
}

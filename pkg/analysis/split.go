package analysis

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// Split is the best division of a sample into a low and a high part.
type Split struct {
	R2        float64 // share of the sum of squares explained by the division
	P         float64 // under one normal population, the search for the best division included
	K         int     // size of the low part after sorting
	Threshold float64 // midpoint between the parts; values up to it are low
	LowMean   float64
	HighMean  float64
	N         int
}

// BestSplit tests H0: one normal population, against two groups, by the best two-means division of the sorted sample.
//
// For every k with both sides >= minSide, B_k = (Σ_{i≤k}(x_i−x̄))²·(1/k+1/(n−k)); R² = max B_k/Σ(x−x̄)² (Engelman &
// Hartigan 1969). P is the share of normal samples of the same n with an R² as large, interpolated in an embedded
// simulated table (see gen; 4·10⁶ samples a size up to n = 10, 10⁶ to 30, 2·10⁵ above), so it counts the search. It never
// falls below the table's last quantile (10 of those samples). Above n = 1000 the row of 1000 is used, which is
// conservative. Invariant to order, shift and scale. Skewed noise raises the false-alarm rate (exponential: up to 10 %
// at p ≤ .01 and n = 20). Errors: ErrEmpty, ErrNonFinite, ErrTooFew for n < 4, ErrZeroVariance, ErrBadParam for
// minSide other than 1 or 2. x is not modified. O(n log n).
func BestSplit(x []float64, minSide int) (Split, error) {
	if err := num.CheckFinite(x, 4); err != nil {
		return Split{}, err
	}
	if minSide != 1 && minSide != 2 {
		return Split{}, fmt.Errorf("minimum side %d, want 1 or 2: %w", minSide, ErrBadParam)
	}
	s := num.Sorted(x)
	if s[0] == s[len(s)-1] {
		return Split{}, ErrZeroVariance
	}
	r2, k := SplitR2(s, minSide)
	lo, _ := num.MeanVar(s[:k])
	hi, _ := num.MeanVar(s[k:])
	table, mid := splitTables()[minSide-1], s[k-1]/2+s[k]/2
	if mid >= s[k] { // the midpoint of two neighbouring numbers is rounded to one of them
		mid = s[k-1]
	}
	return Split{R2: r2, P: table.p(len(s), -math.Log(max(1-r2, 1e-300))), K: k, Threshold: mid,
		LowMean: lo, HighMean: hi, N: len(s)}, nil
}

// SplitR2 returns the R² of the best division of an ascending sample that is not constant, and the size of its low
// part: the statistic of BestSplit without its p value, exported for the generator of the null table.
func SplitR2(s []float64, minSide int) (r2 float64, k int) {
	n, span := len(s), s[len(s)-1]-s[0]
	k = minSide
	// Distances from the lowest value in units of the range: their squares neither overflow nor vanish.
	sum := 0.0
	for _, v := range s {
		sum += (v - s[0]) / span
	}
	mean, ss := sum/float64(n), 0.0
	for _, v := range s {
		d := (v-s[0])/span - mean
		ss += d * d
	}
	cum := 0.0
	for i := range n - minSide {
		cum += (s[i]-s[0])/span - mean
		if low := i + 1; low >= minSide {
			if b := cum * cum * (1/float64(low) + 1/float64(n-low)) / ss; b > r2 {
				r2, k = b, low
			}
		}
	}
	return min(r2, 1), k
}

package sequential

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// Boundary is the shape of a group-sequential boundary.
type Boundary string

// The boundaries: the same at every look (Pocock 1977), or strict at first and nearly the ordinary one at the last
// (O'Brien & Fleming 1979).
const (
	Pocock        Boundary = "pocock"
	OBrienFleming Boundary = "obrien-fleming"
)

// Look is one planned look at the data.
type Look struct {
	N     int     // values so far
	Z     float64 // boundary of |Z| were the sd known
	P     float64 // two-sided nominal level: 2·(1 − Φ(Z)); the t test of this look rejects when p <= P
	T     float64 // boundary of |t| with N−1 degrees of freedom: the t quantile of P
	Spent float64 // probability that a true null is rejected at this look or before, for normal data of known sd
}

// Interval returns mean ± T·sd/√N: the intervals of all looks cover the true mean at once with probability 1 − alpha
// (Jennison & Turnbull 1989). sd is that of the N values.
func (l Look) Interval(mean, sd float64) analysis.Interval {
	h := l.T * sd / math.Sqrt(float64(l.N))
	return analysis.Interval{Level: 1 - l.P, Low: mean - h, High: mean + h}
}

// maxLooks bounds the number of looks; with more of them AnytimeT costs less.
const maxLooks = 100

// GroupSequential returns the boundaries of a test of H0: mean 0, two-sided at level alpha over all looks together, when
// looks are declared in advance: looks holds the number of values at each, ascending.
//
// The boundary of |Z| is C (Pocock) or C·√(n_last/n) (O'Brien–Fleming), where C makes the probability of ever crossing it
// alpha; that probability is computed by recursive integration of the joint normal density of the sums (Armitage,
// McPherson & Rowe 1969), to about 1e-9. For five equally spaced looks and alpha 0.05, C = 2.413 and 2.040: R's
// gsDesign(k=5, test.type=2, alpha=0.025, sfu="Pocock" or "OF"). As the sd is estimated, each boundary is carried over to
// t by its nominal level; simulated type I for looks at 10, 20 … 50 stays at 0.05. First looks below about 5 values
// are not recommended.
//
// The looks must not depend on the data. Stopping at a look gives the interval of that look (Look.Interval), not the
// ordinary one.
//
// Errors: ErrEmpty without looks; ErrTooFew for a first look below 2 values; ErrBadParam for looks that do not ascend, an
// unknown boundary or alpha outside (0, 1); ErrOutOfRange for more than 100 looks. O(looks²) to O(looks³).
func GroupSequential(looks []int, alpha float64, boundary Boundary) ([]Look, error) {
	if err := checkLooks(looks); err != nil {
		return nil, err
	}
	if err := num.CheckUnit("alpha", alpha); err != nil {
		return nil, err
	}
	times := make([]float64, len(looks)) // information, as shares of the last
	shape := make([]float64, len(looks))
	for i, n := range looks {
		times[i] = float64(n) / float64(looks[len(looks)-1])
		switch boundary {
		case Pocock:
			shape[i] = 1
		case OBrienFleming:
			shape[i] = 1 / math.Sqrt(times[i])
		default:
			return nil, fmt.Errorf("boundary %q: %w", boundary, num.ErrBadParam)
		}
	}
	z := func(c float64) []float64 {
		out := make([]float64, len(shape))
		for i, s := range shape {
			out[i] = c * s
		}
		return out
	}
	c := boundaryConstant(times, alpha, z)
	bounds := z(c)
	spent := crossings(times, bounds)
	out := make([]Look, len(looks))
	total := 0.0
	for i, n := range looks {
		total += spent[i]
		p := 2 * num.NormalSurvival(bounds[i])
		out[i] = Look{N: n, Z: bounds[i], P: p, T: num.TQuantileUpper(p/2, float64(n-1)), Spent: total}
	}
	return out, nil
}

func checkLooks(looks []int) error {
	if len(looks) == 0 {
		return fmt.Errorf("no looks: %w", num.ErrEmpty)
	}
	if len(looks) > maxLooks {
		return fmt.Errorf("%d looks, at most %d: %w", len(looks), maxLooks, num.ErrOutOfRange)
	}
	if looks[0] < 2 {
		return fmt.Errorf("first look at %d values, need 2: %w", looks[0], num.ErrTooFew)
	}
	for i := 1; i < len(looks); i++ {
		if looks[i] <= looks[i-1] {
			return fmt.Errorf("look %d at %d values does not follow %d: %w", i+1, looks[i], looks[i-1], num.ErrBadParam)
		}
	}
	return nil
}

// boundaryConstant finds C by regula falsi (Illinois) on the logarithm of the crossing probability, which is smooth in C.
func boundaryConstant(times []float64, alpha float64, z func(float64) []float64) float64 {
	excess := func(c float64) float64 {
		sum := 0.0
		for _, p := range crossings(times, z(c)) {
			sum += p
		}
		return math.Log(sum) - math.Log(alpha)
	}
	// A single look is the least C; as many independent ones (Bonferroni) the most.
	low, high := num.NormalQuantileUpper(alpha/2), num.NormalQuantileUpper(alpha/2/float64(len(times)))
	fLow, fHigh := excess(low), excess(high)
	side := 0
	for range 60 {
		if high-low <= 1e-11*high || fLow <= 0 {
			break
		}
		c := (low*fHigh - high*fLow) / (fHigh - fLow)
		f := excess(c)
		if math.Abs(f) < 1e-11 {
			return c
		}
		if f > 0 {
			low, fLow = c, f
			if side == 1 {
				fHigh /= 2
			}
			side = 1
		} else {
			high, fHigh = c, f
			if side == -1 {
				fLow /= 2
			}
			side = -1
		}
	}
	if fLow <= 0 {
		return low
	}
	return (low + high) / 2
}

package multiple

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// Pair is one of all pairwise comparisons of k groups; I < J count from 0.
type Pair struct {
	I, J int
	Diff float64 // mean of group J − mean of group I, in the unit of the data
	SE   float64 // the standard error that goes with the studentised range: that of Diff, divided by √2
	Q    float64 // |Diff| / SE
	T    float64 // |Diff| over its own standard error: Q/√2
	DF   float64
	P    float64 // adjusted for all pairs: P(range > Q); not to be adjusted again
	// Interval is simultaneous: with the chance Level all of them hold their true differences at once.
	Interval analysis.Interval
}

// GamesHowell compares all pairs of groups whose variances may differ (Games & Howell 1976): H0 of each pair: equal
// means; the chance of any false rejection is held near alpha.
//
// For i < j: diff = x̄ⱼ − x̄ᵢ, se = √((vᵢ/nᵢ + vⱼ/nⱼ)/2), Satterthwaite's df for the pair, p = P(Q > |diff|/se) for the
// studentised range of k means, interval diff ± q(1−level; k, df)·se. It must agree with R's
// rstatix::games_howell_test(d, y ~ group, conf.level=level), which inherits the small errors of R's ptukey and qtukey.
//
// Needs 2 values a group; with very few values of unequal number the family-wise level is held only roughly. One
// constant group is fine; two constant ones cannot be compared. For independent groups only: blocked trials need paired tests
// and Holm. Pairs come in the order (0,1), (0,2), … (1,2), ….
//
// Errors: ErrEmpty; ErrNonFinite; ErrTooFew; ErrBadParam for one group or a level outside (0, 1); ErrZeroVariance.
// Inputs are not modified. O(N), and about 5 ms a pair for the interval.
func GamesHowell(groups [][]float64, level float64) ([]Pair, error) {
	gs, err := summarisePairs(groups, 2, level)
	if err != nil {
		return nil, err
	}
	r := newNormalRange(len(gs))
	return allPairs(gs, func(i, j int) (Pair, error) {
		a, b := gs[i].variance()/gs[i].n, gs[j].variance()/gs[j].n
		if a == 0 && b == 0 {
			return Pair{}, fmt.Errorf("groups %d and %d do not vary: %w", i+1, j+1, num.ErrZeroVariance)
		}
		sa, sb := a/(a+b), b/(a+b)
		df := 1 / (sa*sa/(gs[i].n-1) + sb*sb/(gs[j].n-1))
		return r.pair(gs[j].mean-gs[i].mean, math.Sqrt((a+b)/2), df, r.quantile(1-level, df), level), nil
	})
}

// TukeyHSD compares all pairs of groups of one common variance (Tukey 1949; Kramer 1956 for unequal sizes): H0 of each
// pair: equal means; the chance of any false rejection is alpha, exactly for equal sizes and less otherwise.
//
// For i < j: diff = x̄ⱼ − x̄ᵢ, se = √(MSW/2·(1/nᵢ + 1/nⱼ)) with MSW and N − k df of OneWayANOVA, p = P(Q > |diff|/se),
// interval diff ± q(1−level; k, N−k)·se. It must agree with R's TukeyHSD(aov(y ~ group), conf.level=level) and scipy's
// tukey_hsd.
//
// It borrows the variance of all groups: stronger than GamesHowell at few trials, but a target noisier than the others
// gets far more false alarms than alpha while they get none, so it is for those who know their variances are equal. For
// independent groups. Groups may hold one value; N must exceed k. Pairs are ordered as in GamesHowell.
//
// Errors: ErrEmpty; ErrNonFinite; ErrTooFew when N = k; ErrBadParam for one group or a level outside (0, 1);
// ErrZeroVariance when no group varies. Inputs are not modified. O(N), and some milliseconds in all.
func TukeyHSD(groups [][]float64, level float64) ([]Pair, error) {
	gs, err := summarisePairs(groups, 1, level)
	if err != nil {
		return nil, err
	}
	fit, err := oneWay(gs)
	if err != nil {
		return nil, err
	}
	r, df := newNormalRange(len(gs)), float64(fit.DFWithin)
	crit := r.quantile(1-level, df)
	return allPairs(gs, func(i, j int) (Pair, error) {
		se := math.Sqrt(fit.MSWithin / 2 * (1/gs[i].n + 1/gs[j].n))
		return r.pair(gs[j].mean-gs[i].mean, se, df, crit, level), nil
	})
}

func summarisePairs(groups [][]float64, minN int, level float64) ([]group, error) {
	if err := num.CheckUnit("level", level); err != nil {
		return nil, err
	}
	return summarise(groups, minN)
}

func allPairs(gs []group, compare func(i, j int) (Pair, error)) ([]Pair, error) {
	var out []Pair
	for i := range gs {
		for j := i + 1; j < len(gs); j++ {
			p, err := compare(i, j)
			if err != nil {
				return nil, err
			}
			p.I, p.J = i, j
			out = append(out, p)
		}
	}
	return out, nil
}

// pair tests diff and puts ± crit·se around it.
func (r *normalRange) pair(diff, se, df, crit, level float64) Pair {
	q := math.Abs(diff) / se
	return Pair{Diff: diff, SE: se, Q: q, T: q / math.Sqrt2, DF: df, P: r.survival(q, df),
		Interval: analysis.Interval{Level: level, Low: diff - crit*se, High: diff + crit*se}}
}

package multiple

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// OneWay is a one-way analysis of variance. Sums of squares are in the square of the data's unit.
type OneWay struct {
	DFBetween, DFWithin int
	SSBetween, SSWithin float64
	MSBetween, MSWithin float64 // sums of squares over their degrees of freedom
	F, P                float64 // MSBetween/MSWithin and its upper tail
	RSquared            float64 // SSBetween / (SSBetween + SSWithin)
	ResidualSD          float64 // √MSWithin
}

// OneWayANOVA tests H0: all groups have the same mean, against H1: some differ, for groups of one common variance.
//
// F = [Σ nᵢ(x̄ᵢ − x̄)²/(k−1)] / [ΣΣ(xᵢⱼ − x̄ᵢ)²/(N−k)], p = P(F(k−1, N−k) > F) (Fisher 1925). It must agree with R's
// anova(lm(y ~ group)) and oneway.test(y ~ group, var.equal=TRUE), scipy's f_oneway, and the NIST StRD problems, also
// those with an offset of 1e12, where R loses digits. Sums are compensated and taken from a common origin.
//
// Groups may differ in size and hold one value; N must exceed k. With unequal variances and sizes the level is off:
// prefer WelchANOVA. Assumes independent normal values: blocked trials need BlockAdjusted. p says that some groups
// differ, not which: that is GamesHowell's or Holm's work.
//
// Errors: ErrEmpty; ErrNonFinite; ErrBadParam for one group; ErrTooFew when N = k; ErrZeroVariance when no group varies
// (the result then still holds the sums of squares, F and P being NaN). Inputs are not modified. O(N).
func OneWayANOVA(groups [][]float64) (OneWay, error) {
	gs, err := summarise(groups, 1)
	if err != nil {
		return OneWay{}, err
	}
	return oneWay(gs)
}

func oneWay(gs []group) (OneWay, error) {
	n, mean := pooledMean(gs)
	var between, within compensated
	for _, g := range gs {
		between.add(g.n * (g.mean - mean) * (g.mean - mean))
		within.add(g.ss)
	}
	k := len(gs)
	a := OneWay{DFBetween: k - 1, DFWithin: int(n) - k, SSBetween: between.value(), SSWithin: within.value(),
		F: math.NaN(), P: math.NaN()}
	if a.DFWithin == 0 {
		return OneWay{}, fmt.Errorf("one value in every group: %w", num.ErrTooFew)
	}
	a.MSBetween = a.SSBetween / float64(a.DFBetween)
	a.MSWithin = a.SSWithin / float64(a.DFWithin)
	a.RSquared = a.SSBetween / (a.SSBetween + a.SSWithin)
	a.ResidualSD = math.Sqrt(a.MSWithin)
	if a.SSWithin == 0 {
		return a, fmt.Errorf("no group varies: %w", num.ErrZeroVariance)
	}
	a.F = a.MSBetween / a.MSWithin
	a.P = num.FSurvival(a.F, float64(a.DFBetween), float64(a.DFWithin))
	return a, nil
}

// WelchOneWay is Welch's analysis of variance: F with DF1 = k − 1 and a DF2 that need not be whole.
type WelchOneWay struct{ F, DF1, DF2, P float64 }

// WelchANOVA tests H0: all groups have the same mean, against H1: some differ; variances may differ (Welch 1951).
//
// With weights wᵢ = nᵢ/sᵢ², W = Σwᵢ, m = Σwᵢx̄ᵢ/W and A = Σ(1 − wᵢ/W)²/(nᵢ−1):
// F = [Σwᵢ(x̄ᵢ − m)²/(k−1)] / [1 + 2(k−2)A/(k²−1)], df1 = k−1, df2 = (k²−1)/(3A). It must agree with R's
// oneway.test(y ~ group); for two groups F = t² of WelchT.
//
// Needs 2 values in every group and a positive variance in each, since a constant group would get all the weight (R
// returns NaN there): use GamesHowell then. At 2 or 3 values a group the level is only roughly held. Assumes independent
// normal values within a group.
//
// Errors: ErrEmpty; ErrNonFinite; ErrTooFew; ErrBadParam for one group; ErrZeroVariance. Inputs are not modified. O(N).
func WelchANOVA(groups [][]float64) (WelchOneWay, error) {
	gs, err := summarise(groups, 2)
	if err != nil {
		return WelchOneWay{}, err
	}
	w := make([]float64, len(gs))
	total, centre := 0.0, 0.0
	for i, g := range gs {
		if g.ss == 0 {
			return WelchOneWay{}, fmt.Errorf("group %d does not vary: %w", i+1, num.ErrZeroVariance)
		}
		w[i] = g.n / g.variance()
		total += w[i]
	}
	for i, g := range gs {
		centre += w[i] / total * g.mean
	}
	k := float64(len(gs))
	a, ss := 0.0, 0.0
	for i, g := range gs {
		rest := 1 - w[i]/total
		a += rest * rest / (g.n - 1)
		ss += w[i] * (g.mean - centre) * (g.mean - centre)
	}
	r := WelchOneWay{F: ss / (k - 1) / (1 + 2*(k-2)*a/(k*k-1)), DF1: k - 1, DF2: (k*k - 1) / (3 * a)}
	r.P = num.FSurvival(r.F, r.DF1, r.DF2)
	return r, nil
}

package nested

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// TwoLevelResult describes trials within restarts. Means are in the unit of the data, variances in its square.
type TwoLevelResult struct {
	Restarts, Trials      int
	Balanced              bool // all restarts have equally many trials
	DFBetween, DFWithin   int
	MSBetween, MSWithin   float64 // MSWithin is NaN when every restart has a single trial
	N0                    float64 // effective trials per restart: their number when balanced
	VarWithin             float64 // between trials of one restart: MSWithin
	VarBetweenRaw         float64 // between restarts: (MSBetween − MSWithin)/N0, which chance may make negative
	VarBetween            float64 // max(0, VarBetweenRaw)
	ICC                   float64 // VarBetween/(VarBetween + VarWithin); NaN when nothing varies
	F, P                  float64 // H0: no variance between restarts; NaN when no restart varies within
	GrandMean, PooledMean float64 // mean of the restart means, and of all trials
	SE                    float64 // of GrandMean: sd of restart means/√restarts
	DF                    int     // restarts − 1
	NaiveSE               float64 // that of PooledMean if all trials were independent: wrong, for comparison
	DesignEffect          float64 // (SE/NaiveSE)²; NaN when nothing varies
}

// Interval returns GrandMean ± t(DF)·SE at level: R's t.test(restart_means, conf.level=level)$conf.int. A level outside
// (0, 1) gives NaN ends.
func (r TwoLevelResult) Interval(level float64) analysis.Interval {
	t := analysis.TTest{N1: r.Restarts, Estimate: r.GrandMean, SE: r.SE, DF: float64(r.DF)}
	return t.Interval(level)
}

// TwoLevel estimates the mean over restarts with its standard error, and the variances between restarts and between the
// trials of one restart; groups holds the trials of each restart. It tests H0: restarts do not differ.
//
// Model: y = μ + restart + trial, both random and independent. MSBetween and MSWithin are those of the one-way analysis of
// variance; by moments VarBetweenRaw = (MSBetween − MSWithin)/n₀, n₀ = (N − Σnᵢ²/N)/(a−1) for a restarts of nᵢ trials
// (Searle, Casella & McCulloch 1992, ch. 3). The mean is the unweighted one of the restart means, with a − 1 degrees of
// freedom: restarts are the replicates. It must agree with R's anova(lm(y ~ restart)) and t.test(tapply(y, restart,
// mean)), and for balanced data with lme4's lmer(y ~ 1 + (1|restart)) when VarBetweenRaw > 0.
//
// Needs 2 restarts. Single trials are fine for mean and interval; with nothing but single trials the variances, ICC, F and P
// are NaN. The interval is exact for balanced normal data. Pooling all trials instead finds a difference between equal
// servers in up to 85 % of comparisons at a nominal 5 %; DesignEffect says by how much it understates the variance.
// VarBetween from a few restarts is very uncertain: from 3 × 5 trials a true sd of 2 % comes out between 0.2 % and
// 3.5 %. Zero variance gives width 0 and no error.
//
// Errors: ErrEmpty for no restart or one without trials; ErrNonFinite; ErrTooFew for one restart. Inputs are not modified.
// O(N).
func TwoLevel(groups [][]float64) (TwoLevelResult, error) {
	if len(groups) == 0 {
		return TwoLevelResult{}, fmt.Errorf("no restarts: %w", num.ErrEmpty)
	}
	for i, g := range groups {
		if err := num.CheckFinite(g, 1); err != nil {
			return TwoLevelResult{}, fmt.Errorf("restart %d: %w", i+1, err)
		}
	}
	a := len(groups)
	if a < 2 {
		return TwoLevelResult{}, fmt.Errorf("one restart, need two: %w", num.ErrTooFew)
	}
	// From a common origin, so that a large offset does not eat the digits of the differences.
	origin := groups[0][0]
	r := TwoLevelResult{Restarts: a, Balanced: true, DFBetween: a - 1, DF: a - 1}
	means, all := make([]float64, a), []float64{}
	within, squares := 0.0, 0.0
	for i, g := range groups {
		x := shifted(g, origin)
		m, v := num.MeanVar(x)
		if len(x) > 1 {
			within += v * float64(len(x)-1)
		}
		means[i] = m
		all = append(all, x...)
		squares += float64(len(x)) * float64(len(x))
		r.Balanced = r.Balanced && len(g) == len(groups[0])
	}
	n := float64(len(all))
	pooled, total := num.MeanVar(all)
	grand, between := num.MeanVar(means)
	ssBetween := 0.0
	for i, m := range means {
		ssBetween += float64(len(groups[i])) * (m - pooled) * (m - pooled)
	}
	r.Trials, r.DFWithin = len(all), len(all)-a
	r.GrandMean, r.PooledMean = origin+grand, origin+pooled
	r.SE, r.NaiveSE = math.Sqrt(between/float64(a)), math.Sqrt(total/n)
	r.DesignEffect = (r.SE / r.NaiveSE) * (r.SE / r.NaiveSE)
	r.N0 = (n - squares/n) / float64(a-1)
	r.MSBetween = ssBetween / float64(a-1)
	r.components(within)
	return r, nil
}

// components splits the variance, given the sum of squares within restarts.
func (r *TwoLevelResult) components(within float64) {
	nan := math.NaN()
	r.MSWithin, r.VarWithin, r.VarBetweenRaw, r.VarBetween, r.ICC, r.F, r.P = nan, nan, nan, nan, nan, nan, nan
	if r.DFWithin == 0 {
		return
	}
	r.MSWithin = within / float64(r.DFWithin)
	r.VarWithin = r.MSWithin
	r.VarBetweenRaw = (r.MSBetween - r.MSWithin) / r.N0
	r.VarBetween = max(0, r.VarBetweenRaw)
	r.ICC = r.VarBetween / (r.VarBetween + r.VarWithin)
	if r.MSWithin > 0 {
		r.F = r.MSBetween / r.MSWithin
		r.P = num.FSurvival(r.F, float64(r.DFBetween), float64(r.DFWithin))
	}
}

func shifted(x []float64, origin float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v - origin
	}
	return out
}

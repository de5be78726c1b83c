package resample

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/reftest"
)

// TestPermutationReference: full enumerations; scipy.stats.permutation_test((x, y), mean difference, n_resamples=np.inf).
func TestPermutationReference(t *testing.T) {
	for _, c := range reftest.Load(t, "rank", "permutation_mean_diff") {
		p, err := PermutationMeanDiff(c.Nums("x"), c.Nums("y"), nil)
		if c.Failed(t, err) {
			continue
		}
		c.Check(t, map[string]any{"mean_diff": p.Estimate, "n_permutations": p.Draws, "count_two_sided": p.AtLeast, "count_less": p.NotAbove,
			"count_greater": p.NotBelow, "p_two_sided": p.P, "p_less": p.PLess, "p_greater": p.PGreater})
	}
}

// TestBootstrapReference: all nⁿ resamples up to n = 6, and random ones inside the bands of 400 simulated bootstraps; R boot.ci.
func TestBootstrapReference(t *testing.T) {
	for _, c := range reftest.Load(t, "bootstrap") {
		f, o := BootstrapPercentile, Options{}
		if c.Method == "bootstrap_bca" {
			f, o.StrictTies = BootstrapBCa, c.Text("z0_ties") == "strict"
		}
		statistic := Mean
		if c.Text("statistic") == "median" {
			statistic = Median
		}
		rng := rand.New(rand.NewPCG(1, 2))
		b, err := f(c.Nums("x"), statistic, c.Param("conf"), o, rng)
		if c.Failed(t, err) {
			continue
		}
		got := map[string]any{"estimate": b.Estimate, "z0": b.Z0, "acceleration": b.Acceleration, "alpha_low": b.AlphaLow, "alpha_high": b.AlphaHigh,
			"exact_ci_low": b.CI.Low, "exact_ci_high": b.CI.High, "ci_low": b.CI.Low, "ci_high": b.CI.High, "degenerate": b.Degenerate,
			"n_resamples": math.Pow(float64(len(c.Nums("x"))), float64(len(c.Nums("x"))))}
		c.Check(t, got, "band_low", "band_high", "reference_replicates", "n_atoms")
		if b.Degenerate {
			continue
		}
		o.Random = true
		r, err := f(c.Nums("x"), statistic, c.Param("conf"), o, rng)
		if err != nil || r.Exact || r.Replicates < int(c.Param("min_replicates")) {
			t.Errorf("%s: %+v %v", c.ID, r, err)
		}
		inBand(t, c, "band_low", r.CI.Low)
		inBand(t, c, "band_high", r.CI.High)
	}
}

func inBand(t *testing.T, c reftest.Case, name string, v float64) {
	t.Helper()
	band := reftest.Floats(c.Expect[name])
	if slack := 1e-9 * math.Abs(v); len(band) == 2 && (v < band[0]-slack || v > band[1]+slack) {
		t.Errorf("%s: %v is outside %s %v", c.ID, v, name, band)
	}
}

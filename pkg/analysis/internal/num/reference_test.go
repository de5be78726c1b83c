package num_test

import (
	"math"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/reftest"
)

// TestDistributions compares with 50-digit values; R's calls are pnorm, qnorm, pt, qt, pchisq, qchisq, pf, qf.
func TestDistributions(t *testing.T) {
	for _, c := range reftest.Load(t, "dist") {
		upper := c.Text("tail") == "upper"
		pick := func(lower, up float64) float64 {
			if upper {
				return up
			}
			return lower
		}
		x, p, df, d1, d2 := reftest.Float(c.Input["x"]), reftest.Float(c.Input["p"]), c.Param("df"), c.Param("df1"), c.Param("df2")
		var got float64
		switch c.Method {
		case "normal_cdf":
			got = pick(num.NormalCDF(x), num.NormalSurvival(x))
		case "normal_quantile":
			got = pick(num.NormalQuantile(p), num.NormalQuantileUpper(p))
		case "t_cdf":
			got = pick(num.TCDF(x, df), num.TSurvival(x, df))
		case "t_quantile":
			got = pick(num.TQuantile(p, df), num.TQuantileUpper(p, df))
		case "chi2_cdf":
			got = pick(num.ChiSquaredCDF(x, df), num.ChiSquaredSurvival(x, df))
		case "chi2_quantile":
			got = pick(num.ChiSquaredQuantile(p, df), num.ChiSquaredQuantileUpper(p, df))
		case "f_cdf":
			got = pick(num.FCDF(x, d1, d2), num.FSurvival(x, d1, d2))
		case "f_quantile":
			got = pick(num.FQuantile(p, d1, d2), num.FQuantileUpper(p, d1, d2))
		default: // the noncentral t belongs to package power
			continue
		}
		if _, refused := c.Expect["error"]; refused {
			if !math.IsNaN(got) {
				t.Errorf("%s: %v, want NaN", c.ID, got)
			}
			continue
		}
		c.Check(t, map[string]any{"value": got})
	}
}

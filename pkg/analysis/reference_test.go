package analysis_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/reftest"
)

// The cases name their own reference call; those used most are, for vectors x and y:
//
//	summary   mean(x); sd(x); median(x); mad(x); quantile(x, type=7); t.test(x)$conf.int; e1071::skewness(x, type=2)
//	welch     t.test(x, y); effectsize::hedges_g(x, y)
//	paired    t.test(x, y, paired=TRUE); t.test(log(x), log(y), paired=TRUE)
//	tost      t.test(log(x), log(y), mu=bound, alternative="greater") and "less"
//	dip       diptest::dip(x)

func TestReferenceSummary(t *testing.T) {
	for _, c := range reftest.Load(t, "summary") {
		x := c.Nums("x")
		s, err := analysis.Summarize(x)
		if c.Failed(t, err) {
			continue
		}
		shape, err := analysis.MeasureShape(x)
		if err != nil {
			t.Error(c.ID, err)
		}
		got := map[string]any{"n": s.N, "min": s.Min, "max": s.Max, "mean": s.Mean, "variance": s.Variance, "sd": s.SD,
			"sem": s.SEM, "cv": s.CV, "median": s.Median, "mad_raw": s.MADRaw, "mad": s.MAD,
			"geometric_mean": s.GeometricMean, "geometric_sd": s.GeometricSD, "ci95_rel_half_width": s.RelativeHalfWidth(.95),
			"g1": shape.G1, "g2": shape.G2, "skewness": shape.Skewness, "excess_kurtosis": shape.ExcessKurtosis,
			"bimodality_coefficient": shape.Bimodality}
		for _, level := range reftest.Floats(c.Params["conf"]) {
			name := fmt.Sprintf("ci%.0f_", 100*level)
			if ci, err := analysis.TInterval(x, level); err == nil {
				got[name+"low"], got[name+"high"] = ci.Low, ci.High
			}
			if ci, err := analysis.GeometricTInterval(x, level); err == nil {
				got["gm_"+name+"low"], got["gm_"+name+"high"] = ci.Low, ci.High
			}
		}
		var q []float64
		for _, p := range reftest.Floats(c.Params["quantiles"]) {
			v, err := analysis.Quantile(x, p)
			if err != nil {
				t.Error(c.ID, err)
			}
			q = append(q, v)
		}
		got["quantiles"] = q
		c.Check(t, got)
	}
}

// TestReferenceNIST compares with certified values of the NIST Statistical Reference Datasets.
func TestReferenceNIST(t *testing.T) {
	for _, c := range reftest.Load(t, "nist_univariate") {
		s, err := analysis.Summarize(c.Nums("x"))
		if c.Failed(t, err) {
			continue
		}
		c.Check(t, map[string]any{"n": s.N, "mean": s.Mean, "sd": s.SD}, "lag1") // lag1 is package trend's
	}
}

func testFields(r analysis.TTest, level float64) map[string]any {
	ci := r.Interval(level)
	return map[string]any{"diff": r.Estimate, "mean_diff": r.Estimate, "se": r.SE, "t": r.T, "df": r.DF,
		"p_two_sided": r.P, "p_less": r.PLess, "p_greater": r.PGreater, "ci_low": ci.Low, "ci_high": ci.High}
}

func ratioFields(r analysis.TTest, level float64) map[string]any {
	out, ci := testFields(r, level), r.RatioInterval(level)
	out["ratio"], out["log_ratio"], out["se_log"] = r.Ratio(), r.Estimate, r.SE
	out["ci_low"], out["ci_high"] = ci.Low, ci.High
	return out
}

func TestReferenceWelch(t *testing.T) {
	for _, c := range reftest.Load(t, "welch") {
		x, y, conf := c.Nums("x"), c.Nums("y"), c.Param("conf")
		switch c.Method {
		case "welch":
			r, err := analysis.WelchT(x, y)
			if c.Failed(t, err) {
				continue
			}
			got := testFields(r, conf)
			sx, _ := analysis.Summarize(x)
			sy, _ := analysis.Summarize(y)
			got["mean_x"], got["mean_y"] = sx.Mean, sy.Mean
			c.Check(t, got)
		case "ratio_log_welch":
			if r, err := analysis.LogWelchT(x, y); !c.Failed(t, err) {
				c.Check(t, ratioFields(r, conf))
			}
		case "ratio_fieller":
			if r, err := analysis.RatioFieller(x, y, conf); !c.Failed(t, err) {
				c.Check(t, map[string]any{"ratio": r.Ratio, "df": r.DF, "g": r.G, "bounded": r.Bounded,
					"ci_low": r.CI.Low, "ci_high": r.CI.High})
			}
		case "effect_size":
			d, err := analysis.CohensD(x, y)
			if c.Failed(t, err) {
				continue
			}
			got := map[string]any{"cohens_d": d, "hedges_j": analysis.HedgesCorrection(float64(len(x) + len(y) - 2))}
			got["pooled_sd"], _ = analysis.PooledSD(x, y)
			got["hedges_g"], _ = analysis.HedgesG(x, y)
			got["hedges_g_approx"], _ = analysis.HedgesGApprox(x, y)
			got["glass_delta_y"], _ = analysis.GlassDelta(x, y)
			c.Check(t, got)
		default:
			t.Errorf("%s: method %s is not tested", c.ID, c.Method)
		}
	}
}

func TestReferencePaired(t *testing.T) {
	for _, c := range reftest.Load(t, "paired", "paired_t", "paired_log_ratio") { // the rest is package multiple's
		x, y, conf := c.Nums("x"), c.Nums("y"), c.Param("conf")
		if c.Method == "paired_t" {
			if r, err := analysis.PairedT(x, y); !c.Failed(t, err) {
				c.Check(t, testFields(r, conf))
			}
			continue
		}
		if r, err := analysis.LogPairedT(x, y); !c.Failed(t, err) {
			c.Check(t, ratioFields(r, conf))
		}
	}
}

func TestReferenceTOST(t *testing.T) {
	for _, c := range reftest.Load(t, "tost") {
		test := analysis.LogWelchT
		if c.Method == "tost_paired" {
			test = analysis.LogPairedT
		}
		r, err := test(c.Nums("x"), c.Nums("y"))
		if c.Failed(t, err) {
			continue
		}
		margin, alpha := c.Param("margin"), c.Param("alpha")
		equivalence := analysis.TOST
		if c.Text("bounds") == "relative" {
			equivalence = analysis.TOSTRelative
		}
		e := equivalence(r, margin, alpha)
		if b := reftest.Floats(c.Params["bounds_log"]); math.Abs(b[0]-e.LowLog) > 1e-15 || math.Abs(b[1]-e.HighLog) > 1e-15 {
			t.Errorf("%s: bounds %v %v, want %v", c.ID, e.LowLog, e.HighLog, b)
		}
		c.Check(t, map[string]any{"ratio": r.Ratio(), "se_log": r.SE, "df": r.DF, "t_lower": e.TLower, "t_upper": e.TUpper,
			"p_lower": e.PLower, "p_upper": e.PUpper, "p_tost": e.P, "ci_low": e.CI.Low, "ci_high": e.CI.High, "equivalent": e.Equivalent})
	}
}

func TestReferenceDip(t *testing.T) {
	for _, c := range reftest.Load(t, "dip") {
		r, err := analysis.HartiganDip(c.Nums("x"))
		if c.Failed(t, err) {
			continue
		}
		// p_table is the p of another table, p_sim_se the error of the reference.
		c.Check(t, map[string]any{"n": r.N, "d": r.D, "p_sim": r.P}, "p_table", "p_sim_se")
	}
}

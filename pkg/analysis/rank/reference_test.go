package rank

import (
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/reftest"
)

// TestMannWhitneyReference: R's wilcox.test(x, y, exact=TRUE), wilcox.test(x, y, exact=FALSE, correct=…) and exactRankTests::wilcox.exact(x, y).
func TestMannWhitneyReference(t *testing.T) {
	for _, c := range reftest.Load(t, "rank", "mann_whitney") {
		x, y := c.Nums("x"), c.Nums("y")
		continuity, _ := c.Params["continuity"].(bool)
		r, err := MannWhitney(x, y)
		if c.Text("mode") == "normal" {
			r, err = MannWhitneyNormal(x, y, continuity)
		}
		if c.Failed(t, err) {
			continue
		}
		c.Check(t, map[string]any{"u_x": r.U, "u_y": float64(len(x)*len(y)) - r.U, "p_two_sided": r.P, "p_less": r.PLess, "p_greater": r.PGreater,
			"tie_sum": r.TieSum, "sigma": r.Sigma, "z": r.Z})
	}
}

// TestHodgesLehmannReference: R's wilcox.test(x, y, conf.int=TRUE, conf.level=…, exact=TRUE).
func TestHodgesLehmannReference(t *testing.T) {
	for _, c := range reftest.Load(t, "rank", "hodges_lehmann") {
		f := HodgesLehmannExact
		if c.Text("ci_method") == "order_normal" {
			f = HodgesLehmannNormal
		}
		r, err := f(c.Nums("x"), c.Nums("y"), c.Param("conf"))
		if c.Failed(t, err) {
			continue
		}
		c.Check(t, map[string]any{"shift": r.Shift, "k": r.K, "ci_low": r.CI.Low, "ci_high": r.CI.High, "achieved_conf": r.Achieved})
	}
}

// TestBrunnerMunzelReference: scipy.stats.brunnermunzel(x, y, distribution="t").
func TestBrunnerMunzelReference(t *testing.T) {
	for _, c := range reftest.Load(t, "rank", "brunner_munzel") {
		r, err := BrunnerMunzel(c.Nums("x"), c.Nums("y"))
		if c.Failed(t, err) {
			continue
		}
		c.Check(t, map[string]any{"p_hat": r.PHat, "statistic": r.Statistic, "df": r.DF, "p_two_sided": r.P, "p_less": r.PLess, "p_greater": r.PGreater})
	}
}

// TestCliffReference: R's effectsize::cliffs_delta(x, y).
func TestCliffReference(t *testing.T) {
	for _, c := range reftest.Load(t, "rank", "cliffs_delta") {
		d, err := CliffsDelta(c.Nums("x"), c.Nums("y"))
		if c.Failed(t, err) {
			continue
		}
		a, _ := VarghaDelaney(c.Nums("x"), c.Nums("y"))
		c.Check(t, map[string]any{"delta": d, "vargha_delaney_a": a})
	}
}

package trend

import (
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/reftest"
)

func TestMannKendallReference(t *testing.T) {
	for _, c := range reftest.Load(t, "trend", "mann_kendall") {
		f := MannKendall
		if c.Text("mode") == "exact" {
			f = MannKendallExact
		}
		r, err := f(c.Nums("x"))
		if c.Failed(t, err) {
			continue
		}
		c.Check(t, map[string]any{"s": r.S, "var_s": r.VarS, "tau_b": r.TauB, "z": r.Z, "p_two_sided": r.P,
			"p_increasing": r.PIncreasing, "p_decreasing": r.PDecreasing})
	}
}

func TestTheilSenReference(t *testing.T) {
	for _, c := range reftest.Load(t, "trend", "theil_sen") {
		r, err := TheilSen(c.Nums("x"), c.Nums("y"), c.Param("conf"))
		if c.Failed(t, err) {
			continue
		}
		c.Check(t, map[string]any{"slope": r.Slope, "intercept": r.Intercept, "n_slopes": r.Slopes,
			"ci_low": r.CI.Low, "ci_high": r.CI.High})
	}
}

func TestAutocorrelationReference(t *testing.T) {
	for _, c := range reftest.Load(t, "trend", "lag1_autocorrelation") {
		r, err := Autocorrelation(c.Nums("x"), 1)
		if !c.Failed(t, err) {
			c.Check(t, map[string]any{"r1": r})
		}
	}
}

func TestLjungBoxReference(t *testing.T) {
	for _, c := range reftest.Load(t, "trend", "ljung_box") {
		r, err := LjungBox(c.Nums("x"), int(c.Param("lag")))
		if !c.Failed(t, err) {
			c.Check(t, map[string]any{"q": r.Q, "df": r.DF, "p": r.P, "acf": r.ACF})
		}
	}
}

func TestEffectiveSampleSizeReference(t *testing.T) {
	for _, c := range reftest.Load(t, "trend", "effective_sample_size") {
		r, err := EffectiveSampleSize(c.Nums("x"))
		if !c.Failed(t, err) {
			c.Check(t, map[string]any{"r1": r.R1, "pairs_used": r.PairsUsed, "tau": r.Tau, "ess": r.Size,
				"tau_monotone": r.TauMonotone, "ess_monotone": r.Monotone, "ess_ar1": r.AR1})
		}
	}
}

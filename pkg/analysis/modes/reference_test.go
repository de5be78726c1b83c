package modes

import (
	"math/rand/v2"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/reftest"
)

func TestKDEReference(t *testing.T) {
	for _, c := range reftest.Load(t, "silverman", "kde") {
		d, err := KDE(c.Nums("x"), c.Param("h"), c.Nums("at"))
		if !c.Failed(t, err) {
			c.Check(t, map[string]any{"density": d})
		}
	}
}

func TestCriticalBandwidthReference(t *testing.T) {
	for _, c := range reftest.Load(t, "silverman", "critical_bandwidth") {
		h, err := CriticalBandwidth(c.Nums("x"), int(c.Param("modes")))
		if !c.Failed(t, err) {
			c.Check(t, map[string]any{"h_crit": h})
		}
	}
}

func TestSilvermanReference(t *testing.T) {
	for _, c := range reftest.Load(t, "silverman", "silverman_test") {
		r, err := SilvermanTest(c.Nums("x"), int(c.Param("modes")), int(c.Param("min_replicates")), rand.New(rand.NewPCG(1, 2)))
		if !c.Failed(t, err) {
			c.Check(t, map[string]any{"p": r.P, "p_se": r.SE})
		}
	}
}

func TestGaussianMixtureReference(t *testing.T) {
	for _, c := range reftest.Load(t, "mixture", "gmm2") {
		r, err := GaussianMixture(c.Nums("x"), MixtureModel(c.Text("model")))
		if c.Failed(t, err) {
			continue
		}
		parameters := 4
		if r.Model == OwnVariances {
			parameters = 5
		}
		c.Check(t, map[string]any{
			"one": map[string]any{"loglik": r.One.LogLikelihood, "bic": r.One.BIC, "mean": r.One.Mean, "variance": r.One.Variance},
			"two": map[string]any{"loglik": r.Two.LogLikelihood, "bic": r.Two.BIC, "weights": r.Two.Weights[:], "means": r.Two.Means[:],
				"variances": r.Two.Variances[:]},
			"delta_bic": r.DeltaBIC, "ashman_d": r.AshmanD, "separation_pooled_sd": r.SeparationPooledSD,
			"n_parameters": map[string]any{"one": 2, "two": parameters},
		})
	}
}

func TestAshmanDReference(t *testing.T) {
	for _, c := range reftest.Load(t, "mixture", "ashman_d") {
		in := func(name string) float64 { return reftest.Float(c.Input[name]) }
		d, err := AshmanD(in("mean1"), in("mean2"), in("sd1"), in("sd2"))
		if !c.Failed(t, err) {
			c.Check(t, map[string]any{"ashman_d": d, "clearly_separated": d > 2})
		}
	}
}

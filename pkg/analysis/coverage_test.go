package analysis_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

// On normal trials a nominal 95 % interval contains the truth in 95 % of runs: exactly for Student's, closely for the
// others (Welch is conservative below 10 trials).
func TestIntervalCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	const runs = 4000
	rng := rand.New(rand.NewPCG(61, 62))
	slack := 4 * math.Sqrt(.05*.95/runs)
	for _, n := range []int{3, 5, 10} {
		var student, welch, paired, fieller int
		for range runs {
			x, y := normals(rng, n, 110, 2), normals(rng, n, 100, 3)
			for _, c := range []struct {
				ci    analysis.Interval
				truth float64
				count *int
			}{
				{must(analysis.TInterval(x, .95)), 110, &student},
				{must(analysis.WelchT(x, y)).Interval(.95), 10, &welch},
				{must(analysis.PairedT(x, y)).Interval(.95), 10, &paired},
				{must(analysis.RatioFieller(x, y, .95)).CI, 1.1, &fieller},
			} {
				if c.ci.Low <= c.truth && c.truth <= c.ci.High {
					*c.count++
				}
			}
		}
		for name, c := range map[string]struct {
			count    int
			low, top float64
		}{
			"Student": {student, .95, .95}, "Welch": {welch, .945, .97}, "paired": {paired, .95, .95}, "Fieller": {fieller, .945, .97},
		} {
			if share := float64(c.count) / runs; share < c.low-slack || share > c.top+slack {
				t.Errorf("%s, n=%d: covers in %v", name, n, share)
			}
		}
	}
}

// Fisher's exact test and the exact interval of a proportion never promise too much.
func TestExactMethodsKeepTheirLevel(t *testing.T) {
	binomial := func(k, n int, p float64) float64 {
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(k + 1))
		c, _ := math.Lgamma(float64(n - k + 1))
		return math.Exp(a - b - c + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
	}
	for _, p := range []float64{.05, .2, .5, .77} {
		const n = 8
		covered, rejected := 0.0, 0.0
		for k := range n + 1 {
			if ci := must(analysis.ClopperPearson(k, n, .9)); ci.Low <= p && p <= ci.High {
				covered += binomial(k, n, p)
			}
			for j := range n + 1 {
				if must(analysis.FisherExact(k, n-k, j, n-j)).P <= .05 {
					rejected += binomial(k, n, p) * binomial(j, n, p)
				}
			}
		}
		if covered < .9 || rejected > .05 {
			t.Errorf("p=%v: interval covers in %v, test rejects in %v", p, covered, rejected)
		}
	}
	// R: binom.test(3, 1000000, conf.level=.99)$conf.int and binom.test(0, 10)$conf.int
	if ci := must(analysis.ClopperPearson(3, 1000000, .99)); !near(ci.Low, 3.3786366951563968e-07, 1e-9) || !near(ci.High, 1.0977433709126271e-05, 1e-9) {
		t.Errorf("%+v", ci)
	}
	if ci := must(analysis.ClopperPearson(0, 10, .95)); ci.Low != 0 || !near(ci.High, 0.30849710781876083, 1e-12) {
		t.Errorf("%+v", ci)
	}
}

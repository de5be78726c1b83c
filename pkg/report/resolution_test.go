package report

import (
	"math"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// TestResolution: text is known to the digit that tools print, plain numbers to their own last digit.
func TestResolution(t *testing.T) {
	rate, _ := metricNamed("rps")
	p99, _ := metricNamed("p99")
	cpu, _ := metricNamed("server_cpu")
	for _, c := range []struct {
		name   string
		tool   string // "" is measured here
		m      metric
		values []float64
		want   float64
	}{
		{"numbers of ab's digits", "numbers", rate, []float64{50, 100.25}, .005 / 50},
		{"whole numbers", "numbers", rate, []float64{500, 1000}, .005 / 500},
		{"numbers with more digits", "numbers", rate, []float64{2.5, 4.1234}, .00005 / 2.5},
		{"tiny numbers", "numbers", rate, []float64{1.1e-9, 2e-9}, .5e-10 / 1.1e-9},
		{"large numbers", "numbers", rate, []float64{1e9 + .25, 1e9 + .5}, .005 / (1e9 + .25)},
		{"numbers beyond a float", "numbers", rate, []float64{1e300}, 0x1p-53},
		{"the smallest number", "numbers", rate, []float64{math.SmallestNonzeroFloat64}, 1e-6},
		{"numbers without a step", "numbers", cpu, []float64{25}, 1e-6},
		{"ab", "ab", rate, []float64{50, 100.125}, .005 / 50},
		{"ab beyond the clock", "ab", rate, []float64{1e9}, 1e-6},
		{"measured here", "", rate, []float64{2.5}, 1e-6},
		{"percentiles measured here", "", p99, []float64{2.5}, 5e-4},
	} {
		var trials []*result.Trial
		for range c.values {
			x := &result.Trial{}
			if c.tool != "" {
				x.Source = &result.Source{Tool: c.tool}
			}
			trials = append(trials, x)
		}
		if got := resolution(trials, c.values, c.m); math.Abs(got-c.want) > 1e-12*c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestPairsOfAnySize: the spread of pairs is their own where their digits show it, however large or small the rates.
func TestPairsOfAnySize(t *testing.T) {
	for _, scale := range []float64{1, 1e-9, 1e12} {
		in := FromSeries("", "test", Rule{},
			numbers("a", 100.5*scale, 100.25*scale, 101*scale), numbers("b", 101.25*scale, 100.75*scale, 101.5*scale))
		in.Design.Blocked, in.Design.Blocks = true, 3
		for _, target := range in.Targets {
			for i := range target.Trials {
				target.Trials[i].Block = i + 1
			}
		}
		// t.test(log(c(101.25, 100.75, 101.5)), log(c(100.5, 100.25, 101)), paired = TRUE)
		if p := mustBuild(t, in).Comparisons[0].Paired; p == nil || math.Abs(p.T-6.99962228528) > 1e-6 {
			t.Errorf("scale %g: %+v", scale, p)
		}
	}
}

package power_test

import (
	"math"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/reftest"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/power"
)

func TestSampleSizeReference(t *testing.T) {
	for _, c := range reftest.Load(t, "power", "sample_size") {
		effect, sd := reftest.Float(c.Input["rel_diff"]), reftest.Float(c.Input["cv"])
		alpha, want := c.Param("alpha"), c.Param("power")
		root, n, err := power.SampleSize(effect, sd, alpha, want)
		if c.Failed(t, err) {
			continue
		}
		one, _, errOne := power.SampleSizeOneTail(effect, sd, alpha, want)
		achieved, errPower := power.Equal(n, effect, sd, alpha)
		if errOne != nil || errPower != nil {
			t.Errorf("%s: %v %v", c.ID, errOne, errPower)
		}
		c.Check(t, map[string]any{"n_real": root, "n_real_one_tail": one, "n_per_group": n, "achieved_power": achieved})
	}
}

func TestPowerReference(t *testing.T) {
	for _, c := range reftest.Load(t, "power", "power_equal", "power_welch") {
		get := func(name string) float64 { return reftest.Float(c.Input[name]) }
		n1, n2, sd1, sd2 := int(get("n1")), int(get("n2")), get("sd1"), get("sd2")
		got := map[string]any{}
		var err error
		if c.Method == "power_equal" {
			n1, sd1 = int(get("n")), get("sd")
			n2, sd2 = n1, sd1
			got["power"], err = power.Equal(n1, get("delta"), sd1, c.Param("alpha"))
		} else {
			got["power"], err = power.Welch(n1, n2, get("delta"), sd1, sd2, c.Param("alpha"))
		}
		if c.Failed(t, err) {
			continue
		}
		ncp, df, errScale := power.WelchNoncentrality(n1, n2, get("delta"), sd1, sd2)
		one, errOne := power.WelchOneTail(n1, n2, get("delta"), sd1, sd2, c.Param("alpha"))
		if errScale != nil || errOne != nil {
			t.Errorf("%s: %v %v", c.ID, errScale, errOne)
		}
		got["ncp"], got["df"], got["power_one_tail"] = ncp, df, one
		c.Check(t, got, "monte_carlo_power") // a simulation, for information
	}
}

func TestNoncentralTReference(t *testing.T) {
	for _, c := range reftest.Load(t, "dist", "noncentral_t_sf") {
		c.Check(t, map[string]any{"value": power.NoncentralTSurvival(reftest.Float(c.Input["x"]), c.Param("df"), c.Param("ncp"))})
	}
}

// R 4.2.2: pt(t, df, ncp, lower.tail=FALSE)
func TestNoncentralTFar(t *testing.T) {
	for _, c := range []struct{ t, df, ncp, want float64 }{
		{12.7, 1, 3, 0.1861967819926}, {2, 1e8, 2.8, 0.7881446005475}, {0, 3, 1, 0.8413447460685}, {-2, 4, -1, 0.764567453824},
	} {
		if got := power.NoncentralTSurvival(c.t, c.df, c.ncp); math.Abs(got-c.want) > 1e-10 {
			t.Errorf("P(T > %v; %v, %v) = %.13f, want %v", c.t, c.df, c.ncp, got, c.want)
		}
	}
	// df 1 has a narrow turn: P(T > t) = ∫ Φ(ncp − t·s)·2φ(s) ds, which for large t and ncp tends to P(s < ncp/t).
	if got, want := power.NoncentralTSurvival(1e6, 1, 1e6), math.Erf(1/math.Sqrt2); math.Abs(got-want) > 1e-9 {
		t.Errorf("narrow turn: %v, want %v", got, want)
	}
	for _, c := range [][3]float64{{math.NaN(), 1, 1}, {1, 0, 1}, {1, math.Inf(1), 1}, {math.Inf(1), 2, 0}, {1, 2, math.Inf(1)}} {
		if got := power.NoncentralTSurvival(c[0], c[1], c[2]); !math.IsNaN(got) {
			t.Errorf("%v: %v", c, got)
		}
	}
}

// R 4.2.2: sqrt((n-1)/qchisq(0.1, n-1))
func TestSDUpperLimit(t *testing.T) {
	for n, want := range map[int]float64{2: 7.9578966, 3: 3.0807826, 5: 1.9392602, 10: 1.4694307, 30: 1.2112128} {
		if got, err := power.SDUpperLimit(2, n, .9); err != nil || math.Abs(got/2-want) > 1e-7 {
			t.Errorf("n=%d: %v %v, want 2 × %v", n, got, err, want)
		}
	}
}

// A ratio of 1197.17/1176.06 needs a CV of at most 0.41, 1.22 and 1.89 %.
func TestSingleRunCV(t *testing.T) {
	for n, want := range map[int]float64{2: .0041, 5: .0122, 10: .0189} {
		if got := power.SingleRunCV(1197.17/1176.06, n, .05); math.Abs(got-want) > .00006 {
			t.Errorf("n=%d: %v, want %v", n, got, want)
		}
	}
	for _, got := range []float64{power.SingleRunCV(1.1, 1, .05), power.SingleRunCV(0, 5, .05), power.SingleRunCV(1.1, 5, 1)} {
		if !math.IsNaN(got) {
			t.Error(got)
		}
	}
}

// The published table of blocks for an 80 % chance of "equivalent" at true 0, for a margin of ln 1.01 and sds in percent.
func TestEquivalenceTable(t *testing.T) {
	for sd, want := range map[float64]int{.005: 4, .01: 11, .015: 21, .02: 36, .03: 80} {
		if n, err := power.EquivalenceSampleSize(0, sd, math.Log1p(.01), .05, .8); err != nil || n != want {
			t.Errorf("sd %v: %d %v, want %d", sd, n, err, want)
		}
	}
}

package reftest_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/reftest"
)

// answer is the part of the report's JSON that the cases are compared with, read by the documented keys alone.
type answer struct {
	Targets     []target     `json:"targets"`
	Comparisons []comparison `json:"comparisons"`
}

type target struct {
	RPS struct {
		N       int      `json:"n"`
		Mean    *float64 `json:"mean"`
		SD      *float64 `json:"sd"`
		CV      *float64 `json:"cv"`
		Median  *float64 `json:"median"`
		Min     *float64 `json:"min"`
		Max     *float64 `json:"max"`
		Geomean *float64 `json:"geomean"`
		CI      *ci      `json:"ci"`
	} `json:"rps"`
	Tiers struct {
		Dip *struct {
			D float64 `json:"d"`
			P float64 `json:"p"`
		} `json:"dip"`
	} `json:"tiers"`
	Methods []row `json:"methods"`
}

type ci struct {
	Level  float64 `json:"level"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Method string  `json:"method"`
}

type tTest struct {
	T  float64 `json:"t"`
	DF float64 `json:"df"`
	P  float64 `json:"p"`
}

type estimate struct {
	Value float64 `json:"value"`
	CI    *ci     `json:"ci"`
}

type comparison struct {
	Verdict     string    `json:"verdict"`
	DecidedBy   string    `json:"decided_by"`
	CappedBy    []string  `json:"capped_by"`
	Resolution  float64   `json:"resolution"`
	Ratio       *estimate `json:"ratio"`
	Difference  *estimate `json:"difference"`
	Welch       *tTest    `json:"welch"`
	LogWelch    *tTest    `json:"log_welch"`
	Paired      *tTest    `json:"paired"`
	Equivalence *struct {
		PLower float64 `json:"p_lower"`
		PUpper float64 `json:"p_upper"`
		CI90   *ci     `json:"ci90"`
	} `json:"equivalence"`
	MannWhitney *struct {
		U float64 `json:"u"`
		P float64 `json:"p"`
	} `json:"mann_whitney"`
	Effect *struct {
		HedgesG     *float64 `json:"hedges_g"`
		CliffsDelta *float64 `json:"cliffs_delta"`
	} `json:"effect"`
	Methods []row `json:"methods"`
}

// comparison is the primary one; the baseline is target 0, the candidate target 1.
func (r run) comparison() comparison { return r.reports[0].Comparisons[0] }

func summaryFields(r run) map[string]any {
	x := r.reports[0].Targets[0].RPS
	got := map[string]any{"n": x.N, "min": x.Min, "max": x.Max, "mean": x.Mean, "sd": x.SD, "cv": x.CV, "median": x.Median,
		"geometric_mean": x.Geomean}
	for _, a := range r.reports {
		interval(got, fmt.Sprintf("ci%.0f_", 100*levelOf(a.Targets[0].RPS.CI)), a.Targets[0].RPS.CI)
	}
	return got
}

func levelOf(c *ci) float64 {
	if c == nil {
		return 0
	}
	return c.Level
}

// interval adds the ends of the interval, where there is one.
func interval(got map[string]any, prefix string, c *ci) {
	if c != nil {
		got[prefix+"low"], got[prefix+"high"] = c.Low, c.High
	}
}

func dipFields(r run) map[string]any {
	x := r.reports[0].Targets[0]
	got := map[string]any{"n": x.RPS.N}
	if x.Tiers.Dip != nil {
		got["d"], got["p_sim"] = x.Tiers.Dip.D, x.Tiers.Dip.P
	}
	return got
}

func test(got map[string]any, t *tTest) {
	if t != nil {
		got["t"], got["df"], got["p_two_sided"] = t.T, t.DF, t.P
	}
}

func welchFields(r run) map[string]any {
	c := r.comparison()
	got := map[string]any{"diff": c.Difference.Value, "mean_diff": c.Difference.Value,
		"mean_x": r.reports[0].Targets[1].RPS.Mean, "mean_y": r.reports[0].Targets[0].RPS.Mean}
	test(got, c.Welch)
	interval(got, "ci_", c.Difference.CI)
	return got
}

// deciding is the test on logarithms that the design asks for.
func (c comparison) deciding() *tTest {
	if c.DecidedBy == "paired" {
		return c.Paired
	}
	return c.LogWelch
}

func ratioFields(r run) map[string]any {
	c := r.comparison()
	got := map[string]any{"ratio": c.Ratio.Value}
	test(got, c.deciding())
	interval(got, "ci_", c.Ratio.CI)
	return got
}

// tostFields takes equivalence from the verdict where it is one, and from p where tiers withheld it.
func tostFields(r run) map[string]any {
	c := r.comparison()
	got := map[string]any{"ratio": c.Ratio.Value}
	if e := c.Equivalence; e != nil {
		p := max(e.PLower, e.PUpper)
		got["df"], got["p_lower"], got["p_upper"], got["p_tost"] = c.deciding().DF, e.PLower, e.PUpper, p
		interval(got, "ci_", e.CI90)
		got["equivalent"] = c.Verdict == "equivalent"
		if len(c.CappedBy) > 0 {
			got["equivalent"] = p < r.c.Param("alpha")
		}
	}
	return got
}

// otherMode reports whether p of the case is not the one that the program reports: below 50 trials of each the exact one,
// given the ties where there are some, else the normal one with continuity correction.
func otherMode(c reftest.Case) bool {
	exact := len(c.Nums("x")) < 50 && len(c.Nums("y")) < 50
	normal := c.Text("mode") == "normal"
	return c.Expect["error"] == nil && (exact == normal || normal && c.Params["continuity"] != true)
}

func mannWhitneyFields(r run) map[string]any {
	x, y := r.c.Nums("x"), r.c.Nums("y")
	u := r.comparison().MannWhitney
	if u == nil {
		return nil
	}
	return map[string]any{"u_x": u.U, "u_y": float64(len(x)*len(y)) - u.U, "p_two_sided": u.P}
}

func effectFields(r run) map[string]any {
	e := r.comparison().Effect
	if e == nil {
		return nil
	}
	return map[string]any{"hedges_g": e.HedgesG, "delta": e.CliffsDelta}
}

// resolutionInterval: the interval of equal rates is ± half a unit of the second decimal.
func resolutionInterval(t *testing.T, c reftest.Case, r run) {
	t.Helper()
	for _, a := range r.reports {
		x := a.Targets[0].RPS
		if x.CI == nil || x.CI.Method != "resolution" || math.Abs(x.CI.Low-(*x.Mean-.005)) > 1e-9 || math.Abs(x.CI.High-(*x.Mean+.005)) > 1e-9 {
			t.Errorf("%s: interval %+v, want %v ± 0.005", c.ID, x.CI, *x.Mean)
		}
	}
}

func noDip(t *testing.T, c reftest.Case, r run) {
	t.Helper()
	if x := r.reports[0].Targets[0]; x.Tiers.Dip != nil || x.RPS.N != len(c.Nums("x")) {
		t.Errorf("%s: %+v, want no dip", c.ID, x)
	}
}

// resolutionTest: with no variation in either sample both standard deviations are the resolution, and nothing is tested on the
// scale of the rates.
func resolutionTest(t *testing.T, c reftest.Case, r run) {
	t.Helper()
	x, y, got := c.Nums("x"), c.Nums("y"), r.comparison()
	want := .005 / min(x[0], y[0])
	a, b := 1/float64(len(x)), 1/float64(len(y))
	se, df := want*math.Sqrt(a+b), (a+b)*(a+b)/(a*a/float64(len(x)-1)+b*b/float64(len(y)-1))
	near := func(g, w float64) bool { return math.Abs(g-w) <= 1e-9*max(1, math.Abs(w)) }
	if !near(got.Resolution, want) || got.LogWelch == nil || !near(got.LogWelch.T, math.Log(x[0]/y[0])/se) || !near(got.LogWelch.DF, df) {
		t.Errorf("%s: resolution %v, %+v; want %v, t %v, df %v", c.ID, got.Resolution, got.LogWelch, want, math.Log(x[0]/y[0])/se, df)
	}
	if got.Welch != nil || got.Difference.CI != nil {
		t.Errorf("%s: a test of rates without variation: %+v", c.ID, got.Welch)
	}
}

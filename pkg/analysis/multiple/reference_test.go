package multiple

import (
	"math"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/reftest"
)

func TestAdjustReference(t *testing.T) {
	for _, c := range reftest.Load(t, "multiple", "p_adjust") {
		got, err := Adjust(c.Nums("p"), c.Text("method"))
		if !c.Failed(t, err) {
			c.Check(t, map[string]any{"adjusted": got})
		}
	}
}

func TestWelchANOVAReference(t *testing.T) {
	for _, c := range reftest.Load(t, "multiple", "welch_anova") {
		r, err := WelchANOVA(reftest.Groups(c.Input["groups"]))
		if !c.Failed(t, err) {
			c.Check(t, map[string]any{"f": r.F, "df1": r.DF1, "df2": r.DF2, "p": r.P})
		}
	}
}

func anovaFields(a OneWay) map[string]any {
	return map[string]any{"df_between": a.DFBetween, "df_within": a.DFWithin, "ss_between": a.SSBetween, "ss_within": a.SSWithin,
		"ms_between": a.MSBetween, "ms_within": a.MSWithin, "f": a.F, "p": a.P, "r_squared": a.RSquared, "residual_sd": a.ResidualSD}
}

func TestOneWayANOVAReference(t *testing.T) {
	for _, c := range reftest.Load(t, "multiple", "oneway_anova") {
		a, err := OneWayANOVA(reftest.Groups(c.Input["groups"]))
		if !c.Failed(t, err) {
			c.Check(t, anovaFields(a))
		}
	}
}

func TestOneWayANOVANIST(t *testing.T) {
	for _, c := range reftest.Load(t, "nist_anova") {
		groups := reftest.Groups(c.Input["groups"])
		if c.Input["rule"] != nil {
			groups = largeNIST(c)
		}
		a, err := OneWayANOVA(groups)
		if !c.Failed(t, err) {
			c.Check(t, anovaFields(a))
		}
	}
}

// largeNIST builds a data set that is stored as its rule: a first value, then two values in turn.
func largeNIST(c reftest.Case) [][]float64 {
	first := c.Nums("first_values")
	var groups [][]float64
	for i, pair := range reftest.Groups(c.Input["second_third_values"]) {
		g := []float64{first[i]}
		for range (int(reftest.Float(c.Input["replicates"])) - 1) / 2 {
			g = append(g, pair...)
		}
		groups = append(groups, g)
	}
	return groups
}

func pairFields(pairs []Pair) map[string]any {
	var out []map[string]any
	for _, p := range pairs {
		out = append(out, map[string]any{"i": p.I, "j": p.J, "diff": p.Diff, "se": p.SE, "q": p.Q, "t": p.T, "df": p.DF, "p": p.P,
			"ci_low": p.Interval.Low, "ci_high": p.Interval.High})
	}
	return map[string]any{"pairs": out}
}

func TestPairsReference(t *testing.T) {
	for name, f := range map[string]func([][]float64, float64) ([]Pair, error){"games_howell": GamesHowell, "tukey_hsd": TukeyHSD} {
		for _, c := range reftest.Load(t, "multiple", name) {
			pairs, err := f(reftest.Groups(c.Input["groups"]), c.Param("conf"))
			if !c.Failed(t, err) {
				c.Check(t, pairFields(pairs))
			}
		}
	}
}

func TestStudentizedRangeReference(t *testing.T) {
	for _, c := range reftest.Load(t, "multiple", "studentized_range_sf") {
		q, k, df := reftest.Float(c.Input["q"]), int(c.Param("k")), c.Param("df")
		p, err := StudentizedRangeSurvival(q, k, df)
		if c.Failed(t, err) {
			continue
		}
		c.Check(t, map[string]any{"p": p})
		if back, err := StudentizedRangeQuantile(p, k, df); err != nil || math.Abs(back/q-1) > 1e-12 {
			t.Errorf("%s: quantile of %v = %v, %v; want %v", c.ID, p, back, err, q)
		}
	}
}

// The values come from mpmath 1.3.0 at 30 digits: both integrals by 20-point Gauss-Legendre on fixed panels,
// quad(exp(lc + df*u - df*exp(2*u)/2) * quad(k*npdf(z)*(ncdf(z)**(k-1) - (ncdf(z)-ncdf(z-q*exp(u)))**(k-1)))).
func TestStudentizedRangeHighPrecision(t *testing.T) {
	for _, c := range []struct {
		q    float64
		k    int
		df   float64
		want float64
	}{
		{2, 3, 1, 0.559288496032012},
		{4, 3, 5, 0.0797356961256171},
		{7, 4, 2, 0.0941176957233151},
		{12, 10, 5, 0.0048718903765492},
		{40, 3, 5, 2.4585261600053e-6},
		{4, 50, 20, 0.725292929926538},
		{7, 10, 120, 0.00010429676412642},
		{.5, 4, 12.7, 0.984145710559501},
	} {
		got, err := StudentizedRangeSurvival(c.q, c.k, c.df)
		if err != nil || math.Abs(got/c.want-1) > 1e-12 {
			t.Errorf("P(Q > %v; %d, %v) = %.15g, %v; want %.15g", c.q, c.k, c.df, got, err, c.want)
		}
	}
}

// R 4.2.2: sprintf("%.17g", p.adjust(p, "hommel")), and "bonferroni".
func TestAdjustAgainstR(t *testing.T) {
	p := []float64{0.001, 0.8, 0.04, 0.03, 0.2, 0.0004, 0.5, 0.05, 0.049, 0.9}
	for method, want := range map[string][]float64{
		"hommel":     {0.009, 0.9, 0.2, 0.15, 0.8, 0.004, 0.9, 0.25, 0.245, 0.9},
		"bonferroni": {0.01, 1, 0.4, 0.3, 1, 0.004, 1, 0.5, 0.49, 1},
	} {
		got, err := Adjust(p, method)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-13*want[i] {
				t.Errorf("%s %d: %.17g, want %.17g", method, i, got[i], want[i])
			}
		}
	}
}

func TestBlockAdjustedReference(t *testing.T) {
	for _, c := range reftest.Load(t, "paired", "block_adjusted") {
		y, blocks, treatments := c.Nums("y"), texts(c.Input["block"]), texts(c.Input["treatment"])
		var obs []Observation
		for i, v := range y {
			obs = append(obs, Observation{Block: blocks[i], Treatment: treatments[i], Y: v})
		}
		f, err := BlockAdjusted(obs, texts(c.Params["levels"]))
		if c.Failed(t, err) {
			continue
		}
		var diffs []map[string]any
		for _, d := range f.Contrasts {
			ci := d.Interval(c.Param("conf"))
			diffs = append(diffs, map[string]any{"treatment": d.Treatment, "diff": d.Estimate, "se": d.SE, "t": d.T,
				"p_two_sided": d.P, "ci_low": ci.Low, "ci_high": ci.High})
		}
		c.Check(t, map[string]any{"diffs": diffs, "df_resid": f.DFResid, "sigma2": f.Sigma2, "f_treatment": f.F,
			"p_f_treatment": f.P, "ms_block": f.MSBlock, "var_block_raw": f.VarBlockRaw, "var_block": f.VarBlock})
	}
}

func texts(v any) []string {
	list, _ := v.([]any)
	out := make([]string, len(list))
	for i, e := range list {
		out[i], _ = e.(string)
	}
	return out
}

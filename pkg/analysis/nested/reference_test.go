package nested

import (
	"math"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/reftest"
)

func TestTwoLevelReference(t *testing.T) {
	for _, c := range reftest.Load(t, "nested", "nested_two_level") {
		r, err := TwoLevel(reftest.Groups(c.Input["groups"]))
		if c.Failed(t, err) {
			continue
		}
		ci := r.Interval(c.Param("conf"))
		c.Check(t, map[string]any{"n_restarts": r.Restarts, "n_trials": r.Trials, "balanced": r.Balanced,
			"ms_between": r.MSBetween, "ms_within": r.MSWithin, "df_between": r.DFBetween, "df_within": r.DFWithin, "n0": r.N0,
			"var_within": r.VarWithin, "var_between_raw": r.VarBetweenRaw, "var_between": r.VarBetween, "icc": r.ICC,
			"f": r.F, "p_f": r.P, "grand_mean": r.GrandMean, "pooled_mean": r.PooledMean, "se": r.SE, "df": r.DF,
			"ci_low": ci.Low, "ci_high": ci.High, "naive_se": r.NaiveSE, "design_effect": r.DesignEffect})
	}
}

func TestKaliberaJonesReference(t *testing.T) {
	for _, c := range reftest.Load(t, "nested", "kalibera_jones") {
		r, err := KaliberaJones(tree(c.Input["data"]), reftest.Floats(c.Params["costs"]))
		if c.Failed(t, err) {
			continue
		}
		optimal := make([]float64, len(r.Optimal))
		for i, n := range r.Optimal {
			optimal[i] = float64(n)
			if n == 0 {
				optimal[i] = math.NaN()
			}
		}
		c.Check(t, map[string]any{"levels": r.Levels, "s2": r.S2, "t2": r.T2, "optimal_real": r.OptimalReal, "optimal": optimal})
	}
}

func tree(v any) Tree {
	list, _ := v.([]any)
	if len(list) > 0 {
		if _, ok := list[0].([]any); !ok {
			return Tree{Values: reftest.Floats(v)}
		}
	}
	var t Tree
	for _, e := range list {
		t.Groups = append(t.Groups, tree(e))
	}
	return t
}

// The examples of Kalibera and Jones's rule for two levels: a restart of 30 s, trials of 10 s, standard deviations in
// per cent between restarts and within.
func TestOptimalTrialsPerRestart(t *testing.T) {
	for _, c := range []struct {
		between, within float64
		want            int
	}{{2, 1, 1}, {1, 1, 2}, {.5, 2, 7}, {1, 0, 1}, {1, math.Sqrt(3), 3}} {
		n, err := OptimalTrialsPerRestart(30, 10, c.within*c.within, c.between*c.between)
		if err != nil || n != c.want {
			t.Errorf("sd %v between, %v within: %d, %v; want %d", c.between, c.within, n, err, c.want)
		}
	}
}

// R 4.2.2: a <- 2:10000; min(a[qt((1+level)/2, a-1)*sqrt((vb+vw/trials)/a) <= h])
func TestRestartsForHalfWidth(t *testing.T) {
	for _, c := range []struct {
		h, vw, vb float64
		trials    int
		level     float64
		want      int
	}{
		{1, 1, 4, 3, 0.95, 20},
		{1, 1, 0.25, 2, 0.95, 6},
		{0.1, 1, 1, 1, 0.9, 543},
		{5, 1, 0.25, 7, 0.95, 3},
		{0.5, 9, 0, 5, 0.99, 52},
		{0.2, 4, 4, 4, 0.9833, 720},
	} {
		n, err := RestartsForHalfWidth(c.h, c.vw, c.vb, c.trials, c.level)
		if err != nil || n != c.want {
			t.Errorf("%+v: %d, %v", c, n, err)
		}
	}
}

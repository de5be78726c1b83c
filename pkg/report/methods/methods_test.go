package methods

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func rates(seed uint64, n int, mean float64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 9))
	out := make([]float64, n)
	for i := range out {
		out[i] = mean * math.Exp(.01*rng.NormFloat64())
	}
	return out
}

func trialNumbers(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(i + 1)
	}
	return out
}

// byName fails when a method is listed twice or its numbers do not fit together.
func byName(t *testing.T, rows []Row) map[string]Row {
	t.Helper()
	out := map[string]Row{}
	for _, r := range rows {
		if _, twice := out[r.Method]; twice && r.Method != "Student t" {
			t.Errorf("%s is listed twice", r.Method)
		}
		out[r.Method] = r
		if r.CI != nil && (r.CI.Low > *r.Estimate || r.CI.High < *r.Estimate) {
			t.Errorf("%s: %v is outside %+v", r.Method, *r.Estimate, *r.CI)
		}
		if r.P != nil && (*r.P < 0 || *r.P > 1) {
			t.Errorf("%s: p = %v", r.Method, *r.P)
		}
		if r.Estimate == nil && r.Note == "" {
			t.Errorf("%s has no number and no reason", r.Method)
		}
	}
	return out
}

func TestTarget(t *testing.T) {
	x := rates(1, 20, 1000)
	rows := byName(t, Target(Sample{Values: x, Time: trialNumbers(20), Restarts: make([]int, 20)}, .95))
	for _, want := range []string{"Student t", "t of logarithms", "order statistics", "BCa bootstrap", "best split", "Hartigan dip", "Silverman, one mode",
		"two normal components", "least squares over time", "Mann–Kendall", "Theil–Sen", "von Neumann ratio", "Ljung–Box, lag 1", "CUSUM", "effective sample size"} {
		if r, ok := rows[want]; !ok || r.Estimate == nil {
			t.Errorf("%s: %+v", want, r)
		}
	}
	if _, ok := rows["means of restarts"]; ok {
		t.Error("restarts without restarts")
	}
	starts := make([]int, 20)
	for i := range starts {
		starts[i] = i/5 + 1
	}
	if r := byName(t, Target(Sample{Values: x, Time: trialNumbers(20), Restarts: starts}, .95))["means of restarts"]; r.CI == nil || !strings.Contains(r.Note, "4 restarts") {
		t.Errorf("%+v", r)
	}
}

// TestTooFew: what cannot be computed has no number and says how many trials are needed.
func TestTooFew(t *testing.T) {
	rows := byName(t, Target(Sample{Values: []float64{1000, 1010, 1005}, Time: trialNumbers(3), Restarts: make([]int, 3)}, .95))
	if r := rows["order statistics"]; r.CI != nil || !strings.Contains(r.Note, "6") {
		t.Errorf("median of three: %+v", r)
	}
	if r := rows["best split"]; r.P != nil || !strings.Contains(r.Note, "need 4") {
		t.Errorf("split of three: %+v", r)
	}
	one := byName(t, Compare(Pair{X: []float64{1000}, Y: []float64{1010}, Margin: .01, Alpha: .05}))
	if r := one["Welch t"]; r.Estimate != nil || !strings.Contains(r.Note, "need 2") {
		t.Errorf("Welch of one: %+v", r)
	}
}

// TestNoVariation: an interval of no width says that it is not certainty.
func TestNoVariation(t *testing.T) {
	flat := []float64{1000, 1000, 1000, 1000, 1000, 1000}
	for _, r := range append(Target(Sample{Values: flat, Time: trialNumbers(6), Restarts: make([]int, 6)}, .95),
		Compare(Pair{X: flat, Y: flat, PX: flat, PY: flat, Resolution: 1e-6, Margin: .01, Alpha: .05})...) {
		if r.CI != nil && r.CI.Low == r.CI.High && !strings.Contains(r.Note, "not certainty") {
			t.Errorf("%s: an interval of no width goes without a word: %+v", r.Method, r)
		}
	}
}

func TestCompare(t *testing.T) {
	x, y := rates(2, 12, 1030), rates(3, 12, 1000)
	rows := byName(t, Compare(Pair{X: x, Y: y, PX: x, PY: y, Resolution: 1e-6, Margin: .01, Alpha: .05}))
	for _, want := range []string{"paired t of logarithms", "equivalence of pairs", "Wilcoxon signed rank", "Hodges–Lehmann of pairs", "sign-flip permutation",
		"Welch t of logarithms", "equivalence, Welch", "Welch t", "Fieller", "permutation", "Mann–Whitney", "Hodges–Lehmann", "Brunner–Munzel", "Cliff's delta", "Hedges g"} {
		if r, ok := rows[want]; !ok || r.Estimate == nil {
			t.Errorf("%s: %+v", want, r)
		}
	}
	if r := rows["Brunner–Munzel"]; r.P != nil || !strings.Contains(r.Note, "do not overlap") {
		t.Errorf("%+v", r)
	}
	// They see the same thing.
	for _, name := range []string{"paired t of logarithms", "Wilcoxon signed rank", "sign-flip permutation", "Welch t", "permutation", "Mann–Whitney"} {
		if p := rows[name].P; p == nil || *p > .01 {
			t.Errorf("%s: %+v", name, rows[name])
		}
	}
	for _, name := range []string{"paired t of logarithms", "Hodges–Lehmann of pairs", "Welch t of logarithms", "Fieller", "Hodges–Lehmann"} {
		if math.Abs(*rows[name].Estimate-1.03) > .015 {
			t.Errorf("%s: %v", name, *rows[name].Estimate)
		}
	}
	if rows := Compare(Pair{X: x, Y: y, Margin: .01, Alpha: .05}); rows[0].Method != "Welch t of logarithms" {
		t.Errorf("pairs without blocks: %+v", rows[0])
	}
}

func TestAll(t *testing.T) {
	g := Groups{Values: [][]float64{rates(4, 10, 1000), rates(5, 10, 1000), rates(6, 10, 1100)}, Base: 1, Alpha: .05}
	r := All(g)
	if len(r.All) != 1 || *r.All[0].P > 1e-6 {
		t.Errorf("%+v", r.All)
	}
	a, b := r.Pairs[[2]int{1, 2}], r.Pairs[[2]int{2, 1}]
	if len(a) != 1 || len(b) != 1 || math.Abs(*a[0].Estimate**b[0].Estimate-1) > 1e-12 || math.Abs(a[0].CI.Low*b[0].CI.High-1) > 1e-12 {
		t.Errorf("%+v %+v", a, b)
	}
	g.Blocks = make([][]int, 3)
	for i := range g.Blocks {
		for j := range 10 {
			g.Blocks[i] = append(g.Blocks[i], j+1)
		}
	}
	r = All(g)
	if len(r.Pairs) != 2 || math.Abs(*r.Pairs[[2]int{1, 2}][0].Estimate-1.1) > .02 || *r.All[0].P > 1e-6 {
		t.Errorf("%+v", r)
	}
}

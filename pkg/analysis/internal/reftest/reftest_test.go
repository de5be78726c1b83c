package reftest

import (
	"math"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		got, want any
		tol       Tolerance
		ok        bool
	}{
		{1., 1., Tolerance{}, true}, {1., 1.1, Tolerance{}, false}, {1., 1.1, Tolerance{Abs: .2}, true}, {1., 1.1, Tolerance{Rel: .1}, true},
		{math.NaN(), 1., Tolerance{Abs: 9}, false}, {1., nil, Tolerance{Abs: 9}, false}, {math.NaN(), nil, Tolerance{}, true},
		{nil, nil, Tolerance{}, true}, {nil, 1., Tolerance{Abs: 9}, false}, {math.Inf(1), "+Inf", Tolerance{}, true},
		{math.Inf(-1), "+Inf", Tolerance{}, false}, {math.Inf(1), 1., Tolerance{Abs: 9}, false},
		{true, true, Tolerance{}, true}, {false, true, Tolerance{Abs: 9}, false}, {1., true, Tolerance{}, false},
		{"E", "E", Tolerance{}, true}, {"V", "E", Tolerance{Abs: 9}, false},
	} {
		var one Case
		one.Tolerance.Tolerance = c.tol
		if one.within("", c.want, c.got) != c.ok {
			t.Errorf("within(%v, %v, %v) = %v", c.got, c.want, c.tol, !c.ok)
		}
	}
}

func TestToleranceOfNestedField(t *testing.T) {
	var c Case
	c.Tolerance.Tolerance = Tolerance{Rel: 1}
	c.Tolerance.Fields = map[string]Tolerance{"pairs": {Rel: 2}, "pairs.p": {Rel: 3}}
	for path, want := range map[string]float64{"p": 1, "pairs": 2, "pairs.se": 2, "pairs.p": 3} {
		if got := c.tolerance(path).Rel; got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

// Every stored case is complete: it has an id, expects something, and its error kinds are known.
func TestDataIsComplete(t *testing.T) {
	files, err := data.ReadDir("data")
	if err != nil || len(files) == 0 {
		t.Fatal("no data", err)
	}
	for _, f := range files {
		seen := map[string]bool{}
		for _, c := range Load(t, f.Name()[:len(f.Name())-len(".json")]) {
			if c.ID == "" || seen[c.ID] || len(c.Expect) == 0 {
				t.Errorf("%s: case %q is doubled or empty", f.Name(), c.ID)
			}
			seen[c.ID] = true
			if kind, ok := c.Expect["error"].(string); ok && kinds[kind] == nil {
				t.Errorf("%s: error kind %q is unknown", c.ID, kind)
			}
		}
	}
}

func TestCheckAcceptsNesting(t *testing.T) {
	c := Case{ID: "nested", Expect: map[string]any{
		"n": 2., "ok": true, "model": "E", "none": nil, "list": []any{1., 2.}, "pairs": []any{map[string]any{"p": .5}},
	}}
	half := .5
	c.Check(t, map[string]any{"n": 2, "ok": true, "model": "E", "list": []int{1, 2}, "pairs": []map[string]any{{"p": &half}}, "extra": 1})
	c.Expect = map[string]any{"means": []any{1., 2.}, "groups": []any{[]any{1.}}, "names": []any{"a"}, "skipped": 9.}
	c.Check(t, map[string]any{"means": []float64{1, 2}, "groups": [][]float64{{1}}, "names": []string{"a"}, "skipped": 1}, "skipped")
	refused := Case{ID: "refused", Expect: map[string]any{"error": "empty"}}
	if !refused.Failed(t, num.ErrEmpty) {
		t.Error("an expected error is not a result")
	}
	if c.Failed(t, nil) {
		t.Error("a result is not an error")
	}
}

func TestAccessors(t *testing.T) {
	c := Case{Input: map[string]any{"x": []any{1., "NaN", "-Inf", nil, true}, "g": []any{[]any{1.}, []any{2., 3.}}},
		Params: map[string]any{"conf": .9, "mode": "exact", "none": nil}}
	x := c.Nums("x")
	if len(x) != 5 || x[0] != 1 || !math.IsNaN(x[1]) || !math.IsInf(x[2], -1) || !math.IsNaN(x[3]) || x[4] != 1 {
		t.Error(x)
	}
	if g := Groups(c.Input["g"]); len(g) != 2 || g[1][1] != 3 {
		t.Error(g)
	}
	if c.Param("conf") != .9 || !math.IsNaN(c.Param("missing")) || c.ParamOr("missing", 3) != 3 || c.ParamOr("none", 4) != 4 ||
		c.ParamOr("conf", 1) != .9 || c.Text("mode") != "exact" || c.Text("conf") != "" || c.Nums("missing") != nil {
		t.Error("accessors")
	}
	if Float(3) != 3 || Float(false) != 0 {
		t.Error("numbers")
	}
}

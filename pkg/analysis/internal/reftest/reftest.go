// Package reftest compares statistics with reference values: cases from R, scipy and high-precision arithmetic, each
// with its input, what is expected and how close. The files in data are tables of numbers; README there explains them.
package reftest

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

//go:embed data/*.json
var data embed.FS

// Case is one reference case.
type Case struct {
	ID        string         `json:"id"`
	Method    string         `json:"method"`
	Input     map[string]any `json:"input"`
	Params    map[string]any `json:"params"`
	Expect    map[string]any `json:"expect"`
	Reference string         `json:"reference"`
	Tolerance struct {
		Tolerance
		Fields map[string]Tolerance `json:"fields"`
	} `json:"tolerance"`
}

// Tolerance says how close a value must be: within max(Abs, Rel·|want|).
type Tolerance struct {
	Rel float64 `json:"rel"`
	Abs float64 `json:"abs"`
}

// Load returns the cases of a file (without .json) that have one of the methods, or all of them when none is named.
func Load(t *testing.T, name string, methods ...string) []Case {
	t.Helper()
	b, err := data.ReadFile("data/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var all, out []Case
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, c := range all {
		keep := len(methods) == 0
		for _, m := range methods {
			keep = keep || c.Method == m
		}
		if keep {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s: no case of %v", name, methods)
	}
	return out
}

// Float turns a JSON value into a number: the strings NaN, +Inf and -Inf are numbers too, null is NaN.
func Float(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case int:
		return float64(v)
	case bool:
		if v {
			return 1
		}
		return 0
	case string:
		switch v {
		case "+Inf":
			return math.Inf(1)
		case "-Inf":
			return math.Inf(-1)
		}
	}
	return math.NaN()
}

// Floats turns a JSON array into numbers; nil when v is not an array.
func Floats(v any) []float64 {
	list, ok := v.([]any)
	if !ok {
		return nil
	}
	out := make([]float64, len(list))
	for i, e := range list {
		out[i] = Float(e)
	}
	return out
}

// Groups turns a JSON array of arrays into samples.
func Groups(v any) [][]float64 {
	list, _ := v.([]any)
	out := make([][]float64, len(list))
	for i, e := range list {
		out[i] = Floats(e)
	}
	return out
}

// Nums is the input of that name as numbers.
func (c Case) Nums(name string) []float64 { return Floats(c.Input[name]) }

// Param is the parameter of that name as a number; NaN when it is missing.
func (c Case) Param(name string) float64 { return Float(c.Params[name]) }

// ParamOr is Param, or a default when the parameter is missing.
func (c Case) ParamOr(name string, missing float64) float64 {
	if v, ok := c.Params[name]; ok && v != nil {
		return Float(v)
	}
	return missing
}

// Text is the parameter of that name as a string.
func (c Case) Text(name string) string {
	s, _ := c.Params[name].(string)
	return s
}

var kinds = map[string]error{
	"empty": num.ErrEmpty, "non_finite": num.ErrNonFinite, "insufficient_n": num.ErrTooFew, "zero_variance": num.ErrZeroVariance,
	"non_positive": num.ErrNonPositive, "length_mismatch": num.ErrLengthMismatch, "bad_param": num.ErrBadParam,
	"zero_denominator": num.ErrZeroDenominator, "not_estimable": num.ErrNotEstimable, "unbalanced": num.ErrUnbalanced,
	"out_of_range": num.ErrOutOfRange,
}

// Failed reports whether the case expects an error, after checking that err is of that kind; when none is expected an
// error fails the test too. Use it as: if c.Failed(t, err) { return }.
func (c Case) Failed(t *testing.T, err error) bool {
	t.Helper()
	kind, _ := c.Expect["error"].(string)
	switch {
	case kind != "" && err == nil:
		t.Errorf("%s: no error, want %s", c.ID, kind)
	case kind != "" && !errors.Is(err, kinds[kind]):
		t.Errorf("%s: error %v, want %s", c.ID, err, kind)
	case kind == "" && err != nil:
		t.Errorf("%s: %v", c.ID, err)
	}
	return kind != "" || err != nil
}

// Check compares got with every field that the case expects, but for those in skip (dotted paths). A value that the
// case says is null must be nil, NaN or absent. Numbers may be float64, int or bool; arrays []float64, []int or []any.
func (c Case) Check(t *testing.T, got map[string]any, skip ...string) {
	t.Helper()
	c.compare(t, "", c.Expect, plain(got), skip)
}

// plain makes JSON's types of Go's; NaN stays a float.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			out[k] = plain(e)
		}
		return out
	case []float64:
		return list(v)
	case []int:
		return list(v)
	case []string:
		return list(v)
	case []map[string]any:
		return list(v)
	case [][]float64:
		return list(v)
	case []any:
		return list(v)
	case int:
		return float64(v)
	case *float64:
		if v == nil {
			return nil
		}
		return *v
	default:
		return v
	}
}

func list[T any](v []T) []any {
	out := make([]any, len(v))
	for i, e := range v {
		out[i] = plain(e)
	}
	return out
}

func (c Case) compare(t *testing.T, path string, want, got any, skip []string) {
	t.Helper()
	if slices.Contains(skip, path) {
		return
	}
	switch want := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			t.Errorf("%s: %s = %v, want an object", c.ID, path, got)
			return
		}
		for k, w := range want {
			c.compare(t, strings.TrimPrefix(path+"."+k, "."), w, g[k], skip)
		}
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(want) {
			t.Errorf("%s: %s = %v, want %v", c.ID, path, got, want)
			return
		}
		for i := range want {
			c.compare(t, path, want[i], g[i], skip)
		}
	default:
		if !c.within(path, want, got) {
			t.Errorf("%s: %s = %v, want %v (tolerance %+v; %s)", c.ID, path, text(got), text(want), c.tolerance(path), c.Reference)
		}
	}
}

func text(v any) string {
	if f, ok := v.(float64); ok {
		return fmt.Sprintf("%.17g", f)
	}
	return fmt.Sprint(v)
}

func (c Case) within(path string, want, got any) bool {
	if w, ok := want.(string); ok && w != "NaN" && w != "+Inf" && w != "-Inf" {
		return got == want
	}
	if w, ok := want.(bool); ok {
		return got == w
	}
	g, w := Float(got), Float(want)
	if math.IsNaN(w) || math.IsNaN(g) {
		return math.IsNaN(w) && math.IsNaN(g)
	}
	tol := c.tolerance(path)
	return g == w || math.Abs(g-w) <= max(tol.Abs, tol.Rel*math.Abs(w))
}

// tolerance is that of the longest path or prefix of a path that has one of its own, then the case's.
func (c Case) tolerance(path string) Tolerance {
	for p := path; p != ""; {
		if tol, ok := c.Tolerance.Fields[p]; ok {
			return tol
		}
		i := strings.LastIndexByte(p, '.')
		if i < 0 {
			break
		}
		p = p[:i]
	}
	return c.Tolerance.Tolerance
}

package analysis

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// refNum is a JSON number, or one of the strings NaN, +Inf, -Inf.
type refNum float64

func (r *refNum) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*r = refNum(math.NaN())
		return nil
	}
	var s string
	if json.Unmarshal(b, &s) == nil {
		*r = refNum(map[string]float64{"NaN": math.NaN(), "+Inf": math.Inf(1), "-Inf": math.Inf(-1)}[s])
		return nil
	}
	return json.Unmarshal(b, (*float64)(r))
}

type tol struct{ Rel, Abs float64 }

type refCase struct {
	ID, Method    string
	Input, Params map[string]json.RawMessage
	Expect        map[string]json.RawMessage
	Tolerance     struct {
		tol
		Fields map[string]tol
	}
}

func (c refCase) nums(t *testing.T, key string) []float64 {
	t.Helper()
	var r []refNum
	if err := json.Unmarshal(c.Input[key], &r); err != nil {
		t.Fatal(err)
	}
	out := make([]float64, len(r))
	for i, v := range r {
		out[i] = float64(v)
	}
	return out
}

func num(m map[string]json.RawMessage, key string) float64 {
	var r refNum
	if m[key] == nil || json.Unmarshal(m[key], &r) != nil {
		return math.NaN()
	}
	return float64(r)
}

func str(m map[string]json.RawMessage, key string) string {
	var s string
	_ = json.Unmarshal(m[key], &s)
	return s
}

// within is the comparer of every reference test: null (NaN) matches only NaN.
func within(got, want float64, t tol) bool {
	if math.IsNaN(want) || math.IsNaN(got) {
		return math.IsNaN(want) && math.IsNaN(got)
	}
	return got == want || math.Abs(got-want) <= max(t.Abs, t.Rel*math.Abs(want))
}

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		got, want float64
		tol       tol
		ok        bool
	}{
		{1, 1, tol{}, true}, {1, 1.1, tol{}, false}, {1, 1.1, tol{Abs: .2}, true}, {1, 1.1, tol{Rel: .1}, true},
		{math.NaN(), 1, tol{Abs: 9}, false}, {1, math.NaN(), tol{Abs: 9}, false}, {math.NaN(), math.NaN(), tol{}, true},
		{math.Inf(1), math.Inf(1), tol{}, true}, {math.Inf(1), 1, tol{Abs: 9}, false},
	} {
		if within(c.got, c.want, c.tol) != c.ok {
			t.Errorf("within(%v, %v, %v) = %v", c.got, c.want, c.tol, !c.ok)
		}
	}
}

var errorKinds = map[string]error{"empty": ErrEmpty, "non_finite": ErrNonFinite, "insufficient_n": ErrTooFew,
	"zero_variance": ErrZeroVariance, "non_positive": ErrNonPositive, "length_mismatch": ErrLengthMismatch, "bad_param": ErrBadParam}

func (c refCase) check(t *testing.T, err error, got map[string]float64) {
	t.Helper()
	if kind := str(c.Expect, "error"); kind != "" {
		if !errors.Is(err, errorKinds[kind]) {
			t.Errorf("error %v, want %s", err, kind)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for k, g := range got {
		if c.Expect[k] == nil {
			continue
		}
		tl, ok := c.Tolerance.Fields[k]
		if !ok {
			tl = c.Tolerance.tol
		}
		if w := num(c.Expect, k); !within(g, w, tl) {
			t.Errorf("%s = %v, want %v (tolerance %v)", k, g, w, tl)
		}
	}
}

// TestReference runs every stored case; each names the R or scipy call it was checked with in its "reference".
func TestReference(t *testing.T) {
	files, err := filepath.Glob("testdata/ref/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no reference data", err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var cases []refCase
		if err := json.Unmarshal(b, &cases); err != nil {
			t.Fatal(f, err)
		}
		for _, c := range cases {
			t.Run(c.ID, func(t *testing.T) { runReference(t, c) })
		}
	}
}

func runReference(t *testing.T, c refCase) {
	t.Helper()
	switch c.Method {
	case "sample_size", "power_equal", "power_welch":
		refPower(t, c)
		return
	case "p_adjust":
		got, err := Holm(c.nums(t, "p"))
		c.check(t, err, nil)
		var want []float64
		_ = json.Unmarshal(c.Expect["adjusted"], &want)
		for i := range want {
			if !within(got[i], want[i], c.Tolerance.tol) {
				t.Errorf("adjusted[%d] = %v, want %v", i, got[i], want[i])
			}
		}
		return
	}
	x := c.nums(t, "x")
	var y []float64
	if c.Input["y"] != nil {
		y = c.nums(t, "y")
	}
	refSamples(t, c, x, y)
}

func tFields(r TTest, level float64) map[string]float64 {
	ci := r.Interval(level)
	return map[string]float64{"diff": r.Estimate, "mean_diff": r.Estimate, "se": r.SE, "t": r.T, "df": r.DF,
		"p_two_sided": r.P, "p_less": r.PLess, "p_greater": r.PGreater, "ci_low": ci.Low, "ci_high": ci.High}
}

func ratioFields(r TTest, level float64) map[string]float64 {
	out := tFields(r, level)
	out["ratio"], out["log_ratio"], out["se_log"] = math.Exp(r.Estimate), r.Estimate, r.SE
	out["ci_low"], out["ci_high"] = math.Exp(out["ci_low"]), math.Exp(out["ci_high"])
	return out
}

func refSamples(t *testing.T, c refCase, x, y []float64) {
	t.Helper()
	conf := num(c.Params, "conf")
	switch c.Method {
	case "summary":
		s, err := Summarize(x)
		g := map[string]float64{"mean": s.Mean, "variance": s.Variance, "sd": s.SD, "sem": s.SEM, "cv": s.CV, "median": s.Median,
			"mad": s.MAD, "min": s.Min, "max": s.Max, "geometric_mean": s.GeometricMean}
		if ci, e := TInterval(x, .95); e == nil {
			g["ci95_low"], g["ci95_high"] = ci.Low, ci.High
		}
		if ci, e := GeometricTInterval(x, .95); e == nil {
			g["gm_ci95_low"], g["gm_ci95_high"] = ci.Low, ci.High
		}
		c.check(t, err, g)
	case "welch":
		r, err := WelchT(x, y)
		c.check(t, err, tFields(r, conf))
	case "ratio_log_welch":
		r, err := LogWelchT(x, y)
		c.check(t, err, ratioFields(r, conf))
	case "effect_size":
		g, err := HedgesG(x, y)
		c.check(t, err, map[string]float64{"hedges_g": g})
	case "paired_t":
		r, err := PairedT(x, y)
		c.check(t, err, tFields(r, conf))
	case "paired_log_ratio":
		r, err := LogPairedT(x, y)
		c.check(t, err, ratioFields(r, conf))
	case "tost", "tost_paired":
		f := LogWelchT
		if c.Method == "tost_paired" {
			f = LogPairedT
		}
		r, err := f(x, y)
		e := TOST(r, num(c.Params, "margin"), num(c.Params, "alpha"))
		c.check(t, err, map[string]float64{"ratio": math.Exp(r.Estimate), "p_lower": e.PLower, "p_upper": e.PUpper,
			"p_tost": e.P, "ci_low": e.CI.Low, "ci_high": e.CI.High})
		if b, ok := c.Expect["equivalent"]; ok && (string(b) == "true") != e.Equivalent {
			t.Errorf("equivalent = %v", e.Equivalent)
		}
	case "cliffs_delta":
		d, err := CliffsDelta(x, y)
		c.check(t, err, map[string]float64{"delta": d})
	case "dip":
		r, err := HartiganDip(x)
		c.check(t, err, map[string]float64{"d": r.D, "p_sim": r.P})
	case "mann_whitney":
		refRank(t, c, x, y)
	default:
		t.Fatalf("unknown method %s", c.Method)
	}
}

func refRank(t *testing.T, c refCase, x, y []float64) {
	t.Helper()
	r, err := MannWhitney(x, y)
	if err == nil && str(c.Params, "mode") == "normal" {
		_, ties := doubledRanks(x, y)
		r.P = normalRankP(r.U, float64(len(x)), float64(len(y)), ties, string(c.Params["continuity"]) == "true")
	}
	c.check(t, err, map[string]float64{"u_x": r.U, "p_two_sided": r.P})
}

func refPower(t *testing.T, c refCase) {
	t.Helper()
	alpha := num(c.Params, "alpha")
	switch c.Method {
	case "sample_size":
		real, n, err := SampleSize(num(c.Input, "rel_diff"), num(c.Input, "cv"), alpha, num(c.Params, "power"))
		c.check(t, err, map[string]float64{"n_real": real, "n_per_group": float64(n)})
	case "power_equal":
		p, err := PowerEqual(int(num(c.Input, "n")), num(c.Input, "delta"), num(c.Input, "sd"), alpha)
		c.check(t, err, map[string]float64{"power": p})
	case "power_welch":
		p, err := PowerWelch(int(num(c.Input, "n1")), int(num(c.Input, "n2")), num(c.Input, "delta"), num(c.Input, "sd1"), num(c.Input, "sd2"), alpha)
		c.check(t, err, map[string]float64{"power": p})
	}
}

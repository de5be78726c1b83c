package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/golden")

var extensions = map[string]string{"table": ".txt", "markdown": ".md", "json": ".json"}

// TestGolden compares every case in every format with the kept output. JSON numbers are compared to nine digits, since
// processors that fuse multiply and add round the last ones differently.
func TestGolden(t *testing.T) {
	for name, input := range goldenCases {
		r := mustBuild(t, input())
		for format := range extensions { // scripts for R are run, not kept
			t.Run(name+"/"+format, func(t *testing.T) {
				var got bytes.Buffer
				if err := Render(&got, r, format, Options{}); err != nil {
					t.Fatal(err)
				}
				path := filepath.Join("testdata", "golden", name+extensions[format])
				if *update {
					if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
						t.Fatal(err)
					}
					return
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatalf("%v (run the tests with -update to write it)", err)
				}
				g, w := got.String(), string(want)
				if format == "json" {
					g, w = nineDigits(g), nineDigits(w)
				}
				if g != w {
					t.Errorf("%s differs.\ngot:\n%s\nwant:\n%s", path, g, w)
				}
			})
		}
	}
}

var longNumber = regexp.MustCompile(`-?\d+\.\d{9,}(e[+-]?\d+)?|-?\d+(\.\d+)?e[+-]?\d+`)

func nineDigits(s string) string {
	return longNumber.ReplaceAllStringFunc(s, func(n string) string {
		f, err := strconv.ParseFloat(n, 64)
		if err != nil || math.Abs(f) < 1e-12 {
			return "0"
		}
		return strconv.FormatFloat(f, 'g', 9, 64)
	})
}

// TestRenderTwice: the same report gives the same bytes, and rendering does not change it.
func TestRenderTwice(t *testing.T) {
	for name, input := range goldenCases {
		for _, format := range Formats() {
			var one, two bytes.Buffer
			r := mustBuild(t, input())
			for _, b := range []*bytes.Buffer{&one, &two} {
				if err := Render(b, r, format, Options{Colour: true}); err != nil {
					t.Fatal(err)
				}
			}
			if one.String() != two.String() {
				t.Errorf("%s as %s: second rendering differs", name, format)
			}
		}
	}
}

// modelKeys is every key that the report schema promises, by path; [] stands for any element.
var modelKeys = map[string][]string{
	"":                  {"schema", "version", "plan_sha256", "title", "design", "targets", "comparisons", "findings", "environment"},
	"design":            {"blocked", "blocks", "order", "seed", "alpha", "margin", "test", "metric", "stop", "family"},
	"targets[]":         {"name", "baseline", "trials", "rps", "rps_with_excluded", "latency", "cpu", "tiers", "warmup", "drift", "findings"},
	"targets[].trials":  {"total", "valid", "invalid", "aborted"},
	"targets[].rps":     {"n", "mean", "sd", "cv", "median", "min", "max", "total", "geomean", "ci", "values", "trial_numbers"},
	"targets[].cpu":     {"server_us_per_request", "client_us_per_request"},
	"targets[].tiers":   {"status", "method", "r2", "p", "dip", "tiers", "explained_by"},
	"targets[].warmup":  {"status", "seconds", "recommended_requests"},
	"targets[].latency": {"kind", "p50", "p90", "p95", "p99", "p99_9", "max"},
	"comparisons[]": {"baseline", "candidate", "metric", "better", "primary", "verdict", "decided_by", "significant", "direction",
		"ratio", "change_percent", "difference", "equivalence", "welch", "log_welch", "paired", "mann_whitney", "effect",
		"smallest_detectable_percent", "trials_needed", "capped_by", "findings"},
	"comparisons[].ratio":       {"value", "ci"},
	"comparisons[].difference":  {"value", "ci"},
	"comparisons[].equivalence": {"margin", "p_lower", "p_upper", "ci90"},
	"comparisons[].paired":      {"t", "df", "p"},
	"comparisons[].findings[]":  {"code", "severity", "text", "advice"},
	"targets[].findings[]":      {"code", "severity", "text", "advice"},
	"findings[]":                {"code", "severity", "text", "advice"},
}

// TestJSONRoundTrip: the JSON decodes to the same model, every promised key is there, and lists are never null.
func TestJSONRoundTrip(t *testing.T) {
	for name, input := range goldenCases {
		r := mustBuild(t, input())
		var b bytes.Buffer
		if err := Render(&b, r, "json", Options{}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var back Report
		if err := json.Unmarshal(b.Bytes(), &back); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var again bytes.Buffer
		if err := Render(&again, &back, "json", Options{}); err != nil {
			t.Fatal(err)
		}
		if again.String() != b.String() {
			t.Errorf("%s: decoded and encoded again, the JSON differs", name)
		}
		var tree any
		if err := json.Unmarshal(b.Bytes(), &tree); err != nil {
			t.Fatal(err)
		}
		checkKeys(t, name, "", tree)
	}
}

func checkKeys(t *testing.T, name, path string, node any) {
	t.Helper()
	switch n := node.(type) {
	case map[string]any:
		for _, key := range modelKeys[path] {
			if _, ok := n[key]; !ok {
				t.Errorf("%s: %s has no key %q", name, path, key)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(n)) {
			below := key
			if path != "" {
				below = path + "." + key
			}
			if list := slices.Contains([]string{"findings", "targets", "comparisons", "capped_by", "values"}, key); list && n[key] == nil {
				t.Errorf("%s: list %s is null", name, below)
			}
			checkKeys(t, name, below, n[key])
		}
	case []any:
		for _, x := range n {
			checkKeys(t, name, path+"[]", x)
		}
	}
}

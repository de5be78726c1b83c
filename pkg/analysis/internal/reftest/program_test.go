package reftest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/reftest"
)

// The cases about samples are put to the program as its users would: plain numbers in files, and the answer read from
// the JSON. What the program is to do with a case is one of four things, and each is checked:
//
//	compared  the fields of the report agree with those of the case
//	refused   values that cannot be rates: exit code 2 and one line
//	undefined the case is an error of the method, and the report has no number in its place
//	excepted  the report differs on purpose, altogether or in some fields ("partly compared"); exceptions says why

// method is how a kind of case is put to the program.
type method struct {
	file, name string
	paired     bool
	verbose    bool                    // the report has it with --verbose
	only       func(reftest.Case) bool // cases of a method that the program runs in one way only; nil: all
	// fields are those of the case that the report has, or that follow from what it has.
	fields []string
	got    func(run) map[string]any
	// undefined holds the parts of the report that must be missing when the method fails.
	undefined func(run) bool
	// least is how many cases must really be compared.
	least int
}

func (m method) title() string {
	if m.verbose {
		return m.name + " with --verbose"
	}
	return m.name
}

var tFields = []string{"t", "df", "p_two_sided", "ci_low", "ci_high"}

var methods = []method{
	{file: "summary", name: "summary", got: summaryFields, least: 14, fields: []string{"n", "min", "max", "mean", "sd", "cv", "median",
		"geometric_mean", "ci90_low", "ci90_high", "ci95_low", "ci95_high", "ci99_low", "ci99_high"}},
	{file: "nist_univariate", name: "nist_univariate", got: summaryFields, least: 5, fields: []string{"n", "mean", "sd"}},
	{file: "dip", name: "dip", got: dipFields, least: 17, fields: []string{"n", "d", "p_sim"}},
	{file: "welch", name: "welch", got: welchFields, least: 16, fields: append([]string{"mean_x", "mean_y", "diff"}, tFields...),
		undefined: func(r run) bool { c := r.comparison(); return c.Welch == nil && c.Difference.CI == nil }},
	{file: "welch", name: "ratio_log_welch", got: ratioFields, least: 16, fields: append([]string{"ratio"}, tFields...)},
	{file: "welch", name: "effect_size", got: effectFields, least: 14, fields: []string{"hedges_g"},
		undefined: func(r run) bool { return r.comparison().Effect.HedgesG == nil }},
	// The t of plain differences is not reported: pairs are decided on logarithms.
	{file: "paired", name: "paired_t", paired: true, got: welchFields, least: 7, fields: []string{"mean_diff"},
		undefined: func(r run) bool { c := r.comparison(); return c.Paired == nil && c.Difference.CI == nil }},
	{file: "paired", name: "paired_log_ratio", paired: true, got: ratioFields, least: 7, fields: append([]string{"ratio"}, tFields...)},
	{file: "tost", name: "tost", got: tostFields, least: 15, fields: []string{"ratio", "df", "p_lower", "p_upper", "p_tost", "ci_low", "ci_high", "equivalent"}},
	{file: "tost", name: "tost_paired", paired: true, got: tostFields, least: 7,
		fields: []string{"ratio", "df", "p_lower", "p_upper", "p_tost", "ci_low", "ci_high", "equivalent"}},
	{file: "rank", name: "mann_whitney", got: mannWhitneyFields, least: 12, fields: []string{"u_x", "u_y", "p_two_sided"}},
	{file: "rank", name: "cliffs_delta", got: effectFields, least: 11, fields: []string{"delta"}},
}

// exception is a deliberate difference between the report and the reference.
type exception struct {
	pattern string                  // of case ids, as path.Match
	when    func(reftest.Case) bool // one of those; nil: all
	why     string
	skip    []string                            // fields that are not compared; all when nil
	check   func(*testing.T, reftest.Case, run) // what the report shows instead
	cases   int                                 // how many cases it is for
}

var exceptions = []exception{
	{pattern: "summary/summary/zero-variance-*", why: "an interval of width 0 is never claimed: it is ± half a unit of the last digit",
		skip: []string{"ci90_low", "ci90_high", "ci95_low", "ci95_high", "ci99_low", "ci99_high"}, check: resolutionInterval, cases: 4}, // two, with and without --verbose
	{pattern: "dip/dip/n[123]", why: "tiers need four trials", check: noDip, cases: 3},
	{pattern: "dip/dip/lighttpd-high-tier-n3", why: "tiers need four trials", check: noDip, cases: 1},
	{pattern: "dip/dip/n10-constant", why: "equal trials have no tiers to test", check: noDip, cases: 1},
	{pattern: "welch/ratio_log_welch/constant", why: "samples without variation are tested at their resolution", check: resolutionTest, cases: 1},
	{pattern: "tost/tost/both-constant-*", why: "samples without variation are tested at their resolution", check: resolutionTest, cases: 2},
	{pattern: "tost/tost/*-relative", why: "the report's margin is symmetric on logarithms; only the interval is the same",
		skip: []string{"p_lower", "p_upper", "p_tost", "equivalent"}, cases: 4},
	{pattern: "rank/mann_whitney/*", when: otherMode, why: "below 50 trials p is exact, else normal with continuity correction: in other modes only U is the same",
		skip: []string{"p_two_sided"}, cases: 15},
}

func (e exception) covers(c reftest.Case) bool {
	ok, err := path.Match(e.pattern, c.ID)
	return err == nil && ok && (e.when == nil || e.when(c))
}

// TestProgram puts every case about samples to the program itself.
func TestProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	bin := build(t)
	used := make([]int, len(exceptions))
	for _, m := range append(slices.Clone(methods), verboseMethods...) {
		t.Run(m.title(), func(t *testing.T) {
			count := map[string]int{}
			for _, c := range reftest.Load(t, m.file, m.name) {
				if kind := c.Expect["error"]; m.only != nil && !m.only(c) && (kind == nil || kind == "bad_param") {
					count["of another kind"]++
					continue
				}
				e := slices.IndexFunc(exceptions, func(e exception) bool { return e.covers(c) })
				if e >= 0 {
					used[e]++
				}
				count[put(t, bin, m, c, e)]++
			}
			t.Logf("%s: %v", m.name, count)
			if count["compared"] < m.least {
				t.Errorf("%d cases of %s were compared, want at least %d: %v", count["compared"], m.name, m.least, count)
			}
		})
	}
	for i, e := range exceptions {
		if used[i] != e.cases {
			t.Errorf("exception %s (%s) was met by %d cases, want %d", e.pattern, e.why, used[i], e.cases)
		}
	}
}

// put runs one case and checks the answer; it returns what became of the case.
func put(t *testing.T, bin string, m method, c reftest.Case, except int) string {
	t.Helper()
	r := ask(t, bin, m, c)
	kind, _ := c.Expect["error"].(string)
	switch {
	case !rates(c.Nums("x")) || (c.Input["y"] != nil && !rates(c.Nums("y"))) || kind == "length_mismatch":
		r.refused(t)
		return "refused"
	case r.code != 0:
		t.Errorf("%s: exit code %d: %s", c.ID, r.code, r.stderr)
		return "failed"
	case except >= 0:
		e := exceptions[except]
		if e.check != nil {
			e.check(t, c, r)
		}
		if e.skip == nil {
			return "excepted"
		}
		c.Check(t, m.got(r), append(missing(m, c), e.skip...)...)
		return "partly compared"
	case kind != "":
		if m.undefined == nil || !m.undefined(r) {
			t.Errorf("%s: the report has numbers, want none (%s)", c.ID, kind)
		}
		return "undefined"
	}
	left := missing(m, c)
	if len(left) == len(c.Expect) {
		t.Errorf("%s: the report has none of its fields", c.ID)
	}
	c.Check(t, m.got(r), left...)
	return "compared"
}

// missing lists the fields of the case that the report has not.
func missing(m method, c reftest.Case) []string {
	var out []string
	for f := range c.Expect {
		if !slices.Contains(m.fields, f) {
			out = append(out, f)
		}
	}
	return out
}

func rates(x []float64) bool {
	return len(x) > 0 && !slices.ContainsFunc(x, func(v float64) bool { return !(v > 0) || math.IsInf(v, 0) })
}

// build makes the program once.
func build(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "benchstat-http")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "./cmd/benchstat-http")
	cmd.Dir = filepath.Join("..", "..", "..", "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build the program: %v\n%s", err, out)
	}
	return bin
}

// ask writes the samples to files and runs the program on them; a summary is asked for at every level of the case.
func ask(t *testing.T, bin string, m method, c reftest.Case) run {
	t.Helper()
	dir := t.TempDir()
	args := []string{"analyze", "x.txt"}
	write(t, filepath.Join(dir, "x.txt"), c.Nums("x"))
	if c.Input["y"] != nil {
		args = []string{"compare", "y.txt", "x.txt"}
		write(t, filepath.Join(dir, "y.txt"), c.Nums("y"))
	}
	if m.paired {
		args = append(args, "--design", "blocks")
	}
	if m.verbose {
		args = append(args, "--verbose")
	}
	if margin := c.Param("margin"); !math.IsNaN(margin) {
		args = append(args, "--margin", decimal(margin))
	}
	args = append(args, "--metric", "rps", "--format", "json")
	levels := reftest.Floats(c.Params["conf"])
	if conf := c.Param("conf"); !math.IsNaN(conf) {
		levels = []float64{conf}
	}
	alphas := []float64{c.ParamOr("alpha", .05)}
	if len(levels) > 0 {
		alphas = nil
		for _, level := range levels {
			alphas = append(alphas, 1-level)
		}
	}
	r := run{c: c}
	for _, alpha := range alphas {
		r.start(t, bin, dir, append(slices.Clone(args), "--alpha", decimal(alpha)))
		if r.code != 0 {
			break
		}
	}
	return r
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func write(t *testing.T, name string, x []float64) {
	t.Helper()
	var b strings.Builder
	for _, v := range x {
		fmt.Fprintln(&b, decimal(v))
	}
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// run is what the program answered.
type run struct {
	c              reftest.Case
	reports        []answer // one a level
	code           int
	stdout, stderr string // of the last
}

func (r *run) start(t *testing.T, bin, dir string, args []string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), bin, args...)
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	exit, failed := errors.AsType[*exec.ExitError](err)
	if err != nil && !failed {
		t.Fatal(err)
	}
	r.code, r.stdout, r.stderr = 0, stdout.String(), stderr.String()
	if failed {
		r.code = exit.ExitCode()
		return
	}
	var a answer
	if err := json.Unmarshal(stdout.Bytes(), &a); err != nil {
		t.Fatalf("%s: %v: %v", r.c.ID, args, err)
	}
	r.reports = append(r.reports, a)
}

// refused demands exit code 2, one line that says why, and no report.
func (r *run) refused(t *testing.T) {
	t.Helper()
	if r.code != 2 || r.stdout != "" || strings.Count(r.stderr, "\n") != 1 || !strings.HasPrefix(r.stderr, "benchstat-http: ") {
		t.Errorf("%s: exit code %d, stdout %q, stderr %q; want 2 and one line", r.c.ID, r.code, r.stdout, r.stderr)
	}
}

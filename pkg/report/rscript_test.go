package report

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// rscript is the R interpreter; without it the test is skipped, or fails where every tool must be there.
func rscript(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("Rscript")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("Rscript is missing (Debian: r-base-core)")
		}
		t.Skip("Rscript is missing (Debian: r-base-core)")
	}
	return path
}

func script(t *testing.T, r *Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := Render(&b, r, "r", Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func runR(t *testing.T, text string, args ...string) (string, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "check.R")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), rscript(t), append([]string{"--vanilla", path}, args...)...).CombinedOutput()
	return string(out), err
}

// TestScriptAgreesWithR: R recomputes every case to 1e-9.
func TestScriptAgreesWithR(t *testing.T) {
	rscript(t)
	for name, input := range goldenCases {
		out, err := runR(t, script(t, mustBuild(t, input())))
		if err != nil || !strings.Contains(out, " 0 differ") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		if name == "faster" && !strings.Contains(out, "same    verdict") {
			t.Errorf("the verdict is not compared:\n%s", out)
		}
	}
}

// TestScriptNotices: a report that is off by a billionth and a bit does not pass.
func TestScriptNotices(t *testing.T) {
	for name, spoil := range map[string]func(*Report){
		"mean":    func(r *Report) { *r.Targets[0].RPS.Mean *= 1 + 3e-9 },
		"ratio":   func(r *Report) { r.Comparisons[0].Ratio.CI.Low *= 1 + 3e-9 },
		"p":       func(r *Report) { r.Comparisons[0].Paired.P *= 1 + 3e-9 },
		"verdict": func(r *Report) { r.Comparisons[0].Verdict = "slower" },
		"value":   func(r *Report) { r.Targets[1].RPS.Values[3] *= 1.001 },
	} {
		r := mustBuild(t, two(10, 1.05, 0.004, 1).input())
		spoil(r)
		if out, err := runR(t, script(t, r)); err == nil || strings.Contains(out, " 0 differ") {
			t.Errorf("%s: not noticed\n%s", name, out)
		}
	}
}

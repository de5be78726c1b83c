package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/report"
)

// needs skips a test for which a program is missing. In continuous integration that is a failure: what is skipped there
// is never tested.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	if testing.Short() {
		t.Skip("measures real servers")
	}
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/local/sbin:/usr/sbin:/sbin")
	for _, p := range programs {
		if _, err := exec.LookPath(p); err == nil {
			continue
		}
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is not installed; make test installs it", p)
		}
		t.Skipf("%s is not installed; make test installs it", p)
	}
}

// compareExample measures two targets of an example and returns the report.
func compareExample(t *testing.T, args ...string) report.Report {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program(t), append([]string{"compare", "--format", "json", "-o", filepath.Join(t.TempDir(), "r.jsonl")}, args...)...)
	cmd.Dir = "../../examples"
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, out.String(), errOut.String())
	}
	var r report.Report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// checkSound demands what holds of every measurement of healthy servers, whatever the machine: all trials count, every
// number has its interval, nothing went wrong, and the verdict is one of the four.
func checkSound(t *testing.T, r report.Report, trials int) {
	t.Helper()
	for _, target := range r.Targets {
		if target.Trials.Valid != trials || target.RPS.N != trials || target.RPS.CI == nil {
			t.Errorf("target %s: trials %+v, n %d, interval %v", target.Name, target.Trials, target.RPS.N, target.RPS.CI)
		}
		if target.Latency == nil || target.Latency.P50 == nil || target.CPU.Client == nil {
			t.Errorf("target %s: no latency or no client CPU", target.Name)
		}
		for _, f := range target.Findings {
			if f.Severity == report.SeverityError {
				t.Errorf("target %s: %s: %s", target.Name, f.Code, f.Text)
			}
		}
	}
	for _, c := range r.Comparisons {
		if c.Paired == nil || c.LogWelch == nil || c.Ratio == nil || c.Ratio.CI == nil || c.DecidedBy != "paired" {
			t.Errorf("comparison %+v lacks a part", c)
		}
	}
	primary := 0
	for _, c := range r.Comparisons {
		if c.Primary {
			primary++
		}
	}
	if primary != 1 || !r.Comparisons[0].Primary {
		t.Errorf("%d primary comparisons, want 1, the first", primary)
	}
}

// TestNginxAgainstLighttpd compares the two real servers with the same page of 8,690 bytes, as an ordinary example run
// does, but shorter.
func TestNginxAgainstLighttpd(t *testing.T) {
	needs(t, "nginx", "lighttpd")
	for name, flags := range map[string][]string{"close": nil, "keepalive": {"-k"}} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"nginx-vs-lighttpd/nginx.yaml", "nginx-vs-lighttpd/lighttpd.yaml", "-n", "1000", "-c", "50", "--trials", "4", "--cooldown", "50ms"}, flags...)
			checkSound(t, compareExample(t, args...), 4)
		})
	}
}

// TestApacheAgainstNginx compares the two with 500 connections and a page of 1,152 bytes.
func TestApacheAgainstNginx(t *testing.T) {
	needs(t, "apache2", "nginx")
	r := compareExample(t, "apache-vs-nginx/apache.yaml", "apache-vs-nginx/nginx.yaml", "-n", "2000", "--trials", "3", "--cooldown", "50ms")
	checkSound(t, r, 3)
}

// TestTargetAgainstItself measures the embedded server against a second copy of itself. A false claim is allowed to
// happen one time in twenty, so it is not what is tested: a difference that chance would show less than once in a
// million runs is.
func TestTargetAgainstItself(t *testing.T) {
	if testing.Short() {
		t.Skip("measures for several seconds")
	}
	r := compareExample(t, "quickstart/a.yaml", "quickstart/a.yaml", "-n", "600", "--trials", "6", "--cooldown", "20ms")
	checkSound(t, r, 6)
	if p := r.Comparisons[0].Paired.P; p < 1e-6 || math.IsNaN(p) {
		t.Errorf("identical targets differ with p = %g", p)
	}
}

// TestWelchOnBlocks asks for Welch's test on a blocked run: it decides, and both p-values are shown.
func TestWelchOnBlocks(t *testing.T) {
	if testing.Short() {
		t.Skip("measures for several seconds")
	}
	r := compareExample(t, "quickstart/a.yaml", "quickstart/b.yaml", "-n", "300", "--trials", "4", "--cooldown", "20ms", "--test", "welch")
	c := r.Comparisons[0]
	if c.DecidedBy != "log_welch" || c.Paired == nil || c.LogWelch == nil || c.Welch == nil {
		t.Errorf("decided by %s; paired %v, log-Welch %v, Welch %v", c.DecidedBy, c.Paired, c.LogWelch, c.Welch)
	}
}

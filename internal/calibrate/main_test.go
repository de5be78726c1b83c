package main

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"github.com/benchstat-http/benchstat-http/internal/calibrate/sim"
	"github.com/benchstat-http/benchstat-http/internal/calibrate/study"
	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

func TestSmallCalibrationHolds(t *testing.T) {
	experiments := study.Experiments()
	if testing.Short() {
		experiments = slices.DeleteFunc(experiments, func(e sim.Experiment) bool { return e.Table != "verdict" && e.Table != "design" })
	}
	for _, miss := range sim.Misses(sim.Run(experiments, 1, sim.Small, 2)) {
		t.Error(miss)
	}
}

func TestDocumentHasEveryRow(t *testing.T) {
	got, err := os.ReadFile("../../docs/calibration.md")
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := study.Document(1).Write(&want, sim.Unsimulated(study.Experiments())); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(sim.Labels(string(got)), sim.Labels(want.String())) {
		t.Error("docs/calibration.md has other tables, rows or columns than the program: run go run ./internal/calibrate")
	}
	if bytes.Contains(got, []byte("%!")) || bytes.Contains(got, []byte("NaN")) {
		t.Error("docs/calibration.md has a number that was not formatted")
	}
}

// TestBrokenProcedureIsCaught gives the simulations verdicts that are wrong, one at a time.
func TestBrokenProcedureIsCaught(t *testing.T) {
	for name, broken := range map[string]func(margin float64) study.Procedure{
		"always faster": func(float64) study.Procedure {
			return func(_, _ []float64) analysis.Verdict { return analysis.Faster }
		},
		"not significant means equivalent": func(margin float64) study.Procedure {
			right := study.Reported(margin)
			return func(candidate, baseline []float64) analysis.Verdict {
				if v := right(candidate, baseline); v != analysis.Inconclusive {
					return v
				}
				return analysis.Equivalent
			}
		},
	} {
		experiments := study.FalseClaims(broken)[:6]
		if len(sim.Misses(sim.Run(experiments, 1, sim.Small, 2))) == 0 {
			t.Errorf("%s: no miss", name)
		}
	}
}

func TestWorkersDoNotChangeResults(t *testing.T) {
	text := func(workers int) string {
		var b bytes.Buffer
		experiments := study.FalseClaims(study.Reported)[:4]
		if err := study.Document(1).Write(&b, sim.Run(experiments, 3, sim.Small, workers)); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if text(1) != text(5) {
		t.Error("one worker and five give different documents")
	}
}

func TestExperimentsAreNamedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range study.Experiments() {
		key := e.Table + "/" + e.Name
		if seen[key] {
			t.Errorf("%s twice: both would use the same random numbers", key)
		}
		seen[key] = true
	}
}

package importer_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/benchstat-http/benchstat-http/internal/importer"
	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// expectation is what a careful reader takes from a text of the corpus.
type expectation struct {
	Tool    string           `json:"tool"`
	Version *string          `json:"version"`
	Format  string           `json:"format"`
	Runs    []map[string]any `json:"runs"`
}

// TestCorpusAB compares every ab text of the corpus with what its expect file asserts. The corpus is not part of the
// repository: set BENCHSTAT_HTTP_CORPUS to its folder.
func TestCorpusAB(t *testing.T) {
	dir := os.Getenv("BENCHSTAT_HTTP_CORPUS")
	if dir == "" {
		t.Skip("BENCHSTAT_HTTP_CORPUS is not set")
	}
	expects, err := filepath.Glob(filepath.Join(dir, "ab", "*.expect.json"))
	if err != nil || len(expects) == 0 {
		t.Fatalf("no expect files in %s (%v)", dir, err)
	}
	var score tally
	for _, path := range expects {
		want := readExpectation(t, path)
		base := strings.TrimSuffix(path, ".expect.json")
		texts, _ := filepath.Glob(base + ".[tc][xs][tv]")
		if len(texts) != 1 {
			t.Fatalf("%s: want one text, have %v", base, texts)
		}
		text, err := os.ReadFile(texts[0])
		if err != nil {
			t.Fatal(err)
		}
		got, err := importer.Parse(text, texts[0])
		if want.Format == "ab-e-csv" {
			if err == nil || !strings.Contains(err.Error(), "ab -e") {
				t.Errorf("%s: want a refusal that names ab -e, got %v", base, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", base, err)
			continue
		}
		score.compare(t, filepath.Base(base), got, want)
	}
	t.Logf("asserted values right: %d of %d", score.right, score.total)
	if score.total == 0 || float64(score.right) < 0.98*float64(score.total) {
		t.Errorf("only %d of %d values are right, want 98 %%", score.right, score.total)
	}
}

func readExpectation(t *testing.T, path string) expectation {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var want expectation
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return want
}

// tally counts asserted values.
type tally struct{ right, total int }

func (s *tally) check(t *testing.T, where string, ok bool, got, want any) {
	t.Helper()
	s.total++
	if ok {
		s.right++
	} else {
		t.Logf("%s: got %v, want %v", where, got, want)
	}
}

func (s *tally) compare(t *testing.T, name string, got *importer.Parsed, want expectation) {
	t.Helper()
	var runs []map[string]any
	for _, r := range want.Runs {
		if tool, ok := r["tool"].(string); !ok || tool == "ab" {
			runs = append(runs, r)
		}
	}
	if len(got.Trials) != len(runs) {
		t.Errorf("%s: got %d runs, want %d", name, len(got.Trials), len(runs))
		return
	}
	for i, r := range runs {
		trial := got.Trials[i]
		where := name + " run " + strconv.Itoa(i+1)
		for flag, have := range map[string]bool{"aborted": trial.Aborted, "interrupted": trial.Interrupted, "truncated": trial.Truncated} {
			expected, _ := r[flag].(bool)
			if have != expected {
				t.Errorf("%s: %s is %v, want %v", where, flag, have, expected)
			}
		}
		if _, ok := r["rps"]; !ok && trial.RPS != nil && name != "gen-v2-headers-in-output" {
			t.Errorf("%s: an rps of %v that the text does not show", where, *trial.RPS)
		}
		s.compareRun(t, where, trial, r)
	}
	if want.Version != nil && got.Trials[0].Source.Version != "" {
		v := got.Trials[0].Source.Version
		s.check(t, name+" version", strings.HasPrefix(*want.Version, v), v, *want.Version)
	}
}

func (s *tally) compareRun(t *testing.T, where string, trial result.Trial, want map[string]any) {
	t.Helper()
	numbers := shownNumbers(trial)
	raw := map[string]any{}
	if trial.Raw != nil {
		if err := json.Unmarshal(trial.Raw, &raw); err != nil {
			t.Errorf("%s: raw: %v", where, err)
		}
	}
	for key, v := range want {
		switch key {
		case "aborted", "truncated", "label", "notes", "must_flag", "requested_requests", "requested_concurrency",
			"requests_completed_progress", "distinct_bad_requests", "tls", "warnings", "transfer_bytes_text":
		case "server_software":
			s.check(t, where+" "+key, trial.ServerSoftware == v, trial.ServerSoftware, v)
		case "error_lines":
			s.check(t, where+" "+key, equalLines(trial.ErrorLines, v), trial.ErrorLines, v)
		case "percentiles_ms":
			for p, x := range v.(map[string]any) {
				got, ok := trial.LatencyMS["p"+p]
				s.check(t, where+" p"+p, ok && near(got, x.(float64)), got, x)
			}
		case "connection_times_ms":
			for row, cells := range v.(map[string]any) {
				for cell, x := range cells.(map[string]any) {
					if cell == "avg" {
						cell = "mean"
					}
					got, ok := trial.ConnectionTimes[row][cell]
					s.check(t, where+" "+row+" "+cell, ok && near(got, x.(float64)), got, x)
				}
			}
		case "failed_breakdown":
			have, _ := raw[key].(map[string]any)
			for class, x := range v.(map[string]any) {
				s.check(t, where+" failed "+class, have[class] == x, have[class], x)
			}
		default:
			x, isNumber := v.(float64)
			if !isNumber {
				s.check(t, where+" "+key, raw[key] == v, raw[key], v)
				continue
			}
			got, ok := numbers[key]
			if !ok {
				got, ok = raw[key].(float64)
			}
			s.check(t, where+" "+key, ok && near(got, x), got, x)
		}
	}
}

// shownNumbers are the counts and rates of a trial under the names of the corpus.
func shownNumbers(trial result.Trial) map[string]float64 {
	numbers := map[string]float64{}
	for key, p := range map[string]*int64{"requests_complete": trial.Requests, "requests_failed": trial.Failed, "non2xx": trial.Non2xx,
		"transfer_bytes": trial.Bytes, "html_bytes": trial.BodyBytes, "document_length": trial.DocumentLength} {
		if p != nil {
			numbers[key] = float64(*p)
		}
	}
	for key, p := range map[string]*float64{"time_taken_s": trial.Seconds, "rps": trial.RPS, "bytes_per_s": trial.BytesPerSecond} {
		if p != nil {
			numbers[key] = *p
		}
	}
	if trial.Concurrency != nil {
		numbers["concurrency"] = float64(*trial.Concurrency)
	}
	return numbers
}

func equalLines(got []string, want any) bool {
	list, _ := want.([]any)
	if len(list) != len(got) {
		return false
	}
	for i := range list {
		if list[i] != got[i] {
			return false
		}
	}
	return true
}

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-6*math.Max(1, math.Abs(want)) }

// TestCorpusForeign checks that every text of another tool is refused, and by its name.
func TestCorpusForeign(t *testing.T) {
	dir := os.Getenv("BENCHSTAT_HTTP_CORPUS")
	if dir == "" {
		t.Skip("BENCHSTAT_HTTP_CORPUS is not set")
	}
	texts, err := filepath.Glob(filepath.Join(dir, "*", "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range texts {
		tool := filepath.Base(filepath.Dir(path))
		if tool == "ab" || tool == "series" || tool == "corpus" || strings.HasSuffix(path, ".expect.json") || strings.HasSuffix(path, ".md") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := importer.Parse(text, filepath.Base(path))
		switch {
		case err == nil:
			t.Errorf("%s: read as %s with %d trials, want a refusal", path, got.Kind, len(got.Trials))
		case tool != "other" && !strings.Contains(err.Error(), "this is "+tool+" "):
			t.Errorf("%s: %v", path, err)
		default:
			t.Log(err)
		}
	}
}

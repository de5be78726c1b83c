//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestExact(t *testing.T) {
	x := make([]float64, 1001)
	for i := range x {
		x[i] = float64(1000 - i)
	}
	if q := exact(x); q != (quantiles{500, 900, 990, 999, 1000}) {
		t.Errorf("%v", q)
	}
	if q := exact(nil); q != (quantiles{}) {
		t.Errorf("%v of nothing", q)
	}
}

// The truth counts from when a request was due, whatever clock the server's account starts from.
func TestTruthOf(t *testing.T) {
	file := filepath.Join(t.TempDir(), "truth")
	started := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	text := `{"law":"constant","started":"2026-01-02T03:04:04Z"}
{"request":1,"arrival_ns":1002500000,"completion_ns":1004500000}
{"request":2,"arrival_ns":1007500000,"completion_ns":1017500000}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := truthOf(file, started)
	if err != nil || o.Requests != 2 || o.Response[4] != 10e6 || o.Service[4] != 10e6 || o.Response[0] != 6e6 {
		t.Errorf("%+v, %v", o, err)
	}
	if _, err := truthOf(file+"?", started); err == nil {
		t.Error("no error for a missing file")
	}
}

func TestDocument(t *testing.T) {
	o := outcome{Requests: 20000, Seconds: 10, CPU: 2, Lag: quantiles{1000, 2000, 3000, 4000, 5000}, Response: quantiles{7e6, 7e6, 7e6, 7e6, 7e6}}
	page := document([]kept{{2000, kindNative, []outcome{o}}, {2000, kindSpin, []outcome{o}}},
		told{truth: []outcome{{Response: quantiles{6e6}}}, open: []outcome{o}, closed: []outcome{o}}, 1, 10)
	for _, want := range []string{
		"| native | 1 | 1.0 [1.0, 1.0] | 3.0 [3.0, 3.0] | 4.0 [4.0, 4.0] | 5.0 [5.0, 5.0] | 2000.00 [2000.00, 2000.00] | 0.20 [0.20, 0.20] |",
		"| p50 | 6.00 [6.00, 6.00] | 7.00 [7.00, 7.00] | 1.00 [1.00, 1.00] |",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
}

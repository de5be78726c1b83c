package runner

import (
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

func counted(ok, failed int64, errors map[string]int64) result.Measurement {
	return result.Measurement{Requests: new(ok + failed), OK: new(ok), Failed: new(failed), Errors: errors}
}

func TestJudge(t *testing.T) {
	aborted := counted(0, 100, map[string]int64{"connect-refused": 100})
	aborted.Aborted = true
	stopped := counted(50, 0, nil)
	stopped.Interrupted = true
	for _, test := range []struct {
		name      string
		m         result.Measurement
		maxFailed float64
		want      string // "" = valid
	}{
		{"all ok", counted(100, 0, map[string]int64{"timeout": 0}), 0.001, ""},
		{"at the limit", counted(999, 1, map[string]int64{"reset": 1}), 0.001, ""},
		{"at a limit that is no binary fraction", counted(7, 3, map[string]int64{"reset": 3}), 0.3, ""},
		{"above the limit", counted(998, 2, map[string]int64{"reset": 1, "timeout": 1}), 0.001, "2 of 1000 requests failed (reset: 1, timeout: 1), limit 0.1 %"},
		{"no failure allowed", counted(9, 1, nil), 0, "1 of 10 requests failed, limit 0 %"},
		{"all failed", counted(0, 10000, map[string]int64{"status": 10000}), 0.001, "10000 of 10000 requests failed (status: 10000), limit 0.1 %"},
		{"most frequent first", counted(0, 9, map[string]int64{"dns": 2, "tls": 7, "unfinished": 5}), 0.5, "9 of 9 requests failed (tls: 7, dns: 2), limit 50 %"},
		{"all may fail", counted(0, 5, map[string]int64{"status": 5}), 1, "no request succeeded: 5 of 5 requests failed (status: 5)"},
		{"nothing", counted(0, 0, nil), 0.001, "no request ended"},
		{"missing", result.Measurement{}, 0.001, "no request ended"},
		{"interrupted", stopped, 0.001, "interrupted before its end"},
		{"aborted", aborted, 0.001, "aborted: 100 of 100 requests failed (connect-refused: 100)"},
		{"aborted with nothing", result.Measurement{Aborted: true}, 0.001, "aborted before any request ended"},
	} {
		valid, because := Judge(test.m, test.maxFailed)
		if valid != (test.want == "") || because != test.want {
			t.Errorf("%s: %v %q, want %q", test.name, valid, because, test.want)
		}
	}
}

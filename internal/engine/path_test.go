package engine

import (
	"testing"
)

// The trial says which path sent it; TLS takes the portable one.
func TestPathIsRecorded(t *testing.T) {
	s := canned(t, okReply, false)
	r := run{cfg: &Config{Concurrency: 1, Requests: 1}, target: &target{addrs: []string{s.addr}}}
	r.choosePath()
	r.path.close()
	for path, want := range map[string]string{"": r.name, pathPortable: pathPortable} {
		if m := measure(t, Config{Path: path, URL: s.url}); m.Path != want || m.Engine != "native" {
			t.Errorf("path %q of engine %q, want %q", m.Path, m.Engine, want)
		}
	}
}

//go:build linux && !portable

package engine

import "testing"

func TestLinuxTakesEpoll(t *testing.T) {
	s := canned(t, okReply, false)
	if m := measure(t, Config{URL: s.url}); m.Path != pathFast {
		t.Errorf("path %q, want %q", m.Path, pathFast)
	}
}

func TestShare(t *testing.T) {
	for _, c := range [][2]int{{1, 1}, {10, 3}, {50, 7}} {
		sum := 0
		for i := range c[1] {
			n := share(c[0], c[1], i)
			sum += n
			if n < c[0]/c[1] || n > c[0]/c[1]+1 {
				t.Errorf("share(%d, %d, %d) = %d", c[0], c[1], i, n)
			}
		}
		if sum != c[0] {
			t.Errorf("shares of %d sum to %d", c[0], sum)
		}
	}
}

func TestSockaddr(t *testing.T) {
	for _, s := range []string{"127.0.0.1:80", "[::1]:8080", "[fe80::1%1]:1"} {
		if a, ok := newSockaddr(s); !ok || a.name != s {
			t.Errorf("%s: %+v, %v", s, a, ok)
		}
	}
	for _, s := range []string{"localhost:80", "[fe80::1%no-such-device]:1", ""} {
		if _, ok := newSockaddr(s); ok {
			t.Errorf("%s is an address", s)
		}
	}
}

package engine

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// dues lists when the first n requests of c are due.
func dues(c Config, n int) []int64 {
	a := newArrivals(&c)
	var out []int64
	for at, ok := a.due(); ok && len(out) < n; at, ok = a.due() {
		out = append(out, at)
		a.next()
	}
	return out
}

func TestConstantArrivals(t *testing.T) {
	got := dues(Config{Rate: 4, Requests: 4}, 9)
	if want := []int64{125e6, 375e6, 625e6, 875e6}; !slices.Equal(got, want) {
		t.Errorf("due at %v, want %v", got, want)
	}
	// What is due at the end does not come; n = rate × duration do.
	if n := len(dues(Config{Rate: 2000, Duration: 10 * time.Second}, 1e6)); n != 20000 {
		t.Errorf("%d arrivals in 10 s at 2000/s", n)
	}
	// No rounding error adds up: after 10⁷ arrivals at a rate that divides nothing the next one is still exact.
	c := Config{Rate: 7777.7, Requests: 1e7 + 1}
	a := newArrivals(&c)
	for range int(1e7) {
		a.next()
	}
	if at, _ := a.due(); math.Abs(float64(at)-(1e7+0.5)*1e9/7777.7) > 1 {
		t.Errorf("arrival 10⁷ is due at %d", at)
	}
}

func TestPoissonArrivals(t *testing.T) {
	const n = 200_000
	c := Config{Rate: 1000, Requests: n, Arrivals: result.ArrivalsPoisson, Seed: 7}
	got := dues(c, n)
	if len(got) != n || !slices.IsSorted(got) {
		t.Fatalf("%d arrivals, sorted %v", len(got), slices.IsSorted(got))
	}
	// The gaps' mean and standard deviation are both 1 ms, and a share of 1/e is longer than that; each within five
	// standard errors for this seed.
	var sum, squares, longer float64
	before := int64(0)
	for _, at := range got {
		gap := float64(at-before) / 1e6
		before = at
		sum += gap
		squares += gap * gap
		if gap > 1 {
			longer++
		}
	}
	mean := sum / n
	sd := math.Sqrt(squares/n - mean*mean)
	if se := 1 / math.Sqrt(n); math.Abs(mean-1) > 5*se || math.Abs(sd-1) > 10*se || math.Abs(longer/n-1/math.E) > 5*se {
		t.Errorf("gaps: mean %v ms, standard deviation %v ms, %v of them above 1 ms", mean, sd, longer/n)
	}
	if !slices.Equal(got, dues(c, n)) {
		t.Error("the same seed gives other arrivals")
	}
	c.Seed = 8
	if slices.Equal(got[:100], dues(c, 100)) {
		t.Error("another seed gives the same arrivals")
	}
}

// openPaths are the paths that the open loop is tried on.
var openPaths = []string{"", pathPortable}

func TestOpenLoopSendsExactlyN(t *testing.T) {
	for _, v := range variants {
		for _, arrivals := range []string{"", result.ArrivalsPoisson} {
			t.Run(fmt.Sprintf("%s/%v/%s", v.path, v.keep, arrivals), func(t *testing.T) {
				s := canned(t, okReply, false)
				m := measure(t, Config{Path: v.path, URL: s.url, KeepAlive: v.keep, Requests: 403, Concurrency: 9, Rate: 2000, Arrivals: arrivals, Seed: 3})
				wantErrors(t, m, nil)
				if s.requests.Load() != 403 || *m.OK != 403 || m.Schedule.Unsent != 0 {
					t.Errorf("server read %d requests, ok %d, %+v", s.requests.Load(), *m.OK, m.Schedule)
				}
				if m.Total != nil || m.Response.Sum < m.Service.Sum {
					t.Errorf("response times %+v, service times %+v, total %v", m.Response, m.Service, m.Total)
				}
				if arrivals == "" && *m.Seconds < 403/2000.0 {
					t.Errorf("%v s for 403 requests at 2000/s", *m.Seconds)
				}
				if v.keep && m.Connections.Opened > 9 || !v.keep && m.Connections.Opened != 403 {
					t.Errorf("%+v", m.Connections)
				}
			})
		}
	}
}

// A server that stalls is not waited for: what is due meanwhile is sent when a connection is free, and measured from
// when it was due.
func TestOpenLoopCountsTheStall(t *testing.T) {
	const stall = 400 * time.Millisecond
	for _, path := range openPaths {
		t.Run(path, func(t *testing.T) {
			s := listen(t, func(s *server, c net.Conn) {
				r := bufio.NewReader(c)
				for s.read(r) != nil {
					if s.requests.Load() == 100 {
						time.Sleep(stall)
					}
					if _, err := io.WriteString(c, okReply); err != nil {
						return
					}
				}
			})
			m := measure(t, Config{Path: path, URL: s.url, KeepAlive: true, Requests: 400, Concurrency: 1, Rate: 500})
			wantErrors(t, m, nil)
			if m.Connections.Opened != 1 || m.Schedule.Queued < 100 || time.Duration(m.Schedule.Wait.Max) < stall/2 {
				t.Errorf("%+v, %+v", m.Connections, m.Schedule)
			}
			// During 0.4 s 200 requests were due; half of them waited for more than half of it.
			if p, _ := m.Response.Quantile(0.75); time.Duration(p) < stall/4 {
				t.Errorf("third quartile of response times %v", time.Duration(p))
			}
			if p, _ := m.Service.Quantile(0.75); time.Duration(p) > stall/4 {
				t.Errorf("third quartile of service times %v", time.Duration(p))
			}
		})
	}
}

// Connections grow to the limit, and no further.
func TestOpenLoopGrowsToTheLimit(t *testing.T) {
	for _, path := range openPaths {
		t.Run(path, func(t *testing.T) {
			release := make(chan struct{})
			s := listen(t, func(s *server, c net.Conn) {
				r := bufio.NewReader(c)
				for s.read(r) != nil {
					if s.requests.Load() == 7 {
						close(release)
					}
					<-release
					if _, err := io.WriteString(c, okReply); err != nil {
						return
					}
				}
			})
			m := measure(t, Config{Path: path, URL: s.url, KeepAlive: true, Requests: 60, Concurrency: 7, Rate: 1000})
			wantErrors(t, m, nil)
			if m.Connections.Opened != 7 || s.conns.Load() != 7 {
				t.Errorf("%+v, server saw %d", m.Connections, s.conns.Load())
			}
		})
	}
}

// A kept connection that the server ends while it is idle is replaced, and no request fails for it.
func TestOpenLoopReplacesIdleConnections(t *testing.T) {
	for _, path := range openPaths {
		t.Run(path, func(t *testing.T) {
			s := canned(t, okReply, true)
			m := measure(t, Config{Path: path, URL: s.url, KeepAlive: true, Requests: 20, Concurrency: 1, Rate: 40})
			if m.Connections.Opened < 15 || m.Connections.Lost < 15 || *m.OK < 15 {
				t.Errorf("ok %d, %+v, errors %v", *m.OK, m.Connections, m.Errors)
			}
			if lost := m.Connections.Lost; lost > 20 || m.Connections.Opened > 20 {
				t.Errorf("%+v", m.Connections)
			}
		})
	}
}

func TestOpenLoopEndsOnTime(t *testing.T) {
	for _, path := range openPaths {
		t.Run(path, func(t *testing.T) {
			s := canned(t, okReply, false)
			m := measure(t, Config{Path: path, URL: s.url, KeepAlive: true, Duration: 300 * time.Millisecond, Concurrency: 5, Rate: 1000})
			if *m.Seconds < 0.3 || *m.Requests+m.Errors[string(result.ErrUnfinished)]+m.Schedule.Unsent != 300 {
				t.Errorf("%v s, %d requests, errors %v, %+v", *m.Seconds, *m.Requests, m.Errors, m.Schedule)
			}
			// The rate is far below one arrival in the time given: nothing is due, and the run takes its time all the same.
			m = measure(t, Config{Path: path, URL: s.url, Duration: 100 * time.Millisecond, Concurrency: 1, Rate: 0.1})
			if *m.Requests != 0 || *m.Seconds < 0.1 {
				t.Errorf("%d requests in %v s", *m.Requests, *m.Seconds)
			}
		})
	}
}

// What is in flight at the end is unfinished, and what is due but not sent is counted too.
func TestOpenLoopOfAHangingServer(t *testing.T) {
	for _, path := range openPaths {
		t.Run(path, func(t *testing.T) {
			s := listen(t, func(s *server, c net.Conn) { _, _ = io.Copy(io.Discard, c) })
			m := measure(t, Config{Path: path, URL: s.url, KeepAlive: true, Duration: 250 * time.Millisecond, Concurrency: 3, Rate: 400})
			wantErrors(t, m, map[result.ErrorClass]int64{result.ErrUnfinished: 3})
			if m.Schedule.Sent != 3 || m.Schedule.Unsent < 90 || m.Schedule.Unsent > 97 || m.CensoredTotal.N() != 3 {
				t.Errorf("%+v, censored %+v", m.Schedule, m.CensoredTotal)
			}
		})
	}
}

func TestOpenLoopOfADeadTarget(t *testing.T) {
	for _, path := range openPaths {
		t.Run(path, func(t *testing.T) {
			s := canned(t, okReply, false)
			s.stop()
			m := measure(t, Config{Path: path, URL: s.url, Requests: 100_000, Concurrency: 10, Rate: 1000})
			if !m.Aborted || *m.Requests < 100 || *m.Requests > 200 {
				t.Errorf("aborted %v after %d requests", m.Aborted, *m.Requests)
			}
		})
	}
}

func TestOpenLoopIsInterrupted(t *testing.T) {
	for _, path := range openPaths {
		t.Run(path, func(t *testing.T) {
			s := canned(t, okReply, false)
			ctx, cancel := context.WithCancel(t.Context())
			c := Config{Path: path, URL: s.url, Requests: 1000, Concurrency: 10, Rate: 10, KeepAlive: true, Progress: func(done int64) {
				if done > 0 {
					cancel()
				}
			}}
			m, err := Run(ctx, c)
			if err != nil || !m.Interrupted || *m.Requests == 1000 {
				t.Errorf("%v, interrupted %v, %d requests", err, m.Interrupted, *m.Requests)
			}
			checkSums(t, c, m)
		})
	}
}

func TestOpenLoopRefusesNonsense(t *testing.T) {
	for _, c := range []Config{{Rate: math.NaN()}, {Rate: -1}, {Rate: math.Inf(1)}, {Rate: 1, Arrivals: "bursts"}} {
		c.URL, c.Requests, c.Concurrency = "http://127.0.0.1:1/", 1, 1
		if _, err := Run(t.Context(), c); err == nil {
			t.Errorf("rate %v, arrivals %q: no error", c.Rate, c.Arrivals)
		}
	}
}

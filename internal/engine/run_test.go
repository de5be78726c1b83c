package engine

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

const okReply = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

// variants are the ways to use connections.
var variants = []struct {
	path string
	keep bool
}{{"", false}, {"", true}, {pathPortable, false}, {pathPortable, true}}

// TestConformance runs every way to end a reply over every way to use connections, and counts on both sides.
func TestConformance(t *testing.T) {
	cases := []struct {
		name    string
		reply   string
		method  string
		closing bool
		expect  *int
		status  string
		body    int64
		reused  bool // with keep-alive, connections carry more than one request
	}{
		{"content length", okReply, "GET", false, nil, "200", 5, true},
		{"chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;e\r\nhel\r\n2\r\nlo\r\n0\r\nT: x\r\n\r\n", "GET", false, nil, "200", 5, true},
		{"to close", "HTTP/1.1 200 OK\r\n\r\nhello", "GET", true, nil, "200", 5, false},
		{"to close 1.0", "HTTP/1.0 200 OK\r\n\r\nhello", "GET", true, nil, "200", 5, false},
		{"announced close", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello", "GET", true, nil, "200", 5, false},
		{"head", "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n", "HEAD", false, nil, "200", 0, true},
		{"204", "HTTP/1.1 204 No Content\r\n\r\n", "DELETE", false, nil, "204", 0, true},
		{"304", "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", "GET", false, new(304), "304", 0, true},
		{"interim", "HTTP/1.1 100 Continue\r\n\r\n" + okReply, "POST", false, nil, "200", 5, true},
		{"500", "HTTP/1.1 500 Oops\r\nContent-Length: 5\r\n\r\nhello", "GET", false, new(500), "500", 5, true},
		{"surplus", okReply + "surplus", "GET", false, nil, "200", 5, false},
	}
	for _, c := range cases {
		for _, v := range variants {
			t.Run(fmt.Sprintf("%s/%s/keep=%v", c.name, v.path, v.keep), func(t *testing.T) {
				keep := v.keep
				s := canned(t, c.reply, c.closing)
				m := measure(t, Config{
					Path: v.path, URL: s.url, Method: c.method, KeepAlive: keep, Requests: 137, Concurrency: 4,
					Expect: result.Expect{Status: c.expect},
				})
				wantErrors(t, m, nil)
				if *m.OK != 137 || s.requests.Load() != 137 || m.Status[c.status] != 137 {
					t.Errorf("ok %d, server saw %d, status %v; want 137", *m.OK, s.requests.Load(), m.Status)
				}
				if *m.BodyBytes != 137*c.body || *m.DocumentLength != c.body || *m.BodyLengthMin != c.body || *m.BodyLengthMax != c.body {
					t.Errorf("body bytes %d, lengths %d %d %d, want %d each", *m.BodyBytes, *m.DocumentLength, *m.BodyLengthMin, *m.BodyLengthMax, c.body)
				}
				conns := int64(137)
				if keep && c.reused {
					conns = s.conns.Load()
					if conns < 1 || conns > 4 {
						t.Errorf("%d connections, want 1 … 4", conns)
					}
				}
				if s.conns.Load() != conns || m.Connect.N() != conns {
					t.Errorf("server saw %d connections, %d connect times, want %d", s.conns.Load(), m.Connect.N(), conns)
				}
				if m.Remote != s.addr {
					t.Errorf("remote %q, want %q", m.Remote, s.addr)
				}
				if c.name == "content length" && *m.Bytes != 137*int64(len(c.reply)) {
					t.Errorf("bytes %d, want %d", *m.Bytes, 137*len(c.reply))
				}
			})
		}
	}
}

func TestRequestsAreCountedExactly(t *testing.T) {
	s := canned(t, okReply, false)
	for _, n := range []int64{1, 2, 7, 100, 1009} {
		for _, c := range []int{1, 3, 10, 200} {
			before := s.requests.Load()
			m := measure(t, Config{URL: s.url, KeepAlive: true, Requests: n, Concurrency: c})
			if got := s.requests.Load() - before; *m.OK != n || got != n {
				t.Errorf("n %d, c %d: ok %d, server saw %d", n, c, *m.OK, got)
			}
		}
	}
}

func TestHTTP10KeepAlive(t *testing.T) {
	s := canned(t, "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi", false)
	m := measure(t, Config{URL: s.url, HTTP: "1.0", KeepAlive: true, Requests: 50, Concurrency: 1})
	if *m.OK != 50 || s.conns.Load() != 1 {
		t.Errorf("ok %d over %d connections, want 50 over 1", *m.OK, s.conns.Load())
	}
}

func TestDuration(t *testing.T) {
	s := canned(t, okReply, false)
	m := measure(t, Config{URL: s.url, KeepAlive: true, Duration: 250 * time.Millisecond, Concurrency: 3})
	unfinished := m.Errors["unfinished"]
	if *m.OK < 1 || *m.Failed != 0 || unfinished > 3 {
		t.Errorf("ok %d, failed %d, unfinished %d", *m.OK, *m.Failed, unfinished)
	}
	if seen := s.requests.Load(); seen < *m.OK || seen > *m.OK+unfinished {
		t.Errorf("server saw %d, want %d … %d", seen, *m.OK, *m.OK+unfinished)
	}
	if *m.Seconds < 0.25 {
		t.Errorf("%v seconds, want 0.25", *m.Seconds)
	}
}

func TestDurationEndsWhileNothingAnswers(t *testing.T) {
	s := hang(t)
	within(t, 5*time.Second, func() {
		m := measure(t, Config{URL: s.url, Duration: 100 * time.Millisecond, Concurrency: 3})
		wantErrors(t, m, map[result.ErrorClass]int64{result.ErrUnfinished: 3})
		if *m.Requests != 0 || m.Aborted {
			t.Errorf("requests %d, aborted %v", *m.Requests, m.Aborted)
		}
	})
}

// hang reads requests and never answers.
func hang(t *testing.T) *server {
	t.Helper()
	return listen(t, func(s *server, c net.Conn) {
		r := bufio.NewReader(c)
		for s.read(r) != nil {
		}
	})
}

func TestCancel(t *testing.T) {
	s := hang(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for s.requests.Load() < 5 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	within(t, 5*time.Second, func() {
		c := Config{URL: s.url, Requests: 1000, Concurrency: 5, Timeout: time.Minute}
		m, err := Run(ctx, c)
		if err != nil {
			t.Fatal(err)
		}
		checkSums(t, c, m)
		if !m.Interrupted || m.Aborted {
			t.Errorf("interrupted %v, aborted %v", m.Interrupted, m.Aborted)
		}
		wantErrors(t, m, map[result.ErrorClass]int64{result.ErrUnfinished: 5})
	})
}

func TestCancelledBeforeStart(t *testing.T) {
	s := canned(t, okReply, false)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m, err := Run(ctx, Config{URL: s.url, Requests: 1 << 40, Concurrency: 2})
	if err != nil || !m.Interrupted {
		t.Errorf("interrupted %v, error %v", m.Interrupted, err)
	}
}

func TestProgressEndsAtTheTotal(t *testing.T) {
	s := canned(t, okReply, false)
	var last atomic.Int64
	measure(t, Config{URL: s.url, Requests: 77, Progress: func(n int64) {
		if n < last.Load() {
			t.Errorf("progress went from %d back to %d", last.Load(), n)
		}
		last.Store(n)
	}})
	if last.Load() != 77 {
		t.Errorf("last progress %d, want 77", last.Load())
	}
}

func TestExpectations(t *testing.T) {
	const sum = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824" // printf hello | sha256sum
	reply := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n1\r\nl\r\n2\r\nlo\r\n0\r\n\r\n"
	cases := []struct {
		name   string
		expect result.Expect
		class  result.ErrorClass
	}{
		{"status", result.Expect{Status: new(200)}, ""},
		{"other status", result.Expect{Status: new(204)}, result.ErrStatus},
		{"length", result.Expect{Length: new(int64(5))}, ""},
		{"other length", result.Expect{Length: new(int64(6))}, result.ErrLength},
		{"sha256", result.Expect{SHA256: strings.ToUpper(sum)}, ""},
		{"other sha256", result.Expect{SHA256: strings.Repeat("0", 64)}, result.ErrAssertion},
		{"contains across chunks", result.Expect{Contains: "ell"}, ""},
		{"contains all", result.Expect{Contains: "hello"}, ""},
		{"contains one", result.Expect{Contains: "o"}, ""},
		{"contains not", result.Expect{Contains: "hello!"}, result.ErrAssertion},
		{"contains and sha256", result.Expect{Contains: "lo", SHA256: sum, Length: new(int64(5)), Status: new(200)}, ""},
	}
	s := canned(t, reply, false)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := measure(t, Config{URL: s.url, KeepAlive: true, Requests: 20, Expect: c.expect})
			if c.class == "" {
				wantErrors(t, m, nil)
				return
			}
			wantErrors(t, m, map[result.ErrorClass]int64{c.class: 20})
			if *m.OK != 0 || m.Aborted || m.FailedTotal.N() != 20 || *m.Non2xx != 0 {
				t.Errorf("ok %d, aborted %v, total %d, non2xx %d", *m.OK, m.Aborted, m.FailedTotal.N(), *m.Non2xx)
			}
		})
	}
}

func TestErrorStatusIsMeasuredToTheEnd(t *testing.T) {
	s := canned(t, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", false)
	m := measure(t, Config{URL: s.url, KeepAlive: true, Requests: 500})
	wantErrors(t, m, map[result.ErrorClass]int64{result.ErrStatus: 500})
	if *m.Non2xx != 500 || *m.RPS != 0 || m.Aborted || m.Status["404"] != 500 {
		t.Errorf("non2xx %d, rps %v, aborted %v, status %v", *m.Non2xx, *m.RPS, m.Aborted, m.Status)
	}
}

func TestLargeBodyStreamsInConstantMemory(t *testing.T) {
	const size, pieces = 64 << 20, 64
	for name, head := range map[string]string{
		"length":  fmt.Sprintf("Content-Length: %d\r\n\r\n", size),
		"chunked": "Transfer-Encoding: chunked\r\n\r\n",
		"close":   "\r\n",
	} {
		s := listen(t, func(s *server, c net.Conn) {
			r := bufio.NewReader(c)
			piece := make([]byte, size/pieces)
			for s.read(r) != nil {
				_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n"+head)
				for range pieces {
					if name == "chunked" {
						_, _ = fmt.Fprintf(c, "%x\r\n", len(piece))
					}
					if _, err := c.Write(piece); err != nil {
						return
					}
					if name == "chunked" {
						_, _ = io.WriteString(c, "\r\n")
					}
				}
				if name == "chunked" {
					_, _ = io.WriteString(c, "0\r\n\r\n")
				}
				if name == "close" {
					return
				}
			}
		})
		for _, expect := range []result.Expect{{}, {Contains: "\x00\x00"}} {
			for _, path := range []string{"", pathPortable} {
				bytes := allocated(func() {
					m := measure(t, Config{Path: path, URL: s.url, KeepAlive: true, Requests: 2, Concurrency: 1, Expect: expect})
					if *m.OK != 2 || *m.BodyBytes != 2*size || *m.BodyLengthMin != size || *m.Bytes < 2*size {
						t.Errorf("%s, path %q: ok %d, body bytes %d, %v", name, path, *m.OK, *m.BodyBytes, m.Errors)
					}
				})
				if bytes > 16<<20 {
					t.Errorf("%s, path %q: %d bytes allocated for bodies of %d", name, path, bytes, size)
				}
			}
		}
	}
}

// TestManyConnections shares connections over loops, and requests over connections.
func TestManyConnections(t *testing.T) {
	s := canned(t, okReply, false)
	m := measure(t, Config{URL: s.url, KeepAlive: true, Requests: 3001, Concurrency: 700})
	wantErrors(t, m, nil)
	if *m.OK != 3001 || s.requests.Load() != 3001 || m.Connect.N() != s.conns.Load() || s.conns.Load() > 700 {
		t.Errorf("ok %d, server saw %d requests on %d connections, %d connect times", *m.OK, s.requests.Load(), s.conns.Load(), m.Connect.N())
	}
}

// TestEcho sends a body that neither side could send whole before reading.
func TestEcho(t *testing.T) {
	s := listen(t, func(s *server, c net.Conn) {
		r := bufio.NewReader(c)
		for {
			req, err := http.ReadRequest(r)
			if err != nil {
				return
			}
			_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", req.ContentLength)
			if _, err := io.Copy(c, req.Body); err != nil {
				return
			}
			s.requests.Add(1)
		}
	})
	body := []byte(strings.Repeat("benchmark ", 2<<20))
	m := measure(t, Config{
		URL: s.url, Method: "POST", Body: body, KeepAlive: true, Requests: 4,
		Expect: result.Expect{Length: new(int64(len(body)))},
	})
	wantErrors(t, m, nil)
}

func TestReplyBeforeTheRequestWasRead(t *testing.T) {
	s := listen(t, func(s *server, c net.Conn) {
		if _, err := http.ReadRequest(bufio.NewReader(c)); err != nil {
			return
		}
		s.requests.Add(1)
		_, _ = io.WriteString(c, "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
		_, _ = io.Copy(io.Discard, c) // an orderly server reads on until the client closes
	})
	m := measure(t, Config{
		URL: s.url, Method: "PUT", Body: make([]byte, 32<<20), KeepAlive: true, Requests: 4,
		Expect: result.Expect{Status: new(413)},
	})
	wantErrors(t, m, nil)
}

package engine

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// TestMain fails when a test leaves a goroutine of this package behind.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 {
		for deadline := time.Now().Add(10 * time.Second); strings.Contains(stacks(), "engine.(*"); {
			if time.Now().After(deadline) {
				_, _ = fmt.Fprintf(os.Stderr, "goroutines left behind:\n%s", stacks())
				code = 1
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	os.Exit(code)
}

// stacks is the state of all goroutines but the caller's.
func stacks() string {
	buf := make([]byte, 1<<20)
	all := string(buf[:runtime.Stack(buf, true)])
	_, others, _ := strings.Cut(all, "\n\n")
	return others
}

// server is a listener on loopback whose connections are handled by a function; it counts.
type server struct {
	url      string
	addr     string
	requests atomic.Int64 // requests read by read
	conns    atomic.Int64
	stop     func()
}

// listen serves until the test ends. handle owns the connection; it is closed when handle returns.
func listen(t testing.TB, handle func(s *server, c net.Conn)) *server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{addr: l.Addr().String(), url: "http://" + l.Addr().String() + "/"}
	var (
		mu   sync.Mutex
		open = map[net.Conn]bool{}
		all  sync.WaitGroup
		once sync.Once
	)
	s.stop = func() {
		once.Do(func() {
			_ = l.Close()
			mu.Lock()
			for c := range open {
				_ = c.Close()
			}
			mu.Unlock()
			all.Wait()
		})
	}
	t.Cleanup(s.stop)
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s.conns.Add(1)
			mu.Lock()
			open[c] = true
			mu.Unlock()
			all.Go(func() {
				handle(s, c)
				_ = c.Close()
				mu.Lock()
				delete(open, c)
				mu.Unlock()
			})
		}
	})
	return s
}

// read reads one request with its body and counts it. It returns nil at the end of the connection.
func (s *server) read(r *bufio.Reader) *http.Request {
	req, err := http.ReadRequest(r)
	if err != nil {
		return nil
	}
	if _, err := io.Copy(io.Discard, req.Body); err != nil {
		return nil
	}
	s.requests.Add(1)
	return req
}

// canned answers every request with the same bytes, and closes when the request asked for it, or always with close.
func canned(t testing.TB, reply string, closing bool) *server {
	t.Helper()
	return listen(t, func(s *server, c net.Conn) {
		r := bufio.NewReader(c)
		for {
			req := s.read(r)
			if req == nil {
				return
			}
			if _, err := io.WriteString(c, reply); err != nil || closing {
				return
			}
			if req.Close { // the client closes first
				_, _ = io.Copy(io.Discard, c)
				return
			}
		}
	})
}

// measure runs c, with limits that no healthy test meets.
func measure(t testing.TB, c Config) result.Measurement {
	t.Helper()
	if c.Timeout == 0 {
		c.Timeout = 20 * time.Second
	}
	if c.Concurrency == 0 {
		c.Concurrency = 2
	}
	if c.Requests == 0 && c.Duration == 0 {
		c.Requests = 10
	}
	m, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	checkSums(t, c, m)
	return m
}

// checkSums asserts what must hold for every measurement.
func checkSums(t testing.TB, c Config, m result.Measurement) {
	t.Helper()
	if *m.Requests != *m.OK+*m.Failed {
		t.Errorf("requests %d, want ok %d + failed %d", *m.Requests, *m.OK, *m.Failed)
	}
	if c.Duration == 0 && !m.Aborted && !m.Interrupted && *m.Requests != c.Requests {
		t.Errorf("requests %d, want %d", *m.Requests, c.Requests)
	}
	var failed, ok int64
	for class, n := range m.Errors {
		if class != string(result.ErrUnfinished) {
			failed += n
		}
	}
	if failed != *m.Failed {
		t.Errorf("errors %v sum to %d, want failed %d", m.Errors, failed, *m.Failed)
	}
	checkHistograms(t, c, m)
	for _, n := range m.Intervals.Counts {
		ok += n
	}
	if ok != *m.OK {
		t.Errorf("intervals sum to %d, want ok %d", ok, *m.OK)
	}
	if *m.Failed > 0 && m.FirstError == "" {
		t.Error("failures without first error")
	}
	if m.T10 != nil && (*m.T10 <= 0 || *m.T10 > *m.Seconds || *m.TLastIssue > *m.Seconds) {
		t.Errorf("t10 %v, last issue %v, of %v s", *m.T10, *m.TLastIssue, *m.Seconds)
	}
}

// checkHistograms asserts that every attempt has its latency in one of the distributions.
func checkHistograms(t testing.TB, c Config, m result.Measurement) {
	t.Helper()
	count := func(h *result.Histogram) int64 {
		if h == nil {
			return 0
		}
		return h.N()
	}
	total := m.Total
	if c.Rate > 0 {
		total = m.Service
		if n := count(m.Response); n != *m.OK {
			t.Errorf("response times of %d requests, want ok %d", n, *m.OK)
		}
		s := m.Schedule
		if s.Sent != *m.Requests+m.Errors[string(result.ErrUnfinished)] || count(s.Lag)+count(s.Wait) != s.Sent || count(s.Wait) != s.Queued {
			t.Errorf("schedule %+v, of requests %d and errors %v", s, *m.Requests, m.Errors)
		}
	}
	if n := count(total); n != *m.OK {
		t.Errorf("latencies of %d requests, want ok %d", n, *m.OK)
	}
	dns := m.Errors[string(result.ErrDNS)]
	lost := m.Errors[string(result.ErrUnfinished)] + *m.Failed
	if n := count(m.FailedTotal) + count(m.CensoredTotal); n != lost || dns > 0 && count(m.FailedTotal) != dns {
		t.Errorf("latencies of %d failures, want %d", n, lost)
	}
}

// wantErrors asserts the failures by class.
func wantErrors(t testing.TB, m result.Measurement, want map[result.ErrorClass]int64) {
	t.Helper()
	if len(m.Errors) != len(want) {
		t.Fatalf("errors %v (%s), want %v", m.Errors, m.FirstError, want)
	}
	for class, n := range want {
		if m.Errors[string(class)] != n {
			t.Fatalf("errors %v (%s), want %v", m.Errors, m.FirstError, want)
		}
	}
}

// within fails the test when f takes longer than a generous limit.
func within(t testing.TB, limit time.Duration, f func()) {
	t.Helper()
	start := time.Now()
	f()
	if took := time.Since(start); took > limit {
		t.Errorf("took %v, want less than %v", took, limit)
	}
}

var errSplit = errors.New("no more bytes")

// splitter returns data in pieces whose sizes cycle through sizes, then err.
type splitter struct {
	data  []byte
	sizes []byte
	next  int
	err   error
}

func (s *splitter) Read(p []byte) (int, error) {
	if len(s.data) == 0 {
		return 0, s.err
	}
	n := len(s.data)
	if len(s.sizes) > 0 {
		n = min(n, int(s.sizes[s.next%len(s.sizes)])+1)
		s.next++
	}
	n = copy(p, s.data[:n])
	s.data = s.data[n:]
	return n, nil
}

func newBufio(data []byte) *bufio.Reader { return bufio.NewReader(strings.NewReader(string(data))) }

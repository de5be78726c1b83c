package demoserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// start serves until the returned function is called.
func start(t *testing.T, c Config) (url string, stop func()) {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	var config net.ListenConfig
	l, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return "http://" + l.Addr().String(), stop
}

// throughput runs n requests over c keep-alive connections, and returns requests per second.
func throughput(t *testing.T, url string, n, c int) float64 {
	t.Helper()
	began := time.Now()
	var clients sync.WaitGroup
	var left atomic.Int64 // shared: with a quota each, the last client would be measured
	left.Store(int64(n))
	for range c {
		clients.Go(func() {
			var d net.Dialer
			conn, err := d.DialContext(t.Context(), "tcp", strings.TrimPrefix(url, "http://"))
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = conn.Close() }()
			in := bufio.NewReader(conn)
			for left.Add(-1) >= 0 {
				_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
				reply, err := http.ReadResponse(in, nil)
				if err != nil {
					t.Error(err)
					return
				}
				_, err = io.Copy(io.Discard, reply.Body)
				if err = errors.Join(err, reply.Body.Close()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	clients.Wait()
	return float64(n) / time.Since(began).Seconds()
}

// A busy machine can only lower a throughput, by stalls longer than the backlog: the best of some runs is judged.
func TestThroughputRatio(t *testing.T) {
	base, _ := start(t, Config{Mean: time.Millisecond, Workers: 2, Size: 1000})
	slower, _ := start(t, Config{Mean: 1100 * time.Microsecond, Workers: 2, Size: 1000})
	var a, b float64
	for range 5 {
		a, b = max(a, throughput(t, base, 1000, 50)), max(b, throughput(t, slower, 1000, 50))
	}
	t.Logf("%.1f and %.1f requests/s of 2000 and 1818.2", a, b)
	if ratio := b / a; ratio < 0.88 || ratio > 0.94 {
		t.Errorf("ratio %.4f, want 0.909", ratio)
	}
	// A closed loop can end no sooner than the queue: the bound holds exactly.
	if a > 2000 || b > 2000/1.1 {
		t.Errorf("faster than the law allows")
	}
}

func TestReplies(t *testing.T) {
	for name, c := range map[string]Config{
		"plain":   {Size: 8690},
		"empty":   {},
		"chunked": {Size: 9000, Chunked: true},
		"close":   {Size: 10, Close: true},
		"errors":  {Size: 10, Law: ErrorRate, Probability: 1, ErrorStatus: 503},
		"status":  {Size: 10, Status: 404},
	} {
		t.Run(name, func(t *testing.T) {
			c.Mean = time.Microsecond
			url, _ := start(t, c)
			for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPost + " chunked"} {
				var body io.Reader
				if m, chunked := strings.CutSuffix(method, " chunked"); m == http.MethodPost {
					method, body = m, strings.NewReader(strings.Repeat("x", 20000))
					if chunked {
						body = io.MultiReader(body)
					}
				}
				check(t, c, url, method, body)
			}
			check(t, Config{Size: c.Size, Chunked: c.Chunked}, url+"/health", http.MethodGet, nil)
		})
	}
}

func check(t *testing.T, c Config, url, method string, body io.Reader) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	reply, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reply.Body.Close() }()
	got, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	status, size := max(200, c.Status, c.ErrorStatus), c.Size
	if method == http.MethodHead {
		size = 0
	}
	if reply.StatusCode != status || len(got) != size {
		t.Errorf("%s %s: status %d, %d bytes; want %d, %d", method, url, reply.StatusCode, len(got), status, size)
	}
	if chunked := len(reply.TransferEncoding) > 0; chunked != c.Chunked && method != http.MethodHead {
		t.Errorf("%s %s: chunked %v", method, url, chunked)
	}
}

func TestTruthHasEveryDraw(t *testing.T) {
	var truth bytes.Buffer
	url, stop := start(t, Config{Law: Exponential, Mean: 100 * time.Microsecond, Workers: 2, Seed: 5, Truth: &truth})
	throughput(t, url, 200, 4)
	stop()
	lines := json.NewDecoder(&truth)
	var head struct {
		Law  string
		Seed uint64
	}
	if err := lines.Decode(&head); err != nil || head.Law != Exponential || head.Seed != 5 {
		t.Fatalf("first line %+v, %v", head, err)
	}
	again, err := NewQueue(Config{Law: Exponential, Mean: 100 * time.Microsecond, Workers: 2, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for ; lines.More(); n++ {
		var d Draw
		if err := lines.Decode(&d); err != nil {
			t.Fatal(err)
		}
		if want := again.Admit(d.Arrival); d != want {
			t.Fatalf("line %d: %+v, want %+v", n+1, d, want)
		}
	}
	if n != 200 {
		t.Errorf("%d draws of 200", n)
	}
}

package engine

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

func TestRequestBytes(t *testing.T) {
	header := func(name, value string) []result.Header { return []result.Header{{Name: name, Value: value}} }
	cases := []struct {
		config  Config
		want    string
		persist bool
	}{
		{Config{URL: "http://h:81/a%20b?q=1#f"}, "GET /a%20b?q=1 HTTP/1.1\r\nHost: h:81\r\nUser-Agent: benchstat-http\r\nConnection: close\r\n\r\n", false},
		{Config{URL: "http://h", KeepAlive: true}, "GET / HTTP/1.1\r\nHost: h\r\nUser-Agent: benchstat-http\r\n\r\n", true},
		{Config{URL: "http://h", HTTP: "1.0"}, "GET / HTTP/1.0\r\nHost: h\r\nUser-Agent: benchstat-http\r\n\r\n", false},
		{Config{URL: "http://h", HTTP: "1.0", KeepAlive: true}, "GET / HTTP/1.0\r\nHost: h\r\nUser-Agent: benchstat-http\r\nConnection: Keep-Alive\r\n\r\n", true},
		{Config{URL: "http://[::1]:8080/", KeepAlive: true, Headers: header("host", "other")}, "GET / HTTP/1.1\r\nUser-Agent: benchstat-http\r\nhost: other\r\n\r\n", true},
		{Config{URL: "http://[fe80::1%25eth0]/", KeepAlive: true}, "GET / HTTP/1.1\r\nHost: [fe80::1]\r\nUser-Agent: benchstat-http\r\n\r\n", true},
		{Config{URL: "http://h", KeepAlive: true, Headers: header("Connection", "close")}, "GET / HTTP/1.1\r\nHost: h\r\nUser-Agent: benchstat-http\r\nConnection: close\r\n\r\n", false},
		{Config{URL: "http://h", KeepAlive: true, Method: "POST", Body: []byte("hi"), Headers: header("content-length", "2")}, "POST / HTTP/1.1\r\nHost: h\r\nUser-Agent: benchstat-http\r\ncontent-length: 2\r\n\r\nhi", true},
		{Config{URL: "http://h", KeepAlive: true, Method: "PUT", Body: []byte("hi")}, "PUT / HTTP/1.1\r\nHost: h\r\nUser-Agent: benchstat-http\r\nContent-Length: 2\r\n\r\nhi", true},
		{Config{URL: "http://u:p@h", KeepAlive: true}, "GET / HTTP/1.1\r\nHost: h\r\nUser-Agent: benchstat-http\r\nAuthorization: Basic dTpw\r\n\r\n", true},
	}
	for _, c := range cases {
		target, err := newTarget(&c.config)
		if err != nil {
			t.Fatal(err)
		}
		got, err := newRequest(&c.config, target.url)
		if err != nil {
			t.Fatal(err)
		}
		if string(got.wire) != c.want || got.persist != c.persist {
			t.Errorf("%s: got %q, persist %v; want %q, %v", c.config.URL, got.wire, got.persist, c.want, c.persist)
		}
	}
}

func TestConfigurationsThatCannotRun(t *testing.T) {
	ok := Config{URL: "http://127.0.0.1:1/", Requests: 1, Concurrency: 1}
	for name, spoil := range map[string]func(*Config){
		"scheme":         func(c *Config) { c.URL = "ftp://h/" },
		"no host":        func(c *Config) { c.URL = "http:///x" },
		"port":           func(c *Config) { c.URL = "http://h:70000/" },
		"concurrency":    func(c *Config) { c.Concurrency = 0 },
		"no load":        func(c *Config) { c.Requests = 0 },
		"timeout":        func(c *Config) { c.Timeout = -1 },
		"version":        func(c *Config) { c.HTTP = "2" },
		"sha256":         func(c *Config) { c.Expect.SHA256 = "abc" },
		"method":         func(c *Config) { c.Method = "GET /" },
		"header name":    func(c *Config) { c.Headers = []result.Header{{Name: "a b"}} },
		"header value":   func(c *Config) { c.Headers = []result.Header{{Name: "a", Value: "b\r\nc: d"}} },
		"content length": func(c *Config) { c.Headers = []result.Header{{Name: "Content-Length", Value: "3"}} },
	} {
		c := ok
		spoil(&c)
		if _, err := Run(t.Context(), c); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one line", name, err)
		}
	}
}

func TestGridKeepsEveryCompletion(t *testing.T) {
	a, b := newGrid(), newGrid()
	const n = 100000
	for i := range int64(n) {
		g := a
		if i%3 == 0 && i < n/2 { // b stays finer than a until they are merged
			g = b
		}
		g.add(i * int64(time.Millisecond))
	}
	a.merge(b)
	for _, k := range []int64{1, 10, n / 10, n / 2, n} {
		want := float64(k-1) * 1e6
		if got := float64(a.kth(k)); math.Abs(got-want) > n*1e6/(gridSlots/2) {
			t.Errorf("completion %d at %v, want %v", k, got, want)
		}
	}
	if got := a.kth(n + 1); got != 0 {
		t.Errorf("completion beyond the last at %d, want 0", got)
	}
}

func TestDistributionLosesNothing(t *testing.T) {
	a, b := newDistribution(), newDistribution()
	if a.result() != nil {
		t.Error("an empty distribution has a result")
	}
	hours := int64(3 * time.Hour)
	a.add(-5)
	a.add(1000)
	b.add(int64(time.Hour))
	b.add(hours)
	b.add(hours / 2)
	a.merge(b)
	h := a.result()
	if h.N() != 5 || h.Min != 0 || h.Max != hours || h.Sum != 1000+int64(time.Hour)+hours+hours/2 {
		t.Errorf("n %d, min %d, max %d, sum %d", h.N(), h.Min, h.Max, h.Sum)
	}
	if err := h.Validate(); err != nil {
		t.Error(err)
	}
	if last := h.Counts[len(h.Counts)-1]; last != [2]int64{hours, 2} {
		t.Errorf("last bucket %v, want what lies beyond the histogram under the exact maximum", last)
	}
	if !slices.IsSortedFunc(h.Counts, func(x, y [2]int64) int { return int(x[0]>>1 - y[0]>>1) }) {
		t.Error("bounds do not ascend")
	}
}

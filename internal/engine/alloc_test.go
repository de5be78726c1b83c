package engine

import (
	"fmt"
	"io"
	"net"
	"runtime"
	"testing"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// allocated is how many bytes f allocates, in all goroutines.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

const typicalReply = "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Mon, 30 Nov 2026 21:15:13 GMT\r\n" +
	"Content-Type: text/html\r\nContent-Length: 12\r\nLast-Modified: Mon, 30 Nov 2026 20:00:00 GMT\r\n" +
	"Connection: keep-alive\r\nETag: \"6754a2f0-c\"\r\nAccept-Ranges: bytes\r\n\r\nhello, world"

// again returns its text with every read, for ever.
type again string

func (a again) Read(p []byte) (int, error) { return copy(p, a), nil }

// parseAndRecord is a worker whose server is a string: what is left is the client's own work per reply.
func parseAndRecord(reply string, expect result.Expect) func() {
	r := &run{cfg: &Config{Expect: expect}, req: &request{persist: true}, base: time.Now()}
	w := newWorker(r, newBuffers(), newRecorder(false))
	w.buf.attach(again(reply))
	return func() {
		w.check.begin()
		if err := w.buf.readReply(&w.reply, false, w.check.sink); err != nil {
			panic(err)
		}
		w.complete(w.now(), -1)
	}
}

func TestParseAndRecordAllocateNothing(t *testing.T) {
	chunked := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nT: 1\r\n\r\n"
	for _, reply := range []string{typicalReply, chunked} {
		for _, expect := range []result.Expect{{}, {Contains: "hello"}, {Status: new(404)}, {SHA256: fmt.Sprintf("%064d", 0)}} {
			if n := testing.AllocsPerRun(1000, parseAndRecord(reply, expect)); n != 0 {
				t.Errorf("%v allocations per reply, want 0 (expect %+v)", n, expect)
			}
		}
	}
}

// echoCanned answers every read of a connection with the reply, without allocating.
func echoCanned(t testing.TB, reply string) *server {
	t.Helper()
	return listen(t, func(_ *server, c net.Conn) {
		buf, answer := make([]byte, 4096), []byte(reply)
		for {
			if _, err := c.Read(buf); err != nil {
				return
			}
			if _, err := c.Write(answer); err != nil {
				return
			}
		}
	})
}

func TestKeptConnectionsAllocateNothingPerRequest(t *testing.T) {
	s := echoCanned(t, typicalReply)
	for _, path := range []string{"", pathPortable} {
		mallocs := func(n int64) uint64 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			measure(t, Config{Path: path, URL: s.url, KeepAlive: true, Requests: n, Concurrency: 4})
			runtime.ReadMemStats(&after)
			return after.Mallocs - before.Mallocs
		}
		mallocs(100)
		few, many := mallocs(100), mallocs(10100)
		if perRequest := float64(int64(many-few)) / 10000; perRequest > 0.02 {
			t.Errorf("path %q: %.3f allocations per request, want 0", path, perRequest)
		}
	}
}

func BenchmarkParseAndRecord(b *testing.B) {
	step := parseAndRecord(typicalReply, result.Expect{})
	b.ReportAllocs()
	for b.Loop() {
		step()
	}
}

func BenchmarkParse(b *testing.B) {
	buf := newBuffer(time.Now(), nil)
	buf.attach(again(typicalReply))
	var p reply
	b.ReportAllocs()
	for b.Loop() {
		if err := buf.readReply(&p, false, nil); err != nil {
			b.Fatal(err)
		}
		buf.settle()
	}
}

// BenchmarkTrial is a whole trial of 20,000 requests on kept connections; us/request is the CPU time of client and
// canned server together.
func BenchmarkTrial(b *testing.B) {
	s := echoCanned(b, typicalReply)
	const n = 20000
	var cpu float64
	for b.Loop() {
		m := measure(b, Config{URL: s.url, KeepAlive: true, Requests: n, Concurrency: 50})
		if m.ClientCPUSeconds != nil {
			cpu += *m.ClientCPUSeconds
		}
	}
	b.ReportMetric(cpu/float64(b.N)/n*1e6, "us/request")
}

var _ io.Reader = again("")

package drivertest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// serve accepts connections on loopback until the test ends, handles each, and returns the URL. The handler gets a
// channel that is closed when the test is over.
func serve(t *testing.T, handle func(c net.Conn, over <-chan struct{})) string {
	t.Helper()
	var config net.ListenConfig
	l, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	var handlers sync.WaitGroup
	handlers.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			handlers.Go(func() {
				defer func() { _ = c.Close() }()
				handle(c, over)
			})
		}
	})
	t.Cleanup(func() {
		close(over)
		_ = l.Close()
		handlers.Wait()
	})
	return "http://" + l.Addr().String() + "/"
}

// reply answers one request with fixed bytes, and closes.
func reply(text string) func(net.Conn, <-chan struct{}) {
	return func(c net.Conn, _ <-chan struct{}) {
		if r, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
			_, _ = io.Copy(io.Discard, r.Body)
			_, _ = io.WriteString(c, text)
		}
	}
}

// hang reads the request and never answers.
func hang(c net.Conn, over <-chan struct{}) {
	_, _ = http.ReadRequest(bufio.NewReader(c))
	<-over
}

// refusing returns the URL of a port that nothing listens on.
func refusing(t *testing.T) string {
	t.Helper()
	var config net.ListenConfig
	l, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return "http://" + l.Addr().String() + "/"
}

func (s suite) refused(t *testing.T) {
	m := s.run(t, Job(refusing(t), 300, 5))
	if *m.OK != 0 || *m.Requests == 0 || m.Errors[string(result.ErrConnectRefused)] != *m.Failed {
		t.Errorf("requests %d, ok %d, errors %v; want connect-refused alone", *m.Requests, *m.OK, m.Errors)
	}
	if !m.Aborted {
		t.Error("not aborted, though the first max(c, 100) attempts failed")
	}
	if m = s.run(t, Job(refusing(t), 7, 2)); *m.Failed != 7 {
		t.Errorf("failed %d, want 7: a failed connect uses up one request", *m.Failed)
	}
}

func (s suite) broken(t *testing.T) {
	for _, test := range []struct {
		name    string
		handle  func(net.Conn, <-chan struct{})
		classes []result.ErrorClass
	}{
		{"closes at once", func(net.Conn, <-chan struct{}) {}, []result.ErrorClass{result.ErrReset, result.ErrWrite}},
		{"closes before the reply", reply(""), []result.ErrorClass{result.ErrReset}},
		{
			"closes within the header", reply("HTTP/1.1 200 OK\r\nContent-"),
			[]result.ErrorClass{result.ErrTruncated, result.ErrProtocol},
		},
		{"closes within the body", reply("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"), []result.ErrorClass{result.ErrTruncated}},
		{
			"closes within a chunk", reply("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nA\r\n12345"),
			[]result.ErrorClass{result.ErrTruncated},
		},
		{"garbage", reply("\x16\x03\x01\x02 this is not HTTP\r\n\r\n"), []result.ErrorClass{result.ErrProtocol}},
		{"hangs", hang, []result.ErrorClass{result.ErrTimeout}},
		{"error status", reply("HTTP/1.1 500 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"), []result.ErrorClass{result.ErrStatus}},
	} {
		t.Run(test.name, func(t *testing.T) {
			job := Job(serve(t, test.handle), 6, 2)
			job.Load.TimeoutSeconds = 0.2
			failed(t, s.run(t, job), 6, test.classes...)
		})
	}
}

// dies checks a server that answers ten requests and then closes every connection without a word.
func (s suite) dies(t *testing.T) {
	var served atomic.Int64
	good := reply("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
	url := serve(t, func(c net.Conn, over <-chan struct{}) {
		if served.Add(1) <= 10 {
			good(c, over)
		}
	})
	m := s.run(t, Job(url, 50, 2))
	if *m.OK != 10 || *m.Failed != 40 {
		t.Errorf("ok %d, failed %d (%v); want 10 and 40", *m.OK, *m.Failed, m.Errors)
	}
}

// request checks that the method, the headers and the body of the target are what is sent.
func (s suite) request(t *testing.T) {
	got := make(chan string, 100)
	url := serve(t, func(c net.Conn, _ <-chan struct{}) {
		r, err := http.ReadRequest(bufio.NewReader(c))
		if err != nil {
			return
		}
		body, _ := io.ReadAll(r.Body)
		got <- fmt.Sprintf("%s %s %s %q", r.Method, r.URL.RequestURI(), r.Header.Get("X-Probe"), body)
		_, _ = io.WriteString(c, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
	})
	job := Job(url+"path?q=1", 3, 1)
	job.Target.Request = result.Request{
		Method: "POST", HTTP: "1.1", Body: []byte("payload"), Headers: []result.Header{{Name: "X-Probe", Value: "yes"}},
	}
	replies(t, s.run(t, job), 3, "204")
	for range 3 {
		if text := <-got; text != `POST /path?q=1 yes "payload"` {
			t.Errorf("the server got %s", text)
		}
	}
}

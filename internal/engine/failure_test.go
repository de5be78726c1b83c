package engine

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// resets makes c's close a reset.
func resets(c net.Conn) { _ = c.(*net.TCPConn).SetLinger(0) }

func TestFailuresByClass(t *testing.T) {
	write := func(reply string) func(*server, net.Conn) {
		return func(s *server, c net.Conn) {
			if s.read(bufio.NewReader(c)) != nil {
				_, _ = io.WriteString(c, reply)
			}
		}
	}
	cases := []struct {
		name   string
		handle func(*server, net.Conn)
		class  result.ErrorClass
	}{
		{"closed before the reply", write(""), result.ErrReset},
		{"reset before the reply", func(s *server, c net.Conn) {
			s.read(bufio.NewReader(c))
			resets(c)
		}, result.ErrReset},
		{"truncated header", write("HTTP/1.1 200 OK\r\nContent-Le"), result.ErrTruncated},
		{"truncated body", write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfirst"), result.ErrTruncated},
		{"truncated chunks", write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"), result.ErrTruncated},
		{"garbage", write("SSH-2.0-OpenSSH_9.2\r\n"), result.ErrProtocol},
		{"hang before the reply", func(s *server, c net.Conn) { s.read(bufio.NewReader(c)); wait(c) }, result.ErrTimeout},
		{"hang in the body", func(s *server, c net.Conn) {
			s.read(bufio.NewReader(c))
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfirst")
			wait(c)
		}, result.ErrTimeout},
	}
	for _, c := range cases {
		for _, v := range variants {
			t.Run(c.name+"/"+v.path, func(t *testing.T) {
				s := listen(t, c.handle)
				m := measure(t, Config{Path: v.path, URL: s.url, Requests: 4, Concurrency: 4, Timeout: 150 * time.Millisecond, KeepAlive: v.keep})
				wantErrors(t, m, map[result.ErrorClass]int64{c.class: 4})
				if !m.Aborted || *m.OK != 0 {
					t.Errorf("aborted %v, ok %d", m.Aborted, *m.OK)
				}
			})
		}
	}
}

// wait returns when the client has closed.
func wait(c net.Conn) { _, _ = io.Copy(io.Discard, c) }

func TestResetInTheMiddleOfAReply(t *testing.T) {
	s := listen(t, func(s *server, c net.Conn) {
		s.read(bufio.NewReader(c))
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfirst")
		time.Sleep(20 * time.Millisecond) // let the client read before the reset discards what it has not
		resets(c)
	})
	m := measure(t, Config{URL: s.url, Requests: 3})
	wantErrors(t, m, map[result.ErrorClass]int64{result.ErrReset: 3})
}

func TestServerThatClosesKeptConnections(t *testing.T) {
	s := canned(t, okReply, true) // announces nothing
	m := measure(t, Config{URL: s.url, KeepAlive: true, Requests: 40, Concurrency: 1})
	// Every second request goes out on a connection that the server has closed, or is about to.
	wantErrors(t, m, map[result.ErrorClass]int64{result.ErrReset: 20})
	if *m.OK != 20 || m.Aborted {
		t.Errorf("ok %d, aborted %v", *m.OK, m.Aborted)
	}
}

// TestServerThatEndsItsSide ends its side of a kept connection after each reply, and reads on: the next request gets no
// reply, and no reset either.
func TestServerThatEndsItsSide(t *testing.T) {
	for _, path := range []string{"", pathPortable} {
		s := listen(t, func(s *server, c net.Conn) {
			if s.read(bufio.NewReader(c)) != nil {
				_, _ = io.WriteString(c, okReply)
				_ = c.(*net.TCPConn).CloseWrite()
				wait(c)
			}
		})
		within(t, 10*time.Second, func() {
			m := measure(t, Config{Path: path, URL: s.url, KeepAlive: true, Requests: 40, Concurrency: 1})
			wantErrors(t, m, map[result.ErrorClass]int64{result.ErrReset: 20})
		})
	}
}

// drip sends a reply of n body bytes, one every 10 ms.
func drip(n int) func(*server, net.Conn) {
	return func(s *server, c net.Conn) {
		if s.read(bufio.NewReader(c)) == nil {
			return
		}
		_, _ = io.WriteString(c, "HTTP/1.0 200 OK\r\n\r\n")
		for range n {
			time.Sleep(10 * time.Millisecond)
			if _, err := c.Write([]byte("x")); err != nil {
				return
			}
		}
	}
}

func TestSlowReplyWithProgressIsNotIdle(t *testing.T) {
	s := listen(t, drip(60))
	m := measure(t, Config{URL: s.url, Requests: 2, Timeout: 400 * time.Millisecond})
	wantErrors(t, m, nil)
	if *m.DocumentLength != 60 || m.Total.Min < int64(600*time.Millisecond) {
		t.Errorf("length %d in %d ns", *m.DocumentLength, m.Total.Min)
	}
}

func TestRequestTimeoutEndsADrippingReply(t *testing.T) {
	s := listen(t, drip(10000))
	within(t, 20*time.Second, func() {
		m := measure(t, Config{URL: s.url, Requests: 4, RequestTimeout: 200 * time.Millisecond})
		wantErrors(t, m, map[result.ErrorClass]int64{result.ErrRequestTimeout: 4})
	})
}

// closedPort is an address that nobody listens on.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	return l.Addr().String()
}

func TestRefusedFromTheStart(t *testing.T) {
	url := "http://" + closedPort(t)
	for _, c := range []struct {
		n    int64
		c    int
		want int64
	}{{10000, 1, 100}, {10000, 50, 100}, {10000, 300, 300}, {7, 3, 7}} {
		within(t, 15*time.Second, func() {
			m := measure(t, Config{URL: url, Requests: c.n, Concurrency: c.c})
			if !m.Aborted || *m.Requests < c.want || *m.Requests > c.want+int64(c.c) || *m.OK != 0 {
				t.Errorf("n %d, c %d: aborted %v after %d, want %d", c.n, c.c, m.Aborted, *m.Requests, c.want)
			}
			if m.Errors["connect-refused"] != *m.Requests || !strings.Contains(m.FirstError, "refused") {
				t.Errorf("errors %v, first %q", m.Errors, m.FirstError)
			}
			if *m.RPS != 0 || m.Total != nil || m.DocumentLength != nil {
				t.Errorf("rps %v, total %v, length %v", *m.RPS, m.Total, m.DocumentLength)
			}
		})
	}
}

func TestServerThatDiesOnTheWay(t *testing.T) {
	s := canned(t, okReply, false)
	go func() {
		for s.requests.Load() < 500 {
			time.Sleep(time.Millisecond)
		}
		s.stop()
	}()
	within(t, 30*time.Second, func() {
		m := measure(t, Config{URL: s.url, Requests: 1 << 40, Concurrency: 2})
		if !m.Aborted || *m.OK < 500 || m.Errors["connect-refused"] < 10 {
			t.Errorf("aborted %v, ok %d, errors %v", m.Aborted, *m.OK, m.Errors)
		}
	})
}

func TestServerThatHangsOnTheWay(t *testing.T) {
	s := listen(t, func(s *server, c net.Conn) {
		r := bufio.NewReader(c)
		for s.read(r) != nil {
			if s.requests.Load() > 100 {
				wait(c)
				return
			}
			_, _ = io.WriteString(c, okReply)
		}
	})
	within(t, 30*time.Second, func() {
		m := measure(t, Config{URL: s.url, KeepAlive: true, Requests: 1 << 40, Concurrency: 5, Timeout: 100 * time.Millisecond})
		if !m.Aborted || *m.OK != 100 || m.Errors["timeout"] < 5 {
			t.Errorf("aborted %v, ok %d, errors %v", m.Aborted, *m.OK, m.Errors)
		}
	})
}

func TestNameThatDoesNotResolve(t *testing.T) {
	lookups := 0
	resolve := func(_ context.Context, host string) ([]netip.Addr, error) {
		lookups++
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	m := measure(t, Config{URL: "http://nowhere.invalid/", Requests: 10000, Concurrency: 3, Resolve: resolve})
	wantErrors(t, m, map[result.ErrorClass]int64{result.ErrDNS: 100})
	if !m.Aborted || lookups != 1 || !strings.Contains(m.FirstError, "nowhere.invalid") {
		t.Errorf("aborted %v, %d look-ups, first error %q", m.Aborted, lookups, m.FirstError)
	}
}

// TestSecondAddress has a first address that refuses; every connection goes to the second.
func TestSecondAddress(t *testing.T) {
	s := canned(t, okReply, false)
	port := netip.MustParseAddrPort(s.addr).Port()
	resolve := func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("127.0.0.77"), netip.MustParseAddr("127.0.0.1")}, nil
	}
	url := "http://two.test:" + s.addr[strings.LastIndexByte(s.addr, ':')+1:] + "/"
	m := measure(t, Config{URL: url, Requests: 20, Resolve: resolve})
	wantErrors(t, m, nil)
	if want := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), port).String(); m.Remote != want {
		t.Errorf("remote %q, want %q", m.Remote, want)
	}
}

func TestClassify(t *testing.T) {
	op := func(err error) error { return &net.OpError{Op: "dial", Err: err} }
	cases := []struct {
		err  error
		at   phase
		want result.ErrorClass
	}{
		{op(syscall.EADDRNOTAVAIL), phaseConnect, result.ErrAddressUnavailable},
		{op(syscall.EMFILE), phaseConnect, result.ErrAddressUnavailable},
		{op(syscall.ECONNREFUSED), phaseConnect, result.ErrConnectRefused},
		{op(syscall.EHOSTUNREACH), phaseConnect, result.ErrConnectRefused},
		{op(syscall.ETIMEDOUT), phaseConnect, result.ErrConnectTimeout},
		{op(&net.DNSError{Err: "x"}), phaseConnect, result.ErrDNS},
		{errors.Join(op(syscall.ECONNREFUSED), op(syscall.EADDRNOTAVAIL)), phaseConnect, result.ErrAddressUnavailable},
		{io.EOF, phaseTLS, result.ErrTLS},
		{op(syscall.EPIPE), phaseWrite, result.ErrWrite},
		{op(syscall.ECONNRESET), phaseRead, result.ErrReset},
		{op(syscall.ETIMEDOUT), phaseRead, result.ErrTimeout},
		{errClosedEarly, phaseRead, result.ErrReset},
		{errTruncated, phaseRead, result.ErrTruncated},
		{errHeaderTooLong, phaseRead, result.ErrProtocol},
	}
	for _, c := range cases {
		if got := classify(c.err, c.at); got != c.want {
			t.Errorf("classify(%v, %d) = %q, want %q", c.err, c.at, got, c.want)
		}
	}
	for _, c := range []struct {
		r    reason
		at   phase
		want result.ErrorClass
	}{
		{reasonIdle, phaseConnect, result.ErrConnectTimeout},
		{reasonIdle, phaseTLS, result.ErrConnectTimeout},
		{reasonIdle, phaseRead, result.ErrTimeout},
		{reasonTooOld, phaseConnect, result.ErrRequestTimeout},
		{reasonStop, phaseRead, result.ErrUnfinished},
	} {
		if got := c.r.class(c.at); got != c.want {
			t.Errorf("reason %d at %d: class %q, want %q", c.r, c.at, got, c.want)
		}
	}
}

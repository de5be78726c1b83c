package engine

import (
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

func secureServer(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "hello")
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func TestTLS(t *testing.T) {
	s := secureServer(t)
	trusted := s.Client().Transport.(*http.Transport).TLSClientConfig
	for _, keep := range []bool{false, true} {
		m := measure(t, Config{URL: s.URL, KeepAlive: keep, Requests: 20, TLS: &tls.Config{RootCAs: trusted.RootCAs}})
		wantErrors(t, m, nil)
		if keep == (m.Connect.N() == 20) {
			t.Errorf("keep-alive %v: %d connections for 20 requests", keep, m.Connect.N())
		}
	}
}

func TestUntrustedCertificate(t *testing.T) {
	m := measure(t, Config{URL: secureServer(t).URL, Requests: 4})
	wantErrors(t, m, map[result.ErrorClass]int64{result.ErrTLS: 4})
}

func TestTLSToAPlainServer(t *testing.T) {
	s := canned(t, okReply, false)
	m := measure(t, Config{URL: "https://" + s.addr, Requests: 4})
	wantErrors(t, m, map[result.ErrorClass]int64{result.ErrTLS: 4})
}

func TestHandshakeThatHangs(t *testing.T) {
	s := listen(t, func(_ *server, c net.Conn) { wait(c) })
	m := measure(t, Config{URL: "https://" + s.addr, Requests: 2, Timeout: 150 * time.Millisecond})
	wantErrors(t, m, map[result.ErrorClass]int64{result.ErrConnectTimeout: 2})
}

package driver

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/result"
	"github.com/benchstat-http/benchstat-http/pkg/runner"
)

func TestNativeSendsTheJob(t *testing.T) {
	var good atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Method == "POST" && string(body) == "data" && r.Header.Get("X-Test") == "yes" && r.URL.Path == "/p" {
			good.Add(1)
		}
		w.WriteHeader(http.StatusCreated)
	}))
	defer s.Close()
	m, err := Native{}.Run(t.Context(), runner.Job{
		URL: s.URL + "/p",
		Target: result.Target{
			URL:     "http://127.0.0.1:{port}/p",
			Request: result.Request{Method: "POST", Headers: []result.Header{{Name: "X-Test", Value: "yes"}}, Body: []byte("data"), HTTP: "1.1"},
			Expect:  result.Expect{Status: new(201)},
		},
		Load: result.Load{Requests: 30, Concurrency: 3, KeepAlive: true, TimeoutSeconds: 30},
	})
	if err != nil {
		t.Fatal(err)
	}
	if *m.OK != 30 || good.Load() != 30 || m.Engine != "native" || *m.Concurrency != 3 {
		t.Errorf("ok %d, server saw %d, engine %q, concurrency %d", *m.OK, good.Load(), m.Engine, *m.Concurrency)
	}
}

func TestNativeRefusesWhatIsNoHTTP(t *testing.T) {
	if _, err := (Native{}).Run(t.Context(), runner.Job{URL: "ftp://127.0.0.1/", Load: result.Load{Requests: 1, Concurrency: 1}}); err == nil {
		t.Error("no error for an ftp URL")
	}
}

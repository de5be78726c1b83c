// Package drivertest checks that a runner.Driver keeps the promises of that interface, against real sockets.
package drivertest

import (
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
	"github.com/benchstat-http/benchstat-http/pkg/runner"
)

// limit is how long anything may take that should take no time at all: generous, because machines under test are busy.
const limit = 20 * time.Second

// Run runs the conformance tests. Every test gets its own driver from newDriver. url must answer GET with status 200
// and a constant body, to any number of requests on any number of connections, each within a second.
func Run(t *testing.T, newDriver func() runner.Driver, url string) {
	t.Helper()
	suite := suite{newDriver, url}
	t.Run("exactly n requests", suite.exactly)
	t.Run("progress", suite.progress)
	t.Run("duration", suite.duration)
	t.Run("warm-up", suite.warmUp)
	t.Run("expected status", suite.expectStatus)
	t.Run("expected length", suite.expectLength)
	t.Run("cancel", suite.cancel)
	t.Run("cancelled before the start", suite.cancelled)
	t.Run("request header and method", suite.request)
	t.Run("refused connection", suite.refused)
	t.Run("broken servers", suite.broken)
	t.Run("server that dies", suite.dies)
	t.Run("bad URL", suite.badURL)
}

type suite struct {
	newDriver func() runner.Driver
	url       string
}

// Job returns a job of n requests with c connections: a GET that expects any 2xx, with an idle limit of 5 s.
func Job(url string, n int64, c int) runner.Job {
	load := result.Load{Requests: n, Concurrency: c, TimeoutSeconds: 5, Engine: "native"}
	return runner.Job{
		URL:  url,
		Load: load,
		Target: result.Target{
			Name: "conformance", URL: url, Load: load,
			Request: result.Request{Method: "GET", HTTP: "1.1"},
			Expect:  result.Expect{MaxFailed: 0.001},
		},
	}
}

// run runs a job to its end, within the limit.
func (s suite) run(t *testing.T, job runner.Job) result.Measurement {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), limit)
	defer stop()
	m, err := s.newDriver().Run(ctx, job)
	if err != nil {
		t.Fatalf("run: %v; what a server does is never an error", err)
	}
	if ctx.Err() != nil || m.Interrupted {
		t.Fatalf("the job did not end within %v", limit)
	}
	consistent(t, m)
	return m
}

// get is a value that every measurement made here has.
func get[T any](t *testing.T, name string, p *T) T {
	t.Helper()
	if p == nil {
		t.Fatalf("%s is missing", name)
	}
	return *p
}

// consistent checks what holds for every measurement, whatever the server did.
func consistent(t *testing.T, m result.Measurement) {
	t.Helper()
	requests, ok, failed := get(t, "requests", m.Requests), get(t, "ok", m.OK), get(t, "failed", m.Failed)
	if requests != ok+failed || requests < 0 || ok < 0 || failed < 0 {
		t.Errorf("requests %d, ok %d, failed %d: requests must be their sum", requests, ok, failed)
	}
	var classes int64
	for class, n := range m.Errors {
		if class != string(result.ErrUnfinished) {
			classes += n
		}
	}
	if classes != failed {
		t.Errorf("errors %v add up to %d, failed is %d: every failure has one class", m.Errors, classes, failed)
	}
	seconds := get(t, "seconds", m.Seconds)
	switch {
	case ok > 0 && seconds <= 0:
		t.Errorf("%d requests in %v s", ok, seconds)
	case ok > 0:
		if rps, want := get(t, "rps", m.RPS), float64(ok)/seconds; rps < want*(1-1e-9) || rps > want*(1+1e-9) {
			t.Errorf("rps %v, want ok / seconds = %v", rps, want)
		}
	}
	for name, h := range map[string]*result.Histogram{"connect": m.Connect, "wait": m.Wait, "total": m.Total, "service": m.Service, "response": m.Response} {
		if h == nil {
			continue
		}
		if err := h.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if m.Engine == "" {
		t.Error("engine is missing")
	}
}

// replies checks that every request was answered well, with the given status.
func replies(t *testing.T, m result.Measurement, n int64, status string) {
	t.Helper()
	if *m.Requests != n || *m.OK != n || *m.Failed != 0 {
		t.Errorf("requests %d, ok %d, failed %d, errors %v; want %d ok", *m.Requests, *m.OK, *m.Failed, m.Errors, n)
	}
	if want := map[string]int64{status: n}; !maps.Equal(m.Status, want) {
		t.Errorf("status %v, want %v", m.Status, want)
	}
	if m.Total != nil && m.Total.N() != n {
		t.Errorf("%d total times, want %d", m.Total.N(), n)
	}
}

func (s suite) exactly(t *testing.T) {
	for _, keep := range []bool{false, true} {
		for _, size := range []struct {
			n int64
			c int
		}{{1, 1}, {7, 3}, {100, 10}, {10, 10}, {101, 50}} {
			job := Job(s.url, size.n, size.c)
			job.Load.KeepAlive, job.Target.Load.KeepAlive = keep, keep
			m := s.run(t, job)
			replies(t, m, size.n, "200")
			if got := get(t, "concurrency", m.Concurrency); got != size.c {
				t.Errorf("concurrency %d, want %d", got, size.c)
			}
			if m.Aborted {
				t.Error("aborted, though every request succeeded")
			}
			if m.Started.IsZero() {
				t.Error("started is missing")
			}
			if non2xx := get(t, "non2xx", m.Non2xx); non2xx != 0 {
				t.Errorf("non2xx %d", non2xx)
			}
		}
	}
}

func (s suite) progress(t *testing.T) {
	job := Job(s.url, 500, 5)
	seen := make(chan int64, 10_000)
	job.Progress = func(done int64) {
		select {
		case seen <- done:
		default:
		}
	}
	replies(t, s.run(t, job), 500, "200")
	close(seen)
	for done := range seen {
		if done < 0 || done > 500 {
			t.Errorf("progress %d of 500", done)
		}
	}
}

func (s suite) duration(t *testing.T) {
	job := Job(s.url, 0, 2)
	job.Load.DurationSeconds = 0.3
	m := s.run(t, job)
	if *m.OK == 0 || *m.Failed != 0 {
		t.Errorf("ok %d, failed %d (%v); a request in flight at the end is not a failure", *m.OK, *m.Failed, m.Errors)
	}
	if *m.Seconds < 0.1 {
		t.Errorf("%v s, want about 0.3", *m.Seconds)
	}
}

func (s suite) warmUp(t *testing.T) {
	job := Job(s.url, 5, 2)
	job.Warmup = true
	replies(t, s.run(t, job), 5, "200")
}

func (s suite) expectStatus(t *testing.T) {
	job := Job(s.url, 20, 2)
	job.Target.Expect.Status = new(404)
	m := s.run(t, job)
	if *m.Failed != 20 || m.Errors[string(result.ErrStatus)] != 20 {
		t.Errorf("failed %d, errors %v; want 20 of class status", *m.Failed, m.Errors)
	}
	if m.Status["200"] != 20 {
		t.Errorf("status %v; a failed reply is still counted by its status", m.Status)
	}
}

func (s suite) expectLength(t *testing.T) {
	m := s.run(t, Job(s.url, 1, 1))
	length := get(t, "document length", m.DocumentLength)
	job := Job(s.url, 10, 2)
	job.Target.Expect.Length = new(length)
	replies(t, s.run(t, job), 10, "200")
	job.Target.Expect.Length = new(length + 1)
	if m = s.run(t, job); m.Errors[string(result.ErrLength)] != 10 {
		t.Errorf("errors %v, want 10 of class length", m.Errors)
	}
}

// stopped runs an endless job and returns what it reports after ctx ended.
func (s suite) stopped(t *testing.T, ctx context.Context, job runner.Job) result.Measurement {
	t.Helper()
	type outcome struct {
		m   result.Measurement
		err error
	}
	ended := make(chan outcome, 1)
	go func() {
		m, err := s.newDriver().Run(ctx, job)
		ended <- outcome{m, err}
	}()
	<-ctx.Done()
	select {
	case got := <-ended:
		if got.err != nil {
			t.Fatalf("run: %v; being stopped is not an error", got.err)
		}
		if !got.m.Interrupted {
			t.Error("interrupted is not set")
		}
		return got.m
	case <-time.After(limit):
		t.Fatalf("the driver still runs %v after it was told to stop", limit)
		return result.Measurement{}
	}
}

// cancelledAfter is cancelled as a signal does it, without a deadline that a dial would see coming.
func cancelledAfter(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	time.AfterFunc(d, stop)
	return ctx, stop
}

func (s suite) cancel(t *testing.T) {
	for _, keep := range []bool{false, true} {
		ctx, stop := cancelledAfter(t, 200*time.Millisecond)
		job := Job(s.url, 1<<40, 3)
		job.Load.KeepAlive = keep
		m := s.stopped(t, ctx, job)
		stop()
		consistent(t, m)
		if *m.Failed != 0 {
			t.Errorf("failed %d (%v); what the interruption cut off is no failure", *m.Failed, m.Errors)
		}
	}
	silent := serve(t, hang)
	ctx, stop := cancelledAfter(t, 100*time.Millisecond)
	defer stop()
	job := Job(silent, 10, 2)
	job.Load.TimeoutSeconds = 3600
	if m := s.stopped(t, ctx, job); *m.OK != 0 || *m.Failed != 0 {
		t.Errorf("ok %d, failed %d of a server that never answers", *m.OK, *m.Failed)
	}
}

func (s suite) cancelled(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	s.stopped(t, ctx, Job(s.url, 1<<40, 2))
}

func (s suite) badURL(t *testing.T) {
	for _, url := range []string{"", "http://", "ftp://127.0.0.1/", "http://127.0.0.1:notaport/", "http://127.0.0.1:{port}/"} {
		if _, err := s.newDriver().Run(t.Context(), Job(url, 1, 1)); err == nil {
			t.Errorf("URL %q: no error, though no load can be sent to it", url)
		}
	}
}

// failed checks that all n requests failed in one of the classes.
func failed(t *testing.T, m result.Measurement, n int64, classes ...result.ErrorClass) {
	t.Helper()
	if *m.OK != 0 || *m.Requests != n {
		t.Errorf("requests %d, ok %d; want %d failures", *m.Requests, *m.OK, n)
	}
	for class, count := range m.Errors {
		if count > 0 && !slices.Contains(classes, result.ErrorClass(class)) {
			t.Errorf("errors %v; want only %v", m.Errors, classes)
		}
	}
	if m.FirstError == "" {
		t.Error("the text of the first error is missing")
	}
}

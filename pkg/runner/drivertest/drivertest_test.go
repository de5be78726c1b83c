package drivertest_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
	"github.com/benchstat-http/benchstat-http/pkg/runner"
	"github.com/benchstat-http/benchstat-http/pkg/runner/drivertest"
)

// TestRun shows that the conformance tests can be passed, by the plainest driver that does.
func TestRun(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "hello")
	}))
	defer server.Close()
	drivertest.Run(t, func() runner.Driver { return plain{} }, server.URL)
}

// plain is a driver of one connection per request, at most 50 at a time.
type plain struct{}

func (plain) Run(ctx context.Context, job runner.Job) (result.Measurement, error) {
	u, err := url.Parse(job.URL)
	if err != nil || u.Scheme != "http" || u.Host == "" {
		return result.Measurement{}, fmt.Errorf("send load: bad URL %q", job.URL)
	}
	r := &plainRun{job: job, url: u, m: result.Measurement{
		Started: time.Now(), Engine: "plain", Concurrency: new(job.Load.Concurrency), Non2xx: new(int64(0)),
		Status: map[string]int64{}, Errors: map[string]int64{},
	}}
	load, stop := ctx, context.CancelFunc(func() {})
	if job.Load.DurationSeconds > 0 {
		load, stop = context.WithCancel(ctx)
		time.AfterFunc(time.Duration(job.Load.DurationSeconds*float64(time.Second)), stop)
		r.job.Load.Requests = 1 << 40
	}
	defer stop()
	var workers sync.WaitGroup
	for range job.Load.Concurrency {
		workers.Go(func() { r.work(load) })
	}
	workers.Wait()
	seconds := time.Since(r.m.Started).Seconds()
	r.m.Seconds, r.m.Requests, r.m.OK, r.m.Failed = &seconds, new(r.ok+r.failed), &r.ok, &r.failed
	r.m.RPS = new(float64(r.ok) / seconds)
	r.m.Interrupted = ctx.Err() != nil
	return r.m, nil
}

type plainRun struct {
	job                runner.Job
	url                *url.URL
	mu                 sync.Mutex
	m                  result.Measurement
	issued, ok, failed int64
}

func (r *plainRun) work(ctx context.Context) {
	for ctx.Err() == nil {
		r.mu.Lock()
		all := r.issued >= r.job.Load.Requests || r.m.Aborted
		r.issued++
		r.mu.Unlock()
		if all {
			return
		}
		status, length, class, err := r.once(ctx)
		r.mu.Lock()
		if ctx.Err() == nil || err == nil {
			r.count(status, length, class, err)
		}
		r.mu.Unlock()
	}
}

func (r *plainRun) count(status int, length int64, class result.ErrorClass, err error) {
	if status != 0 {
		r.m.Status[strconv.Itoa(status)]++
		r.m.DocumentLength = &length
	}
	if class == "" {
		r.ok++
	} else {
		r.failed++
		r.m.Errors[string(class)]++
		r.m.FirstError = fmt.Sprint(class, err)
		r.m.Aborted = r.ok == 0 && r.failed >= 100 && class == result.ErrConnectRefused
	}
	if r.job.Progress != nil {
		r.job.Progress(r.ok + r.failed)
	}
}

// once sends one request and says what became of it.
func (r *plainRun) once(ctx context.Context) (status int, length int64, class result.ErrorClass, err error) {
	var dialer net.Dialer
	c, err := dialer.DialContext(ctx, "tcp", r.url.Host)
	if err != nil {
		return 0, 0, result.ErrConnectRefused, err
	}
	defer func() { _ = c.Close() }()
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	_ = c.SetDeadline(time.Now().Add(time.Duration(r.job.Load.TimeoutSeconds * float64(time.Second))))
	request := r.job.Target.Request
	head := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nContent-Length: %d\r\n", request.Method, r.url.RequestURI(), r.url.Host, len(request.Body))
	for _, h := range request.Headers {
		head += h.Name + ": " + h.Value + "\r\n"
	}
	if _, err := io.WriteString(c, head+"\r\n"+string(request.Body)); err != nil {
		return 0, 0, result.ErrWrite, err
	}
	br := bufio.NewReader(c)
	if _, err := br.Peek(1); err != nil {
		return 0, 0, classify(err, result.ErrReset), err
	}
	reply, err := http.ReadResponse(br, nil)
	if err != nil {
		return 0, 0, classify(err, result.ErrProtocol), err
	}
	defer func() { _ = reply.Body.Close() }()
	length, err = io.Copy(io.Discard, reply.Body)
	if err != nil {
		return 0, 0, classify(err, result.ErrTruncated), err
	}
	return reply.StatusCode, length, r.judge(reply.StatusCode, length), nil
}

func (r *plainRun) judge(status int, length int64) result.ErrorClass {
	expect := r.job.Target.Expect
	switch {
	case expect.Status != nil && status != *expect.Status, expect.Status == nil && status/100 != 2:
		return result.ErrStatus
	case expect.Length != nil && length != *expect.Length:
		return result.ErrLength
	}
	return ""
}

func classify(err error, otherwise result.ErrorClass) result.ErrorClass {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return result.ErrTimeout
	case errors.Is(err, syscall.ECONNRESET):
		return result.ErrReset
	case strings.Contains(err.Error(), "unexpected EOF"):
		return result.ErrTruncated
	}
	return otherwise
}

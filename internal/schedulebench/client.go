//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"time"

	"golang.org/x/sys/unix"

	"github.com/benchstat-http/benchstat-http/internal/engine"
	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// The kinds of client.
const (
	kindNative   = "native"
	kindPortable = "native, portable path"
	kindSpin     = "thread that only looks at the clock"
	kindTimer    = "thread that sleeps whole milliseconds"
	kindClosed   = "closed loop"
)

// job is what a client is told to do.
type job struct {
	Kind   string
	URL    string
	Rate   float64
	Length time.Duration
	Conns  int
}

// outcome is what a client found. Times are ns.
type outcome struct {
	Started  time.Time
	Requests int64
	Seconds  float64
	CPU      float64
	Lag      quantiles // from due to sent
	Response quantiles
	Service  quantiles
}

// quantiles are p50, p90, p99, p99.9 and the maximum, in ns.
type quantiles [5]int64

var levels = [...]float64{0.5, 0.9, 0.99, 0.999}

func quantilesOf(h *result.Histogram) quantiles {
	var q quantiles
	if h == nil {
		return q
	}
	for i, level := range levels {
		q[i], _ = h.Quantile(level)
	}
	q[len(levels)] = h.Max
	return q
}

// obey carries out a job and prints the outcome.
func obey(ctx context.Context, text string) error {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return err
	}
	var o outcome
	var err error
	switch j.Kind {
	case kindSpin, kindTimer:
		o = wait(j)
	default:
		o, err = send(ctx, j)
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(o)
}

func send(ctx context.Context, j job) (outcome, error) {
	c := engine.Config{URL: j.URL, Concurrency: j.Conns, KeepAlive: true, Timeout: time.Minute, Rate: j.Rate}
	switch j.Kind {
	case kindPortable:
		c.Path = "portable"
	case kindClosed:
		c.Rate = 0
	}
	if c.Requests = int64(j.Rate * j.Length.Seconds()); c.Rate == 0 {
		c.Duration = j.Length
	}
	m, err := engine.Run(ctx, c)
	if err != nil {
		return outcome{}, err
	}
	if *m.Failed > 0 {
		return outcome{}, fmt.Errorf("%d requests failed: %s", *m.Failed, m.FirstError)
	}
	o := outcome{Started: m.Started, Requests: *m.Requests, Seconds: *m.Seconds}
	if m.ClientCPUSeconds != nil {
		o.CPU = *m.ClientCPUSeconds
	}
	if m.Schedule == nil {
		o.Service = quantilesOf(m.Total)
		return o, nil
	}
	o.Lag, o.Response, o.Service = quantilesOf(m.Schedule.Lag), quantilesOf(m.Response), quantilesOf(m.Service)
	return o, nil
}

// wait keeps a schedule without sending anything.
func wait(j job) outcome {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	n := int64(j.Rate * j.Length.Seconds())
	late := make([]float64, 0, n)
	base := time.Now()
	o := outcome{Started: base, Requests: n}
	for i := range n {
		due := int64((float64(i) + 0.5) * 1e9 / j.Rate)
		for {
			left := due - int64(time.Since(base))
			if left <= 0 {
				late = append(late, float64(-left))
				break
			}
			if j.Kind == kindTimer {
				ts := unix.NsecToTimespec((left + 999_999) / 1e6 * 1e6)
				_ = unix.Nanosleep(&ts, nil) // the clock is looked at again
			}
		}
	}
	o.Seconds = time.Since(base).Seconds()
	o.Lag = exact(late)
	return o
}

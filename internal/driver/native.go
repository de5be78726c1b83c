// Package driver adapts what can send load to runner.Driver.
package driver

import (
	"context"
	"time"

	"github.com/benchstat-http/benchstat-http/internal/engine"
	"github.com/benchstat-http/benchstat-http/pkg/result"
	"github.com/benchstat-http/benchstat-http/pkg/runner"
)

// Native sends load with the built-in engine. The zero value is ready to use, by several goroutines too.
type Native struct{}

var _ runner.Driver = Native{}

// Run sends the job's load from this process and measures it. It fails only when the job describes no request that
// could be sent: a URL that is not http or https, a malformed header, no requests and no duration.
func (Native) Run(ctx context.Context, job runner.Job) (result.Measurement, error) {
	return engine.Run(ctx, config(job))
}

func config(job runner.Job) engine.Config {
	target, load := job.Target, job.Load
	return engine.Config{
		URL: job.URL, Method: target.Request.Method, Headers: target.Request.Headers,
		Body: target.Request.Body, HTTP: target.Request.HTTP,
		Requests: load.Requests, Duration: seconds(load.DurationSeconds),
		Concurrency: load.Concurrency, KeepAlive: load.KeepAlive,
		Timeout: seconds(load.TimeoutSeconds), RequestTimeout: seconds(load.RequestTimeoutSeconds),
		Rate: load.Rate, Arrivals: load.Arrivals, Seed: job.ArrivalSeed,
		Expect: target.Expect, Progress: job.Progress,
	}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

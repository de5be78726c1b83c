//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

// rates are what the schedules are tried at, per second.
var rates = []float64{2000, 10000}

// kinds are the clients whose schedules are compared.
var kinds = []string{kindNative, kindPortable, kindSpin, kindTimer}

// kept is how a client kept its schedule, in every round.
type kept struct {
	rate float64
	kind string
	runs []outcome
}

// accuracy lets every client keep every schedule.
func (b *bench) accuracy(ctx context.Context, rounds int) ([]kept, error) {
	url, stop, err := b.serve(ctx, "--law", "constant", "--mean", "1ns")
	if err != nil {
		return nil, err
	}
	defer stop()
	var out []kept
	for _, rate := range rates {
		first := len(out)
		for _, kind := range kinds {
			out = append(out, kept{rate: rate, kind: kind})
		}
		for round := range rounds {
			for i, kind := range kinds {
				o, err := b.client(ctx, job{Kind: kind, URL: url, Rate: rate, Length: b.length, Conns: 256})
				if err != nil {
					return nil, err
				}
				k := &out[first+i]
				k.runs = append(k.runs, o)
				_, _ = fmt.Fprintf(os.Stderr, "%g/s, round %d: %s: late by %d ns at p50, %d at p99\n", rate, round+1, kind, o.Lag[0], o.Lag[2])
			}
		}
	}
	return out, nil
}

// told is what clients say of a server's latency, and what is true.
type told struct {
	truth, open, closed []outcome
}

// stall is what the server does, and when.
const (
	stall      = 500 * time.Millisecond
	stallAfter = 3 * time.Second
	honestRate = 200.0
)

// honesty compares what the open loop and a closed one say of a server that stalls once with the server's own account.
func (b *bench) honesty(ctx context.Context, rounds int) (told, error) {
	var out told
	for round := range rounds {
		for _, kind := range []string{kindNative, kindClosed} {
			file := filepath.Join(b.dir, "truth")
			url, stop, err := b.serve(ctx, "--law", "lognormal", "--mean", "1ms", "--workers", "64", "--seed", fmt.Sprint(round+1),
				"--stall", stall.String(), "--stall-after", stallAfter.String(), "--truth", file)
			if err != nil {
				return out, err
			}
			conns := 1024
			if kind == kindClosed {
				conns = 1
			}
			o, err := b.client(ctx, job{Kind: kind, URL: url, Rate: honestRate, Length: b.length, Conns: conns})
			stop()
			if err != nil {
				return out, err
			}
			if kind == kindClosed {
				out.closed = append(out.closed, o)
				continue
			}
			actual, err := truthOf(file, o.Started)
			if err != nil {
				return out, err
			}
			out.open, out.truth = append(out.open, o), append(out.truth, actual)
			_, _ = fmt.Fprintf(os.Stderr, "round %d: response %v, truth %v\n", round+1, o.Response, actual.Response)
		}
	}
	return out, nil
}

// truthOf reads the server's account: for every request, from when it was due until the server had served it.
func truthOf(file string, started time.Time) (outcome, error) {
	f, err := os.Open(filepath.Clean(file))
	if err != nil {
		return outcome{}, err
	}
	defer func() { _ = f.Close() }()
	lines := json.NewDecoder(bufio.NewReader(f))
	var head struct{ Started time.Time }
	if err := lines.Decode(&head); err != nil {
		return outcome{}, err
	}
	offset := float64(head.Started.Sub(started))
	var response, service []float64
	for i := 0; lines.More(); i++ {
		var d struct {
			Arrival    float64 `json:"arrival_ns"`
			Completion float64 `json:"completion_ns"`
		}
		if err := lines.Decode(&d); err != nil {
			return outcome{}, err
		}
		due := (float64(i) + 0.5) * 1e9 / honestRate
		response = append(response, offset+d.Completion-due)
		service = append(service, d.Completion-d.Arrival)
	}
	return outcome{Requests: int64(len(response)), Response: exact(response), Service: exact(service)}, nil
}

// exact are the quantiles of single values.
func exact(x []float64) quantiles {
	var q quantiles
	sorted := slices.Sorted(slices.Values(x))
	if len(sorted) == 0 {
		return q
	}
	for i, level := range levels {
		v, err := analysis.Quantile(sorted, level)
		if err != nil {
			v = math.NaN()
		}
		q[i] = int64(v)
	}
	q[len(levels)] = int64(sorted[len(sorted)-1])
	return q
}

var listening = regexp.MustCompile(`http://\S+`)

// serve starts the demo server on its processor, on a free port.
func (b *bench) serve(ctx context.Context, args ...string) (url string, stop func(), err error) {
	cmd := exec.CommandContext(ctx, "taskset", append([]string{"-c", serverCPU, b.program, "serve", "--addr", "127.0.0.1:0"}, args...)...)
	said, err := cmd.StderrPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	}
	line, err := bufio.NewReader(said).ReadString('\n')
	if url = listening.FindString(line); err == nil && url == "" {
		err = errors.New("the server does not say where it listens: " + line)
	}
	if err != nil {
		stop()
		return "", nil, err
	}
	return url + "/", stop, nil
}

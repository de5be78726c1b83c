package runner

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// world is a driver, servers, a journal, an observer and a clock that write one log of what happened in which order.
type world struct {
	log    []string
	trials []result.Trial
	ends   []result.End
	now    time.Time

	plan    result.Plan
	measure func(job Job) (result.Measurement, error) // nil: all ok
	before  func(event string)                        // sees each event before it happens
	starts  []int
	running []bool
	noStart map[int]error // targets that do not start
	noStop  error
	died    map[int]error // targets whose servers died
	full    error         // the journal's disk
	close   error
}

func newWorld(plan result.Plan) *world {
	return &world{
		plan: plan, now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), starts: make([]int, len(plan.Targets)),
		running: make([]bool, len(plan.Targets)), noStart: map[int]error{}, died: map[int]error{},
	}
}

func (w *world) options() Options {
	return Options{
		Plan: w.plan, Driver: w, Servers: servers{w}, Journal: journal{w}, Observer: observer{w},
		Now: func() time.Time { return w.now },
		Sleep: func(ctx context.Context, d time.Duration) error {
			w.event("sleep %v", d)
			w.now = w.now.Add(d)
			return ctx.Err()
		},
	}
}

func (w *world) event(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	w.log = append(w.log, text)
	if w.before != nil {
		w.before(text)
	}
}

func (w *world) Run(ctx context.Context, job Job) (result.Measurement, error) {
	what := "load"
	if job.Warmup {
		what = "warm"
	}
	w.event("%s %s n=%d c=%d", what, job.Target.Name, job.Load.Requests, job.Load.Concurrency)
	select {
	case <-ctx.Done():
		m := counted(1, 0, nil)
		m.Interrupted = true
		return m, nil
	default:
	}
	if job.Progress != nil {
		job.Progress(1)
	}
	if w.measure != nil {
		return w.measure(job)
	}
	return allOK(job)
}

func allOK(job Job) (result.Measurement, error) {
	m := counted(job.Load.Requests, 0, nil)
	m.RPS, m.Seconds = new(1000.0), new(float64(job.Load.Requests)/1000)
	return m, nil
}

type servers struct{ *world }

func (s servers) Start(_ context.Context, i int) (string, int, error) {
	if s.running[i] {
		return s.url(i), s.starts[i], nil
	}
	s.event("start %s", s.plan.Targets[i].Name)
	if err := s.noStart[i]; err != nil {
		return "", 0, err
	}
	s.running[i] = true
	s.starts[i]++
	return s.url(i), s.starts[i], nil
}

func (s servers) url(i int) string { return fmt.Sprintf("http://127.0.0.1:%d/", 9000+i) }

func (s servers) Check(i int) error { return s.died[i] }

func (s servers) Stop(i int) error {
	s.event("stop %s", s.plan.Targets[i].Name)
	if s.noStop != nil {
		return s.noStop
	}
	s.running[i] = false
	delete(s.died, i)
	return nil
}

func (s servers) Close() error {
	s.event("close")
	return s.close
}

type journal struct{ *world }

func (j journal) Append(t *result.Trial) error {
	if j.full != nil {
		return j.full
	}
	state := "valid"
	if !t.Valid {
		state = t.InvalidBecause
	}
	j.event("disk %s %d %s", t.Target, t.Trial, state)
	j.trials = append(j.trials, *t)
	return nil
}

func (j journal) End(e result.End) error {
	j.event("end %d", e.Trials)
	j.ends = append(j.ends, e)
	return nil
}

type observer struct{ *world }

func (o observer) WarmupStarted(string, int)       {}
func (o observer) TrialStarted(string, int, int64) {}
func (o observer) TrialProgress(int64)             {}
func (o observer) TrialEnded(t result.Trial)       { o.event("show %s %d", t.Target, t.Trial) }
func (o observer) CooldownStarted(seconds float64) { o.event("cool %v", seconds) }

// plan makes a plan of targets a, b, c … with n = 100, c = 10, K = 4 and no cool-down.
func plan(t *testing.T, order string, targets, blocks int) result.Plan {
	t.Helper()
	p := result.Plan{Name: "test", Order: order, Blocks: blocks, Seed: 1, Schedule: schedule(t, order, targets, blocks, 1)}
	for i := range targets {
		p.Targets = append(p.Targets, result.Target{
			Name: string(rune('a' + i)), URL: "http://127.0.0.1:{port}/",
			Load: result.Load{Requests: 100, Concurrency: 10}, Warmup: result.Warmup{Mode: "fixed", Requests: 4},
			Expect: result.Expect{MaxFailed: 0.001},
		})
	}
	return p
}

var errFake = errors.New("fake failure")

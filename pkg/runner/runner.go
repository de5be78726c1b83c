package runner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// ErrInterrupted is wrapped by the error of Run when its context ended before the plan did.
var ErrInterrupted = errors.New("interrupted")

// abortLimit is how many aborted trials of a target it takes to give the target up.
const abortLimit = 2

// Options are what Run needs. Plan, Driver and Journal are required.
type Options struct {
	Plan     result.Plan // with its secrets: it is what is sent
	Driver   Driver
	Servers  Servers  // nil: every target is always up, at the URL of the plan
	Journal  Journal  // its experiment line is written already
	Observer Observer // nil: nobody is told

	// Done are the trials that exist already, in the order measured: what Remaining(Plan, Done) lists is run.
	Done []result.Trial
	// Redact hides secrets in what a trial records; nil hides those that the plan itself shows.
	Redact *result.Redactor

	Sleep func(ctx context.Context, d time.Duration) error // nil: real time; returns ctx's error when it ends first
	Now   func() time.Time                                 // nil: time.Now
}

// Summary is what a call of Run did.
type Summary struct {
	Trials    int // trials recorded by this call, whatever became of them
	Valid     int // of these, those that count
	Aborted   int // of these, those given up or skipped
	Skipped   int // of the aborted, those for which no load was sent because the target was given up
	Remaining int // places of the plan still not filled
}

// Run measures every trial that the plan still lacks, in the plan's order, and writes the end line.
//
// Before each trial it brings the target's servers into the state that the plan asks for and sends the warm-up, of
// which nothing is counted: a warm-up that fails does not stop the trial. A trial is judged, put into the journal, and
// only then shown to the observer; after the cool-down the next follows. A server found dead before a trial is started
// afresh, once, which the trial's note and its restart number tell; if it does not start the trial is recorded as
// aborted. After two aborted trials of a target its remaining ones are recorded as aborted without sending anything.
//
// When ctx ends, a running trial is recorded as interrupted, no end line is written, and the error wraps
// ErrInterrupted and the cause. Other errors: a server that does not start before the first trial, a Driver that cannot
// send, a Journal that cannot write. Doubtful results are not errors. Run closes Servers in every case.
func Run(ctx context.Context, o Options) (s Summary, err error) {
	r, err := newRun(o)
	if err != nil {
		return Summary{}, err
	}
	defer func() {
		if closeErr := r.Servers.Close(); closeErr != nil && err == nil {
			err = fmt.Errorf("stop servers: %w", closeErr)
		}
	}()
	if err := r.startAll(ctx); err != nil {
		return r.summary, err
	}
	for _, slot := range r.slots {
		if err := r.fill(ctx, slot); err != nil {
			return r.summary, err
		}
	}
	err = r.Journal.End(result.End{Type: result.TypeEnd, Ended: r.Now().UTC(), Reason: "complete", Trials: len(o.Done) + r.summary.Trials})
	return r.summary, err
}

// run is the state of one call of Run.
type run struct {
	Options
	slots   []Slot
	summary Summary
	states  []state // per target
	cooling bool    // load was sent, and the cool-down after it is still to come
	loaded  bool    // this call has sent load for a trial
}

// state is what Run knows of one target.
type state struct {
	recorded int  // trials, interrupted ones included
	aborted  int  // of these
	up       bool // its servers were started
	fresh    bool // … and have not been measured since
}

func newRun(o Options) (*run, error) {
	if o.Driver == nil || o.Journal == nil {
		return nil, errors.New("run experiment: a driver and a journal are needed")
	}
	if o.Servers == nil {
		o.Servers = alwaysUp{o.Plan}
	}
	if o.Observer == nil {
		o.Observer = nobody{}
	}
	if o.Redact == nil {
		o.Redact = result.NewRedactor(o.Plan, nil)
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	r := &run{Options: o, states: make([]state, len(o.Plan.Targets))}
	index := map[string]int{}
	for i, t := range o.Plan.Targets {
		if _, twice := index[t.Name]; twice {
			return nil, fmt.Errorf("run experiment: two targets are named %q", t.Name)
		}
		index[t.Name] = i
	}
	for _, t := range o.Done {
		i, ok := index[t.Target]
		if !ok {
			return nil, fmt.Errorf("resume experiment: trial %d is of target %q, which the plan does not have", t.Trial, t.Target)
		}
		r.states[i].recorded = max(r.states[i].recorded+1, t.Trial)
		if t.Aborted && !t.Interrupted {
			r.states[i].aborted++
		}
	}
	r.slots = Remaining(o.Plan, o.Done)
	r.summary.Remaining = len(r.slots)
	return r, nil
}

// fill makes the trial of one slot.
func (r *run) fill(ctx context.Context, slot Slot) error {
	if ctx.Err() != nil {
		return interrupted(ctx)
	}
	if r.states[slot.Target].aborted >= abortLimit {
		return r.skip(slot)
	}
	if err := r.coolDown(ctx); err != nil {
		return err
	}
	ready, err := r.prepare(ctx, slot)
	if ctx.Err() != nil {
		return interrupted(ctx)
	}
	if err != nil {
		if !r.loaded && len(r.Done) == 0 {
			return fmt.Errorf("start target %s: %w", r.Plan.Targets[slot.Target].Name, err)
		}
		return r.unprepared(slot, err)
	}
	return r.measure(ctx, slot, ready)
}

// coolDown waits for what the last load left behind, if there was one.
func (r *run) coolDown(ctx context.Context) error {
	if !r.cooling {
		return nil
	}
	r.cooling = false
	if r.Plan.CooldownSeconds <= 0 {
		return nil
	}
	r.Observer.CooldownStarted(r.Plan.CooldownSeconds)
	if err := r.Sleep(ctx, time.Duration(r.Plan.CooldownSeconds*float64(time.Second))); err != nil {
		if ctx.Err() != nil {
			return interrupted(ctx)
		}
		return fmt.Errorf("wait for cool-down: %w", err)
	}
	return nil
}

func interrupted(ctx context.Context) error {
	if ctx.Err() == nil {
		return fmt.Errorf("run experiment: %w by the driver", ErrInterrupted)
	}
	return fmt.Errorf("run experiment: %w: %w", ErrInterrupted, context.Cause(ctx))
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// alwaysUp are the servers of a plan whose targets run by themselves.
type alwaysUp struct{ plan result.Plan }

func (a alwaysUp) Start(_ context.Context, i int) (string, int, error) {
	return a.plan.Targets[i].URL, 0, nil
}
func (alwaysUp) Check(int) error { return nil }
func (alwaysUp) Stop(int) error  { return nil }
func (alwaysUp) Close() error    { return nil }

// nobody observes nothing.
type nobody struct{}

func (nobody) WarmupStarted(string, int)       {}
func (nobody) TrialStarted(string, int, int64) {}
func (nobody) TrialProgress(int64)             {}
func (nobody) TrialEnded(result.Trial)         {}
func (nobody) CooldownStarted(float64)         {}

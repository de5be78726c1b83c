package runner

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

var errSignal = errors.New("signal terminated")

// measured lists the counted trials as target, block, position and whether valid.
func measured(trials []result.Trial) []string {
	var out []string
	for _, t := range trials {
		if !t.Interrupted {
			out = append(out, fmt.Sprint(t.Target, t.Block, t.Position, t.Valid))
		}
	}
	return out
}

// Wherever a run is cut off, what was on disk is whole, and resuming completes it to exactly the plan.
func TestResumeAfterEveryCut(t *testing.T) {
	for _, order := range []string{OrderRandomBlocks, OrderABBA, OrderSequential} {
		p := plan(t, order, 3, 3)
		p.CooldownSeconds = 1
		whole := newWorld(p)
		if _, err := Run(t.Context(), whole.options()); err != nil {
			t.Fatal(err)
		}
		for cut := range len(whole.log) - 2 { // all but "end" and "close"
			t.Run(fmt.Sprintf("%s cut %d at %s", order, cut, whole.log[cut]), func(t *testing.T) {
				cutAndResume(t, p, whole, cut)
			})
		}
	}
}

func cutAndResume(t *testing.T, p result.Plan, whole *world, cut int) {
	t.Helper()
	w := newWorld(p)
	ctx, stop := context.WithCancelCause(t.Context())
	w.before = func(string) {
		if len(w.log) == cut+1 {
			stop(errSignal)
		}
	}
	s, err := Run(ctx, w.options())
	if cut >= len(whole.log)-4 { // the last trial is on its way to the disk: the plan is complete
		if err != nil {
			t.Fatalf("%v, though the plan was complete", err)
		}
		return
	}
	if !errors.Is(err, ErrInterrupted) || !errors.Is(err, errSignal) {
		t.Fatalf("error %v", err)
	}
	if len(w.ends) != 0 {
		t.Error("an interrupted experiment has an end line")
	}
	if w.log[len(w.log)-1] != "close" {
		t.Error("servers were left running")
	}
	inTrial := strings.HasPrefix(whole.log[cut], "load")
	for i, x := range w.trials {
		if x.Interrupted != (inTrial && i == len(w.trials)-1) || x.Interrupted && x.Valid {
			t.Errorf("trial %d: interrupted %v, valid %v", i+1, x.Interrupted, x.Valid)
		}
	}
	resumed := newWorld(p)
	o := resumed.options()
	o.Done = w.trials
	rest, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	all := append(w.trials, resumed.trials...)
	if got, want := measured(all), measured(whole.trials); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("measured %v, want %v", got, want)
	}
	if rest.Trials != s.Remaining || rest.Remaining != 0 || resumed.ends[0].Trials != len(all) {
		t.Errorf("first %+v, then %+v, end %+v", s, rest, resumed.ends)
	}
	next := map[string]int{}
	for _, x := range all {
		if next[x.Target]++; x.Trial != next[x.Target] {
			t.Errorf("trial %d of %s is numbered %d", next[x.Target], x.Target, x.Trial)
		}
	}
}

func TestResumeCompleteExperiment(t *testing.T) {
	p := plan(t, OrderABBA, 2, 2)
	w := newWorld(p)
	if _, err := Run(t.Context(), w.options()); err != nil {
		t.Fatal(err)
	}
	again := newWorld(p)
	o := again.options()
	o.Done = w.trials
	if s, err := Run(t.Context(), o); err != nil || s != (Summary{}) {
		t.Errorf("%+v, %v", s, err)
	}
	same(t, again.log, "end 4\nclose")
}

// A target that was given up stays so after a resume, and its servers stay down.
func TestResumeRemembersAborted(t *testing.T) {
	p := plan(t, OrderABBA, 2, 3)
	w := newWorld(p)
	o := w.options()
	for block := 1; block <= 2; block++ {
		o.Done = append(o.Done, result.Trial{Target: "a", Trial: block, Block: block, Measurement: result.Measurement{Aborted: true}})
		o.Done = append(o.Done, result.Trial{Target: "b", Trial: block, Block: block, Valid: true})
	}
	if s, err := Run(t.Context(), o); err != nil || s != (Summary{Trials: 2, Valid: 1, Aborted: 1, Skipped: 1}) {
		t.Errorf("%+v, %v", s, err)
	}
	same(t, w.log, `
		start b
		disk a 3 skipped: two trials of this target were aborted
		show a 3
		warm b n=4 c=4
		load b n=100 c=10
		disk b 3 valid
		show b 3
		end 6
		close`)
}

func TestInterruptedWhileStarting(t *testing.T) {
	for name, exclusive := range map[string]bool{"shared": false, "exclusive": true} {
		p := plan(t, OrderABBA, 2, 1)
		p.Targets[0].Exclusive = exclusive
		p.Targets[1].Exclusive = exclusive
		w := newWorld(p)
		ctx, stop := context.WithCancelCause(t.Context())
		w.before = func(string) { stop(errSignal) }
		w.noStart[0] = context.Canceled
		if _, err := Run(ctx, w.options()); !errors.Is(err, ErrInterrupted) || len(w.trials) != 0 {
			t.Errorf("%s: %v, %d trials", name, err, len(w.trials))
		}
	}
}

// A driver that breaks its promise, and reports being stopped as an error or stops by itself, loses no trial.
func TestInterruptedByOddDrivers(t *testing.T) {
	w := newWorld(plan(t, OrderABBA, 2, 1))
	ctx, stop := context.WithCancelCause(t.Context())
	w.measure = func(job Job) (result.Measurement, error) {
		if job.Warmup {
			return allOK(job)
		}
		stop(errSignal)
		return counted(5, 0, nil), context.Canceled
	}
	if _, err := Run(ctx, w.options()); !errors.Is(err, errSignal) || len(w.trials) != 1 || !w.trials[0].Interrupted || w.trials[0].Valid {
		t.Errorf("%v, %+v", err, w.trials)
	}
	w = newWorld(plan(t, OrderABBA, 2, 1))
	w.measure = func(job Job) (result.Measurement, error) {
		m, err := allOK(job)
		m.Interrupted = !job.Warmup
		return m, err
	}
	if _, err := Run(t.Context(), w.options()); !errors.Is(err, ErrInterrupted) || len(w.trials) != 1 {
		t.Errorf("%v, %+v", err, w.trials)
	}
}

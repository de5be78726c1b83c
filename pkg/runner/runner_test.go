package runner

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

func same(t *testing.T, got []string, want string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(want), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	if !slices.Equal(got, lines) {
		t.Errorf("what happened:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(lines, "\n"))
	}
}

func TestRunOrderOfEvents(t *testing.T) {
	p := plan(t, OrderABBA, 2, 2)
	p.CooldownSeconds = 0.5
	w := newWorld(p)
	s, err := Run(t.Context(), w.options())
	if err != nil {
		t.Fatal(err)
	}
	same(t, w.log, `
		start a
		start b
		warm a n=4 c=4
		load a n=100 c=10
		disk a 1 valid
		show a 1
		cool 0.5
		sleep 500ms
		warm b n=4 c=4
		load b n=100 c=10
		disk b 1 valid
		show b 1
		cool 0.5
		sleep 500ms
		warm b n=4 c=4
		load b n=100 c=10
		disk b 2 valid
		show b 2
		cool 0.5
		sleep 500ms
		warm a n=4 c=4
		load a n=100 c=10
		disk a 2 valid
		show a 2
		end 4
		close`)
	if want := (Summary{Trials: 4, Valid: 4}); s != want {
		t.Errorf("summary %+v, want %+v", s, want)
	}
	second := w.trials[2]
	if second.Target != "b" || second.Trial != 2 || second.Block != 2 || second.Position != 1 || second.Restart != 1 ||
		second.URL != "http://127.0.0.1:9001/" || second.Type != "trial" {
		t.Errorf("third trial %+v", second)
	}
	if e := w.ends[0]; e.Reason != "complete" || e.Trials != 4 || e.Ended.Sub(w.now) != 0 {
		t.Errorf("end %+v", e)
	}
}

func TestRunSequentialHasNoBlocks(t *testing.T) {
	w := newWorld(plan(t, OrderSequential, 2, 2))
	if _, err := Run(t.Context(), w.options()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range w.trials {
		got = append(got, fmt.Sprintf("%s%d block %d position %d", x.Target, x.Trial, x.Block, x.Position))
	}
	same(t, got, "a1 block 0 position 0\na2 block 0 position 0\nb1 block 0 position 0\nb2 block 0 position 0")
}

func TestRunWarmUp(t *testing.T) {
	p := plan(t, OrderSequential, 3, 1)
	p.Targets[0].Warmup = result.Warmup{Mode: "none", Requests: 50}
	p.Targets[1].Warmup.Requests = 30
	p.Targets[1].Load.Requests, p.Targets[1].Load.DurationSeconds = 0, 5
	p.Targets[2].Warmup.Requests = 0
	w := newWorld(p)
	w.measure = func(job Job) (result.Measurement, error) {
		if job.Warmup {
			if job.Load.DurationSeconds != 0 || job.Progress != nil {
				t.Errorf("warm-up job %+v", job)
			}
			return result.Measurement{Aborted: true, Errors: map[string]int64{"reset": 30}}, nil
		}
		job.Load.Requests = 100
		return allOK(job)
	}
	s, err := Run(t.Context(), w.options())
	if err != nil || s.Valid != 3 {
		t.Fatalf("%+v, %v; an aborted warm-up must not spoil the trial", s, err)
	}
	warm := slices.DeleteFunc(w.log, func(e string) bool { return !strings.HasPrefix(e, "warm") })
	same(t, warm, "warm b n=30 c=10")
}

func TestRunRestarts(t *testing.T) {
	p := plan(t, OrderABBA, 2, 3)
	p.Targets[0].Restart, p.Targets[1].Restart = 1, 2
	w := newWorld(p)
	if _, err := Run(t.Context(), w.options()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range w.log {
		if verb := strings.Fields(e)[0]; verb == "start" || verb == "stop" || verb == "load" {
			got = append(got, e)
		}
	}
	same(t, got, `
		start a
		start b
		load a n=100 c=10
		load b n=100 c=10
		load b n=100 c=10
		stop a
		start a
		load a n=100 c=10
		stop a
		start a
		load a n=100 c=10
		stop b
		start b
		load b n=100 c=10`)
	restarts := []int{}
	for _, x := range w.trials {
		restarts = append(restarts, x.Restart)
	}
	if want := []int{1, 1, 1, 2, 3, 2}; !slices.Equal(restarts, want) {
		t.Errorf("restarts %v, want %v", restarts, want)
	}
}

func TestRunExclusive(t *testing.T) {
	p := plan(t, OrderABBA, 3, 2)
	p.Targets[1].Exclusive = true
	w := newWorld(p)
	w.measure = func(job Job) (result.Measurement, error) {
		want := []bool{true, false, true}
		if job.Target.Name == "b" {
			want = []bool{false, true, false}
		}
		if !slices.Equal(w.running, want) {
			t.Errorf("%s is measured with %v up, want %v", job.Target.Name, w.running, want)
		}
		return allOK(job)
	}
	s, err := Run(t.Context(), w.options())
	if err != nil || s.Valid != 6 {
		t.Fatalf("%+v, %v", s, err)
	}
}

func TestRunFailedTrials(t *testing.T) {
	w := newWorld(plan(t, OrderABBA, 2, 1))
	w.measure = func(job Job) (result.Measurement, error) {
		if job.Target.Name == "b" {
			return allOK(job)
		}
		m := counted(0, 100, map[string]int64{"status": 100})
		m.RPS, m.FirstError = new(0.0), "404 from http://u:hunter2@h/"
		return m, nil
	}
	s, err := Run(t.Context(), w.options())
	if err != nil || s != (Summary{Trials: 2, Valid: 1}) {
		t.Fatalf("%+v, %v", s, err)
	}
	a := w.trials[0]
	if a.Valid || a.RPS != nil || a.InvalidBecause != "100 of 100 requests failed (status: 100), limit 0.1 %" {
		t.Errorf("trial %+v", a)
	}
	if a.FirstError != "404 from http://u:«redacted»@h/" {
		t.Errorf("first error %q", a.FirstError)
	}
}

// A run that did not reach its end has no rate, although it got somewhere.
func TestRunAbortedHasNoRate(t *testing.T) {
	w := newWorld(plan(t, OrderABBA, 2, 1))
	w.measure = func(job Job) (result.Measurement, error) {
		m := counted(80, 20, map[string]int64{"connect-refused": 20})
		m.RPS, m.Aborted = new(80.0), job.Target.Name == "a"
		return m, nil
	}
	if _, err := Run(t.Context(), w.options()); err != nil {
		t.Fatal(err)
	}
	if a, b := w.trials[0], w.trials[1]; a.RPS != nil || *a.OK != 80 || b.RPS == nil {
		t.Errorf("aborted %+v, whole %+v", a, b)
	}
}

func TestRunGivesATargetUp(t *testing.T) {
	p := plan(t, OrderABBA, 2, 4)
	p.CooldownSeconds = 1
	w := newWorld(p)
	w.measure = func(job Job) (result.Measurement, error) {
		if job.Target.Name == "b" {
			return allOK(job)
		}
		m := counted(0, 100, map[string]int64{"connect-refused": 100})
		m.Aborted = true
		return m, nil
	}
	s, err := Run(t.Context(), w.options())
	if err != nil || s != (Summary{Trials: 8, Valid: 4, Aborted: 4, Skipped: 2}) {
		t.Fatalf("%+v, %v", s, err)
	}
	same(t, w.log[len(w.log)-15:], `
		sleep 1s
		warm b n=4 c=4
		load b n=100 c=10
		disk b 3 valid
		show b 3
		cool 1
		sleep 1s
		warm b n=4 c=4
		load b n=100 c=10
		disk b 4 valid
		show b 4
		disk a 4 skipped: two trials of this target were aborted
		show a 4
		end 8
		close`)
}

func TestRunHardErrors(t *testing.T) {
	for name, prepare := range map[string]func(*world){
		"driver": func(w *world) {
			w.measure = func(Job) (result.Measurement, error) { return result.Measurement{}, errFake }
		},
		"journal": func(w *world) { w.full = errFake },
		"load": func(w *world) {
			w.measure = func(job Job) (result.Measurement, error) {
				if job.Warmup {
					return allOK(job)
				}
				return result.Measurement{}, errFake
			}
		},
		"close": func(w *world) { w.close = errFake },
	} {
		w := newWorld(plan(t, OrderABBA, 2, 2))
		prepare(w)
		_, err := Run(t.Context(), w.options())
		if !errors.Is(err, errFake) {
			t.Errorf("%s: %v", name, err)
		}
		if name != "close" && (len(w.trials) > 0 || len(w.ends) > 0) {
			t.Errorf("%s: %d trials, %d ends", name, len(w.trials), len(w.ends))
		}
		if slices.Contains(w.log, "show a 1") != (name == "close") {
			t.Errorf("%s: a trial that is not on disk was shown: %v", name, w.log)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	p := plan(t, OrderABBA, 2, 1)
	w := newWorld(p)
	if _, err := Run(t.Context(), Options{Plan: p}); err == nil {
		t.Error("no driver: no error")
	}
	o := w.options()
	o.Done = []result.Trial{{Target: "x", Trial: 1}}
	if _, err := Run(t.Context(), o); err == nil {
		t.Error("foreign trial: no error")
	}
	o = w.options()
	o.Plan.Targets = []result.Target{p.Targets[0], p.Targets[0]}
	if _, err := Run(t.Context(), o); err == nil {
		t.Error("two targets of one name: no error")
	}
}

// With nothing injected the runner uses real time, sends to the plan's URLs, and tells nobody.
func TestRunDefaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := plan(t, OrderABBA, 2, 2)
		p.CooldownSeconds = 60
		w := newWorld(p)
		began := time.Now()
		s, err := Run(t.Context(), Options{Plan: p, Driver: w, Journal: journal{w}})
		if err != nil || s.Valid != 4 || w.trials[0].URL != "http://127.0.0.1:{port}/" || w.trials[0].Restart != 0 {
			t.Errorf("%+v, %v, %+v", s, err, w.trials)
		}
		if took := time.Since(began); took != 3*time.Minute {
			t.Errorf("three cool-downs of a minute took %v", took)
		}
		ctx, stop := context.WithTimeout(t.Context(), 90*time.Second)
		defer stop()
		w = newWorld(p)
		if _, err := Run(ctx, Options{Plan: p, Driver: w, Journal: journal{w}}); !errors.Is(err, ErrInterrupted) || len(w.trials) != 2 {
			t.Errorf("%v after %d trials, want an interruption in the second cool-down", err, len(w.trials))
		}
	})
}

func TestRunCooldownFails(t *testing.T) {
	p := plan(t, OrderABBA, 2, 1)
	p.CooldownSeconds = 1
	o := newWorld(p).options()
	o.Sleep = func(context.Context, time.Duration) error { return errFake }
	if _, err := Run(t.Context(), o); !errors.Is(err, errFake) || errors.Is(err, ErrInterrupted) {
		t.Error(err)
	}
}

func TestRemainingIgnoresOrderOfRecords(t *testing.T) {
	p := plan(t, OrderRandomBlocks, 3, 5)
	if got := Remaining(p, nil); !reflect.DeepEqual(got, Slots(p)) || len(got) != 15 {
		t.Errorf("nothing measured: %v remain", got)
	}
	done := []result.Trial{{Target: "b", Block: 4}, {Target: "a", Block: 1}, {Target: "a", Block: 1}}
	for _, s := range Remaining(p, done) {
		name := p.Targets[s.Target].Name
		if name == "b" && s.Block == 4 || name == "a" && s.Block == 1 {
			t.Errorf("%s in block %d is measured again", name, s.Block)
		}
	}
}

package runner

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

func TestRunServerDies(t *testing.T) {
	w := newWorld(plan(t, OrderSequential, 1, 3))
	w.measure = func(job Job) (result.Measurement, error) {
		if !job.Warmup && len(w.trials) == 0 {
			w.died[0] = errors.New("server php died: exit status 139\nlog: segfault")
			return counted(10, 90, map[string]int64{"reset": 90}), nil
		}
		return allOK(job)
	}
	if _, err := Run(t.Context(), w.options()); err != nil {
		t.Fatal(err)
	}
	if w.trials[0].Valid || w.trials[0].Note != "" || !w.trials[1].Valid || w.trials[1].Restart != 2 || w.trials[2].Note != "" {
		t.Errorf("trials %+v", w.trials)
	}
	if want := "server started again before this trial: server php died: exit status 139"; w.trials[1].Note != want {
		t.Errorf("note %q, want %q", w.trials[1].Note, want)
	}
}

// A server that dies while its trial goes well was not what answered to the end, or would not have answered the next
// request: the trial does not count.
func TestRunServerDiesForGood(t *testing.T) {
	w := newWorld(plan(t, OrderABBA, 2, 4))
	w.measure = func(job Job) (result.Measurement, error) {
		if job.Target.Name == "a" && !job.Warmup {
			w.died[0], w.noStart[0] = errFake, errors.New("port in use")
		}
		return allOK(job)
	}
	s, err := Run(t.Context(), w.options())
	if err != nil || s != (Summary{Trials: 8, Valid: 4, Aborted: 3, Skipped: 1}) {
		t.Fatalf("%+v, %v", s, err)
	}
	var got []string
	for _, x := range w.trials {
		if x.Target == "a" {
			got = append(got, strings.TrimSpace(fmt.Sprint(x.Trial, " ", x.Valid, " ", x.InvalidBecause)))
		}
	}
	same(t, got, `
		1 false server died during the trial: fake failure
		2 false server would not start: port in use
		3 false server would not start: port in use
		4 false skipped: two trials of this target were aborted`)
}

func TestRunStartErrors(t *testing.T) {
	for name, exclusive := range map[string]bool{"shared": false, "exclusive": true} {
		p := plan(t, OrderABBA, 2, 2)
		p.Targets[0].Exclusive, p.Targets[1].Exclusive = exclusive, exclusive
		w := newWorld(p)
		w.noStart[0] = errFake
		_, err := Run(t.Context(), w.options())
		if !errors.Is(err, errFake) || !strings.HasPrefix(err.Error(), "start target a: ") || len(w.trials) != 0 {
			t.Errorf("%s: %v, %d trials", name, err, len(w.trials))
		}
		if w.log[len(w.log)-1] != "close" {
			t.Errorf("%s: servers were not closed: %v", name, w.log)
		}
	}
}

func TestRunStopErrors(t *testing.T) {
	for name, prepare := range map[string]func(*world){
		"restart":   func(w *world) { w.plan.Targets[0].Restart = 1 },
		"exclusive": func(w *world) { w.plan.Targets[1].Exclusive = true },
		"dead":      func(w *world) { w.before = func(e string) { w.dieOn(e, "disk a 1 valid") } },
	} {
		w := newWorld(plan(t, OrderABBA, 2, 2))
		prepare(w)
		w.noStop = errFake
		s, err := Run(t.Context(), w.options())
		if err != nil || s.Aborted == 0 {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		if !slices.ContainsFunc(w.trials, func(x result.Trial) bool { return x.InvalidBecause == "server would not stop: fake failure" }) {
			t.Errorf("%s: %v", name, w.log)
		}
	}
	w := newWorld(plan(t, OrderABBA, 2, 1))
	w.noStart[0], w.noStop = errFake, errors.New("still there")
	if _, err := Run(t.Context(), w.options()); !errors.Is(err, errFake) || !strings.Contains(err.Error(), "still there") {
		t.Error(err)
	}
}

// dieOn lets the server of target a die when an event happens.
func (w *world) dieOn(event, when string) {
	if event == when {
		w.died[0] = errFake
	}
}

// stubborn servers are dead whenever they are looked at.
type stubborn struct{ servers }

func (stubborn) Check(int) error { return errFake }

func TestRunServerDiesAtOnce(t *testing.T) {
	w := newWorld(plan(t, OrderSequential, 1, 1))
	o := w.options()
	o.Servers = stubborn{servers{w}}
	if _, err := Run(t.Context(), o); !errors.Is(err, errFake) {
		t.Errorf("%v, want the server's error before the first trial", err)
	}
	if want := []string{"start a", "stop a", "start a", "close"}; !slices.Equal(w.log, want) {
		t.Errorf("%v, want %v", w.log, want)
	}
}

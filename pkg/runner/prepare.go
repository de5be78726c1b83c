package runner

import (
	"context"
	"fmt"
	"strings"
)

// ready is a target whose servers accept load.
type ready struct {
	url     string
	restart int
	note    string // what had to be done that the plan does not ask for
}

// startAll starts every target that shares the machine with the others, so that from the first block on each is
// measured beside the same neighbours. Targets that are given up or have no trial left stay down.
func (r *run) startAll(ctx context.Context) error {
	for i, t := range r.Plan.Targets {
		if t.Exclusive || r.states[i].aborted >= abortLimit || len(r.slots) == 0 {
			continue
		}
		if _, err := r.start(ctx, i); err != nil {
			if ctx.Err() != nil {
				return interrupted(ctx)
			}
			return fmt.Errorf("start target %s: %w", t.Name, err)
		}
	}
	return nil
}

// prepare brings the servers into the state that the trial of a slot needs. Its errors read as the reason why the
// trial could not be measured.
func (r *run) prepare(ctx context.Context, slot Slot) (ready, error) {
	i := slot.Target
	target, st := r.Plan.Targets[i], &r.states[i]
	if err := r.neighbours(ctx, i); err != nil {
		return ready{}, err
	}
	if st.up && !st.fresh && target.Restart > 0 && slot.Ordinal%target.Restart == 0 {
		if err := r.stop(i); err != nil {
			return ready{}, err
		}
	}
	got, err := r.start(ctx, i)
	if err != nil {
		return ready{}, err
	}
	died := r.Servers.Check(i)
	if died == nil {
		return got, nil
	}
	if err := r.stop(i); err != nil {
		return ready{}, err
	}
	if got, err = r.start(ctx, i); err != nil {
		return ready{}, err
	}
	if err := r.Servers.Check(i); err != nil {
		return ready{}, fmt.Errorf("server would not start: %w", err)
	}
	got.note = "server started again before this trial: " + firstLine(died.Error())
	return got, nil
}

// neighbours brings up or down the other targets: an exclusive target is measured alone, any other beside all targets
// that are not exclusive.
func (r *run) neighbours(ctx context.Context, i int) error {
	for j, other := range r.Plan.Targets {
		st := &r.states[j]
		switch {
		case j == i:
		case r.Plan.Targets[i].Exclusive || other.Exclusive:
			if err := r.stop(j); err != nil {
				return err
			}
		case !st.up && st.aborted < abortLimit:
			// A neighbour that does not start is found out at its own trial.
			_, _ = r.start(ctx, j)
		}
	}
	return nil
}

func (r *run) start(ctx context.Context, i int) (ready, error) {
	url, restart, err := r.Servers.Start(ctx, i)
	if err != nil {
		// What a failed start left behind must not look like a running server to the next attempt.
		r.states[i].up = true
		return ready{}, fmt.Errorf("server would not start: %w", joinStop(err, r.stop(i)))
	}
	if st := &r.states[i]; !st.up {
		st.up, st.fresh = true, true
	}
	return ready{url: url, restart: restart}, nil
}

func joinStop(err, stopErr error) error {
	if stopErr == nil {
		return err
	}
	return fmt.Errorf("%w (and %w)", err, stopErr)
}

func (r *run) stop(i int) error {
	if !r.states[i].up {
		return nil
	}
	if err := r.Servers.Stop(i); err != nil {
		return fmt.Errorf("server would not stop: %w", err)
	}
	r.states[i].up, r.states[i].fresh = false, false
	return nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

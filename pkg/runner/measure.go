package runner

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// measure sends the warm-up and the load of one trial and records it.
func (r *run) measure(ctx context.Context, slot Slot, up ready) error {
	target := r.Plan.Targets[slot.Target]
	r.states[slot.Target].fresh = false
	r.loaded, r.cooling = true, true
	if err := r.warmUp(ctx, slot, up); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return interrupted(ctx)
	}
	r.Observer.TrialStarted(target.Name, slot.Block, target.Load.Requests)
	m, err := r.Driver.Run(ctx, Job{
		Target: target, URL: up.url, Load: target.Load, ArrivalSeed: r.arrivalSeed(slot, false), Progress: r.Observer.TrialProgress,
	})
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("send load to %s: %w", target.Name, err)
	}
	m.Interrupted = m.Interrupted || err != nil
	if m.Aborted || m.Interrupted {
		m.RPS = nil // a run that did not reach its end has no rate, whatever it did until then
	}
	t := r.trial(slot, m)
	t.URL, t.Restart, t.Note = up.url, up.restart, up.note
	t.Valid, t.InvalidBecause = Judge(m, target.Expect.MaxFailed)
	if died := r.Servers.Check(slot.Target); died != nil && t.Valid {
		// Whatever answered to the end, it was not, or not only, the server of the plan.
		t.Valid, t.InvalidBecause = false, "server died during the trial: "+firstLine(died.Error())
	}
	if err := r.record(slot, t); err != nil {
		return err
	}
	if m.Interrupted {
		return interrupted(ctx)
	}
	return nil
}

// warmUp sends exactly the plan's number of requests, on as many connections as the trial will use but no more than
// there are requests.
func (r *run) warmUp(ctx context.Context, slot Slot, up ready) error {
	target := r.Plan.Targets[slot.Target]
	k := target.Warmup.Requests
	if target.Warmup.Mode == "none" || k <= 0 {
		return nil
	}
	load := target.Load
	load.Requests, load.DurationSeconds = k, 0
	load.Concurrency = int(min(int64(load.Concurrency), k))
	r.Observer.WarmupStarted(target.Name, slot.Block)
	_, err := r.Driver.Run(ctx, Job{
		Target: target, URL: up.url, Load: load, Warmup: true, ArrivalSeed: r.arrivalSeed(slot, true),
	})
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("send warm-up to %s: %w", target.Name, err)
	}
	return nil
}

// arrivalSeed follows from the plan's seed and the block, or without blocks the trial's number. It is below 2⁵³, so that
// every reader of JSON gets it whole.
func (r *run) arrivalSeed(slot Slot, warmup bool) uint64 {
	n := slot.Block
	if n == 0 {
		n = r.states[slot.Target].recorded + 1
	}
	n *= 2
	if warmup {
		n++
	}
	return rand.NewPCG(r.Plan.Seed, uint64(n)).Uint64() >> 11
}

// unprepared records a trial that could not be measured because of the target's servers.
func (r *run) unprepared(slot Slot, reason error) error {
	t := r.trial(slot, result.Measurement{Started: r.Now().UTC(), Aborted: true})
	t.InvalidBecause = reason.Error()
	return r.record(slot, t)
}

// skip records a trial of a target that was given up.
func (r *run) skip(slot Slot) error {
	t := r.trial(slot, result.Measurement{Started: r.Now().UTC(), Aborted: true})
	t.InvalidBecause = "skipped: two trials of this target were aborted"
	r.summary.Skipped++
	return r.record(slot, t)
}

// trial is the record of a slot: its place, and what was measured.
func (r *run) trial(slot Slot, m result.Measurement) result.Trial {
	if value(m.OK) <= 0 {
		m.RPS = nil // no reply, no rate: 0 would be a number that nobody measured
	}
	return result.Trial{
		Type: result.TypeTrial, Target: r.Plan.Targets[slot.Target].Name, Trial: r.states[slot.Target].recorded + 1,
		Block: slot.Block, Position: slot.Position, Measurement: m,
	}
}

// record puts a trial on disk, and only then counts it and tells the observer.
func (r *run) record(slot Slot, t result.Trial) error {
	r.Redact.Trial(&t)
	if err := r.Journal.Append(&t); err != nil {
		return fmt.Errorf("keep trial: %w", err)
	}
	st := &r.states[slot.Target]
	st.recorded++
	r.summary.Trials++
	if t.Valid {
		r.summary.Valid++
	}
	if t.Aborted && !t.Interrupted {
		st.aborted++
		r.summary.Aborted++
	}
	if !t.Interrupted {
		r.summary.Remaining--
	}
	r.Observer.TrialEnded(t)
	return nil
}

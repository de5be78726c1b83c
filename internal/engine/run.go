package engine

import (
	"context"
	"math"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// budgetBatch is how many attempts a connection takes from the shared budget at a time; near the end it takes one by
// one, so that a slow connection does not sit on requests that others could send.
const budgetBatch = 8

// progressEvery is how often Progress is called.
const progressEvery = 100 * time.Millisecond

// run is one run of load.
type run struct {
	cfg       *Config
	target    *target
	req       *request
	base      time.Time // start of the run; all times are ns since then, by the monotonic clock
	name      string
	path      path
	recorders []*recorder
	giveup    giveup
	arrivals  *arrivals // nil: closed loop

	budget atomic.Int64
	stop   atomic.Bool   // no new attempts
	quit   chan struct{} // closed at the stop: wakes pauses

	giveUp      chan struct{} // holds one element once the target is found dead
	halted      bool
	stoppedAt   int64
	expired     atomic.Bool // the path itself found the run to be over
	dead        atomic.Bool
	interrupted bool
}

// Run sends the load that c describes and returns what was measured. Whatever the server does is part of the
// measurement; the error is for a configuration that no load can be sent with. When ctx is cancelled the run stops at
// once and what was measured is returned with Interrupted set.
//
// The host name is looked up once, before the clock starts. If that fails, the attempts that a dead target gets
// (the larger of Concurrency and 100, at most Requests) are counted under "dns" without being made.
func Run(ctx context.Context, c Config) (result.Measurement, error) {
	if err := c.check(); err != nil {
		return result.Measurement{}, err
	}
	t, err := newTarget(&c)
	if err != nil {
		return result.Measurement{}, err
	}
	req, err := newRequest(&c, t.url)
	if err != nil {
		return result.Measurement{}, err
	}
	r := &run{
		cfg: &c, target: t, req: req,
		quit: make(chan struct{}), giveUp: make(chan struct{}, 1),
		arrivals: newArrivals(&c),
	}
	r.base = time.Now()
	err = r.resolve(ctx)
	if err != nil {
		r.name, r.path = pathPortable, &portable{run: r}
	} else {
		r.choosePath()
		defer r.path.close()
		r.prepare()
	}
	r.base = time.Now()
	started, cpu := r.base, cpuSeconds()
	if err != nil {
		r.unresolved(ctx, err)
	} else {
		r.load(ctx)
	}
	after := cpuSeconds() // before the bookkeeping, which is no part of the load
	m := r.measurement()
	m.Started = started.Round(0)
	if cpu != nil && after != nil {
		m.ClientCPUSeconds = new(*after - *cpu)
	}
	return m, nil
}

func (r *run) resolve(ctx context.Context) error {
	if limit := r.cfg.limit(); limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	return r.target.resolve(ctx, r.cfg.Resolve)
}

// unresolved accounts for a name that does not resolve.
func (r *run) unresolved(ctx context.Context, err error) {
	rec := newRecorder(false)
	r.recorders = []*recorder{rec}
	now := int64(time.Since(r.base))
	r.stoppedAt = now
	if ctx.Err() != nil {
		r.interrupted = true
		return
	}
	n := int64(max(r.cfg.Concurrency, firstAttempts))
	if r.cfg.Duration == 0 {
		n = min(n, r.cfg.Requests)
	}
	for range n {
		rec.fail(result.ErrDNS, now, 0, err.Error())
	}
	r.dead.Store(true)
}

// prepare makes everything that the load needs, before the clock starts: megabytes of histograms are not allocated, and
// the garbage of the run before is not collected, in the first milliseconds of a trial.
func (r *run) prepare() {
	r.giveup = giveup{conns: int64(r.cfg.connections()), limit: r.cfg.limit(), replies: r.replies}
	r.budget.Store(r.cfg.Requests)
	if r.cfg.Duration > 0 {
		r.budget.Store(math.MaxInt64)
	}
	r.path.prepare()
	runtime.GC()
}

// load sends the load to the end of the run.
func (r *run) load(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		r.path.work()
		close(done)
	}()
	r.supervise(ctx, done)
	if r.cfg.Progress != nil {
		r.cfg.Progress(r.ended())
	}
}

// supervise enforces the limits, reports progress and stops the run; it returns when all workers have ended.
func (r *run) supervise(ctx context.Context, done <-chan struct{}) {
	every := r.cfg.watchEvery()
	tick := time.NewTicker(every)
	defer tick.Stop()
	var deadline <-chan time.Time
	if r.cfg.Duration > 0 {
		timer := time.NewTimer(r.cfg.Duration - time.Since(r.base))
		defer timer.Stop()
		deadline = timer.C
	}
	cancelled := ctx.Done()
	reported := time.Duration(0)
	for {
		select {
		case <-done:
			if r.expired.Load() {
				r.halt()
			}
			return
		case <-cancelled:
			cancelled = nil
			r.interrupted = r.interrupted || !r.halted
			r.halt()
		case <-deadline:
			r.halt()
		case <-r.giveUp:
			r.halt()
		case <-tick.C:
			now := time.Since(r.base)
			r.path.watch(int64(now))
			if r.cfg.Progress != nil && now-reported >= progressEvery {
				reported = now
				r.cfg.Progress(r.ended())
			}
		}
	}
}

// halt stops the run: no new attempts, and those in flight are interrupted.
func (r *run) halt() {
	if r.halted {
		return
	}
	r.halted = true
	r.stop.Store(true)
	r.stoppedAt = int64(time.Since(r.base))
	close(r.quit)
	r.path.halt()
}

// abort asks for the end of the run because the target is dead.
func (r *run) abort() {
	if r.stop.CompareAndSwap(false, true) { // else the run is ending already
		r.dead.Store(true)
		r.giveUp <- struct{}{}
	}
}

// allowance is attempts that were taken from the budget and not begun.
type allowance int64

// take gives leave for one more attempt, and takes a batch from the budget when a is used up. In all, exactly Requests
// attempts are given.
func (r *run) take(a *allowance) bool {
	if r.stop.Load() {
		return false
	}
	if r.cfg.Duration > 0 {
		return true
	}
	if *a == 0 {
		for {
			left := r.budget.Load()
			if left == 0 {
				return false
			}
			n := min(max(left/int64(16*r.cfg.connections()), 1), budgetBatch)
			if r.budget.CompareAndSwap(left, left-n) {
				*a = allowance(n)
				break
			}
		}
	}
	*a--
	return true
}

// replies is the number of complete replies so far.
func (r *run) replies() int64 {
	n, _ := r.path.counts()
	return n
}

// ended is the number of attempts that have ended so far.
func (r *run) ended() int64 {
	replies, failures := r.path.counts()
	return replies + failures
}

package engine

import (
	"context"
	"math"
	"runtime"
	"sync"
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
	shared    *buffers
	workers   []*worker
	recorders []*recorder
	giveup    giveup

	budget atomic.Int64
	stop   atomic.Bool   // no new attempts
	quit   chan struct{} // closed at the stop: wakes pauses

	giveUp      chan struct{} // holds one element once the target is found dead
	halted      bool
	stoppedAt   int64
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
		cfg: &c, target: t, req: req, shared: newBuffers(),
		quit: make(chan struct{}), giveUp: make(chan struct{}, 1),
	}
	r.base = time.Now()
	err = r.resolve(ctx)
	if err == nil {
		r.prepare()
	}
	started, cpu := r.start(), cpuSeconds()
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
	rec := newRecorder()
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
		rec.fail(result.ErrDNS, now, err.Error())
	}
	r.dead.Store(true)
}

// prepare makes everything that the load needs, before the clock starts: megabytes of histograms are not allocated, and
// the garbage of the run before is not collected, in the first milliseconds of a trial.
func (r *run) prepare() {
	conns := r.cfg.connections()
	r.giveup = giveup{conns: int64(conns), limit: r.cfg.limit(), replies: r.replies}
	r.budget.Store(r.cfg.Requests)
	if r.cfg.Duration > 0 {
		r.budget.Store(math.MaxInt64)
	}
	for range min(conns, max(4, 2*runtime.GOMAXPROCS(0)), 32) {
		r.recorders = append(r.recorders, newRecorder())
	}
	for i := range conns {
		r.workers = append(r.workers, newWorker(r, r.recorders[i%len(r.recorders)]))
	}
	runtime.GC()
}

// start starts the clock.
func (r *run) start() time.Time {
	r.base = time.Now()
	for _, w := range r.workers {
		w.buf.clock = r.base
	}
	return r.base
}

// load runs the workers to the end of the run.
func (r *run) load(ctx context.Context) {
	var all sync.WaitGroup
	for _, w := range r.workers {
		all.Go(w.work)
	}
	done := make(chan struct{})
	go func() {
		all.Wait()
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
			for _, w := range r.workers {
				r.watch(w, int64(now))
			}
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
	for _, w := range r.workers {
		w.slot.interrupt(reasonStop, w.buf)
	}
}

// abort asks for the end of the run because the target is dead.
func (r *run) abort() {
	if r.stop.CompareAndSwap(false, true) { // else the run is ending already
		r.dead.Store(true)
		r.giveUp <- struct{}{}
	}
}

// take gives w leave for one more attempt. In all, exactly Requests are given.
func (r *run) take(w *worker) bool {
	if r.stop.Load() {
		return false
	}
	if r.cfg.Duration > 0 {
		return true
	}
	if w.tokens == 0 {
		for {
			left := r.budget.Load()
			if left == 0 {
				return false
			}
			n := min(max(left/int64(16*len(r.workers)), 1), budgetBatch)
			if r.budget.CompareAndSwap(left, left-n) {
				w.tokens = n
				break
			}
		}
	}
	w.tokens--
	return true
}

// replies is the number of complete replies so far.
func (r *run) replies() int64 {
	var n int64
	for _, w := range r.workers {
		n += w.replies.Load()
	}
	return n
}

// ended is the number of attempts that have ended so far.
func (r *run) ended() int64 {
	n := r.replies()
	for _, w := range r.workers {
		n += w.failures.Load()
	}
	return n
}

package engine

import (
	"runtime"
	"sync"
	"time"
)

// napMost is how long a wait for an arrival goes on without a look at whether the run has stopped.
const napMost = 50 * time.Millisecond

// napShort is how much of a wait for an arrival passes with looks at the clock instead of sleep.
const napShort = 60 * time.Microsecond

// dispatcher hands the arrivals of an open loop to workers that have nothing to do.
type dispatcher struct {
	run  *run
	back chan struct{} // holds one element when a worker came back after …
	gone bool          // … none was left

	mu      sync.Mutex
	idle    []*worker // connected; the one used last is taken first
	unused  []*worker // not connected
	freed   int64     // when the last worker came back while none was there
	sending sync.WaitGroup
}

// order is a request that is due.
type order struct {
	due    int64
	queued bool
}

// workOpen sends requests when they are due, until the last has ended or the run has.
func (p *portable) workOpen() {
	d := &dispatcher{run: p.run, back: make(chan struct{}, 1), freed: -1}
	for i := range p.workers {
		w := p.workers[len(p.workers)-1-i]
		w.orders = make(chan order, 1)
		d.unused = append(d.unused, w)
		d.sending.Go(func() { w.serve(d) })
	}
	d.dispatch()
	for _, w := range p.workers {
		close(w.orders)
	}
	d.sending.Wait()
	if p.run.cfg.Duration > 0 {
		<-p.run.quit // the last arrival may be dealt with before the time is up
	}
}

// dispatch returns when all arrivals are sent, or the run has stopped.
func (d *dispatcher) dispatch() {
	runtime.LockOSThread() // for the exact naps
	defer runtime.UnlockOSThread()
	keepTime()
	defer loseTime()
	a := d.run.arrivals
	for due, ok := a.due(); ok && d.sleepUntil(due); due, ok = a.due() {
		w, queued := d.free(due)
		for w == nil {
			select {
			case <-d.back:
			case <-d.run.quit:
				return
			}
			w, queued = d.free(due)
		}
		if d.run.stop.Load() {
			return
		}
		a.next()
		w.orders <- order{due, queued}
	}
}

// sleepUntil returns false when the run has stopped before.
func (d *dispatcher) sleepUntil(due int64) bool {
	for !d.run.stop.Load() {
		left := time.Duration(due) - time.Since(d.run.base)
		switch {
		case left <= 0:
			return true
		case left > napShort:
			nap(min(left-napShort, napMost))
		default:
			runtime.Gosched()
		}
	}
	return false
}

// free takes a worker that has nothing to do, and reports whether due had passed while there was none; nil when all are
// busy.
func (d *dispatcher) free(due int64) (w *worker, queued bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, list := range []*[]*worker{&d.idle, &d.unused} {
		if last := len(*list) - 1; last >= 0 {
			w = (*list)[last]
			*list = (*list)[:last]
			return w, due <= d.freed
		}
	}
	d.gone = true
	return nil, false
}

// release takes back a worker that has done its work.
func (d *dispatcher) release(w *worker) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.idle)+len(d.unused) == 0 {
		d.freed = w.now()
	}
	if w.conn != nil {
		d.idle = append(d.idle, w)
	} else {
		d.unused = append(d.unused, w)
	}
	if d.gone {
		d.gone = false
		d.back <- struct{}{} // never full: it was emptied before gone was set again
	}
}

// took notes when an order was carried out.
func (d *dispatcher) took(o order, now int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.run.arrivals.took(o.due, now, o.queued)
}

// serve makes the attempts that w is ordered to make.
func (w *worker) serve(d *dispatcher) {
	for o := range w.orders {
		if w.conn != nil && ended(w.tcp) {
			w.tally.lost++
			w.disconnect()
		}
		w.due = o.due
		d.took(o, w.now())
		w.attempt()
		d.release(w)
	}
	w.disconnect()
	w.flush()
}

package engine

import (
	"iter"
	"runtime"
	"sync"
)

// portable is the path for every system and every kind of connection: a goroutine a connection, on net.Conn.
type portable struct {
	run     *run
	shared  *buffers
	workers []*worker
}

func (p *portable) prepare() {
	r, conns := p.run, p.run.cfg.connections()
	for range min(conns, max(4, 2*runtime.GOMAXPROCS(0)), 32) {
		r.recorders = append(r.recorders, newRecorder(r.arrivals != nil))
	}
	for i := range conns {
		p.workers = append(p.workers, newWorker(r, p.shared, r.recorders[i%len(r.recorders)]))
	}
}

func (p *portable) work() {
	var all sync.WaitGroup
	for _, w := range p.workers {
		w.buf.clock = p.run.base
	}
	if p.run.arrivals != nil {
		p.workOpen()
		return
	}
	for _, w := range p.workers {
		all.Go(w.work)
	}
	all.Wait()
}

func (p *portable) halt() {
	for _, w := range p.workers {
		w.slot.interrupt(reasonStop, w.buf)
	}
}

func (p *portable) watch(now int64) {
	for _, w := range p.workers {
		p.run.watch(w, now)
	}
}

func (p *portable) counts() (replies, failures int64) {
	for _, w := range p.workers {
		replies += w.replies.Load()
		failures += w.failures.Load()
	}
	return replies, failures
}

func (p *portable) tallies() iter.Seq[*tally] {
	return func(yield func(*tally) bool) {
		for _, w := range p.workers {
			w.tally.received = w.buf.received
			if !yield(&w.tally) {
				return
			}
		}
	}
}

func (p *portable) close() {}

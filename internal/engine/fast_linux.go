//go:build linux && !portable

package engine

import (
	"iter"
	"net/netip"
	"runtime"
	"sync"

	"golang.org/x/sys/unix"
)

// fast is the path for cleartext TCP on Linux: threads that own their connections and wait for them with epoll.
type fast struct {
	run   *run
	loops []*loop
	addrs []sockaddr
}

// newFast is nil when the load needs what only the portable path has.
func (r *run) newFast() path {
	if r.target.tls != nil {
		return nil
	}
	f := &fast{run: r}
	for _, a := range r.target.addrs {
		s, ok := newSockaddr(a)
		if !ok {
			return nil
		}
		f.addrs = append(f.addrs, s)
	}
	threads := f.threads()
	for i := range threads {
		l, err := newLoop(f, share(r.cfg.connections(), threads, i))
		if err != nil { // no descriptor left for the loop: the portable path says what is wrong with each connection
			f.close()
			return nil
		}
		f.loops = append(f.loops, l)
	}
	return f
}

// threads is how many loops run: one for each processor, but only one for every second processor when the server runs on
// this machine too, and for every 16th connection, because an idle loop costs more than a busy one gains.
func (f *fast) threads() int {
	cpus := runtime.NumCPU()
	if f.local() {
		cpus = (cpus + 1) / 2
	}
	if f.run.arrivals != nil {
		return 1 // a schedule is kept by one clock: two halves of it would each wait for their own connections
	}
	return max(1, min(cpus, f.run.cfg.connections()/16))
}

func (f *fast) local() bool {
	for _, a := range f.run.target.addrs {
		if p, err := netip.ParseAddrPort(a); err != nil || !p.Addr().IsLoopback() {
			return false
		}
	}
	return true
}

// share is how many of n the i-th of k gets.
func share(n, k, i int) int { return n*(i+1)/k - n*i/k }

func (f *fast) prepare() {
	for _, l := range f.loops {
		l.rec = newRecorder(f.run.arrivals != nil)
		f.run.recorders = append(f.run.recorders, l.rec)
		l.prepare()
	}
	processors.add(len(f.loops))
}

func (f *fast) work() {
	var all sync.WaitGroup
	for _, l := range f.loops {
		all.Go(func() {
			// The thread is the loop's own, so that its connections stay on one processor.
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			if f.run.arrivals != nil {
				l.workOpen()
			} else {
				l.work()
			}
		})
	}
	all.Wait()
}

func (f *fast) halt() {
	for _, l := range f.loops {
		l.wake()
	}
}

// watch does nothing: the loops look at their own limits.
func (f *fast) watch(int64) {}

func (f *fast) counts() (replies, failures int64) {
	for _, l := range f.loops {
		replies += l.replies.Load()
		failures += l.failures.Load()
	}
	return replies, failures
}

func (f *fast) tallies() iter.Seq[*tally] {
	return func(yield func(*tally) bool) {
		for _, l := range f.loops {
			for i := range l.conns {
				if !yield(&l.conns[i].tally) {
					return
				}
			}
		}
	}
}

func (f *fast) close() {
	prepared := 0
	for _, l := range f.loops {
		_ = unix.Close(l.epoll)
		_ = unix.Close(l.bell)
		if l.rec != nil {
			prepared++
		}
	}
	processors.add(-prepared)
}

// processors lends the Go scheduler one processor more for each loop: a loop waits in the kernel without telling the
// scheduler, which saves two hand-overs a wait, and keeps its processor meanwhile.
var processors lender

type lender struct {
	mu   sync.Mutex
	lent int
}

func (p *lender) add(n int) {
	if n == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lent += n
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + n)
}

package engine

import "iter"

// path is a way to send the load: it owns the connections. All paths read replies with the same reader, check them with
// the same checker and count them with the same recorder.
type path interface {
	// prepare makes everything that the load needs, before the clock starts.
	prepare()
	// work sends the load. It returns when every attempt has ended.
	work()
	// halt wakes what waits: the run has stopped.
	halt()
	// watch enforces the time limits; it is called now and then from beside work.
	watch(now int64)
	// counts is how many attempts brought a complete reply so far, and how many did not. It may lag behind by the
	// events that are being dealt with.
	counts() (replies, failures int64)
	// tallies are the connections' accounts, once work has returned.
	tallies() iter.Seq[*tally]
	// close gives back what prepare took. It is called once, when nothing else is in use any more.
	close()
}

// tally is the account of one connection and its successors. Times are ns since the start of the run.
type tally struct {
	received  int64 // bytes in all
	body      int64 // body bytes, those of incomplete replies too
	lastIssue int64
	lastEnd   int64
	opened    int64 // connections
	lost      int64 // kept ones that the server ended unannounced
}

// Paths of the engine, as a trial names them.
const (
	pathFast     = "epoll"
	pathPortable = "portable"
)

// choosePath picks the fastest path that can send the load.
func (r *run) choosePath() {
	if r.cfg.Path != pathPortable {
		if fast := r.newFast(); fast != nil {
			r.name, r.path = pathFast, fast
			return
		}
	}
	r.name, r.path = pathPortable, &portable{run: r, shared: newBuffers()}
}

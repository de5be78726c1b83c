package engine

import (
	"sync"
	"time"
)

const (
	firstAttempts  = 100             // this many, or one per connection if that is more: all failed = dead from the start
	silentAttempts = 1000            // this many, or 20 per connection if that is less …
	silentTime     = 2 * time.Second // … and this long without one complete reply: died on the way
	silentLimits   = 3               // the time limits that may pass in silence
	backoffFirst   = time.Millisecond
	backoffLast    = 100 * time.Millisecond
)

// giveup decides when a target is dead: it looks at attempts that brought no complete reply, and at whether any
// connection got one meanwhile. A reply that fails an expectation is a sign of life.
type giveup struct {
	mu      sync.Mutex
	conns   int64
	limit   time.Duration // 0 = attempts may take for ever
	replies func() int64  // complete replies of all connections; called rarely

	silent int64 // failures since …
	since  int64 // … this time, ns since the start, when …
	seen   int64 // … this many replies had come
}

// failed takes one more failure into account. It reports true when the run should end.
func (g *giveup) failed(now int64) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.silent++
	if !g.due(time.Duration(now - g.since)) {
		return false
	}
	if n := g.replies(); n != g.seen {
		g.seen, g.silent, g.since = n, 0, now
		return false
	}
	return true
}

func (g *giveup) due(passed time.Duration) bool {
	if g.limit > 0 && g.silent >= g.conns && passed > silentLimits*g.limit {
		return true
	}
	if g.seen == 0 {
		return g.silent >= max(g.conns, firstAttempts)
	}
	return g.silent >= min(silentAttempts, 20*g.conns) && passed > silentTime
}

// backoffCap is the longest pause after a failed connect. While no reply has come at all and there are few connections
// it is shorter, so that a dead target is known in about a second.
func (g *giveup) backoffCap() time.Duration {
	few := time.Duration(g.conns) * 10 * time.Millisecond
	if few >= backoffLast || g.replies() > 0 {
		return backoffLast
	}
	return few
}

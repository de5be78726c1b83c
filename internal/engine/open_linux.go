//go:build linux && !portable

package engine

import (
	"slices"

	"golang.org/x/sys/unix"
)

// headStart is how long before an arrival is due its loop stops sleeping, and looks for replies and at the clock in turn:
// waking up takes a thread about 40 µs, which would be added to every response time.
const headStart = 50_000

// slots are the connections of an open loop that have nothing to do.
type slots struct {
	idle   []*conn // connected; the one used last is taken first, so that no more are kept busy than are needed
	unused []*conn // not connected
	busy   int     // the others
	// freed is when a connection became free last while none was: an arrival that was due until then had to wait.
	freed int64
}

// workOpen sends requests when they are due, until the last has ended or the run has.
func (l *loop) workOpen() {
	keepTime()
	defer loseTime()
	l.slots.freed = -1
	l.started = len(l.conns)
	for i := range slices.Backward(l.conns) {
		l.slots.unused = append(l.slots.unused, &l.conns[i])
	}
	l.now = l.clock()
	for {
		l.arrive(l.now)
		l.publish()
		due, more := l.run.arrivals.due()
		if !more && l.slots.busy == 0 {
			break
		}
		n := awaitExactly(l.epoll, l.events, l.sleep(due, more))
		l.now = l.clock()
		if l.over() {
			break
		}
		for i := range n {
			e := &l.events[i]
			if e.Fd == bellID || l.conns[e.Fd].serial != e.Pad {
				continue
			}
			l.event(&l.conns[e.Fd], e.Events)
			if now := l.clock(); now >= due {
				l.arrive(now)
			}
		}
		if l.now >= l.nextLook {
			l.look()
		}
	}
	if d := int64(l.run.cfg.Duration); d > 0 && !l.run.expired.Load() && !l.run.stop.Load() {
		l.outlast(d)
	}
	l.drop()
	l.publish()
}

// outlast waits for the end of a timed run whose last arrival is dealt with.
func (l *loop) outlast(end int64) {
	for l.now = l.clock(); l.now < end && !l.over(); l.now = l.clock() {
		awaitExactly(l.epoll, l.events, end-l.now)
	}
	l.over()
}

// arrive sends what is due, as far as connections are free.
func (l *loop) arrive(now int64) {
	a := l.run.arrivals
	for due, ok := a.due(); ok && due <= now; due, ok = a.due() {
		c := l.free()
		if c == nil {
			return
		}
		a.next()
		l.slots.busy++
		now = l.clock()
		a.took(due, now, due <= l.slots.freed)
		c.due = due
		l.begin(c, now)
	}
}

// free takes a connection that has nothing to do; nil when all are busy.
func (l *loop) free() *conn {
	for _, list := range []*[]*conn{&l.slots.idle, &l.slots.unused} {
		if last := len(*list) - 1; last >= 0 {
			c := (*list)[last]
			*list = (*list)[:last]
			return c
		}
	}
	return nil
}

// release makes a connection whose attempt has ended free for another.
func (l *loop) release(c *conn) {
	if len(l.slots.idle) == 0 && len(l.slots.unused) == 0 {
		l.slots.freed = l.clock()
	}
	l.slots.busy--
	c.state = idle
	if c.fd >= 0 && c.ended {
		c.tally.lost++
		l.disconnect(c)
	}
	if c.fd >= 0 {
		l.slots.idle = append(l.slots.idle, c)
	} else {
		l.slots.unused = append(l.slots.unused, c)
	}
}

// stir deals with an event on a connection that has nothing to do: the server ended it, or sent what nobody asked for.
func (l *loop) stir(c *conn, flags uint32) {
	if flags&^unix.EPOLLOUT == 0 {
		return
	}
	c.tally.lost++
	l.disconnect(c)
	l.slots.idle = slices.DeleteFunc(l.slots.idle, func(other *conn) bool { return other == c })
	l.slots.unused = append(l.slots.unused, c)
}

// sleep is how many ns the next wait may take: until the next arrival is nearly due, if a connection is free for it.
func (l *loop) sleep(due int64, more bool) int64 {
	until := min(l.now+int64(longestWait), l.nextLook)
	if d := l.run.cfg.Duration; d > 0 {
		until = min(until, int64(d))
	}
	if more && len(l.slots.idle)+len(l.slots.unused) > 0 {
		until = min(until, due-headStart)
	}
	return max(until-l.now, 0)
}

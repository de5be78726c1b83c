//go:build linux && !portable

package engine

import (
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

const (
	eventBatch   = 256
	startBatch   = 64                     // connections opened between two looks at the others
	longestWait  = 100 * time.Millisecond // so that the deadline of a loop that nothing wakes is not far off
	shortestWait = time.Millisecond       // what epoll can wait for
	bellID       = -1                     // the event that is no connection's
)

// loop is a thread that owns connections and waits for all of them at once. Nothing in it is shared with other loops
// but the budget; what other goroutines read of it, it publishes once a round.
type loop struct {
	run   *run
	fast  *fast
	rec   *recorder
	check *checker // for all connections, when no body need be looked at

	epoll, bell int
	events      []unix.EpollEvent
	scratch     []byte // what was read last, and …
	in          window // … what of it is unread
	conns       []conn

	started   int     // of conns
	open      int     // of conns; the others found the budget empty
	again     []*conn // to begin another attempt
	allowance allowance
	now       int64 // when the last wait ended
	nextLook  int64 // when the limits are looked at again
	nextWake  int64 // when the first pause ends
	every     int64 // how often the limits are looked at

	slots slots // of an open loop

	replied, failed   int64
	replies, failures atomic.Int64 // replied and failed, for other goroutines
}

func newLoop(f *fast, conns int) (*loop, error) {
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("make epoll set: %w", err)
	}
	bell, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		_ = unix.Close(epoll)
		return nil, fmt.Errorf("make eventfd: %w", err)
	}
	l := &loop{run: f.run, fast: f, epoll: epoll, bell: bell, open: conns, nextWake: math.MaxInt64}
	if errno := control(epoll, unix.EPOLL_CTL_ADD, bell, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: bellID}); errno != 0 {
		_ = unix.Close(epoll)
		_ = unix.Close(bell)
		return nil, fmt.Errorf("watch eventfd: %w", errno)
	}
	return l, nil
}

func (l *loop) prepare() {
	l.events = make([]unix.EpollEvent, eventBatch)
	l.scratch = make([]byte, headerLimit+readSize)
	l.conns = make([]conn, l.open)
	l.every = int64(l.run.cfg.watchEvery())
	l.check = newChecker(l.run.cfg.Expect)
	for i := range l.conns {
		c := &l.conns[i]
		c.id, c.fd, c.check = int32(i), -1, l.check
		if l.check.sink != nil {
			c.check = newChecker(l.run.cfg.Expect)
		}
	}
}

// wake ends the wait of a loop whose run has stopped.
func (l *loop) wake() {
	_, _ = unix.Write(l.bell, []byte{1, 0, 0, 0, 0, 0, 0, 0}) // it fails only when the bell rings already
}

func (l *loop) clock() int64 { return int64(time.Since(l.run.base)) }

// work sends the load until the budget or the run ends.
func (l *loop) work() {
	l.now = l.clock()
	for l.open > 0 {
		l.startSome()
		l.publish()
		n := await(l.epoll, l.events, l.timeout())
		l.now = l.clock()
		if l.over() {
			l.drop()
			break
		}
		l.restart()
		for i := range n {
			if e := &l.events[i]; e.Fd != bellID && l.conns[e.Fd].serial == e.Pad {
				l.event(&l.conns[e.Fd], e.Events)
			}
		}
		if l.now >= l.nextLook || l.now >= l.nextWake {
			l.look()
		}
	}
	l.publish()
}

// startSome opens a few more of the connections at the start of the run: opening ten thousand takes so long that the
// replies to the first would wait.
func (l *loop) startSome() {
	for range startBatch {
		if l.started == len(l.conns) {
			return
		}
		c := &l.conns[l.started]
		l.started++
		l.issue(c, l.clock())
	}
}

// restart begins an attempt on the connections whose last one failed.
func (l *loop) restart() {
	waiting := len(l.again)
	for _, c := range l.again[:waiting] {
		l.issue(c, l.clock())
	}
	l.again = l.again[:copy(l.again, l.again[waiting:])]
}

func (l *loop) publish() {
	l.replies.Store(l.replied)
	l.failures.Store(l.failed)
}

// timeout is how many milliseconds the next wait may take, rounded up.
func (l *loop) timeout() int {
	if l.started < len(l.conns) || len(l.again) > 0 {
		return 0
	}
	until := min(l.now+int64(longestWait), l.nextLook, l.nextWake)
	if d := l.run.cfg.Duration; d > 0 {
		until = min(until, int64(d))
	}
	return int((max(until-l.now, 0) + int64(shortestWait) - 1) / int64(shortestWait))
}

// over reports whether the run has stopped, or should.
func (l *loop) over() bool {
	if d := l.run.cfg.Duration; d > 0 && l.now >= int64(d) {
		l.run.expired.Store(true)
		return true
	}
	return l.run.stop.Load()
}

// drop ends what is in flight when the run stops.
func (l *loop) drop() {
	for i := range l.conns {
		c := &l.conns[i]
		if c.state == connecting || c.state == busy {
			l.rec.unfinished(l.now - c.start)
			c.tally.body += c.reply.body
		}
		l.disconnect(c)
		c.state = retired
	}
	l.open = 0
}

// look enforces the time limits, and ends pauses.
func (l *loop) look() {
	timeout, whole := int64(l.run.cfg.Timeout), int64(l.run.cfg.RequestTimeout)
	l.nextLook, l.nextWake = l.now+l.every, math.MaxInt64
	for i := range l.conns[:l.started] {
		switch c := &l.conns[i]; c.state {
		case paused:
			if l.now >= c.wakeAt {
				l.issue(c, l.clock())
			} else {
				l.nextWake = min(l.nextWake, c.wakeAt)
			}
		case connecting, busy:
			if whole > 0 && l.now-c.start > whole {
				l.interrupted(c, reasonTooOld)
			} else if timeout > 0 && l.now-c.alive > timeout {
				l.interrupted(c, reasonIdle)
			}
		default: // nothing in flight
		}
	}
}

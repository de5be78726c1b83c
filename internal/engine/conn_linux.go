//go:build linux && !portable

package engine

import (
	"io"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

const (
	readSize    = 64 << 10 // of a body that is looked at
	firstRead   = 16 << 10 // a reply up to this size takes one read; more would be copied for nothing
	discardFrom = 16 << 10 // so much body that nobody looks at is dropped by the kernel
	discardMost = 1 << 30  // at a time
	segment     = 1400     // a request that fits one segment needs no help to leave at once
)

// state is what a connection is doing.
type state uint8

const (
	idle       state = iota
	connecting       // the connect has not ended
	busy             // a request is in flight
	paused           // until wakeAt, after a failed connect
	retired          // the budget is empty
)

// conn is the life of one connection and its successors. Times are ns since the start of the run.
type conn struct {
	fd     int   // −1: not connected
	id     int32 // index in the loop
	serial int32 // counts the successors, so that an event of one before is known as such
	addr   int   // index of the address in use
	state  state
	kept   bool // the request in flight is not the connection's first
	armed  bool // the loop is told when the connection takes more
	ended  bool // the server has ended its side, which the loop is told only once
	check  *checker
	tally  tally

	reply    reply
	carry    []byte // the beginning of a line whose end has not come
	searched int    // so much of it holds no line feed
	reads    int

	sent    int   // bytes of the request
	due     int64 // of an open loop: when the request in flight should have been sent
	start   int64
	connect int64 // how long that took; −1 on a kept connection
	written int64 // when the last piece of the request was handed to the kernel
	first   int64 // when the first bytes of the reply had been read
	alive   int64
	wakeAt  int64
	backoff time.Duration
	err     error // of the addresses that did not answer
}

// issue begins an attempt on c, or retires it.
func (l *loop) issue(c *conn, now int64) {
	if !l.run.take(&l.allowance) {
		l.disconnect(c)
		c.state = retired
		l.open--
		return
	}
	l.begin(c, now)
}

// begin begins an attempt on c.
func (l *loop) begin(c *conn, now int64) {
	c.start, c.alive, c.written, c.tally.lastIssue = now, now, now, now
	c.sent, c.reads, c.first, c.connect, c.searched = 0, 0, 0, -1, 0
	c.carry = c.carry[:0]
	c.reply.begin(l.run.req.head)
	c.check.begin()
	if c.kept = c.fd >= 0; c.kept {
		c.state = busy
		ended := c.ended
		l.write(c)
		if ended && c.state == busy && c.start == now {
			l.read(c, true)
		}
		return
	}
	c.addr, c.err = 0, nil
	if a := l.run.target.chosen.Load(); a != nil {
		for l.fast.addrs[c.addr].name != *a {
			c.addr++
		}
	}
	l.dial(c)
}

// event deals with what epoll says of a connection.
func (l *loop) event(c *conn, flags uint32) {
	c.alive = l.now
	if c.state == idle {
		l.stir(c, flags)
		return
	}
	if c.state == connecting {
		if errno := socketError(c.fd); errno != 0 {
			l.refused(c, errno)
			if c.addr++; l.run.target.chosen.Load() != nil {
				c.addr = len(l.fast.addrs)
			}
			l.dial(c)
			return
		}
		if flags&unix.EPOLLOUT == 0 {
			return
		}
		l.connected(c, l.clock())
	}
	const ending = unix.EPOLLRDHUP | unix.EPOLLHUP | unix.EPOLLERR
	c.ended = c.ended || flags&ending != 0
	if flags&(unix.EPOLLIN|ending) != 0 && !l.read(c, c.ended) {
		return
	}
	if flags&unix.EPOLLOUT != 0 && c.sent < len(l.run.req.wire) {
		l.write(c)
	}
}

// write sends the request, or the rest of it. Between its pieces it reads: the server may answer before it has all, or
// wait with its reading until its reply is read.
func (l *loop) write(c *conn) {
	wire := l.run.req.wire
	for c.sent < len(wire) {
		if c.sent > 0 {
			if !l.read(c, false) {
				return
			}
			c.written = l.clock()
		}
		n, errno := send(c.fd, wire[c.sent:])
		switch errno {
		case 0:
			c.sent += n
		case unix.EINTR:
		case unix.EAGAIN:
			if !c.armed {
				l.register(c, unix.EPOLL_CTL_MOD, true)
			}
			return
		default:
			at := phaseWrite
			if c.kept && lost(errno) {
				at = phaseRead // the server had closed the kept connection: reset, as if the reply had shown it
			}
			l.fail(c, at, explainErrno("write", "write", l.remote(c), errno))
			l.retry(c)
			return
		}
	}
}

// read takes what has come. The loop is told of new bytes only once (edge-triggered): unless a read brings less than
// there was room for, there may be more. ending tells that the end of the connection has come too. It reports
// whether the attempt is still in flight.
func (l *loop) read(c *conn, ending bool) bool {
	for {
		n, room, errno := l.receive(c)
		switch {
		case errno == unix.EAGAIN:
			return true
		case errno == unix.EINTR:
			continue
		case errno != 0:
			l.fail(c, phaseRead, explainErrno("read", "read", l.remote(c), errno))
			l.retry(c)
			return false
		}
		if n > 0 {
			if c.reads++; c.reads == 1 {
				c.first = l.clock()
			}
			c.tally.received += int64(n)
		}
		done, err := l.parse(c, n)
		switch {
		case err != nil:
			l.fail(c, phaseRead, err)
			l.retry(c)
			return false
		case done:
			l.complete(c)
			return false
		case n < room && !ending:
			return true
		}
	}
}

// receive reads once more, into the loop's window or, body that nobody looks at, into nothing. room is how much could
// have come.
func (l *loop) receive(c *conn) (n, room int, errno syscall.Errno) {
	l.in = window{buf: l.scratch}
	if ahead := c.reply.ahead(); ahead >= discardFrom && c.check.sink == nil {
		room = int(min(ahead, discardMost))
		n, errno = discard(c.fd, room)
		c.reply.skipped(int64(max(n, 0)))
		return n, room, errno
	}
	room = firstRead
	if c.reads > 0 {
		room = readSize
	}
	held := copy(l.scratch, c.carry)
	n, errno = receive(c.fd, l.scratch[held:held+room])
	l.in.w, l.in.searched = held+max(n, 0), c.searched
	return n, room, errno
}

// parse reads on in the reply after n more bytes have come; 0 is the end of the connection.
func (l *loop) parse(c *conn, n int) (done bool, err error) {
	if n == 0 {
		err = c.reply.ended(io.EOF)
		return err == nil, err
	}
	if done, err = c.reply.advance(&l.in, c.check.sink); done || err != nil {
		return done, err
	}
	c.carry = append(c.carry[:0], l.in.buf[l.in.r:l.in.w]...)
	c.searched = l.in.searched
	return false, nil
}

// complete accounts for a complete reply, and begins the next attempt with the clock reading that ended this one: what
// the program does in between, about 0.3 µs, counts as the next request's. When it looks at bodies, the clock is read again.
func (l *loop) complete(c *conn) {
	end := c.first
	if c.reads > 1 {
		end = l.clock()
	}
	class := c.check.verdict(&c.reply)
	if class != "" {
		l.rec.reject(class, end, c.check, &c.reply)
	}
	c.tally.lastEnd = end
	c.tally.body += c.reply.body
	l.rec.count(&sample{
		due: c.due, connect: c.connect, wait: c.first - c.written, total: end - c.start, end: end,
		body: c.reply.body, status: c.reply.status, ok: class == "",
	})
	l.replied++
	surplus, unsent := l.in.r < l.in.w, c.sent < len(l.run.req.wire)
	if surplus || unsent || !l.run.req.persist || !c.reply.persistent() {
		l.disconnect(c)
	}
	if l.run.arrivals != nil {
		l.release(c)
		return
	}
	if c.check.sink != nil {
		end = l.clock()
	}
	l.issue(c, end)
}

// fail accounts for an attempt that brought no complete reply, and drops its connection.
func (l *loop) fail(c *conn, at phase, err error) {
	l.end(c, classify(err, at), err.Error())
}

func (l *loop) end(c *conn, class result.ErrorClass, text string) {
	end := l.clock()
	if c.kept && c.reads == 0 && class == result.ErrReset {
		c.tally.lost++
	}
	l.disconnect(c)
	c.state = idle
	c.tally.body += c.reply.body
	c.tally.lastEnd = end
	l.rec.fail(class, end, end-c.start, text)
	l.failed++
	l.publish()
	if l.run.giveup.failed(end) {
		l.run.abort()
	}
}

// interrupted ends an attempt that is over a limit.
func (l *loop) interrupted(c *conn, why reason) {
	at := phaseRead
	if c.state == connecting {
		at = phaseConnect
	}
	l.end(c, why.class(at), why.explain(l.run.cfg))
	if at == phaseConnect {
		l.pause(c)
	} else {
		l.retry(c)
	}
}

// retry has the next attempt begin in the next round, so that one connection that fails at once does not keep the others
// waiting.
func (l *loop) retry(c *conn) {
	if l.run.arrivals != nil {
		l.release(c)
		return
	}
	l.again = append(l.again, c)
}

// pause has the next attempt begin after a time, twice as long as the last. An open loop sends what is due.
func (l *loop) pause(c *conn) {
	if l.run.arrivals != nil {
		l.release(c)
		return
	}
	c.backoff = min(max(2*c.backoff, backoffFirst), l.run.giveup.backoffCap())
	c.state, c.wakeAt = paused, l.clock()+int64(c.backoff)
	l.nextWake = min(l.nextWake, c.wakeAt)
}

// disconnect closes the connection, if there is one.
func (l *loop) disconnect(c *conn) {
	if c.fd >= 0 {
		closeSocket(c.fd)
		c.fd = -1
	}
}

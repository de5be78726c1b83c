//go:build linux && !portable

package engine

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// dial connects to the address in use, or to one after it, and sends the request without waiting for the connect to
// end: on a short way it has ended by then.
func (l *loop) dial(c *conn) {
	for ; c.addr < len(l.fast.addrs); c.addr++ {
		to := &l.fast.addrs[c.addr]
		fd, errno := openSocket(to.family)
		if errno != 0 {
			c.err = explainErrno("dial", "socket", to.name, errno)
			break // another address would need a descriptor too
		}
		c.fd, c.state, c.ended, c.alive = fd, connecting, false, l.clock()
		c.serial++
		if len(l.run.req.wire) > segment {
			noDelay(fd)
		}
		if errno = connectSocket(fd, to); errno == 0 || errno == unix.EINPROGRESS {
			if errno = l.writeEarly(c); errno == 0 {
				return
			}
		}
		l.refused(c, errno)
		if l.run.target.chosen.Load() != nil {
			break
		}
	}
	l.fail(c, phaseConnect, c.err)
	l.pause(c)
}

// writeEarly sends the request on a connection that may not be there yet, and has the loop told of what comes. It
// returns why there is no connection.
func (l *loop) writeEarly(c *conn) syscall.Errno {
	at := l.clock()
	n, errno := send(c.fd, l.run.req.wire)
	switch {
	case errno == 0:
		l.connected(c, at)
		c.sent = n
	case lost(errno): // there was a connection, and it is gone already
		l.fail(c, phaseWrite, explainErrno("write", "write", l.remote(c), errno))
		l.retry(c)
		return 0
	case errno != unix.EAGAIN:
		return errno
	}
	l.register(c, unix.EPOLL_CTL_ADD, c.sent < len(l.run.req.wire))
	return 0
}

// register has the loop told of what comes, and, if writing, of room for more of the request.
func (l *loop) register(c *conn, op int, writing bool) {
	c.armed = writing
	e := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLRDHUP | unix.EPOLLET, Fd: c.id, Pad: c.serial}
	if writing {
		e.Events |= unix.EPOLLOUT
	}
	if errno := control(l.epoll, op, c.fd, &e); errno != 0 { // no memory, or no watch left, in the kernel
		l.fail(c, phaseWrite, explainErrno("write", "epoll_ctl", l.remote(c), errno))
		l.retry(c)
	}
}

// refused notes why an address did not answer.
func (l *loop) refused(c *conn, errno syscall.Errno) {
	err := explainErrno("dial", "connect", l.remote(c), errno)
	if c.err != nil {
		err = errors.Join(c.err, err)
	}
	c.err = err
	closeSocket(c.fd)
	c.fd = -1
}

func (l *loop) remote(c *conn) string { return l.fast.addrs[c.addr].name }

// connected notes the end of the connect, before the request is sent.
func (l *loop) connected(c *conn, at int64) {
	c.state, c.backoff, c.alive = busy, 0, at
	c.connect, c.written = at-c.start, at
	c.tally.opened++
	l.run.target.chosen.CompareAndSwap(nil, &l.run.target.addrs[c.addr])
}

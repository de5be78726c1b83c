package engine

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// reason is why the watch interrupted a connection.
type reason int32

const (
	running      reason = iota
	reasonIdle          // no progress for Timeout
	reasonTooOld        // the request is older than RequestTimeout
	reasonStop          // the run is over
)

// class is the failure that an interrupted attempt counts as.
func (r reason) class(at phase) result.ErrorClass {
	switch {
	case r == reasonStop:
		return result.ErrUnfinished
	case r == reasonTooOld:
		return result.ErrRequestTimeout
	case at == phaseConnect, at == phaseTLS:
		return result.ErrConnectTimeout
	}
	return result.ErrTimeout
}

// explain says r in words.
func (r reason) explain(c *Config) string {
	switch r {
	case reasonTooOld:
		return "wait for reply: not complete within the request timeout of " + c.RequestTimeout.String()
	case reasonIdle:
		return "wait for reply: no progress for " + c.Timeout.String()
	default:
		return "run stopped"
	}
}

// past is a deadline that makes blocked and future calls fail at once.
var past = time.Unix(1, 0)

// slot is what a connection shows to the watch. The watch interrupts through it; setting a deadline around every read
// would cost more than the read's own user time.
type slot struct {
	mu      sync.Mutex
	cancel  context.CancelFunc // of a dial in progress
	conn    net.Conn           // the TCP connection, once there is one
	stopped bool
	why     atomic.Int32 // a reason, as long as the interruption is not dealt with

	// Seen by the watch alone.
	seen  uint64
	since int64
}

// dialling announces a dial. It reports false when the run has stopped.
func (s *slot) dialling(cancel context.CancelFunc) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		s.why.Store(int32(reasonStop))
		return false
	}
	s.cancel = cancel
	return true
}

// attach announces the connection that the dial brought. It reports false when the attempt was interrupted meanwhile.
func (s *slot) attach(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel = nil
	if s.stopped {
		s.why.Store(int32(reasonStop))
	}
	if s.why.Load() != 0 {
		return false
	}
	s.conn = conn
	return true
}

// detach ends the connection's part in the watch; what interrupted it is dealt with.
func (s *slot) detach() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel, s.conn = nil, nil
	s.why.Store(0)
}

// interrupt makes the connection's blocked call return. Idle connections are spared when b shows life after all.
func (s *slot) interrupt(r reason, b *buffer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r == reasonStop {
		s.stopped = true
	}
	if s.cancel == nil && s.conn == nil || r == reasonIdle && b.activity.Load() != s.seen {
		return
	}
	if r == reasonStop {
		s.why.Store(int32(r))
	} else {
		s.why.CompareAndSwap(0, int32(r))
	}
	if s.cancel != nil {
		s.cancel()
	}
	if s.conn != nil {
		_ = s.conn.SetDeadline(past) // fails only when the connection is closed already
	}
}

// watchEvery is how often the limits are looked at: often enough to be right within a tenth of a limit, or 100 ms.
func (c *Config) watchEvery() time.Duration {
	every := 100 * time.Millisecond
	for _, limit := range []time.Duration{c.Timeout, c.RequestTimeout} {
		if limit > 0 {
			every = min(every, limit/10)
		}
	}
	return max(every, time.Millisecond)
}

// watch interrupts w if it is over a limit.
func (r *run) watch(w *worker, now int64) {
	if a := w.buf.activity.Load(); a != w.slot.seen {
		w.slot.seen, w.slot.since = a, now
	} else if r.cfg.Timeout > 0 && now-w.slot.since > int64(r.cfg.Timeout) {
		w.slot.interrupt(reasonIdle, w.buf)
	}
	if r.cfg.RequestTimeout > 0 {
		if began := w.began.Load(); began > 0 && now-began > int64(r.cfg.RequestTimeout) {
			w.slot.interrupt(reasonTooOld, w.buf)
		}
	}
}

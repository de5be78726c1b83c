package engine

import (
	"bytes"
	"errors"
	"io"
	"sync/atomic"
	"time"
)

const (
	smallBuffer = 8 << 10   // what every connection owns: ten thousand of them must fit in memory
	largeBuffer = 128 << 10 // borrowed while a large body streams: the read size decides what such a body costs
	largeFree   = 64        // large buffers lent at a time; beyond that a body streams through the small one
	headerLimit = 64 << 10  // status line and headers of one reply, and of the trailers
)

// buffers lends large read buffers. It never blocks: when all are out, the borrower keeps what it has.
type buffers struct {
	lent atomic.Int32
	free chan []byte
}

func newBuffers() *buffers { return &buffers{free: make(chan []byte, largeFree)} }

func (b *buffers) borrow() []byte {
	select {
	case buf := <-b.free:
		return buf
	default:
	}
	if b.lent.Add(1) > largeFree {
		b.lent.Add(-1)
		return nil
	}
	return make([]byte, largeBuffer)
}

func (b *buffers) giveBack(buf []byte) {
	select {
	case b.free <- buf:
	default: // cannot happen: no more are made than fit
	}
}

// buffer reads from a connection and hands out what it read without copying it.
type buffer struct {
	src  io.Reader
	buf  []byte
	r, w int // buf[r:w] is unread

	small  []byte   // the connection's own, while a large one is borrowed
	shared *buffers // nil: nothing to borrow

	clock    time.Time     // start of the run
	reads    int           // reads that brought bytes, since the reply began
	first    int64         // when the first of them returned, ns since clock
	received int64         // bytes in all
	activity atomic.Uint64 // grows with every sign of life; the watch compares it between its ticks
}

func newBuffer(clock time.Time, shared *buffers) *buffer {
	return &buffer{buf: make([]byte, smallBuffer), shared: shared, clock: clock}
}

// attach makes the buffer read from a new connection; bytes of the old one are dropped.
func (b *buffer) attach(src io.Reader) {
	b.src, b.r, b.w = src, 0, 0
}

// begin starts the account of one reply.
func (b *buffer) begin() { b.reads, b.first = 0, 0 }

func (b *buffer) alive() { b.activity.Add(1) }

var errNoProgress = errors.New("read reply: the connection returned neither bytes nor an error")

// fill reads once more. It needs room: the caller has consumed everything, or called grow.
func (b *buffer) fill() error {
	if b.r == b.w {
		b.r, b.w = 0, 0
	}
	for range 100 {
		n, err := b.src.Read(b.buf[b.w:])
		if n > 0 { // an error that came with bytes comes again with the next read
			b.w += n
			b.received += int64(n)
			if b.reads == 0 {
				b.first = int64(time.Since(b.clock))
			}
			b.reads++
			b.alive()
			return nil
		}
		if err != nil {
			return err
		}
	}
	return errNoProgress
}

// room makes sure that fill can add to the unread bytes: it moves them to the front, then doubles the buffer.
func (b *buffer) room() {
	if b.w < len(b.buf) {
		return
	}
	if b.r > 0 {
		b.w = copy(b.buf, b.buf[b.r:b.w])
		b.r = 0
		return
	}
	grown := make([]byte, 2*len(b.buf))
	copy(grown, b.buf[:b.w])
	b.buf = grown
}

// line returns the next line without its line feed. The slice is valid until the next call. A line longer than limit
// bytes, line feed included, is errHeaderTooLong.
func (b *buffer) line(limit int) ([]byte, error) {
	searched := 0
	for {
		if i := bytes.IndexByte(b.buf[b.r+searched:b.w], '\n'); i >= 0 {
			end := b.r + searched + i
			line := b.buf[b.r:end]
			if len(line)+1 > limit {
				return nil, errHeaderTooLong
			}
			b.r = end + 1
			return line, nil
		}
		searched = b.w - b.r
		if searched >= limit {
			return nil, errHeaderTooLong
		}
		b.room()
		if err := b.fill(); err != nil {
			return nil, err
		}
	}
}

// borrow swaps the small buffer for a large one, if one is free, and keeps the unread bytes.
func (b *buffer) borrow() {
	if b.small != nil || b.shared == nil || len(b.buf) >= largeBuffer {
		return
	}
	large := b.shared.borrow()
	if large == nil {
		return
	}
	b.w = copy(large, b.buf[b.r:b.w])
	b.r = 0
	b.small, b.buf = b.buf, large
}

// settle gives a borrowed buffer back. It reports whether bytes that belong to no reply were left unread; they are
// dropped with it.
func (b *buffer) settle() (surplus bool) {
	surplus = b.r < b.w
	if b.small != nil {
		b.shared.giveBack(b.buf)
		b.buf, b.small = b.small, nil
		b.r, b.w = 0, 0
	}
	return surplus
}

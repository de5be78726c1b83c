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

// window is bytes that were read from a connection and are looked at where they are.
type window struct {
	buf      []byte
	r, w     int // buf[r:w] is unread
	searched int // so many of the unread bytes hold no line feed
}

// line returns the next line without its line feed; more tells that its end has not come yet. The slice is valid until
// more is read. A line longer than limit bytes, line feed included, is errHeaderTooLong.
func (in *window) line(limit int) (line []byte, more bool, err error) {
	i := bytes.IndexByte(in.buf[in.r+in.searched:in.w], '\n')
	if i < 0 {
		in.searched = in.w - in.r
		if in.searched >= limit {
			return nil, false, errHeaderTooLong
		}
		return nil, true, nil
	}
	end := in.r + in.searched + i
	line = in.buf[in.r:end]
	if len(line)+1 > limit {
		return nil, false, errHeaderTooLong
	}
	in.r, in.searched = end+1, 0
	return line, false, nil
}

// buffer reads from a connection for the portable path.
type buffer struct {
	window
	src io.Reader

	small  []byte   // the connection's own, while a large one is borrowed
	shared *buffers // nil: nothing to borrow

	clock    time.Time     // start of the run
	reads    int           // reads that brought bytes, since the reply began
	first    int64         // when the first of them returned, ns since clock
	received int64         // bytes in all
	activity atomic.Uint64 // grows with every sign of life; the watch compares it between its ticks
}

func newBuffer(clock time.Time, shared *buffers) *buffer {
	return &buffer{window: window{buf: make([]byte, smallBuffer)}, shared: shared, clock: clock}
}

// attach makes the buffer read from a new connection; bytes of the old one are dropped.
func (b *buffer) attach(src io.Reader) {
	b.src, b.r, b.w, b.searched = src, 0, 0, 0
}

// readReply reads one reply to its end.
func (b *buffer) readReply(p *reply, head bool, sink func([]byte)) error {
	b.reads, b.first = 0, 0
	p.begin(head)
	for {
		if b.r < b.w {
			if done, err := p.advance(&b.window, sink); done || err != nil {
				return err
			}
		}
		if p.ahead() > smallBuffer && (p.at != inToClose || p.body > 2*smallBuffer) {
			b.borrow()
		}
		b.room()
		if err := b.fill(); err != nil {
			return p.ended(err)
		}
	}
}

func (b *buffer) alive() { b.activity.Add(1) }

var errNoProgress = errors.New("read reply: the connection returned neither bytes nor an error")

// fill reads once more. It needs room.
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
	b.r, b.searched = 0, 0
	b.small, b.buf = b.buf, large
}

// settle gives a borrowed buffer back. It reports whether bytes that belong to no reply were left unread; they are
// dropped with it.
func (b *buffer) settle() (surplus bool) {
	surplus = b.r < b.w
	if b.small != nil {
		b.shared.giveBack(b.buf)
		b.buf, b.small = b.small, nil
	}
	b.r, b.w, b.searched = 0, 0, 0
	return surplus
}

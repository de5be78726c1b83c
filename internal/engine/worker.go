package engine

import (
	"context"
	"crypto/tls"
	"net"
	"sync/atomic"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// largeRequest is from where on a request is written beside reading: the server may answer, or echo, before it has read
// it all, and both sides would wait for each other.
const largeRequest = 64 << 10

// worker is the life of one connection and its successors.
type worker struct {
	run   *run
	rec   *recorder
	slot  slot
	buf   *buffer
	check *checker
	reply reply

	tcp     net.Conn // nil: not connected
	conn    net.Conn // tcp, or the TLS connection on it
	backoff time.Duration
	timer   *time.Timer
	written int64      // when the last piece of the request was handed to the kernel
	writing chan error // result of a write beside reading; nil for small requests

	orders chan order // of an open loop
	due    int64      // of the order in work

	tally     tally
	allowance allowance
	pending   [sampleBatch]sample
	held      int // samples in pending

	replies  atomic.Int64 // complete replies
	failures atomic.Int64 // attempts that brought none
	began    atomic.Int64 // start of the request in flight when RequestTimeout is set; 0 = none
}

func newWorker(r *run, shared *buffers, rec *recorder) *worker {
	w := &worker{run: r, rec: rec, buf: newBuffer(r.base, shared), check: newChecker(r.cfg.Expect)}
	if len(r.req.wire) > largeRequest {
		w.writing = make(chan error, 1)
	}
	return w
}

// work makes attempts until the budget or the run ends.
func (w *worker) work() {
	for w.run.take(&w.allowance) {
		w.attempt()
	}
	w.disconnect()
	w.flush()
}

func (w *worker) now() int64 { return int64(time.Since(w.run.base)) }

// attempt makes one request, on the kept connection or on a new one.
func (w *worker) attempt() {
	start := w.now()
	w.tally.lastIssue = start
	w.buf.alive()
	if w.run.cfg.RequestTimeout > 0 {
		w.began.Store(max(start, 1))
		defer w.began.Store(0)
	}
	kept, connect := w.conn != nil, int64(-1)
	if !kept {
		if at, err := w.connect(); err != nil {
			w.failed(at, start, err)
			w.pause()
			return
		}
		connect = w.now() - start
	}
	w.backoff = 0
	if at, err := w.exchange(); err != nil {
		if at == phaseWrite && kept && lost(err) {
			at = phaseRead // the server had closed the kept connection: reset, as if the reply had shown it
		}
		if kept && w.buf.reads == 0 && at == phaseRead && classify(err, at) == result.ErrReset && w.slot.why.Load() == 0 {
			w.tally.lost++
		}
		w.failed(at, start, err)
		return
	}
	w.complete(start, connect)
}

// connect dials, and for https shakes hands.
func (w *worker) connect() (phase, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if !w.slot.dialling(cancel) {
		return phaseConnect, context.Canceled
	}
	tcp, err := w.run.target.dial(ctx, w.buf.alive)
	if err != nil {
		return phaseConnect, err
	}
	w.tcp = tcp
	if !w.slot.attach(tcp) {
		return phaseConnect, context.Canceled
	}
	w.buf.alive()
	w.conn = tcp
	if config := w.run.target.tls; config != nil {
		secure := tls.Client(tcp, config)
		if err := secure.HandshakeContext(context.Background()); err != nil {
			return phaseTLS, err
		}
		w.buf.alive()
		w.conn = secure
	}
	w.tally.opened++
	w.buf.attach(w.conn)
	return phaseWrite, nil
}

// exchange writes the request and reads the reply.
func (w *worker) exchange() (phase, error) {
	w.check.begin()
	if w.writing == nil {
		w.written = w.now()
		if _, err := w.conn.Write(w.run.req.wire); err != nil {
			return phaseWrite, err
		}
		err := w.buf.readReply(&w.reply, w.run.req.head, w.check.sink)
		w.tally.body += w.reply.body
		return phaseRead, err
	}
	go w.write(w.conn)
	err := w.buf.readReply(&w.reply, w.run.req.head, w.check.sink)
	w.tally.body += w.reply.body
	select {
	case werr := <-w.writing:
		if werr != nil {
			w.reply.close = true
		}
	default: // the reply came before the request was read: the connection is of no more use
		w.reply.close = true
		_ = w.tcp.Close()
		<-w.writing //nolint:errcheck // the connection is given up; how the write ended no longer matters
	}
	return phaseRead, err
}

// write sends a large request piece by piece, each a sign of life.
func (w *worker) write(conn net.Conn) {
	var err error
	for rest := w.run.req.wire; len(rest) > 0 && err == nil; {
		var n int
		w.written = w.now()
		n, err = conn.Write(rest[:min(len(rest), largeRequest)])
		rest = rest[n:]
		w.buf.alive()
	}
	w.writing <- err
}

// complete accounts for a complete reply.
func (w *worker) complete(start, connect int64) {
	end := w.buf.first
	if w.buf.reads > 1 {
		end = w.now()
	}
	class := w.check.verdict(&w.reply)
	if class != "" {
		w.rec.reject(class, end, w.check, &w.reply)
	}
	w.tally.lastEnd = end
	w.pending[w.held] = sample{
		due: w.due, connect: connect, wait: w.buf.first - w.written, total: end - start, end: end,
		body: w.reply.body, status: w.reply.status, ok: class == "",
	}
	if w.held++; w.held == len(w.pending) {
		w.flush()
	}
	w.replies.Store(w.replies.Load() + 1)
	surplus := w.buf.settle()
	if surplus || !w.run.req.persist || !w.reply.persistent() || w.slot.why.Load() != 0 {
		w.disconnect()
	}
}

// failed accounts for an attempt that brought no complete reply, and drops its connection.
func (w *worker) failed(at phase, start int64, err error) {
	end := w.now()
	why := reason(w.slot.why.Load())
	w.buf.settle()
	if w.tcp != nil {
		_ = w.tcp.Close() // the TCP connection itself: a TLS farewell could block
	}
	w.tcp, w.conn = nil, nil
	w.slot.detach()
	class, text := why.class(at), why.explain(w.run.cfg)
	if why == running {
		class, text = classify(err, at), err.Error()
	}
	if class == result.ErrUnfinished {
		w.rec.unfinished(end - start)
		return
	}
	w.tally.lastEnd = end
	w.rec.fail(class, end, end-start, text)
	w.failures.Add(1)
	if w.run.giveup.failed(end) {
		w.run.abort()
	}
}

// disconnect closes the connection after a complete reply.
func (w *worker) disconnect() {
	if w.conn == nil {
		return
	}
	w.slot.detach()
	_ = w.conn.Close()
	w.tcp, w.conn = nil, nil
}

// pause waits after a failed connect, twice as long as the last time.
func (w *worker) pause() {
	if w.orders != nil {
		return // an open loop sends what is due
	}
	w.backoff = min(max(2*w.backoff, backoffFirst), w.run.giveup.backoffCap())
	if w.timer == nil {
		w.timer = time.NewTimer(w.backoff)
	} else {
		w.timer.Reset(w.backoff)
	}
	select {
	case <-w.timer.C:
	case <-w.run.quit:
		w.timer.Stop()
	}
}

// flush hands the samples held to the recorder.
func (w *worker) flush() {
	w.rec.add(w.pending[:w.held])
	w.held = 0
}

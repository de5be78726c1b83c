package demoserver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

// flushEvery is how long a realised draw may stay in memory: a killed server loses no more.
const flushEvery = 250 * time.Millisecond

// Server answers requests when its Queue says so.
type Server struct {
	config  Config
	started time.Time
	replies replies

	mu    sync.Mutex // guards what follows
	queue *Queue
	truth *bufio.Writer
	lines *json.Encoder // into truth; nil without
	conns map[net.Conn]struct{}
	over  bool
}

// New returns a server that is ready to serve.
func New(c Config) (*Server, error) {
	q, err := NewQueue(c)
	if err != nil {
		return nil, err
	}
	s := &Server{config: q.config, queue: q, conns: map[net.Conn]struct{}{}, replies: newReplies(q.config)}
	s.started = time.Now()
	if c.Truth != nil {
		s.truth = bufio.NewWriter(c.Truth)
		s.lines = json.NewEncoder(s.truth)
		if err := s.lines.Encode(s.head()); err != nil {
			return nil, fmt.Errorf("write the truth: %w", err)
		}
	}
	return s, nil
}

// head is the first line of the truth: what all draws have in common.
func (s *Server) head() any {
	c := s.queue.config
	return struct {
		Law     string        `json:"law"`
		Mean    time.Duration `json:"mean_ns"`
		Workers int           `json:"workers"`
		Seed    uint64        `json:"seed"`
		Tier    string        `json:"tier,omitempty"`
		Started time.Time     `json:"started"` // the draws' times count from here
	}{c.Law, c.Mean, c.Workers, c.Seed, s.queue.Tier(), s.started.UTC()}
}

// Description is the law in a few words, with what was drawn at the start.
func (s *Server) Description() string {
	c := s.queue.config
	text := fmt.Sprintf("law %s, mean %v, workers %d, seed %d", c.Law, c.Mean, c.Workers, c.Seed)
	if tier := s.queue.Tier(); tier != "" {
		text += ", tier " + tier
	}
	return text
}

// Run listens as configured, says so on c.Log, and serves until ctx is done.
func Run(ctx context.Context, c Config) error {
	if c.TruthPath != "" {
		f, err := os.Create(c.TruthPath)
		if err != nil {
			return fmt.Errorf("create the truth file: %w", err)
		}
		defer func() { _ = f.Close() }()
		c.Truth = f
	}
	s, err := New(c)
	if err != nil {
		return err
	}
	addr := c.Addr
	if c.Port != 0 {
		addr = net.JoinHostPort("127.0.0.1", strconv.Itoa(c.Port))
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", addr, err)
	}
	if c.Log != nil {
		_, _ = fmt.Fprintf(c.Log, "listening on http://%s (%s)\n", l.Addr(), s.Description())
	}
	return s.Serve(ctx, l)
}

// Serve answers requests on l until ctx is done, which closes l and every connection. It returns nil then.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = l.Close(); s.closeConns() })()
	var tasks sync.WaitGroup
	tasks.Go(func() { s.flush(ctx) })
	var failed error
	for {
		c, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil {
				break
			}
			if temporary(err) {
				time.Sleep(time.Millisecond) // out of descriptors: some come back
				continue
			}
			failed = fmt.Errorf("accept a connection: %w", err)
			break
		}
		if s.add(c) {
			tasks.Go(func() { s.converse(ctx, c) })
		}
	}
	cancel()
	s.closeConns()
	tasks.Wait()
	return errors.Join(failed, s.flushNow())
}

func temporary(err error) bool {
	var n net.Error
	return errors.As(err, &n) && !errors.Is(err, net.ErrClosed) && !n.Timeout()
}

func (s *Server) add(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		_ = c.Close()
		return false
	}
	s.conns[c] = struct{}{}
	return true
}

func (s *Server) closeConns() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	for c := range s.conns {
		_ = c.Close()
	}
}

// converse answers the requests of one connection, one after the other.
func (s *Server) converse(ctx context.Context, c net.Conn) {
	defer func() {
		s.mu.Lock()
		delete(s.conns, c)
		s.mu.Unlock()
		_ = c.Close()
	}()
	in := readers.Get().(*bufio.Reader)
	in.Reset(c)
	defer readers.Put(in)
	for {
		r, err := readRequest(in, c)
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) {
				_, _ = io.WriteString(c, badRequest)
			}
			return
		}
		status := http.StatusOK
		if !r.health {
			d := s.admit()
			if !waitUntil(ctx, s.started.Add(d.Completion), d.Start == d.Arrival) {
				return
			}
			status = d.Status
		}
		if keep, err := s.replies.write(c, r, status); err != nil || !keep {
			return
		}
	}
}

// admit queues a request that has just been read.
func (s *Server) admit() Draw {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.queue.Admit(time.Since(s.started))
	if s.lines != nil {
		_ = s.lines.Encode(d) // the error stays in the writer, and flushNow returns it
	}
	return d
}

func (s *Server) flush(ctx context.Context) {
	if s.truth == nil {
		return
	}
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			_ = s.flushNow() // the error comes back at the end
		}
	}
}

func (s *Server) flushNow() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.truth == nil {
		return nil
	}
	if err := s.truth.Flush(); err != nil {
		return fmt.Errorf("write the truth: %w", err)
	}
	return nil
}

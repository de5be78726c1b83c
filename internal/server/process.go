package server

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// supervisorPatience is how long, beyond the grace time, a supervisor gets to end its server.
const supervisorPatience = killPatience + 5*time.Second

// process is the Manager's end of one supervised server.
type process struct {
	name    string // "server NAME of target TARGET"
	log     string // path
	server  result.Server
	cmd     *exec.Cmd
	control *os.File // write end of the pipe that keeps the supervisor going
	token   string

	started chan struct{} // closed when the server runs, or could not be started
	dead    chan struct{} // closed when the server died by itself
	done    chan struct{} // closed when the supervisor is gone

	mu     sync.Mutex
	pid    int
	failed string // why it could not be started
	how    string // how it died
	last   event  // the final report
}

// launch starts a supervisor and gives it its server.
func launch(self, name, logPath string, s result.Server, port int) (*process, error) {
	path, argv, err := command(s)
	if err != nil {
		return nil, err
	}
	p := &process{name: name, log: logPath, server: s, token: rand.Text(),
		started: make(chan struct{}), dead: make(chan struct{}), done: make(chan struct{})}
	log, err := os.OpenFile(logPath, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("create its log: %w", err)
	}
	defer func() { _ = log.Close() }()
	orders, control, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("create its control pipe: %w", err)
	}
	defer func() { _ = orders.Close() }()
	p.control = control
	// Not bound to any context: an interrupt must not kill the supervisor, which has work to do then.
	p.cmd = exec.CommandContext(context.Background(), self, superviseCommand)
	p.cmd.Stdin, p.cmd.Stderr, p.cmd.SysProcAttr = orders, log, apart()
	p.cmd.Env = append(os.Environ(), tokenVariable+"="+p.token)
	events, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("create its report pipe: %w", err), control.Close())
	}
	if err := p.cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("start its supervisor: %w", err), control.Close())
	}
	line, err := json.Marshal(spec{
		Argv: argv, Path: path, Dir: s.Dir, Env: environment(s, port, p.token),
		Signal: s.Stop.Signal, Grace: seconds(s.Stop.GraceSeconds),
	})
	if err == nil {
		_, err = control.Write(append(line, '\n'))
	}
	go p.follow(events)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("instruct its supervisor: %w", err), p.stop())
	}
	return p, nil
}

// follow takes in what the supervisor reports until it is gone.
func (p *process) follow(events io.Reader) {
	defer close(p.done)
	lines := bufio.NewScanner(events)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) == nil {
			p.take(e)
		}
	}
	waitErr := p.cmd.Wait()
	p.mu.Lock()
	silent := p.last.Kind == "" && p.failed == ""
	p.mu.Unlock()
	if silent {
		// Killed, or not this program at all: whatever it guarded must not outlive it.
		killed := killOrphans(p.cmd.Process.Pid, p.token)
		p.take(event{Kind: eventEnded, Text: fmt.Sprintf("lost its supervisor (%v)", waitErr)})
		p.take(event{Kind: eventGone, Killed: len(killed) > 0})
	}
}

func (p *process) take(e event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e.Kind {
	case eventStarted:
		p.pid = e.PID
	case eventFailed:
		p.failed = e.Text
	case eventEnded:
		p.how = e.Text
		closeOnce(p.dead)
	case eventGone:
		p.last = e
	}
	closeOnce(p.started)
}

// closeOnce is for channels whose only closer holds a lock.
func closeOnce(c chan struct{}) {
	select {
	case <-c:
	default:
		close(c)
	}
}

// death returns how the server died by itself, and "" while it lives.
func (p *process) death() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed != "" {
		return "could not be started: " + p.failed
	}
	return p.how
}

// stop ends the server and waits until nothing of it is left. It returns an error when something is.
func (p *process) stop() error {
	_, _ = p.control.Write([]byte{stopOrder}) // an error means that the supervisor is gone already
	late := time.NewTimer(seconds(p.server.Stop.GraceSeconds) + supervisorPatience)
	defer late.Stop()
	select {
	case <-p.done:
	case <-late.C:
		_ = p.cmd.Process.Kill()
		<-p.done
	}
	if err := p.control.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("%s: close its control pipe: %w", p.name, err)
	}
	if left := p.report().Left; len(left) > 0 {
		return fmt.Errorf("%s: processes %v cannot be killed", p.name, left)
	}
	return nil
}

func (p *process) report() event {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// pause waits for a moment in which nothing can happen that would be worth waking up for.
func pause(d time.Duration) { time.Sleep(d) }

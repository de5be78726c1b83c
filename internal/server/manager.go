package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// superviseCommand is the hidden first argument under which this program calls SuperviseMain.
const superviseCommand = "__supervise"

// Options says how servers are run; the zero value of each field but Self is usable.
type Options struct {
	Self   string // path of this program: it is the supervisor, and what {self} stands for
	LogDir string // where the servers' output goes; kept. Default: a new folder in the system's temporary folder
	// Starts says, by target name, how often its servers were started before, as when an experiment is resumed: the
	// ordinals that Start returns go on from there.
	Starts map[string]int
	// Logf, when not nil, is told what a user may want to know although it is no error.
	Logf func(format string, args ...any)
}

// Manager runs the servers of a plan's targets; it is a runner.Servers. Its methods may be called from several
// goroutines at once.
type Manager struct {
	plan    result.Plan
	opts    Options
	targets []*target
	closing context.CancelCauseFunc
	closed  context.Context

	mu     sync.Mutex // guards what follows
	ports  map[int]bool
	logDir string
}

// target is one target's servers.
type target struct {
	plan result.Target

	mu       sync.Mutex // held while its servers start or stop
	port     int        // 0 when the target needs none, or none is chosen yet
	attempts int        // starts, failed ones included: the log files' number
	restarts int        // starts that ended with every server ready
	up       bool

	list      sync.Mutex // guards processes, which may be read while a start is going on
	processes []*process // in the order started
}

// Process is one running server, for those who want to look at it from outside.
type Process struct {
	Server     string
	PID        int // of the main process as started
	Supervisor int
	Log        string // path
}

// errClosed is the reason why a start was given up.
var errClosed = errors.New("the servers are being stopped")

// New returns a Manager of the plan's servers; nothing is started.
func New(plan result.Plan, o Options) *Manager {
	m := &Manager{plan: plan, opts: o, ports: map[int]bool{}, logDir: o.LogDir}
	m.closed, m.closing = context.WithCancelCause(context.Background())
	for _, t := range plan.Targets {
		m.targets = append(m.targets, &target{plan: t, restarts: o.Starts[t.Name]})
	}
	return m
}

// Start makes the servers of target i ready, one after the other, and returns the target's URL and the ordinal of this
// start. A target that is up stays as it is. After an error none of its servers is left running.
func (m *Manager) Start(ctx context.Context, i int) (string, int, error) {
	t := m.targets[i]
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := m.choosePort(ctx, t); err != nil {
		return "", 0, err
	}
	replace := replacer(t.port, m.opts.Self)
	url := replace.Replace(t.plan.URL)
	if len(t.plan.Servers) == 0 || t.up {
		return url, t.restarts, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(m.closed, func() { cancel(errClosed) })()
	t.attempts++
	for n, s := range t.plan.Servers {
		if err := m.startServer(ctx, t, n, resolved(s, replace), url); err != nil {
			return "", 0, errors.Join(err, m.stopTarget(t))
		}
	}
	t.up = true
	t.restarts++
	return url, t.restarts, nil
}

// startServer starts the n-th server of a target and waits until it is ready.
func (m *Manager) startServer(ctx context.Context, t *target, n int, s result.Server, url string) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	serverName := cmp.Or(s.Name, fmt.Sprint(n+1))
	name := fmt.Sprintf("server %s of target %s", serverName, t.plan.Name)
	dir, err := m.LogDir()
	if err != nil {
		return err
	}
	logPath := filepath.Join(dir, fmt.Sprintf("%s-%s-%d.log", fileName(t.plan.Name), fileName(serverName), t.attempts))
	ask, addr, err := newProbe(s, url, logPath, environment(s, t.port, ""))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if addr != "" && accepts(ctx, addr) {
		return fmt.Errorf("%s is in use by %s before %s was started", addr, m.listener(addr), name)
	}
	p, err := launch(m.opts.Self, name, logPath, s, t.port)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	t.list.Lock()
	t.processes = append(t.processes, p)
	t.list.Unlock()
	return p.await(ctx, ask)
}

// listener names who holds an address: a server of ours, or a stranger.
func (m *Manager) listener(addr string) string {
	for _, t := range m.targets {
		for _, p := range t.running() {
			if taken, err := address(cmp.Or(p.server.Ready.URL, "tcp://"+p.server.Ready.TCP)); err == nil && taken == addr {
				return p.name + " (use {port}, or exclusive: true)"
			}
		}
	}
	return "another process"
}

func (t *target) running() []*process {
	t.list.Lock()
	defer t.list.Unlock()
	return append([]*process(nil), t.processes...)
}

// choosePort gives a target that asks for {port} its own, which it keeps over restarts.
func (m *Manager) choosePort(ctx context.Context, t *target) error {
	if t.port != 0 || !mentions(t.plan, "{port}") {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	port, err := freePort(ctx, m.ports)
	if err != nil {
		return fmt.Errorf("target %s: %w", t.plan.Name, err)
	}
	m.ports[port] = true
	t.port = port
	return nil
}

// LogDir returns the folder of the servers' logs, which is created when it is first needed.
func (m *Manager) LogDir() (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.logDir != "" {
		if err := os.MkdirAll(m.logDir, 0o700); err != nil {
			return "", fmt.Errorf("create the folder of the servers' logs: %w", err)
		}
		return m.logDir, nil
	}
	dir, err := os.MkdirTemp("", "benchstat-http-logs-*")
	if err != nil {
		return "", fmt.Errorf("create the folder of the servers' logs: %w", err)
	}
	m.logDir = dir
	return dir, nil
}

// Check returns an error, with the end of the log, when a server of target i died by itself.
func (m *Manager) Check(i int) error {
	for _, p := range m.targets[i].running() {
		if how := p.death(); how != "" {
			return withTail(p.name+" "+how, p.log)
		}
	}
	return nil
}

// Processes returns the servers of target i that were started and not stopped.
func (m *Manager) Processes(i int) []Process {
	var all []Process
	for _, p := range m.targets[i].running() {
		<-p.started
		p.mu.Lock()
		all = append(all, Process{Server: p.server.Name, PID: p.pid, Supervisor: p.cmd.Process.Pid, Log: p.log})
		p.mu.Unlock()
	}
	return all
}

// Stop ends the servers of target i, the last started first, and waits until nothing of them is left.
func (m *Manager) Stop(i int) error {
	t := m.targets[i]
	t.mu.Lock()
	defer t.mu.Unlock()
	return m.stopTarget(t)
}

// stopTarget wants the target's lock held.
func (m *Manager) stopTarget(t *target) error {
	var errs []error
	all := t.running()
	for _, p := range slices.Backward(all) {

		died := p.death() != ""
		errs = append(errs, p.stop())
		if m.opts.Logf != nil && !died && p.report().Killed {
			m.opts.Logf("%s did not end within %gs of its stop signal and was killed", p.name, p.server.Stop.GraceSeconds)
		}
	}
	t.list.Lock()
	t.processes = nil
	t.list.Unlock()
	t.up = false
	return errors.Join(errs...)
}

// Close stops every server, the last target first, and gives up starts that are going on. Nothing can be started
// afterwards; a second call does nothing.
func (m *Manager) Close() error {
	m.closing(errClosed)
	var errs []error
	for i := range slices.Backward(m.targets) {
		errs = append(errs, m.Stop(i))
	}
	return errors.Join(errs...)
}

// fileName keeps of a name what is safe in a file name everywhere.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, name)
}

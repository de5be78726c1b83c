package server

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// tree is the server's process and everything that descends from it. The supervisor is a child subreaper, so that a
// descendant whose parent ended becomes its child: nothing leaves the tree, and the tree is gone when the supervisor
// has no child left.
type tree struct {
	pid       int
	mainEnded chan exit     // one value
	gone      chan struct{} // closed when no descendant is left
	mainGone  atomic.Bool
	told      map[int]bool // processes that got the stop signal
}

// startTree starts the server as a child of this process.
func startTree(s spec) (*tree, error) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("become the reaper of the server's processes: %w", err)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, fmt.Errorf("open the server's standard input: %w", err)
	}
	defer func() { _ = null.Close() }()
	log := os.Stderr.Fd()
	pid, err := syscall.ForkExec(s.Path, s.Argv, &syscall.ProcAttr{
		Dir:   s.Dir,
		Env:   s.Env,
		Files: []uintptr{null.Fd(), log, log},
		// A group of its own, so that a server that signals its group does not reach the supervisor. The death signal
		// covers the case that the supervisor itself is killed.
		Sys: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
	})
	if err != nil {
		return nil, err
	}
	t := &tree{pid: pid, mainEnded: make(chan exit, 1), gone: make(chan struct{}), told: map[int]bool{}}
	go t.reap()
	return t, nil
}

// reap collects every descendant that ends as a child of this process, until there is none.
func (t *tree) reap() {
	defer close(t.gone)
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return // ECHILD
		}
		if pid == t.pid {
			t.mainGone.Store(true)
			t.mainEnded <- exitOf(status)
		}
	}
}

// remains reports whether a descendant is alive.
func (t *tree) remains() bool { return len(descendants(os.Getpid())) > 0 }

// signal sends the stop signal to the main process, once; when that has ended, to each process that became a child
// of the supervisor since, once.
func (t *tree) signal(name string) {
	number, err := signalNumber(name)
	if err != nil {
		number = syscall.SIGTERM
	}
	targets := []int{t.pid}
	if t.mainGone.Load() {
		targets = children(os.Getpid())
	}
	for _, pid := range targets {
		if !t.told[pid] {
			t.told[pid] = true
			_ = syscall.Kill(pid, number)
		}
	}
}

// kill sends SIGKILL to every living descendant and returns them.
func (t *tree) kill() []int {
	pids := descendants(os.Getpid())
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	return pids
}

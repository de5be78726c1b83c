//go:build unix && !linux

package server

import (
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
)

// tree is the server's process group. A process that leaves the group is lost: only Linux can follow it.
type tree struct {
	pid       int
	mainEnded chan exit
	gone      chan struct{}
	mainGone  atomic.Bool
	told      bool
}

func startTree(s spec) (*tree, error) {
	cmd := exec.Cmd{Path: s.Path, Args: s.Argv, Dir: s.Dir, Env: s.Env, Stdout: os.Stderr, Stderr: os.Stderr,
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true}}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	t := &tree{pid: cmd.Process.Pid, mainEnded: make(chan exit, 1), gone: make(chan struct{})}
	go func() {
		defer close(t.gone)
		_ = cmd.Wait() // how it ended is in ProcessState
		t.mainGone.Store(true)
		e := exitedWith(cmd.ProcessState.ExitCode())
		if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok {
			e = exitOf(status)
		}
		t.mainEnded <- e
		for t.remains() {
			pause(orphanPoll)
		}
	}()
	return t, nil
}

func (t *tree) remains() bool { return syscall.Kill(-t.pid, 0) == nil }

// signal reaches the main process, and once that has ended the rest of its group.
func (t *tree) signal(name string) {
	number, err := signalNumber(name)
	if err != nil {
		number = syscall.SIGTERM
	}
	switch {
	case t.mainGone.Load():
		_ = syscall.Kill(-t.pid, number)
	case !t.told:
		t.told = true
		_ = syscall.Kill(t.pid, number)
	}
}

func (t *tree) kill() []int {
	if syscall.Kill(-t.pid, syscall.SIGKILL) != nil {
		return nil
	}
	return []int{t.pid}
}

// killOrphans cannot find what a killed supervisor left behind.
func killOrphans(int, string) []int { return nil }

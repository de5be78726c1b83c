package server

import (
	"os"
	"os/exec"
	"syscall"
)

// tree is the server's process alone: there is neither a stop signal nor a process group to kill here.
type tree struct {
	pid       int
	process   *os.Process
	mainEnded chan exit
	gone      chan struct{}
}

func startTree(s spec) (*tree, error) {
	cmd := exec.Cmd{Path: s.Path, Args: s.Argv, Dir: s.Dir, Env: s.Env, Stdout: os.Stderr, Stderr: os.Stderr}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	t := &tree{pid: cmd.Process.Pid, process: cmd.Process, mainEnded: make(chan exit, 1), gone: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // how it ended is in ProcessState
		t.mainEnded <- exitedWith(cmd.ProcessState.ExitCode())
		close(t.gone)
	}()
	return t, nil
}

func (t *tree) remains() bool { return false }

func (t *tree) signal(string) { _ = t.process.Kill() }

func (t *tree) kill() []int {
	if t.process.Kill() != nil {
		return nil
	}
	return []int{t.pid}
}

func killOrphans(int, string) []int { return nil }

func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

func deafen() {}

// checkSignal accepts every name: a process is killed here whatever the signal.
func checkSignal(string) error { return nil }

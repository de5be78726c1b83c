//go:build unix

package server

import (
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// apart puts the supervisor into a session of its own, out of reach of the terminal's signals.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// deafen makes the supervisor survive the signals that end a program. They are caught, not ignored: a signal that is
// ignored here would be ignored by the server too.
func deafen() {
	ending := []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGPIPE,
		syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM}
	signal.Reset(ending...)
	signal.Notify(make(chan os.Signal, 1), ending...)
}

// signalNumber knows TERM and SIGTERM.
func signalNumber(name string) (syscall.Signal, error) {
	if name == "" {
		return syscall.SIGTERM, nil
	}
	full := strings.ToUpper(name)
	if !strings.HasPrefix(full, "SIG") {
		full = "SIG" + full
	}
	if n := unix.SignalNum(full); n != 0 {
		return n, nil
	}
	return 0, fmt.Errorf("unknown signal %q", name)
}

func checkSignal(name string) error {
	_, err := signalNumber(name)
	return err
}

func exitOf(status syscall.WaitStatus) exit {
	if status.Signaled() {
		return exit{text: fmt.Sprintf("was killed by signal %d (%v)", int(status.Signal()), status.Signal())}
	}
	return exitedWith(status.ExitStatus())
}

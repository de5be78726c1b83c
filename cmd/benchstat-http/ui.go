package main

// Rules of the user interface.
//
// Results go to standard output and nothing else does, so that it can be pasted or piped. Progress and messages go to
// standard error. A message is one line: "benchstat-http: what, where; what to do", lower case, no full stop.
// Statistical doubt is never a message: it is a finding, printed with the number it is about.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/mattn/go-isatty"
)

// Exit statuses of the program.
const (
	exitOK     = 0
	exitFailed = 1 // the measurement failed: no valid trial left, a server would not start
	exitUsage  = 2 // wrong usage, unreadable or invalid input
)

// streams are the three standard streams of one invocation.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// usageError is an error of the command line or of an input: exit status 2.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// signalError is the cause of a context that a signal cancelled.
type signalError struct{ signal os.Signal }

func (e signalError) Error() string { return "stopped by signal: " + e.signal.String() }

func (e signalError) exitStatus() int {
	switch e.signal {
	case syscall.SIGTERM:
		return 143
	case syscall.SIGHUP: // the terminal was closed
		return 129
	}
	return 130
}

// exitStatus maps an error to the status of the process.
func exitStatus(err error) int {
	var usage usageError
	var sig signalError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &sig):
		return sig.exitStatus()
	case errors.As(err, &usage):
		return exitUsage
	default:
		return exitFailed
	}
}

// printError writes err as one message; the lines after the first (the end of a server's log) are indented.
func printError(w io.Writer, err error) {
	first, rest, more := strings.Cut(strings.TrimRight(err.Error(), "\n"), "\n")
	_, _ = fmt.Fprintf(w, "benchstat-http: %s\n", first)
	if more {
		for line := range strings.SplitSeq(rest, "\n") {
			_, _ = fmt.Fprintf(w, "  %s\n", strings.TrimSpace(line))
		}
	}
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}

// wantsColour follows NO_COLOR (any non-empty value) and TERM=dumb.
func wantsColour(w io.Writer) bool {
	return isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

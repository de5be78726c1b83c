package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	os.Exit(mainExit())
}

// mainExit runs the program under the two-step interrupt: the first signal asks for an orderly end, which prints the
// analysis of what was measured; the second quits at once, which loses nothing, since every trial is on disk already
// and the servers' supervisors end them when this process is gone.
func mainExit() int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	go func() {
		first := <-signals
		cancel(signalError{first})
		second := <-signals
		os.Exit(signalError{second}.exitStatus())
	}()
	return run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

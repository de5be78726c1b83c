//go:build linux

// Command schedulebench measures how well the open loop of the native engine keeps its schedule, and whether the response
// times that it reports are the true ones, and writes docs/open-loop.md.
//
// The server is the demo server of this program, on one processor, and the client is on another. Send errors are compared
// with those of a thread that does nothing but look at the clock, and of one that sleeps whole milliseconds, as timers of
// epoll do, within the same minute.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"
)

// serverCPU and clientCPU are the processors that the two sides are bound to.
const (
	serverCPU = "0"
	clientCPU = "1"
)

func main() {
	if err := run(); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "schedulebench:", err)
		os.Exit(1)
	}
}

func run() error {
	var (
		rounds  = flag.Int("rounds", 5, "rounds, each with one run of every client")
		seconds = flag.Float64("seconds", 10, "length of a run")
		out     = flag.String("o", "", "file to write; empty: standard output")
		child   = flag.String("child", "", "internal: the job of a client, as JSON")
	)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *child != "" {
		return obey(ctx, *child)
	}
	dir, err := os.MkdirTemp("", "schedulebench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	b := &bench{dir: dir, length: time.Duration(*seconds * float64(time.Second))}
	if err := b.build(ctx); err != nil {
		return err
	}
	kept, err := b.accuracy(ctx, *rounds)
	if err != nil {
		return err
	}
	told, err := b.honesty(ctx, *rounds)
	if err != nil {
		return err
	}
	page := document(kept, told, *rounds, *seconds)
	if *out == "" {
		_, err = os.Stdout.WriteString(page)
		return err
	}
	return os.WriteFile(filepath.Clean(*out), []byte(page), 0o644)
}

type bench struct {
	dir, self, program string
	length             time.Duration
}

// build makes the program whose demo server is measured.
func (b *bench) build(ctx context.Context) error {
	var err error
	if b.self, err = os.Executable(); err != nil {
		return err
	}
	b.program = filepath.Join(b.dir, "benchstat-http")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", b.program, "./cmd/benchstat-http").CombinedOutput(); err != nil {
		return fmt.Errorf("build the program (run this from the module's root): %w: %s", err, out)
	}
	return nil
}

// client runs this program as a client on its processor.
func (b *bench) client(ctx context.Context, j job) (outcome, error) {
	text, err := json.Marshal(j)
	if err != nil {
		return outcome{}, err
	}
	cmd := exec.CommandContext(ctx, "taskset", "-c", clientCPU, b.self, "-child", string(text))
	cmd.Stderr = os.Stderr
	printed, err := cmd.Output()
	if err != nil {
		return outcome{}, fmt.Errorf("client %s: %w", j.Kind, err)
	}
	var o outcome
	return o, json.Unmarshal(printed, &o)
}

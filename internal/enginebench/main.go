//go:build linux

// Command enginebench measures what a request costs the native engine and its peers, and writes docs/engine-speed.md.
//
// A server, nginx, runs on one processor, the clients one after the other on another. A round runs every client of a
// scenario once, in random order; costs are compared as the ratio of medians over rounds, with a bootstrap interval that
// resamples rounds. Only Linux with at least two processors, and the tools, can run it.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

func main() {
	if err := run(); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "enginebench:", err)
		os.Exit(1)
	}
}

func run() error {
	var (
		rounds  = flag.Int("rounds", 15, "rounds, each with one run of every client")
		seconds = flag.Float64("seconds", 20, "length of a run")
		only    = flag.String("only", "", "regular expression of scenarios to run")
		out     = flag.String("o", "", "file to write; empty: standard output")
		asLoad  = flag.String("client", "", "internal: send load to this URL")
		conns   = flag.Int("c", 50, "internal: connections")
		keep    = flag.Bool("k", false, "internal: keep-alive")
		path    = flag.String("path", "", "internal: path of the engine")
	)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	length := time.Duration(*seconds * float64(time.Second))
	if *asLoad != "" {
		return sendLoad(ctx, *asLoad, *path, *conns, *keep, length)
	}
	dir, err := os.MkdirTemp("", "enginebench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	b := &bench{dir: dir, length: length, rounds: *rounds, rng: rand.New(rand.NewPCG(1, 2))}
	if err := b.prepare(ctx); err != nil {
		return err
	}
	defer b.stop()
	var done []series
	for _, s := range scenarios {
		if !matches(*only, s.name) {
			continue
		}
		measured, err := b.measure(ctx, s)
		if err != nil {
			return err
		}
		done = append(done, measured)
	}
	page := document(done, *rounds, *seconds, machine())
	if *out == "" {
		_, err = os.Stdout.WriteString(page)
		return err
	}
	return os.WriteFile(filepath.Clean(*out), []byte(page), 0o644)
}

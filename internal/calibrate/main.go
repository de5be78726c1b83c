// Command calibrate simulates what the statistics of this project promise, and writes docs/calibration.md.
//
// It draws trials from known worlds (quiet, skewed, in levels, drifting, restarted), runs the procedures of pkg/analysis
// on them and counts: how often intervals cover, how often verdicts are wrong, how often a difference is found. Numbers
// are held against references and limits; any miss ends the command with status 1. The output depends on the seed only,
// not on the machine or the number of its processors.
//
//	go run ./internal/calibrate [-seed N] [-scale full|small] [-o docs/calibration.md]
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/benchstat-http/benchstat-http/internal/calibrate/sim"
	"github.com/benchstat-http/benchstat-http/internal/calibrate/study"
)

func main() {
	if err := run(os.Args[1:], os.Stderr); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "calibrate:", err)
		}
		os.Exit(1)
	}
}

func run(args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("calibrate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	seed := flags.Uint64("seed", 1, "seed of the simulations")
	scaleName := flags.String("scale", "full", "full, or small for a thirtieth of the replicates")
	out := flags.String("o", "docs/calibration.md", "file to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	scale := sim.Full
	switch *scaleName {
	case "full":
	case "small":
		scale = sim.Small
	default:
		return fmt.Errorf("read -scale: %q is neither full nor small", *scaleName)
	}
	outcomes := sim.Run(study.Experiments(), *seed, scale, runtime.GOMAXPROCS(0))
	var document bytes.Buffer
	if err := study.Document(*seed).Write(&document, outcomes); err != nil {
		return fmt.Errorf("write document: %w", err)
	}
	if err := os.WriteFile(*out, document.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write document: %w", err)
	}
	if misses := sim.Misses(outcomes); len(misses) > 0 {
		return fmt.Errorf("%d numbers miss their reference or limit:\n%s", len(misses), strings.Join(misses, "\n"))
	}
	return nil
}

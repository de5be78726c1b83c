package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/benchstat-http/benchstat-http/internal/driver"
	"github.com/benchstat-http/benchstat-http/internal/environ"
	"github.com/benchstat-http/benchstat-http/internal/server"
	"github.com/benchstat-http/benchstat-http/pkg/result"
	"github.com/benchstat-http/benchstat-http/pkg/runner"
)

// experiment is one invocation that measures: what to measure, where it is kept, and how it is shown.
type experiment struct {
	plan    result.Plan
	secrets []string // never written
	path    string   // of the result file
	done    []result.Trial
	quiet   bool
	show    reportFlags
}

// measure runs what the plan still lacks, keeps every trial on disk, and prints the report of the file. The report is
// built from the file as read back, so that what is shown is what anyone else will derive from it.
func (x *experiment) measure(ctx context.Context, s streams, journal *result.Writer) error {
	if err := announcePublic(ctx, s, x.plan); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	servers := server.New(x.plan, server.Options{Self: self, Starts: starts(x.done)})
	runErr := x.run(ctx, s, journal, servers)
	closeErr := journal.Close()
	if runErr != nil && !errors.Is(runErr, runner.ErrInterrupted) {
		return errors.Join(runErr, closeErr)
	}
	if !x.quiet {
		_, _ = fmt.Fprintf(s.err, "result file: %s\n", x.path)
	}
	reportErr := showResult(s, x.path, x.show)
	if runErr != nil {
		return interruption(ctx, x.path)
	}
	return errors.Join(reportErr, closeErr)
}

// run measures; the runner writes the end line and stops the servers.
func (x *experiment) run(ctx context.Context, s streams, journal *result.Writer, servers runner.Servers) error {
	_, err := runner.Run(ctx, runner.Options{
		Plan:     x.plan,
		Driver:   driver.Native{},
		Servers:  servers,
		Journal:  journal,
		Observer: newObserver(s.err, x.plan, len(x.done), x.quiet),
		Done:     x.done,
		Redact:   result.NewRedactor(x.plan, x.secrets),
	})
	return err
}

// starts returns how often each target's servers were started for the trials that exist.
func starts(trials []result.Trial) map[string]int {
	most := map[string]int{}
	for _, t := range trials {
		most[t.Target] = max(most[t.Target], t.Restart)
	}
	return most
}

// begin creates the result file and writes its first line.
func (x *experiment) begin() (*result.Writer, error) {
	journal, err := result.Create(x.path)
	if err != nil {
		return nil, usageError{err}
	}
	e := &result.Experiment{
		Name:    x.plan.Name,
		Version: programVersion(),
		Plan:    x.plan.Redacted(x.secrets),
		Started: time.Now().UTC(),
		Machine: environ.Collect("/"),
	}
	if err := journal.Begin(e); err != nil {
		return nil, errors.Join(err, journal.Close())
	}
	return journal, nil
}

// interruption is the error of a measurement that a signal stopped: where the trials are, and how to go on.
func interruption(ctx context.Context, path string) error {
	how := fmt.Errorf("interrupted; the whole trials are in %s, go on with --resume %s", path, path)
	if sig, ok := errors.AsType[signalError](context.Cause(ctx)); ok {
		return errors.Join(how, sig)
	}
	return how
}

// defaultPath is ./NAME-YYYYMMDD-HHMMSS.jsonl.
func defaultPath(name string, now time.Time) string {
	clean := strings.Map(func(r rune) rune {
		if r == '-' || r == '.' || r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '-'
	}, name)
	clean = strings.Trim(clean, "-.")
	if clean == "" {
		clean = "benchstat-http"
	}
	return filepath.Clean("./" + clean + "-" + now.Format("20060102-150405") + ".jsonl")
}

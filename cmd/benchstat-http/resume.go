package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchstat-http/benchstat-http/internal/config"
	"github.com/benchstat-http/benchstat-http/pkg/result"
	"github.com/benchstat-http/benchstat-http/pkg/runner"
)

// resumeFlags are the only flags that --resume goes with: the plan is settled, but secrets are not in the file.
var resumeFlags = []string{"resume", "header", "cookie", "auth", "format", "quiet", "dry-run", "help"}

// resume continues an interrupted experiment at its first missing trial, in the recorded order.
func (f *measureFlags) resume(cmd *cobra.Command, s streams, args []string) error {
	if len(args) > 0 {
		return usagef("--resume takes no targets, got %s; the plan in %s names them", args[0], f.load.resume)
	}
	var odd error
	cmd.Flags().Visit(func(g *pflag.Flag) {
		if !slices.Contains(resumeFlags, g.Name) {
			odd = usagef("--%s does not go with --resume: the plan in %s is settled", g.Name, f.load.resume)
		}
	})
	if odd != nil {
		return odd
	}
	x, file, err := f.resumed(cmd)
	if err != nil {
		return usageError{err}
	}
	left := runner.Remaining(x.plan, x.done)
	if file.End != nil && len(left) == 0 {
		_, _ = fmt.Fprintf(s.err, "nothing is left to measure in %s\n", x.path)
		return showResult(s, x.path, x.show)
	}
	if f.load.dryRun {
		return printPlan(s, x)
	}
	journal, err := result.OpenAppend(x.path, file)
	if err != nil {
		return usageError{err}
	}
	return x.measure(cmd.Context(), s, journal)
}

// resumed reads the recorded plan and trials, and the secrets again from where they came from.
func (f *measureFlags) resumed(cmd *cobra.Command) (*experiment, *result.File, error) {
	path := f.load.resume
	file, err := readResult(path)
	if err != nil {
		return nil, nil, err
	}
	if file.Experiment == nil {
		return nil, nil, errors.New(path + " has no experiment line, so there is no plan to resume")
	}
	plan, secrets, err := config.Reload(file.Experiment.Plan, f.load.given(cmd.Flags(), &f.decide), os.LookupEnv)
	if err != nil {
		return nil, nil, fmt.Errorf("resume %s: %w", path, err)
	}
	x := &experiment{plan: plan, secrets: secrets, path: path, done: file.Trials, quiet: f.load.quiet, show: f.show}
	return x, file, nil
}

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/benchstat-http/benchstat-http/internal/config"
	"github.com/benchstat-http/benchstat-http/internal/input"
	"github.com/benchstat-http/benchstat-http/pkg/report"
)

// measureFlags are all flags of run and compare.
type measureFlags struct {
	load   loadFlags
	decide decisionFlags
	show   reportFlags
}

func newCompareCommand(s streams) *cobra.Command {
	var f measureFlags
	var numbers numberFlags
	cmd := &cobra.Command{
		Use:   "compare BASELINE CANDIDATE...",
		Short: "Measure targets in randomised blocks and decide; on measurements that exist: decide",
		Long: `Compare measures two or more targets in randomised blocks, and decides for each candidate whether it is faster
than the baseline, slower, equivalent within the margin, or whether that is not known yet.

A target is a YAML file or a URL (name=URL names it); one YAML file may hold several targets. Given result files,
ab outputs or plain numbers instead, compare decides from those. '-' is standard input.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.load.resume == "" && len(args) > 0 && !anyMeasurable(args) {
				return compareData(s, cmd, &f, &numbers, args)
			}
			if err := numbers.unused(cmd.Flags()); err != nil {
				return err
			}
			return f.measure(cmd, s, args, 2)
		},
	}
	f.add(cmd)
	numbers.add(cmd.Flags())
	return cmd
}

func newRunCommand(s streams) *cobra.Command {
	var f measureFlags
	cmd := &cobra.Command{
		Use:   "run TARGET",
		Short: "Measure one target",
		Long: `Run sends warm-up requests and then a trial, several times over, to one target, and prints its mean rate with an
interval, its tiers and its latency. A target is a YAML file or a URL (name=URL names it).`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.measure(cmd, s, args, 1) },
	}
	f.add(cmd)
	return cmd
}

func (f *measureFlags) add(cmd *cobra.Command) {
	f.load.add(cmd.Flags())
	f.decide.add(cmd.Flags())
	f.show.add(cmd.Flags())
}

// measurable reports whether an argument names something to measure: a URL or a YAML file.
func measurable(arg string) bool {
	if _, rest, ok := strings.Cut(arg, "="); ok && (config.IsURL(rest) || input.IsYAML(rest)) {
		return true
	}
	return config.IsURL(arg) || input.IsYAML(arg)
}

func anyMeasurable(args []string) bool {
	return slices.ContainsFunc(args, measurable)
}

// measure loads the plan for the arguments (or continues a recorded one) and measures it. At least the given number
// of targets is needed.
func (f *measureFlags) measure(cmd *cobra.Command, s streams, args []string, targets int) error {
	if err := f.show.check(); err != nil {
		return err
	}
	if f.load.resume != "" {
		return f.resume(cmd, s, args)
	}
	x, err := f.plan(cmd, args, targets)
	if err != nil {
		return err
	}
	if f.load.dryRun {
		return printPlan(s, x)
	}
	journal, err := x.begin()
	if err != nil {
		return err
	}
	return x.measure(cmd.Context(), s, journal)
}

// drawSeed draws the seed of the order, below 2^53 so that every reader of JSON gets it whole.
func drawSeed() uint64 { return rand.Uint64N(1 << 53) }

// plan resolves the arguments and flags into an experiment.
func (f *measureFlags) plan(cmd *cobra.Command, args []string, targets int) (*experiment, error) {
	if len(args) == 0 {
		return nil, usagef("%s needs a target: a YAML file or a URL; see '%s --help'", cmd.Name(), cmd.CommandPath())
	}
	for _, arg := range args {
		if !measurable(arg) {
			return nil, usagef("%s is not a target to measure; give a YAML file (.yaml, .yml) or a URL (http://…)", arg)
		}
	}
	loaded, err := config.Load(config.ParseArgs(args), f.load.given(cmd.Flags(), &f.decide), os.LookupEnv, drawSeed)
	if err != nil {
		return nil, usageError{err}
	}
	n := len(loaded.Plan.Targets)
	if n < targets {
		return nil, usagef("compare needs at least two targets, got %d; 'run' measures one", n)
	}
	if targets == 1 && n > 1 {
		return nil, usagef("run measures one target, got %d; 'compare' measures several", n)
	}
	x := &experiment{plan: loaded.Plan, secrets: loaded.Secrets, path: f.load.output, quiet: f.load.quiet, show: f.show}
	if x.path == "" {
		x.path = defaultPath(x.plan.Name, time.Now())
	}
	return x, nil
}

// compareData decides from measurements that exist.
func compareData(s streams, cmd *cobra.Command, f *measureFlags, numbers *numberFlags, args []string) error {
	if err := f.show.check(); err != nil {
		return err
	}
	if names := measuringOnly(cmd.Flags()); len(names) > 0 {
		return usagef("%s: nothing is measured here, since %s is not a YAML file or a URL", names[0], args[0])
	}
	given, err := f.decide.given(cmd.Flags())
	if err != nil {
		return err
	}
	setIf(cmd.Flags(), "design", &given.design, numbers.design)
	data, err := numbers.read(s, cmd.Flags(), args)
	if err != nil {
		return err
	}
	in, err := comparison(data, given)
	if err != nil {
		return err
	}
	if len(in.Targets) < 2 {
		return usagef("compare needs at least two targets, got one (%s); 'analyze' looks at one", in.Targets[0].Name)
	}
	return showReport(s, in, f.show)
}

// comparison joins datasets into the input of one report: a single result file with its own design, anything else as
// series that were measured apart.
func comparison(data []dataset, given decision) (report.Input, error) {
	if len(data) == 1 {
		return data[0].input(given)
	}
	given, err := given.planned(data)
	if err != nil {
		return report.Input{}, err
	}
	var series []report.Series
	var names []string
	used := map[string]bool{}
	for _, d := range data {
		for _, one := range splitTargets(d) {
			one.Name = uniqueName(one.Name, used)
			series = append(series, one)
			names = append(names, one.Name)
		}
	}
	in := fromSeries(strings.Join(names, " vs "), given, series...)
	return in, given.layOut(&in, data)
}

// uniqueName returns name, or name#2, name#3 … when it is taken.
func uniqueName(name string, used map[string]bool) string {
	unique := name
	for i := 2; used[unique]; i++ {
		unique = fmt.Sprintf("%s#%d", name, i)
	}
	used[unique] = true
	return unique
}

package main

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchstat-http/benchstat-http/internal/input"
	"github.com/benchstat-http/benchstat-http/pkg/report"
	"github.com/benchstat-http/benchstat-http/pkg/result"
)

func newAnalyzeCommand(s streams) *cobra.Command {
	var show reportFlags
	var decide decisionFlags
	var numbers numberFlags
	cmd := &cobra.Command{
		Use:   "analyze FILE...",
		Short: "Statistics of measurements that exist: result files, ab outputs, plain numbers",
		Long: `Analyze reads result files, text that ab printed (several runs and prose on one page are fine), or plain numbers
(one rate a line, or a CSV table with an 'rps' column; with --values one latency a line), and prints their
statistics. '-' is standard input. name=FILE gives a file a name; a directory stands for the files in it. Files that
hold one run each are the trials of one target.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("analyze needs a file; see 'benchstat-http analyze --help'")
			}
			if err := show.check(); err != nil {
				return err
			}
			given, err := decide.given(cmd.Flags())
			if err != nil {
				return err
			}
			setIf(cmd.Flags(), "design", &given.design, numbers.design)
			data, err := numbers.read(s, cmd.Flags(), args)
			if err != nil {
				return err
			}
			return analyzeData(s, data, given, show)
		},
	}
	decide.add(cmd.Flags())
	numbers.add(cmd.Flags())
	show.add(cmd.Flags())
	return cmd
}

// decision is what the flags say about deciding; nil where they say nothing.
type decision struct {
	alpha, margin        *float64
	test, metric, family *string
	design               *string // of plain numbers
}

// given checks the decision flags and returns those that stand on the command line.
func (d *decisionFlags) given(fs *pflag.FlagSet) (decision, error) {
	var out decision
	setIf(fs, "alpha", &out.alpha, d.alpha)
	setIf(fs, "test", &out.test, d.test)
	setIf(fs, "metric", &out.metric, d.metric)
	setIf(fs, "family", &out.family, d.family)
	if out.metric != nil && !slices.Contains(report.Metrics(), d.metric) {
		return out, usagef("unknown --metric %q; give one of %s", d.metric, strings.Join(report.Metrics(), ", "))
	}
	if out.family != nil && !slices.Contains(report.Families(), d.family) {
		return out, usagef("unknown --family %q; give baseline or all-pairs", d.family)
	}
	if out.alpha != nil && !(d.alpha > 0 && d.alpha < 0.5) {
		return out, usagef("--alpha %v is out of range; give a probability above 0 and below 0.5", d.alpha)
	}
	if out.test != nil && d.test != "auto" && d.test != "paired" && d.test != "welch" {
		return out, usagef("unknown --test %q; give auto, paired or welch", d.test)
	}
	if fs.Changed("margin") {
		margin, err := parseShare(d.margin)
		if err != nil {
			return out, usagef("--margin %q: %w", d.margin, err)
		}
		out.margin = &margin
	}
	return out, nil
}

// parseShare reads "1%" or "0.01".
func parseShare(text string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		v /= 100
	}
	if err != nil || math.IsNaN(v) || v <= 0 || v >= 1 {
		return 0, errors.New("give a share above 0 and below 1, such as 1% or 0.01")
	}
	return v, nil
}

// dataset is one argument as read: a result file, or a series of trials.
type dataset struct {
	name   string
	file   *result.File // nil for text and numbers
	trials []result.Trial
	kind   string // of its texts: importer.KindNumbers only when all are
	texts  int    // how many there are
}

// seriesName is the name that an argument gives its trials: the one stated (name=FILE), else that of the file.
func seriesName(arg string) string {
	name, path := input.Split(arg)
	switch {
	case name != "":
		return name
	case path == "-":
		return "stdin"
	}
	return filepath.Base(path)
}

// analyzeData prints one report for each result file, and one for each series of trials.
func analyzeData(s streams, data []dataset, given decision, show reportFlags) error {
	if len(data) > 1 && allSingle(data) {
		data = []dataset{pool(data)}
	}
	var failures []error
	for i, d := range data {
		in, err := d.input(given)
		if err != nil {
			return err
		}
		if i > 0 {
			if _, err := fmt.Fprintln(s.out); err != nil {
				return err
			}
		}
		failures = append(failures, showReport(s, in, show))
	}
	return errors.Join(failures...)
}

// allSingle reports whether every dataset is text with exactly one run, as when each run of a tool was kept in a file
// of its own.
func allSingle(data []dataset) bool {
	for _, d := range data {
		if d.file != nil || len(d.trials) != 1 {
			return false
		}
	}
	return true
}

// pool makes one series of the runs of several files, in the order given.
func pool(data []dataset) dataset {
	all := dataset{name: fmt.Sprintf("%d files", len(data))}
	for _, d := range data {
		all.trials = append(all.trials, d.trials...)
		all.texts += d.texts
	}
	unnumber(all.trials)
	return all
}

// input returns what a report of the dataset alone is built from.
func (d dataset) input(given decision) (report.Input, error) {
	if d.file == nil || d.file.Experiment == nil {
		in := fromSeries(d.name, given, splitTargets(d)...)
		return in, given.layOut(&in, []dataset{d})
	}
	in := report.FromFile(d.file)
	if err := given.agrees(in.Design, d.name); err != nil {
		return in, err
	}
	if given.metric != nil && *given.metric != in.Design.Metric {
		in.Design.PlannedMetric, in.Design.Metric = in.Design.Metric, *given.metric
	}
	return in, nil
}

// splitTargets separates the trials of a dataset by the target they name.
func splitTargets(d dataset) []report.Series {
	trials := d.trials
	if d.file != nil {
		trials = d.file.Trials
	}
	var series []report.Series
	index := map[string]int{}
	for _, t := range trials {
		i, known := index[t.Target]
		if !known {
			i = len(series)
			index[t.Target] = i
			series = append(series, report.Series{Name: t.Target})
		}
		series[i].Trials = append(series[i].Trials, t)
	}
	if len(series) == 1 {
		series[0].Name = d.name
	}
	return series
}

func fromSeries(title string, given decision, series ...report.Series) report.Input {
	rule := report.Rule{Alpha: value(given.alpha), Margin: value(given.margin), Test: value(given.test), Metric: metricFor(given.metric, series), Family: value(given.family)}
	return report.FromSeries(title, programVersion(), rule, series...)
}

// value is *p, or the zero value when p is nil.
func value[T any](p *T) T {
	if p == nil {
		return *new(T)
	}
	return *p
}

// planned completes the decision with the rule that result files were measured under. Files that were planned
// differently need a flag to settle it.
func (g decision) planned(data []dataset) (decision, error) {
	var first *dataset
	for i, d := range data {
		if d.file == nil || d.file.Experiment == nil {
			continue
		}
		p := d.file.Experiment.Plan
		if first == nil {
			first = &data[i]
			continue
		}
		q := first.file.Experiment.Plan
		if g.margin == nil && p.Margin != q.Margin {
			return g, usagef("%s was planned with a margin of %g, %s with %g; settle it with --margin", first.name, q.Margin, d.name, p.Margin)
		}
		if g.alpha == nil && p.Alpha != q.Alpha {
			return g, usagef("%s was planned with alpha %g, %s with %g; settle it with --alpha", first.name, q.Alpha, d.name, p.Alpha)
		}
	}
	if first == nil {
		return g, nil
	}
	if g.margin == nil {
		g.margin = &first.file.Experiment.Plan.Margin
	}
	if g.alpha == nil {
		g.alpha = &first.file.Experiment.Plan.Alpha
	}
	return g, nil
}

// agrees refuses to re-decide an experiment by a rule that was not the one fixed before it was measured.
func (g decision) agrees(planned report.Design, name string) error {
	const why = "was fixed before %s was measured and cannot be changed after; leave the flag out"
	switch {
	case g.margin != nil && *g.margin != planned.Margin:
		return usagef("--margin: the margin of %g %% "+why, 100*planned.Margin, name)
	case g.alpha != nil && *g.alpha != planned.Alpha:
		return usagef("--alpha: the level of %g "+why, planned.Alpha, name)
	case g.test != nil && *g.test != planned.Test:
		return usagef("--test: the test %q "+why, planned.Test, name)
	case g.family != nil && *g.family != planned.Family:
		return usagef("--family: the family %q "+why, planned.Family, name)
	}
	return nil
}

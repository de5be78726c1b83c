package main

import (
	"io"
	"slices"

	"github.com/spf13/pflag"

	"github.com/benchstat-http/benchstat-http/internal/importer"
	"github.com/benchstat-http/benchstat-http/internal/input"
	"github.com/benchstat-http/benchstat-http/pkg/report"
	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// How plain numbers were measured.
const (
	designIndependent = "independent" // apart from each other
	designBlocks      = "blocks"      // line by line together
)

// numberFlags say what plain numbers are. They have no meaning for measurements that say so themselves.
type numberFlags struct{ values, design string }

func (n *numberFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&n.values, "values", string(importer.ValuesRPS), "what plain numbers are: rps, latency-ms or latency-s (the requests of one trial)")
	fs.StringVar(&n.design, "design", designIndependent, "how plain numbers were measured: independent, or blocks (line i with line i)")
}

// check refuses values that the flags do not take.
func (n *numberFlags) check() error {
	switch importer.Values(n.values) {
	case importer.ValuesRPS, importer.ValuesLatencyMS, importer.ValuesLatencyS:
	default:
		return usagef("unknown --values %q; give rps, latency-ms or latency-s", n.values)
	}
	if n.design != designIndependent && n.design != designBlocks {
		return usagef("unknown --design %q; give independent or blocks", n.design)
	}
	return nil
}

// unused refuses the flags where load is sent.
func (n *numberFlags) unused(fs *pflag.FlagSet) error {
	for _, name := range []string{"values", "design"} {
		if fs.Changed(name) {
			return usagef("--%s is for plain numbers; what is measured here says what it is", name)
		}
	}
	return nil
}

// read reads every argument, and refuses flags that none of what it read, or not all of it, can take.
func (n *numberFlags) read(s streams, fs *pflag.FlagSet, args []string) ([]dataset, error) {
	if err := n.check(); err != nil {
		return nil, err
	}
	data, err := readData(s, args, importer.Values(n.values))
	if err != nil {
		return nil, err
	}
	plain := func(d dataset) bool { return d.kind == importer.KindNumbers }
	if fs.Changed("values") && !slices.ContainsFunc(data, plain) {
		return nil, usagef("--values says what plain numbers are, and %s is %s; leave the flag out", data[0].name, data[0].what())
	}
	if fs.Changed("design") {
		if i := slices.IndexFunc(data, func(d dataset) bool { return !plain(d) }); i >= 0 {
			return nil, usagef("--design says how plain numbers were measured, and %s is %s; leave the flag out", data[i].name, data[i].what())
		}
	}
	return data, nil
}

// what names the kind of a dataset in messages.
func (d dataset) what() string {
	switch d.kind {
	case importer.KindResult:
		return "a result file, which records its design"
	case importer.KindAB:
		return "ab output"
	default:
		return d.kind
	}
}

// parseSource reads one text; latencies are read as they come, since there may be very many.
func parseSource(name string, r io.Reader, values importer.Values) (*importer.Parsed, error) {
	if values != importer.ValuesRPS {
		return importer.ParseLatencies(r, name, values)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return importer.Parse(text, name)
}

// readData reads every argument.
func readData(s streams, args []string, values importer.Values) ([]dataset, error) {
	var data []dataset
	for _, arg := range args {
		d := dataset{name: seriesName(arg)}
		file := "" // a result file in it
		err := input.Stream(arg, s.in, func(name, _ string, r io.Reader) error {
			parsed, err := parseSource(name, r, values)
			if err != nil {
				return err
			}
			d.add(parsed)
			if parsed.File != nil {
				file = name
			}
			if file != "" && d.texts > 1 {
				return usagef("%s is a result file among other outputs; give it by itself", file)
			}
			return nil
		})
		if err != nil {
			return nil, usageError{err}
		}
		data = append(data, d)
	}
	return data, nil
}

// add takes over what one text holds. Trials of several texts are numbered in the order given.
func (d *dataset) add(p *importer.Parsed) {
	if d.texts++; d.texts == 1 || d.kind == importer.KindNumbers {
		d.kind = p.Kind // mixed texts are what is no number
	}
	if p.File != nil {
		d.file = p.File
	}
	d.trials = append(d.trials, p.Trials...)
	if d.texts > 1 {
		unnumber(d.trials)
	}
}

// unnumber leaves it to the report to number the trials as they come.
func unnumber(trials []result.Trial) {
	for i := range trials {
		trials[i].Trial = 0
	}
}

// metricFor is the metric asked for. Where none was, and no trial has a rate but all have latencies, it is their mean:
// the one figure of latency that any number of requests gives exactly.
func metricFor(asked *string, series []report.Series) string {
	if asked != nil {
		return *asked
	}
	shown := false
	for _, one := range series {
		for _, t := range one.Trials {
			if t.RPS != nil || t.Total == nil {
				return ""
			}
			shown = shown || t.Total.Sum > 0
		}
	}
	if !shown {
		return ""
	}
	return "mean"
}

// layOut makes the design of the trials blocks, when the flag or a table's own column says so. Without the flag, only
// the rows of one table are known to share their blocks, and only when every row has one and no target has it twice.
func (g decision) layOut(in *report.Input, data []dataset) error {
	switch {
	case g.design == nil:
		if len(data) != 1 || data[0].texts != 1 || len(in.Targets) < 2 || !stateBlocks(in.Targets) {
			return nil
		}
	case *g.design == designIndependent:
		return nil
	case len(in.Targets) < 2:
		return usagef("--design blocks pairs the trials of two or more targets, and %s holds one; give compare both", data[0].name)
	case !stateBlocks(in.Targets):
		if err := pairLines(in.Targets); err != nil {
			return err
		}
	}
	blocks := map[int]bool{}
	for _, t := range in.Targets {
		for _, trial := range t.Trials {
			blocks[trial.Block] = true
		}
	}
	in.Design.Blocked, in.Design.Blocks = true, len(blocks)
	return nil
}

// stateBlocks reports whether every trial is in a block, and each target at most once in any.
func stateBlocks(targets []report.TargetInput) bool {
	for _, t := range targets {
		seen := map[int]bool{}
		for _, trial := range t.Trials {
			if trial.Block == 0 || seen[trial.Block] {
				return false
			}
			seen[trial.Block] = true
		}
	}
	return true
}

// pairLines makes block i of the i-th trial of every target.
func pairLines(targets []report.TargetInput) error {
	for _, t := range targets {
		if n, first := len(t.Trials), targets[0]; n != len(first.Trials) {
			return usagef("--design blocks pairs line by line, and %s has %d values, %s %d; give every target the same number", first.Name, len(first.Trials), t.Name, n)
		}
		if slices.ContainsFunc(t.Trials, func(trial result.Trial) bool { return trial.Block != 0 }) {
			return usagef("--design blocks: the block column does not give every value of %s a block of its own; give each target one value in a block", t.Name)
		}
	}
	for _, t := range targets {
		for i := range t.Trials {
			t.Trials[i].Block = i + 1
		}
	}
	return nil
}

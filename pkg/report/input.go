package report

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// ErrNotBlocked is returned by Build when a paired test was asked for and the trials were not measured in blocks.
var ErrNotBlocked = errors.New("paired test needs trials measured in blocks; use --test auto or --test welch, or --design blocks for plain numbers that were")

// ErrBadInput is returned by Build when the design makes no sense (no target, alpha or margin out of range, …).
var ErrBadInput = errors.New("cannot build report")

// Input is what a report is built from: the design, and the trials of every target.
type Input struct {
	Title      string
	Version    string // of this program
	PlanSHA256 string
	Design     Design
	Targets    []TargetInput // the baseline is the one that says so, else the first

	Interrupted bool // the experiment did not reach its planned end
	Torn        bool // the result file ends in the middle of a line
	ChainBroken int  // line of the result file whose chain value does not fit; 0 = none
	// Notes are findings that the reader of the input has made already.
	Notes       []Finding
	Environment map[string]any
	// Methods asks for every method, not only those that the report is made of.
	Methods bool
}

// TargetInput is one target and its trials in measured order, those that do not count included.
type TargetInput struct {
	Name     string
	URL      string
	Baseline bool
	Trials   []result.Trial
	// Plan is what was asked of the target; nil for trials read from other tools' output or from numbers.
	Plan *result.Target
}

// Series is one target's trials read from text: other tools' output, or plain numbers.
type Series struct {
	Name   string
	Trials []result.Trial
}

// Defaults of the decision where no plan states them.
const (
	DefaultAlpha  = 0.05
	DefaultMargin = 0.01
)

// Rule is how trials read from text are decided on; the zero value is the default rule.
type Rule struct {
	Alpha, Margin float64 // 0: 0.05 and 0.01
	Test          string  // "": auto
	Metric        string  // "": rps
	Family        string  // "": baseline
}

// FromSeries returns the input for trials that were read from text. They are unblocked, so log-Welch decides. The first series is the baseline. Trials without a number are numbered in the order given.
func FromSeries(title, version string, rule Rule, series ...Series) Input {
	in := Input{Title: title, Version: version, Design: Design{
		Order: "as given", Alpha: cmp.Or(rule.Alpha, DefaultAlpha), Margin: cmp.Or(rule.Margin, DefaultMargin),
		Test: cmp.Or(rule.Test, "auto"), Metric: cmp.Or(rule.Metric, metricNames[0]), Stop: "fixed", Family: cmp.Or(rule.Family, families[0]),
	}}
	for i, s := range series {
		target := TargetInput{Name: s.Name, Baseline: i == 0, Trials: slices.Clone(s.Trials)}
		for j := range target.Trials {
			t := &target.Trials[j]
			if t.Trial == 0 {
				t.Trial = j + 1
			}
			if target.URL == "" {
				target.URL = t.URL
			}
		}
		in.Targets = append(in.Targets, target)
	}
	return in
}

// The families of comparisons.
const (
	familyBaseline = "baseline"  // every other target with the baseline
	familyAllPairs = "all-pairs" // every target with every other
)

var families = []string{familyBaseline, familyAllPairs}

// Families returns the names of the families of comparisons; the first is the default.
func Families() []string { return slices.Clone(families) }

// check refuses a design that cannot be analysed.
func (in Input) check() error {
	d := in.Design
	switch {
	case len(in.Targets) == 0:
		return fmt.Errorf("%w: no target", ErrBadInput)
	case !(d.Alpha > 0 && d.Alpha < 0.5):
		return fmt.Errorf("%w: alpha %g is not between 0 and 0.5", ErrBadInput, d.Alpha)
	case !(d.Margin > 0 && d.Margin < 1):
		return fmt.Errorf("%w: margin %g is not between 0 and 1", ErrBadInput, d.Margin)
	case !slices.Contains([]string{"auto", "paired", "welch"}, d.Test):
		return fmt.Errorf("%w: unknown test %q (auto, paired, welch)", ErrBadInput, d.Test)
	case !slices.Contains(metricNames, d.Metric):
		return fmt.Errorf("%w: unknown metric %q (%s)", ErrBadInput, d.Metric, strings.Join(metricNames, ", "))
	case !slices.Contains(families, d.Family):
		return fmt.Errorf("%w: unknown family %q (%s)", ErrBadInput, d.Family, strings.Join(families, ", "))
	case d.Test == "paired" && !d.Blocked && len(in.Targets) > 1:
		return ErrNotBlocked
	}
	return nil
}

// baseline returns the index of the baseline.
func (in Input) baseline() int {
	return max(0, slices.IndexFunc(in.Targets, func(t TargetInput) bool { return t.Baseline }))
}

package report

import (
	"errors"
	"fmt"
	"slices"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// ErrNotBlocked is returned by Build when a paired test was asked for and the trials were not measured in blocks.
var ErrNotBlocked = errors.New("paired test needs trials measured in blocks; use --test auto or --test welch")

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

// FromSeries returns the input for trials that were read from text. They are unblocked, so log-Welch decides. The first
// series is the baseline. Alpha and margin of 0 mean the defaults (0.05, 0.01); an empty test means "auto".
// Trials without a number are numbered in the order given.
func FromSeries(title, version string, alpha, margin float64, test string, series ...Series) Input {
	if alpha == 0 {
		alpha = DefaultAlpha
	}
	if margin == 0 {
		margin = DefaultMargin
	}
	if test == "" {
		test = "auto"
	}
	in := Input{Title: title, Version: version, Design: Design{
		Order: "as given", Alpha: alpha, Margin: margin, Test: test, Metric: "rps", Stop: "fixed", Family: "baseline",
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
	case d.Metric != "rps":
		return fmt.Errorf("%w: unknown metric %q (rps)", ErrBadInput, d.Metric)
	case d.Test == "paired" && !d.Blocked && len(in.Targets) > 1:
		return ErrNotBlocked
	}
	return nil
}

// baseline returns the index of the baseline.
func (in Input) baseline() int {
	return max(0, slices.IndexFunc(in.Targets, func(t TargetInput) bool { return t.Baseline }))
}

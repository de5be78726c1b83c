package report

import (
	"cmp"
	"fmt"
	"maps"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// FromFile returns the input for a result file: its plan is the design, and trials are grouped by target in the order
// of the plan. Trials of targets that the plan does not know follow in the order met. A file without an experiment line
// (trials imported from other tools) is unblocked, with the default alpha and margin.
func FromFile(f *result.File) Input {
	in := Input{Torn: f.Torn, ChainBroken: f.ChainBroken}
	index := map[string]int{}
	if f.Experiment != nil {
		in.fromPlan(f.Experiment)
		in.Interrupted = f.Interrupted()
		for i := range f.Experiment.Plan.Targets {
			t := &f.Experiment.Plan.Targets[i]
			index[t.Name] = len(in.Targets)
			in.Targets = append(in.Targets, TargetInput{Name: t.Name, URL: t.URL, Baseline: t.Baseline, Plan: t})
		}
	} else {
		in = FromSeries("", "", Rule{})
		in.Torn, in.ChainBroken = f.Torn, f.ChainBroken
	}
	for _, t := range f.Trials {
		i, ok := index[t.Target]
		if !ok {
			i = len(in.Targets)
			index[t.Target] = i
			in.Targets = append(in.Targets, TargetInput{Name: t.Target, URL: t.URL})
		}
		in.Targets[i].Trials = append(in.Targets[i].Trials, t)
	}
	return in
}

// fromPlan takes over the design that was fixed before the first request.
func (in *Input) fromPlan(e *result.Experiment) {
	p := e.Plan
	seed := p.Seed
	in.Title, in.Version, in.PlanSHA256 = e.Name, e.Version, e.PlanSHA256
	in.Environment = maps.Clone(e.Machine)
	in.Design = Design{
		Blocked: p.Blocked(), Blocks: p.Blocks, Order: p.Order, Seed: &seed, Alpha: p.Alpha, Margin: p.Margin,
		Test: p.Test, Metric: p.Metric, Stop: p.Stop, Family: cmp.Or(p.Family, families[0]),
	}
	if f := loadDiffers(p); f != nil {
		in.Notes = append(in.Notes, *f)
	}
}

// loadDiffers notes that targets of one plan were measured under different load, which the plan must have allowed.
func loadDiffers(p result.Plan) *Finding {
	for _, t := range p.Targets[min(1, len(p.Targets)):] {
		if first := p.Targets[0]; t.Load != first.Load || t.Warmup != first.Warmup {
			f := find("load-differs", "%s and %s were measured under different load or warm-up (%s; %s).", first.Name, t.Name, loadText(first.Load, first.Warmup), loadText(t.Load, t.Warmup))
			return &f
		}
	}
	return nil
}

func loadText(l result.Load, w result.Warmup) string {
	warm := "no warm-up"
	if w.Mode != "none" && w.Requests > 0 {
		warm = countText(w.Requests) + " warm-up requests"
	}
	amount := countText(l.Requests) + " requests"
	if l.DurationSeconds > 0 {
		amount = fmt.Sprintf("%g s", l.DurationSeconds)
	}
	keep := "no keep-alive"
	if l.KeepAlive {
		keep = "keep-alive"
	}
	return fmt.Sprintf("%s, concurrency %d, %s, %s", amount, l.Concurrency, keep, warm)
}

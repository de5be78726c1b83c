package config

import (
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/percentile"
	"github.com/benchstat-http/benchstat-http/pkg/result"
	"github.com/benchstat-http/benchstat-http/pkg/runner"
)

// Loaded is a resolved plan and what goes with it.
type Loaded struct {
	Plan     result.Plan
	Secrets  []string // values that must never be written
	Warnings []string
}

// Load reads every argument, lays the flags over them and resolves the plan. Seed is drawn with newSeed when none is
// stated. Every error caused by an input is an *Error.
func Load(args []Arg, flags Flags, env func(string) (string, bool), newSeed func() uint64) (*Loaded, error) {
	if len(args) == 0 {
		return nil, &Error{Msg: "no target is given", Hint: "give a YAML file or a URL"}
	}
	r := &reader{env: env}
	specs, sources, planName, err := r.all(args)
	if err != nil {
		return nil, err
	}
	if err := flags.apply(r, specs); err != nil {
		return nil, err
	}
	plan := result.Plan{Sources: sources, FlagHeaders: distinct(r.setHeaders), Stop: "fixed"}
	for _, s := range specs {
		target, err := r.finish(s)
		if err != nil {
			return nil, err
		}
		plan.Targets = append(plan.Targets, target)
	}
	if !flags.AllowUnfair {
		if err := agreeLoad(specs, plan.Targets); err != nil {
			return nil, err
		}
	}
	if err := chooseBaseline(specs, plan.Targets); err != nil {
		return nil, err
	}
	if err := resolveExperiment(&plan, specs, newSeed); err != nil {
		return nil, err
	}
	if plan.Name = planName; planName == "" {
		names := make([]string, len(plan.Targets))
		for i, t := range plan.Targets {
			names[i] = t.Name
		}
		plan.Name = strings.Join(names, " vs ")
	}
	slices.Sort(r.secrets)
	return &Loaded{Plan: plan, Secrets: slices.Compact(r.secrets), Warnings: r.warnings}, nil
}

// distinct returns names without those that differ from an earlier one at most in case.
func distinct(names []string) []string {
	var out []string
	for _, name := range names {
		if !containsFold(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// all reads the arguments. A name for the plan is returned when the only one is a file of several targets.
func (r *reader) all(args []Arg) (specs []*spec, sources []result.PlanSource, planName string, err error) {
	used := map[string]bool{}
	for i, arg := range args {
		var more []*spec
		if IsURL(arg.Path) {
			s := &spec{at: place{flag: arg.Path}, fromSource: i}
			if msg, hint := checkURL(arg.Path, true); msg != "" {
				return nil, nil, "", &Error{Msg: "the URL " + msg, Hint: hint}
			}
			s.url = setting[string]{arg.Path, s.at}
			more = []*spec{s}
		} else {
			var source result.PlanSource
			more, source, planName, err = r.readFile(arg.Path)
			if err != nil {
				return nil, nil, "", err
			}
			sources = append(sources, source)
		}
		if arg.Name != "" && len(more) > 1 {
			return nil, nil, "", &Error{File: arg.Path, Msg: "holds several targets, so that " + arg.Name + "= cannot name it", Hint: "name them in the file"}
		}
		own := map[string]bool{}
		for _, s := range more {
			s.fromSource = i
			if arg.Name != "" {
				s.name = setting[string]{arg.Name, s.at}
			} else if s.name.value == "" {
				s.name.value = defaultName(arg.Path, s, len(more))
			}
			if s.name.at.stated() && own[s.name.value] {
				return nil, nil, "", s.name.at.errorf("give each target its own name", "two targets are named %s", quote(s.name.value))
			}
			own[s.name.value] = true
			s.name.value = unique(s.name.value, used)
		}
		specs = append(specs, more...)
	}
	if len(args) > 1 {
		planName = ""
	}
	return specs, sources, planName, nil
}

func defaultName(path string, s *spec, targets int) string {
	if !IsURL(path) && targets == 1 {
		return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	if u, err := url.Parse(strings.ReplaceAll(s.url.value, "{port}", "0")); err == nil && u.Host != "" {
		return u.Host + strings.TrimSuffix(u.Path, "/")
	}
	return "target"
}

func unique(name string, used map[string]bool) string {
	out := name
	for i := 2; used[out]; i++ {
		out = fmt.Sprintf("%s#%d", name, i)
	}
	used[out] = true
	return out
}

// readFile reads the targets of one file.
func (r *reader) readFile(path string) ([]*spec, result.PlanSource, string, error) {
	raw, source, err := readSource(path)
	if err != nil {
		return nil, source, "", err
	}
	root, err := parse(path, raw)
	if err != nil {
		return nil, source, "", err
	}
	layer := &reader{file: path, dir: filepath.Dir(source.Path), env: r.env}
	specs, name, err := layer.document(root)
	r.secrets = append(r.secrets, layer.secrets...)
	return specs, source, name, err
}

// document reads the root mapping: one target, or defaults and a list of targets.
func (r *reader) document(root *yaml.Node) ([]*spec, string, error) {
	top := &spec{at: r.at(root)}
	var list *yaml.Node
	fields := r.target(top)
	fields["targets"] = func(n *yaml.Node, _ string) error { list = n; return nil }
	if err := r.mapping(root, "", fields); err != nil {
		return nil, "", err
	}
	if list == nil {
		return []*spec{top}, "", nil
	}
	for i := 0; i < len(root.Content); i += 2 {
		switch key := resolve(root.Content[i]).Value; key {
		case "url", "servers", "exclusive", "tags":
			return nil, "", r.at(root.Content[i]).errorf("move it into each target", "%s does not go beside targets", key)
		}
	}
	var specs []*spec
	err := r.sequence(list, "targets", func(i int, n *yaml.Node) error {
		s := new(*top)
		s.at, s.name = r.at(n), setting[string]{}
		fields := r.target(s)
		fields["baseline"] = r.boolean(&s.baseline)
		specs = append(specs, s)
		return r.mapping(n, fmt.Sprintf("targets[%d]", i), fields)
	})
	if err == nil && len(specs) == 0 {
		err = r.at(list).errorf("add a target", "targets is empty")
	}
	return specs, top.name.value, err
}

// chooseBaseline marks the first target, or the one that says so.
func chooseBaseline(specs []*spec, targets []result.Target) error {
	base := -1
	for i, s := range specs {
		if s.baseline.value {
			if base >= 0 {
				return s.baseline.at.errorf("keep one", "two targets are the baseline, the first at %s", specs[base].baseline.at)
			}
			base = i
		}
	}
	if len(targets) > 1 {
		targets[max(base, 0)].Baseline = true
	}
	return nil
}

// defaultMetric is the rate, unless all targets get the same by plan: then it is the time that a request takes.
func defaultMetric(targets []result.Target) string {
	for _, t := range targets {
		if t.Load.Rate == 0 {
			return "rps"
		}
	}
	return "p99"
}

// enoughFor refuses an open loop whose trials are too short for the percentile that decides: no trial would have one.
func enoughFor(metric string, targets []result.Target, specs []*spec) error {
	digits, ok := strings.CutPrefix(metric, "p")
	if !ok {
		return nil
	}
	needs, err := percentile.Needed(digits)
	if err != nil {
		return err
	}
	for i, t := range targets {
		n, at := float64(t.Load.Requests), specs[i].load.requests.at
		if t.Load.DurationSeconds > 0 {
			n, at = t.Load.DurationSeconds*t.Load.Rate, specs[i].load.duration.at
		}
		if t.Load.Rate > 0 && n < float64(needs) {
			return at.errorf("send more (-n, -t), or decide on another metric (--metric)",
				"the metric %s needs %d requests a trial, and target %s gets %.0f", metric, needs, t.Name, n)
		}
	}
	return nil
}

// resolveExperiment settles what belongs to the experiment as a whole, and the order of measurement.
func resolveExperiment(plan *result.Plan, specs []*spec, newSeed func() uint64) error {
	x, err := agreeExperiment(specs)
	if err != nil {
		return err
	}
	plan.Blocks, plan.Order = x.trials.count.or(10), x.trials.order.or(runner.OrderRandomBlocks)
	plan.CooldownSeconds = x.trials.cooldown.or(0.5)
	plan.Margin, plan.Alpha, plan.Test = x.decision.margin.or(0.01), x.decision.alpha.or(0.05), x.decision.test.or("auto")
	plan.Metric = x.decision.metric.or(defaultMetric(plan.Targets))
	if err := enoughFor(plan.Metric, plan.Targets, specs); err != nil {
		return err
	}
	if family := x.decision.family.or("baseline"); family != "baseline" {
		plan.Family = family
	}
	if plan.Seed = x.trials.seed.value; !x.trials.seed.at.stated() {
		plan.Seed = newSeed()
	}
	if plan.Test == "paired" && !plan.Blocked() && len(plan.Targets) > 1 {
		return x.decision.test.at.errorf("use another order, or test auto", "decision.test paired needs blocks, and order %s has none", plan.Order)
	}
	for i := range plan.Targets {
		if len(plan.Targets[i].Servers) > 0 {
			plan.Targets[i].Restart = x.trials.restart.value
		}
	}
	plan.Schedule, err = runner.Schedule(plan.Order, len(plan.Targets), plan.Blocks, plan.Seed)
	if err != nil {
		return x.trials.count.at.errorf("", "%v", err)
	}
	return nil
}

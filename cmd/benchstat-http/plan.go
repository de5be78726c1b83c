package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchstat-http/benchstat-http/internal/importer"
	"github.com/benchstat-http/benchstat-http/internal/planning"
	"github.com/benchstat-http/benchstat-http/pkg/report"
	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// planFlags are the flags of plan.
type planFlags struct {
	cv, ratioCV, effect, margin, power string
	effects                            []string
	alpha                              float64
	trials                             whole
	from, format, design               string
	restartCost, trialCost             seconds
}

func newPlanCommand(s streams) *cobra.Command {
	var f planFlags
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "How many trials a difference needs; what a number of trials can resolve",
		Long: `Plan says how many trials per target find a difference, measured apart and in blocks, and how many show that two
targets are equivalent; or what a number of trials can resolve. The spread is stated, or estimated from a pilot: a
result file, plain numbers or tool output, whose upper 90 % limit is used.

  benchstat-http plan --cv 1.2% --effect 2%
  benchstat-http plan --from pilot.jsonl --effect 1%
  benchstat-http plan --trials 10 --cv 1.2%`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(s, cmd, args) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.cv, "cv", "", "how much the trials of one target vary, such as 1.2% or 0.012")
	fs.StringVar(&f.ratioCV, "ratio-cv", "", "how much the ratios within blocks vary (default √2 times --cv)")
	fs.StringVar(&f.from, "from", "", "pilot to take the spread from, instead of --cv")
	fs.StringVar(&f.effect, "effect", "", "the difference to find, such as 2% or 0.02")
	fs.StringSliceVar(&f.effects, "effects", nil, "the effects of the table (default 0.5%,1%,2%,5%,10%)")
	fs.VarP(&f.trials, "trials", "", "say what this many trials per target resolve")
	fs.StringVar(&f.margin, "margin", "1%", "the smallest relative change that matters")
	fs.StringVar(&f.power, "power", "80%", "probability of finding what is there")
	fs.Float64Var(&f.alpha, "alpha", 0.05, "probability of a false claim")
	fs.StringVar(&f.design, "design", designIndependent, "how plain numbers of --from were measured: independent, or blocks (line i with line i)")
	fs.Var(&f.restartCost, "restart-cost", "time that a restart takes, for the best number of trials per restart")
	fs.Var(&f.trialCost, "trial-cost", "time that a trial takes (default as measured in the pilot)")
	fs.StringVar(&f.format, "format", "table", "table, json or markdown")
	return cmd
}

func (f *planFlags) run(s streams, cmd *cobra.Command, args []string) error {
	request, err := f.request(cmd.Flags(), args)
	if err != nil {
		return err
	}
	if f.from != "" {
		if request.Pilot, err = f.pilot(s, cmd.Flags()); err != nil {
			return err
		}
	}
	p, err := planning.Build(request)
	if err != nil {
		return usageError{err}
	}
	var page bytes.Buffer
	write := map[string]func() error{
		"table":    func() error { return p.Text(&page) },
		"json":     func() error { return p.JSON(&page) },
		"markdown": func() error { return p.Markdown(&page) },
	}
	if err := write[f.format](); err != nil {
		return err
	}
	if _, err := s.out.Write(page.Bytes()); err != nil {
		return fmt.Errorf("write plan: %w", err)
	}
	return nil
}

// request checks the flags.
func (f *planFlags) request(fs *pflag.FlagSet, args []string) (planning.Request, error) {
	r := planning.Request{Version: programVersion(), Alpha: f.alpha, Trials: int(f.trials.n),
		RestartCost: f.restartCost.d.Seconds(), TrialCost: f.trialCost.d.Seconds()}
	if err := f.conflicts(fs, args); err != nil {
		return r, err
	}
	for _, one := range []struct {
		name, text string
		dst        *float64
	}{{"cv", f.cv, &r.CV}, {"ratio-cv", f.ratioCV, &r.RatioCV}, {"effect", f.effect, &r.Effect},
		{"margin", f.margin, &r.Margin}, {"power", f.power, &r.Power}} {
		if one.text == "" && !fs.Changed(one.name) {
			continue
		}
		v, err := parseShare(one.text)
		if err != nil {
			return r, usagef("--%s %q: %w", one.name, one.text, err)
		}
		*one.dst = v
	}
	for _, text := range f.effects {
		v, err := parseShare(text)
		if err != nil {
			return r, usagef("--effects %q: %w", text, err)
		}
		r.Effects = append(r.Effects, v)
	}
	if fs.Changed("effects") && len(r.Effects) == 0 {
		return r, usagef("--effects is empty; give shares such as 1%%,5%%")
	}
	return r, nil
}

// conflicts refuses flags that do not go together, and values out of range.
func (f *planFlags) conflicts(fs *pflag.FlagSet, args []string) error {
	given := fs.Changed
	switch {
	case len(args) > 0:
		return usagef("plan takes no arguments, got %q; a pilot is given with --from", args[0])
	case given("from") && f.from == "":
		return usagef("--from is empty; give a result file, numbers or tool output")
	case !given("cv") && !given("from") && !given("trials"):
		return usagef("plan needs --cv, --from or --trials; see 'benchstat-http plan --help'")
	case given("cv") && given("from"), given("ratio-cv") && given("from"):
		return usagef("the spread is stated (--cv) or taken from a pilot (--from), not both")
	case given("ratio-cv") && !given("cv"):
		return usagef("--ratio-cv goes with --cv")
	case given("effect") && !given("cv") && !given("from"):
		return usagef("--effect needs --cv or --from; --trials alone shows what every effect asks of the CV")
	case (given("restart-cost") || given("trial-cost") || given("design")) && !given("from"):
		return usagef("--restart-cost, --trial-cost and --design say more of a pilot; give it with --from")
	case given("trial-cost") && !given("restart-cost"):
		return usagef("--trial-cost goes with --restart-cost")
	case given("restart-cost") && f.restartCost.d == 0, given("trial-cost") && f.trialCost.d == 0:
		return usagef("a cost must be above 0; give a duration such as 30s")
	case given("trials") && (f.trials.n < 2 || f.trials.n > 1e9):
		return usagef("--trials %d is out of range; give at least 2", f.trials.n)
	case !(f.alpha > 0 && f.alpha < 0.5):
		return usagef("--alpha %v is out of range; give a probability above 0 and below 0.5", f.alpha)
	case !slices.Contains([]string{"table", "json", "markdown"}, f.format):
		return usagef("unknown --format %q; give one of table, json, markdown", strings.TrimSpace(f.format))
	}
	return nil
}

// pilot reads what was measured so far.
func (f *planFlags) pilot(s streams, fs *pflag.FlagSet) (*planning.Pilot, error) {
	numbers := numberFlags{values: string(importer.ValuesRPS), design: f.design}
	data, err := numbers.read(s, fs, []string{f.from})
	if err != nil {
		return nil, err
	}
	var given decision
	setIf(fs, "design", &given.design, f.design)
	in, err := comparison(data, given)
	if err != nil {
		return nil, err
	}
	p := &planning.Pilot{Name: data[0].name, Blocked: in.Design.Blocked}
	for _, t := range in.Targets {
		one := pilotTarget(t)
		if t.Baseline {
			p.Targets = slices.Insert(p.Targets, 0, one)
		} else {
			p.Targets = append(p.Targets, one)
		}
	}
	return p, nil
}

// pilotTarget keeps the trials that count. A start of the servers is a replicate where it was planned.
func pilotTarget(t report.TargetInput) planning.Target {
	out := planning.Target{Name: t.Name}
	for _, trial := range t.Trials {
		if !trial.Valid || trial.RPS == nil || !(*trial.RPS > 0) {
			continue
		}
		one := planning.Trial{Value: *trial.RPS, Block: trial.Block, Seconds: value(trial.Seconds)}
		if startsCount(t.Plan) {
			one.Restart = trial.Restart
		}
		out.Trials = append(out.Trials, one)
	}
	return out
}

// startsCount reports whether restarts were planned, or nothing is known of the plan.
func startsCount(plan *result.Target) bool { return plan == nil || plan.Restart > 0 }

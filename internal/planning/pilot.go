package planning

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/nested"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/power"
)

// upperLevel is the confidence of the limit of a pilot's sd that the plan rests on.
const upperLevel = 0.9

// Pilot is what was measured so far. The first target is the baseline.
type Pilot struct {
	Name    string
	Blocked bool // trials with the same Block were measured together
	Targets []Target
}

// Target is one target of a pilot: its trials that count.
type Target struct {
	Name   string
	Trials []Trial
}

// Trial is one figure above 0 and its place. Restart is 0 where starts of the servers are no replicates; Seconds is how
// long the trial took, 0 when that is not known.
type Trial struct {
	Value          float64
	Block, Restart int
	Seconds        float64
}

// unit is one replicate on the scale of logarithms: a trial, or the mean of the trials of one start.
type unit struct {
	key   int // block, or restart
	value float64
}

func (p *Plan) fromPilot(r Request) error {
	pilot := *r.Pilot
	restarts := pilot.byRestart()
	if restarts != nil {
		p.Unit = "restart"
		if err := p.splitVariance(r, restarts); err != nil {
			return err
		}
	} else if r.RestartCost > 0 {
		return fmt.Errorf("--restart-cost needs a pilot with at least two restarts and several trials in each; %s has none", pilot.Name)
	}
	units := make([][]unit, len(pilot.Targets))
	for i, t := range pilot.Targets {
		if restarts != nil {
			units[i] = restartMeans(t)
		} else {
			units[i] = trialLogs(t)
		}
	}
	p.Spread = &Spread{Source: pilot.Name}
	if err := p.Spread.pool(pilot, units); err != nil {
		return err
	}
	if !pilot.Blocked || len(pilot.Targets) < 2 || !p.Spread.pair(units) {
		p.Spread.assumeRatio()
	}
	return nil
}

// byRestart is the logarithms of every target, start by start; nil unless each target has at least two starts, one of
// them with several trials, and every trial knows its start.
func (p Pilot) byRestart() [][][]float64 {
	var all [][][]float64
	for _, t := range p.Targets {
		var groups [][]float64
		index := map[int]int{}
		for _, trial := range t.Trials {
			if trial.Restart == 0 {
				return nil
			}
			i, ok := index[trial.Restart]
			if !ok {
				i = len(groups)
				index[trial.Restart] = i
				groups = append(groups, nil)
			}
			groups[i] = append(groups[i], math.Log(trial.Value))
		}
		if len(groups) < 2 || len(groups) == len(t.Trials) {
			return nil
		}
		all = append(all, groups)
	}
	return all
}

func trialLogs(t Target) []unit {
	out := make([]unit, len(t.Trials))
	for i, trial := range t.Trials {
		out[i] = unit{trial.Block, math.Log(trial.Value)}
	}
	return out
}

// restartMeans is the mean logarithm of every start.
func restartMeans(t Target) []unit {
	var out []unit
	var count []float64
	index := map[int]int{}
	for _, trial := range t.Trials {
		i, ok := index[trial.Restart]
		if !ok {
			i = len(out)
			index[trial.Restart] = i
			out, count = append(out, unit{key: trial.Restart}), append(count, 0)
		}
		count[i]++
		out[i].value += (math.Log(trial.Value) - out[i].value) / count[i]
	}
	return out
}

// pool estimates the sd within targets from all of them.
func (s *Spread) pool(p Pilot, units [][]unit) error {
	sum, df := 0.0, 0
	for i, u := range units {
		values := make([]float64, len(u))
		for j, one := range u {
			values[j] = one.value
		}
		x, err := analysis.Summarize(values)
		if err != nil || x.N < 2 {
			continue
		}
		sum += x.Variance * float64(x.N-1)
		df += x.N - 1
		s.Targets = append(s.Targets, TargetSpread{Name: p.Targets[i].Name, N: x.N, CV: cvOf(x.SD)})
	}
	if df == 0 {
		return fmt.Errorf("%s has no target with two trials that count; measure at least 5, or give --cv", p.Name)
	}
	if sum == 0 {
		return fmt.Errorf("the trials of %s do not vary at all, which says nothing of their spread; give --cv", p.Name)
	}
	var err error
	s.Trial, err = estimated(math.Sqrt(sum/float64(df)), df+1)
	return err
}

// pair estimates the sd of the log ratios within blocks: that of the candidate that needs most. It reports false when no
// candidate shares two blocks with the baseline.
func (s *Spread) pair(units [][]unit) bool {
	base := map[int]float64{}
	for _, u := range units[0] {
		base[u.key] = u.value
	}
	found := false
	for _, candidate := range units[1:] {
		var ratios []float64
		for _, u := range candidate {
			if b, ok := base[u.key]; ok {
				ratios = append(ratios, u.value-b)
			}
		}
		x, err := analysis.Summarize(ratios)
		if err != nil || x.N < 2 || x.SD == 0 {
			continue
		}
		if sd, err := estimated(x.SD, x.N); err == nil && (!found || sd.log > s.Ratio.log) {
			s.Ratio, found = sd, true
		}
	}
	return found
}

// estimated is an sd of n values, planned with at its upper limit.
func estimated(sd float64, n int) (SD, error) {
	upper, err := power.SDUpperLimit(sd, n, upperLevel)
	if err != nil {
		return SD{}, fmt.Errorf("limit of the spread: %w", err)
	}
	return SD{CV: cvOf(sd), N: &n, Upper: finite(cvOf(upper)), log: upper}, nil
}

// splitVariance says how much restarts vary beyond their trials, averaged over the targets, and what follows for the
// number of trials in each.
func (p *Plan) splitVariance(r Request, targets [][][]float64) error {
	out := &Restarts{}
	between, within := 0.0, 0.0
	for _, groups := range targets {
		two, err := nested.TwoLevel(groups)
		if err != nil {
			return fmt.Errorf("restarts of the pilot: %w", err)
		}
		between += two.VarBetweenRaw / float64(len(targets))
		within += two.VarWithin / float64(len(targets))
		out.Restarts += two.Restarts
		out.Trials += two.Trials
	}
	out.CVBetween, out.CVWithin = cvOf(math.Sqrt(max(0, between))), cvOf(math.Sqrt(within))
	cost := r.TrialCost
	if cost == 0 {
		cost, out.TrialCostMeasured = r.Pilot.seconds()
	}
	if cost > 0 {
		out.TrialCost = &cost
	}
	if r.RestartCost > 0 {
		out.RestartCost = &r.RestartCost
		if cost == 0 {
			return fmt.Errorf("%s does not say how long its trials took; give --trial-cost", r.Pilot.Name)
		}
		if between > 0 {
			n, err := nested.OptimalTrialsPerRestart(r.RestartCost, cost, within, between)
			out.OptimalTrials = known(n, err)
		}
	}
	p.Restarts = out
	return nil
}

// seconds is the mean duration of the trials that have one.
func (p Pilot) seconds() (mean float64, measured bool) {
	n := 0.0
	for _, t := range p.Targets {
		for _, trial := range t.Trials {
			if trial.Seconds > 0 {
				n++
				mean += (trial.Seconds - mean) / n
			}
		}
	}
	return mean, n > 0
}

package report

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/trend"
)

// permutationSeed starts every permutation test, so that a report comes out the same each time.
const permutationSeed = 1

// timed reports whether every trial in use has the time it started at.
func (s *sample) timed() bool {
	for _, t := range s.used {
		if t.Started.IsZero() {
			return false
		}
	}
	return len(s.used) > 0
}

// series is the metric over time: in seconds since the start of the first trial where all have a time, else by number.
func (s *sample) series() trend.Series {
	out := trend.Series{Value: s.values, Time: make([]float64, len(s.used))}
	timed := s.timed()
	for i, t := range s.used {
		out.Time[i] = float64(t.Trial)
		if timed {
			out.Time[i] = t.Started.Sub(s.used[0].Started).Seconds()
		}
	}
	return out
}

// testDrift asks whether the target's trials drifted or changed their level.
func (s *sample) testDrift() trend.SessionResult {
	x := s.series()
	r, err := trend.Drift(x.Time, x.Value, rand.New(rand.NewPCG(permutationSeed, 0)))
	if err != nil {
		return trend.SessionResult{Status: trend.StatusUntestable}
	}
	return r
}

// describeDrift turns the test into the model. A rate per hour needs times.
func (a *arm) describeDrift() *Drift {
	d := &Drift{Status: string(a.drift.Status)}
	if a.drift.Status == trend.StatusUntestable {
		return d
	}
	d.P = number(a.drift.P)
	if a.timed() {
		d.PercentPerHour = number(a.drift.PercentPerHour)
	}
	return d
}

// driftText is a drift or a change of level in words.
func driftText(r trend.SessionResult, timed bool, unit string) (code, text string) {
	switch r.Status {
	case trend.StatusDrift:
		text = fmt.Sprintf("drifted by %s %% from the first %s to the last", signed(r.TotalPercent, 1), unit)
		if timed {
			text += fmt.Sprintf(" (%s %% an hour, 95 %% CI %s to %s)", signed(r.PercentPerHour, 1), signed(r.PercentPerHourCI.Low, 1), signed(r.PercentPerHourCI.High, 1))
		} else {
			text += " in the order given"
		}
		return "drift", text + ", " + pText(r.P)
	case trend.StatusLevelShift:
		return "level-shift", fmt.Sprintf("changed level by %s %% after %s, %s", signed(r.ShiftPercent, 1), plural(r.ShiftAt, unit), pText(r.P))
	case trend.StatusNone, trend.StatusUntestable:
	}
	return "", ""
}

// driftFindings is about the target alone. In blocks the trials of all targets are judged together, which sees more.
func (a *arm) driftFindings(d Design) []Finding {
	if d.Blocked || a.tiered && a.tiers.Status == analysis.TiersOrderUnclear { // the levels have been named
		return nil
	}
	code, text := driftText(a.drift, a.timed(), "trial")
	if code == "" {
		return nil
	}
	return []Finding{find(code, "The trials of %s %s.", a.in.Name, text)}
}

// sessionFinding is about all targets of a blocked experiment together. A shock that hits a block hits every target in it,
// so that the blocks are the independent observations: each counts once, with the geometric mean of its targets.
func sessionFinding(d Design, arms []*arm) []Finding {
	if !d.Blocked {
		return nil
	}
	blocks := map[int][]int{} // by number: the index of each target's trial
	timed := true
	for _, a := range arms {
		timed = timed && a.timed()
		for i, t := range a.used {
			blocks[t.Block] = append(blocks[t.Block], i)
		}
	}
	var x trend.Series
	var start time.Time
	for _, number := range slices.Sorted(maps.Keys(blocks)) {
		members := blocks[number]
		if number == 0 || len(members) != len(arms) {
			continue
		}
		values := make([]float64, len(arms))
		for k, a := range arms {
			values[k] = a.values[members[k]]
		}
		first := arms[0].used[members[0]]
		if start.IsZero() {
			start = first.Started
		}
		at := float64(number)
		if timed {
			at = first.Started.Sub(start).Seconds()
		}
		x.Time, x.Value = append(x.Time, at), append(x.Value, geometricMean(values))
	}
	r, err := trend.Drift(x.Time, x.Value, rand.New(rand.NewPCG(permutationSeed, 0)))
	if err != nil {
		return nil
	}
	code, text := driftText(r, timed, "block")
	if code == "" {
		return nil
	}
	f := find(code, "The trials of all targets together %s.", text)
	f.Advice = "The ratio stands, since each block holds every target; the intervals of the single targets do not allow for it."
	return []Finding{f}
}

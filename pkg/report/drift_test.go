package report

import (
	"math"
	"strings"
	"testing"
	"time"
)

// drifting lets the machine slow down by a share over the session, and gives every trial a time.
func drifting(share float64, blocks int, seed uint64) Input {
	s := two(blocks, 1.02, 0.004, seed)
	s.shock = 0.004
	s.adjust = func(_, block int, rate float64) float64 { return rate * (1 - share*float64(block-1)/float64(blocks)) }
	in := s.input()
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range in.Targets {
		for j := range in.Targets[i].Trials {
			t := &in.Targets[i].Trials[j]
			t.Started = start.Add(time.Duration(t.Block*60+t.Position*20) * time.Second)
		}
	}
	return in
}

// TestDrift: a drift of 20 % is named once for all targets, per hour, and the verdict in blocks stands.
func TestDrift(t *testing.T) {
	r := mustBuild(t, drifting(0.2, 20, 1))
	if got := codes(r.Findings)["drift"]; got != SeverityWarning {
		t.Fatalf("findings %v", codes(r.Findings))
	}
	for _, f := range r.Findings {
		if f.Code == "drift" && !strings.Contains(f.Text, "% an hour") {
			t.Error(f.Text)
		}
	}
	for _, target := range r.Targets {
		if target.Drift.Status != "drift" || target.Drift.PercentPerHour == nil || *target.Drift.PercentPerHour > 0 || *target.Drift.P > 0.02 {
			t.Errorf("%+v", target.Drift)
		}
		if codes(target.Findings)["drift"] != "" {
			t.Error("the drift is named for the target too")
		}
	}
	if r.Comparisons[0].Verdict != "faster" {
		t.Error(r.Comparisons[0].Sentence)
	}
	// One after the other it is part of the difference.
	apart := drifting(0.2, 20, 1)
	apart.Design.Blocked, apart.Design.Order = false, "sequential"
	for i := range apart.Targets {
		for j := range apart.Targets[i].Trials {
			apart.Targets[i].Trials[j].Block = 0
		}
	}
	if c := mustBuild(t, apart).Comparisons[0]; c.Verdict != "inconclusive" || len(c.CappedBy) != 1 || c.CappedBy[0] != "drift" ||
		!strings.HasPrefix(c.Sentence, "Inconclusive: the speed of a and b changed") {
		t.Errorf("%v %s", c.CappedBy, c.Sentence)
	}
	// Numbers have an order and no times.
	single := mustBuild(t, FromSeries("", "", Rule{}, numbers("x", 1000, 990, 981, 972, 960, 951, 940, 931, 919, 910)))
	if d := single.Targets[0].Drift; d.Status != "drift" || d.PercentPerHour != nil {
		t.Errorf("%+v", d)
	}
	if codes(single.Targets[0].Findings)["drift"] == "" {
		t.Error("no finding for numbers")
	}
}

// TestDriftFalseAlarms: without a drift, but with shocks that a block's targets share, it is named in 2 of 100
// experiments at most.
func TestDriftFalseAlarms(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	const runs = 300
	alarms := 0
	for seed := range uint64(runs) {
		in := two(10, 1, 0.005, seed).input()
		if c := codes(mustBuild(t, in).Findings); c["drift"]+c["level-shift"] != "" {
			alarms++
		}
	}
	if limit := runs * (0.02 + 3*math.Sqrt(0.02*0.98/runs)); float64(alarms) > limit {
		t.Errorf("%d alarms, limit %.0f", alarms, limit)
	}
}

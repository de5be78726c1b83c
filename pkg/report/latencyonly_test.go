package report

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// latencyTrials are trials known by their latencies alone.
func latencyTrials(name string, n int) Series {
	random := rand.New(rand.NewPCG(3, uint64(n)))
	s := Series{Name: name}
	for i := range n {
		h := lognormalHistogram(random)
		s.Trials = append(s.Trials, result.Trial{
			Type: "trial", Trial: i + 1, Valid: true, Measurement: result.Measurement{Requests: new(h.N()), Total: h},
			Source: &result.Source{Tool: "numbers", File: "l.txt", Line: 1},
		})
	}
	return s
}

// TestLatencyOnly counts trials without a rate that have latencies, and shows no rate for them.
func TestLatencyOnly(t *testing.T) {
	for _, n := range []int{1, 2, 7} {
		r, err := Build(FromSeries("", "", Rule{Metric: "mean"}, latencyTrials("old", n)))
		if err != nil {
			t.Fatal(err)
		}
		got := r.Targets[0]
		if got.Trials.Valid != n || got.Trials.Total != n || got.RPS.N != 0 || got.RPS.Mean != nil || len(r.WithoutValidTrial()) != 0 {
			t.Errorf("n = %d: %+v, rps %+v", n, got.Trials, got.RPS)
		}
		if l := got.Latency; l == nil || l.P99 == nil || l.P99.N != n || (l.P99.CI != nil) != (n > 1) {
			t.Errorf("n = %d: latency %+v", n, l)
		}
		if got.Metric == nil || got.Metric.N != n || (got.Metric.CI != nil) != (n > 1) {
			t.Errorf("n = %d: metric %+v", n, got.Metric)
		}
		single := slices.ContainsFunc(got.Findings, func(f Finding) bool {
			return f.Code == "one-trial" && strings.Contains(f.Text, "its latencies have no interval")
		})
		if single != (n == 1) {
			t.Errorf("n = %d: findings %+v", n, got.Findings)
		}
		if line := got.latencyLine(); !strings.HasPrefix(line, "latency in ms p50 ") || strings.Contains(line, "[") != (n > 1) {
			t.Errorf("n = %d: %s", n, line)
		}
	}
	in := FromSeries("", "", Rule{}, latencyTrials("cut", 1))
	in.Targets[0].Trials[0].Truncated = true
	if r, err := Build(in); err != nil || r.Targets[0].Trials.Valid != 0 {
		t.Errorf("a truncated trial counts: %v", err)
	}
}

// TestMergedLatency is the sum that merging one after the other gives, and changes no trial.
func TestMergedLatency(t *testing.T) {
	for _, n := range []int{1, 2, 3, 8, 13} {
		trials := latencyTrials("a", n).Trials
		want := *trials[0].Total
		want.Counts = slices.Clone(want.Counts)
		before := make([]result.Histogram, n)
		for i, trial := range trials {
			before[i] = *trial.Total
			before[i].Counts = slices.Clone(trial.Total.Counts)
			if i > 0 {
				if err := want.Merge(trial.Total); err != nil {
					t.Fatal(err)
				}
			}
		}
		got, err := result.MergeHistograms(histograms(trials, (*result.Measurement).Latency))
		if err != nil || !reflect.DeepEqual(*got, want) {
			t.Errorf("n = %d: %v, %d buckets, want %d", n, err, len(got.Counts), len(want.Counts))
		}
		for i, trial := range trials {
			if !reflect.DeepEqual(*trial.Total, before[i]) {
				t.Errorf("n = %d: trial %d was changed", n, i+1)
			}
		}
	}
	trials := latencyTrials("a", 3).Trials
	trials[1].Total = nil
	if histograms(trials, (*result.Measurement).Latency) != nil {
		t.Error("the sum of some trials is given for all")
	}
}

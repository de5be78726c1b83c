package report

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestAllPairs: three comparisons, each at alpha/3, those with the baseline first, and a target that is ahead of all.
func TestAllPairs(t *testing.T) {
	r := mustBuild(t, allPairsInput())
	var pairs []string
	for _, c := range r.primary() {
		pairs = append(pairs, c.Baseline+" < "+c.Candidate)
		if math.Abs(c.Ratio.CI.Level-(1-0.05/3)) > 1e-12 || math.Abs(c.Equivalence.CI90.Level-(1-0.1/3)) > 1e-12 || c.HolmP == nil {
			t.Errorf("%s: %+v %+v %v", c.Candidate, c.Ratio.CI, c.Equivalence.CI90, c.HolmP)
		}
	}
	want := []string{"php 8.2 < php 7.4", "php 8.2 < php 8.2 jit", "php 7.4 < php 8.2 jit"}
	if !slices.Equal(pairs, want) {
		t.Errorf("pairs %q, want %q", pairs, want)
	}
	if r.Ranking == nil || r.Ranking.Best == nil || *r.Ranking.Best != "php 8.2 jit" || *r.Ranking.RunnerUp != "php 8.2" {
		t.Errorf("ranking %+v", r.Ranking)
	}
	if with := mustBuild(t, threeInput()).Ranking; with == nil || with.Best != nil || len(with.NotSeparated) != 2 {
		t.Errorf("two targets were not compared with each other, but the ranking is %+v", with)
	}
}

// TestNotSeparated: the best by the mean is not claimed to be the best when another is not separated from it.
func TestNotSeparated(t *testing.T) {
	in := synthetic{blocks: 10, names: []string{"a", "b", "c"}, rates: []float64{1000, 1099, 1100}, shock: 0.02, noise: 0.01, seed: 3}.input()
	in.Design.Family = familyAllPairs
	r := mustBuild(t, in)
	if r.Ranking == nil || r.Ranking.Best != nil || len(r.Ranking.NotSeparated) != 2 || slices.Contains(r.Ranking.NotSeparated, "a") {
		t.Errorf("ranking %+v", r.Ranking)
	}
	in.Design.Metric = "mean" // lower is better, and the order the same
	if low := mustBuild(t, in).Ranking; low == nil || len(low.NotSeparated) != 2 || slices.Contains(low.NotSeparated, "a") {
		t.Errorf("ranking by latency %+v", low)
	}
}

// TestFamilyError: with four equal targets and all pairs, a best target is claimed in at most 5 % of experiments.
func TestFamilyError(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	const runs = 200
	best := 0
	for seed := range uint64(runs) {
		in := synthetic{blocks: 10, names: []string{"a", "b", "c", "d"}, rates: []float64{1000, 1000, 1000, 1000}, shock: 0.02, noise: 0.01, seed: seed}.input()
		in.Design.Family = familyAllPairs
		if r := mustBuild(t, in); r.Ranking.Best != nil {
			best++
		}
	}
	if share := float64(best) / runs; share > 0.05+3*math.Sqrt(0.05*0.95/runs) {
		t.Errorf("a best of four equal targets in %v of experiments", share)
	}
}

// TestSecondaryMetrics: the other metrics follow, are not primary, and say which way is better.
func TestSecondaryMetrics(t *testing.T) {
	r := mustBuild(t, two(10, 1.05, 0.004, 18).input())
	var got []string
	for _, c := range r.Comparisons {
		mark := ""
		if c.Primary {
			mark = "!"
		}
		got = append(got, mark+c.Metric+" "+c.Better+" "+c.Verdict)
	}
	want := "!rps higher faster, mean lower faster, p50 lower faster, p90 lower faster, p99 lower faster"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

// TestAborts: three of three against none of two, stated with Fisher's exact test.
func TestAborts(t *testing.T) {
	r := mustBuild(t, someAbortedInput())
	c := r.Comparisons[0]
	if c.Aborts == nil || c.Aborts.Candidate != (Outcomes{3, 0}) || c.Aborts.Baseline != (Outcomes{0, 2}) || math.Abs(*c.Aborts.FisherP-0.1) > 1e-12 {
		t.Fatalf("%+v", c.Aborts)
	}
	if !strings.Contains(c.Sentence, "slow aborted 3 of 3 against 0 of 2 of steady (Fisher's exact test p = 0.1).") {
		t.Error(c.Sentence)
	}
	// A skipped trial was never started.
	in := abortedInput()
	for i := 2; i < 10; i++ {
		in.Targets[1].Trials[i].InvalidBecause = "skipped: two trials of this target were aborted"
	}
	if a := mustBuild(t, in).Comparisons[0].Aborts; a.Candidate != (Outcomes{2, 0}) || a.Baseline != (Outcomes{0, 10}) {
		t.Errorf("%+v", a)
	}
	for _, f := range mustBuild(t, in).Targets[1].Findings {
		if f.Code == "aborted" && !strings.HasPrefix(f.Text, "Every trial of b was given up (n = 2), 8 more not even started: ") {
			t.Error(f.Text)
		}
	}
	if mustBuild(t, two(10, 1.05, 0.004, 1).input()).Comparisons[0].Aborts != nil {
		t.Error("aborts of a clean run")
	}
}

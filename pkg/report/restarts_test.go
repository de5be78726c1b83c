package report

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// restarted is an experiment of several starts with several blocks each: a start has a level of its own.
func restarted(starts, blocks int, seed uint64) Input {
	rng := rand.New(rand.NewPCG(seed, 11))
	levels := map[[2]int]float64{}
	s := synthetic{blocks: starts * blocks, names: []string{"a", "b"}, rates: []float64{1000, 1000}, noise: 0.01, seed: seed,
		adjust: func(target, block int, rate float64) float64 {
			key := [2]int{target, (block - 1) / blocks}
			if _, ok := levels[key]; !ok {
				levels[key] = math.Exp(0.02 * rng.NormFloat64())
			}
			return rate * levels[key]
		}}
	in := s.input()
	for i := range in.Targets {
		in.Targets[i].Plan = &result.Target{Name: in.Targets[i].Name, Restart: blocks, Expect: result.Expect{MaxFailed: 0.001}}
		for j := range in.Targets[i].Trials {
			t := &in.Targets[i].Trials[j]
			t.Restart = (t.Block-1)/blocks + 1
		}
	}
	return in
}

// TestStartsAreReplicates: with 3 starts of 10 blocks the test has 2 degrees of freedom, not 29, and the words say so.
func TestStartsAreReplicates(t *testing.T) {
	in := restarted(3, 10, 1)
	r := mustBuild(t, in)
	c := r.Comparisons[0]
	if c.Paired == nil || c.Paired.DF != 2 || c.N != [2]int{3, 3} || !strings.Contains(c.Sentence, "n = 3 restarts") {
		t.Errorf("%+v %v %s", c.Paired, c.N, c.Sentence)
	}
	if ci := r.Targets[0].RPS.CI; ci == nil || ci.Method != "t of restart means" {
		t.Errorf("%+v", ci)
	}
	// A server that had to be started again, where the plan says never, does not change what is counted.
	for i := range in.Targets {
		in.Targets[i].Plan.Restart = 0
	}
	if c := mustBuild(t, in).Comparisons[0]; c.Paired.DF != 29 {
		t.Errorf("df %v without planned restarts", c.Paired.DF)
	}
	// One start a block: block and start are the same.
	if c := mustBuild(t, restarted(10, 1, 1)).Comparisons[0]; c.Paired.DF != 9 || !strings.Contains(c.Sentence, "10 blocks") {
		t.Errorf("df %v with a start a block: %s", c.Paired.DF, c.Sentence)
	}
	if out, err := runR(t, script(t, mustBuild(t, restarted(4, 3, 2)))); err != nil || !strings.Contains(out, " 0 differ") {
		t.Errorf("R: %v\n%s", err, out)
	}
}

// TestRestartFalseClaims: equal targets with a restart sd of twice the trial sd are told apart in 5 of 100 experiments
// at most; taking blocks for replicates it is more than half of them.
func TestRestartFalseClaims(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	const runs = 400
	claims, naive := 0, 0
	for seed := range uint64(runs) {
		in := restarted(3, 5, seed)
		if c := mustBuild(t, in).Comparisons[0]; c.Significant {
			claims++
		}
		for i := range in.Targets {
			in.Targets[i].Plan.Restart = 0
		}
		if c := mustBuild(t, in).Comparisons[0]; c.Significant {
			naive++
		}
	}
	if limit := runs * (0.05 + 3*math.Sqrt(0.05*0.95/runs)); float64(claims) > limit || naive < runs/4 {
		t.Errorf("%d claims (limit %.0f), %d with blocks as replicates", claims, limit, naive)
	}
}

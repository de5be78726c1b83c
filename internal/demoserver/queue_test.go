package demoserver

import (
	"math"
	"testing"
	"time"
)

// saturated admits n requests that always find a backlog, and returns the mean service time in units of c.Mean.
func saturated(t *testing.T, c Config, n int) float64 {
	t.Helper()
	q, err := NewQueue(c)
	if err != nil {
		t.Fatal(err)
	}
	var last time.Duration
	for range n {
		last = max(last, q.Admit(0).Completion)
	}
	return last.Seconds() * float64(max(1, c.Workers)) / float64(n) / c.Mean.Seconds()
}

func TestLawsMeans(t *testing.T) {
	const n = 200_000
	ms := time.Millisecond
	for name, c := range map[string]struct {
		config    Config
		want, tol float64
	}{
		"constant":    {Config{}, 1, 1e-9},
		"workers":     {Config{Workers: 4}, 1, 1e-9},
		"exponential": {Config{Law: Exponential}, 1, 0.012}, // 5 sd of the mean: 5/sqrt(n)
		"lognormal":   {Config{Law: Lognormal, Sigma: 0.5}, 1, 0.007},
		"fast":        {Config{Law: TwoTier, Probability: 1e-300, Factor: 3}, 1, 1e-9},
		"slow":        {Config{Law: TwoTier, Probability: 1, Factor: 3}, 3, 1e-9},
		"slow tail":   {Config{Law: SlowTail, Probability: 0.1, Factor: 5}, 1.4, 0.02},
		// sum of d·exp(−i/τ) over i ≥ 0 is d/(1−exp(−1/τ))
		"warmup": {Config{Law: Warmup, Deficit: 0.5, TauRequests: 1000}, 1 + 0.5/(1-math.Exp(-0.001))/n, 1e-6},
		"step":   {Config{Law: Step, AfterCount: n / 2, Factor: 3}, 2, 1e-9},
		// service = 1 + r·age, so that the n-th start is (exp(r·n·mean) − 1)/r
		"drift": {Config{Law: Drift, Rate: 6}, math.Expm1(0.001*0.001*n) / (0.001 * 0.001 * n), 1e-4},
	} {
		c.config.Mean, c.config.Seed = ms, 1
		if got := saturated(t, c.config, n); math.Abs(got-c.want) > c.tol {
			t.Errorf("%s: mean %v, want %v ± %v", name, got, c.want, c.tol)
		}
	}
}

func TestQueueLaw(t *testing.T) {
	draw := func(seed uint64) []Draw {
		q, err := NewQueue(Config{Law: Exponential, Workers: 3, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		var all []Draw
		for i := range 1000 {
			all = append(all, q.Admit(time.Duration(i)*600*time.Microsecond))
		}
		return all
	}
	first, second, other := draw(7), draw(7), draw(8)
	free, same := [3]time.Duration{}, 0
	for i, d := range first {
		if d != second[i] {
			t.Fatalf("seed 7 gave %+v and %+v", d, second[i])
		}
		if d.Service == other[i].Service {
			same++
		}
		if d.Start != max(d.Arrival, free[d.Worker]) || d.Completion != d.Start+d.Service {
			t.Fatalf("%+v breaks the law of the queue", d)
		}
		free[d.Worker] = d.Completion
	}
	if same > 10 {
		t.Errorf("seeds 7 and 8 agree in %d draws", same)
	}
}

func TestTierIsDrawnPerProcess(t *testing.T) {
	slow := 0
	for range 200 {
		q, err := NewQueue(Config{Law: TwoTier})
		if err != nil {
			t.Fatal(err)
		}
		if q.Tier() == "slow" {
			slow++
		}
	}
	if slow < 60 || slow > 140 { // binomial(200, 1/2): outside with probability 1e-8
		t.Errorf("%d of 200 processes are slow", slow)
	}
}

func TestConfigRefused(t *testing.T) {
	for _, c := range []Config{{Law: "none"}, {Mean: -1}, {Workers: -1}, {Sigma: -1}, {Probability: 2}, {Size: -1},
		{Status: 99}, {Deficit: -2}, {Factor: math.Inf(1)}, {Rate: math.NaN()}} {
		if _, err := New(c); err == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
}

// TestStall: what would begin during the stall begins after it, what is in service takes longer, and what comes later
// does not feel it.
func TestStall(t *testing.T) {
	const ms = time.Millisecond
	q, err := NewQueue(Config{Law: Constant, Mean: 10 * ms, Workers: 2, Seed: 1, Stall: 500 * ms, StallAfter: 100 * ms})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct{ arrival, start, completion time.Duration }{
		{50 * ms, 50 * ms, 60 * ms}, // the stall begins 100 ms after this
		{145 * ms, 145 * ms, 655 * ms},
		{150 * ms, 650 * ms, 660 * ms},
		{200 * ms, 655 * ms, 665 * ms},
		{700 * ms, 700 * ms, 710 * ms},
	} {
		if d := q.Admit(c.arrival); d.Start != c.start || d.Completion != c.completion || d.Service != 10*ms {
			t.Errorf("request %d: %+v, want start %v, completion %v", i+1, d, c.start, c.completion)
		}
	}
}

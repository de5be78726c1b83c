package main

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/report"
	"github.com/benchstat-http/benchstat-http/pkg/result"
	"github.com/benchstat-http/benchstat-http/pkg/runner"
)

// noisyDriver is a driver whose trials take a random time around one second, whoever the target is: the noise of a
// trial, plus a level that the whole machine drifts through.
type noisyDriver struct {
	random *rand.Rand
	level  float64
}

func (d *noisyDriver) Run(_ context.Context, job runner.Job) (result.Measurement, error) {
	d.level += 0.005 * d.random.NormFloat64()
	n := job.Load.Requests
	took := math.Exp(d.level + 0.01*d.random.NormFloat64())
	return result.Measurement{
		Seconds: &took, Requests: &n, OK: &n, Failed: new(int64(0)), Non2xx: new(int64(0)),
		RPS: new(float64(n) / took), Status: map[string]int64{"200": n}, Engine: "fake",
	}, nil
}

// measureFake runs a whole experiment of two targets through the runner, the result file and the report.
func measureFake(t *testing.T, driver runner.Driver, seed uint64, blocks int) *report.Report {
	t.Helper()
	schedule, err := runner.Schedule(runner.OrderRandomBlocks, 2, blocks, seed)
	if err != nil {
		t.Fatal(err)
	}
	plan := result.Plan{
		Name: "a-a", Blocks: blocks, Order: runner.OrderRandomBlocks, Seed: seed, Schedule: schedule,
		Margin: 0.01, Alpha: 0.05, Test: "auto", Metric: "rps", Stop: "fixed",
	}
	for _, name := range []string{"a", "b"} {
		plan.Targets = append(plan.Targets, result.Target{
			Name: name, URL: "http://127.0.0.1:1/", Request: result.Request{Method: "GET", HTTP: "1.1"},
			Load: result.Load{Requests: 1000, Concurrency: 10, Engine: "native"}, Warmup: result.Warmup{Mode: "none"},
			Expect: result.Expect{MaxFailed: 0.001},
		})
	}
	var file bytes.Buffer
	journal := result.NewWriter(&file)
	if err := journal.Begin(&result.Experiment{Name: plan.Name, Plan: plan}); err != nil {
		t.Fatal(err)
	}
	_, err = runner.Run(t.Context(), runner.Options{
		Plan: plan, Driver: driver, Journal: journal,
		Sleep: func(context.Context, time.Duration) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	read, err := result.Read(&file, "memory")
	if err != nil {
		t.Fatal(err)
	}
	r, err := report.Build(report.FromFile(read))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestFalseClaims measures a target against itself 2,000 times, on a machine that drifts: the share of runs that claim
// a difference stays within alpha, up to three standard errors of the simulation.
func TestFalseClaims(t *testing.T) {
	if testing.Short() {
		t.Skip("2,000 experiments")
	}
	const runs, alpha = 2000, 0.05
	claims, detected := 0, 0
	for seed := range uint64(runs) {
		driver := &noisyDriver{random: rand.New(rand.NewPCG(seed, 1))}
		c := measureFake(t, driver, seed, 10).Comparisons[0]
		if c.Verdict == "faster" || c.Verdict == "slower" {
			claims++
		}
		if c.Significant {
			detected++
		}
	}
	limit := runs*alpha + 3*math.Sqrt(runs*alpha*(1-alpha))
	t.Logf("%d of %d runs claim a difference, %d intervals exclude 1; limit %.0f", claims, runs, detected, limit)
	if float64(claims) > limit || float64(detected) > limit {
		t.Errorf("%d false claims, %d intervals that exclude 1, limit %.0f", claims, detected, limit)
	}
	if float64(detected) < runs*alpha-3*math.Sqrt(runs*alpha*(1-alpha)) {
		t.Errorf("only %d intervals exclude 1: they are too wide to be 95 %% intervals", detected)
	}
}

package report

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

const (
	testRequests = 10000
	testBody     = 8690
)

// round2 keeps test rates at two decimals, as ab prints them.
func round2(x float64) float64 { return math.Round(x*100) / 100 }

// nativeTrial is a clean trial measured here: 10,000 replies of 200.
func nativeTrial(target string, number, block, position int, rps float64) result.Trial {
	n := int64(testRequests)
	seconds := float64(n) / rps
	us := int64(50 / rps * 1e9) // mean latency at concurrency 50
	h := &result.Histogram{
		Unit: "ns", Digits: 3, Min: us / 2, Max: 3 * us, Sum: n * us,
		Counts: [][2]int64{{us / 2, 1}, {us, 8999}, {us * 5 / 4, 900}, {us * 3 / 2, 95}, {3 * us, 5}},
	}
	t10, last := seconds/10, seconds*0.995
	atLast := n - 50
	return result.Trial{
		Type: "trial", Target: target, Trial: number, Block: block, Position: position, Valid: true,
		Measurement: result.Measurement{
			Seconds: &seconds, Requests: new(n), OK: new(n), Failed: new(int64(0)), Non2xx: new(int64(0)), RPS: new(rps),
			Bytes: new(n * (testBody + 200)), BodyBytes: new(n * testBody), DocumentLength: new(int64(testBody)),
			Concurrency: new(50), Status: map[string]int64{"200": n}, Total: h,
			T10: &t10, TLastIssue: &last, CompletedAtLastIssue: &atLast, ClientCPUSeconds: new(0.05), Engine: "native",
		},
	}
}

// textTrial is a trial read from numbers.
func textTrial(number int, rps float64) result.Trial {
	return result.Trial{
		Type: "trial", Trial: number, Valid: true, Measurement: result.Measurement{RPS: new(rps)},
		Source: &result.Source{Tool: "numbers", File: "numbers.txt", Line: number},
	}
}

func numbers(name string, rps ...float64) Series {
	s := Series{Name: name}
	for i, v := range rps {
		s.Trials = append(s.Trials, textTrial(i+1, v))
	}
	return s
}

// exact returns n numbers with exactly this mean and coefficient of variation.
func exact(n int, mean, cv float64) []float64 {
	out := make([]float64, n)
	var sum, ss float64
	for i := range out {
		out[i] = math.Sin(float64(3*i + 1))
		sum += out[i]
	}
	for i := range out {
		out[i] -= sum / float64(n)
		ss += out[i] * out[i]
	}
	sd := math.Sqrt(ss / float64(n-1))
	for i := range out {
		out[i] = mean * (1 + cv*out[i]/sd)
	}
	return out
}

// synthetic is a blocked experiment: each target's rate times a shock of the block and noise of the trial.
type synthetic struct {
	blocks       int
	names        []string
	rates        []float64
	shock, noise float64 // standard deviations of the logarithm
	seed         uint64
	adjust       func(target, block int, rate float64) float64 // may be nil
}

func (s synthetic) input() Input {
	rng := rand.New(rand.NewPCG(s.seed, 7))
	in := Input{
		Title: "synthetic", Version: "test", PlanSHA256: "0123",
		Design: Design{
			Blocked: true, Blocks: s.blocks, Order: "random-blocks", Seed: new(s.seed), Alpha: 0.05, Margin: 0.01,
			Test: "auto", Metric: "rps", Stop: "fixed", Family: "baseline",
		},
	}
	for i, name := range s.names {
		in.Targets = append(in.Targets, TargetInput{Name: name, URL: "http://127.0.0.1:8080/", Baseline: i == 0})
	}
	for block := 1; block <= s.blocks; block++ {
		order := rng.Perm(len(s.names))
		shock := s.shock * rng.NormFloat64()
		for position, target := range order {
			rate := s.rates[target] * math.Exp(shock+s.noise*rng.NormFloat64())
			if s.adjust != nil {
				rate = s.adjust(target, block, rate)
			}
			t := &in.Targets[target]
			t.Trials = append(t.Trials, nativeTrial(t.Name, block, block, position+1, round2(rate)))
		}
	}
	return in
}

// two is a pair of targets a and b with b's rate ratio times a's.
func two(blocks int, ratio, noise float64, seed uint64) synthetic {
	return synthetic{blocks: blocks, names: []string{"a", "b"}, rates: []float64{6000, 6000 * ratio}, shock: 0.02, noise: noise, seed: seed}
}

func mustBuild(t *testing.T, in Input) *Report {
	t.Helper()
	r, err := Build(in)
	if err != nil {
		t.Fatalf("Build: %v", err)
	}
	return r
}

// codes lists code/severity of findings as a set.
func codes(f []Finding) map[string]string {
	out := map[string]string{}
	for _, x := range f {
		out[x.Code] = x.Severity
	}
	return out
}

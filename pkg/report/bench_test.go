package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// lognormalHistogram is the distribution of 10,000 requests in about as many buckets as a real trial has.
func lognormalHistogram(random *rand.Rand) *result.Histogram {
	counts := map[int64]int64{}
	h := &result.Histogram{Unit: "ns", Digits: 3, Min: math.MaxInt64}
	for range testRequests {
		ns := int64(9e6 * math.Exp(0.3*random.NormFloat64()))
		h.Min, h.Max, h.Sum = min(h.Min, ns), max(h.Max, ns), h.Sum+ns
		const width = 1 << 13
		counts[ns/width*width+width-1]++
	}
	for bound, n := range counts {
		h.Counts = append(h.Counts, [2]int64{bound, n})
	}
	slices.SortFunc(h.Counts, func(a, b [2]int64) int { return int(a[0] - b[0]) })
	return h
}

// manyTrials is an experiment of that many targets and blocks, as measured here.
func manyTrials(targets, blocks int) Input {
	random := rand.New(rand.NewPCG(1, 2))
	histograms := make([]*result.Histogram, 20)
	for i := range histograms {
		histograms[i] = lognormalHistogram(random)
	}
	in := FromSeries("many", "test", Rule{})
	in.Design.Blocked, in.Design.Blocks = true, blocks
	for i := range targets {
		t := TargetInput{Name: fmt.Sprintf("target %d", i+1), Baseline: i == 0}
		for b := range blocks {
			rate := 5000 * math.Exp(0.01*random.NormFloat64()+0.001*float64(i))
			trial := nativeTrial(t.Name, b+1, b+1, 1+(i+b)%targets, rate)
			trial.Total = histograms[random.IntN(len(histograms))]
			t.Trials = append(t.Trials, trial)
		}
		in.Targets = append(in.Targets, t)
	}
	return in
}

// BenchmarkBuild makes the report of 10 targets with 1,000 trials each: less than a second.
func BenchmarkBuild(b *testing.B) {
	in := manyTrials(10, 1000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Build(in); err != nil {
			b.Fatal(err)
		}
	}
}

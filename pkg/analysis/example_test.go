package analysis_test

import (
	"fmt"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

// Five trials of one server: first a mean with its interval, then the reason not to trust the mean.
func ExampleTiers() {
	rps := []float64{5596.50, 7611.98, 7690.85, 7600.03, 5515.75}
	ci, err := analysis.TInterval(rps, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mean 6803.02, 95 %% CI %.2f to %.2f\n", ci.Low, ci.High)
	r, err := analysis.Tiers(rps, 0.01)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("tiers %s, R2 %.5f\n", r.Status, r.Split.R2)
	for _, t := range r.Tiers {
		fmt.Printf("%.1f in %d of %d\n", t.Mean, len(t.Members), len(rps))
	}
	// Output:
	// mean 6803.02, 95 % CI 5388.58 to 8217.46
	// tiers proven, R2 0.99843
	// 5556.1 in 2 of 5
	// 7634.3 in 3 of 5
}

// A blocked comparison: the candidate ran beside the baseline in each of five blocks.
func ExampleDecide() {
	candidate := []float64{1052, 1031, 1049, 1060, 1038}
	baseline := []float64{1001, 985, 1003, 1010, 990}
	t, err := analysis.LogPairedT(candidate, baseline)
	if err != nil {
		fmt.Println(err)
		return
	}
	d := analysis.Decide(t, 0.01, 0.05, 1, analysis.HigherIsBetter)
	fmt.Printf("%s: ratio %.3f\n", d.Verdict, d.Ratio)
	// Output:
	// faster: ratio 1.048
}

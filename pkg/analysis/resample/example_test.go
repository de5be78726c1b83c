package resample_test

import (
	"fmt"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/resample"
)

// Five trials each: all 252 ways to label them are tried.
func ExamplePermutationMeanDiff() {
	candidate := []float64{1052, 1031, 1049, 1060, 1038}
	baseline := []float64{1001, 985, 1003, 1010, 990}
	p, err := resample.PermutationMeanDiff(candidate, baseline, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f more, p = %.4f of at best %.4f\n", p.Estimate, p.P, p.Reachable)
	// Output: 48.2 more, p = 0.0079 of at best 0.0079
}

// Five blocks are too few for this test, whatever they show.
func ExampleSignFlip() {
	p, err := resample.SignFlip([]float64{0.049, 0.046, 0.045, 0.048, 0.047}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("p = %.4f\n", p.P)
	// Output: p = 0.0625
}

// All 5⁵ resamples of five trials; Student's interval of the same is 5389 to 8217.
func ExampleBootstrapBCa() {
	b, err := resample.BootstrapBCa([]float64{5596.50, 7611.98, 7690.85, 7600.03, 5515.75}, resample.Mean, 0.95, resample.Options{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.0f to %.0f from %d resamples: too narrow\n", b.CI.Low, b.CI.High, b.Replicates)
	// Output: 5949 to 7639 from 3125 resamples: too narrow
}

package modes_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/modes"
)

// Requests per second of five trials, in two tiers.
var rates = []float64{5596.5, 7611.98, 7690.85, 7600.03, 5515.75}

func ExampleKDE() {
	d, err := modes.KDE(rates, 100, []float64{5556, 6500, 7634})
	fmt.Printf("%.2g %v\n", d, err)
	// Output: [0.0015 1.5e-21 0.0022] <nil>
}

func ExampleCriticalBandwidth() {
	one, err := modes.CriticalBandwidth(rates, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	two, err := modes.CriticalBandwidth(rates, 2)
	fmt.Printf("one mode from %.0f requests/s on, two from %.1f %v\n", one, two, err)
	// Output: one mode from 850 requests/s on, two from 40.4 <nil>
}

func ExampleSilvermanTest() {
	r, err := modes.SilvermanTest(rates, 1, 2000, rand.New(rand.NewPCG(1, 2)))
	fmt.Printf("P about %.1f: five trials are too few for this test %v\n", r.P, err)
	// Output: P about 0.1: five trials are too few for this test <nil>
}

func ExampleGaussianMixture() {
	m, err := modes.GaussianMixture(rates, modes.EqualVariance)
	fmt.Printf("%.0f %% around %.0f, %.0f %% around %.0f %v\n", 100*m.Two.Weights[0], m.Two.Means[0], 100*m.Two.Weights[1], m.Two.Means[1], err)
	// Output: 40 % around 5556, 60 % around 7634 <nil>
}

func ExampleAshmanD() {
	d, err := modes.AshmanD(100, 102, 1.5, 1.5)
	fmt.Printf("%.2f %v\n", d, err)
	// Output: 1.33 <nil>
}

func ExampleLatencyModes() {
	// Histograms of three trials: most requests take about 2 ms, one in twenty about 20 ms.
	trial := []modes.Weighted{{1.7, 10}, {1.8, 60}, {1.9, 150}, {2, 260}, {2.1, 230}, {2.2, 140}, {2.3, 70}, {2.4, 30},
		{18, 8}, {19, 14}, {20, 16}, {21, 9}, {22, 3}}
	r, err := modes.LatencyModes([][]modes.Weighted{trial, trial, trial})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range r.Modes {
		fmt.Printf("%.0f ms: %.0f %% of requests, in %d of %d trials\n", m.Location, 100*m.Mass, m.Trials, r.Trials)
	}
	// Output:
	// 2 ms: 95 % of requests, in 3 of 3 trials
	// 20 ms: 5 % of requests, in 3 of 3 trials
}

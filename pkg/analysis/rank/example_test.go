package rank_test

import (
	"fmt"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/rank"
)

var (
	candidate = []float64{1052, 1031, 1049, 1060, 1038}
	baseline  = []float64{1001, 985, 1003, 1010, 990}
)

func ExampleMannWhitney() {
	r, err := rank.MannWhitney(candidate, baseline)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("U = %g, p = %.4f\n", r.U, r.P)
	// Output: U = 25, p = 0.0079
}

func ExampleHodgesLehmann() {
	h, err := rank.HodgesLehmann(candidate, baseline, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%g more [%g, %g], really at %.1f %%\n", h.Shift, h.CI.Low, h.CI.High, 100*h.Achieved)
	// Output: 48 more [28, 67], really at 96.8 %
}

// When the samples do not overlap the test has no answer, however clear the difference is.
func ExampleBrunnerMunzel() {
	r, err := rank.BrunnerMunzel(candidate, baseline)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.PHat, r.P)
	// Output: 0 NaN
}

// Five blocks cannot reach 0.05 by ranks.
func ExampleWilcoxonSignedRank() {
	r, err := rank.WilcoxonSignedRank([]float64{51, 46, 46, 50, 48})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.P)
	// Output: 0.0625
}

func ExampleWalshMedian() {
	w, err := rank.WalshMedian([]float64{51, 46, 46.5, 50, 48}, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%g [%g, %g], really at %.2f %%\n", w.Shift, w.CI.Low, w.CI.High, 100*w.Achieved)
	// Output: 48.25 [46, 51], really at 93.75 %
}

func ExampleCliffsDelta() {
	d, err := rank.CliffsDelta(candidate, baseline)
	a, err2 := rank.VarghaDelaney(candidate, baseline)
	fmt.Println(d, a, err, err2)
	// Output: 1 1 <nil> <nil>
}

package power_test

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/power"
)

// Trials vary by 1.2 %, and a change of 2 % matters.
func ExampleSampleSize() {
	_, n, err := power.SampleSize(math.Log1p(0.02), 0.012, 0.05, 0.8)
	fmt.Println(n, "trials of each target", err)
	// Output: 7 trials of each target <nil>
}

// Five pilot blocks gave an sd of 1 %; it may be nearly twice that.
func ExampleSDUpperLimit() {
	sd, err := power.SDUpperLimit(0.01, 5, 0.9)
	if err != nil {
		fmt.Println(err)
		return
	}
	n, err := power.PairedSampleSize(math.Log1p(0.02), sd, 0.05, 0.8)
	fmt.Printf("sd up to %.2f %%: %d blocks %v\n", 100*sd, n, err)
	// Output: sd up to 1.94 %: 10 blocks <nil>
}

// What ten blocks can show.
func ExamplePairedDetectable() {
	effect, _ := power.PairedDetectable(0.01, 10, 0.05, 0.8)
	margin, _ := power.EquivalenceMargin(0.01, 10, 0.05, 0.8)
	fmt.Printf("a difference of %.2f %%, or equivalence within %.2f %%\n", 100*math.Expm1(effect), 100*math.Expm1(margin))
	// Output: a difference of 1.00 %, or equivalence within 1.01 %
}

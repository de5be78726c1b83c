package sequential_test

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/sequential"
)

// logRatios are the logarithms of candidate / baseline, block by block.
var logRatios = []float64{.021, .034, .018, .027, .040, .022, .031, .025, .019, .030}

// Looking after every block: the interval may be read at any time.
func ExampleAnytimeT() {
	for n := 4; n <= len(logRatios); n += 3 {
		r, err := sequential.AnytimeT(logRatios[:n], 1)
		if err != nil {
			fmt.Println(err)
			return
		}
		ci := r.Interval(0.95)
		fmt.Printf("%2d blocks: e-value %.0f, ratio %.4f to %.4f\n", n, r.E(), math.Exp(ci.Low), math.Exp(ci.High))
	}
	// Output:
	//  4 blocks: e-value 7, ratio 0.0000 to +Inf
	//  7 blocks: e-value 136, ratio 1.0138 to 1.0423
	// 10 blocks: e-value 4684, ratio 1.0182 to 1.0360
}

func ExampleGroupSequential() {
	looks, err := sequential.GroupSequential([]int{10, 20, 30}, 0.05, sequential.OBrienFleming)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range looks {
		fmt.Printf("after %d blocks: stop if |t| > %.2f (p < %.4f)\n", l.N, l.T, l.P)
	}
	// Output:
	// after 10 blocks: stop if |t| > 5.26 (p < 0.0005)
	// after 20 blocks: stop if |t| > 2.70 (p < 0.0141)
	// after 30 blocks: stop if |t| > 2.09 (p < 0.0451)
}

func ExampleSteinTwoStage() {
	plan, err := sequential.SteinTwoStage(logRatios[:5], 0.005, 0.95)
	fmt.Println(plan.N, "blocks in all for ±0.5 %", err)
	// Output: 26 blocks in all for ±0.5 % <nil>
}

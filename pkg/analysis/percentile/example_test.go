package percentile_test

import (
	"fmt"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/percentile"
)

func ExampleNearestRank() {
	v, rank, err := percentile.NearestRank([]float64{15, 20, 35, 40, 50}, "40")
	fmt.Println(v, rank, err)
	// Output: 20 2 <nil>
}

func ExampleRank() {
	// In float64, 99.9/100*1000 is a little above 999 and would give rank 1000.
	r, err := percentile.Rank("99.9", 1000)
	fmt.Println(r, err)
	// Output: 999 <nil>
}

func ExampleNeeded() {
	for _, p := range []string{"50", "99", "99.9"} {
		n, err := percentile.Needed(p)
		fmt.Println("p"+p, n, err)
	}
	// Output:
	// p50 20 <nil>
	// p99 1000 <nil>
	// p99.9 10000 <nil>
}

func ExampleEnough() {
	ok, err := percentile.Enough("99.9", 5000)
	fmt.Println(ok, err)
	// Output: false <nil>
}

func ExampleHDRBucket() {
	b, err := percentile.HDRBucket(1_000_000, 3)
	fmt.Println(b.Low, b.High, err)
	// Output: 999936 1000447 <nil>
}

func ExampleHDRBounds() {
	r, err := percentile.HDRBounds([]int64{5000, 50_000, 500_000}, []string{"99"}, 3_600_000_000, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := r.Percentiles[0]
	fmt.Printf("p%s is %d, a histogram says %d\n", p.P, p.Exact, p.Bucket.High)
	// Output: p99 is 500000, a histogram says 500223
}

// Latencies in ms of three trials, far fewer than a real trial has.
var (
	candidate = [][]float64{{1, 2, 3, 4, 10}, {2, 2.5, 3, 5, 12}, {1.5, 2, 2.75, 4, 9.5}}
	baseline  = [][]float64{{1.2, 2.2, 3.5, 4.1, 11}, {2, 2.6, 3.1, 5.5, 14}, {1.4, 2.3, 3, 4.4, 9}}
)

func ExamplePerTrial() {
	e, err := percentile.PerTrial(candidate, .9, .95)
	fmt.Printf("geometric mean of the per-trial p90 %.1f ms [%.1f, %.1f] %v\n", e.GeometricMean, e.CI.Low, e.CI.High, err)
	// Output: geometric mean of the per-trial p90 8.0 ms [5.9, 10.9] <nil>
}

func ExampleDeciles() {
	d, err := percentile.Deciles([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
	fmt.Printf("%.0f %v\n", d, err)
	// Output: [2 3 4 5 6 7 8 9 10] <nil>
}

func ExampleShift() {
	deciles, err := percentile.Shift(candidate, baseline, percentile.ShiftOptions{Blocked: true, Level: .95})
	if err != nil {
		fmt.Println(err)
		return
	}
	d := deciles[5]
	fmt.Printf("decile %.1f: ratio %.3f, adjusted p %.2f\n", d.Q, d.Ratio, d.PAdjusted)
	// Output: decile 0.6: ratio 0.919, adjusted p 0.10
}

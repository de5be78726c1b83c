package changepoint_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/changepoint"
)

// requests returns counts of 100 ms: 15 slow intervals, then about 1000 in each.
func requests(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 1000 + 10*float64(i*7%11-5)
		if i < 15 {
			x[i] -= 500
		}
	}
	return x
}

func ExampleSteady() {
	r, err := changepoint.Steady(requests(120), 0.01)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s after %d intervals, level %.0f\n", r.Status, r.Cut, r.Segments.Means[0])
	// Output:
	// steady after 15 intervals, level 1000
}

func ExampleMSER() {
	r, err := changepoint.MSER(requests(120), 5)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("cut %d of 120, mean of the rest %.1f, settled %t\n", r.Cut, r.TruncatedMean, !r.AtLimit)
	// Output:
	// cut 15 of 120, mean of the rest 1000.1, settled true
}

func ExamplePELTMean() {
	x := []float64{5597, 5512, 5530, 7612, 7691, 7600, 7655, 5516, 5544}
	r, err := changepoint.PELTMean(x, 2*50*50*math.Log(float64(len(x))), 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("changes before index %v, means %.0f\n", r.Changes, r.Means)
	// Output:
	// changes before index [3 7], means [5546 7640 5530]
}

func ExamplePELTMeanVar() {
	x := []float64{10.1, 9.9, 10, 10.2, 9.8, 10.1, 13, 6, 15, 4, 12, 7}
	r, err := changepoint.PELTMeanVar(x, 3*math.Log(float64(len(x))), 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("changes before index", r.Changes)
	// Output:
	// changes before index [6]
}

func ExampleSingleChange() {
	sessions := []float64{1000, 1004, 997, 1001, 998, 1003, 951, 948, 955, 950, 947, 953}
	r, err := changepoint.SingleChange(sessions, 3, 999, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f before, %.1f from session %d on, p below .01: %t\n", r.MeanBefore, r.MeanAfter, r.At+1, r.P < .01)
	// Output:
	// 1000.5 before, 950.7 from session 7 on, p below .01: true
}

package trend_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/trend"
)

// Two targets run in turn for two minutes while the machine speeds up.
func ExampleSession() {
	r, err := trend.Session([]trend.Series{
		{Time: []float64{0, 20, 40, 60, 80, 100}, Value: []float64{1000, 1004, 1009, 1011, 1018, 1020}},
		{Time: []float64{10, 30, 50, 70, 90, 110}, Value: []float64{500, 503, 502, 507, 508, 511}},
	}, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %+.1f %% over the session, %+.0f %% per hour (95 %% CI %+.0f to %+.0f), p = %.1g\n", r.Status,
		r.TotalPercent, r.PercentPerHour, r.PercentPerHourCI.Low, r.PercentPerHourCI.High, r.P)
	// Output:
	// drift: +2.3 % over the session, +75 % per hour (95 % CI +62 to +87), p = 6e-07
}

func ExampleDrift() {
	r, err := trend.Drift([]float64{0, 30, 60, 90}, []float64{1000, 990, 981, 970}, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s with %d trials\n", r.Status, r.N)
	// Output:
	// untestable with 4 trials
}

func ExampleSlope() {
	r, err := trend.Slope([]float64{0, 1, 2, 3, 4, 5}, []float64{10, 12, 11, 14, 15, 15})
	if err != nil {
		fmt.Println(err)
		return
	}
	ci := r.Interval(0.95)
	fmt.Printf("%.2f per unit of time, 95 %% CI %.2f to %.2f, p = %.4f\n", r.Slope, ci.Low, ci.High, r.P)
	// Output:
	// 1.06 per unit of time, 95 % CI 0.46 to 1.66, p = 0.0081
}

func ExampleTheilSen() {
	r, err := trend.TheilSen([]float64{0, 1, 2, 3, 4, 5, 6, 7}, []float64{10, 12, 11, 14, 15, 15, 17, 99}, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f per unit of time in spite of the 99\n", r.Slope)
	// Output:
	// 1.29 per unit of time in spite of the 99
}

func ExampleMannKendall() {
	r, err := trend.MannKendall([]float64{10, 12, 11, 14, 15, 15, 17, 16, 19, 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("S = %d, p = %.5f\n", r.S, r.P)
	// Output:
	// S = 40, p = 0.00046
}

func ExampleMannKendallExact() {
	r, err := trend.MannKendallExact([]float64{10, 11, 12, 13, 14})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("5 rising values: p = %.4f\n", r.P)
	// Output:
	// 5 rising values: p = 0.0167
}

func ExampleVonNeumann() {
	r, err := trend.VonNeumann([]float64{5, 6, 6, 7, 7, 6, 5, 4, 3, 3, 4, 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("q = %.2f, one-sided p = %.4f\n", r.Q, r.PPositive)
	// Output:
	// q = 0.38, one-sided p = 0.0011
}

func ExampleLjungBox() {
	x := []float64{5, 6, 6, 7, 7, 6, 5, 4, 3, 3, 4, 5}
	r, err := trend.LjungBox(x, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	r1, err := trend.Autocorrelation(x, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("r1 = %.3f, Q = %.2f, p = %.4f\n", r1, r.Q, r.P)
	// Output:
	// r1 = 0.808, Q = 13.03, p = 0.0015
}

func ExampleCUSUM() {
	x := []float64{100, 101, 99, 100, 102, 98, 95, 94, 96, 95, 93, 96}
	r, err := trend.CUSUM(x, 1999, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("shift after %d values, p below .01: %t\n", r.Position, r.P < .01)
	// Output:
	// shift after 6 values, p below .01: true
}

func ExampleEffectiveSampleSize() {
	r, err := trend.EffectiveSampleSize([]float64{5, 6, 6, 7, 7, 6, 5, 4, 3, 3, 4, 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d values worth %.1f\n", r.N, r.Monotone)
	// Output:
	// 12 values worth 3.5
}

package nested_test

import (
	"fmt"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/nested"
)

var rps = [][]float64{
	{1012.1, 1009.8, 1011.4},
	{994.6, 997.0, 995.9},
	{1003.3, 1001.2, 1004.0},
	{1019.5, 1017.1, 1018.8},
	{999.7, 1002.5, 1000.6},
}

// Five restarts of three trials: the restarts differ far more than the trials do.
func ExampleTwoLevel() {
	r, err := nested.TwoLevel(rps)
	if err != nil {
		fmt.Println(err)
		return
	}
	ci := r.Interval(0.95)
	fmt.Printf("mean %.1f req/s, 95 %% interval %.1f to %.1f over %d restarts\n", r.GrandMean, ci.Low, ci.High, r.Restarts)
	fmt.Printf("%.0f %% of the variance lies between restarts; pooling understates the variance %.1f-fold\n", 100*r.ICC, r.DesignEffect)
	// Output:
	// mean 1005.8 req/s, 95 % interval 994.7 to 1016.9 over 5 restarts
	// 98 % of the variance lies between restarts; pooling understates the variance 3.4-fold
}

// Restarting takes 30 s, a trial 10 s: with these restarts one trial each is the best use of the time.
func ExampleKaliberaJones() {
	r, err := nested.KaliberaJones(nested.Restarts(rps), []float64{10, 30})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("variance %.2f within, %.2f between restarts; trials per restart: %d\n", r.T2[0], r.T2[1], r.Optimal[0])
	// Output:
	// variance 1.70 within, 79.52 between restarts; trials per restart: 1
}

func ExampleOptimalTrialsPerRestart() {
	n, err := nested.OptimalTrialsPerRestart(30, 10, 2*2, 0.5*0.5) // seconds; variances from sd in per cent
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(n, "trials per restart")
	// Output:
	// 7 trials per restart
}

func ExampleRestartsForHalfWidth() {
	n, err := nested.RestartsForHalfWidth(1, 2*2, 0.5*0.5, 7, 0.95) // ±1 %, sd 2 % and 0.5 %
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(n, "restarts")
	// Output:
	// 6 restarts
}

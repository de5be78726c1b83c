package report_test

import (
	"log"
	"os"

	"github.com/benchstat-http/benchstat-http/pkg/report"
	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// Rates that were measured already, one per trial, become a report.
func ExampleBuild() {
	series := report.Series{Name: "lighttpd"}
	for i, rps := range []float64{5596.50, 7611.98, 7690.85, 7600.03, 5515.75} {
		series.Trials = append(series.Trials, result.Trial{
			Trial: i + 1, Valid: true, Measurement: result.Measurement{RPS: &rps},
			Source: &result.Source{Tool: "numbers", File: "-", Line: i + 1},
		})
	}
	r, err := report.Build(report.FromSeries("", "", report.Rule{}, series))
	if err != nil {
		log.Fatal(err)
	}
	if err := report.Render(os.Stdout, r, "table", report.Options{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// lighttpd
	// 1 target, alpha 0.05
	//
	// target    n  requests/s ± 95 % CI       CV  tiers
	// ────────────────────────────────────────────────────
	// lighttpd  5               2 tiers  16.74 %  proven
	//   tier 1  2                5556.1
	//   tier 2  3                7634.3
	// lighttpd: two tiers proven (R² 0.99843, p ≈ 0.0003 if there were only one):
	//   5556.1 (trials 1, 5) and 7634.3 (trials 2, 3, 4) requests/s. The slowest tier
	//   is 2 of 5 trials (95 % CI 5 to 85 %). Over all trials: mean 6803.02, 95 % CI
	//   5388.58 … 8217.46, n = 5.
	//
	// warning two-tiers: The trials of lighttpd fall into two tiers: 5556.1 (trials 1,
	//   5) and 7634.3 (trials 2, 3, 4) (p = 0.0003 if there were only one).
	//   → Quote the tiers, not the mean. Look for what differs between those trials:
	//     restart, CPU, memory layout, another process.
}

package reftest_test

import (
	"fmt"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/reftest"
)

// row is a method of the report that is asked for everything.
type row struct {
	Method   string   `json:"method"`
	Estimate *float64 `json:"estimate"`
	CI       *ci      `json:"ci"`
	P        *float64 `json:"p"`
}

// verboseMethods are put to the program with --verbose, which adds every other method by name.
var verboseMethods = []method{
	{file: "summary", name: "summary", verbose: true, got: shapeFields, least: 14, fields: []string{"geometric_mean", "gm_ci90_low", "gm_ci90_high",
		"gm_ci95_low", "gm_ci95_high", "gm_ci99_low", "gm_ci99_high", "skewness", "bimodality_coefficient"}},
	{file: "welch", name: "ratio_fieller", verbose: true, got: rowOf("Fieller", "ratio", "", true), least: 15,
		fields: []string{"ratio", "ci_low", "ci_high"}, undefined: noRow("Fieller")},
	{file: "rank", name: "brunner_munzel", verbose: true, got: rowOf("Brunner–Munzel", "p_hat", "p_two_sided", false), least: 10,
		fields: []string{"p_hat", "p_two_sided"}, undefined: noRow("Brunner–Munzel")},
	{file: "rank", name: "permutation_mean_diff", verbose: true, got: rowOf("permutation", "mean_diff", "p_two_sided", false), least: 10,
		fields: []string{"mean_diff", "p_two_sided"}, undefined: noRow("permutation")},
	{file: "silverman", name: "critical_bandwidth", verbose: true, only: oneMode, got: rowOf("Silverman, one mode", "h_crit", "", false), least: 9,
		fields: []string{"h_crit"}, undefined: noRow("Silverman, one mode")},
	{file: "mixture", name: "gmm2", verbose: true, only: commonVariance, got: rowOf("two normal components", "delta_bic", "", false), least: 6,
		fields: []string{"delta_bic"}, undefined: noRow("two normal components")},
	{file: "trend", name: "mann_kendall", verbose: true, only: normalMode, got: rowOf("Mann–Kendall", "tau_b", "p_two_sided", false), least: 11,
		fields: []string{"tau_b", "p_two_sided"}, undefined: noRow("Mann–Kendall")},
	{file: "trend", name: "ljung_box", verbose: true, only: firstLag, got: rowOf("Ljung–Box, lag 1", "q", "p", false), least: 11,
		fields: []string{"q", "p"}, undefined: noRow("Ljung–Box, lag 1")},
	{file: "trend", name: "effective_sample_size", verbose: true, got: rowOf("effective sample size", "ess_monotone", "", false), least: 9,
		fields: []string{"ess_monotone"}, undefined: noRow("effective sample size")},
}

func oneMode(c reftest.Case) bool        { return c.Param("modes") == 1 }
func commonVariance(c reftest.Case) bool { return c.Text("model") == "E" }
func normalMode(c reftest.Case) bool     { return c.Text("mode") == "normal" }
func firstLag(c reftest.Case) bool       { return c.Param("lag") == 1 }

// rows are the methods of the pair, or of the only target.
func (a answer) rows() []row {
	if len(a.Comparisons) > 0 {
		return a.Comparisons[0].Methods
	}
	return a.Targets[0].Methods
}

func (a answer) row(name string) row {
	for _, r := range a.rows() {
		if r.Method == name {
			return r
		}
	}
	return row{}
}

// rowOf reads the estimate, p and interval of a method under the names that the case has for them.
func rowOf(name, estimate, p string, withCI bool) func(run) map[string]any {
	return func(r run) map[string]any {
		x := r.reports[0].row(name)
		got := map[string]any{estimate: x.Estimate}
		if p != "" {
			got[p] = x.P
		}
		if withCI {
			interval(got, "ci_", x.CI)
		}
		return got
	}
}

// noRow reports whether the method is listed without a number.
func noRow(name string) func(run) bool {
	return func(r run) bool {
		x := r.reports[0].row(name)
		return x.Method == name && x.Estimate == nil && x.CI == nil && x.P == nil
	}
}

func shapeFields(r run) map[string]any {
	a := r.reports[0]
	got := map[string]any{"geometric_mean": a.row("t of logarithms").Estimate, "skewness": a.row("skewness").Estimate,
		"bimodality_coefficient": a.row("bimodality coefficient").Estimate}
	for _, a := range r.reports {
		x := a.row("t of logarithms").CI
		interval(got, fmt.Sprintf("gm_ci%.0f_", 100*levelOf(x)), x)
	}
	return got
}

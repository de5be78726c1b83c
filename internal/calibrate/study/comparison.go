package study

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/benchstat-http/benchstat-http/internal/calibrate/sim"
	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

const (
	level     = .95
	alpha     = .05
	normal975 = 1.959963984540054
)

// test is a way to compare candidate and baseline.
type test struct {
	name string
	run  func(candidate, baseline []float64) (analysis.TTest, error)
}

var (
	pairedTest = test{"paired", analysis.LogPairedT}
	welchTest  = test{"Welch", analysis.LogWelchT}
)

// design is a schedule with a test, and the published false-positive rate and power by disturbance.
type design struct {
	name  string
	order schedule
	test  test
	n     int
	false [5]string
	power [5]string
}

func designs() []design {
	return []design{
		{"AAABBB: Welch", separate, welchTest, 10,
			[5]string{".05", ".44", "1.0", ".18", ".03"}, [5]string{".56", "", "", "", ".45"}},
		{"ABAB: paired", alternating, pairedTest, 10,
			[5]string{".05", ".04", ".10", ".05", ".51"}, [5]string{".52", ".39", "", ".51", ""}},
		{"random blocks: paired", coinBlocks, pairedTest, 10,
			[5]string{".05", ".05", ".05", ".05", ".05"}, [5]string{".51", ".39", ".48", ".52", ".36"}},
		{"random blocks: Welch", coinBlocks, welchTest, 10,
			[5]string{".05", ".01", ".00", ".00", ".07"}, [5]string{".56", ".19", ".02", ".005", ".47"}},
		{"full randomisation: Welch", fullRandom, welchTest, 10,
			[5]string{".05", ".05", ".05", ".05", ".05"}, [5]string{".55", ".26", ".16", ".11", ".46"}},
		{"full randomisation: paired", fullRandom, pairedTest, 10,
			[5]string{".05", ".09", ".27", ".09", ".05"}, [5]string{".51", "", "", "", ".42"}},
		{"balanced blocks: paired", balancedBlocks, pairedTest, 10, [5]string{}, [5]string{}},
	}
}

// designExperiments are false positives and power of schedule and test under disturbances.
func designExperiments() []sim.Experiment {
	var out []sim.Experiment
	for _, d := range designs() {
		for i, dist := range disturbances() {
			out = append(out, comparisonExperiment(tableDesign, d, dist, 0, d.false[i]),
				comparisonExperiment(tableDesignPower, d, dist, math.Log(1.01), d.power[i]))
		}
	}
	quiet, ds := disturbances()[0], disturbances()
	out = append(out,
		otherSize(design{name: "random blocks: paired", order: coinBlocks, test: pairedTest, n: 5}, quiet, 0, ".05"),
		otherSize(design{name: "random blocks: paired", order: coinBlocks, test: pairedTest, n: 5}, quiet, .01, ".23"),
		otherSize(design{name: "random blocks: Welch", order: coinBlocks, test: welchTest, n: 5}, quiet, .01, ".27"),
		otherSize(design{name: "random blocks: Welch", order: coinBlocks, test: welchTest, n: 5}, ds[3], .01, ".006"),
		otherSize(design{name: "ABAB: paired", order: alternating, test: pairedTest, n: 20}, ds[4], 0, ".85"))
	for _, c := range []struct {
		n         int
		reference string
	}{{2, ".023"}, {3, ".035"}, {5, ".043"}, {10, ".049"}} {
		out = append(out, otherSize(design{name: "AAABBB: Welch", order: separate, test: welchTest, n: c.n}, quiet, 0, c.reference))
	}
	return out
}

// otherSize is a single published number at another number of trials.
func otherSize(d design, dist disturbance, effect float64, reference string) sim.Experiment {
	e := comparisonExperiment(tableSizes, d, dist, math.Log1p(effect), reference)
	kind := "false positives"
	if effect != 0 {
		kind = "power at +1 %"
	}
	e.Cells[0].Row = fmt.Sprintf("n = %d, %s, %s", d.n, d.name, dist.name)
	e.Cells[0].Column = kind
	e.Name = e.Cells[0].Row + ", " + kind
	return e
}

func comparisonExperiment(table string, d design, dist disturbance, effect float64, reference string) sim.Experiment {
	return sim.Experiment{Table: table, Name: d.name + ", " + dist.name, Full: 20000,
		Cells: []sim.Cell{{Row: dist.name, Column: d.name, Reference: reference}},
		New: func() sim.Replicate {
			s := newSession(d.n, d.order, dist, gaussian(.01))
			return func(rng *rand.Rand, out []float64) {
				t, err := d.test.run(s.run(rng, effect))
				out[0] = yes(err == nil && t.P < alpha)
			}
		}}
}

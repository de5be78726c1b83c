package study

import (
	"fmt"

	"github.com/benchstat-http/benchstat-http/internal/calibrate/sim"
)

const introduction = `# Calibration

What the statistics promise, tried on simulated trials whose truth is known. Everything here is the output of

    go run ./internal/calibrate

with seed %d, and the same on every machine; ` + "`go test ./internal/calibrate/...`" + ` runs a thirtieth of it. The simulations call the
functions of pkg/analysis that the program calls.

**How to read a cell.** 0.049 ± 0.003 (.05) is a rate of 4.9 %% with twice its standard error of simulation; in brackets the
reference that it must reproduce: a value published by an earlier, independent simulation in Python and R with at least 1,500
replicates, or a computed probability where the table says so. A cell without brackets has no reference. A cell misses, and is
printed bold, when it differs from the reference by more than four standard errors (of both simulations together, plus half a unit
of the reference's last digit), or exceeds its limit by more than three. Among several hundred limits, some of them rates that are
exactly at 5 %%, another seed may show a miss by chance; a real one shows with every seed.
`

// badNews are sentences with one %s for each cell they quote.
func badNews() []sim.Sentence {
	return []sim.Sentence{
		sentence("A slow state that one trial in ten is in does not show at all in 59 %% of runs of five trials. The nominal 95 %% t interval then "+
			"covers the true mean in %s of runs at n = 5, %s at n = 10 and %s at n = 20, and no other interval tried does much better.",
			at(tableCoverage, "rare slow tier, 10 %, n = 5", "t"), at(tableCoverage, "rare slow tier, 10 %, n = 10", "t"),
			at(tableCoverage, "rare slow tier, 10 %, n = 20", "t")),
		sentence("Two targets of which only one has that state, with equal means, are falsely told apart in %s of comparisons of five blocks, "+
			"and in %s of 20.",
			at(tableEnds, "rare slow tier of 10 % in the baseline only; n = 5", "no difference in the mean"),
			at(tableEnds, "rare slow tier of 10 % in the baseline only; n = 20", "no difference in the mean")),
		sentence("One target with a long tail of slow trials against one without: %s false claims at n = 5, %s at n = 20, instead of at most 5 %%.",
			at(tableEnds, "exponential left tail of sd 5 % in the baseline only; n = 5", "no difference in the mean"),
			at(tableEnds, "exponential left tail of sd 5 % in the baseline only; n = 20", "no difference in the mean")),
		sentence("Common tiers in both targets make %s false claims at n = 10 where the verdict is not capped for them: the t test of block ratios "+
			"that take three values is a little too keen.", at(tableEnds, uncapped+"; n = 10", "no difference in the mean")),
		sentence("With an exponential tail of trials the t interval of a mean covers in %s at n = 5 and %s at n = 20.",
			at(tableCoverage, "exponential left tail, n = 5", "t"), at(tableCoverage, "exponential left tail, n = 20", "t")),
		sentence("Tiers are found where there are none in %s of runs of 10 trials with an exponential tail and %s of 20; drifting trials (a random "+
			"walk) do so in %s of runs of 100.",
			at(tableTiers, "exponential", "n = 10"), at(tableTiers, "exponential", "n = 20"), at(tableTiers, "random walk", "n = 100")),
		sentence("Five trials find clear tiers of 40 %% in %s of runs, and of 20 %% in %s; of tiers only six standard deviations apart in %s.",
			at(tableTiers, "two tiers, separation 40, 40 % slow", "n = 5"), at(tableTiers, "two tiers, separation 40, 20 % slow", "n = 5"),
			at(tableTiers, "two tiers, separation 6, 40 % slow", "n = 5")),
		sentence("Five blocks at a trial sd of 1 %% see a true difference of 1 %% in %s of runs, at 2 %% sd in %s.",
			at(tablePower, "n = 5, trial sd 1 %", "+1 %"), at(tablePower, "n = 5, trial sd 2 %", "+1 %")),
		sentence("One start of each server, measured 30 times, finds a difference between equal servers in %s of comparisons (restart sd 2 %%, "+
			"trial sd 1 %%). On the means of three restarts it is %s, but a true 3 %% is then found in %s only.",
			at(tableRestarts, "restart sd 2 %, trial sd 1 %", "1 × 30"), at(tableMeans, "restart sd 2 %, trial sd 1 %", "false positives, 3 restarts"),
			at(tableMeans, "restart sd 2 %, trial sd 1 %", "power at +3 %, 3 restarts")),
		sentence("Stopping when the interval is narrow enough, from 5 trials on, covers in %s of runs when there is a rare tier. The anytime-valid "+
			"interval covers at all its looks in %s there, in %s with common tiers.",
			at(tableWidth, "rare slow tier, 10 %", "from 5 trials on"), at(tableAlways, "rare slow tier, 10 %", alwaysColumn),
			at(tableAlways, "tiers 0.73 and 1, 40 % slow", alwaysColumn)),
	}
}

// Document returns the text of the calibration document for a seed.
func Document(seed uint64) sim.Document {
	return sim.Document{
		Introduction: fmt.Sprintf(introduction, seed),
		NewsTitle:    "Bad news first",
		NewsLead:     "What no statistic can mend, and what a report therefore warns of; the numbers are those of the tables below.",
		Sentences:    badNews(),
		Tables:       tables(),
	}
}

func sentence(format string, cells ...sim.Lookup) sim.Sentence {
	return sim.Sentence{Format: format, Cells: cells}
}

func at(table, row, column string) sim.Lookup {
	return sim.Lookup{Table: table, Row: row, Column: column}
}

func table(id, section, title, rowHead, intro string) sim.Table {
	return sim.Table{ID: id, Section: section, Title: title, RowHead: rowHead, Intro: intro}
}

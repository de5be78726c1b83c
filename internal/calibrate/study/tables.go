package study

import "github.com/benchstat-http/benchstat-http/internal/calibrate/sim"

const (
	tableCoverage    = "coverage"
	tableDesign      = "design"
	tableDesignPower = "design-power"
	tableSizes       = "sizes"
	tablePower       = "power"
	tableVerdict     = "verdict"
	tableFalse       = "false"
	tableEnds        = "ends"
	tableTiers       = "tiers"
	tableTiersExtend = "tiers-extend"
	tableNaive       = "naive"
	tableWidth       = "width"
	tableAnytime     = "anytime"
	tableRules       = "rules"
	tableAlways      = "always"
	tableStein       = "stein"
	tableRunning     = "running"
	tableRestarts    = "restarts"
	tableMeans       = "restart-means"
)

const (
	sectionIntervals = "Intervals of one target"
	sectionCompare   = "Comparing two targets"
	sectionVerdicts  = "Verdicts"
	sectionTiers     = "Tiers"
	sectionStopping  = "Stopping early"
	sectionRestarts  = "Restarts"
)

// Experiments returns every simulation.
func Experiments() []sim.Experiment {
	var out []sim.Experiment
	for _, part := range [][]sim.Experiment{
		intervalExperiments(), bootstrapExperiments(), designExperiments(), powerExperiments(), verdictExperiments(),
		FalseClaims(Reported), endExperiments(), tierExperiments(), stoppingExperiments(), anytimeExperiments(),
		runningExperiments(), restartExperiments(),
	} {
		out = append(out, part...)
	}
	return out
}

// tables returns the tables in the order of the document.
func tables() []sim.Table {
	return []sim.Table{
		table(tableCoverage, sectionIntervals, "Coverage of nominal 95 % intervals of the mean", "trials",
			`How often the interval of n trials contains the true mean. The tiers are 0.73 and 1, 40 within-tier standard deviations
apart. The bootstraps take 1,000 resamples; the bootstrap t leaves out resamples without
variance. One published value is not reproduced: at n = 10 the source gives .69 for every interval with the rare tier. An
interval that must have seen the tier covers in at most 1 − 0.9¹⁰ = 0.651 of runs, so .69 cannot be right; t, z, percentile and
bootstrap t lie within the error allowed of it, BCa does not, and is shown without a reference. Student's t is what the
program uses: no bootstrap is better at n ≤ 10 on quiet trials, and none sees a tier that has not shown.`),
		table(tableDesign, sectionCompare, "False positives by order of trials and test", "disturbance",
			`Two equal targets, n = 10 trials each, sd of a trial 1 %, tests at 5 %. AAABBB runs one target after the other; random blocks
run both once in an order decided by a coin; balanced blocks, the program's own order, run each first equally often. Only
the paired test in random blocks holds 5 % in every row. Pairing under full randomisation takes the i-th trial of each target.`),
		table(tableDesignPower, sectionCompare, "Rejections when the candidate is 1 % faster", "disturbance",
			`The same worlds with a true ratio of 1.01. A high rate in a cell whose false-positive rate is high too is no power.`),
		table(tableSizes, sectionCompare, "The same at other numbers of trials", "world", `Selected cells of the two tables above.`),
		table(tablePower, sectionCompare, "Power of the paired test", "blocks and noise",
			`How often the 95 % interval of the ratio excludes 1, in balanced random blocks, at a true difference of 1, 2 and 5 %. The
reference is the noncentral t distribution: R's power.t.test(n, delta = log1p(effect), sd = sd·√2, type = "paired", strict =
TRUE).`),
		table(tableVerdict, sectionVerdicts, "Rates of the four verdicts, margin 2 %", "blocks and sd of their ln ratios",
			`The columns name the true difference and the verdict. At no difference only fast or slow is false, at +2 %, the margin, only
equivalent.`),
		table(tableFalse, sectionVerdicts, "False claims", "world",
			`Any false claim of the verdict of a report (alpha 5 %; inconclusive when the block ratios have tiers) in balanced random blocks, at five truths: no difference, half the margin, the margin
from either side, and 1.5 margins. False is: faster or slower without a difference or in the wrong direction, equivalent at or
beyond the margin. Every rate must stay within 5 % and three standard errors. The disturbances come on top of a trial sd of 1 %.
Both targets share the form of their noise here, but for the last world; what happens when they do not is the next table.`),
		table(tableEnds, sectionVerdicts, "Where the promise ends", "world",
			`False claims at a margin of 2 % when one target has a kind of noise that the other has not, with equal or given ratios of
geometric means. No limit is set, for none holds: 5 trials cannot average over a state that they have not seen. This is why
tiers are looked for, and why a verdict is capped when they are found; the last rows show that cap missing.`),
		table(tableTiers, sectionTiers, "How often the rule for tiers fires", "trials",
			`The rule before the checks of margin and order: p ≤ 0.01, and from 15 trials on a clear gap or a dip. The first five rows have no
tiers: the rates are false alarms. Separation is the distance of the tiers in standard deviations within a tier. At n = 5 no rule
can find 40 % tiers in more than 58 % of runs: in the others one of the tiers was seen once or never.`),
		table(tableTiersExtend, sectionTiers, "Extending a suspicious run, and the check of the order", "trials",
			`Five more trials when five raised a suspicion; and what a finding is called when the trials are looked at in order. The first
column counts runs, the second the runs in which the rule fired, the others runs again.`),
		table(tableNaive, sectionStopping, "Testing after every pair until p < 0.05", "looks",
			`False positives of a plain paired t test that is repeated after every pair of equal targets: why the program does not do it.`),
		table(tableWidth, sectionStopping, "Stopping when the interval is narrow enough", "trials",
			`Coverage of the 95 % t interval at the moment its half-width falls below half the true standard deviation. Harmless for quiet
trials from 10 on; with tiers (20 within-tier standard deviations apart in this section) it stops because it has not seen one.`),
		table(tableAnytime, sectionStopping, "Anytime-valid t, no difference", "rule",
			`False positives when the anytime-valid interval (prior variance 1) is looked at after every block. They must stay below 5 %.`),
		table(tableRules, sectionStopping, "Three rules compared", "rule",
			`At most 50 blocks of normal differences; effects in standard deviations of the block difference. The boundaries of Pocock (z =
2.413) and O'Brien–Fleming (z = 2.040·√(5/k)) are carried to Student's t by their tail probability.`),
		table(tableAlways, sectionStopping, "Anytime-valid interval, all looks at once", "trials",
			`How often the interval covers the mean at every one of its looks. It assumes normal trials and is not free of that assumption.`),
		table(tableStein, sectionStopping, "Stein's two stages", "pilot",
			`A pilot sets the number of trials so that the 95 % interval has a half-width of a quarter standard deviation.`),
		table(tableRunning, sectionStopping, "The verdict after every block", "rule and sd of the ln ratios",
			`Looks after every block from 5 to 50, margin 2 %, stopping at the first verdict that is not inconclusive; naive uses the intervals
of a fixed size, the other rule the anytime-valid ones. Columns name the true difference; blocks are the mean number used.`),
		table(tableRestarts, sectionRestarts, "False positives when the trials of all restarts are pooled", "spread",
			`Welch's test on 30 trials a target, as restarts × trials of each, of equal servers.`),
		table(tableMeans, sectionRestarts, "Restart means as replicates", "spread",
			`The same data, Welch's test on the means of restarts. Holds 5 % throughout; few restarts have little power. The last row is the
estimate of the variance between restarts.`),
	}
}

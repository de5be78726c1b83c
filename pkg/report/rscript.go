package report

import (
	_ "embed" // for the functions of the script
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

//go:embed rscript.R
var scriptFunctions string

// renderR writes a script for R that recomputes the headline numbers with R's own functions (t.test, median, p.adjust …)
// and fails when one differs from the report by more than 1e-9. It holds the figures of the trials; given a result file as
// its argument it reads them from there instead. It needs nothing but base R.
func renderR(w io.Writer, r *Report, _ Options) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Recomputes the numbers of %q with R, and stops with an error if one differs.\n", clean(r.title()))
	b.WriteString("# Rscript THIS              from the figures below\n# Rscript THIS RESULT.jsonl from the trials of the result file\n")
	if r.PlanSHA256 != "" {
		fmt.Fprintf(&b, "# plan %s\n", r.PlanSHA256)
	}
	fmt.Fprintf(&b, "\nalpha <- %s\nmargin <- %s\nmetric <- %s\n\n", rNumber(r.Design.Alpha), rNumber(r.Design.Margin), rString(r.Design.Metric))
	b.WriteString(scriptFunctions)
	b.WriteString("\ntargets <- list()\n")
	for i, t := range r.Targets {
		if err := rTarget(&b, i+1, t); err != nil {
			return err
		}
	}
	index := map[string]int{}
	for i, t := range r.Targets {
		index[t.Name] = i + 1
	}
	primary := r.primary()
	for _, c := range primary {
		rComparison(&b, c, index[c.Baseline], index[c.Candidate], len(primary))
	}
	rHolm(&b, primary)
	b.WriteString("\ncat(sprintf(\"\\n%d numbers compared, %d differ\\n\", compared, differing))\nif (differing > 0) quit(status = 1)\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func rTarget(b *strings.Builder, i int, t Target) error {
	name, err := json.Marshal(t.Name)
	if err != nil {
		return err
	}
	m := t.deciding()
	trials := make([]float64, len(m.TrialNumbers))
	blocks := make([]float64, len(m.TrialNumbers))
	restarts := make([]float64, len(m.TrialNumbers)) // NA: every trial is a replicate
	for j, n := range m.TrialNumbers {
		trials[j], blocks[j] = float64(n), math.NaN()
		if j < len(m.Blocks) && m.Blocks[j] > 0 {
			blocks[j] = float64(m.Blocks[j])
		}
		restarts[j] = math.NaN()
		if j < len(m.Restarts) {
			restarts[j] = float64(m.Restarts[j])
		}
	}
	fmt.Fprintf(b, "\ntargets[[%d]] <- list(name = %s, trials = trials(%s, %s,\n  trial = %s,\n  block = %s,\n  restart = %s,\n  value = %s))\n",
		i, rString(t.Name), rString(t.Name), rString(string(name)), rVector(trials), rVector(blocks), rVector(restarts), rVector(m.Values))
	low, high := math.NaN(), math.NaN()
	if m.CI != nil {
		low, high = m.CI.Low, m.CI.High
	}
	fmt.Fprintf(b, "check_target(targets[[%d]]$name, targets[[%d]]$trials, n = %d, mean = %s, sd = %s, median = %s, geomean = %s, low = %s, high = %s)\n",
		i, i, m.N, rPointer(m.Mean), rPointer(m.SD), rPointer(m.Median), rPointer(m.Geomean), rNumber(low), rNumber(high))
	return nil
}

func rComparison(b *strings.Builder, c Comparison, baseline, candidate, family int) {
	test := func(t *TTest) string {
		if t == nil {
			return rVector([]float64{math.NaN(), math.NaN(), math.NaN()})
		}
		return rVector([]float64{t.T, t.DF, t.P})
	}
	ends := func(ci *CI) string {
		if ci == nil {
			return rVector([]float64{math.NaN(), math.NaN()})
		}
		return rVector([]float64{ci.Low, ci.High})
	}
	ratio, ratioCI, tost, ci90 := "NA", ends(nil), ends(nil), ends(nil)
	if c.Ratio != nil {
		ratio, ratioCI = rNumber(c.Ratio.Value), ends(c.Ratio.CI)
	}
	if e := c.Equivalence; e != nil {
		tost, ci90 = rVector([]float64{e.PLower, e.PUpper}), ends(e.CI90)
	}
	verdict := rString(c.Verdict)
	if len(c.CappedBy) > 0 || c.DecidedBy == decidedNone {
		verdict = "NA"
	}
	fmt.Fprintf(b, "\ncheck_comparison(targets[[%d]], targets[[%d]], decided_by = %s, verdict = %s, better = %s, resolution = %s, m = %d,\n",
		baseline, candidate, rString(c.DecidedBy), verdict, rString(c.Better), rNumber(c.Resolution), family)
	fmt.Fprintf(b, "  welch = %s,\n  log_welch = %s,\n  paired = %s,\n  ratio = %s, ci = %s,\n  tost = %s, ci90 = %s)\n",
		test(c.Welch), test(c.LogWelch), test(c.Paired), ratio, ratioCI, tost, ci90)
}

// rHolm compares the adjusted p-values of a family. A comparison without a test counts as p = 1.
func rHolm(b *strings.Builder, primary []Comparison) {
	if len(primary) < 2 {
		return
	}
	p, holm := make([]float64, len(primary)), make([]float64, len(primary))
	for i, c := range primary {
		p[i], holm[i] = 1, math.NaN()
		if t := c.decider(); t != nil {
			p[i] = t.P
		}
		if c.HolmP != nil {
			holm[i] = *c.HolmP
		}
	}
	fmt.Fprintf(b, "\ncat(\"\\nfamily\\n\")\ncheck_holm(%s, %s)\n", rVector(p), rVector(holm))
}

func rVector(x []float64) string {
	parts := make([]string, len(x))
	for i, v := range x {
		parts[i] = rNumber(v)
	}
	return "c(" + strings.Join(parts, ", ") + ")"
}

func rPointer(x *float64) string {
	if x == nil {
		return "NA"
	}
	return rNumber(*x)
}

// rNumber is NA where a number does not exist.
func rNumber(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "NA"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// rString quotes a text for R in ASCII, whatever the locale that reads it.
func rString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, "\\%03o", r)
		case r < 0x7f:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "\\U{%x}", r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

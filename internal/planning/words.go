package planning

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// missing stands for a number that does not exist.
const missing = "-"

func (p *Plan) heading() string {
	return fmt.Sprintf("plan: power %s, alpha %g, margin %s", percent(p.Power), p.Alpha, percent(p.Margin))
}

// sentences are what is said before the table.
func (p *Plan) sentences() []string {
	var out []string
	if p.Spread != nil {
		out = append(out, p.spreadSentence())
	}
	if d := p.Difference; d != nil {
		out = append(out, fmt.Sprintf("A difference of %s is found by %s.", percent(d.Effect), p.sizesText(d)))
	}
	if e := p.Equivalence; e != nil {
		out = append(out, fmt.Sprintf("Equal targets are called equivalent within %s by %s.", percent(e.Effect), p.sizesText(e)))
	}
	if r := p.Resolution; r != nil {
		out = append(out, p.resolutionSentence(r))
	}
	if r := p.Restarts; r != nil {
		out = append(out, r.sentence())
	}
	return out
}

func (p *Plan) sizesText(s *Sizes) string {
	return fmt.Sprintf("%s per target measured apart (Welch's t), or %s of both targets (paired t)",
		count(s.Apart, p.units()), count(s.Blocked, p.blocks()))
}

func (p *Plan) units() string { return p.Unit + "s" }

// blocks is what pairs are called.
func (p *Plan) blocks() string {
	if p.Unit == "restart" {
		return "rounds of restarts"
	}
	return "blocks"
}

func (p *Plan) spreadSentence() string {
	s := p.Spread
	if s.Source == "given" {
		text := fmt.Sprintf("CV of trials %s (given).", percent(s.Trial.CV))
		if s.Ratio.Assumed {
			return text + " " + assumedText(s.Ratio)
		}
		return text + fmt.Sprintf(" CV of block ratios %s (given).", percent(s.Ratio.CV))
	}
	parts := make([]string, len(s.Targets))
	for i, t := range s.Targets {
		parts[i] = fmt.Sprintf("%s %s (n = %d)", clean(t.Name), percent(t.CV), t.N)
	}
	text := fmt.Sprintf("Pilot %s: CV of %s %s; %s.", clean(s.Source), p.units(), strings.Join(parts, ", "), s.Trial.upperText())
	if s.Ratio.Assumed {
		text += " " + assumedText(s.Ratio)
	} else {
		text += fmt.Sprintf(" CV of the ratios within %s %s (n = %d); %s.", p.blocks(), percent(s.Ratio.CV), *s.Ratio.N, s.Ratio.upperText())
	}
	return text + " The plan uses the upper limits: a pilot's own CV is too small in half of all cases."
}

func (s SD) upperText() string {
	if s.Upper == nil {
		return "it has no upper limit"
	}
	return "upper 90 % limit " + percent(*s.Upper)
}

func assumedText(s SD) string {
	return fmt.Sprintf("CV of block ratios %s (assumed: √2 times that, as if the trials of a block had nothing in common; blocks do better where the machine drifts).", percent(s.CV))
}

func (p *Plan) resolutionSentence(r *Resolution) string {
	head := fmt.Sprintf("%d %s per target, or %d %s: ", r.Trials, p.units(), r.Trials, p.blocks())
	if r.Difference == nil {
		return head + fmt.Sprintf("the smallest difference found is %s times the CV of %s measured apart, %s times the CV of the ratios within blocks; the smallest margin of equivalence %s and %s times.",
			multiple(r.DifferenceInCV.Apart), p.units(), multiple(r.DifferenceInCV.Blocked), multiple(r.EquivalenceInCV.Apart), multiple(r.EquivalenceInCV.Blocked))
	}
	return head + fmt.Sprintf("the smallest difference found is %s apart, %s in blocks; the smallest margin of equivalence %s apart, %s in blocks.",
		share(r.Difference.Apart), share(r.Difference.Blocked), share(r.Equivalence.Apart), share(r.Equivalence.Blocked))
}

func (r *Restarts) sentence() string {
	text := fmt.Sprintf("Over %d restarts of %d trials the CV is %s between restarts and %s within one.", r.Restarts, r.Trials, percent(r.CVBetween), percent(r.CVWithin))
	switch {
	case r.CVBetween == 0:
		return text + " Restarts do not vary beyond their trials here, so no number of trials per restart is the best."
	case r.RestartCost == nil:
		return text + " Give --restart-cost for the best number of trials per restart."
	case r.OptimalTrials == nil:
		return text
	}
	from := "given"
	if r.TrialCostMeasured {
		from = "measured"
	}
	return text + fmt.Sprintf(" At %s a restart and %s a trial (%s) the best is %d per restart; from few restarts that is a guess.",
		seconds(*r.RestartCost), seconds(*r.TrialCost), from, *r.OptimalTrials)
}

// cells is the table.
func (p *Plan) cells() (head []string, rows [][]string) {
	head = []string{"effect"}
	if p.Spread != nil {
		head = append(head, "differ: apart", "blocks", "equivalent: apart", "blocks")
	}
	if p.Resolution != nil {
		head = append(head, "CV: apart", "ratio")
	}
	for _, r := range p.Table {
		row := []string{percent(r.Effect)}
		for _, s := range []*Sizes{r.Difference, r.Equivalence} {
			if s != nil {
				row = append(row, number(s.Apart), number(s.Blocked))
			}
		}
		if r.LargestCV != nil {
			row = append(row, share(r.LargestCV.Apart), share(r.LargestCV.Blocked))
		}
		rows = append(rows, row)
	}
	return head, rows
}

// legend explains the table.
func (p *Plan) legend() string {
	var parts []string
	if p.Spread != nil {
		parts = append(parts, fmt.Sprintf("differ: %s per target, measured apart or in %s, that find a difference of this size with probability %s; equivalent: that call equal targets equivalent within it.",
			p.units(), p.blocks(), percent(p.Power)))
	}
	if p.Resolution != nil {
		parts = append(parts, fmt.Sprintf("CV: the largest CV, of %s measured apart and of the ratios within blocks, at which %d find the difference.", p.units(), p.Resolution.Trials))
	}
	return strings.Join(parts, " ")
}

func count(n *int, what string) string {
	if n == nil {
		return "no practical number of " + what
	}
	return fmt.Sprintf("%d %s", *n, what)
}

func number(n *int) string {
	if n == nil {
		return missing
	}
	return strconv.Itoa(*n)
}

func multiple(v *float64) string {
	if v == nil {
		return missing
	}
	return strconv.FormatFloat(*v, 'f', 2, 64)
}

func share(v *float64) string {
	if v == nil {
		return missing
	}
	return percent(*v)
}

// percent shows a share to three significant digits.
func percent(v float64) string {
	v *= 100
	if v == 0 {
		return "0 %"
	}
	decimals := max(0, 2-int(math.Floor(math.Log10(math.Abs(v)))))
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text + " %"
}

func seconds(v float64) string {
	return time.Duration(v * float64(time.Second)).Round(time.Millisecond).String()
}

// clean keeps control characters of a name off the terminal.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return '?'
		}
		return r
	}, s)
}

package report

import (
	"fmt"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

// skippedPrefix begins the reason of a trial that was never started.
const skippedPrefix = "skipped:"

// compareAborts compares how often the trials of two targets were given up: a target that does not survive the load is
// worse in a way that no rate of its other trials shows. Nil when none was given up.
func compareAborts(base, cand *arm) *Aborts {
	b, c := base.outcomes(), cand.outcomes()
	if b.Aborted+c.Aborted == 0 {
		return nil
	}
	out := &Aborts{Baseline: b, Candidate: c}
	if p, err := analysis.FisherExact(c.Aborted, c.Completed, b.Aborted, b.Completed); err == nil {
		out.FisherP = number(p.P)
	}
	return out
}

// outcomes counts the trials that were started and ended by themselves.
func (a *arm) outcomes() Outcomes {
	var o Outcomes
	for _, t := range a.trials {
		switch {
		case t.Interrupted, strings.HasPrefix(t.InvalidBecause, skippedPrefix):
		case t.Aborted:
			o.Aborted++
		case t.Truncated && t.RPS == nil: // how it ended is not known
		default:
			o.Completed++
		}
	}
	return o
}

// abortsText is the comparison in words.
func (c *contest) abortsText() string {
	a := c.out.Aborts
	if a == nil {
		return ""
	}
	text := fmt.Sprintf(" %s aborted %s against %s of %s", c.out.Candidate, a.Candidate, a.Baseline, c.out.Baseline)
	if a.FisherP != nil {
		text += " (Fisher's exact test " + pText(*a.FisherP) + ")"
	}
	return text + "."
}

// String is "3 of 3".
func (o Outcomes) String() string { return fmt.Sprintf("%d of %d", o.Aborted, o.Aborted+o.Completed) }

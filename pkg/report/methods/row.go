package methods

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

// Row is one method and what it found. Numbers that do not exist are nil.
type Row struct {
	Method   string    `json:"method"`
	Of       string    `json:"of"` // what Estimate is: "mean", "ratio", "U", …
	N        int       `json:"n"`  // trials, pairs or restarts that it rests on
	Estimate *float64  `json:"estimate"`
	CI       *Interval `json:"ci"`
	P        *float64  `json:"p"` // two-sided unless the note says otherwise
	Note     string    `json:"note,omitempty"`
}

// Interval is a confidence interval of Estimate.
type Interval struct {
	Level float64 `json:"level"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// table collects rows.
type table struct {
	n    int
	rows []Row
}

// add appends a method with its numbers; a NaN is a number that does not exist.
func (t *table) add(method, of string, estimate float64, ci analysis.Interval, p float64, err error, note string) {
	r := Row{Method: method, Of: of, N: t.n, Note: note}
	if err != nil {
		r.Note = err.Error()
	} else {
		r.Estimate, r.P = number(estimate), number(p)
		if number(ci.Low) != nil && number(ci.High) != nil && ci.Level > 0 {
			r.CI = &Interval{ci.Level, ci.Low, ci.High}
			if ci.Low == ci.High {
				r.Note = "the figures do not vary: an interval of no width is not certainty"
			}
		}
	}
	if r.Estimate == nil && err == nil {
		r.Note = fmt.Sprintf("not defined for these %d trials", t.n)
	}
	t.rows = append(t.rows, r)
}

var none = analysis.Interval{Low: math.NaN(), High: math.NaN()}

func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return new(x)
}

// exp turns an interval of logarithms into one of ratios.
func exp(ci analysis.Interval) analysis.Interval {
	return analysis.Interval{Level: ci.Level, Low: math.Exp(ci.Low), High: math.Exp(ci.High)}
}

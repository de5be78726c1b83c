package sim

import (
	"math"
	"strconv"
	"strings"
)

// publishedReplicates is the number of replicates assumed behind a reference value: the least that its source used for
// a rate.
const publishedReplicates = 1500

// Cell is one number of a table: the mean of one output of a simulation.
type Cell struct {
	Row, Column string
	Reference   string  // value to reproduce, as printed; empty when there is none
	Limit       float64 // the mean must not exceed it by 3 standard errors; 0 when there is no limit
	Exact       bool    // the reference is a computed probability, without an error of simulation
	Quantity    bool    // the output is a number (blocks), not 0 or 1
}

// Result is a cell with what the simulation found.
type Result struct {
	Cell
	Mean       float64
	SE         float64 // standard error of Mean
	Replicates int     // those that counted; a replicate may abstain
	Miss       string  // why the cell fails; empty when it does not
}

// sums gathers one output over replicates.
type sums struct {
	n       int
	sum, sq float64
}

func (s *sums) add(v float64) {
	if math.IsNaN(v) {
		return
	}
	s.n++
	s.sum += v
	s.sq += v * v
}

func (s *sums) merge(o sums) {
	s.n += o.n
	s.sum += o.sum
	s.sq += o.sq
}

// deviation is the sd of one output. A rate is pulled towards one half by one success and one failure, so that none out
// of n does not pass for a certainty.
func (s *sums) deviation(quantity bool) float64 {
	n := float64(s.n)
	if quantity {
		return math.Sqrt(max(0, s.sq-s.sum*s.sum/n) / max(1, n-1))
	}
	p := (s.sum + 1) / (n + 2)
	return math.Sqrt(p * (1 - p))
}

// judge turns the sums into a result: within 4 standard errors of the reference, those of both simulations and half a
// unit of its last digit counted, and not above the limit by more than 3 standard errors.
func judge(c Cell, s sums) Result {
	r := Result{Cell: c, Replicates: s.n, Mean: math.NaN(), SE: math.NaN()}
	if s.n == 0 {
		r.Miss = "no replicate counted"
		return r
	}
	n, sd := float64(s.n), s.deviation(c.Quantity)
	r.Mean, r.SE = s.sum/n, sd/math.Sqrt(n)
	if c.Reference != "" {
		ref, half := parseReference(c.Reference)
		published := sd / math.Sqrt(publishedReplicates)
		if c.Exact {
			published = 0
		}
		allowed := 4*math.Hypot(r.SE, published) + half
		if !(math.Abs(r.Mean-ref) <= allowed) {
			r.Miss = "differs from the reference by more than " + strconv.FormatFloat(allowed, 'f', 4, 64)
		}
	}
	if c.Limit > 0 {
		if limit := c.Limit + 3*math.Sqrt(c.Limit*(1-c.Limit)/n); !(r.Mean <= limit) {
			r.Miss = "exceeds the limit " + strconv.FormatFloat(limit, 'f', 4, 64)
		}
	}
	return r
}

// parseReference returns the value of a printed number and half a unit of its last digit.
func parseReference(s string) (value, half float64) {
	value, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return math.NaN(), math.NaN()
	}
	digits := 0
	if _, frac, ok := strings.Cut(s, "."); ok {
		digits = len(frac)
	}
	return value, .5 * math.Pow(10, -float64(digits))
}

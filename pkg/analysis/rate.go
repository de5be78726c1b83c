package analysis

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// MeanRates are the three means of a target's rates; which of them is printed must be said.
type MeanRates struct {
	Arithmetic float64 // mean of the trials' rates, the headline
	Total      float64 // all requests over all seconds
	Geometric  float64 // exp of the mean log rate, the one that ratios use; NaN if a trial completed nothing
}

// TotalRate is Σ requests / Σ seconds, the rate of all trials run together as one.
//
// It is the harmonic mean of the trials' rates when every trial has the same number of requests, and their arithmetic
// mean when every trial has the same length. A slow trial of fixed requests lasts longer and so counts more here than
// in the arithmetic mean; the gap is about the squared CV. Errors: ErrEmpty, ErrLengthMismatch, ErrNonFinite,
// ErrBadParam for negative requests, ErrNonPositive for seconds <= 0. Inputs are not modified.
func TotalRate(requests, seconds []float64) (float64, error) {
	r, err := MeanRate(requests, seconds)
	return r.Total, err
}

// MeanRate computes the three means of the rates requests[i]/seconds[i]. Errors as TotalRate.
func MeanRate(requests, seconds []float64) (MeanRates, error) {
	nan := math.NaN()
	out := MeanRates{nan, nan, nan}
	if len(requests) != len(seconds) {
		return out, fmt.Errorf("%d counts and %d durations: %w", len(requests), len(seconds), ErrLengthMismatch)
	}
	for _, s := range [][]float64{requests, seconds} {
		if err := num.CheckFinite(s, 1); err != nil {
			return out, err
		}
	}
	rates := make([]float64, len(requests))
	count, time := 0.0, 0.0
	for i, s := range seconds {
		if s <= 0 {
			return out, fmt.Errorf("duration %d is %v seconds: %w", i+1, s, ErrNonPositive)
		}
		if requests[i] < 0 {
			return out, fmt.Errorf("count %d is %v requests: %w", i+1, requests[i], ErrBadParam)
		}
		rates[i] = requests[i] / s
		count += requests[i]
		time += s
	}
	out.Total = count / time
	out.Arithmetic, _ = num.MeanVar(rates)
	if l, err := num.Logs(rates); err == nil {
		m, _ := num.MeanVar(l)
		out.Geometric = math.Exp(m)
	}
	return out, nil
}

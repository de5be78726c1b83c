package analysis

import (
	"errors"
	"fmt"
	"math"
)

// Errors returned by this package, wrapped with detail; test for them with errors.Is.
var (
	// ErrEmpty reports a sample without values.
	ErrEmpty = errors.New("empty sample")
	// ErrNonFinite reports NaN or an infinity in the input.
	ErrNonFinite = errors.New("non-finite value")
	// ErrTooFew reports a sample too small for the method.
	ErrTooFew = errors.New("too few values")
	// ErrZeroVariance reports that a scale is needed and the sample has none.
	ErrZeroVariance = errors.New("zero variance")
	// ErrNonPositive reports a value <= 0 where a logarithm is needed.
	ErrNonPositive = errors.New("non-positive value")
	// ErrLengthMismatch reports paired samples of different lengths.
	ErrLengthMismatch = errors.New("lengths differ")
	// ErrBadParam reports a parameter outside its range.
	ErrBadParam = errors.New("bad parameter")
)

// checkFinite demands at least minN values, all of them finite.
func checkFinite(x []float64, minN int) error {
	if len(x) == 0 {
		return ErrEmpty
	}
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("value %d is %v: %w", i+1, v, ErrNonFinite)
		}
	}
	if len(x) < minN {
		return fmt.Errorf("need %d values, have %d: %w", minN, len(x), ErrTooFew)
	}
	return nil
}

// checkUnit demands 0 < v < 1.
func checkUnit(name string, v float64) error {
	if !(v > 0 && v < 1) {
		return fmt.Errorf("%s %v is not between 0 and 1: %w", name, v, ErrBadParam)
	}
	return nil
}

// logs returns the natural logarithms of x, which must all be finite and positive.
func logs(x []float64) ([]float64, error) {
	if err := checkFinite(x, 1); err != nil {
		return nil, err
	}
	out := make([]float64, len(x))
	for i, v := range x {
		if v <= 0 {
			return nil, fmt.Errorf("value %d is %v: %w", i+1, v, ErrNonPositive)
		}
		out[i] = math.Log(v)
	}
	return out, nil
}

package num

import (
	"errors"
	"fmt"
	"math"
)

// The errors of the statistics; package analysis exports and documents them.
var (
	ErrEmpty           = errors.New("empty sample")
	ErrNonFinite       = errors.New("non-finite value")
	ErrTooFew          = errors.New("too few values")
	ErrZeroVariance    = errors.New("zero variance")
	ErrNonPositive     = errors.New("non-positive value")
	ErrLengthMismatch  = errors.New("lengths differ")
	ErrBadParam        = errors.New("bad parameter")
	ErrZeroDenominator = errors.New("zero denominator")
	ErrNotEstimable    = errors.New("not estimable")
	ErrUnbalanced      = errors.New("unbalanced design")
	ErrOutOfRange      = errors.New("out of range")
)

// CheckFinite demands at least minN values, all of them finite.
func CheckFinite(x []float64, minN int) error {
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

// CheckUnit demands 0 < v < 1.
func CheckUnit(name string, v float64) error {
	if !(v > 0 && v < 1) {
		return fmt.Errorf("%s %v is not between 0 and 1: %w", name, v, ErrBadParam)
	}
	return nil
}

// Logs returns the natural logarithms of x, which must all be finite and positive.
func Logs(x []float64) ([]float64, error) {
	if err := CheckFinite(x, 1); err != nil {
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

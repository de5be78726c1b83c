package analysis

import "github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"

// Errors returned by this package and its sub-packages, wrapped with detail; test for them with errors.Is.
var (
	// ErrEmpty reports a sample without values.
	ErrEmpty = num.ErrEmpty
	// ErrNonFinite reports NaN or an infinity in the input.
	ErrNonFinite = num.ErrNonFinite
	// ErrTooFew reports a sample too small for the method.
	ErrTooFew = num.ErrTooFew
	// ErrZeroVariance reports that a scale is needed and the sample has none.
	ErrZeroVariance = num.ErrZeroVariance
	// ErrNonPositive reports a value <= 0 where a logarithm is needed.
	ErrNonPositive = num.ErrNonPositive
	// ErrLengthMismatch reports paired samples of different lengths.
	ErrLengthMismatch = num.ErrLengthMismatch
	// ErrBadParam reports a parameter outside its range.
	ErrBadParam = num.ErrBadParam
	// ErrZeroDenominator reports a ratio to a mean of 0.
	ErrZeroDenominator = num.ErrZeroDenominator
	// ErrNotEstimable reports a contrast that the design cannot estimate, such as a treatment that never occurs.
	ErrNotEstimable = num.ErrNotEstimable
	// ErrUnbalanced reports groups of different sizes where the method needs equal ones.
	ErrUnbalanced = num.ErrUnbalanced
	// ErrOutOfRange reports a value outside the range that the method can represent.
	ErrOutOfRange = num.ErrOutOfRange
)

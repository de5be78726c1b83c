package percentile

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// mostDigits bounds the work a percentile's text can cause.
const mostDigits = 40

var (
	hundred = big.NewRat(100, 1)
	half    = big.NewRat(1, 2)
)

// parse reads a percentile: digits with at most one decimal point, from 0 to 100.
func parse(p string) (*big.Rat, error) {
	digits := strings.Replace(p, ".", "", 1)
	if digits == "" || len(digits) > mostDigits || strings.Trim(digits, "0123456789") != "" {
		return nil, fmt.Errorf("percentile %q is not a plain decimal such as 99.9: %w", p, num.ErrBadParam)
	}
	r, ok := new(big.Rat).SetString(p)
	if !ok {
		return nil, fmt.Errorf("percentile %q is not a plain decimal such as 99.9: %w", p, num.ErrBadParam)
	}
	if r.Cmp(hundred) > 0 {
		return nil, fmt.Errorf("percentile %q is above 100: %w", p, num.ErrBadParam)
	}
	return r, nil
}

// times is p·n/100 exactly.
func times(p *big.Rat, n int64) *big.Rat {
	r := new(big.Rat).Mul(p, new(big.Rat).SetInt64(n))
	return r.Quo(r, hundred)
}

// floor rounds a rational that is not negative down.
func floor(r *big.Rat) int64 { return new(big.Int).Quo(r.Num(), r.Denom()).Int64() }

// ceil rounds a rational that is not negative up.
func ceil(r *big.Rat) int64 {
	f := floor(r)
	if !r.IsInt() {
		f++
	}
	return f
}

// Rank is the 1-based nearest rank of percentile p among n values: max(1, ceil(p·n/100)), computed exactly from the
// decimal text of p. It is the rank of R's quantile(x, p/100, type=1), which loses a rank to rounding now and then.
//
// Errors: ErrEmpty for n < 1; ErrBadParam unless p is a plain decimal from 0 to 100.
func Rank(p string, n int64) (int64, error) {
	r, err := parse(p)
	if err != nil {
		return 0, err
	}
	if n < 1 {
		return 0, fmt.Errorf("rank percentile %s: %w", p, num.ErrEmpty)
	}
	return max(1, ceil(times(r, n))), nil
}

// NearestRank returns the smallest value of x that at least p per cent of the values do not exceed, and its 1-based rank.
//
// rank = max(1, ceil(p·n/100)) with p the exact decimal of the text (Hyndman & Fan 1996, definition 1). It must agree with
// R's quantile(x, p/100, type=1) up to the rounding of p/100·n there. The result is always a value that occurred; unit:
// that of x. "0" gives the least, "100" the greatest. For n below 100/(100−p) a high percentile is merely the maximum: see
// Needed. One value is every percentile; ties count as often as they occur.
//
// Errors: ErrEmpty, ErrNonFinite; ErrBadParam unless p is a plain decimal from 0 to 100. x is not modified. O(n log n).
func NearestRank(x []float64, p string) (value float64, rank int, err error) {
	if err := num.CheckFinite(x, 1); err != nil {
		return 0, 0, fmt.Errorf("find percentile %s: %w", p, err)
	}
	r, err := Rank(p, int64(len(x)))
	if err != nil {
		return 0, 0, err
	}
	return num.Sorted(x)[r-1], int(r), nil
}

// Needed is the number of requests per trial that percentile p needs: ceil(10/(1 − p/100)), so that about ten requests
// lie above it. The median needs 20, p99 1000, p99.9 10 000. With fewer the percentile should be printed as "n/a": it
// rests on a handful of requests, and its sampling error is that of an extreme.
//
// Exact in p. The rule is meant for p of 50 and more. Errors: ErrBadParam unless p is a plain decimal from 0 to below
// 100: the maximum has no sampling error to speak of, no number of requests is enough for it; also when the number is
// beyond 10¹⁸.
func Needed(p string) (int64, error) {
	r, err := parse(p)
	if err != nil {
		return 0, err
	}
	above := new(big.Rat).Sub(hundred, r)
	if above.Sign() == 0 {
		return 0, fmt.Errorf("percentile %s needs endless requests: %w", p, num.ErrBadParam)
	}
	n := new(big.Rat).Quo(big.NewRat(1000, 1), above)
	if n.Cmp(big.NewRat(1e18, 1)) > 0 {
		return 0, fmt.Errorf("percentile %s needs more than 1e18 requests: %w", p, num.ErrBadParam)
	}
	return ceil(n), nil
}

// Enough reports whether requests per trial suffice for percentile p by the rule of Needed. Errors as Needed.
func Enough(p string, requests int64) (bool, error) {
	n, err := Needed(p)
	return err == nil && requests >= n, err
}

package percentile

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// Bucket is a bucket of an HdrHistogram: all whole values from Low to High are counted together.
type Bucket struct{ Low, High, Size int64 }

// HDRPercentile is one percentile of HDRBounds.
type HDRPercentile struct {
	P           string
	Rank        int64  // nearest rank
	Exact       int64  // the value of that rank
	Bucket      Bucket // its bucket
	HalfUpRank  int64  // max(1, floor(p·n/100 + ½))
	HalfUpValue int64  // what a histogram with that rule reports
}

// HDRResult is the outcome of HDRBounds.
type HDRResult struct {
	SubBuckets    int64 // 2048 for 3 digits
	Percentiles   []HDRPercentile
	ExactMean     float64
	HistogramMean float64 // from the middles of the buckets
}

// subBuckets is the least power of two that is at least 2·10^digits.
func subBuckets(digits int) (int64, error) {
	if digits < 1 || digits > 5 {
		return 0, fmt.Errorf("%d significant digits, want 1 to 5: %w", digits, num.ErrBadParam)
	}
	want := uint64(2)
	for range digits {
		want *= 10
	}
	return 1 << bits.Len64(want-1), nil
}

// HDRBucket returns the bucket of v in an HdrHistogram with lowest discernible value 1 and the given significant digits
// (1 to 5; 3 is usual).
//
// Values below the sub-bucket count (2048 for 3 digits) have a bucket of their own; above it the size doubles with each
// doubling of the value, so that the bucket is never wider than 10^−digits of its values (Tene 2012, HdrHistogram). It
// must agree with hdrhistogram-go's ValuesAreEquivalent. Errors: ErrBadParam for other digits; ErrOutOfRange for v < 0.
func HDRBucket(v int64, digits int) (Bucket, error) {
	sub, err := subBuckets(digits)
	if err != nil {
		return Bucket{}, err
	}
	if v < 0 {
		return Bucket{}, fmt.Errorf("value %d is negative: %w", v, num.ErrOutOfRange)
	}
	shift := bits.Len64(uint64(v)|uint64(sub-1)) - bits.Len64(uint64(sub-1))
	low := v >> shift << shift
	size := int64(1) << shift
	return Bucket{Low: low, High: low + (size - 1), Size: size}, nil
}

// HDRBounds says what an HdrHistogram that recorded values would report for each percentile, and how far that can be off.
//
// The histogram has lowest discernible value 1, the given greatest trackable value and significant digits. Values are in
// whole units of the recorder, usually µs. Exact is the nearest-rank percentile of the values themselves (see
// NearestRank); a histogram with that rule reports Bucket.High, at percentile 0 Bucket.Low, which is off by at most
// Exact·10^−digits. HalfUpValue is the rule of hdrhistogram-go v1.4.0, rank floor(p·n/100 + ½): at small n another value,
// for n = 10 and p = 91 the ninth and not the tenth. Ties count as often as they occur; one value is every percentile.
//
// HistogramMean takes every value for the middle of its bucket, as hdrhistogram-go's Mean does. Errors: ErrEmpty;
// ErrOutOfRange for a value below 0 or above highest; ErrBadParam for digits outside 1 to 5, highest below 2 or a
// percentile that is no plain decimal from 0 to 100. values is not modified. O(n log n).
func HDRBounds(values []int64, percentiles []string, highest int64, digits int) (HDRResult, error) {
	sub, err := subBuckets(digits)
	if err != nil {
		return HDRResult{}, fmt.Errorf("bound percentiles: %w", err)
	}
	if highest < 2 {
		return HDRResult{}, fmt.Errorf("bound percentiles: greatest value %d: %w", highest, num.ErrBadParam)
	}
	if len(values) == 0 {
		return HDRResult{}, fmt.Errorf("bound percentiles: %w", num.ErrEmpty)
	}
	s := slices.Sorted(slices.Values(values))
	if s[0] < 0 || s[len(s)-1] > highest {
		return HDRResult{}, fmt.Errorf("bound percentiles: values %d to %d reach outside 0 to %d: %w", s[0], s[len(s)-1], highest, num.ErrOutOfRange)
	}
	r := HDRResult{SubBuckets: sub}
	n := float64(len(s))
	for _, v := range s {
		b, err := HDRBucket(v, digits)
		if err != nil {
			return HDRResult{}, err
		}
		r.ExactMean += float64(v) / n
		r.HistogramMean += float64(b.Low+b.Size/2) / n
	}
	for _, p := range percentiles {
		one, err := hdrPercentile(s, p, digits)
		if err != nil {
			return HDRResult{}, fmt.Errorf("bound percentiles: %w", err)
		}
		r.Percentiles = append(r.Percentiles, one)
	}
	return r, nil
}

func hdrPercentile(s []int64, p string, digits int) (HDRPercentile, error) {
	exact, err := parse(p)
	if err != nil {
		return HDRPercentile{}, err
	}
	at := times(exact, int64(len(s)))
	r := HDRPercentile{P: p, Rank: max(1, ceil(at)), HalfUpRank: max(1, floor(new(big.Rat).Add(at, half)))}
	r.Exact = s[r.Rank-1]
	if r.Bucket, err = HDRBucket(r.Exact, digits); err != nil {
		return HDRPercentile{}, err
	}
	b, err := HDRBucket(s[r.HalfUpRank-1], digits)
	r.HalfUpValue = b.High
	if exact.Sign() == 0 {
		r.HalfUpValue = b.Low
	}
	return r, err
}

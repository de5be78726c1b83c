package result

import (
	"errors"
	"fmt"
	"math"
)

// Histogram is a distribution of durations in the form of the result file: counts by upper bound of an
// HdrHistogram bucket (Digits significant digits), with the exact extremes and sum. Unit is "ns".
type Histogram struct {
	Unit   string     `json:"unit"`
	Digits int        `json:"digits"`
	Min    int64      `json:"min"`
	Max    int64      `json:"max"`
	Sum    int64      `json:"sum"`
	Counts [][2]int64 `json:"counts"` // [upper bound, count], bounds ascending, counts > 0
}

// NewHistogram makes a histogram in nanoseconds from buckets [upper bound, count] and the exact extremes and sum of
// the values. The buckets are kept, not copied. It fails as Validate does.
func NewHistogram(digits int, lowest, highest, sum int64, counts [][2]int64) (*Histogram, error) {
	h := &Histogram{Unit: "ns", Digits: digits, Min: lowest, Max: highest, Sum: sum, Counts: counts}
	if err := h.Validate(); err != nil {
		return nil, err
	}
	return h, nil
}

// Validate reports the first thing that makes h unusable: a unit other than "ns", bounds that are negative or do not
// ascend, a count that is not positive, a total beyond int64, or a minimum above the maximum.
func (h *Histogram) Validate() error {
	if h.Unit != "ns" {
		return fmt.Errorf("read histogram: unit %q is not \"ns\"", h.Unit)
	}
	if h.Min > h.Max {
		return fmt.Errorf("read histogram: min %d is above max %d", h.Min, h.Max)
	}
	last, n := int64(-1), int64(0)
	for i, c := range h.Counts {
		switch {
		case c[0] <= last:
			return fmt.Errorf("read histogram: bound %d of bucket %d is not above %d", c[0], i+1, last)
		case c[1] <= 0:
			return fmt.Errorf("read histogram: count %d of bucket %d is not positive", c[1], i+1)
		case c[1] > math.MaxInt64-n:
			return errors.New("read histogram: counts overflow")
		}
		last, n = c[0], n+c[1]
	}
	return nil
}

// N returns the number of values recorded.
func (h *Histogram) N() int64 {
	var n int64
	for _, c := range h.Counts {
		n += c[1]
	}
	return n
}

// Mean returns the arithmetic mean in nanoseconds, from the exact sum; NaN when nothing is recorded.
func (h *Histogram) Mean() float64 {
	n := h.N()
	if n == 0 {
		return math.NaN()
	}
	return float64(h.Sum) / float64(n)
}

// Quantile returns the p-quantile (0 ≤ p ≤ 1) in nanoseconds by nearest rank: the upper bound of the bucket that holds
// the ⌈p·n⌉-th smallest value (p = 0: the first), clamped to the exact extremes, so that it is never below the true
// value by construction and never outside [Min, Max]. With n values no p above 1 − 1/n says more than Max does.
// The second result is false when nothing is recorded or p is outside [0, 1].
func (h *Histogram) Quantile(p float64) (int64, bool) {
	n := h.N()
	if n == 0 || !(p >= 0 && p <= 1) {
		return 0, false
	}
	rank := nearestRank(p, n)
	var seen int64
	for _, c := range h.Counts {
		if seen += c[1]; seen >= rank {
			return max(h.Min, min(h.Max, c[0])), true
		}
	}
	return h.Max, true
}

// nearestRank is ⌈p·n⌉ within 1…n, where a product that only rounding lifted above an integer counts as that integer
// (0.07 · 100 is 7.000000000000001 in binary).
func nearestRank(p float64, n int64) int64 {
	x := p * float64(n)
	r := math.Ceil(x)
	if whole := math.Round(x); math.Abs(x-whole) <= 1e-12*math.Max(1, x) {
		r = whole
	}
	return max(1, min(n, int64(r)))
}

// Merge adds the values of o to h. Buckets with the same bound are added up and no count moves, so merging is exact,
// and its order does not matter. Digits becomes the smaller of the two. It fails, without changing h, when the units
// differ or the counts or sums overflow. o is not modified.
func (h *Histogram) Merge(o *Histogram) error {
	n := h.N()
	if err := h.mergeHead(o, n, o.N()); err != nil {
		return err
	}
	h.Counts = mergeCounts(make([][2]int64, 0, len(h.Counts)+len(o.Counts)), h.Counts, o.Counts)
	return nil
}

// mergeHead joins everything but the buckets; n and on are the numbers of values of h and o.
func (h *Histogram) mergeHead(o *Histogram, n, on int64) error {
	if h.Unit != o.Unit {
		return fmt.Errorf("merge histograms: unit %q is not %q", o.Unit, h.Unit)
	}
	if on > math.MaxInt64-n || o.Sum > 0 && h.Sum > math.MaxInt64-o.Sum {
		return errors.New("merge histograms: counts or sums overflow")
	}
	if on == 0 {
		return nil
	}
	if n == 0 {
		h.Min, h.Max, h.Sum = o.Min, o.Max, 0
	}
	h.Min, h.Max, h.Sum, h.Digits = min(h.Min, o.Min), max(h.Max, o.Max), h.Sum+o.Sum, min(h.Digits, o.Digits)
	return nil
}

// MergeHistograms returns the distribution over all of them, as merging one into the other does, with memory for a few of
// them only. It fails as Merge does, and without any. None is modified.
func MergeHistograms(all []*Histogram) (*Histogram, error) {
	if len(all) == 0 {
		return nil, errors.New("merge histograms: none given")
	}
	sum := *all[0]
	sum.Counts = append([][2]int64(nil), sum.Counts...)
	n := sum.N()
	var spare [][2]int64 // two lists take turns, so that nothing is allocated once they have grown
	for _, o := range all[1:] {
		on := o.N()
		if err := sum.mergeHead(o, n, on); err != nil {
			return nil, err
		}
		n += on
		spare, sum.Counts = sum.Counts, mergeCounts(spare[:0], sum.Counts, o.Counts)
	}
	return &sum, nil
}

// mergeCounts appends the merged lists, both ascending, to out.
func mergeCounts(out, a, b [][2]int64) [][2]int64 {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0][0] < b[0][0]:
			out, a = append(out, a[0]), a[1:]
		case a[0][0] > b[0][0]:
			out, b = append(out, b[0]), b[1:]
		default:
			out = append(out, [2]int64{a[0][0], a[0][1] + b[0][1]})
			a, b = a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

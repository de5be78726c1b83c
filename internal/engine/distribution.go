package engine

import (
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

const (
	histogramDigits  = 3
	histogramHighest = int64(time.Hour)
)

// distribution is a histogram of durations in ns with exact extremes and sum. A value that the histogram cannot hold
// is not lost: it is counted beyond it, and the exact maximum is its upper bound.
type distribution struct {
	h         *hdrhistogram.Histogram
	beyond    int64
	low, high int64
	sum       int64
}

func newDistribution() *distribution {
	return &distribution{h: hdrhistogram.New(1, histogramHighest, histogramDigits), low: math.MaxInt64}
}

func (d *distribution) add(v int64) {
	v = max(v, 0) // two readings of the monotonic clock; equal ones may be reused in either order
	d.low, d.high = min(d.low, v), max(d.high, v)
	d.sum += v
	if v > histogramHighest || d.h.RecordValue(v) != nil {
		d.beyond++
	}
}

func (d *distribution) merge(from *distribution) {
	if from == nil {
		return
	}
	d.beyond += from.beyond + d.h.Merge(from.h)
	d.low, d.high = min(d.low, from.low), max(d.high, from.high)
	d.sum += from.sum
}

// result is the distribution as it is recorded; nil when nothing was added.
func (d *distribution) result() *result.Histogram {
	if d == nil || d.low > d.high {
		return nil
	}
	r := &result.Histogram{Unit: "ns", Digits: histogramDigits, Min: d.low, Max: d.high, Sum: d.sum}
	for _, bar := range d.h.Distribution() {
		if bar.Count > 0 {
			r.Counts = append(r.Counts, [2]int64{bar.To, bar.Count})
		}
	}
	if d.beyond == 0 {
		return r
	}
	if last := len(r.Counts) - 1; last >= 0 && r.Counts[last][0] >= d.high { // the bucket that holds the hour itself
		r.Counts[last][1] += d.beyond
		return r
	}
	r.Counts = append(r.Counts, [2]int64{d.high, d.beyond})
	return r
}

package importer

import (
	"math"
	"math/bits"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// Buckets of three significant digits, as HdrHistogram makes them: up to 2047 ns every value has its own; above, each
// power of two is divided into 1024, so that a bucket is less than 0.1 % of its values wide.
const (
	latencyDigits = 3
	subBuckets    = 1024
)

// latencies are the requests of one trial as they are read. Its counts are kept by power of two, and only where there
// are any, so that a trial takes some tens of KiB however many requests it has.
type latencies struct {
	trial     result.Trial
	pages     [64][]uint32 // an input has far fewer than 2^32 lines
	low, high int64
	sum, n    int64
}

// add records one latency in nanoseconds, not negative. It is false when the sum would not fit.
func (l *latencies) add(ns int64) bool {
	if ns > math.MaxInt64-l.sum {
		return false
	}
	if l.n == 0 {
		l.low, l.high = ns, ns
	}
	l.low, l.high = min(l.low, ns), max(l.high, ns)
	l.sum += ns
	l.n++
	page := max(0, bits.Len64(uint64(ns))-bits.Len(2*subBuckets-1))
	if l.pages[page] == nil {
		l.pages[page] = make([]uint32, 2*subBuckets)
	}
	l.pages[page][ns>>page]++
	return true
}

// finish is the trial: its requests and their distribution, and no rate, since nothing says how long they took together.
func (l *latencies) finish() result.Trial {
	h := &result.Histogram{Unit: "ns", Digits: latencyDigits, Min: l.low, Max: l.high, Sum: l.sum}
	for page, counts := range l.pages {
		for i, n := range counts {
			if n > 0 {
				h.Counts = append(h.Counts, [2]int64{(int64(i)+1)<<page - 1, int64(n)})
			}
		}
	}
	l.trial.Total, l.trial.Requests = h, new(l.n)
	return l.trial
}

package engine

import (
	"math"
	"sync"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

const (
	intervalWidth = 100 * time.Millisecond
	sampleBatch   = 16 // complete replies that a connection keeps before it hands them to its recorder
)

// sample is one complete reply. Times are ns since the start of the run.
type sample struct {
	due     int64 // of an open loop: when it should have been sent
	connect int64 // −1: on a kept connection
	wait    int64
	total   int64
	end     int64
	body    int64
	status  int
	ok      bool
}

// recorder keeps the numbers of some of the connections: one per connection would need 800 KB each, one for all would
// be fought over. Connections hand over replies in batches, so that its lock is taken once in sampleBatch requests.
type recorder struct {
	mu sync.Mutex

	connect, wait, total *distribution // of replies that count
	response             *distribution // of an open loop
	failedTotal          *distribution // made when first needed, as …
	censoredTotal        *distribution // … this is
	ends                 *grid
	intervals            []int64 // OK replies

	ok, failed, non2xx int64
	status             [1000]int64
	errors             map[result.ErrorClass]int64

	last              int64 // latest end of an attempt
	firstEnd          int64 // of a complete reply …
	firstBody         int64 // … and its body length
	shortest, longest int64 // body lengths of complete replies
	firstFailure      int64 // when, and …
	firstError        string
}

func newRecorder(open bool) *recorder {
	r := &recorder{
		connect: newDistribution(), wait: newDistribution(), total: newDistribution(), ends: newGrid(),
		intervals: make([]int64, 0, 600), errors: map[result.ErrorClass]int64{},
		firstEnd: math.MaxInt64, shortest: math.MaxInt64, longest: -1, firstFailure: math.MaxInt64,
	}
	if open {
		r.response = newDistribution()
	}
	return r
}

// add records complete replies. Those that failed an expectation are counted under their class by fail's caller.
func (r *recorder) add(samples []sample) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range samples {
		r.count(&samples[i])
	}
}

// count is add for one reply, by the only user of r.
func (r *recorder) count(s *sample) {
	r.ends.add(s.end)
	r.last = max(r.last, s.end)
	r.status[s.status]++
	if s.status < 200 || s.status > 299 {
		r.non2xx++
	}
	if s.end < r.firstEnd {
		r.firstEnd, r.firstBody = s.end, s.body
	}
	r.shortest, r.longest = min(r.shortest, s.body), max(r.longest, s.body)
	if !s.ok {
		r.failed++
		addTo(&r.failedTotal, s.total)
		return
	}
	r.ok++
	if s.connect >= 0 {
		r.connect.add(s.connect)
	}
	r.wait.add(s.wait)
	r.total.add(s.total)
	if r.response != nil {
		r.response.add(s.end - s.due)
	}
	slot := int(s.end / int64(intervalWidth))
	for len(r.intervals) <= slot {
		r.intervals = append(r.intervals, 0)
	}
	r.intervals[slot]++
}

// addTo adds to a distribution that few runs need.
func addTo(d **distribution, v int64) {
	if *d == nil {
		*d = newDistribution()
	}
	(*d).add(v)
}

// censored reports whether a failure is a limit that was reached: how long the attempt would have taken is not known.
func censored(class result.ErrorClass) bool {
	return class == result.ErrTimeout || class == result.ErrConnectTimeout ||
		class == result.ErrRequestTimeout || class == result.ErrUnfinished
}

// fail counts an attempt that brought no complete reply.
func (r *recorder) fail(class result.ErrorClass, end, took int64, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if censored(class) {
		addTo(&r.censoredTotal, took)
	} else {
		addTo(&r.failedTotal, took)
	}
	r.failed++
	r.ends.add(end)
	r.last = max(r.last, end)
	r.note(class, end, text)
}

// reject counts the class of a complete reply that failed an expectation; the reply itself comes with add.
func (r *recorder) reject(class result.ErrorClass, end int64, c *checker, p *reply) {
	r.mu.Lock()
	defer r.mu.Unlock()
	text := ""
	if end < r.firstFailure {
		text = c.explain(class, p)
	}
	r.note(class, end, text)
}

// unfinished counts a request that was in flight when the run stopped.
func (r *recorder) unfinished(took int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	addTo(&r.censoredTotal, took)
	r.errors[result.ErrUnfinished]++
}

func (r *recorder) note(class result.ErrorClass, end int64, text string) {
	r.errors[class]++
	if end < r.firstFailure {
		r.firstFailure, r.firstError = end, text
	}
}

// merge adds what from recorded; from is used up.
func (r *recorder) merge(from *recorder) {
	r.connect.merge(from.connect)
	r.wait.merge(from.wait)
	r.total.merge(from.total)
	if r.response != nil {
		r.response.merge(from.response)
	}
	mergeTo(&r.failedTotal, from.failedTotal)
	mergeTo(&r.censoredTotal, from.censoredTotal)
	r.ends.merge(from.ends)
	for len(r.intervals) < len(from.intervals) {
		r.intervals = append(r.intervals, 0)
	}
	for i, n := range from.intervals {
		r.intervals[i] += n
	}
	r.ok, r.failed, r.non2xx = r.ok+from.ok, r.failed+from.failed, r.non2xx+from.non2xx
	for i, n := range from.status {
		r.status[i] += n
	}
	for class, n := range from.errors {
		r.errors[class] += n
	}
	r.last = max(r.last, from.last)
	if from.firstEnd < r.firstEnd {
		r.firstEnd, r.firstBody = from.firstEnd, from.firstBody
	}
	r.shortest, r.longest = min(r.shortest, from.shortest), max(r.longest, from.longest)
	if from.firstFailure < r.firstFailure {
		r.firstFailure, r.firstError = from.firstFailure, from.firstError
	}
}

func mergeTo(d **distribution, from *distribution) {
	if *d == nil {
		*d = from
		return
	}
	(*d).merge(from)
}

package engine

import (
	"math"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// TestRecorderBeyond100Million: counters, sums and percentiles stay right when other tools' have long overflowed.
func TestRecorderBeyond100Million(t *testing.T) {
	if testing.Short() {
		t.Skip("counts for seconds")
	}
	const (
		n      = 120_000_000
		spread = 1_000_000 // times are uniform in 1 … 1,000,000 µs
		body   = 4 << 20   // so that sums pass 2^48
	)
	r := newRecorder(false)
	for i := range int64(n) {
		v := (i*7919%spread + 1) * 1000
		r.count(&sample{connect: -1, wait: v / 2, total: v, end: i * 1000, body: body, status: 200, ok: true})
	}
	if r.ok != n || r.failed != 0 || r.status[200] != n || r.longest != body {
		t.Errorf("ok %d, failed %d, status %d", r.ok, r.failed, r.status[200])
	}
	var intervals int64
	for _, k := range r.intervals {
		intervals += k
	}
	if intervals != n || len(r.intervals) != n/100_000 {
		t.Errorf("%d in %d intervals", intervals, len(r.intervals))
	}
	h := r.total.result()
	if want := int64(n / spread * (spread + 1) / 2 * spread * 1000); h.N() != n || h.Sum != want {
		t.Errorf("n %d, sum %d, want %d", h.N(), h.Sum, want)
	}
	for _, p := range []float64{.5, .9, .99, .999} {
		if got, want := float64(quantile(h, p)), p*spread*1000; math.Abs(got/want-1) > 2e-3 {
			t.Errorf("p%g: %v, want %v", 100*p, got, want)
		}
	}
	if got, want := float64(r.ends.kth(n/10)), float64(n/10*1000); math.Abs(got/want-1) > 2e-3 {
		t.Errorf("t10 %v, want %v", got, want)
	}
}

// quantile is the bound of the bucket that holds the ⌈p·n⌉-th value.
func quantile(h *result.Histogram, p float64) int64 {
	left := int64(math.Ceil(p * float64(h.N())))
	for _, c := range h.Counts {
		if left -= c[1]; left <= 0 {
			return c[0]
		}
	}
	return h.Max
}

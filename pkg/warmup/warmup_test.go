package warmup

import (
	"errors"
	"math"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

func TestStartEffect(t *testing.T) {
	rest := []float64{1000, 1010, 990, 1005, 995}
	scale := func(f float64) []float64 {
		out := make([]float64, len(rest))
		for i, v := range rest {
			out[i] = v * f * (1 + .001*float64(i%2))
		}
		return out
	}
	for _, c := range []struct {
		name  string
		first []float64
		want  Status
		short bool
	}{
		{"same", scale(1), StatusFlat, false}, {"identical", rest, StatusFlat, false},
		{"slow start", scale(.8), StatusWarmedUp, true}, {"fast start", scale(1.2), StatusSlowing, false},
	} {
		r, err := StartEffect(c.first, rest, .01, .95)
		if err != nil || r.Status != c.want || r.Short != c.short || !(r.CI.Low <= r.Ratio && r.Ratio <= r.CI.High) {
			t.Errorf("%s: %+v %v", c.name, r, err)
		}
	}
	if r, err := StartEffect([]float64{1}, []float64{1}, .01, .95); err != nil || r.Status != StatusUntestable || !math.IsNaN(r.Ratio) {
		t.Errorf("one trial: %+v %v", r, err)
	}
	for _, c := range []struct {
		first, rest []float64
		margin      float64
		want        error
	}{
		{rest, rest[:2], .01, analysis.ErrLengthMismatch}, {rest, rest, -1, analysis.ErrBadParam},
		{[]float64{0, 1}, []float64{1, 1}, .01, analysis.ErrNonPositive}, {[]float64{math.NaN(), 1}, []float64{1, 1}, .01, analysis.ErrNonFinite},
	} {
		if _, err := StartEffect(c.first, c.rest, c.margin, .95); !errors.Is(err, c.want) {
			t.Errorf("%v: %v, want %v", c.first, err, c.want)
		}
	}
}

func TestSteadyRates(t *testing.T) {
	first, rest, ok := SteadyRates(1001, .2, 1.2, 991, 10)
	if !ok || math.Abs(first-505) > 1e-9 || math.Abs(rest-890) > 1e-9 {
		t.Errorf("%v %v %v", first, rest, ok)
	}
	for i, bad := range []struct {
		n    int64
		a, b float64
		done int64
		c    int
	}{{999, .2, 1, 900, 10}, {1000, 0, 1, 900, 10}, {1000, 1, 1, 900, 10}, {1000, .2, 1, 100, 10}, {1000, .2, 1, 1001, 10},
		{0, .2, 1, 900, 1}, {1000, .2, math.Inf(1), 900, 1}, {1000, math.NaN(), 1, 900, 1}, {1000, .2, 1, 900, 0}} {
		if _, _, ok := SteadyRates(bad.n, bad.a, bad.b, bad.done, bad.c); ok {
			t.Errorf("case %d accepted", i)
		}
	}
}

// TestWithoutFill: four workers that take 3 ms, and steady from the first request on. The rate up to t10 misses the
// time to the first completion; without the fill it is an upper bound of the steady 1333 a second.
func TestWithoutFill(t *testing.T) {
	if got := WithoutFill(1300, .093, .003); math.Abs(got-1300*.093/.09) > 1e-9 {
		t.Error(got)
	}
	if got := WithoutFill(1300, .093, 0); got != 1300 {
		t.Error(got)
	}
	for _, fill := range []float64{-1, .093, 1, math.NaN(), math.Inf(1)} {
		if got := WithoutFill(1300, .093, fill); !math.IsNaN(got) {
			t.Errorf("fill %v: %v", fill, got)
		}
	}
}

func TestDrainShare(t *testing.T) {
	if got := DrainShare(2, 1.5); got != .25 {
		t.Error(got)
	}
	for _, c := range [][2]float64{{0, 0}, {1, 2}, {1, -1}, {math.NaN(), 0}, {math.Inf(1), 1}} {
		if !math.IsNaN(DrainShare(c[0], c[1])) {
			t.Error(c)
		}
	}
}

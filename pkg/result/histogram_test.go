package result

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// histogramOf records values with two bits of precision: bound 4k+3 for a value in 4k … 4k+3.
func histogramOf(values []int64) *Histogram {
	h := &Histogram{Unit: "ns", Digits: 3}
	byBound := map[int64]int64{}
	for i, v := range values {
		if i == 0 {
			h.Min, h.Max = v, v
		}
		h.Min, h.Max, h.Sum = min(h.Min, v), max(h.Max, v), h.Sum+v
		byBound[v|3]++
	}
	for b, n := range byBound {
		h.Counts = append(h.Counts, [2]int64{b, n})
	}
	slices.SortFunc(h.Counts, func(a, b [2]int64) int { return int(a[0] - b[0]) })
	return h
}

func draw(r *rand.Rand, n int) []int64 {
	values := make([]int64, n)
	for i := range values {
		values[i] = r.Int64N(1000)
	}
	return values
}

func TestHistogramQuantile(t *testing.T) {
	h, err := NewHistogram(3, 10, 95, 10+20*97+2*95, [][2]int64{{15, 1}, {20, 97}, {99, 2}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		p    float64
		want int64
	}{{0, 15}, {0.01, 15}, {0.0100001, 20}, {0.5, 20}, {0.98, 20}, {0.981, 95}, {1, 95}} {
		if got, ok := h.Quantile(test.p); !ok || got != test.want {
			t.Errorf("quantile %v: %d, want %d", test.p, got, test.want)
		}
	}
	if h.N() != 100 || h.Mean() != float64(10+20*97+2*95)/100 {
		t.Errorf("n %d, mean %v", h.N(), h.Mean())
	}
	for _, p := range []float64{-0.1, 1.1, math.NaN()} {
		if _, ok := h.Quantile(p); ok {
			t.Errorf("quantile %v exists", p)
		}
	}
	empty := &Histogram{Unit: "ns"}
	if _, ok := empty.Quantile(0.5); ok || !math.IsNaN(empty.Mean()) || empty.Validate() != nil {
		t.Error("an empty histogram has a quantile or a mean, or is refused")
	}
}

// 0.07·100 is 7.000000000000001 in binary; the seventh value is meant.
func TestHistogramNearestRank(t *testing.T) {
	for n := int64(1); n <= 1000; n++ {
		for k := int64(1); k <= n; k++ {
			if got := nearestRank(float64(k)/float64(n), n); got != k {
				t.Fatalf("rank of %d/%d: %d", k, n, got)
			}
		}
	}
	if got := nearestRank(0.07, 100); got != 7 {
		t.Errorf("rank %d, want 7", got)
	}
}

// The quantile lies in the bucket of the true one: never below it, and at most one bucket width above.
func TestHistogramQuantileProperty(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		values := draw(r, 1+r.IntN(50))
		h := histogramOf(values)
		slices.Sort(values)
		last := int64(0)
		for p := 0.0; p <= 1; p += 0.05 {
			got, _ := h.Quantile(p)
			exact := values[nearestRank(p, int64(len(values)))-1]
			if got < exact || got > exact+3 || got < h.Min || got > h.Max || got < last {
				t.Fatalf("quantile %v of %v: %d, exact %d", p, values, got, exact)
			}
			last = got
		}
	}
}

func TestHistogramMergeIsConcatenation(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		a, b := draw(r, r.IntN(20)), draw(r, r.IntN(20))
		both, left, right := histogramOf(append(slices.Clone(a), b...)), histogramOf(a), histogramOf(b)
		kept := *right
		kept.Counts = slices.Clone(right.Counts)
		kept2 := slices.Clone(left.Counts)
		all, err := MergeHistograms([]*Histogram{left, right, right})
		if err != nil || !slices.Equal(left.Counts, kept2) {
			t.Fatal(err, "or the first was modified")
		}
		want := histogramOf(slices.Concat(a, b, b))
		if all.N() != want.N() || all.Sum != want.Sum || !slices.Equal(all.Counts, want.Counts) {
			t.Fatalf("merged %+v, want %+v", all, want)
		}
		if err := left.Merge(right); err != nil {
			t.Fatal(err)
		}
		if left.N() != both.N() || left.Sum != both.Sum || left.Min != both.Min || left.Max != both.Max || !slices.Equal(left.Counts, both.Counts) {
			t.Fatalf("merged %+v, want %+v", left, both)
		}
		if !reflect.DeepEqual(*right, kept) {
			t.Fatal("the argument was modified")
		}
	}
	h := histogramOf([]int64{1, 2, 8})
	if err := h.Merge(h); err != nil || h.N() != 6 || h.Sum != 22 {
		t.Errorf("merged with itself: %+v, %v", h, err)
	}
}

func TestMergeHistogramsRefuses(t *testing.T) {
	if _, err := MergeHistograms(nil); err == nil {
		t.Error("merged none")
	}
	if _, err := MergeHistograms([]*Histogram{histogramOf([]int64{1}), {Unit: "s"}}); err == nil {
		t.Error("merged seconds into nanoseconds")
	}
}

func TestHistogramRefuses(t *testing.T) {
	for name, h := range map[string]*Histogram{
		"unit":       {Unit: "ms"},
		"extremes":   {Unit: "ns", Min: 2, Max: 1},
		"negative":   {Unit: "ns", Counts: [][2]int64{{-1, 1}}},
		"descending": {Unit: "ns", Counts: [][2]int64{{2, 1}, {1, 1}}},
		"twice":      {Unit: "ns", Counts: [][2]int64{{2, 1}, {2, 1}}},
		"no count":   {Unit: "ns", Counts: [][2]int64{{2, 0}}},
		"overflow":   {Unit: "ns", Counts: [][2]int64{{2, math.MaxInt64}, {3, 1}}},
	} {
		if h.Validate() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := NewHistogram(3, 1, 0, 0, nil); err == nil {
		t.Error("min above max accepted")
	}
	h := &Histogram{Unit: "ns", Max: 2, Sum: 2, Counts: [][2]int64{{2, 1}}}
	if h.Merge(&Histogram{Unit: "s"}) == nil || h.Merge(&Histogram{Unit: "ns", Counts: [][2]int64{{2, math.MaxInt64}}}) == nil ||
		h.Merge(&Histogram{Unit: "ns", Sum: math.MaxInt64, Counts: [][2]int64{{2, 1}}}) == nil {
		t.Error("merge of another unit, or an overflow, accepted")
	}
	if h.N() != 1 || h.Sum != 2 {
		t.Errorf("a refused merge changed the histogram: %+v", h)
	}
}

package percentile

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

func near(got, want, rel float64) bool {
	return got == want || math.Abs(got-want) <= rel*math.Abs(want)
}

// The rank is the least one with at least p per cent of the values at or below it, in whole numbers.
func TestRankDefinition(t *testing.T) {
	for n := int64(1); n <= 300; n++ {
		for thousandths := int64(0); thousandths <= 100000; thousandths += 37 {
			p := strconv.FormatInt(thousandths/1000, 10) + "." + strconv.FormatInt(1000+thousandths%1000, 10)[1:]
			r, err := Rank(p, n)
			if err != nil || r < 1 || r > n || r*100000 < thousandths*n || r > 1 && (r-1)*100000 >= thousandths*n {
				t.Fatalf("p %s n %d: rank %d, %v", p, n, r, err)
			}
		}
	}
}

// float64 arithmetic gets these wrong by one: 99.9/100·1000 is 999.0000000000001.
func TestRankIsExact(t *testing.T) {
	for _, c := range []struct {
		p    string
		n, r int64
	}{
		{"99.9", 1000, 999}, {"99.99", 10000, 9999}, {"99.999", 1e15, 99999e10}, {"7", 100, 7}, {"0.1", 1000, 1}, {"55", 100, 55},
		{"100", math.MaxInt64, math.MaxInt64}, {"99.9999999999999999999", 1e9, 1e9}, {".5", 200, 1}, {"50.", 4, 2}, {"050.0", 4, 2}, {"0", 9, 1},
	} {
		if r, err := Rank(c.p, c.n); err != nil || r != c.r {
			t.Errorf("rank of %s in %d: %d, want %d, %v", c.p, c.n, r, c.r, err)
		}
	}
}

func TestBadPercentiles(t *testing.T) {
	long := "1." + string(slices.Repeat([]byte("0"), 100))
	for _, p := range []string{"", ".", "-1", "+1", "1e1", "1/2", "100.0001", "101", "NaN", "0x10", "1_0", " 1", "50%", "1.2.3", "p99", long} {
		if _, err := Rank(p, 5); !errors.Is(err, num.ErrBadParam) {
			t.Errorf("%q: %v", p, err)
		}
		if _, err := Needed(p); !errors.Is(err, num.ErrBadParam) {
			t.Errorf("needed %q: %v", p, err)
		}
		if _, err := HDRBounds([]int64{1}, []string{p}, 100, 3); !errors.Is(err, num.ErrBadParam) {
			t.Errorf("hdr %q: %v", p, err)
		}
	}
	if _, err := Rank("50", 0); !errors.Is(err, num.ErrEmpty) {
		t.Error(err)
	}
}

// Whatever text is accepted is a number from 0 to 100, and its rank is one of the n.
func FuzzRank(f *testing.F) {
	for _, p := range []string{"99.9", "0", "100", ".", "1e9", "100.1", "00.50"} {
		f.Add(p, int64(1000))
	}
	f.Fuzz(func(t *testing.T, p string, n int64) {
		r, err := Rank(p, n)
		if err != nil {
			return
		}
		v, ok := new(big.Rat).SetString(p)
		if !ok || v.Sign() < 0 || v.Cmp(big.NewRat(100, 1)) > 0 || r < 1 || r > n {
			t.Errorf("rank of %q in %d is %d", p, n, r)
		}
	})
}

func TestNearestRankProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		x := make([]float64, 1+rng.IntN(50))
		for i := range x {
			x[i] = float64(rng.IntN(30))
		}
		before := slices.Clone(x)
		last := math.Inf(-1)
		for _, p := range []string{"0", "0.1", "10", "50", "90", "99.9", "100"} {
			v, r, err := NearestRank(x, p)
			if err != nil || v < last || !slices.Contains(x, v) {
				t.Fatalf("%v p %s: %v, rank %d after %v, %v", x, p, v, r, last, err)
			}
			last = v
		}
		if low, _, _ := NearestRank(x, "0"); low != slices.Min(x) || last != slices.Max(x) || !slices.Equal(before, x) {
			t.Error("extremes, or the input changed")
		}
	}
	for _, c := range []struct {
		x   []float64
		err error
	}{{nil, num.ErrEmpty}, {[]float64{math.NaN()}, num.ErrNonFinite}, {[]float64{1, math.Inf(-1)}, num.ErrNonFinite}} {
		if _, _, err := NearestRank(c.x, "50"); !errors.Is(err, c.err) {
			t.Errorf("%v: %v, want %v", c.x, err, c.err)
		}
	}
}

func TestNeeded(t *testing.T) {
	for p, want := range map[string]int64{"0": 10, "50": 20, "75": 40, "90": 100, "95": 200, "99": 1000, "99.9": 10000, "99.99": 100000,
		"99.999": 1000000, "97": 334, "99.9999999999999": 1e16} {
		if n, err := Needed(p); err != nil || n != want {
			t.Errorf("%s needs %d, want %d, %v", p, n, want, err)
		}
		for requests, enough := range map[int64]bool{want: true, want - 1: false} {
			if ok, err := Enough(p, requests); err != nil || ok != enough {
				t.Errorf("%s with %d: %v, %v", p, requests, ok, err)
			}
		}
	}
	for _, p := range []string{"100", "99.99999999999999999999"} {
		if _, err := Needed(p); !errors.Is(err, num.ErrBadParam) {
			t.Errorf("%s: %v", p, err)
		}
		if ok, err := Enough(p, math.MaxInt64); ok || err == nil {
			t.Errorf("%s: %v, %v", p, ok, err)
		}
	}
}

// Buckets tile the whole numbers, contain their value and are narrow enough.
func TestHDRBuckets(t *testing.T) {
	for digits := 1; digits <= 5; digits++ {
		next := int64(0)
		for range 200000 {
			if next < 0 { // beyond the greatest int64
				break
			}
			b, err := HDRBucket(next, digits)
			if err != nil || b.Low != next || b.High-b.Low+1 != b.Size || b.Size > 1 && float64(b.Size) > float64(b.Low)*math.Pow(10, -float64(digits)) {
				t.Fatalf("%d digits, %d: %+v, %v", digits, next, b, err)
			}
			next = b.High + 1
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 10000 {
		v := rng.Int64() >> rng.IntN(63)
		b, err := HDRBucket(v, 3)
		if err != nil || v < b.Low || v > b.High {
			t.Fatalf("%d: %+v, %v", v, b, err)
		}
		for _, e := range []int64{b.Low, b.High} {
			if c, _ := HDRBucket(e, 3); c != b {
				t.Fatalf("%d and %d: %+v, %+v", v, e, b, c)
			}
		}
	}
	if b, err := HDRBucket(math.MaxInt64, 3); err != nil || b.High != math.MaxInt64 {
		t.Error(b, err)
	}
	if _, err := HDRBucket(-1, 3); !errors.Is(err, num.ErrOutOfRange) {
		t.Error(err)
	}
	for _, d := range []int{0, 6, -1} {
		if _, err := HDRBucket(1, d); !errors.Is(err, num.ErrBadParam) {
			t.Error(err)
		}
	}
}

func TestHDRBoundsEdges(t *testing.T) {
	for name, c := range map[string]struct {
		values          []int64
		highest, digits int64
		err             error
	}{
		"empty": {nil, 100, 3, num.ErrEmpty}, "negative": {[]int64{-1}, 100, 3, num.ErrOutOfRange}, "above": {[]int64{101}, 100, 3, num.ErrOutOfRange},
		"digits": {[]int64{1}, 100, 0, num.ErrBadParam}, "highest": {[]int64{1}, 1, 3, num.ErrBadParam}, "fine": {[]int64{0, 100}, 100, 3, nil},
	} {
		if _, err := HDRBounds(c.values, []string{"50"}, c.highest, int(c.digits)); !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want %v", name, err, c.err)
		}
	}
	// The two rules differ at small n.
	r, err := HDRBounds([]int64{10, 20, 30, 40, 50, 60, 70, 80, 90, 100}, []string{"91"}, 1000, 3)
	if err != nil || r.Percentiles[0].Exact != 100 || r.Percentiles[0].HalfUpValue != 90 {
		t.Errorf("%+v, %v", r, err)
	}
}

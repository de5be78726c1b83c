package multiple

import (
	"errors"
	"math"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// The double integral for two means must give Student's t, which the exported functions use instead.
func TestRangeOfTwoIsT(t *testing.T) {
	r := newNormalRange(2)
	for _, df := range []float64{.7, 1, 2, 5, 12.7, 20, 120, 5000, math.Inf(1)} {
		for _, q := range []float64{.01, .5, 2, 4, 7, 12, 30} {
			if got, want := overChi(q, df, r.above), 2*num.TSurvival(q/math.Sqrt2, df); !near(got, want, 1e-11) {
				t.Errorf("P(Q > %v; 2, %v) = %.15g, want %.15g", q, df, got, want)
			}
			if got, want := overChi(q, df, r.below), r.cdf(q, df); !near(got, want, 1e-11) {
				t.Errorf("P(Q <= %v; 2, %v) = %.15g, want %.15g", q, df, got, want)
			}
		}
	}
}

// The mean range of k standard normals is ∫P(range > w)dw: 3/√π for three. For 10 and 100 mpmath 1.3.0:
// quad(lambda z: 1-ncdf(z)**k-(1-ncdf(z))**k, linspace(-12, 12, 25)).
func TestMeanRange(t *testing.T) {
	for k, want := range map[int]float64{3: 3 / math.Sqrt(math.Pi), 10: 3.0775054616703457, 100: 5.0151872728833687} {
		r := newNormalRange(k)
		const h = 1. / 64
		sum := .5 // trapezoidal rule; P(range > 0) = 1
		for i := 1; i < 64*30; i++ {
			sum += r.above(float64(i) * h)
		}
		if got := sum * h; !near(got, want, 1e-9) {
			t.Errorf("mean range of %d normals %.12f, want %.12f", k, got, want)
		}
	}
}

func TestRangeShape(t *testing.T) {
	for _, k := range []int{2, 3, 40} {
		for _, df := range []float64{1, 4.4, math.Inf(1)} {
			last := 1.0
			for _, q := range []float64{1e-5, .001, .3, 1, 2, 3, 5, 8, 20, 100} {
				s, err := StudentizedRangeSurvival(q, k, df)
				c, err2 := StudentizedRangeCDF(q, k, df)
				if err != nil || err2 != nil || s > last+1e-13 || s < 0 || math.Abs(s+c-1) > 1e-12 {
					t.Fatalf("k %d df %v q %v: %v + %v, %v %v", k, df, q, s, c, err, err2)
				}
				last = s
			}
			for _, p := range []float64{1e-30, 1e-4, .05, .5, .77, 1 - 1e-9} {
				q, err := StudentizedRangeQuantile(p, k, df)
				if err != nil {
					t.Fatal(err)
				}
				if s, _ := StudentizedRangeSurvival(q, k, df); !near(s, p, 1e-10) {
					t.Errorf("k %d df %v: P(Q > %v) = %v, want %v", k, df, q, s, p)
				}
			}
		}
		more, _ := StudentizedRangeSurvival(3, k+1, 10)
		if fewer, _ := StudentizedRangeSurvival(3, k, 10); more <= fewer {
			t.Error("one more mean does not widen the range")
		}
	}
}

func TestRangeEdges(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		q    float64
		k    int
		df   float64
		want error
	}{
		{nan, 3, 5, analysis.ErrNonFinite}, {inf, 3, 5, analysis.ErrNonFinite}, {1, 1, 5, analysis.ErrBadParam},
		{1, 3, 0, analysis.ErrBadParam}, {1, 3, -1, analysis.ErrBadParam}, {1, 3, nan, analysis.ErrBadParam},
	} {
		_, err := StudentizedRangeSurvival(c.q, c.k, c.df)
		_, err2 := StudentizedRangeCDF(c.q, c.k, c.df)
		if !errors.Is(err, c.want) || !errors.Is(err2, c.want) {
			t.Errorf("%+v: %v, %v", c, err, err2)
		}
	}
	for _, p := range []float64{0, 1, -1, nan} {
		if _, err := StudentizedRangeQuantile(p, 3, 5); !errors.Is(err, analysis.ErrBadParam) {
			t.Errorf("quantile of %v: %v", p, err)
		}
	}
	if _, err := StudentizedRangeQuantile(.05, 1, 5); !errors.Is(err, analysis.ErrBadParam) {
		t.Errorf("one mean: %v", err)
	}
	if _, err := StudentizedRangeQuantile(1e-300, 4, .5); !errors.Is(err, analysis.ErrOutOfRange) {
		t.Errorf("overflow: %v", err)
	}
	if s, err := StudentizedRangeSurvival(-1, 3, 5); s != 1 || err != nil {
		t.Errorf("negative: %v, %v", s, err)
	}
	if s, err := StudentizedRangeSurvival(1e6, 4, 1000); s != 0 && s > 1e-300 || err != nil {
		t.Errorf("far tail: %v, %v", s, err)
	}
}

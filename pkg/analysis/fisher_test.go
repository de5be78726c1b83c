package analysis_test

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

func near(got, want, rel float64) bool {
	return got == want || math.Abs(got-want) <= rel*math.Abs(want)
}

// TestFisherExactReference holds R 4.2.2's fisher.test(matrix(c(a, b, c, d), 2), alternative=...)$p.value, two-sided,
// "less" and "greater".
func TestFisherExactReference(t *testing.T) {
	for _, c := range []struct {
		a, b, c, d       int
		p, less, greater float64
	}{
		{2, 0, 0, 3, 0.1, 1, 0.1},
		{3, 1, 1, 3, 0.48571428571428582, 0.98571428571428577, 0.24285714285714288},
		{8, 2, 1, 5, 0.03496503496503494, 0.99912587412587417, 0.024475524475524466},
		{10, 2, 3, 15, 0.00053672411914343734, 0.99998451901868612, 0.00046518094336290579},
		{0, 5, 5, 0, 0.0079365079365079395, 0.003968253968253968, 1},
		{1, 9, 11, 3, 0.0027594561852200862, 0.0013797280926100427, 0.99996634809530227},
		{3, 999997, 17, 999983, 0.0025767078702278981, 0.0012883539351139488, 0.99979878694985758},
		{120, 80, 90, 110, 0.0036351855558814433, 0.99906317323281846, 0.0018175927779407197},
		{5, 0, 3, 0, 1, 1, 1},
		{0, 0, 2, 3, 1, 1, 1},
		{1, 1, 1, 1, 1, 5. / 6, 5. / 6},
		{0, 10, 0, 12, 1, 1, 1},
		{40, 4000, 2, 5000, 2.5094374309497247e-12, 0.99999999999990408, 2.5094374309497223e-12},
	} {
		r, err := analysis.FisherExact(c.a, c.b, c.c, c.d)
		if err != nil || !near(r.P, c.p, 1e-9) || !near(r.PLess, c.less, 1e-9) || !near(r.PGreater, c.greater, 1e-9) {
			t.Errorf("%d %d %d %d: %+v %v, want %v %v %v", c.a, c.b, c.c, c.d, r, err, c.p, c.less, c.greater)
		}
	}
}

// fisherByCounting enumerates every table with exact integers.
func fisherByCounting(a, b, c, d int) (p, less, greater float64) {
	count := func(k int) *big.Int {
		x := new(big.Int).Binomial(int64(a+b), int64(k))
		return x.Mul(x, new(big.Int).Binomial(int64(c+d), int64(a+c-k)))
	}
	seen, total := count(a), new(big.Int)
	var two, lo, hi big.Int
	for k := max(0, a-d); k <= min(a+b, a+c); k++ {
		w := count(k)
		total.Add(total, w)
		if w.Cmp(seen) <= 0 {
			two.Add(&two, w)
		}
		if k <= a {
			lo.Add(&lo, w)
		}
		if k >= a {
			hi.Add(&hi, w)
		}
	}
	share := func(x *big.Int) float64 {
		f, _ := new(big.Rat).SetFrac(x, total).Float64()
		return f
	}
	return share(&two), share(&lo), share(&hi)
}

func TestFisherExactByCounting(t *testing.T) {
	for a := range 6 {
		for b := range 6 {
			for c := range 6 {
				for d := range 6 {
					if a+b+c+d == 0 {
						continue
					}
					r, err := analysis.FisherExact(a, b, c, d)
					p, less, greater := fisherByCounting(a, b, c, d)
					if err != nil || !near(r.P, p, 1e-12) || !near(r.PLess, less, 1e-12) || !near(r.PGreater, greater, 1e-12) {
						t.Fatalf("%d %d %d %d: %+v %v, want %v %v %v", a, b, c, d, r, err, p, less, greater)
					}
					// Exchanging the rows exchanges the one-sided tests; exchanging rows and columns changes nothing.
					rows, _ := analysis.FisherExact(b, a, d, c)
					turned, _ := analysis.FisherExact(a, c, b, d)
					if !near(rows.P, r.P, 1e-12) || !near(rows.PLess, r.PGreater, 1e-12) || !near(turned.P, r.P, 1e-12) {
						t.Fatalf("%d %d %d %d is not symmetric", a, b, c, d)
					}
				}
			}
		}
	}
}

func TestFisherExactEdges(t *testing.T) {
	if _, err := analysis.FisherExact(1, -1, 2, 3); !errors.Is(err, analysis.ErrBadParam) {
		t.Error(err)
	}
	if _, err := analysis.FisherExact(0, 0, 0, 0); !errors.Is(err, analysis.ErrEmpty) {
		t.Error(err)
	}
	// Far out: probabilities below the smallest float64 sum to 0 in one tail and to 1 in the other.
	if r, err := analysis.FisherExact(5000, 10, 10, 5000); err != nil || !near(r.PLess, 1, 1e-9) || r.PGreater != 0 || r.P != 0 {
		t.Errorf("%+v %v", r, err)
	}
}

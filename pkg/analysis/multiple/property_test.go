package multiple

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis"
)

func near(a, b, rel float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= rel*max(math.Abs(a), math.Abs(b))
}

func draw(rng *rand.Rand, sizes []int) [][]float64 {
	out := make([][]float64, len(sizes))
	for i, n := range sizes {
		mean, sd := 100+rng.NormFloat64(), .5+2*rng.Float64()
		for range n {
			out[i] = append(out[i], mean+sd*rng.NormFloat64())
		}
	}
	return out
}

func mapped(groups [][]float64, f func(float64) float64) [][]float64 {
	out := make([][]float64, len(groups))
	for i, g := range groups {
		for _, v := range g {
			out[i] = append(out[i], f(v))
		}
	}
	return out
}

var methods = []string{"bonferroni", "holm", "hochberg", "hommel", "BY", "BH", "none"}

func TestAdjustProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		p := make([]float64, 1+rng.IntN(9))
		for i := range p {
			p[i] = math.Pow(rng.Float64(), 3)
			if i > 0 && rng.IntN(4) == 0 {
				p[i] = p[0]
			}
		}
		keep := slices.Clone(p)
		perm := rng.Perm(len(p))
		turned := make([]float64, len(p))
		for i, j := range perm {
			turned[i] = p[j]
		}
		got := map[string][]float64{}
		for _, m := range methods {
			a, err := Adjust(p, m)
			if err != nil {
				t.Fatal(err)
			}
			b, _ := Adjust(turned, m)
			got[m] = a
			for i, j := range perm {
				if !near(b[i], a[j], 1e-15) {
					t.Fatalf("%s depends on the order", m)
				}
			}
			for i := range p {
				if a[i] < p[i] || a[i] > 1 {
					t.Fatalf("%s: %v adjusted to %v", m, p[i], a[i])
				}
				for j := range p {
					if p[i] < p[j] && a[i] > a[j] || p[i] == p[j] && a[i] != a[j] {
						t.Fatalf("%s does not keep the ranks: %v, %v", m, p, a)
					}
				}
			}
		}
		// Each of these is at least as strong as the one before it.
		chain := []string{"bonferroni", "holm", "hochberg", "hommel", "BH", "none"}
		for i := range p {
			for k := range chain[1:] {
				if got[chain[k+1]][i] > got[chain[k]][i]*(1+1e-12) {
					t.Fatalf("%s is weaker than %s: %v", chain[k+1], chain[k], p)
				}
			}
			if got["BY"][i] < got["BH"][i] {
				t.Fatal("BY is stronger than BH")
			}
		}
		if !slices.Equal(p, keep) {
			t.Fatal("input modified")
		}
	}
}

// Holm and Hommel are closed tests: the adjusted value is the largest p-value of the intersection hypotheses that hold
// i, by Bonferroni and by Simes. All subsets are tried here.
func TestClosedTesting(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		p := make([]float64, 1+rng.IntN(8))
		for i := range p {
			p[i] = math.Round(1000*rng.Float64()*rng.Float64()) / 1000
		}
		holm, _ := Holm(p)
		hommel, _ := Hommel(p)
		for i := range p {
			bonferroni, simes := 0.0, 0.0
			for set := 1; set < 1<<len(p); set++ {
				if set>>i&1 == 0 {
					continue
				}
				var in []float64
				for j := range p {
					if set>>j&1 == 1 {
						in = append(in, p[j])
					}
				}
				slices.Sort(in)
				s, size := math.Inf(1), float64(bits.OnesCount(uint(set)))
				for l, v := range in {
					s = min(s, size*v/float64(l+1))
				}
				bonferroni, simes = max(bonferroni, min(1, size*in[0])), max(simes, min(1, s))
			}
			if !near(holm[i], bonferroni, 1e-12) || !near(hommel[i], simes, 1e-12) {
				t.Fatalf("%v: Holm %v, closed Bonferroni %v; Hommel %v, closed Simes %v", p, holm[i], bonferroni, hommel[i], simes)
			}
		}
	}
}

func TestANOVAInvariance(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		sizes := make([]int, 2+rng.IntN(4))
		for i := range sizes {
			sizes[i] = 2 + rng.IntN(5)
		}
		x := draw(rng, sizes)
		keep := mapped(x, func(v float64) float64 { return v })
		a, err := OneWayANOVA(x)
		w, err2 := WelchANOVA(x)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		for _, y := range [][][]float64{
			mapped(x, func(v float64) float64 { return 7 - 3*v }),
			reversed(x),
		} {
			b, _ := OneWayANOVA(y)
			v, _ := WelchANOVA(y)
			if !near(a.F, b.F, 1e-9) || !near(a.P, b.P, 1e-8) || !near(w.F, v.F, 1e-9) || !near(w.DF2, v.DF2, 1e-9) {
				t.Fatal("depends on order, shift or scale")
			}
		}
		far, _ := OneWayANOVA(mapped(x, func(v float64) float64 { return v + 1e9 }))
		if !near(a.F, far.F, 1e-4) {
			t.Fatalf("an offset of 1e9 eats the digits: %v, %v", a.F, far.F)
		}
		for i := range x {
			if !slices.Equal(x[i], keep[i]) {
				t.Fatal("input modified")
			}
		}
	}
}

func reversed(x [][]float64) [][]float64 {
	out := make([][]float64, len(x))
	for i, g := range x {
		out[len(x)-1-i] = slices.Clone(g)
		slices.Reverse(out[len(x)-1-i])
	}
	return out
}

// Two groups: Welch's F is the square of Welch's t, Games-Howell and Tukey are t tests.
func TestTwoGroupsAreTTests(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 50 {
		x := draw(rng, []int{2 + rng.IntN(6), 2 + rng.IntN(6)})
		tt, _ := analysis.WelchT(x[1], x[0])
		w, _ := WelchANOVA(x)
		gh, err := GamesHowell(x, .95)
		if err != nil {
			t.Fatal(err)
		}
		ci := tt.Interval(.95)
		if !near(w.F, tt.T*tt.T, 1e-9) || !near(w.P, tt.P, 1e-9) || !near(w.DF2, tt.DF, 1e-9) {
			t.Fatalf("%+v, %+v", w, tt)
		}
		p := gh[0]
		if !near(p.P, tt.P, 1e-9) || !near(p.Diff, tt.Estimate, 1e-9) || !near(p.Interval.Low, ci.Low, 1e-8) ||
			!near(p.Interval.High, ci.High, 1e-8) || !near(p.DF, tt.DF, 1e-9) || !near(p.T, math.Abs(tt.T), 1e-9) {
			t.Fatalf("%+v, %+v %+v", p, tt, ci)
		}
		a, _ := OneWayANOVA(x)
		hsd, _ := TukeyHSD(x, .95)
		if !near(hsd[0].P, a.P, 1e-9) || !near(hsd[0].Q*hsd[0].Q/2, a.F, 1e-9) {
			t.Fatalf("%+v, %+v", hsd[0], a)
		}
	}
}

func TestPairsProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, f := range []func([][]float64, float64) ([]Pair, error){GamesHowell, TukeyHSD} {
		for range 5 {
			x := draw(rng, []int{3, 5, 4, 6})
			wide, err := f(x, .99)
			if err != nil {
				t.Fatal(err)
			}
			narrow, _ := f(x, .9)
			back, _ := f(reversed(x), .9)
			for i, p := range narrow {
				q := wide[i]
				if q.Interval.Low >= p.Interval.Low || q.Interval.High <= p.Interval.High || p.I >= p.J || p.P != q.P {
					t.Fatalf("%+v, %+v", p, q)
				}
				if inside := p.Interval.Low <= 0 && 0 <= p.Interval.High; inside != (p.P >= .1) {
					t.Fatalf("interval and p disagree: %+v", p)
				}
				same := slices.ContainsFunc(back, func(r Pair) bool {
					return r.I == 3-p.J && r.J == 3-p.I && near(r.P, p.P, 1e-8) && near(r.Diff, -p.Diff, 1e-9) &&
						near(r.Interval.Low, -p.Interval.High, 1e-8)
				})
				if !same {
					t.Fatal("not symmetric")
				}
			}
		}
	}
}

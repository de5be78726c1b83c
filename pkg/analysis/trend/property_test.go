package trend

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

var (
	lighttpd = []float64{5596.50, 7611.98, 7690.85, 7600.03, 5515.75, 7688, 7702}
	unixTime = []float64{1700000000, 1700000007, 1700000013, 1700000022, 1700000030, 1700000041, 1700000048}
)

// Reference: R 4.2.2, t <- unixTime-1.7e9; m <- lm(y ~ t); summary(m)$coefficients; confint(m, level=.9); summary(m)$sigma.
func TestSlopeReference(t *testing.T) {
	r, err := Slope(unixTime, lighttpd)
	if err != nil {
		t.Fatal(err)
	}
	ci := r.Interval(.9)
	for name, c := range map[string][2]float64{
		"slope": {r.Slope, 18.325127388535055}, "intercept": {r.Intercept + 1.7e9*r.Slope, 6636.394927206551984},
		"se": {r.SE, 24.587199320930477}, "t": {r.T, 0.74531170261979884}, "p": {r.P, 0.48961425796872481975}, "df": {r.DF, 5},
		"low": {ci.Low, -31.219268607920728}, "high": {ci.High, 67.869523384990813}, "sigma": {r.ResidualSD, 1067.2090788231035},
		"p rising": {r.PRising, 0.48961425796872481975 / 2}, "p falling": {r.PFalling, 1 - 0.48961425796872481975/2},
	} {
		if !near(c[0], c[1]) {
			t.Errorf("%s = %.17g, want %.17g", name, c[0], c[1])
		}
	}
}

// Reference: R 4.2.2, q <- sum(diff(x)^2)/sum((x-mean(x))^2); z <- (q-2)/sqrt(4*(n-2)/(n^2-1)); 2*pnorm(-abs(z)), the
// formulas of DescTools::VonNeumannTest(x, unbiased=FALSE).
func TestVonNeumannReference(t *testing.T) {
	r, err := VonNeumann(lighttpd)
	if err != nil || !near(r.Q, 2.07665653949903728) || !near(r.Z, 0.11875580034306497) || !near(r.P, 0.90546882701285747) ||
		!near(r.PPositive, 0.54726558649357127) || !near(r.PPositive+r.PNegative, 1) {
		t.Errorf("%+v %v", r, err)
	}
}

// Reference: R 4.2.2, S <- cumsum(x-mean(x)); max(abs(S))/(sd(x)*sqrt(15)); which.max(abs(S)); 99999 of
// replicate(max(abs(cumsum(sample(x-mean(x)))))) gave P = 0.0623.
func TestCUSUMReference(t *testing.T) {
	x := []float64{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9}
	r, err := CUSUM(x, 20000, generator())
	if err != nil || !near(r.Max, 1.1394029988760723) || r.Position != 11 || math.Abs(r.P-.0623) > .007 {
		t.Errorf("%+v %v", r, err)
	}
}

// permutations calls visit with every order of 0..n−1.
func permutations(n int, visit func([]float64)) {
	p := make([]float64, n)
	var place func(k int)
	place = func(k int) {
		if k == n {
			visit(p)
			return
		}
		for i := range n {
			if !slices.Contains(p[:k], float64(i)) {
				p[k] = float64(i)
				place(k + 1)
			}
		}
	}
	place(0)
}

func TestMannKendallExactAgainstEnumeration(t *testing.T) {
	for n := 2; n <= 7; n++ {
		count, total := map[int]int{}, 0
		permutations(n, func(p []float64) {
			r, _, _ := kendallS(p)
			count[r.S]++
			total++
		})
		permutations(n, func(p []float64) {
			r, err := MannKendallExact(p)
			if err != nil {
				t.Fatal(err)
			}
			up, down := 0, 0
			for s, c := range count {
				if s >= r.S {
					up += c
				}
				if s <= r.S {
					down += c
				}
			}
			wantUp, wantDown := float64(up)/float64(total), float64(down)/float64(total)
			if !near(r.PIncreasing, wantUp) || !near(r.PDecreasing, wantDown) || !near(r.P, min(1, 2*min(wantUp, wantDown))) {
				t.Fatalf("%v: %+v, want %v and %v", p, r, wantUp, wantDown)
			}
		})
	}
}

// The smallest exact p-value is 2/n!, with all its digits.
func TestMannKendallExactTail(t *testing.T) {
	for _, n := range []int{5, 20, 60, 150} {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(i)
		}
		r, err := MannKendallExact(x)
		lg, _ := math.Lgamma(float64(n + 1))
		if err != nil || math.Abs(math.Log(r.P)-math.Ln2+lg) > 1e-9*lg {
			t.Errorf("n = %d: %v %v", n, r.P, err)
		}
	}
}

func TestShiftScaleReversal(t *testing.T) {
	rng := generator()
	for range 40 {
		n := 10 + rng.IntN(20)
		s := series(rng, n, steady)
		x, time := s.Value, s.Time
		keep := slices.Clone(x)
		moved, back := make([]float64, n), slices.Clone(x)
		for i, v := range x {
			moved[i] = 8*v + 1<<20
		}
		slices.Reverse(back)
		a, _ := MannKendall(x)
		b, _ := MannKendall(moved)
		c, _ := MannKendall(back)
		if a != b || a.S != -c.S || !near(a.PIncreasing, c.PDecreasing) || !near(a.P, c.P) {
			t.Fatalf("Mann-Kendall: %+v, moved %+v, reversed %+v", a, b, c)
		}
		f, _ := TheilSen(time, x, .95)
		g, _ := TheilSen(time, moved, .95)
		w, _ := TheilSen(time, x, .8)
		if !near(8*f.Slope, g.Slope) || f.CI.Low > f.Slope || f.CI.High < f.Slope || w.CI.Low < f.CI.Low || w.CI.High > f.CI.High {
			t.Fatalf("Theil-Sen: %+v, moved %+v, narrower %+v", f, g, w)
		}
		h, _ := Slope(time, x)
		i, _ := Slope(time, moved)
		j, _ := Slope(time, back)
		if !near(h.T, i.T) || math.Abs(h.T+j.T) > 1e-6 || h.Interval(.9).High >= h.Interval(.99).High {
			t.Fatalf("slope: %+v, moved %+v, reversed %+v", h, i, j)
		}
		k, _ := VonNeumann(x)
		l, _ := VonNeumann(moved)
		m, _ := VonNeumann(back)
		if !near(k.Q, l.Q) || !near(k.Q, m.Q) {
			t.Fatalf("von Neumann: %+v, moved %+v, reversed %+v", k, l, m)
		}
		o, _ := EffectiveSampleSize(x)
		q, _ := EffectiveSampleSize(back)
		if !near(o.Monotone, q.Monotone) || o.Monotone > float64(n) || o.Monotone < o.Size || o.AR1 > float64(n) {
			t.Fatalf("effective size: %+v, reversed %+v", o, q)
		}
		u, _ := CUSUM(x, 99, rand.New(rand.NewPCG(1, 1)))
		v, _ := CUSUM(moved, 99, rand.New(rand.NewPCG(1, 1)))
		y, _ := CUSUM(back, 9, rng)
		if u.P != v.P || u.Position != n-y.Position || !near(u.Max, v.Max) {
			t.Fatalf("CUSUM: %+v, moved %+v, reversed %+v", u, v, y)
		}
		if !slices.Equal(x, keep) {
			t.Fatal("input modified")
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	ramp := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12}
	calls := map[string]func(x []float64) error{
		"Mann-Kendall":    func(x []float64) error { return second(MannKendall(x)) },
		"exact":           func(x []float64) error { return second(MannKendallExact(x)) },
		"Theil-Sen":       func(x []float64) error { return second(TheilSen(ramp[:len(x)], x, .95)) },
		"slope":           func(x []float64) error { return second(Slope(ramp[:len(x)], x)) },
		"von Neumann":     func(x []float64) error { return second(VonNeumann(x)) },
		"autocorrelation": func(x []float64) error { return second(Autocorrelation(x, 1)) },
		"Ljung-Box":       func(x []float64) error { return second(LjungBox(x, 1)) },
		"effective size":  func(x []float64) error { return second(EffectiveSampleSize(x)) },
		"CUSUM":           func(x []float64) error { return second(CUSUM(x, 9, generator())) },
	}
	offset := make([]float64, len(ramp))
	for i, v := range ramp {
		offset[i] = 1e9 + v*v
	}
	for name, call := range calls {
		for _, c := range []struct {
			x    []float64
			want error
		}{{nil, num.ErrEmpty}, {[]float64{1}, num.ErrTooFew}, {[]float64{1, nan, 3}, num.ErrNonFinite},
			{[]float64{1, inf, 3}, num.ErrNonFinite}, {ramp, nil}, {offset, nil}} {
			if err := call(c.x); !errors.Is(err, c.want) {
				t.Errorf("%s of %v: %v, want %v", name, c.x, err, c.want)
			}
		}
	}
	same := slices.Repeat([]float64{.1}, 11)
	for _, name := range []string{"slope", "von Neumann", "autocorrelation", "Ljung-Box", "effective size", "CUSUM"} {
		if err := calls[name](same); !errors.Is(err, num.ErrZeroVariance) {
			t.Errorf("%s of equal values: %v", name, err)
		}
	}
	for name, err := range map[string]error{
		"ties": calls["exact"](same), "level": second(TheilSen(ramp, ramp, 1)), "one time": second(Slope(same, ramp)),
		"negative lag": second(Autocorrelation(ramp, -1)), "lag n": second(Autocorrelation(ramp, 11)),
		"lag 0": second(LjungBox(ramp, 0)), "no permutations": second(CUSUM(ramp, 0, generator())),
		"no rng": second(CUSUM(ramp, 9, nil)),
	} {
		if !errors.Is(err, num.ErrBadParam) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := second(Slope(ramp[:3], ramp)); !errors.Is(err, num.ErrLengthMismatch) {
		t.Errorf("lengths: %v", err)
	}
	if r, err := TheilSen(ramp, same, .95); err != nil || r.Slope != 0 || r.CI.Low != 0 || r.CI.High != 0 {
		t.Errorf("Theil-Sen of equal values: %+v %v", r, err)
	}
	if r, err := Autocorrelation(ramp, 0); err != nil || r != 1 {
		t.Errorf("lag 0: %v %v", r, err)
	}
}

package sequential_test

import (
	"math"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/sequential"
)

// Multipliers for alpha 0.05, to two decimals, with g = 1 and 4. R 4.2.2: c<-1+n*g; k<-(c/.05^2)^(1/n);
// ifelse(k>=c, Inf, sqrt((n-1)*(k-1)/(1-k/c)))
func TestAnytimeMultipliers(t *testing.T) {
	for n, want := range map[int][2]float64{5: {8.45, 5.36}, 6: {5.45, 4.73}, 8: {4.25, 4.20}, 10: {3.87, 3.97}, 15: {3.54, 3.73},
		20: {3.42, 3.63}, 50: {3.32, 3.54}} {
		for i, g := range []float64{1, 4} {
			if m, err := sequential.AnytimeMultiplier(n, g, .05); err != nil || math.Abs(m-want[i]) > .0051 {
				t.Errorf("n=%d g=%v: %v %v, want %v", n, g, m, err, want[i])
			}
		}
	}
	if m, err := sequential.AnytimeMultiplier(4, 1, .05); err != nil || !math.IsInf(m, 1) {
		t.Errorf("4 values bound the mean: %v %v", m, err)
	}
}

// The closed form of the e-value against its definition, integrated numerically: means δσ with δ ~ N(0, g), against mean
// 0, both over dσ/σ.
func TestAnytimeIsTheDoubleIntegral(t *testing.T) {
	for _, c := range []struct {
		x []float64
		g float64
	}{
		{[]float64{.3, 1.1}, 1}, {[]float64{.3, 1.1, -.2, .9, 1.4}, 1}, {[]float64{.3, 1.1, -.2, .9, 1.4}, 4},
		{[]float64{2.1, 2.4, 1.9, 2.2, 2.6, 2.3}, 1}, {[]float64{-.1, .1, -.2, .25, 0, .05, -.1, .02, .04}, .25},
	} {
		r, err := sequential.AnytimeT(c.x, c.g)
		if err != nil {
			t.Fatal(err)
		}
		n, m, ss := float64(r.N), r.Mean, r.SD*r.SD*float64(r.N-1)
		const steps = 1200
		over, under := 0.0, 0.0
		for i := range steps { // the trapezoidal rule: the integrands vanish at both ends
			u := math.Log(r.SD) - 6 + 26*float64(i)/steps // ln σ
			s := math.Exp(u)
			density := func(mean float64) float64 {
				return math.Exp(-n*(u-math.Log(r.SD)) - (ss+n*(m-mean)*(m-mean))/(2*s*s))
			}
			under += density(0)
			width := 20 * math.Sqrt(c.g) / steps
			inner := 0.0
			for j := range steps {
				d := -10*math.Sqrt(c.g) + width*float64(j)
				inner += math.Exp(-d*d/(2*c.g)) * density(d*s)
			}
			over += inner * width / math.Sqrt(2*math.Pi*c.g)
		}
		if got := over / under; math.Abs(got/r.E()-1) > 1e-8 {
			t.Errorf("%v g=%v: closed form %v, integral %v", c.x, c.g, r.E(), got)
		}
	}
}

// Constants of Jennison & Turnbull (2000), tables 2.1 and 2.3, alpha 0.05; R's gsDesign(k, test.type=2, alpha=0.025,
// sfu="Pocock"), sfu="OF".
func TestGroupSequentialConstants(t *testing.T) {
	for looks, want := range map[int][2]float64{1: {1.960, 1.960}, 2: {2.178, 1.977}, 3: {2.289, 2.004}, 4: {2.361, 2.024}, 5: {2.413, 2.040},
		10: {2.555, 2.087}, 20: {2.672, 2.126}} {
		at := make([]int, looks)
		for i := range at {
			at[i] = 10 * (i + 1)
		}
		for i, boundary := range []sequential.Boundary{sequential.Pocock, sequential.OBrienFleming} {
			got, err := sequential.GroupSequential(at, .05, boundary)
			if err != nil {
				t.Fatal(err)
			}
			last := got[looks-1]
			if math.Abs(last.Z-want[i]) > .00051 || math.Abs(last.Spent-.05) > 1e-9 {
				t.Errorf("%s, %d looks: C = %v (spent %v), want %v", boundary, looks, last.Z, last.Spent, want[i])
			}
			for k, l := range got {
				z := want[i]
				if boundary == sequential.OBrienFleming {
					z *= math.Sqrt(float64(looks) / float64(k+1))
				}
				if math.Abs(l.Z-z) > .00051*z || l.N != at[k] || !(l.T > l.Z) || k > 0 && l.Spent <= got[k-1].Spent {
					t.Errorf("%s look %d: %+v, want z %v", boundary, k+1, l, z)
				}
			}
		}
	}
}

// R 4.2.2: p<-2*pnorm(-2.4131762); qt(1-p/2, c(9,19,29,39,49))
func TestGroupSequentialT(t *testing.T) {
	looks, err := sequential.GroupSequential([]int{10, 20, 30, 40, 50}, .05, sequential.Pocock)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{2.9656329, 2.6496081, 2.5634192, 2.5232631, 2.5000409} {
		if math.Abs(looks[i].T-want) > 1e-6 {
			t.Errorf("look %d: t %v, want %v", i+1, looks[i].T, want)
		}
	}
}

// R 4.2.2: x<-c(10,12,9,11,13); ceiling((qt(.975,4)*sd(x)/.5)^2) = 78
func TestStein(t *testing.T) {
	r, err := sequential.SteinTwoStage([]float64{10, 12, 9, 11, 13}, .5, .95)
	if err != nil || r.N != 78 || r.Pilot != 5 || math.Abs(r.T-2.7764451052) > 1e-9 {
		t.Errorf("%+v %v", r, err)
	}
}

package trend

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

func generator() *rand.Rand { return rand.New(rand.NewPCG(21, 22)) }

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-9*max(1, math.Abs(want)) }

// Reference: R 4.2.2, two targets run in turn.
//
//	m <- lm(log(y) ~ g + t); summary(m)$coefficients["t",]; confint(m)["t",]*360000
//	o <- order(t); e <- resid(m)[o]; sum(diff(e)^2)/sum(e^2); M <- I - X(X'X)^-1X'; A <- crossprod(diff(diag(12)))
//	E <- tr(MA)/9; V <- 2*(tr(MAMA) - tr(MA)*E)/(9*11); pnorm((q-E)/sqrt(V))
//	v <- (log(y)-ave(log(y), g))[o]; which.max(abs(cumsum(v)[-12])); z <- seq_len(12) > 6
//	100*expm1(coef(lm(log(y)[o] ~ g[o] + z))["z"])
func TestSessionReference(t *testing.T) {
	r, err := Session([]Series{
		{Time: []float64{0, 20, 40, 60, 80, 100}, Value: []float64{1000, 1004, 1009, 1011, 1018, 1020}},
		{Time: []float64{10, 30, 50, 70, 90, 110}, Value: []float64{500, 503, 502, 507, 508, 511}},
	}, generator())
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string][2]float64{
		"slope": {r.PerSecond, 2.0780657211953821e-04}, "se": {r.SE, 1.5577541336523635e-05}, "t": {r.T, 13.340139347427558},
		"p": {r.PSlope, 3.1098806564529339e-07}, "df": {r.DF, 9}, "percent per hour": {r.PercentPerHour, 74.810365963033757},
		"low": {r.PercentPerHourCI.Low, 62.124381146281010}, "high": {r.PercentPerHourCI.High, 87.496350779786496},
		"total": {r.TotalPercent, 100 * math.Expm1(110*2.0780657211953821e-04)},
		"q":     {r.Serial.Q, 1.78000847632005077}, "p serial": {r.Serial.PPositive, 0.31635514422566269},
		"shift at": {float64(r.ShiftAt), 6}, "shift time": {r.ShiftTime, 60}, "shift": {r.ShiftPercent, 1.2948848908010029},
		"n": {float64(r.N), 12}, "groups": {float64(r.Groups), 2},
	} {
		if !near(c[0], c[1]) || (c[1] < 1e-3 && math.Abs(c[0]/c[1]-1) > 1e-9) {
			t.Errorf("%s = %.17g, want %.17g", name, c[0], c[1])
		}
	}
	if r.Status != StatusDrift || r.P != 2*r.PSlope {
		t.Errorf("status %s, p %v", r.Status, r.P)
	}
}

// series draws n trials 30 s apart with 1 % noise around what change adds, in sd, at a share of the session.
func series(rng *rand.Rand, n int, change func(share float64) float64) Series {
	s := Series{Time: make([]float64, n), Value: make([]float64, n)}
	for i := range n {
		s.Time[i] = 1.7e9 + 30*float64(i)
		s.Value[i] = 1000 * math.Exp(.01*(rng.NormFloat64()+change(float64(i)/float64(n-1))))
	}
	return s
}

func steady(float64) float64 { return 0 }

func TestDriftStatus(t *testing.T) {
	step := func(s float64) float64 {
		if s < .5 {
			return 0
		}
		return -5
	}
	for _, c := range []struct {
		name   string
		n      int
		change func(float64) float64
		want   Status
	}{
		{"steady", 20, steady, StatusNone},
		{"slow fall", 20, func(s float64) float64 { return -6 * s }, StatusDrift},
		{"jump", 20, step, StatusLevelShift},
		{"rise in five trials", 5, func(s float64) float64 { return 20 * s }, StatusDrift},
		{"four trials", 4, func(s float64) float64 { return 20 * s }, StatusUntestable},
	} {
		s := series(generator(), c.n, c.change)
		r, err := Drift(s.Time, s.Value, generator())
		if err != nil || r.Status != c.want {
			t.Errorf("%s: %+v %v, want %s", c.name, r, err, c.want)
		}
		if found := r.P < FamilyLevel; found != (r.Status == StatusDrift || r.Status == StatusLevelShift) {
			t.Errorf("%s: P %v does not match %s", c.name, r.P, r.Status)
		}
		if (r.ShiftAt >= 0) != (c.n >= minCUSUM) || math.IsNaN(r.PShift) != (c.n < minCUSUM) {
			t.Errorf("%s: shift at %d, p %v", c.name, r.ShiftAt, r.PShift)
		}
		if again, _ := Drift(s.Time, s.Value, generator()); fmt.Sprint(again) != fmt.Sprint(r) {
			t.Errorf("%s: not reproducible", c.name)
		}
	}
}

func TestSessionEdges(t *testing.T) {
	times := []float64{1, 2, 3, 4, 5, 6}
	same := []float64{7, 7, 7, 7, 7, 7}
	r, err := Drift(times, same, generator())
	if err != nil || r.Status != StatusNone || r.P != 1 || r.PercentPerHour != 0 || !math.IsNaN(r.Serial.P) {
		t.Errorf("constant: %+v %v", r, err)
	}
	if r, err = Drift(same, times, generator()); err != nil || r.Status != StatusUntestable || !math.IsNaN(r.P) {
		t.Errorf("one time: %+v %v", r, err)
	}
	line := []float64{1, 2, 4, 8, 16, 32}
	if r, err = Drift(times, line, generator()); err != nil || r.Status != StatusDrift || r.PSlope > 1e-9 {
		t.Errorf("perfect line: %+v %v", r, err)
	}
	lone := Series{Time: []float64{9}, Value: []float64{100}}
	full := Series{Time: times, Value: line}
	if with, err := Session([]Series{lone, {}, full}, generator()); err != nil || with.T != r.T || with.N != 6 || with.Groups != 1 {
		t.Errorf("a target with one trial: %+v %v", with, err)
	}
	if r, err = Session([]Series{lone, lone}, generator()); err != nil || r.Status != StatusUntestable || r.N != 0 {
		t.Errorf("single trials: %+v %v", r, err)
	}
	for _, c := range []struct {
		group Series
		want  error
	}{
		{Series{}, num.ErrEmpty}, {Series{Time: times, Value: same[:5]}, num.ErrLengthMismatch},
		{Series{Time: times[:2], Value: []float64{1, 0}}, num.ErrNonPositive},
		{Series{Time: times[:2], Value: []float64{1, math.NaN()}}, num.ErrNonFinite},
		{Series{Time: []float64{1, math.Inf(1)}, Value: []float64{1, 2}}, num.ErrNonFinite},
	} {
		if _, err := Session([]Series{c.group}, generator()); !errors.Is(err, c.want) {
			t.Errorf("%v: %v, want %v", c.group, err, c.want)
		}
	}
	if _, err := Drift(times, same, nil); !errors.Is(err, num.ErrBadParam) {
		t.Errorf("no rng: %v", err)
	}
}

// The unit of a target, its speed relative to others and the origin of time do not matter, nor does the order in which
// trials are listed; inputs stay as they are.
func TestSessionInvariance(t *testing.T) {
	rng := generator()
	a, b := series(rng, 9, steady), series(rng, 8, func(s float64) float64 { return 2 * s })
	for i := range b.Time {
		b.Time[i] += 11
	}
	keep := slices.Clone(b.Value)
	want, err := Session([]Series{a, b}, generator())
	if err != nil {
		t.Fatal(err)
	}
	moved := Series{Time: slices.Clone(b.Time), Value: slices.Clone(b.Value)}
	slices.Reverse(moved.Time)
	slices.Reverse(moved.Value)
	for i := range moved.Value {
		moved.Value[i] *= 64
	}
	got, err := Session([]Series{a, moved}, generator())
	if err != nil || math.Abs(got.T-want.T) > 1e-6 || math.Abs(got.Serial.Z-want.Serial.Z) > 1e-6 || got.ShiftAt != want.ShiftAt {
		t.Errorf("%+v %v, want %+v", got, err, want)
	}
	if !slices.Equal(b.Value, keep) {
		t.Error("input modified")
	}
}

// Both tests together call at most 2 % of steady sessions drift or level shift, with one target as with three of
// twelve trials each: 320 sessions, 4 standard errors above.
func TestSessionFalseAlarms(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	rng := generator()
	alarms := 0
	for i := range 320 {
		groups := []Series{series(rng, 12, steady)}
		if i%2 == 1 {
			groups = append(groups, series(rng, 12, steady), series(rng, 12, steady))
		}
		r, err := Session(groups, rng)
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != StatusNone {
			alarms++
		}
	}
	if alarms > 16 {
		t.Errorf("%d of 320 steady sessions not none, want at most 6 on average", alarms)
	}
}

package analysis

import (
	"math"
	"slices"
	"testing"
)

var lighttpd = []float64{5596.50, 7611.98, 7690.85, 7600.03, 5515.75}

func TestTiersLighttpd(t *testing.T) {
	r, err := Tiers(lighttpd, .01)
	if err != nil || r.Status != TiersProven || len(r.Tiers) != 2 {
		t.Fatalf("%+v %v", r, err)
	}
	if math.Abs(r.Split.R2-.99843) > 5e-6 || r.Split.P < .0002 || r.Split.P > .0004 {
		t.Errorf("split %+v", r.Split)
	}
	if math.Abs(r.Tiers[0].Mean-5556.125) > .01 || !slices.Equal(r.Tiers[0].Members, []int{0, 4}) || !slices.Equal(r.Tiers[1].Members, []int{1, 2, 3}) {
		t.Errorf("tiers %+v", r.Tiers)
	}
	if math.Abs(r.Dip.D-.19225) > 1e-5 || math.Abs(r.Dip.P-.025) > .003 {
		t.Errorf("dip %+v", r.Dip)
	}
	r, err = Tiers([]float64{5596.50, 5515.75, 7611.98, 7690.85, 7600.03}, .01)
	if err != nil || r.Status != TiersOrderUnclear || r.LevelShift {
		t.Errorf("one switch: %+v %v", r, err)
	}
}

// TestSplitCriticalValues checks the table against independently simulated critical values (numpy, 10⁵ samples a size).
func TestSplitCriticalValues(t *testing.T) {
	for n, want := range map[int][3]float64{4: {.9670, .9935, .9993}, 5: {.9484, .9821, .9961}, 8: {.8912, .9359, .9706},
		10: {.8633, .9086, .9484}, 15: {.8179, .8602, .9020}, 20: {.7911, .8297, .8707}, 30: {.7599, .7943, .8309},
		40: {.7416, .7726, .8038}, 75: {.7103, .7341, .7603}, 100: {.6996, .7206, .7436}} {
		for i, p := range []float64{.05, .01, .001} {
			got := splitTables()[1].p(n, -math.Log(1-want[i]))
			if math.Abs(math.Log(got/p)) > []float64{.05, .08, .25}[i] {
				t.Errorf("n=%d R2=%v: p=%v, want %v", n, want[i], got, p)
			}
		}
	}
}

func TestSingleRunCV(t *testing.T) {
	for n, want := range map[int]float64{2: .0041, 5: .0122, 10: .0189} {
		if got := SingleRunCV(1197.17/1176.06, n, .05); math.Abs(got-want) > .00006 {
			t.Errorf("n=%d: %v, want %v", n, got, want)
		}
	}
}

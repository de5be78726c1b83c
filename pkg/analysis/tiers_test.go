package analysis

import (
	"math"
	"math/rand/v2"
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

func TestTiersStates(t *testing.T) {
	a := math.Nextafter(1, 2)
	for _, c := range []struct {
		name   string
		x      []float64
		margin float64
		status TierStatus
		tiers  [][]int
	}{
		{"three values", []float64{1, 2, 3}, .01, TiersUntestable, nil},
		{"constant", []float64{5, 5, 5, 5, 5}, .01, TiersNone, nil},
		{"two levels", []float64{100, 101, 105, 106, 100.5, 105.4}, .01, TiersProven, [][]int{{0, 1, 4}, {2, 3, 5}}},
		{"two levels within the margin", []float64{100, 101, 105, 106, 100.5, 105.4}, .1, TiersNone, nil},
		{"large level constant", []float64{100, 130, 100, 130, 130, 130, 130, 130}, .01, TiersProven, [][]int{{0, 2}, {1, 3, 4, 5, 6, 7}}},
		{"three levels", []float64{10, 50, 10.1, 56, 50.1, 56.1, 50.2, 56.2, 10.2, 50.3}, .01, TiersProven, [][]int{{0, 2, 8}, {1, 4, 6, 9}, {3, 5, 7}}},
		{"levels overlap, 15 or more", []float64{1036, 1195, 1020, 1035, 1253, 1085, 1205, 1312, 1011, 1269, 1017, 1302, 1045, 1049, 1203, 1152}, .01,
			TiersSuspected, [][]int{{0, 2, 3, 5, 8, 10, 12, 13}, {1, 4, 6, 7, 9, 11, 14, 15}}},
		{"one apart from four", []float64{100, 101, 130, 100.4, 100.9}, .01, TiersSuspected, nil},
		{"one apart from nine", []float64{100, 101, 130, 100.4, 100.9, 100.2, 100.7, 100.1, 100.6, 100.3}, .01, TiersNone, nil},
		{"one switch of ten", []float64{100, 101, 100.4, 100.9, 100.2, 130, 130.2, 130.4, 129.9, 130.1}, .01, TiersOrderUnclear, [][]int{{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}}},
		{"neighbouring numbers", []float64{1, a, 1, a, 1, a, a, a, a}, 0, TiersProven, [][]int{{0, 2, 4}, {1, 3, 5, 6, 7, 8}}},
		{"neighbouring numbers, rounded up", []float64{a, a + 3e-16, a, a + 3e-16, a, a + 3e-16, a + 3e-16, a + 3e-16, a + 3e-16}, 0, TiersProven, [][]int{{0, 2, 4}, {1, 3, 5, 6, 7, 8}}},
	} {
		r, err := Tiers(c.x, c.margin)
		if err != nil || r.Status != c.status || len(r.Tiers) != len(c.tiers) {
			t.Errorf("%s: %+v %v", c.name, r, err)
			continue
		}
		for i, want := range c.tiers {
			if !slices.Equal(r.Tiers[i].Members, want) {
				t.Errorf("%s: tier %d has %v, want %v", c.name, i, r.Tiers[i].Members, want)
			}
		}
	}
	r, _ := Tiers([]float64{100, 101, 130, 100.4, 100.9}, .01)
	if r.Outlier != 2 || r.Split.K != 4 || math.Abs(r.Gap-29) > 1e-9 {
		t.Errorf("outlier: %+v", r)
	}
	if r, _ = Tiers([]float64{100, 101, 70, 100.4, 100.9}, .01); r.Outlier != 2 {
		t.Errorf("low outlier: %+v", r)
	}
	if r, _ = Tiers([]float64{100, 101, 100.4, 100.9, 100.2, 130, 130.2, 130.4, 129.9, 130.1}, .01); !r.LevelShift {
		t.Errorf("level shift: %+v", r)
	}
}

// The tiers divide the trials: every trial in one of them, means ascending; and the unit does not matter.
func TestTiersProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	for range 300 {
		x := normals(rng, 4+rng.IntN(20), 1000, 5)
		for i := range x {
			x[i] -= 100 * float64(rng.IntN(3)) * float64(rng.IntN(2))
		}
		r, err := Tiers(x, .01)
		if err != nil {
			t.Fatal(err)
		}
		seen, share, last := make([]bool, len(x)), 0.0, 0.0
		for _, tier := range r.Tiers {
			for _, i := range tier.Members {
				if seen[i] {
					t.Fatalf("trial %d is in two tiers", i)
				}
				seen[i] = true
			}
			if tier.Mean <= last || tier.ShareCI.Low > tier.Share || tier.ShareCI.High < tier.Share || len(tier.Members) < 2 || !slices.IsSorted(tier.Members) {
				t.Fatalf("%+v after a mean of %v", tier, last)
			}
			share, last = share+tier.Share, tier.Mean
		}
		if len(r.Tiers) > 0 && (math.Abs(share-1) > 1e-12 || slices.Contains(seen, false)) {
			t.Fatalf("trials are missing: %+v", r.Tiers)
		}
		scaled := make([]float64, len(x))
		for i, v := range x {
			scaled[i] = v * 1024
		}
		s, _ := Tiers(scaled, .01)
		if s.Status != r.Status || len(s.Tiers) != len(r.Tiers) || s.Outlier != r.Outlier {
			t.Fatalf("depends on the unit: %+v %+v", r, s)
		}
	}
}

package analysis

import (
	"math"
	"slices"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// TierStatus says what is known about levels in a target's trials.
type TierStatus string

// The states of knowledge.
const (
	TiersNone         TierStatus = "none"
	TiersSuspected    TierStatus = "suspected"     // run more trials
	TiersProven       TierStatus = "proven"        // the mean is no headline
	TiersOrderUnclear TierStatus = "order-unclear" // two levels, but one switch in run order: maybe a change in time
	TiersUntestable   TierStatus = "untestable"    // fewer than 4 trials
)

const (
	tierProvenP    = .01
	tierSuspectedP = .05
	tierGapN       = 15 // from here on a small p alone can be mere skew: demand a gap
	tierRecurseN   = 5
	tierShiftN     = 10 // from here on one switch is called a level shift
)

// Tier is one level of a target's trials.
type Tier struct {
	Mean    float64
	Members []int // indexes into the sample, run order, 0-based
	Share   float64
	ShareCI Interval // Clopper–Pearson, 95 %
}

// TierResult is the outcome of Tiers.
type TierResult struct {
	Status     TierStatus
	Split      Split // best division with both sides >= 2; when suspected, the one that made it so
	Dip        DipResult
	HasDip     bool
	Tiers      []Tier  // low to high; set when proven, suspected (the candidate division) or order-unclear
	LevelShift bool    // order-unclear and n >= 10
	Outlier    int     // index of a single value apart from all others, −1 for none
	Gap        float64 // distance between the two parts of Split, unit of the data
}

// Tiers decides whether trials, given in run order, fall into two (or more) levels.
//
// Proven: BestSplit (sides >= 2) has p <= 0.01, the tier means differ by at least margin as a ratio, for n >= 15 the
// gap is at least half the wider tier's range or HartiganDip has p <= 0.05, and the labels are not one single switch
// in run order (that is order-unclear; at 2 of 5 a true mixture looks so 20 % of the time). Suspected: p <= 0.05, or
// sides >= 1 reach their own 0.05. One value apart from all others is an Outlier, never a tier; it makes tiers
// suspected only below n = 10. The larger tier is divided again if it has at least 5 members.
//
// p assumes one normal population as H0. False alarms on normal trials: 1 % at n = 5 and 10; on exponential ones 2 % and
// 5 %. Tiers 40 within-sd apart, 40 % slow, are found in 58 % of runs at n = 5, the chance of seeing both twice, and 95 %
// at n = 10. Fewer than 4 values are TiersUntestable; equal values are TiersNone. Errors: ErrEmpty, ErrNonFinite,
// ErrNonPositive, ErrBadParam for a negative margin. x is not modified; its order matters.
func Tiers(x []float64, margin float64) (TierResult, error) {
	res := TierResult{Status: TiersUntestable, Outlier: -1, Gap: math.NaN()}
	if _, err := num.Logs(x); err != nil {
		return res, err
	}
	if !(margin >= 0) {
		return res, ErrBadParam
	}
	if len(x) < 4 {
		return res, nil
	}
	res.Status = TiersNone
	if slices.Min(x) == slices.Max(x) {
		return res, nil
	}
	s := num.Sorted(x)
	split, err := BestSplit(x, 2)
	if err != nil {
		return res, err
	}
	one, err := BestSplit(x, 1)
	if err != nil {
		return res, err
	}
	dip, err := HartiganDip(x)
	if err != nil {
		return res, err
	}
	res.Split, res.Dip, res.HasDip = split, dip, true
	res.Gap = s[split.K] - s[split.K-1]
	if one.P <= tierSuspectedP && math.Log(one.HighMean/one.LowMean) >= math.Log1p(margin) {
		res.Outlier = outlierIndex(x, one)
	}
	candidate, status := judgeTiers(s, split, one, dip, margin, res.Outlier >= 0)
	res.Status = status
	if status == TiersSuspected {
		res.Split = candidate // what made it suspected, which may have one member on a side
		res.Gap = s[candidate.K] - s[candidate.K-1]
	}
	if status == TiersNone {
		return res, nil
	}
	low, high := divide(x, candidate.Threshold, allIndexes(len(x)))
	parts := [][]int{low, high}
	if status == TiersProven {
		if switches(low, len(x)) == 1 {
			res.Status, res.LevelShift = TiersOrderUnclear, len(x) >= tierShiftN
		} else {
			parts = recurse(x, parts, margin)
		}
	}
	if len(low) >= 2 && len(high) >= 2 { // a lone value is an outlier, never a tier
		res.Tiers = describeTiers(x, parts)
	}
	return res, nil
}

// judgeTiers applies the rule without the order check and picks the division to show.
func judgeTiers(s []float64, split, one Split, dip DipResult, margin float64, outlier bool) (Split, TierStatus) {
	big := func(t Split) bool { return math.Log(t.HighMean/t.LowMean) >= math.Log1p(margin) }
	if split.P <= tierSuspectedP && big(split) {
		if split.P <= tierProvenP && (len(s) < tierGapN || gapClear(s, split.K) || dip.P <= tierSuspectedP) {
			return split, TiersProven
		}
		return split, TiersSuspected
	}
	if one.P <= tierSuspectedP && big(one) && (!outlier || len(s) < tierShiftN) {
		return one, TiersSuspected
	}
	return split, TiersNone
}

func gapClear(s []float64, k int) bool {
	return s[k]-s[k-1] >= max(s[k-1]-s[0], s[len(s)-1]-s[k])/2
}

func outlierIndex(x []float64, t Split) int {
	switch t.K {
	case 1:
		return slices.Index(x, slices.Min(x))
	case t.N - 1:
		return slices.Index(x, slices.Max(x))
	}
	return -1
}

func allIndexes(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func divide(x []float64, threshold float64, members []int) (low, high []int) {
	for _, i := range members {
		if x[i] <= threshold {
			low = append(low, i)
		} else {
			high = append(high, i)
		}
	}
	return low, high
}

// switches counts changes of label in run order.
func switches(low []int, n int) int {
	isLow := make([]bool, n)
	for _, i := range low {
		isLow[i] = true
	}
	count := 0
	for i := 1; i < n; i++ {
		if isLow[i] != isLow[i-1] {
			count++
		}
	}
	return count
}

// recurse divides the larger of two tiers again while the rule proves it.
func recurse(x []float64, parts [][]int, margin float64) [][]int {
	large := 0
	if len(parts[1]) > len(parts[0]) {
		large = 1
	}
	members := parts[large]
	if len(members) < tierRecurseN {
		return parts
	}
	sub := make([]float64, len(members))
	for i, j := range members {
		sub[i] = x[j]
	}
	split, err := BestSplit(sub, 2)
	if err != nil { // constant: nothing to divide
		return parts
	}
	dip, err := HartiganDip(sub)
	if err != nil {
		return parts
	}
	if _, status := judgeTiers(num.Sorted(sub), split, Split{P: 1}, dip, margin, false); status != TiersProven {
		return parts
	}
	low, high := divide(x, split.Threshold, members)
	inner := recurse(x, [][]int{low, high}, margin)
	if large == 0 {
		return append(inner, parts[1])
	}
	return append([][]int{parts[0]}, inner...)
}

func describeTiers(x []float64, parts [][]int) []Tier {
	out := make([]Tier, 0, len(parts))
	for _, members := range parts {
		v := make([]float64, len(members))
		for i, j := range members {
			v[i] = x[j]
		}
		m, _ := num.MeanVar(v)
		t := Tier{Mean: m, Members: members, Share: float64(len(v)) / float64(len(x))}
		// k of n is in range by construction.
		t.ShareCI, _ = ClopperPearson(len(v), len(x), .95)
		out = append(out, t)
	}
	return out
}

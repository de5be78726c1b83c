package explain

import (
	"cmp"
	"math"
	"slices"
)

// Clue is how one covariate behaves between tiers.
type Clue struct {
	Name string
	// Low and High are its means in the tier of the lowest and of the highest figures.
	Low, High float64
	// Separates says that no value of one tier lies among those of another, and that the tiers follow each other in
	// the covariate's order, rising or falling.
	Separates bool
	// Chance is the probability that at least one of as many unrelated figures separates such tiers.
	Chance float64
}

// Tiers compares the covariates between tiers: members[i] are the indexes of the trials of the i-th tier, from the lowest
// to the highest. Those that separate come first, then by name.
//
// An unrelated figure without ties puts n trials in any order with the same probability, so it separates tiers of sizes
// n1, n2, … with probability p = 2·n1!·n2!·…/n!; of m such figures, independent of each other, at least one does with
// probability 1 − (1 − p)^m, which is Chance. Figures that depend on each other make it smaller, so it is an upper
// bound; with five trials, two against three, p alone is 0.2: five trials hardly explain anything. Fewer than two tiers
// have no clue.
func Tiers(covariates []Covariate, members [][]int) []Clue {
	if len(members) < 2 {
		return nil
	}
	chance := 1 - math.Pow(1-separationChance(members), float64(len(covariates)))
	out := make([]Clue, 0, len(covariates))
	for _, c := range covariates {
		groups := make([][]float64, len(members))
		for i, trials := range members {
			for _, j := range trials {
				groups[i] = append(groups[i], c.Values[j])
			}
			if len(groups[i]) == 0 {
				return nil
			}
		}
		out = append(out, Clue{Name: c.Name, Low: mean(groups[0]), High: mean(groups[len(groups)-1]),
			Separates: separates(groups), Chance: chance})
	}
	slices.SortStableFunc(out, func(a, b Clue) int {
		if a.Separates != b.Separates {
			if a.Separates {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Name, b.Name)
	})
	return out
}

// separationChance is 2·Πnᵢ!/n!, at most 1.
func separationChance(members [][]int) float64 {
	n, sum := 0, 0.0
	for _, m := range members {
		n += len(m)
		l, _ := math.Lgamma(float64(len(m) + 1))
		sum += l
	}
	l, _ := math.Lgamma(float64(n + 1))
	return min(1, 2*math.Exp(sum-l))
}

func separates(groups [][]float64) bool {
	up, down := true, true
	for i := 1; i < len(groups); i++ {
		up = up && slices.Max(groups[i-1]) < slices.Min(groups[i])
		down = down && slices.Min(groups[i-1]) > slices.Max(groups[i])
	}
	return up || down
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

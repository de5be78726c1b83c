package multiple

import (
	"fmt"
	"math"
	"slices"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/internal/num"
)

// Bonferroni multiplies every p-value by their number m, up to 1: p̃ = min(1, m·p) (Dunn 1961).
//
// It controls the chance of any false rejection under every dependence and goes with intervals at 1 − α/m
// (Simultaneous); Holm rejects everything that Bonferroni does and more. It must agree with R's
// p.adjust(p, "bonferroni"). Errors as Holm. p is not modified. O(m).
func Bonferroni(p []float64) ([]float64, error) {
	return stepwise(p, func(v []float64) {
		for i := range v {
			v[i] = min(1, float64(len(v))*v[i])
		}
	})
}

// Hochberg adjusts the p-values of one family by stepping up (Hochberg 1988): p̃(i) = min_{j≥i} (m−j+1)·p(j).
//
// It controls the chance of any false rejection when the p-values are independent or positively dependent (where
// Simes' inequality holds), and is never weaker than Holm, which needs no such assumption. It must agree with R's
// p.adjust(p, "hochberg"). Errors as Holm. p is not modified. O(m log m).
func Hochberg(p []float64) ([]float64, error) {
	return stepwise(p, func(v []float64) { stepUp(v, func(i int) float64 { return float64(len(v) - i) }) })
}

// Hommel adjusts the p-values of one family by the closed test of Simes (Hommel 1988): p̃ᵢ is the largest Simes p-value
// min_l s·p(l)/l over all subsets of the family, of any size s, that contain i.
//
// It controls the chance of any false rejection under the assumption of Hochberg and is never weaker than that. The
// worst subset of size s that holds i consists of i and the s−1 largest others, which brings 2^m subsets down to m. It must
// agree with R's p.adjust(p, "hommel"). Errors as Holm. p is not modified. O(m²).
func Hommel(p []float64) ([]float64, error) {
	return stepwise(p, func(v []float64) {
		m := len(v)
		sorted := slices.Clone(v)
		for size := 2; size <= m; size++ {
			first := m - size // the size largest values are sorted[first:]
			rest := math.Inf(1)
			for l := 2; l <= size; l++ {
				rest = min(rest, float64(size)*sorted[first+l-1]/float64(l))
			}
			for i := range v {
				v[i] = max(v[i], min(float64(size)*sorted[min(i, first)], rest))
			}
		}
		for i := range v {
			v[i] = min(1, v[i])
		}
	})
}

// BenjaminiHochberg adjusts p-values so that, of all rejections, the expected share of false ones stays below alpha
// (Benjamini & Hochberg 1995): p̃(i) = min_{j≥i} (m/j)·p(j).
//
// It holds for independent and for positively dependent p-values. It is meant for screening more than about 20
// endpoints; a verdict about a few targets needs Holm, since here single false claims are allowed. It must agree with R's
// p.adjust(p, "BH") and scipy's false_discovery_control(p). Errors as Holm. p is not modified. O(m log m).
func BenjaminiHochberg(p []float64) ([]float64, error) {
	return stepwise(p, func(v []float64) {
		stepUp(v, func(i int) float64 { return float64(len(v)) / float64(i+1) })
	})
}

// BenjaminiYekutieli is BenjaminiHochberg for any dependence (Benjamini & Yekutieli 2001): the factors grow by
// 1 + 1/2 + … + 1/m.
//
// It must agree with R's p.adjust(p, "BY") and scipy's false_discovery_control(p, method="by"). Errors as Holm. p is not
// modified. O(m log m).
func BenjaminiYekutieli(p []float64) ([]float64, error) {
	return stepwise(p, func(v []float64) {
		sum := 0.0
		for i := range v {
			sum += 1 / float64(i+1)
		}
		stepUp(v, func(i int) float64 { return sum * float64(len(v)) / float64(i+1) })
	})
}

// stepUp replaces v(i) by the smallest factor(j)·v(j) of j >= i, at most 1.
func stepUp(v []float64, factor func(i int) float64) {
	run := 1.0
	for i := len(v) - 1; i >= 0; i-- {
		run = min(run, factor(i)*v[i])
		v[i] = run
	}
}

// Adjust applies the method that R's p.adjust calls by that name: "holm", "hochberg", "hommel", "bonferroni", "BH" (also
// "fdr"), "BY" or "none", which only checks.
//
// Errors: ErrBadParam for another name, and those of Holm. p is not modified.
func Adjust(p []float64, method string) ([]float64, error) {
	switch method {
	case "holm":
		return Holm(p)
	case "hochberg":
		return Hochberg(p)
	case "hommel":
		return Hommel(p)
	case "bonferroni":
		return Bonferroni(p)
	case "BH", "fdr":
		return BenjaminiHochberg(p)
	case "BY":
		return BenjaminiYekutieli(p)
	case "none":
		return stepwise(p, func([]float64) {})
	}
	return nil, fmt.Errorf("adjustment method %q: %w", method, num.ErrBadParam)
}

// Levels are the confidence levels at which m comparisons are read together.
type Levels struct {
	Difference  float64 // of the intervals that show a difference: 1 − α/m
	Equivalence float64 // of the intervals that show equivalence within a margin: 1 − 2α/m
}

// Simultaneous returns the Bonferroni levels for a family of m comparisons at alpha: with intervals at these levels, the
// chance of any false verdict in the family stays below alpha, whatever the dependence.
//
// For m = 1, α = 0.05 they are 0.95 and 0.90; for m = 3 0.98333 and 0.96667. Equivalence is two one-sided tests at α/m each, hence
// twice the share. R: t.test(x, y, paired=TRUE, conf.level=1-alpha/m).
//
// Errors: ErrBadParam for m < 1 or alpha outside (0, 0.5).
func Simultaneous(alpha float64, m int) (Levels, error) {
	if m < 1 || !(alpha > 0 && alpha < .5) {
		return Levels{}, fmt.Errorf("levels of %d comparisons at %v: %w", m, alpha, num.ErrBadParam)
	}
	return Levels{Difference: 1 - alpha/float64(m), Equivalence: 1 - 2*alpha/float64(m)}, nil
}

package changepoint

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// enumerate tries every division of x into segments of at least minSegment values.
func enumerate(x []float64, penalty float64, minSegment int, cost func([]float64) float64) (best float64, changes []int) {
	best = math.Inf(1)
	var walk func(start int, sum float64, at []int)
	walk = func(start int, sum float64, at []int) {
		if total := sum + cost(x[start:]); total < best {
			best, changes = total, slices.Clone(at)
		}
		for c := start + minSegment; c <= len(x)-minSegment; c++ {
			walk(c, sum+cost(x[start:c])+penalty, append(at, c))
		}
	}
	walk(0, 0, nil)
	return best, changes
}

// optimal is the same minimum by dynamic programming without pruning, for longer series.
func optimal(x []float64, penalty float64, minSegment int, cost func([]float64) float64) float64 {
	best := make([]float64, len(x)+1)
	best[0] = -penalty
	for j := 1; j <= len(x); j++ {
		best[j] = math.Inf(1)
		for i := range j - minSegment + 1 {
			best[j] = min(best[j], best[i]+penalty+cost(x[i:j]))
		}
	}
	return best[len(x)]
}

func squaresOf(x []float64) float64 {
	mean := 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	ss := 0.0
	for _, v := range x {
		ss += (v - mean) * (v - mean)
	}
	return ss
}

// boundedLikelihood is the cost of PELTMeanVar for variances bounded by least.
func boundedLikelihood(least float64) func([]float64) float64 {
	return func(x []float64) float64 {
		m := float64(len(x))
		v := squaresOf(x) / m
		return m * (math.Log(2*math.Pi*max(v, least)) + v/max(v, least))
	}
}

// stepped draws a series whose mean and noise change at random places.
func stepped(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	level, sd := 0.0, 1.0
	for i := range x {
		if rng.Float64() < .15 {
			level, sd = 6*rng.NormFloat64(), math.Exp(rng.NormFloat64())
		}
		x[i] = level + sd*rng.NormFloat64()
	}
	return x
}

func TestPELTAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		n, minSegment := 1+rng.IntN(13), 1+rng.IntN(4)
		x, penalty := stepped(rng, n), 4*rng.Float64()
		got, err := PELTMean(x, penalty, minSegment)
		if err != nil {
			t.Fatal(err)
		}
		want, changes := enumerate(x, penalty, minSegment, squaresOf)
		if math.Abs(got.Cost-want) > 1e-9 || !slices.Equal(got.Changes, changes) {
			t.Fatalf("mean of %v, penalty %v, at least %d: %v %v, want %v %v",
				x, penalty, minSegment, got.Cost, got.Changes, want, changes)
		}
		if minSegment < 2 || n < 2 {
			continue
		}
		got, err = PELTMeanVar(x, penalty, minSegment)
		if err != nil {
			t.Fatal(err)
		}
		want, changes = enumerate(x, penalty, minSegment, boundedLikelihood(leastVariance(x, newSums(x))))
		if math.Abs(got.Cost-want) > 1e-6 || !slices.Equal(got.Changes, changes) {
			t.Fatalf("mean and variance of %v, penalty %v, at least %d: %v %v, want %v %v",
				x, penalty, minSegment, got.Cost, got.Changes, want, changes)
		}
	}
}

// Whole numbers repeat, so that the bound of the variance binds; long series exercise the pruning.
func TestPELTAgainstUnpruned(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		x := stepped(rng, 40+rng.IntN(60))
		for i := range x {
			x[i] = math.Round(x[i])
		}
		minSegment, penalty := 2+rng.IntN(6), 30*rng.Float64()
		mean, err := PELTMean(x, penalty, minSegment)
		if err != nil {
			t.Fatal(err)
		}
		if want := optimal(x, penalty, minSegment, squaresOf); math.Abs(mean.Cost-want) > 1e-7 {
			t.Fatalf("mean, at least %d: cost %v, want %v", minSegment, mean.Cost, want)
		}
		both, err := PELTMeanVar(x, penalty, minSegment)
		if err != nil {
			t.Fatal(err)
		}
		want := optimal(x, penalty, minSegment, boundedLikelihood(leastVariance(x, newSums(x))))
		if math.Abs(both.Cost-want) > 1e-7 {
			t.Fatalf("mean and variance, at least %d: cost %v, want %v", minSegment, both.Cost, want)
		}
	}
}

func TestMSERAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		batch := 1 + rng.IntN(4)
		x := stepped(rng, 2*batch+rng.IntN(40))
		k := len(x) / batch
		z := make([]float64, k)
		for j := range z {
			for _, v := range x[j*batch : (j+1)*batch] {
				z[j] += v / float64(batch)
			}
		}
		cut, least := 0, math.Inf(1)
		for d := range k/2 + 1 {
			if v := squaresOf(z[d:]) / float64((k-d)*(k-d)); v < least {
				cut, least = d, v
			}
		}
		r, err := MSER(x, batch)
		if err != nil || r.CutBatches != cut || math.Abs(r.Value-least) > 1e-9 || r.AtLimit != (cut == k/2) {
			t.Fatalf("%v in batches of %d: %+v %v, want cut %d value %v", x, batch, r, err, cut, least)
		}
	}
}

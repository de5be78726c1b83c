package study

import (
	"math"
	"math/rand/v2"

	"github.com/benchstat-http/benchstat-http/internal/calibrate/sim"
)

// world draws independent trials of one target, with their true mean and standard deviation.
type world struct {
	name     string
	draw     func(rng *rand.Rand) float64
	mean, sd float64
}

const (
	slowLevel   = .73
	wideSpread  = (1 - slowLevel) / 20 // within a tier: the levels are 20 of it apart
	clearSpread = (1 - slowLevel) / 40 // the same for tiers as clear as those seen in practice
	commonShare = .40
	rareShare   = .10
)

func normalWorld() world {
	return world{"normal", (*rand.Rand).NormFloat64, 0, 1}
}

// leftTail has most trials near the top and an exponential tail of slow ones.
func leftTail() world {
	return world{"exponential left tail", func(rng *rand.Rand) float64 { return -rng.ExpFloat64() }, -1, 1}
}

// levels mixes a slow level of 0.73 with a fast one of 1, the given share slow; spread is the sd within a level.
func levels(name string, slow, spread float64) world {
	gap := 1 - slowLevel
	return world{name, func(rng *rand.Rand) float64 {
		return tierLevel(rng, slow) + spread*rng.NormFloat64()
	}, 1 - slow*gap, math.Sqrt(slow*(1-slow)*gap*gap + spread*spread)}
}

func tierLevel(rng *rand.Rand, slow float64) float64 {
	if rng.Float64() < slow {
		return slowLevel
	}
	return 1
}

func commonTiers(spread float64) world {
	return levels("tiers 0.73 and 1, 40 % slow", commonShare, spread)
}

func rareTier(spread float64) world { return levels("rare slow tier, 10 %", rareShare, spread) }

func (w world) fill(rng *rand.Rand, x []float64) {
	for i := range x {
		x[i] = w.draw(rng)
	}
}

// yes is the output of a replicate that did or did not show an event.
func yes(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func simulate(table, name string, full int, cells []sim.Cell, build func() sim.Replicate) sim.Experiment {
	return sim.Experiment{Table: table, Name: name, Full: full, Cells: cells, New: build}
}

package study

import (
	"math"
	"math/rand/v2"
)

// schedule fills the order of 2n trials: 0 is the baseline A, 1 the candidate B.
type schedule func(rng *rand.Rand, arms []int)

func separate(_ *rand.Rand, arms []int) {
	for i := range arms {
		arms[i] = yesInt(i >= len(arms)/2)
	}
}

func alternating(_ *rand.Rand, arms []int) {
	for i := range arms {
		arms[i] = i % 2
	}
}

// coinBlocks decides the order within each block by a coin.
func coinBlocks(rng *rand.Rand, arms []int) {
	for i := 0; i < len(arms); i += 2 {
		arms[i] = rng.IntN(2)
		arms[i+1] = 1 - arms[i]
	}
}

// balancedBlocks runs A first in as many blocks as B, the blocks in random order: the order of this program.
func balancedBlocks(rng *rand.Rand, arms []int) {
	n, first := len(arms)/2, rng.IntN(2)
	for i, k := range rng.Perm(n) {
		arms[2*i] = (k + first) % 2
		arms[2*i+1] = 1 - arms[2*i]
	}
}

func fullRandom(rng *rand.Rand, arms []int) {
	alternating(rng, arms)
	rng.Shuffle(len(arms), func(i, j int) { arms[i], arms[j] = arms[j], arms[i] })
}

func yesInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// disturbance adds to ln y of the trials in time order what the machine does to them, whichever target runs.
type disturbance struct {
	name string
	add  func(rng *rand.Rand, e []float64)
}

func disturbances() []disturbance {
	return []disturbance{
		{"none", func(*rand.Rand, []float64) {}},
		{"AR(1), ρ 0.9, sd 2 %", addAR},
		{"linear drift, 6 % a session", addDrift},
		{"block shocks, sd 3 %", addShocks},
		{"second in pair, −1 %", addPosition},
	}
}

func addAR(rng *rand.Rand, e []float64) {
	const rho, sd = .9, .02
	v := sd * rng.NormFloat64()
	for i := range e {
		e[i] += v
		v = rho*v + sd*math.Sqrt(1-rho*rho)*rng.NormFloat64()
	}
}

func addDrift(_ *rand.Rand, e []float64) {
	for i := range e {
		e[i] += .06 * float64(i) / float64(len(e)-1)
	}
}

func addShocks(rng *rand.Rand, e []float64) {
	for i := 0; i < len(e); i += 2 {
		v := .03 * rng.NormFloat64()
		e[i] += v
		e[i+1] += v
	}
}

func addPosition(_ *rand.Rand, e []float64) {
	for i := 1; i < len(e); i += 2 {
		e[i] += math.Log(.99)
	}
}

// session is one run of two targets: rates in requests per second, in run order.
type session struct {
	arms         []int
	e            []float64
	base, cand   []float64
	order        schedule
	disturb      disturbance
	noise        func(rng *rand.Rand) float64 // of one trial, on the ln scale
	candidateOwn func(rng *rand.Rand) float64 // the candidate's noise when it differs
}

func newSession(n int, order schedule, d disturbance, noise func(rng *rand.Rand) float64) *session {
	return &session{arms: make([]int, 2*n), e: make([]float64, 2*n), order: order, disturb: d, noise: noise}
}

// run simulates with the candidate's true ln ratio and returns candidate and baseline; they are overwritten by the next
// run.
func (s *session) run(rng *rand.Rand, effect float64) (candidate, baseline []float64) {
	s.order(rng, s.arms)
	clear(s.e)
	s.disturb.add(rng, s.e)
	s.base, s.cand = s.base[:0], s.cand[:0]
	for i, arm := range s.arms {
		if arm == 1 {
			noise := s.noise
			if s.candidateOwn != nil {
				noise = s.candidateOwn
			}
			s.cand = append(s.cand, 1000*math.Exp(effect+s.e[i]+noise(rng)))
		} else {
			s.base = append(s.base, 1000*math.Exp(s.e[i]+s.noise(rng)))
		}
	}
	return s.cand, s.base
}

func gaussian(sd float64) func(*rand.Rand) float64 {
	return func(rng *rand.Rand) float64 { return sd * rng.NormFloat64() }
}

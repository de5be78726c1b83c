package demoserver

import (
	"math"
	"math/rand/v2"
	"time"
)

// Queue is the virtual queue: workers that each serve one request at a time, first come, first served. It knows no
// clock: times are offsets from the server's start. It is not safe for concurrent use.
type Queue struct {
	config  Config
	rng     *rand.Rand
	slow    bool // two-tier: what was drawn at the start
	free    []time.Duration
	count   int64
	started time.Duration // start of the first request's service
}

// Draw is what the law gave one request.
type Draw struct {
	Request    int64         `json:"request"` // 1…
	Arrival    time.Duration `json:"arrival_ns"`
	Start      time.Duration `json:"start_ns"`
	Service    time.Duration `json:"service_ns"`
	Completion time.Duration `json:"completion_ns"` // Start + Service, and the stall if it came between
	Worker     int           `json:"worker"`
	Status     int           `json:"status"`
	Slow       bool          `json:"slow,omitempty"` // drawn from the slow tier or the slow tail
}

// NewQueue returns an idle queue. The draws follow from the seed alone; seed 0 draws one.
func NewQueue(c Config) (*Queue, error) {
	c, err := c.checked()
	if err != nil {
		return nil, err
	}
	if c.Seed == 0 {
		c.Seed = rand.Uint64()
	}
	q := &Queue{config: c, rng: rand.New(rand.NewPCG(c.Seed, 0x64656d6f)), free: make([]time.Duration, c.Workers)}
	q.slow = c.Law == TwoTier && q.rng.Float64() < c.Probability
	return q, nil
}

// Tier is "slow" or "fast" for the two-tier law, and "" for the others.
func (q *Queue) Tier() string {
	switch {
	case q.config.Law != TwoTier:
		return ""
	case q.slow:
		return "slow"
	}
	return "fast"
}

// Admit gives a request that arrives now to the worker that is free first. Its service starts when it arrives, or
// when that worker has completed what it was given before; arrivals must not go back in time.
func (q *Queue) Admit(arrival time.Duration) Draw {
	worker := 0
	for i, at := range q.free {
		if at < q.free[worker] {
			worker = i
		}
	}
	q.count++
	d := Draw{Request: q.count, Arrival: arrival, Start: max(arrival, q.free[worker]), Worker: worker, Status: q.config.Status}
	if q.count == 1 {
		q.started = d.Start
	}
	d.Service = time.Duration(q.service(&d) * float64(q.config.Mean))
	d.Completion = d.Start + d.Service
	q.stall(&d)
	q.free[worker] = d.Completion
	return d
}

// stall delays what would begin, or is going on, while the server stands still.
func (q *Queue) stall(d *Draw) {
	from := q.started + q.config.StallAfter
	to := from + q.config.Stall
	switch {
	case d.Start >= from && d.Start < to:
		d.Start = to
		d.Completion = to + d.Service
	case d.Start < from && d.Completion > from:
		d.Completion += q.config.Stall
	}
}

// service draws a service time in units of the mean.
func (q *Queue) service(d *Draw) float64 {
	c := q.config
	age, before := d.Start-q.started, d.Request-1
	noise := 1.0
	if c.Sigma > 0 {
		noise = math.Exp(c.Sigma*q.rng.NormFloat64() - c.Sigma*c.Sigma/2)
	}
	switch c.Law {
	case Exponential:
		return q.rng.ExpFloat64()
	case TwoTier:
		if d.Slow = q.slow; d.Slow {
			return noise * c.Factor
		}
	case Warmup:
		x := age.Seconds() / c.Tau.Seconds()
		if c.TauRequests > 0 {
			x = float64(before) / float64(c.TauRequests)
		}
		return noise * (1 + c.Deficit*math.Exp(-x))
	case Drift:
		// A server never gets faster than 1 % of where it began.
		return noise * max(0.01, 1+c.Rate/100*age.Minutes())
	case Step:
		past := age >= c.After
		if c.AfterCount > 0 {
			past = before >= c.AfterCount
		}
		if past {
			return noise * c.Factor
		}
	case SlowTail:
		if d.Slow = q.rng.Float64() < c.Probability; d.Slow {
			return noise * c.Factor
		}
	case ErrorRate:
		if q.rng.Float64() < c.Probability {
			d.Status = c.ErrorStatus
		}
	}
	return noise
}

package engine

import (
	"math"
	"math/rand/v2"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// arrivals is the open loop: when its requests are due, and how well that was kept. Times are ns since the start of the
// run. It is not safe for concurrent use.
type arrivals struct {
	rate   float64 // per second
	random *rand.Rand
	left   int64   // arrivals still to come
	end    int64   // what is due then or later does not come
	index  int64   // of the next arrival
	at     float64 // when the next arrival is due

	sent, queued int64
	lag          *distribution // from due to sent, where a connection was free …
	wait         *distribution // … and where one had to be waited for
}

// arrivalStream sets the arrivals' random numbers apart from others that are drawn from the same seed.
const arrivalStream = 0x6172_7269_7661_6c73

// newArrivals is nil for a closed loop. Constant arrivals are the middles of intervals of 1/rate, so that n of them fit n
// intervals; the gaps of Poisson arrivals, the first included, follow the exponential distribution of mean 1/rate.
func newArrivals(c *Config) *arrivals {
	if c.Rate <= 0 {
		return nil
	}
	a := &arrivals{rate: c.Rate, left: c.Requests, end: math.MaxInt64, lag: newDistribution(), wait: newDistribution()}
	if c.Duration > 0 {
		a.left, a.end = math.MaxInt64, int64(c.Duration)
	}
	if c.Arrivals == result.ArrivalsPoisson {
		a.random = rand.New(rand.NewPCG(c.Seed, arrivalStream))
	}
	a.at = a.following(0)
	return a
}

// following is when the arrival after one that was due at t is due.
func (a *arrivals) following(t float64) float64 {
	if a.random != nil {
		return t + a.random.ExpFloat64()*1e9/a.rate
	}
	return (float64(a.index) + 0.5) * 1e9 / a.rate // not t + gap: rounding errors would add up
}

// due is when the next arrival is due; false when there is none.
func (a *arrivals) due() (int64, bool) {
	if a.left == 0 || a.at >= float64(a.end) {
		return 0, false
	}
	return int64(a.at), true
}

// next goes on to the arrival after the one that is due next.
func (a *arrivals) next() {
	a.left--
	a.index++
	a.at = a.following(a.at)
}

// took notes that an arrival was sent.
func (a *arrivals) took(due, now int64, queued bool) {
	a.sent++
	if queued {
		a.queued++
		a.wait.add(now - due)
	} else {
		a.lag.add(now - due)
	}
}

// lasts is the least time that the run takes: the gaps of constant arrivals belong to it, the last half of one too.
func (a *arrivals) lasts() int64 {
	if a.random != nil || a.left != 0 {
		return 0
	}
	return int64(float64(a.index) * 1e9 / a.rate)
}

// result states the schedule and how it was kept by a run that ended at last. It is called once.
func (a *arrivals) result(c *Config, last int64) *result.Schedule {
	s := &result.Schedule{Rate: a.rate, Arrivals: result.ArrivalsConstant, Sent: a.sent, Queued: a.queued}
	if a.random != nil {
		s.Arrivals, s.Seed = result.ArrivalsPoisson, &c.Seed
	}
	s.Lag, s.Wait = a.lag.result(), a.wait.result()
	for at, ok := a.due(); ok && at < last; at, ok = a.due() {
		s.Unsent++
		a.next()
	}
	return s
}

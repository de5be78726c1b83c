// Package demoserver is an HTTP server whose service times follow a known law. It is the ground truth for tests and
// the quickstart: a virtual queue with absolute deadlines decides when each reply leaves, so that the saturated
// throughput is workers / mean service time whatever the scheduler does.
package demoserver

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// The laws of service times. See docs/demo-server.md for their formulas.
const (
	Constant    = "constant"
	Exponential = "exponential"
	Lognormal   = "lognormal"
	TwoTier     = "two-tier"
	Warmup      = "warmup"
	Drift       = "drift"
	Step        = "step"
	SlowTail    = "slow-tail"
	ErrorRate   = "error-rate"
)

// Laws lists every law.
var Laws = []string{Constant, Exponential, Lognormal, TwoTier, Warmup, Drift, Step, SlowTail, ErrorRate}

// Config says what the server does. AddFlags fills in the defaults.
type Config struct {
	Addr    string        // host:port to listen on
	Port    int           // when not 0, listen on this port of 127.0.0.1 instead
	Law     string        // one of Laws; "" is constant
	Mean    time.Duration // mean service time of the undisturbed law; 0 is 2 ms
	Workers int           // requests served at the same time; 0 is 1

	Sigma       float64       // lognormal: standard deviation of ln(service time); the other laws: noise of mean 1
	Factor      float64       // two-tier, step, slow-tail: how many times longer the slow ones take
	Probability float64       // two-tier: of a slow process; slow-tail, error-rate: of such a request
	Deficit     float64       // warmup: the first request takes 1 + Deficit times as long
	Tau         time.Duration // warmup: time constant since the first request
	TauRequests int64         // warmup: time constant in requests, instead of Tau when not 0
	Rate        float64       // drift: change of the service time in % per minute since the first request
	After       time.Duration // step: when, since the first request
	AfterCount  int64         // step: after how many requests, instead of After when not 0
	Stall       time.Duration // every worker stands still for so long, once, whatever the law; 0 = never …
	StallAfter  time.Duration // … at this time since the first request
	ErrorStatus int           // error-rate: status of the failing replies; 0 is 500
	Seed        uint64        // of the draws; 0 draws a seed

	Status  int  // of the replies; 0 is 200
	Size    int  // body bytes
	Chunked bool // chunked transfer encoding instead of Content-Length
	Close   bool // close every connection after its reply

	TruthPath string    // file that gets the realised draws as JSON lines
	Truth     io.Writer // the same, for use as a library
	Log       io.Writer // told one line when the server is ready
}

// AddFlags defines the flags of the serve command, and sets the defaults.
func AddFlags(fs *pflag.FlagSet, c *Config) {
	fs.StringVar(&c.Addr, "addr", "127.0.0.1:8080", "address to listen on; port 0 takes a free one")
	fs.IntVar(&c.Port, "port", 0, "listen on this port of 127.0.0.1, instead of --addr")
	fs.StringVar(&c.Law, "law", Constant, "law of service times: "+strings.Join(Laws, ", "))
	fs.DurationVar(&c.Mean, "mean", 2*time.Millisecond, "mean service time")
	fs.IntVar(&c.Workers, "workers", 1, "requests served at the same time")
	fs.Float64Var(&c.Sigma, "sigma", 0, "standard deviation of ln(service time) (lognormal: default 0.5)")
	fs.Float64Var(&c.Factor, "factor", 2, "two-tier, step, slow-tail: slow ones take this many times longer")
	fs.Float64Var(&c.Probability, "probability", 0, "two-tier: of a slow process (default 0.5); slow-tail, error-rate: of a request (default 0.01)")
	fs.Float64Var(&c.Deficit, "deficit", 0.5, "warmup: the first request takes 1 + deficit times as long")
	fs.DurationVar(&c.Tau, "tau", time.Second, "warmup: time constant")
	fs.Int64Var(&c.TauRequests, "tau-requests", 0, "warmup: time constant in requests, instead of --tau")
	fs.Float64Var(&c.Rate, "rate-percent", 1, "drift: change of the service time in % per minute")
	fs.DurationVar(&c.After, "after", 10*time.Second, "step: when, since the first request")
	fs.Int64Var(&c.AfterCount, "after-requests", 0, "step: after so many requests, instead of --after")
	fs.DurationVar(&c.Stall, "stall", 0, "stand still for so long, once, whatever the law")
	fs.DurationVar(&c.StallAfter, "stall-after", 2*time.Second, "when to stand still, since the first request")
	fs.IntVar(&c.ErrorStatus, "error-status", 500, "error-rate: status of the failing replies")
	fs.Uint64Var(&c.Seed, "seed", 0, "seed of the draws; 0 draws one")
	fs.IntVar(&c.Status, "status", 200, "status of the replies")
	fs.IntVar(&c.Size, "size", 1024, "body bytes")
	fs.BoolVar(&c.Chunked, "chunked", false, "send the body in chunks")
	fs.BoolVar(&c.Close, "close", false, "close every connection after its reply")
	fs.StringVar(&c.TruthPath, "truth", "", "write the realised draws to this file, as JSON lines")
}

// checked fills in what zero means, and refuses what makes no sense.
func (c Config) checked() (Config, error) {
	setDefault(&c.Law, Constant)
	setDefault(&c.Mean, 2*time.Millisecond)
	setDefault(&c.Workers, 1)
	setDefault(&c.Status, 200)
	setDefault(&c.ErrorStatus, 500)
	setDefault(&c.Factor, 2)
	setDefault(&c.Tau, time.Second)
	switch c.Law {
	case Lognormal:
		setDefault(&c.Sigma, 0.5)
	case TwoTier:
		setDefault(&c.Probability, 0.5)
	case SlowTail, ErrorRate:
		setDefault(&c.Probability, 0.01)
	}
	unit := func(v float64) bool { return v >= 0 && v <= 1 }
	positive := func(v float64) bool { return v > 0 && !math.IsInf(v, 0) }
	for _, rule := range []struct {
		holds bool
		what  string
	}{
		{slices.Contains(Laws, c.Law), fmt.Sprintf("unknown law %q: use one of %s", c.Law, strings.Join(Laws, ", "))},
		{c.Mean > 0, "mean must be above 0"},
		{c.Workers >= 1, "workers must be at least 1"},
		{c.Sigma >= 0 && c.Sigma <= 5, "sigma must lie between 0 and 5"},
		{positive(c.Factor), "factor must be above 0"},
		{unit(c.Probability), "probability must lie between 0 and 1"},
		{c.Deficit > -1 && !math.IsInf(c.Deficit, 0), "deficit must be above -1"},
		{c.Tau > 0 && c.TauRequests >= 0, "tau must be above 0"},
		{!math.IsNaN(c.Rate) && !math.IsInf(c.Rate, 0), "rate-percent must be a number"},
		{c.After >= 0 && c.AfterCount >= 0, "after must not be negative"},
		{c.Stall >= 0 && c.StallAfter >= 0, "stall and stall-after must not be negative"},
		{c.Size >= 0, "size must not be negative"},
		{c.Port >= 0 && c.Port <= 65535, "port must lie between 0 and 65535"},
		{c.Status >= 200 && c.Status <= 599, "status must lie between 200 and 599"},
		{c.ErrorStatus >= 200 && c.ErrorStatus <= 599, "error-status must lie between 200 and 599"},
	} {
		if !rule.holds {
			return c, fmt.Errorf("configure the demo server: %s", rule.what)
		}
	}
	return c, nil
}

func setDefault[T comparable](v *T, to T) {
	var zero T
	if *v == zero {
		*v = to
	}
}

package runner

import (
	"context"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// Job is one run of load that the runner asks a Driver for: a trial, or the warm-up before it.
type Job struct {
	Target result.Target
	URL    string // with {port} resolved
	// Load is the target's load; for a warm-up its Requests is the warm-up's count and DurationSeconds is 0.
	Load   result.Load
	Warmup bool // nothing of it is counted
	// ArrivalSeed is the seed of the load's Poisson arrivals: the same for all targets of a block, so that chance gives
	// none of them an easier schedule.
	ArrivalSeed uint64
	// Progress, when not nil, is called from time to time with the number of requests ended so far.
	Progress func(done int64)
}

// Driver sends one Job's load and reports what happened. It is the only seam to whatever sends load.
//
// Run returns when the job is done. When ctx is cancelled it stops at once, and reports what was measured with
// Interrupted set. Whatever the server does is part of the Measurement, never an error; an error means that no load
// could be sent for a reason on our side (bad URL, missing tool), and ends the experiment.
type Driver interface {
	Run(ctx context.Context, job Job) (result.Measurement, error)
}

// Servers controls the processes that the plan's targets name. A target without servers is always up.
type Servers interface {
	// Start makes target i (an index into the plan's targets) ready for load, and returns its URL with {port}
	// resolved, and the ordinal of this start (1…; 0 when the target has no servers). Started already: no-op.
	Start(ctx context.Context, i int) (url string, restart int, err error)
	// Check returns an error that shows the end of the log when a server of target i has died.
	Check(i int) error
	// Stop ends target i's servers in reverse order and waits until they are gone.
	Stop(i int) error
	// Close stops everything that is still up.
	Close() error
}

// Journal keeps what was measured. Append returns when the trial is on disk.
type Journal interface {
	Append(t *result.Trial) error
	End(e result.End) error
}

// Observer is told what happens, for progress output. Its methods must return quickly.
type Observer interface {
	WarmupStarted(target string, block int)
	TrialStarted(target string, block int, requests int64)
	TrialProgress(done int64)
	TrialEnded(t result.Trial)
	CooldownStarted(seconds float64)
}

package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/benchstat-http/benchstat-http/pkg/result"
	"github.com/benchstat-http/benchstat-http/pkg/runner"
)

// trialUnits is the length of one trial on the progress bar.
const trialUnits = 1000

// newObserver returns the progress output that fits w: one bar with the time left on a terminal, else one line a
// trial; nothing when quiet.
func newObserver(w io.Writer, plan result.Plan, done int, quiet bool) runner.Observer {
	total := 0
	for _, row := range plan.Schedule {
		total += len(row)
	}
	switch {
	case quiet:
		return silentObserver{}
	case isTerminal(w):
		return newBarObserver(w, total, done)
	default:
		return &lineObserver{w: w, total: total, done: done}
	}
}

type silentObserver struct{}

func (silentObserver) WarmupStarted(string, int)       {}
func (silentObserver) TrialStarted(string, int, int64) {}
func (silentObserver) TrialProgress(int64)             {}
func (silentObserver) TrialEnded(result.Trial)         {}
func (silentObserver) CooldownStarted(float64)         {}

// lineObserver writes one line when a trial has ended.
type lineObserver struct {
	silentObserver
	w           io.Writer
	total, done int
}

func (o *lineObserver) TrialEnded(t result.Trial) {
	o.done++
	_, _ = fmt.Fprintf(o.w, "[%d/%d] %s\n", o.done, o.total, describeTrial(t))
}

// describeTrial is the one-line account of a trial: its place, its rate, and why it does not count if it does not.
func describeTrial(t result.Trial) string {
	var b strings.Builder
	if t.Block > 0 {
		fmt.Fprintf(&b, "block %d  ", t.Block)
	}
	fmt.Fprintf(&b, "%s trial %d: ", t.Target, t.Trial)
	if t.RPS != nil {
		fmt.Fprintf(&b, "%.2f req/s", *t.RPS)
	} else {
		b.WriteString("no rate")
	}
	if t.Requests != nil && t.Failed != nil {
		fmt.Fprintf(&b, ", %d requests, %d failed", *t.Requests, *t.Failed)
	}
	if t.Seconds != nil {
		fmt.Fprintf(&b, ", %.2f s", *t.Seconds)
	}
	if !t.Valid {
		fmt.Fprintf(&b, "; not counted: %s", t.InvalidBecause)
	}
	return b.String()
}

// barObserver draws one bar over all trials.
type barObserver struct {
	mu       sync.Mutex
	bar      *progressbar.ProgressBar
	done     int
	requests int64
	label    string
}

func newBarObserver(w io.Writer, total, done int) *barObserver {
	bar := progressbar.NewOptions(total*trialUnits,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetWidth(24),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
	o := &barObserver{bar: bar, done: done}
	_ = bar.Set(done * trialUnits)
	return o
}

func (o *barObserver) describe(what, target string, block int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.label = target
	if block > 0 {
		what = fmt.Sprintf("block %d, %s", block, what)
	}
	o.bar.Describe(fmt.Sprintf("%s: %s", target, what))
}

func (o *barObserver) WarmupStarted(target string, block int) { o.describe("warm-up", target, block) }

func (o *barObserver) TrialStarted(target string, block int, requests int64) {
	o.describe("trial", target, block)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.requests = requests
}

func (o *barObserver) TrialProgress(done int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.requests > 0 {
		_ = o.bar.Set(o.done*trialUnits + int(min(done*trialUnits/o.requests, trialUnits)))
	}
}

func (o *barObserver) TrialEnded(t result.Trial) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.done++
	_ = o.bar.Set(o.done * trialUnits)
	if !t.Valid {
		_ = o.bar.Clear()
		o.bar.Describe(describeTrial(t))
	}
}

func (o *barObserver) CooldownStarted(float64) { o.describe("cool-down", o.label, 0) }

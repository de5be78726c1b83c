package engine

import (
	"strconv"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// measurement states what was measured, after all attempts have ended.
func (r *run) measurement() result.Measurement {
	all := r.recorders[0]
	for _, rec := range r.recorders[1:] {
		all.merge(rec)
	}
	requests := all.ok + all.failed
	m := result.Measurement{
		Requests: &requests, OK: &all.ok, Failed: &all.failed, Non2xx: &all.non2xx,
		Concurrency: &r.cfg.Concurrency,
		Status:      statusCounts(all), Errors: errorCounts(all),
		Connect: all.connect.result(), Wait: all.wait.result(), Total: all.total.result(),
		FailedTotal: all.failedTotal.result(), CensoredTotal: all.censoredTotal.result(),
		Intervals:  &result.Intervals{WidthMS: int(intervalWidth / time.Millisecond), Counts: all.intervals},
		Engine:     "native",
		Path:       r.name,
		FirstError: all.firstError,
		Aborted:    r.dead.Load(), Interrupted: r.interrupted,
	}
	if r.cfg.Duration == 0 && !r.interrupted && all.longest < 0 && all.failed > 0 {
		m.Aborted = true // fewer attempts were planned than a dead target gets, and all of them failed
	}
	if a := r.target.chosen.Load(); a != nil {
		m.Remote = *a
	}
	if all.longest >= 0 {
		m.DocumentLength, m.BodyLengthMin, m.BodyLengthMax = &all.firstBody, &all.shortest, &all.longest
	}
	r.setRates(&m, all)
	r.setConnections(&m)
	r.setSchedule(&m, all)
	r.setPhases(&m, all, requests)
	return m
}

// setRates sets the times and the quantities per time.
func (r *run) setRates(m *result.Measurement, all *recorder) {
	var bytes, body int64
	for t := range r.path.tallies() {
		bytes += t.received
		body += t.body
	}
	m.Bytes, m.BodyBytes = &bytes, &body
	ns := all.last
	if r.halted && !r.dead.Load() { // a timed run lasts as long as it was given, an interrupted one until it was
		ns = max(ns, r.stoppedAt)
	} else if r.arrivals != nil {
		ns = max(ns, r.arrivals.lasts())
	}
	seconds := float64(ns) / 1e9
	m.Seconds = &seconds
	if seconds > 0 {
		m.RPS = new(float64(all.ok) / seconds)
		m.BytesPerSecond = new(float64(bytes) / seconds)
	}
}

func (r *run) setConnections(m *result.Measurement) {
	m.Connections = &result.Connections{}
	for t := range r.path.tallies() {
		m.Connections.Opened += t.opened
		m.Connections.Lost += t.lost
	}
}

// setSchedule names the times of an open loop, and says how its schedule was kept.
func (r *run) setSchedule(m *result.Measurement, all *recorder) {
	if r.arrivals == nil {
		return
	}
	m.Service, m.Response, m.Total = m.Total, all.response.result(), nil
	last := all.last
	if r.halted {
		last = r.stoppedAt
	}
	m.Schedule = r.arrivals.result(r.cfg, last)
}

// setPhases sets what tells the start of the run from its body, and its body from its drain. After the last issue each
// connection can complete one request at most, the one in flight; so counting those is exact.
func (r *run) setPhases(m *result.Measurement, all *recorder, requests int64) {
	lastIssue, after := int64(-1), int64(0)
	for t := range r.path.tallies() {
		lastIssue = max(lastIssue, t.lastIssue)
	}
	if requests == 0 || lastIssue < 0 { // the name did not resolve: nothing was sent
		return
	}
	for t := range r.path.tallies() {
		if t.lastEnd > lastIssue {
			after++
		}
	}
	// An attempt that was on its way when the run stopped may begin a moment later.
	m.TLastIssue = new(min(float64(lastIssue)/1e9, *m.Seconds))
	m.CompletedAtLastIssue = new(requests - after)
	m.T10 = new(float64(min(all.ends.kth((requests+9)/10), all.last)) / 1e9)
}

func statusCounts(all *recorder) map[string]int64 {
	counts := map[string]int64{}
	for code, n := range all.status {
		if n > 0 {
			counts[strconv.Itoa(code)] = n
		}
	}
	return counts
}

func errorCounts(all *recorder) map[string]int64 {
	counts := map[string]int64{}
	for class, n := range all.errors {
		counts[string(class)] = n
	}
	return counts
}

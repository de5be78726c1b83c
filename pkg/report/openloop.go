package report

import (
	"fmt"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// Limits of the findings about a schedule.
const (
	maxLateShare = 0.001 // of the requests that were due
	maxLag       = 1e6   // ns at the 99th percentile, of requests that a connection was free for
)

// scheduleFindings is about an open loop whose requests were not sent when they were due, and about its rate.
func (a *arm) scheduleFindings() []Finding {
	var out []Finding
	if f, ok := a.missedSchedule(); ok {
		out = append(out, f)
	}
	if s := a.schedule(); s != nil && a.metric.name == "rps" {
		out = append(out, find("rate-limited", "%s was asked for %s requests/s: it cannot show more, whatever it could do.", a.in.Name, rateText(s.Rate)))
	}
	return out
}

// schedule is that of the first counted trial; nil for a closed loop.
func (a *arm) schedule() *result.Schedule {
	if len(a.counted) == 0 {
		return nil
	}
	return a.counted[0].Schedule
}

// missedSchedule sums up how the counted trials kept their schedules.
func (a *arm) missedSchedule() (Finding, bool) {
	var due, queued, unsent, longest, lag int64
	missed := false
	for _, t := range a.counted {
		s := t.Schedule
		if s == nil {
			continue
		}
		due += s.Sent + s.Unsent
		queued += s.Queued
		unsent += s.Unsent
		if s.Wait != nil {
			longest = max(longest, s.Wait.Max)
		}
		missed = missed || float64(s.Queued+s.Unsent) > maxLateShare*float64(s.Sent+s.Unsent)
		if s.Lag == nil {
			continue
		}
		if p, ok := s.Lag.Quantile(p99.q); ok && p > maxLag {
			missed = true
			lag = max(lag, p)
		}
	}
	if !missed {
		return Finding{}, false
	}
	var parts []string
	if queued > 0 {
		parts = append(parts, fmt.Sprintf("%s of %s requests that were due had to wait for a connection (longest %s ms)",
			countText(queued), countText(due), significant(milliseconds(longest), 3)))
	}
	if unsent > 0 {
		parts = append(parts, fmt.Sprintf("%s were not sent before their trial ended", countText(unsent)))
	}
	if lag > 0 {
		parts = append(parts, fmt.Sprintf("this machine itself was late by %s ms at the 99th percentile of a trial", significant(milliseconds(lag), 3)))
	}
	f := find("missed-schedule", "The schedule of %s was not kept: %s. Response times count it.", a.in.Name, strings.Join(parts, ", "))
	if queued+unsent == 0 {
		f.Advice = "Lower --rate, or give the program a processor of its own."
	}
	return f, true
}

package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// printPlan prints what would be measured, and sends nothing.
func printPlan(s streams, x *experiment) error {
	p := x.plan.Redacted(x.secrets)
	var b strings.Builder
	fmt.Fprintf(&b, "plan: %s\n", p.Name)
	for _, t := range p.Targets {
		fmt.Fprintf(&b, "target %s: %s %s, %d connections, keep-alive %s%s: %s\n",
			t.Name, t.Request.Method, t.URL, t.Load.Concurrency, onOff(t.Load.KeepAlive), pacing(t.Load), totalLoad(t, p.Blocks))
	}
	fmt.Fprintf(&b, "order: %s, seed %d\n", p.Order, p.Seed)
	for i, row := range p.Schedule {
		names := make([]string, len(row))
		for j, target := range row {
			names[j] = p.Targets[target].Name
		}
		fmt.Fprintf(&b, "%4d: %s\n", i+1, strings.Join(names, ", "))
	}
	fmt.Fprintf(&b, "decision: margin %g %%, alpha %g, test %s, metric %s\n", 100*p.Margin, p.Alpha, p.Test, p.Metric)
	fmt.Fprintf(&b, "time: at least %s%s\n", leastTime(p).Round(100*time.Millisecond), timeNote(p))
	fmt.Fprintf(&b, "result file: %s\n", x.path)
	_, err := fmt.Fprint(s.out, b.String())
	return err
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// pacing says when an open loop sends.
func pacing(l result.Load) string {
	if l.Rate == 0 {
		return ""
	}
	return fmt.Sprintf(", %g requests/s with %s arrivals", l.Rate, l.Arrivals)
}

// leastTime is the time that the plan takes before any request: cool-downs, and trials whose duration or rate is given.
func leastTime(p result.Plan) time.Duration {
	total := 0.0
	trials := 0
	for _, t := range p.Targets {
		total += float64(p.Blocks) * t.Load.DurationSeconds
		if t.Load.Rate > 0 && t.Load.DurationSeconds == 0 {
			total += float64(p.Blocks) * float64(t.Load.Requests) / t.Load.Rate
		}
		trials += p.Blocks
	}
	total += float64(max(trials-1, 0)) * p.CooldownSeconds
	return time.Duration(total * float64(time.Second))
}

// timeNote says what leastTime cannot know.
func timeNote(p result.Plan) string {
	for _, t := range p.Targets {
		if t.Load.DurationSeconds == 0 && t.Load.Rate == 0 {
			return " of pauses, and the time the servers take to answer"
		}
	}
	return ", and the warm-up"
}

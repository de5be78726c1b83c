//go:build linux

package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/benchstat-http/benchstat-http/internal/environ"
	"github.com/benchstat-http/benchstat-http/pkg/analysis/resample"
)

var levelNames = [...]string{"p50", "p90", "p99", "p99.9", "max"}

// document is the page that the measurements make.
func document(schedules []kept, t told, rounds int, seconds float64) string {
	var b strings.Builder
	b.WriteString("# How the open loop keeps its schedule, and what it tells of a stall\n\n")
	fmt.Fprintf(&b, "%s, %s. Written by `make bench-schedule`: the demo server on processor %s, each client on processor %s,\n",
		time.Now().UTC().Format("2006-01-02"), machine(), serverCPU, clientCPU)
	fmt.Fprintf(&b, "%d round(s) of %g s a client, one after the other within a round. Every figure is the median over the rounds [least, greatest].\n", rounds, seconds)
	b.WriteString("\n## Send errors\n\nFrom the instant a request is due until its first byte is about to be handed to the kernel, in µs, where a connection was free. The two\n")
	b.WriteString("threads send nothing: the first is as exact as this machine can be, the second is what timers of whole milliseconds give. CPU is the client's\nshare of one processor.\n")
	for _, rate := range rates {
		fmt.Fprintf(&b, "\n### %g requests/s\n\n| client | n | p50 | p99 | p99.9 | max | achieved rate | CPU |\n|---|--:|--:|--:|--:|--:|--:|--:|\n", rate)
		for _, k := range schedules {
			if k.rate == rate {
				row(&b, k)
			}
		}
	}
	stallTable(&b, t)
	return b.String()
}

func row(b *strings.Builder, k kept) {
	fmt.Fprintf(b, "| %s | %d", k.kind, len(k.runs))
	for _, i := range []int{0, 2, 3, 4} {
		b.WriteString(" | " + spread(k.runs, 1, func(o outcome) float64 { return float64(o.Lag[i]) / 1e3 }))
	}
	if k.kind == kindSpin || k.kind == kindTimer {
		b.WriteString(" | | |\n")
		return
	}
	fmt.Fprintf(b, " | %s | %s |\n",
		spread(k.runs, 2, func(o outcome) float64 { return float64(o.Requests) / o.Seconds }),
		spread(k.runs, 2, func(o outcome) float64 { return o.CPU / o.Seconds }))
}

func stallTable(b *strings.Builder, t told) {
	fmt.Fprintf(b, "\n## A server that stalls once\n\nLognormal service times of mean 1 ms (σ = 0.5), enough workers for all, and %s in which nothing is served, %s after the first\n", stall, stallAfter)
	fmt.Fprintf(b, "request; %g requests/s, in ms. The truth is the server's own account, `serve --truth`: from when a request was due until it was\n", honestRate)
	b.WriteString("served. A closed loop of one connection sends nothing during the stall, which therefore is one slow request among thousands to it.\n\n")
	b.WriteString("| percentile | truth | response time | difference | service time | closed loop |\n|---|--:|--:|--:|--:|--:|\n")
	ms := func(f func(outcome) quantiles, i int) func(outcome) float64 {
		return func(o outcome) float64 { return float64(f(o)[i]) / 1e6 }
	}
	response := func(o outcome) quantiles { return o.Response }
	service := func(o outcome) quantiles { return o.Service }
	for i, name := range levelNames {
		difference := make([]outcome, len(t.open))
		for j := range t.open {
			difference[j].Response[i] = t.open[j].Response[i] - t.truth[j].Response[i]
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", name, spread(t.truth, 2, ms(response, i)), spread(t.open, 2, ms(response, i)),
			spread(difference, 2, ms(response, i)), spread(t.open, 2, ms(service, i)), spread(t.closed, 2, ms(service, i)))
	}
}

// spread is the median of a figure over the rounds, and its extremes.
func spread(runs []outcome, digits int, f func(outcome) float64) string {
	x := make([]float64, len(runs))
	for i, o := range runs {
		x[i] = f(o)
	}
	if len(x) == 0 {
		return ""
	}
	return fmt.Sprintf("%.*f [%.*f, %.*f]", digits, resample.Median(x), digits, slices.Min(x), digits, slices.Max(x))
}

// machine names the processor and the kernel.
func machine() string {
	facts := environ.Collect("/")
	return fmt.Sprintf("%v × %v, Linux %v, %v", facts["cpus"], facts["cpu_model"], facts["kernel"], facts["go_version"])
}

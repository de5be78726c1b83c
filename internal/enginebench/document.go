//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/analysis/resample"
)

const resamples = 10000

// document is the page that the measurements make.
func document(all []series, rounds int, seconds float64, machine string) string {
	var b strings.Builder
	b.WriteString("# What a request costs the native engine and others\n\n")
	fmt.Fprintf(&b, "%s, %s.\n\nWritten by `make bench-engine`: nginx with one worker on processor %s, each client on processor %s,\n",
		time.Now().UTC().Format("2006-01-02"), machine, serverCPU, clientCPU)
	fmt.Fprintf(&b, "%d round(s) of %g s a client, in random order within a round. Costs are CPU time of the client, start and end of the process\n", rounds, seconds)
	b.WriteString("included, per request: medians over the rounds [least, greatest]. The ratio is of medians, native ÷ the client, with a 95 % bootstrap\n")
	b.WriteString("interval that resamples rounds: below 1, the native engine is cheaper. The machine is a noisy guest with shared processors; compare only\n")
	b.WriteString("within a table.\n")
	for _, s := range all {
		fmt.Fprintf(&b, "\n## %s\n\n| client | n | CPU µs/request | of which user | requests/s | RSS, MB | native ÷ client |\n|---|--:|--:|--:|--:|--:|--:|\n", title(s.name))
		for i, c := range s.clients {
			runs := s.runs[i]
			total := each(runs, cost.total)
			fmt.Fprintf(&b, "| %s | %d | %.2f [%.2f, %.2f] | %.2f | %.0f | %.1f | %s |\n", c.name, len(runs),
				resample.Median(total), slices.Min(total), slices.Max(total),
				resample.Median(each(runs, func(c cost) float64 { return c.user })),
				resample.Median(each(runs, func(c cost) float64 { return float64(c.requests) / c.seconds })),
				resample.Median(each(runs, func(c cost) float64 { return c.rss })), ratioText(each(s.runs[0], cost.total), total, i))
		}
	}
	return b.String()
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func each(runs []cost, f func(cost) float64) []float64 {
	out := make([]float64, len(runs))
	for i, r := range runs {
		out[i] = f(r)
	}
	return out
}

func ratioText(x, y []float64, i int) string {
	if i == 0 {
		return ""
	}
	value, low, high := ratio(x, y)
	return fmt.Sprintf("%.3f [%.3f, %.3f]", value, low, high)
}

// ratio is the ratio of the medians of x and y, measured in rounds, and its 95 % percentile interval.
func ratio(x, y []float64) (value, low, high float64) {
	rng := rand.New(rand.NewPCG(3, 4))
	rx, ry, ratios := make([]float64, len(x)), make([]float64, len(y)), make([]float64, resamples)
	for i := range ratios {
		for j := range rx {
			k := rng.IntN(len(x))
			rx[j], ry[j] = x[k], y[k]
		}
		ratios[i] = resample.Median(rx) / resample.Median(ry)
	}
	slices.Sort(ratios)
	return resample.Median(x) / resample.Median(y), ratios[resamples*25/1000], ratios[resamples*975/1000]
}

// machine names the processor, the kernel and the tools.
func machine() string {
	parts := []string{fmt.Sprintf("%d × %s", runtime.NumCPU(), model()), "Linux " + field("uname", "-r"), runtime.Version()}
	for _, t := range [][]string{{"nginx", "-v"}, {"wrk", "-v"}, {"ab", "-V"}, {"h2load", "--version"}} {
		if out := field(t[0], t[1:]...); out != "" {
			parts = append(parts, out)
		}
	}
	return strings.Join(parts, ", ")
}

func model() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	for line := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown processor"
}

// field is the first line that a command prints, without what follows a comma or a bracket.
func field(name string, args ...string) string {
	out, _ := exec.Command(name, args...).CombinedOutput() //nolint:noctx // some print their version and fail
	line, _, _ := strings.Cut(string(out), "\n")
	for _, end := range []string{"[", "<", ","} {
		line, _, _ = strings.Cut(line, end)
	}
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(line, "nginx version: "), "This is "))
}

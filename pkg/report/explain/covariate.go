package explain

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// Covariate is one figure of every trial. A value is NaN where the trial does not show it.
type Covariate struct {
	Name   string // with its unit: connect_mean_ms
	Values []float64
}

// Covariates returns the figures of the trials, in the trials' order, that all of them show and in which they differ.
// Left out are those that are the rate in another form (rps, seconds, bytes per second) and the one named except, which
// is what the tiers are made of. Numbers among the fields that this version does not know are figures too.
func Covariates(trials []result.Trial, except string) []Covariate {
	byName := map[string][]float64{}
	for i, t := range trials {
		for name, v := range figures(t, trials[0].Started) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				continue
			}
			if byName[name] == nil {
				byName[name] = slices.Repeat([]float64{math.NaN()}, len(trials))
			}
			byName[name][i] = v
		}
	}
	var out []Covariate
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		v := byName[name]
		if name == except || slices.ContainsFunc(v, math.IsNaN) || slices.Min(v) == slices.Max(v) {
			continue
		}
		out = append(out, Covariate{Name: name, Values: v})
	}
	return out
}

// figures is everything that one trial shows, by name.
func figures(t result.Trial, start time.Time) map[string]float64 {
	out := map[string]float64{
		"trial": float64(t.Trial), "block": float64(t.Block), "position": float64(t.Position), "restart": float64(t.Restart),
	}
	if !t.Started.IsZero() && !start.IsZero() {
		out["started_s"] = t.Started.Sub(start).Seconds()
	}
	counts(out, t)
	latencies(out, t)
	perRequest(out, "client_cpu_us_per_request", t.ClientCPUSeconds, t.Requests)
	perRequest(out, "server_cpu_us_per_request", t.ServerCPUSeconds, t.Requests)
	for key, raw := range t.Extra {
		var v float64
		if json.Unmarshal(raw, &v) == nil {
			out[key] = v
		}
	}
	return out
}

func counts(out map[string]float64, t result.Trial) {
	for name, n := range map[string]*int64{
		"requests": t.Requests, "failed": t.Failed, "non2xx": t.Non2xx, "bytes": t.Bytes,
		"body_bytes": t.BodyBytes, "document_length": t.DocumentLength,
	} {
		if n != nil {
			out[name] = float64(*n)
		}
	}
	if t.Concurrency != nil {
		out["concurrency"] = float64(*t.Concurrency)
	}
	for class, n := range t.Errors {
		out["errors_"+strings.ReplaceAll(class, "-", "_")] = float64(n)
	}
	for code, n := range t.Status {
		out["status_"+code] = float64(n)
	}
}

// latencies are means of the phases of a request: measured here, or printed by another tool.
func latencies(out map[string]float64, t result.Trial) {
	for name, h := range map[string]*result.Histogram{"connect": t.Connect, "waiting": t.Wait, "total": t.Total, "service": t.Service, "response": t.Response} {
		if h == nil || h.N() == 0 {
			continue
		}
		out[name+"_mean_ms"] = h.Mean() / 1e6
		out[name+"_max_ms"] = float64(h.Max) / 1e6
	}
	for phase, figures := range t.ConnectionTimes {
		for _, key := range []string{"mean", "max"} {
			if v, ok := figures[key]; ok {
				out[phase+"_"+key+"_ms"] = v
			}
		}
	}
}

func perRequest(out map[string]float64, name string, seconds *float64, requests *int64) {
	if seconds != nil && requests != nil && *requests > 0 {
		out[name] = *seconds / float64(*requests) * 1e6
	}
}

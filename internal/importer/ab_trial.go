package importer

import (
	"encoding/json"
	"maps"
	"math"
	"strconv"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// trial turns a run into a trial. What the page does not show stays nil.
func (r *abRun) trial(file string) result.Trial {
	r.dropCutValue()
	t := result.Trial{
		Type: "trial", URL: r.url(), ServerSoftware: r.software, ConnectionTimes: r.connection, LatencyMS: r.latency(),
		ErrorLines: r.errors,
		Source:     &result.Source{Tool: KindAB, Version: r.version, File: file, Line: r.line},
	}
	t.Engine = KindAB
	t.Requests, t.Failed, t.Non2xx, t.OK = r.requests, r.failed, r.non2xx, r.ok()
	t.Bytes, t.BodyBytes, t.DocumentLength = r.bytes, r.body, r.length
	t.RPS, t.Seconds = r.rate(), r.time()
	if r.concurrency != nil && *r.concurrency <= math.MaxInt32 {
		t.Concurrency = new(int(*r.concurrency))
	}
	if r.kbytesPerSecond != nil {
		t.BytesPerSecond = new(*r.kbytesPerSecond * 1024)
	}
	if r.requests == nil && !r.shown() {
		t.Requests = r.completed
	}
	r.judge(&t)
	t.Raw = r.rest()
	return t
}

// dropCutValue forgets the last value of a page cut in the middle, where digits may be missing: one without its unit
// in a run without a rate, or a rate without its unit that the requests and the time of the run contradict.
func (r *abRun) dropCutValue() {
	if r.rps != nil && !r.unit && !r.html && r.rank == abRPS && r.requests != nil && r.seconds != nil && *r.seconds > 0 {
		if expected := float64(*r.requests) / *r.time(); math.Abs(*r.rps-expected) > 0.05*expected {
			r.rps = nil
		}
	}
	if r.shown() || r.bare == abNone || r.bare != r.rank {
		return
	}
	switch r.bare {
	case abTime:
		r.seconds = nil
	case abTransferred:
		r.bytes = nil
	case abHTML:
		r.body = nil
	default: // no other label has a unit that is always there
	}
}

// judge sets how the run ended and whether it counts. A run counts when the page shows a rate above 0, whatever else
// it shows: failed and non-2xx replies are findings, not reasons to drop it.
func (r *abRun) judge(t *result.Trial) {
	t.Interrupted = r.interrupted || r.shown() && r.stoppedEarly()
	if r.shown() {
		t.Truncated = r.cut || r.has(abPercentages) && !r.sealedBy100() ||
			r.has(abConnectionTimes) && r.connection["total"] == nil
		t.Valid = t.RPS != nil && *t.RPS > 0
		if !t.Valid {
			t.InvalidBecause = "no throughput: requests per second is " + r.rateText()
		}
		return
	}
	t.Aborted = r.fatal || r.completed != nil
	switch {
	case t.Aborted:
		t.InvalidBecause = "aborted"
		if n := len(r.errors); n > 0 {
			t.InvalidBecause += ": " + r.errors[n-1]
			t.FirstError = r.errors[0]
		}
	case r.interrupted:
		t.InvalidBecause = "interrupted before its requests per second"
	default:
		t.Truncated = true
		t.InvalidBecause = "truncated: the text does not show its requests per second"
	}
}

func (r *abRun) sealedBy100() bool { _, ok := r.percentiles["p100"]; return ok }

func (r *abRun) rateText() string {
	if r.noRate != "" {
		return r.noRate
	}
	return "0"
}

// rate is the requests per second as printed. ab -w of httpd 2.2.9 to 2.2.34 printed it 1000 times too large; the
// counts on the same page show it.
func (r *abRun) rate() *float64 {
	if r.rps == nil || !r.html || r.requests == nil || r.seconds == nil || *r.seconds <= 0 {
		return r.rps
	}
	factor := *r.rps * *r.seconds / float64(*r.requests)
	if factor < 900 || factor > 1100 {
		return r.rps
	}
	r.keep("rps_printed", *r.rps)
	return new(*r.rps / 1000)
}

// time is the duration in seconds. ab 2.0.40 and 2.0.41 print microseconds after the dot padded to three digits only,
// so that 0.12345 may stand for 0.012345 s: the reading that agrees with requests and rate is taken.
func (r *abRun) time() *float64 {
	if r.seconds == nil {
		return nil
	}
	whole, fraction, ok := strings.Cut(r.secondsText, ".")
	if !ok || len(fraction) < 3 || len(fraction) > 5 {
		return r.seconds
	}
	base, errWhole := strconv.ParseFloat(whole, 64)
	micro, errFraction := strconv.ParseFloat(fraction, 64)
	if errWhole != nil || errFraction != nil {
		return r.seconds
	}
	padded := base + micro/1e6
	if r.rps == nil || *r.rps <= 0 || r.requests == nil {
		if len(fraction) == 3 {
			return r.seconds
		}
		return &padded
	}
	expected := float64(*r.requests) / *r.rps
	if off := func(v float64) float64 { return math.Abs(v - expected) }; off(padded) < off(*r.seconds) && off(padded) < 0.02*expected && off(*r.seconds) > 0.05*expected {
		return &padded
	}
	return r.seconds
}

// ok is how many requests did not fail, where the page lets it be known: with several kinds of failure one request
// may be counted more than once.
func (r *abRun) ok() *int64 {
	if r.requests == nil || r.failed == nil || *r.failed > *r.requests {
		return nil
	}
	kinds := 0
	for _, n := range r.breakdown {
		if n > 0 {
			kinds++
		}
	}
	if kinds > 1 {
		return nil
	}
	return new(*r.requests - *r.failed)
}

// latency joins the row Total and the percentages, in milliseconds.
func (r *abRun) latency() map[string]float64 {
	all := map[string]float64{}
	for k, v := range r.connection["total"] {
		if k == "sd" {
			k = "stdev"
		}
		all[k] = v
	}
	maps.Copy(all, r.percentiles)
	if len(all) == 0 {
		return nil
	}
	return all
}

// url is what was asked for, if the page shows all of it.
func (r *abRun) url() string {
	if r.hostname == "" || r.port == "" || r.path == "" {
		return ""
	}
	scheme, usual := "http", "80"
	if r.tls != "" {
		scheme, usual = "https", "443"
	}
	if r.port == usual {
		return scheme + "://" + r.hostname + r.path
	}
	return scheme + "://" + r.hostname + ":" + r.port + r.path
}

// rest is the JSON of what the page shows and a trial has no field for.
func (r *abRun) rest() json.RawMessage {
	if r.variable {
		r.keep("document_length", "Variable")
	}
	if r.breakdown != nil {
		r.keep("failed_breakdown", r.breakdown)
	}
	if r.tls != "" {
		r.keep("tls", r.tls)
	}
	if len(r.warnings) > 0 {
		r.keep("warnings", r.warnings)
	}
	if r.raw == nil {
		return nil
	}
	raw, err := json.Marshal(r.raw)
	if err != nil {
		return nil // cannot be: finite numbers, text and maps of them
	}
	return raw
}

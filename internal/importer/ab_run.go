package importer

import (
	"slices"
	"strconv"
	"strings"
)

// abRun is what one run of ab shows on a page.
type abRun struct {
	line    int
	version string
	banner  bool
	bench   bool // "Benchmarking … (be patient)" was there
	html    bool // written by ab -w, or copied from a page with its tags

	rank abLabel   // of the last line of the report
	seen []abLabel // in order

	sealed      bool  // nothing below belongs to it
	fatal       bool  // an error that ends ab was printed
	adopted     bool  // the errors stood before the banner
	step        int64 // the smallest N of "Completed N requests", 0 without one
	finished    bool  // "Finished N requests" was there
	cut         bool  // the text ends inside one of its values
	interrupted bool
	completed   *int64 // of "Total of N requests completed"

	rps    *float64
	noRate string // what stood in the place of the rate: nan, inf
	unit   bool   // the rate carried its unit

	bare abLabel // the last label whose value stands without the unit that ab prints

	seconds     *float64
	secondsText string

	concurrency, requests, failed, non2xx *int64
	length, bytes, body                   *int64
	kbytesPerSecond                       *float64
	software, hostname, port, path, tls   string
	variable                              bool
	breakdown                             map[string]int64
	errors, warnings                      []string
	columns                               int // of the table of connection times, 0 when its head is not shown
	connection                            map[string]map[string]float64
	percentiles                           map[string]float64
	raw                                   map[string]any
}

func (r *abRun) has(label abLabel) bool { return slices.Contains(r.seen, label) }

func (r *abRun) count(label abLabel) int {
	n := 0
	for _, l := range r.seen {
		if l == label {
			n++
		}
	}
	return n
}

// keep records a value that has no field of its own in a trial.
func (r *abRun) keep(key string, v any) {
	if r.raw == nil {
		r.raw = map[string]any{}
	}
	r.raw[key] = v
}

// abUnits are the units that every version prints behind a value.
var abUnits = map[abLabel]string{abTime: "sec", abTransferred: "byte", abHTML: "byte"}

// take records the numeric value of a label; value is all that follows the colon.
func (r *abRun) take(label abLabel, v float64, token, value string) {
	var whole *int64
	if n, err := strconv.ParseInt(token, 10, 64); err == nil {
		whole = &n
	}
	if unit := abUnits[label]; unit != "" && !strings.Contains(value, unit) {
		r.bare = label
	}
	switch label {
	case abConcurrency:
		r.concurrency = whole
	case abTime:
		r.seconds, r.secondsText = &v, token
	case abComplete:
		r.requests = whole
	case abFailed:
		r.failed = whole
	case abNon2xx:
		r.non2xx = whole
	case abLength:
		r.length = whole
	case abTransferred:
		r.bytes = whole
	case abHTML:
		r.body = whole
	case abTransferRate:
		r.kbytesPerSecond = &v
		r.keep("transfer_rate_kbytes_s", v)
	case abPerRequest:
		key := "time_per_request_ms"
		if r.count(abPerRequest) > 1 || strings.Contains(value, "across") || strings.Contains(value, "(mean,") {
			key = "time_per_request_across_ms"
		}
		r.keep(key, v)
	case abBrokenPipe:
		r.keep("broken_pipe_errors", v)
	case abWriteErrors:
		r.keep("write_errors", v)
	case abKeepAlive:
		if _, ok := r.raw["keepalive_requests"]; !ok {
			r.keep("keepalive_requests", v)
		}
	case abBodySent:
		r.keep("body_sent_bytes", v)
	default: // the other numbers of the report are not kept
	}
}

// text records a value that is text.
func (r *abRun) text(label abLabel, value string) {
	switch label {
	case abSoftware:
		r.software = value
	case abHostname:
		r.hostname = value
	case abPort:
		r.port = value
	case abPath:
		r.path = value
	case abTLS:
		r.tls = value
	default: // the other texts of the report are not kept
	}
}

func (r *abRun) percentile(p int, v float64) {
	if r.percentiles == nil {
		r.percentiles = map[string]float64{}
	}
	r.percentiles["p"+strconv.Itoa(p)] = v
}

// times records a row of the table of connection times: five numbers, or min, average and max with -S and -w.
func (r *abRun) times(name string, numbers []float64) {
	keys := []string{"min", "mean", "sd", "median", "max"}
	if len(numbers) == 3 && r.columns != 5 {
		keys = []string{"min", "mean", "max"}
	}
	if len(numbers) < len(keys) {
		return
	}
	row := make(map[string]float64, len(keys))
	for i, k := range keys {
		row[k] = numbers[i]
	}
	if r.connection == nil {
		r.connection = map[string]map[string]float64{}
	}
	r.connection[name] = row
}

// shown reports whether the page shows a rate for the run, be it one that is not a number.
func (r *abRun) shown() bool { return r.rps != nil || r.noRate != "" }

// advance takes a line of progress: "Completed N requests" or "Finished N requests".
func (r *abRun) advance(word, digits string) {
	n, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case err != nil:
	case word == "Finished":
		r.finished = true
	case r.step == 0 || n < r.step:
		r.step = n
	}
}

// stoppedEarly reports whether the run was ended by hand: ab then prints its report of what there is, but not
// "Finished N requests", and fewer requests than the ten steps of its progress (each n/10, at least 100) announced.
func (r *abRun) stoppedEarly() bool {
	return r.step > 100 && !r.finished && len(r.errors) == 0 && r.requests != nil && *r.requests/10 < r.step
}

// reported reports whether the page shows a rate among other lines of the report: a line of prose that repeats that
// rate is not another run.
func (r *abRun) reported() bool { return r.rps != nil && len(r.seen) >= 3 }

// keepRuns drops what only looks like a run: a banner cut short, one or two labels in the prose, a rate without its
// unit beside real reports.
func keepRuns(runs []*abRun) []*abRun {
	full := slices.ContainsFunc(runs, (*abRun).reported)
	return slices.DeleteFunc(slices.Clone(runs), func(r *abRun) bool {
		switch {
		case r.completed != nil, r.bench, r.banner && r.fatal:
			return false
		case r.shown():
			return full && len(r.seen) == 1 && !r.unit
		default:
			return len(r.seen) < 3 && (r.connection["total"] == nil || len(r.percentiles) == 0)
		}
	})
}

package result

import (
	"encoding/json"
	"time"
)

// Measurement is what one run of load produced: counts, times and distributions of one trial, or of one warm-up.
// It is filled by an engine, or read from another tool's output. A pointer is nil, and a map or slice nil, where
// the value was not measured or the text does not show it: missing is never 0.
//
// For a run measured here Requests = OK + Failed, and RPS = OK / Seconds. Requests still in flight when a timed run
// stops, or when a run is interrupted, are counted under the error class "unfinished" in Errors and nowhere else:
// they were neither answered nor refused.
type Measurement struct {
	Started time.Time `json:"started,omitzero"` // wall clock at the first request of the run
	// Seconds is the wall time from the start of the first attempt to the last completion, by the monotonic clock.
	Seconds  *float64 `json:"seconds"`
	Requests *int64   `json:"requests"` // requests attempted to the end: OK + Failed
	OK       *int64   `json:"ok"`       // complete replies that met every expectation
	Failed   *int64   `json:"failed"`   // attempts that did not
	Non2xx   *int64   `json:"non2xx"`   // complete replies with a status outside 200…299, failed or not
	RPS      *float64 `json:"rps"`      // OK per second; nil when the run was aborted or interrupted
	// Bytes is everything received: status lines, headers, chunk framing and bodies of all replies.
	Bytes          *int64   `json:"bytes"`
	BodyBytes      *int64   `json:"body_bytes,omitempty"`
	BytesPerSecond *float64 `json:"bytes_per_second"`
	Concurrency    *int     `json:"concurrency"`
	DocumentLength *int64   `json:"document_length,omitempty"` // body length of the first complete reply, bytes
	// BodyLengthMin and BodyLengthMax are the extremes of the body lengths of the complete replies, bytes.
	BodyLengthMin *int64 `json:"body_length_min,omitempty"`
	BodyLengthMax *int64 `json:"body_length_max,omitempty"`

	Status map[string]int64 `json:"status,omitzero"` // complete replies by status code, "200": n
	Errors map[string]int64 `json:"errors,omitzero"` // failures by class (see ErrorClass)

	// Latency distributions of the replies that count (OK), as in ab: Connect (dial until connected, TLS included), Wait
	// (request handed to the kernel until the first reply byte), Total (start of the connect, or of the write on a kept
	// connection, until the last body byte). Of a closed loop Total is all there is to know. An open loop has in its place
	// Service, which is measured like Total, and Response, from the instant the request was due to the last body byte.
	Connect  *Histogram `json:"connect,omitempty"`
	Wait     *Histogram `json:"wait,omitempty"`
	Total    *Histogram `json:"total,omitempty"`
	Service  *Histogram `json:"service,omitempty"`
	Response *Histogram `json:"response,omitempty"`
	// FailedTotal is how long the attempts took that failed by themselves, complete replies that met no expectation
	// included. CensoredTotal is how long those had taken that a time limit or the end of the run cut off: each would have
	// taken longer. Both are measured like Total.
	FailedTotal   *Histogram `json:"failed_total,omitempty"`
	CensoredTotal *Histogram `json:"censored_total,omitempty"`

	Schedule    *Schedule    `json:"schedule,omitempty"` // of an open loop; nil for a closed one
	Connections *Connections `json:"connections,omitempty"`

	Intervals *Intervals `json:"intervals,omitempty"`
	// T10 and TLastIssue are seconds since the start of the run: the completion of the ⌈n/10⌉-th request, and the
	// instant the last request was sent. Between them the load was in steady supply; after TLastIssue it drains.
	T10        *float64 `json:"t10,omitempty"`
	TLastIssue *float64 `json:"t_last_issue,omitempty"`
	// CompletedAtLastIssue is how many requests had completed at TLastIssue; with n/10, T10 and TLastIssue it gives
	// the two rates that the warm-up check compares.
	CompletedAtLastIssue *int64 `json:"completed_at_last_issue,omitempty"`

	ClientCPUSeconds *float64 `json:"client_cpu_seconds,omitempty"` // user + system time of this process
	ServerCPUSeconds *float64 `json:"server_cpu_seconds,omitempty"`

	Engine  string   `json:"engine,omitempty"`  // "native", or the tool's name
	Path    string   `json:"path,omitempty"`    // which path of the engine ran: "epoll" or "portable"
	Command []string `json:"command,omitempty"` // argv of an external tool
	Remote  string   `json:"remote,omitempty"`  // the address and port that the connections were made to
	// FirstError is the text of the first failure, for the message that explains a failed trial.
	FirstError string `json:"first_error,omitempty"`

	Aborted     bool `json:"aborted,omitempty"`     // the run gave up before its end
	Interrupted bool `json:"interrupted,omitempty"` // the user stopped it before its end
	Truncated   bool `json:"truncated,omitempty"`   // read from text that ends, or begins, in the middle
}

// Latency is the distribution that a latency of the run means: the response times of an open loop, else the total times;
// nil when there is none.
func (m *Measurement) Latency() *Histogram {
	if m.Response != nil {
		return m.Response
	}
	return m.Total
}

// histograms are all distributions of m; those that it does not have are nil.
func (m *Measurement) histograms() []*Histogram {
	list := []*Histogram{m.Connect, m.Wait, m.Total, m.Service, m.Response, m.FailedTotal, m.CensoredTotal}
	if m.Schedule != nil {
		list = append(list, m.Schedule.Lag, m.Schedule.Wait)
	}
	return list
}

// Trial is one line of the result file: a measurement and its place in the experiment.
type Trial struct {
	Type     string `json:"type"` // "trial"
	Target   string `json:"target"`
	Trial    int    `json:"trial"`              // 1… per target, in measured order, excluded ones included
	Block    int    `json:"block,omitempty"`    // 1…; 0 = not measured in blocks
	Position int    `json:"position,omitempty"` // 1… within the block
	Restart  int    `json:"restart,omitempty"`  // 1…: which start of the target's servers; 0 = not ours to start
	URL      string `json:"url,omitempty"`      // with {port} resolved

	Measurement

	Valid          bool   `json:"valid"`
	InvalidBecause string `json:"invalid_because,omitempty"`
	Note           string `json:"note,omitempty"` // what happened around the trial, such as a server started again

	// The rest is known only for trials read from another tool's output.
	LatencyMS       map[string]float64            `json:"latency_ms,omitzero"`          // mean, min, max, stdev, median, pN
	ConnectionTimes map[string]map[string]float64 `json:"connection_times_ms,omitzero"` // connect, processing, waiting, total → min, mean, sd, median, max
	ServerSoftware  string                        `json:"server_software,omitempty"`
	ErrorLines      []string                      `json:"error_lines,omitzero"`
	Source          *Source                       `json:"source,omitempty"`
	Raw             json.RawMessage               `json:"raw,omitempty"`

	// Extra holds the fields of the line that this version does not know, so that a rewrite keeps them.
	Extra map[string]json.RawMessage `json:"-"`
}

// Source says where a trial was read from.
type Source struct {
	Tool    string `json:"tool"`              // "ab", "numbers", …
	Version string `json:"version,omitempty"` // as printed by the tool
	File    string `json:"file"`              // "-" for standard input
	Line    int    `json:"line"`              // 1-based line where the run begins
}

// The arrivals of an open loop.
const (
	ArrivalsConstant = "constant" // one in the middle of every 1/rate seconds
	ArrivalsPoisson  = "poisson"  // gaps of an exponential distribution with mean 1/rate
)

// Schedule is when the requests of an open loop were due, and how that was kept: every arrival that was due before the
// run ended is either in Sent or in Unsent.
type Schedule struct {
	Rate     float64    `json:"rate"` // arrivals per second, as asked for
	Arrivals string     `json:"arrivals"`
	Seed     *uint64    `json:"seed,omitempty"` // of Poisson arrivals
	Sent     int64      `json:"sent"`
	Unsent   int64      `json:"unsent"`         // due, but the run ended while all connections were busy
	Queued   int64      `json:"queued"`         // sent late because all connections were busy
	Lag      *Histogram `json:"lag,omitempty"`  // from due to sent, of those that a connection was free for
	Wait     *Histogram `json:"wait,omitempty"` // from due to sent, of those queued
}

// Connections are the TCP connections of a run.
type Connections struct {
	Opened int64 `json:"opened"`
	// Lost are kept ones that the server ended without saying so in the reply before. A request that was on its way
	// then counts as failed and is not sent again; a connection that was idle is replaced when it is needed.
	Lost int64 `json:"lost"`
}

// Intervals are completions per interval of WidthMS milliseconds since the start of the run; the last may be partial.
type Intervals struct {
	WidthMS int     `json:"width_ms"`
	Counts  []int64 `json:"counts"`
}

// ErrorClass names one way a request can fail; the strings are part of the file format.
type ErrorClass string

// The error classes of the result file.
const (
	ErrDNS                ErrorClass = "dns"                 // the name did not resolve
	ErrAddressUnavailable ErrorClass = "address-unavailable" // no local port or address left (EADDRNOTAVAIL)
	ErrConnectRefused     ErrorClass = "connect-refused"
	ErrConnectTimeout     ErrorClass = "connect-timeout"
	ErrTLS                ErrorClass = "tls"
	ErrWrite              ErrorClass = "write"
	ErrReset              ErrorClass = "reset"           // connection reset, or closed before the first reply byte
	ErrTruncated          ErrorClass = "truncated"       // closed before the announced end of the reply
	ErrProtocol           ErrorClass = "protocol"        // bytes that are not HTTP
	ErrTimeout            ErrorClass = "timeout"         // no progress for the idle limit
	ErrRequestTimeout     ErrorClass = "request-timeout" // the whole request took longer than its limit
	ErrStatus             ErrorClass = "status"          // complete reply with an unexpected status
	ErrLength             ErrorClass = "length"          // complete reply with an unexpected body length
	ErrAssertion          ErrorClass = "assertion"       // complete reply whose body fails sha256 or contains
	ErrUnfinished         ErrorClass = "unfinished"      // in flight when the run stopped
)

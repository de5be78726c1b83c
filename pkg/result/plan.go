package result

import (
	"encoding/json"
	"time"
)

// Schema is the identifier that the first line of every result file carries.
const Schema = "benchstat-http/result/1"

// Redacted replaces every secret that would otherwise be written.
const Redacted = "«redacted»"

// Experiment is the first line of the result file: everything decided before the first request.
type Experiment struct {
	Type       string         `json:"type"` // "experiment"
	Schema     string         `json:"schema"`
	Name       string         `json:"name"`
	Version    string         `json:"version"`     // of this program
	Plan       Plan           `json:"plan"`        // with secrets redacted
	PlanSHA256 string         `json:"plan_sha256"` // of the plan's bytes as written on this line
	Started    time.Time      `json:"started"`
	Machine    map[string]any `json:"machine,omitempty"`

	// Extra holds the fields of the line that this version does not know, so that a rewrite keeps them.
	Extra map[string]json.RawMessage `json:"-"`

	rawPlan json.RawMessage // as read: written again byte for byte while Plan still equals it
}

// End is the last line of the result file of an experiment that ran to its planned end, or was stopped on purpose.
type End struct {
	Type   string    `json:"type"` // "end"
	Ended  time.Time `json:"ended"`
	Reason string    `json:"reason"` // "complete"; a file without an end line is an interrupted experiment
	Trials int       `json:"trials"` // trial lines in the file
}

// Plan is a resolved experiment: what is measured, how often, in which order, and how it is decided.
// Durations are seconds.
type Plan struct {
	Name    string   `json:"name"`
	Targets []Target `json:"targets"`
	// Sources are the files the plan was read from; --resume reads secrets again from them if they are unchanged.
	Sources []PlanSource `json:"sources,omitempty"`

	// FlagHeaders names the headers that the command line set: what Sources say of them is not what was sent.
	FlagHeaders []string `json:"flag_headers,omitempty"`

	Blocks          int     `json:"blocks"` // trials per target
	Order           string  `json:"order"`  // random-blocks | sequential | abba
	Seed            uint64  `json:"seed"`
	CooldownSeconds float64 `json:"cooldown_seconds"`
	// Schedule is the order of measurement: Schedule[b] lists, for block b+1, indexes into Targets. For
	// order "sequential" it has one row per trial (AAABBB) and trials carry no block.
	Schedule [][]int `json:"schedule"`

	Margin float64 `json:"margin"` // 0.01 = 1 %
	Alpha  float64 `json:"alpha"`
	Test   string  `json:"test"`   // auto | paired | welch
	Metric string  `json:"metric"` // rps | mean | p50 | p90 | p99; with Rate, latency is response time
	// Family is the set of comparisons that share alpha: "" = each target with the baseline, or "all-pairs".
	Family string `json:"family,omitempty"`
	Stop   string `json:"stop"` // fixed
}

// PlanSource is one file that a plan was read from.
type PlanSource struct {
	Path   string `json:"path"` // as given, made absolute
	SHA256 string `json:"sha256"`
}

// Blocked reports whether every block holds one trial of every target, which is what a paired test needs.
func (p Plan) Blocked() bool { return p.Order != "sequential" && len(p.Targets) > 1 }

// Target is one thing measured, and how to start it.
type Target struct {
	Name      string            `json:"name"`
	Baseline  bool              `json:"baseline,omitempty"`
	URL       string            `json:"url"` // may contain {port}
	Request   Request           `json:"request"`
	Expect    Expect            `json:"expect"`
	Load      Load              `json:"load"`
	Warmup    Warmup            `json:"warmup"`
	Restart   int               `json:"restart"` // 0 = never, N = every N blocks
	Servers   []Server          `json:"servers,omitempty"`
	Exclusive bool              `json:"exclusive,omitempty"` // only the measured target's servers are up
	Tags      map[string]string `json:"tags,omitempty"`
}

// Request is the HTTP request that every connection sends.
type Request struct {
	Method  string   `json:"method"`
	Headers []Header `json:"headers,omitempty"` // in the order they are sent
	// Body is the request body; BodyFile names the file it was read from (the content is then not in the file).
	Body       []byte `json:"body,omitempty"`
	BodyFile   string `json:"body_file,omitempty"`
	BodySHA256 string `json:"body_sha256,omitempty"`
	HTTP       string `json:"http"` // "1.1" | "1.0"
}

// Header is one request header field.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Expect is what a reply must be to count as ok. Nil and empty mean: any complete reply with a 2xx status.
type Expect struct {
	Status    *int    `json:"status,omitempty"`
	Length    *int64  `json:"length,omitempty"` // body bytes
	SHA256    string  `json:"sha256,omitempty"` // of the body, lower-case hex
	Contains  string  `json:"contains,omitempty"`
	MaxFailed float64 `json:"max_failed"` // failed/requests above this makes the trial invalid; default 0.001
}

// Load is how much is sent: Requests, or DurationSeconds when it is not 0.
type Load struct {
	Requests              int64   `json:"requests"`
	DurationSeconds       float64 `json:"duration_seconds"`
	Concurrency           int     `json:"concurrency"`
	KeepAlive             bool    `json:"keepalive"`
	TimeoutSeconds        float64 `json:"timeout_seconds"`         // no progress on a connection for this long
	RequestTimeoutSeconds float64 `json:"request_timeout_seconds"` // 0 = none
	Engine                string  `json:"engine"`                  // "native"
	// Rate makes the load an open loop: requests are due at this rate per second, as Arrivals says, whatever became of
	// those before, on at most Concurrency connections. 0 = a closed loop.
	Rate     float64 `json:"rate,omitempty"`
	Arrivals string  `json:"arrivals,omitempty"` // constant | poisson
}

// Warmup is what is sent, uncounted, before every trial.
type Warmup struct {
	Mode     string `json:"mode"` // fixed | none
	Requests int64  `json:"requests"`
}

// Server is a process started before, and stopped after, the target's trials.
type Server struct {
	Name  string            `json:"name"`
	Start []string          `json:"start"` // argv; with Shell, one element run by /bin/sh -c
	Shell bool              `json:"shell,omitempty"`
	Dir   string            `json:"cwd"` // absolute
	Env   map[string]string `json:"env,omitempty"`
	Ready Ready             `json:"ready"`
	Stop  Stop              `json:"stop"`
}

// Ready is how to know that a server accepts load; exactly one of URL, TCP, Log, Command is set, or none (then the
// target's own host and port must accept a TCP connection).
type Ready struct {
	URL            string   `json:"url,omitempty"`
	TCP            string   `json:"tcp,omitempty"`
	Log            string   `json:"log,omitempty"` // regular expression met in the server's output
	Command        []string `json:"command,omitempty"`
	TimeoutSeconds float64  `json:"timeout_seconds"` // default 10
}

// Stop is how a server is asked to end, and how long before its process tree is killed.
type Stop struct {
	Signal       string  `json:"signal"`        // TERM, QUIT, INT, …; default TERM
	GraceSeconds float64 `json:"grace_seconds"` // default 5
}

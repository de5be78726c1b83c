package report

import (
	"cmp"
	"fmt"
	"slices"
)

// Severities of a finding.
const (
	SeverityError   = "error"
	SeverityWarning = "warning"
	SeverityNote    = "note"
)

// kind is what all findings of one code share.
type kind struct {
	severity string
	title    string // a few words
	advice   string // what to do, one short sentence
}

// kinds is the registry of every code that Build can raise.
var kinds = map[string]kind{
	"non-2xx":                      {SeverityError, "replies that are not 2xx", "Open the URL and look at the reply: an error page is not the work you meant to measure. If the status is right, state it as expect.status."},
	"failed-requests":              {SeverityError, "too many failed requests", "Repair the cause or lower the load; the rate of a failing server means nothing."},
	"truncated-replies":            {SeverityError, "replies cut short", "Look into the server's error log: it closed connections before the end of the reply."},
	"aborted":                      {SeverityError, "trials given up", "Check that the server is up and survives this load, then measure again."},
	"no-valid-trial":               {SeverityError, "no trial counts", "Nothing can be said about this target until a trial runs to its end."},
	"no-throughput":                {SeverityError, "no reply at all", "Check that the server is up and that the URL is right."},
	"response-differs":             {SeverityError, "the targets send different replies", "Make all targets send the same reply (compression, error page, login), then measure again."},
	"load-differs":                 {SeverityError, "the targets got different load", "Measure all targets under the same load; the ratio mixes server and load."},
	"errors-counted-as-throughput": {SeverityError, "the tool counts errors as throughput", "Do not quote this rate; measure again with a request that succeeds."},

	"one-trial":            {SeverityWarning, "a single trial", "Measure at least 5 trials, better 10: one run has no interval."},
	"few-trials":           {SeverityWarning, "few trials", "Measure at least 5 trials, better 10."},
	"two-tiers":            {SeverityWarning, "the trials fall into tiers", "Quote the tiers, not the mean. Look for what differs between those trials: restart, CPU, memory layout, another process."},
	"tiers-suspected":      {SeverityWarning, "the trials may fall into tiers", "Run 5 more trials to know."},
	"order-unclear":        {SeverityWarning, "tiers or a change over time", "The two levels follow each other in time; run 5 more trials to tell a change from tiers."},
	"drift":                {SeverityWarning, "the speed drifted during the session", "Look for what changes with time (heat, a growing log, another process) and measure again; in blocks the ratio stays right."},
	"level-shift":          {SeverityWarning, "the level changed during the session", "Find out what changed then (deploy, cache, another process, heat), and measure again."},
	"outlier":              {SeverityWarning, "one trial is far from the others", "It stays in every figure; look for its cause before you believe the mean."},
	"warmup-short":         {SeverityWarning, "still warming up", "Raise warmup.requests."},
	"timeouts":             {SeverityWarning, "timeouts", "Check the server's log and backlog; a timed-out request is missing from the latency figures."},
	"port-exhaustion":      {SeverityWarning, "no free local port", "Use keep-alive (-k), fewer requests, or wait longer between trials: closed connections hold their port for a minute."},
	"few-failures":         {SeverityWarning, "some failed requests", "Few enough to keep the trial, but look at the cause."},
	"not-interleaved":      {SeverityWarning, "the targets were measured apart", "A change of the machine between them looks like a difference; measure them together with 'compare'."},
	"position-effect":      {SeverityWarning, "the place in the block matters", "The order is balanced, so the ratio stands; a longer cool-down makes trials more alike."},
	"tests-disagree":       {SeverityWarning, "the two tests disagree", "The test fixed beforehand decides; more trials settle it."},
	"estimand-matters":     {SeverityWarning, "the kind of mean matters", "Say which mean you quote; the ratio here is of geometric means."},
	"interrupted":          {SeverityWarning, "the experiment was interrupted", "Continue it with --resume, or read it as the shorter experiment it is."},
	"truncated-text":       {SeverityWarning, "the text is cut", "Find the complete output; what was cut off is not known."},
	"missed-schedule":      {SeverityWarning, "requests sent late", "Raise -c until a connection is free for every request that is due, or lower --rate."},
	"rate-limited":         {SeverityWarning, "the rate is that of the schedule", "Compare response times (--metric p99), or leave --rate out to see what the server can do."},
	"inconsistent-numbers": {SeverityWarning, "numbers do not fit together", "The file was damaged or edited; do not rely on it."},

	"short-trial":    {SeverityNote, "short trials", "Raise -n so that a trial takes at least half a second."},
	"one-restart":    {SeverityNote, "one start of the servers", "The result holds for these processes; restart the servers between blocks (restart: {every: N}) to generalise."},
	"unequal-trials": {SeverityNote, "unequal numbers of trials", "The analysis allows for it."},
	"resolution":     {SeverityNote, "no variation at the resolution of the data", "The true variation is smaller than the last digit; longer trials show it."},
	"varying-length": {SeverityNote, "replies of varying length", "State expect.length or expect.contains if they should all be alike."},
	"drain-tail":     {SeverityNote, "a long closing drain", "At the end fewer connections are busy; raise -n to make this part small."},
}

// Describe returns the severity, title and advice of a finding code that Build can raise.
func Describe(code string) (severity, title, advice string, ok bool) {
	k, ok := kinds[code]
	return k.severity, k.title, k.advice, ok
}

// find makes the finding of a registered code.
func find(code, format string, args ...any) Finding {
	k := kinds[code]
	return Finding{Code: code, Severity: k.severity, Text: fmt.Sprintf(format, args...), Advice: k.advice}
}

// severityRank orders severities from the gravest.
func severityRank(s string) int {
	switch s {
	case SeverityError:
		return 0
	case SeverityWarning:
		return 1
	default:
		return 2
	}
}

// causeRank puts the cause before what follows from it: replies that were errors explain every other error.
func causeRank(code string) int {
	if code == "non-2xx" {
		return 0
	}
	return 1
}

// sortFindings orders by severity, then cause, code and text, and drops exact repetitions. It never returns nil.
func sortFindings(f []Finding) []Finding {
	out := slices.Clone(f)
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(severityRank(a.Severity), severityRank(b.Severity)),
			cmp.Compare(causeRank(a.Code), causeRank(b.Code)),
			cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Text, b.Text),
		)
	})
	out = slices.Compact(out)
	if out == nil {
		return []Finding{}
	}
	return out
}

package importer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// foreignMark is a line by which the output of another tool is recognised. start marks are lines that begin a run of
// that tool, so that they also end a run of ab above them on the same page.
type foreignMark struct {
	tool  string
	line  *regexp.Regexp
	start bool
}

func mark(tool, pattern string, start bool) foreignMark {
	return foreignMark{tool, regexp.MustCompile(pattern), start}
}

// foreignMarks is ordered: what is a variant of another tool's output comes before it.
var foreignMarks = []foreignMark{
	mark("wrk2", `^Thread calibration: |^#\[Mean +=|^Latency Distribution \(HdrHistogram|^Detailed Percentile spectrum`, false),
	mark("wrk2", `^(?:\S*\$ )?(?:\S*/)?wrk2? .*(?:-R ?\d|--rate)`, true),
	mark("autocannon", `^\d[\d.,]*k? requests in [\d.]+s, [\d.]+ [kKMGT]?B read|^│ Stat |^Stat +Avg +Stdev +Max|^Latency \(ms\) +\d`, false),
	mark("wrk", `^Running .+ test @ |^Making \d+ requests to |^Thread Stats\s+Avg|^unable to connect to \S+ Connection`, true),
	mark("wrk", `^Transfer/sec:`, false),
	mark("weighttp", `^weighttp -|^finished in \d+ sec, \d+ millisec`, true),
	mark("h2load", `^finished in [\d.]+(?:us|ms|s|m|h)?,? |^finished in [\d.]+$|^time for request:|^spawning thread #\d+: \d+ (?:total )?client`, true),
	mark("oha", `^Success rate:|^Size/request:\s+[\d.]+ [KMG]?i?B\b|^Size/sec:`, false),
	mark("vegeta", `^(?:\S+ +/ )?Requests +\[total, rate|^Latencies +\[|^Bucket +# +% +Histogram`, true),
	mark("vegeta", `^(?:\{\s*)?"latencies"\s*:`, true),
	mark("bombardier", `^Bombarding |^Statistics +Avg +Stdev +Max`, true),
	mark("k6", `http_req_duration|http_reqs\b|/\\ +\|.*/`, false),
	mark("siege", `^\*\* SIEGE|^The server is now under siege|^Lifting the server siege|^Transactions:\s+\d|^(?:\{\s*)?"transactions"\s*:\s*\d|^Shortest transaction:|^Successful transactions:`, true),
	mark("httperf", `httperf --|^Reply rate \[replies/s\]|^Connection rate: [\d.]+ conn/s|^Total: connections \d+ requests`, true),
	mark("boom", `^BSI\s|Boom Speed Index|^Successful calls\s`, false),
	mark("hey", `^Response time histogram:|^Latency distribution:|^Status code distribution:|^Booo+m`, false),
	mark("hey", `^Slowest:\s+[\d.]+ sec`, true),
	mark("JMeter", `^summary [+=] +\d+ in `, true),
	mark("ab -e (a table of percentiles, without requests per second)", `^Percentage served,Time in ms`, false),
	mark("ab -g (a table of single requests, without requests per second)", `^starttime\s+seconds\s+ctime\s+dtime`, false),
}

// foreignWords holds, for every mark, a word without which its pattern cannot match: looking for words is much faster
// than trying all the patterns on every line of a long log.
var foreignWords = []string{
	"Thread", "#[Mean", "Latency", "Detailed", "wrk", "Running", "Making", "unable to connect", "Transfer/sec", "weighttp",
	"finished in", "time for request", "spawning", "Success rate", "Size/", "Requests ", "Latencies", "Bucket", "latencies",
	"Bombarding", "Stat", "http_req", "/\\", "requests in", "SIEGE", "siege", "ransactions", "Shortest", "httperf",
	"Reply rate", "Connection rate", "Total: connections", "BSI", "Boom", "Successful", "Response time", "distribution",
	"Boo", "Slowest", "summary", "Percentage served", "starttime",
}

func mayBeForeign(s string) bool {
	return slices.ContainsFunc(foreignWords, func(word string) bool { return strings.Contains(s, word) })
}

// foreignIn returns the tool whose mark the line is, if any.
func foreignIn(s string) (foreignMark, bool) {
	if !mayBeForeign(s) {
		return foreignMark{}, false
	}
	for _, m := range foreignMarks {
		if m.line.MatchString(s) {
			return m, true
		}
	}
	return foreignMark{}, false
}

// foreignTool is the tool that wrote the text: the first in the order of the marks that left one, and its line.
func foreignTool(lines []line) (string, int) {
	best, no := len(foreignMarks), 0
	for _, l := range lines {
		if !mayBeForeign(l.text) {
			continue
		}
		for i := range foreignMarks[:best] {
			if foreignMarks[i].line.MatchString(l.text) {
				best, no = i, l.no
				break
			}
		}
	}
	if best == len(foreignMarks) {
		return "", 0
	}
	return foreignMarks[best].tool, no
}

func sniffForeign(d *document) bool {
	tool, _ := foreignTool(d.cleaned())
	return tool != ""
}

// refuseForeign is the error for the output of a tool that is recognised and not read.
func refuseForeign(d *document) (*Parsed, error) {
	tool, no := foreignTool(d.cleaned())
	return nil, &SyntaxError{File: d.name, Line: no, Column: 1, Msg: notRead(tool) + "; give its requests per second as plain numbers, one run a line"}
}

func notRead(tool string) string {
	what := "output"
	if strings.HasPrefix(tool, "ab -") {
		return fmt.Sprintf("this is the file of %s; reading it is not available in this version", tool)
	}
	return fmt.Sprintf("this is %s %s; reading it is not available in this version", tool, what)
}

package importer

import (
	"regexp"
	"strings"
)

// abLabel is one kind of line in ab's report. The order is that of the report: a line that comes earlier in it than
// the last one seen begins another run.
type abLabel int

const (
	abNone abLabel = iota
	abSoftware
	abHostname
	abPort
	abTLS
	abServerKey
	abServerName
	abPath
	abLength
	abWorkers
	abConcurrency
	abAchieved
	abRampup
	abTime
	abComplete
	abFailed
	abBrokenPipe
	abWriteErrors
	abNon2xx
	abKeepAlive
	abTransferred
	abBodySent
	abHTML
	abRPS
	abPerRequest
	abTransferRate
	abConnectionTimes
	abPercentages
)

// abLabels maps what stands before the colon, in lower case, of every version of ab from 1.3c on.
var abLabels = map[string]abLabel{
	"server software":      abSoftware,
	"server hostname":      abHostname,
	"server port":          abPort,
	"ssl/tls protocol":     abTLS,
	"server temp key":      abServerKey,
	"tls server name":      abServerName,
	"document path":        abPath,
	"document length":      abLength,
	"number of workers":    abWorkers,
	"concurrency level":    abConcurrency,
	"concurrency achieved": abAchieved,
	"rampup delay":         abRampup,
	"time taken for tests": abTime,
	"complete requests":    abComplete,
	"failed requests":      abFailed,
	"broken pipe errors":   abBrokenPipe,
	"keep-alive aborts":    abKeepAlive,
	"write errors":         abWriteErrors,
	"non-2xx responses":    abNon2xx,
	"keep-alive requests":  abKeepAlive,
	"total transferred":    abTransferred,
	"total body sent":      abBodySent,
	"total posted":         abBodySent,
	"total put":            abBodySent,
	"html transferred":     abHTML,
	"requests per second":  abRPS,
	"time per request":     abPerRequest,
	"transfer rate":        abTransferRate,
}

// labelOf splits "Label: value". A label in the middle of a sentence is not one.
func labelOf(s string) (abLabel, string) {
	head, value, ok := strings.Cut(s, ":")
	if !ok || len(head) > 40 {
		return abNone, ""
	}
	head = strings.ToLower(strings.Join(strings.Fields(strings.TrimLeft(head, "-+•# \t")), " "))
	return abLabels[head], strings.Trim(value, " \t|*`")
}

var (
	abBanner       = regexp.MustCompile(`^This is ApacheBench, Version (\S+)(?:\s*<?\s*(?:<\s*)?\$Revision:?\s*([\d.]*))?`)
	abBenchmarking = regexp.MustCompile(`^Benchmarking (\S+) (?:\[through \S+\] )?\(be patient`)
	abProgress     = regexp.MustCompile(`^(Completed|Finished) (\d+) requests`)
	abTotalOf      = regexp.MustCompile(`\bTotal of (\d+) requests completed`)
	abFatal        = regexp.MustCompile(`apr_[a-z_]+(?:\(\))?(?: for \S+)?: .+? *\(-?\d+\)`)
	abFatalText    = regexp.MustCompile(`(?:^|\)\.*)(Send request failed!|Test aborted after \d+ failures)`)
	abTLSError     = regexp.MustCompile(`(?:^|\)\.*)(SSL (?:handshake|read) failed \(\d+\).*)`)
	abCommand      = regexp.MustCompile(`^(?:\S*[$#>%]\s*|\[[^\]]*\]\s*[$#]?\s*|\S+@.*[$#]\s*)?(?:time\s+|\S*/)?ab(?:\.exe)?\s+(?:-\w|https?:)`)
	abTimesHeading = regexp.MustCompile(`^#*\s*Conn+ection Times \(ms\)`)
	abPctHeading   = regexp.MustCompile(`^#*\s*Percentage of the requests served within`)
	abFullHeader   = regexp.MustCompile(`^min\s+mean\s*\[\+/-\s*sd\]\s+median\s+max`)
	abShortHeader  = regexp.MustCompile(`^min\s+avg\s+max`)
	abPercentRow   = regexp.MustCompile(`^(\d{1,3})\s?%\s+(\d+(?:\.\d+)?)(?:\s|\(|$)`)
	abBreakdown    = regexp.MustCompile(`\(Connect:\s*(\d+),(?:\s*Receive:\s*(\d+),)?\s*Length:\s*(\d+),\s*Exceptions:\s*(\d+)\)`)
	abSideRate     = regexp.MustCompile(`^(\d+(?:\.\d+)?) kb/s (sent|total)\b`)
	abWarning      = regexp.MustCompile(`^(?:WARNING|WARING|ERROR): (?:The median|.*(?:propably|probably|reliable))`)
)

package runner

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// Judge decides whether a trial measured here counts, and if not, says why in one line. A trial counts when it ran to
// its end, at least one request succeeded, and failed/requests is at most maxFailed (a fraction: 0.001 is 0.1 %).
func Judge(m result.Measurement, maxFailed float64) (valid bool, because string) {
	requests, failed, ok := value(m.Requests), value(m.Failed), value(m.OK)
	switch {
	case m.Interrupted:
		return false, "interrupted before its end"
	case m.Aborted && requests == 0:
		return false, "aborted before any request ended"
	case m.Aborted:
		return false, fmt.Sprintf("aborted: %s", failures(m, requests, failed))
	case requests <= 0:
		return false, "no request ended"
	case float64(failed) > maxFailed*float64(requests):
		return false, fmt.Sprintf("%s, limit %s %%", failures(m, requests, failed), strconv.FormatFloat(100*maxFailed, 'g', 6, 64))
	case ok <= 0:
		return false, "no request succeeded: " + failures(m, requests, failed)
	}
	return true, ""
}

// failures reads like "10 of 1000 requests failed (timeout: 7, reset: 3)".
func failures(m result.Measurement, requests, failed int64) string {
	text := fmt.Sprintf("%d of %d requests failed", failed, requests)
	classes := slices.SortedFunc(maps.Keys(m.Errors), func(a, b string) int {
		return cmp.Or(cmp.Compare(m.Errors[b], m.Errors[a]), cmp.Compare(a, b))
	})
	var parts []string
	for _, class := range classes {
		if n := m.Errors[class]; n > 0 && class != string(result.ErrUnfinished) {
			parts = append(parts, fmt.Sprintf("%s: %d", class, n))
		}
	}
	if len(parts) == 0 {
		return text
	}
	return text + " (" + strings.Join(parts, ", ") + ")"
}

func value(p *int64) int64 {
	if p == nil {
		return 0
	}
	return *p
}

package report

import (
	"encoding/json"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// abClasses names ab's four kinds of failures as error classes; "exceptions" has no equal and keeps its name.
var abClasses = map[string]string{
	"connect":    "connect",
	"receive":    string(result.ErrTruncated),
	"length":     string(result.ErrLength),
	"exceptions": "exceptions",
}

// withBreakdown returns the trial with the failures by class that ab printed. ab counts one broken reply under several
// kinds, so that the classes may add up to more than the broken replies.
func withBreakdown(t result.Trial) result.Trial {
	if t.Errors != nil || len(t.Raw) == 0 {
		return t
	}
	var raw struct {
		Breakdown map[string]int64 `json:"failed_breakdown"`
	}
	if json.Unmarshal(t.Raw, &raw) != nil || raw.Breakdown == nil {
		return t
	}
	t.Errors = map[string]int64{}
	for kind, n := range raw.Breakdown {
		if class, ok := abClasses[kind]; ok && n > 0 {
			t.Errors[class] = n
		}
	}
	return t
}

package report

import (
	"fmt"
	"math"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// Replies of two targets differ, for the verdict, when their lengths differ by more than one of these: the first where
// every reply of a target has the same known body length, the second where lengths vary, or only the bytes on the wire
// are known, which include headers.
const (
	bodyTolerance = 0.01
	wireTolerance = 0.10
)

// replies is what a target's trials show about the size of a reply, in bytes. 0 = not known.
type replies struct {
	body    float64 // mean body length
	varying bool    // body lengths differ within the target
	wire    float64 // everything received, per reply
}

func repliesOf(a *arm) replies {
	var out replies
	var lengths, n float64
	var bytes, requests float64
	first := int64(-1)
	for _, t := range a.trials {
		if t.DocumentLength != nil && complete(t) {
			if first >= 0 && *t.DocumentLength != first {
				out.varying = true
			}
			if first < 0 {
				first = *t.DocumentLength
			}
			mean, varies := bodyLength(t)
			out.varying = out.varying || varies
			lengths += mean
			n++
		}
		if !complete(t) {
			continue
		}
		if b, r, ok := wireBytes(t); ok {
			bytes += b
			requests += r
		}
	}
	if n > 0 {
		out.body = lengths / n
	}
	if requests > 0 {
		out.wire = bytes / requests
	}
	return out
}

// bodyLength is the mean body length of a trial's replies, and whether they differ. A trial with broken replies has
// bytes that belong to no complete one, so there only the first reply is taken. ab calls every reply that is not as long
// as the first a failure; those that are no error page and not cut short are replies of another length.
func bodyLength(t result.Trial) (mean float64, varies bool) {
	first := float64(*t.DocumentLength)
	if t.Source != nil {
		explained := t.Errors[string(result.ErrTruncated)]
		if t.Non2xx != nil {
			explained += *t.Non2xx
		}
		return first, t.Errors[string(result.ErrLength)] > explained
	}
	var complete int64
	for _, n := range t.Status {
		complete += n
	}
	for class, n := range t.Errors {
		switch result.ErrorClass(class) {
		case result.ErrStatus, result.ErrLength, result.ErrAssertion:
		default:
			if n > 0 {
				return first, false
			}
		}
	}
	if t.BodyBytes == nil || complete == 0 {
		return first, false
	}
	mean = float64(*t.BodyBytes) / float64(complete)
	return mean, *t.BodyBytes != *t.DocumentLength*complete
}

// wireBytes is what a trial received and for how many replies; from the two rates where the totals are not shown.
func wireBytes(t result.Trial) (bytes, requests float64, ok bool) {
	switch {
	case t.Bytes != nil && t.Requests != nil && *t.Requests > 0:
		return float64(*t.Bytes), float64(*t.Requests), true
	case t.BytesPerSecond != nil && hasRate(t):
		return *t.BytesPerSecond, *t.RPS, true
	default:
		return 0, 0, false
	}
}

// compareReplies says whether two targets send different replies. An error means that their rates are not about the
// same work; differences inside the tolerance are a note; nil means alike, or not known.
func compareReplies(base, cand *arm) *Finding {
	b, c := base.replies, cand.replies
	x, y, tolerance, what := b.body, c.body, bodyTolerance, "body"
	known := knowsBody(base) && knowsBody(cand)
	switch {
	case known && (b.varying || c.varying):
		tolerance = wireTolerance
	case known:
	case b.wire > 0 && c.wire > 0:
		x, y, tolerance, what = b.wire, c.wire, wireTolerance, "reply"
	default:
		return nil
	}
	gap := math.Abs(x-y) / math.Max(x, y)
	if x == y || gap == 0 {
		return nil
	}
	text := fmt.Sprintf("A %s of %s has %s bytes, one of %s %s", what, cand.in.Name, countText(int64(math.Round(y))), base.in.Name, countText(int64(math.Round(x))))
	if gap > tolerance {
		f := find("response-differs", "%s: they do not do the same work.", text)
		return &f
	}
	if what == "reply" || b.varying || c.varying {
		return nil
	}
	f := find("response-differs", "%s; at most 1 %% apart, so the comparison stands.", text)
	f.Severity = SeverityNote
	return &f
}

// knowsBody reports whether some complete trial shows the length of a body.
func knowsBody(a *arm) bool {
	for _, t := range a.trials {
		if complete(t) && t.DocumentLength != nil {
			return true
		}
	}
	return false
}

package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// Limits of the findings made from trials.
const (
	maxFailedShare = 0.001 // of the requests of one trial; the default of expect.max_failed
	shortSeconds   = 0.5
	fewTrials      = 5
)

// findings says what the reader must know about one target.
func (a *arm) findings() []Finding {
	var out []Finding
	out = append(out, a.statusFindings()...)
	out = append(out, a.failureFindings()...)
	out = append(out, a.classFindings()...)
	out = append(out, a.countFindings()...)
	out = append(out, a.shapeFindings()...)
	out = append(out, a.scheduleFindings()...)
	out = append(out, a.tierFindings()...)
	out = append(out, a.warmupFindings()...)
	if len(a.values) > 1 && a.summary.SD == 0 {
		out = append(out, find("resolution", "All %d trials of %s show %s: no variation at resolution ±%s.",
			len(a.values), a.in.Name, a.metric.text(a.summary.Mean), significant(a.summary.Mean*a.resolution, 1)))
	}
	return out
}

// statusFindings is about replies outside 2xx that nobody announced. Another tool counts them in its rate; here they
// never do.
func (a *arm) statusFindings() []Finding {
	var bad, all int64
	trials := 0
	statuses := map[string]int64{}
	inRate := false
	for _, t := range a.trials {
		n := a.unexpected(t)
		if t.Requests != nil {
			all += max(*t.Requests, n)
		}
		if n == 0 {
			continue
		}
		bad += n
		trials++
		for code, k := range t.Status {
			if !strings.HasPrefix(code, "2") {
				statuses[code] += k
			}
		}
		inRate = inRate || (t.Source != nil && hasRate(t))
	}
	if bad == 0 {
		return a.announcedFindings()
	}
	how := countText(bad)
	switch {
	case all > 0 && bad >= all:
		how = "All " + how
	case all > 0:
		how += fmt.Sprintf(" of %s (%s)", countText(all), percentText(float64(bad)/float64(all)))
	}
	what := "not 2xx"
	if a.in.Plan != nil && a.in.Plan.Expect.Status != nil {
		what = fmt.Sprintf("not the expected %d", *a.in.Plan.Expect.Status)
	}
	text := fmt.Sprintf("%s replies of %s are %s%s, in %s.", how, a.in.Name, what, list(" (status ", statuses, ")"), plural(trials, "trial"))
	out := []Finding{find("non-2xx", "%s", text)}
	if inRate {
		out = append(out, find("errors-counted-as-throughput", "The requests/s of %s count error replies like good ones.", a.in.Name))
	}
	return out
}

// announcedFindings notes that the rate is one of replies outside 2xx, which expect.status asked for: right, but nothing
// that a reader of the number alone would guess.
func (a *arm) announcedFindings() []Finding {
	if a.in.Plan == nil || a.in.Plan.Expect.Status == nil || *a.in.Plan.Expect.Status/100 == 2 {
		return nil
	}
	f := find("non-2xx", "Every reply of %s has status %d, as expect.status says.", a.in.Name, *a.in.Plan.Expect.Status)
	f.Severity, f.Advice = SeverityNote, "The requests/s are those of this reply; say so where you quote them."
	return []Finding{f}
}

// unexpected is the number of replies with a status that is neither 2xx nor announced by expect.status.
func (a *arm) unexpected(t result.Trial) int64 {
	if a.in.Plan != nil && a.in.Plan.Expect.Status != nil {
		return t.Errors[string(result.ErrStatus)]
	}
	if t.Non2xx == nil {
		return 0
	}
	return *t.Non2xx
}

// mostlyErrors reports whether more than half of the replies in the counted trials are unexpected errors.
func (a *arm) mostlyErrors() bool {
	var bad, all float64
	for _, t := range a.counted {
		if t.Requests != nil {
			bad += float64(a.unexpected(t))
			all += float64(*t.Requests)
		}
	}
	return bad > all/2
}

// failureFindings is about failed requests: an error when one trial is above the limit, else a warning.
func (a *arm) failureFindings() []Finding {
	limit := maxFailedShare
	if a.in.Plan != nil {
		limit = a.in.Plan.Expect.MaxFailed
	}
	var failed, requests int64
	var worst, worstTrial = 0.0, 0
	classes := map[string]int64{}
	first := ""
	for _, t := range a.trials {
		if t.Requests != nil {
			requests += *t.Requests
		}
		if t.Failed == nil || *t.Failed == 0 {
			continue
		}
		failed += *t.Failed
		if t.Requests != nil && *t.Requests > 0 {
			if share := float64(*t.Failed) / float64(*t.Requests); share > worst {
				worst, worstTrial = share, t.Trial
			}
		} else {
			worst, worstTrial = 1, t.Trial
		}
		for class, n := range t.Errors {
			if class != string(result.ErrUnfinished) && n > 0 {
				classes[class] += n
			}
		}
		if first == "" {
			first = t.FirstError
		}
	}
	if failed == 0 {
		return nil
	}
	text := fmt.Sprintf("%s of %s requests failed%s", countText(failed), countText(max(requests, failed)), list(" (", classes, ")"))
	if first != "" {
		text += "; first: " + strings.TrimRight(clip(clean(first), 160), ".")
	}
	if worst > limit {
		return []Finding{find("failed-requests", "%s: %s. Worst is trial %d with %s; the limit is %s.", a.in.Name, text, worstTrial, percentText(min(worst, 1)), percentText(limit))}
	}
	return []Finding{find("few-failures", "%s: %s.", a.in.Name, text)}
}

// list is open + "key n, key n" + end, by falling count; empty when there is nothing to list.
func list(open string, counts map[string]int64, end string) string {
	if len(counts) == 0 {
		return ""
	}
	keys := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(keys, func(a, b string) int { return int(min(max(counts[b]-counts[a], -1), 1)) })
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = fmt.Sprintf("%s: %s", clip(clean(k), 40), countText(counts[k]))
	}
	return open + strings.Join(parts, ", ") + end
}

// classFindings is about the classes of failures that have a remedy of their own.
func (a *arm) classFindings() []Finding {
	sum := func(words []string, classes ...result.ErrorClass) (n int64, said bool) {
		for _, t := range a.trials {
			for _, c := range classes {
				n += t.Errors[string(c)]
			}
			for _, line := range append([]string{t.FirstError}, t.ErrorLines...) {
				line = strings.ToLower(line)
				said = said || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(line, w) })
			}
		}
		return n, said
	}
	var out []Finding
	if n, _ := sum(nil, result.ErrTruncated); n > 0 {
		out = append(out, find("truncated-replies", "%s replies of %s ended before their announced end.", countText(n), a.in.Name))
		if a.rateFromText() {
			out = append(out, find("errors-counted-as-throughput", "The requests/s of %s count broken replies like good ones.", a.in.Name))
		}
	}
	n, said := sum([]string{"timed out", "timeout"}, result.ErrTimeout, result.ErrRequestTimeout, result.ErrConnectTimeout)
	switch {
	case n > 0:
		out = append(out, find("timeouts", "%s requests of %s timed out.", countText(n), a.in.Name))
	case said:
		out = append(out, find("timeouts", "A trial of %s reports a timeout.", a.in.Name))
	}
	n, said = sum([]string{"assign requested address", "eaddrnotavail"}, result.ErrAddressUnavailable)
	switch {
	case n > 0 && a.saidBy("too many open files"):
		f := find("port-exhaustion", "%s connections to %s could not be opened: too many open files.", countText(n), a.in.Name)
		f.Advice = "Raise the limit of open files (ulimit -n) above the number of connections."
		out = append(out, f)
	case n > 0:
		out = append(out, find("port-exhaustion", "%s connections to %s found no free local port.", countText(n), a.in.Name))
	case said:
		out = append(out, find("port-exhaustion", "A trial of %s found no free local port.", a.in.Name))
	}
	return out
}

// saidBy reports whether the first error of a trial holds a text.
func (a *arm) saidBy(text string) bool {
	return slices.ContainsFunc(a.trials, func(t result.Trial) bool { return strings.Contains(t.FirstError, text) })
}

// rateFromText reports whether a counted rate was computed by another tool.
func (a *arm) rateFromText() bool {
	return slices.ContainsFunc(a.counted, func(t result.Trial) bool { return t.Source != nil && t.Source.Tool != "numbers" })
}

// countFindings is about how many trials there are, and those that were lost.
func (a *arm) countFindings() []Finding {
	var out []Finding
	var aborted, cut, zero []int
	why, skipped := "", 0
	for _, t := range a.trials {
		if strings.HasPrefix(t.InvalidBecause, skippedPrefix) {
			skipped++
			continue
		}
		if t.Aborted {
			aborted = append(aborted, t.Trial)
			if why == "" {
				why = firstOf(t.FirstError, strings.Join(t.ErrorLines, "; "), t.InvalidBecause)
			}
		}
		if t.Truncated {
			cut = append(cut, t.Trial)
		}
		if !t.Aborted && !t.Interrupted && noReply(t) {
			zero = append(zero, t.Trial)
		}
	}
	if len(aborted) > 0 {
		text := fmt.Sprintf("%d of %s of %s given up (%s)", len(aborted), plural(len(a.trials), "trial"), a.in.Name, trialList(aborted))
		if len(aborted)+skipped == len(a.trials) {
			text = fmt.Sprintf("Every trial of %s was given up (n = %d)", a.in.Name, len(aborted))
		}
		if skipped > 0 {
			text += fmt.Sprintf(", %d more not even started", skipped)
		}
		if why != "" {
			text += ": " + strings.TrimRight(clip(clean(why), 160), ".")
		}
		out = append(out, find("aborted", "%s.", text))
	}
	if len(cut) > 0 {
		out = append(out, find("truncated-text", "The text of %s of %s is cut.", trialList(cut), a.in.Name))
	}
	if len(zero) > 0 {
		out = append(out, find("no-throughput", "%s of %s answered no request at all.", upper(trialList(zero)), a.in.Name))
	}
	switch n := len(a.counted); {
	case n == 0:
		out = append(out, find("no-valid-trial", "None of the %s of %s counts.", plural(len(a.trials), "trial"), a.in.Name))
	case n == 1:
		figure := "its rate has"
		if latencyOnly(a.counted[0]) {
			figure = "its latencies have"
		}
		out = append(out, find("one-trial", "%s has a single trial: %s no interval.", a.in.Name, figure))
	case n < fewTrials:
		out = append(out, find("few-trials", "%s has only %d trials that count.", a.in.Name, n))
	}
	return out
}

// noReply reports whether a trial ran to its end and brought nothing, not even an error reply.
func noReply(t result.Trial) bool {
	if t.RPS == nil {
		return measuredToEnd(t) && len(t.Status) == 0
	}
	return *t.RPS == 0
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// shortTrials counts the trials that are too short, and returns the shortest of them in seconds.
func (a *arm) shortTrials() (short int, shortest float64) {
	for _, t := range a.counted {
		if t.Seconds != nil && *t.Seconds < shortSeconds {
			if short == 0 || *t.Seconds < shortest {
				shortest = *t.Seconds
			}
			short++
		}
	}
	return short, shortest
}

// shapeFindings is about trials that are too short, and replies that vary.
func (a *arm) shapeFindings() []Finding {
	var out []Finding
	if short, shortest := a.shortTrials(); short > 0 {
		out = append(out, find("short-trial", "%d of %s of %s took less than %g s (shortest %s s).",
			short, plural(len(a.counted), "trial"), a.in.Name, shortSeconds, significant(shortest, 2)))
	}
	if a.replies.varying {
		out = append(out, find("varying-length", "The replies of %s differ in length.", a.in.Name))
	}
	return out
}

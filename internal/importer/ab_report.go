package importer

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// label takes one "Label: value" line of the report.
func (s *abScanner) label(l *line, label abLabel, value string) {
	if label <= abPath || label == abRampup {
		s.textLabel(l, label, value)
		return
	}
	from := l
	if value == "" {
		if next, nl := s.wrapped(); nl != nil {
			value, from = next, nl
		}
	}
	if label == abLength && strings.HasPrefix(value, "Variable") {
		s.runFor(l, label).variable = true
		return
	}
	token := firstToken(value)
	if label == abRPS {
		s.rate(l, from, value, token)
		return
	}
	if value != "" && !numeric(token) {
		return // prose that explains the label
	}
	r := s.runFor(l, label)
	v, ok := plainNumber(token)
	switch {
	case !ok:
	case from.open && strings.HasSuffix(from.text, token):
		r.cut = true // the text ends in this value: digits may be missing
	default:
		r.take(label, v, token, value)
	}
}

// firstToken is the first field of a value, without a unit in brackets that touches it.
func firstToken(value string) string {
	fields := strings.Fields(value)
	if len(fields) == 0 {
		return ""
	}
	token, _, _ := strings.Cut(fields[0], "[")
	return token
}

// plainDecimal is the only way in which ab prints a number.
var plainDecimal = regexp.MustCompile(`^\d+(?:\.\d+)?$`)

func plainNumber(token string) (float64, bool) {
	if !plainDecimal.MatchString(token) {
		return 0, false
	}
	v, err := strconv.ParseFloat(token, 64)
	return v, err == nil
}

// rate takes the line "Requests per second". A page often repeats it in its prose: a line that stands alone and says
// what a run has said already is a mention, not a run.
func (s *abScanner) rate(l, from *line, value, token string) {
	unmeasured := strings.Trim(strings.ToLower(token), "-+")
	if unmeasured == "nan" || unmeasured == "inf" || unmeasured == "infinity" {
		s.runFor(l, abRPS).noRate = token
		return
	}
	if token == "" || token[0] < '0' || token[0] > '9' {
		return
	}
	v, ok := plainNumber(token)
	if !ok {
		column := strings.Index(from.orig, token)
		s.err = &SyntaxError{File: s.name, Line: from.no, Column: 1 + utf8.RuneCountInString(from.orig[:max(column, 0)]),
			Msg: "read requests per second: " + quoteShort(token) + " is not one number" + rateHint(token)}
		return
	}
	if s.mention(v) {
		return
	}
	r := s.runFor(l, abRPS)
	if from.open && strings.HasSuffix(from.text, token) {
		r.cut = true
		return
	}
	r.rps = &v
	r.unit = strings.Contains(value, "#/sec")
}

func rateHint(token string) string {
	if strings.ContainsAny(token, "|/;") {
		return "; give each run's own output, or write the rates as plain numbers, one a line"
	}
	return numberHint(token, rateQuantity)
}

// mention reports whether the rate of the current line only repeats that of a run with a report of its own.
func (s *abScanner) mention(v float64) bool {
	if next := s.following(); next != nil {
		label, _ := labelOf(next.text)
		if label == abPerRequest && (s.cur == nil || s.cur.has(abPerRequest) || !s.cur.has(abRPS)) {
			return false // it is followed by the rest of a report
		}
	}
	if s.cur != nil && !s.cur.sealed && s.cur.rank < abRPS && len(s.cur.seen) > 0 {
		return false // it is the one that the report's order wants next
	}
	return s.rates[v] || s.cur != nil && s.cur.reported() && *s.cur.rps == v
}

// textLabel takes a line whose value is text.
func (s *abScanner) textLabel(l *line, label abLabel, value string) {
	value = strings.TrimSpace(value)
	r := s.runFor(l, label)
	if value == "" && s.at+1 < len(s.lines) {
		next := s.lines[s.at+1]
		if other, _ := labelOf(next.text); other == abNone && next.text != "" && len(strings.Fields(next.text)) == 1 && (label == abSoftware || label == abPath) && strings.Contains(next.text, "/") {
			value = next.text
			s.at++
		}
	}
	if value != "" {
		value, _, _ = strings.Cut(value, " //") // what a translator wrote beside it
	}
	r.text(label, strings.TrimSpace(value))
}

// detail takes the lines without a label of their own that belong to the report.
func (s *abScanner) detail(text string) bool {
	r := s.cur
	if r == nil || r.sealed {
		return false
	}
	if m := abBreakdown.FindStringSubmatch(text); m != nil && r.has(abFailed) {
		r.breakdown = map[string]int64{}
		for i, class := range []string{"connect", "receive", "length", "exceptions"} {
			if n, err := strconv.ParseInt(m[i+1], 10, 64); err == nil {
				r.breakdown[class] = n
			}
		}
		return true
	}
	if m := abSideRate.FindStringSubmatch(text); m != nil && r.has(abTransferRate) {
		if v, ok := plainNumber(m[1]); ok {
			r.keep("transfer_rate_"+m[2]+"_kb_s", v)
		}
		return true
	}
	if abWarning.MatchString(text) && r.has(abConnectionTimes) && len(r.warnings) < 10 {
		r.warnings = append(r.warnings, text)
		return true
	}
	return false
}

// row takes a row of one of the two tables.
func (s *abScanner) row(l *line) bool {
	r := s.cur
	if r == nil || r.sealed {
		return s.strayRow(l)
	}
	if s.table == percentTable {
		m := abPercentRow.FindStringSubmatch(l.text)
		if m == nil {
			return false
		}
		v, ok := plainNumber(m[2])
		p, err := strconv.Atoi(m[1])
		if !ok || err != nil || p > 100 {
			return false
		}
		if l.open && strings.HasSuffix(l.text, m[2]) && p < 100 {
			r.cut = true
			return true
		}
		r.percentile(p, v)
		r.sealed = p == 100
		return true
	}
	if s.table == timesTable {
		switch {
		case abFullHeader.MatchString(l.text):
			r.columns = 5
			return true
		case abShortHeader.MatchString(l.text):
			r.columns = 3
			return true
		}
	}
	return s.timesRow(l)
}

// strayRow takes the rows of a table whose head is missing: they are only skipped.
func (s *abScanner) strayRow(l *line) bool {
	name, numbers := timesCells(l.text)
	return name != "" && len(numbers) >= 3
}

// timesCells splits a row of the table of connection times: its name in lower case and the numbers that follow.
func timesCells(text string) (string, []float64) {
	head, value, ok := strings.Cut(text, ":")
	if !ok {
		return "", nil
	}
	name := strings.ToLower(strings.TrimSpace(head))
	switch name {
	case "connect", "processing", "waiting", "total":
		return name, leadingNumbers(value)
	}
	return "", nil
}

func leadingNumbers(value string) []float64 {
	var numbers []float64
	for f := range strings.FieldsSeq(value) {
		v, ok := plainNumber(f)
		if !ok || len(numbers) == 5 {
			break
		}
		numbers = append(numbers, v)
	}
	return numbers
}

// timesRow takes a row of the table of connection times; cells may be wrapped onto the lines below.
func (s *abScanner) timesRow(l *line) bool {
	name, numbers := timesCells(l.text)
	if name == "" || s.table != timesTable && len(numbers) < 3 {
		return false
	}
	r := s.cur
	want := r.columns
	if want == 0 {
		want = 5
	}
	last := l
	for len(numbers) < want {
		if s.at+1 < len(s.lines) && labelledRow(s.lines[s.at+1].text) {
			break
		}
		more, nl := s.wrapped()
		if nl == nil {
			break
		}
		numbers = append(numbers, leadingNumbers(more)...)
		last = nl
	}
	if last.open && (len(numbers) < want || name != "total") {
		r.cut = true
		return true
	}
	r.times(name, numbers)
	return true
}

func labelledRow(text string) bool { return abPercentRow.MatchString(text) }

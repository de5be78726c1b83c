package importer

import (
	"slices"
	"strconv"
	"strings"
)

// sniffAB reports whether the text holds a line that only ab prints.
func sniffAB(d *document) bool {
	for _, l := range d.cleaned() {
		label, value := labelOf(l.text)
		switch {
		case label == abTime || label == abComplete || label == abRPS || label == abConcurrency:
			if numeric(value) || value == "" {
				return true
			}
		case strings.Contains(l.text, "ApacheBench") && abBanner.MatchString(l.text),
			abBenchmarking.MatchString(l.text), strings.HasPrefix(l.text, "Total of ") && abTotalOf.MatchString(l.text), abTimesHeading.MatchString(l.text):
			return true
		}
	}
	return false
}

// parseAB reads every run of ab on a page, in order, with or without head and tail.
func parseAB(d *document) (*Parsed, error) {
	s := &abScanner{name: d.name, lines: d.cleaned()}
	for s.at = 0; s.at < len(s.lines); s.at++ {
		s.step(&s.lines[s.at])
		if s.err != nil {
			return nil, s.err
		}
	}
	p := &Parsed{Kind: KindAB, Notes: s.notes}
	for _, r := range keepRuns(s.runs) {
		p.Trials = append(p.Trials, r.trial(d.name))
	}
	if len(p.Trials) == 0 {
		if sniffForeign(d) {
			return refuseForeign(d)
		}
		return nil, &SyntaxError{File: d.name, Msg: "find measurements: there is ab text but no run in it; give the whole standard output of ab"}
	}
	number(p.Trials)
	return p, nil
}

// table is the part of the report whose rows have labels of their own.
type table int

const (
	noTable table = iota
	timesTable
	percentTable
)

// abScanner walks over the lines and collects runs.
type abScanner struct {
	name  string
	lines []line
	at    int // the current line
	runs  []*abRun
	cur   *abRun // nil before the first run
	table table
	// early holds fatal errors printed before the banner: standard error is not buffered, standard output redirected
	// to a file is, so that "ab … > file 2>&1" writes them in this order.
	early []string
	rates map[float64]bool // of the runs before the current one that have a report of their own
	notes []string
	noted string // the tool of the last note, until another run of ab begins
	err   error
}

// begin starts a run at a line.
func (s *abScanner) begin(l *line) *abRun {
	if r := s.cur; r != nil && r.reported() {
		if s.rates == nil {
			s.rates = map[float64]bool{}
		}
		s.rates[*r.rps] = true
	}
	s.noted = ""
	s.cur = &abRun{line: l.no}
	s.runs = append(s.runs, s.cur)
	s.table = noTable
	return s.cur
}

// open reports whether the current run has begun and shows no part of its report yet: only then can it abort.
func (s *abScanner) open() bool {
	return s.cur != nil && !s.cur.sealed && s.cur.rank == abNone && (s.cur.banner || s.cur.bench)
}

// step takes one line.
func (s *abScanner) step(l *line) {
	text := l.text
	if text == "" {
		return
	}
	if s.heading(l) || s.ending(l) || s.row(l) {
		return
	}
	if label, value := labelOf(text); label != abNone {
		s.label(l, label, value)
		return
	}
	if s.detail(text) {
		return
	}
	if m := abProgress.FindStringSubmatch(text); m != nil {
		if s.open() {
			s.cur.advance(m[1], m[2])
		}
		return
	}
	if m, ok := foreignIn(text); ok {
		s.foreign(l, m)
	}
	if s.cur != nil && len(s.cur.errors) > 0 && abCommand.MatchString(text) {
		s.cur.sealed = true
	}
	s.early = nil
	if l.open && s.table == percentTable && s.cur != nil && !s.cur.sealed {
		s.cur.cut = true
	}
}

// heading takes the lines before the report, which begin a run, and the headings of the tables.
func (s *abScanner) heading(l *line) bool {
	if m := abBanner.FindStringSubmatch(l.text); m != nil {
		r := s.begin(l)
		r.banner = true
		r.version = m[1]
		if m[2] != "" {
			r.version += " rev " + m[2]
		}
		if len(s.early) > 0 {
			r.fatal, r.adopted, r.errors, s.early = true, true, s.early, nil
		}
		return true
	}
	if m := abBenchmarking.FindStringIndex(l.text); m != nil {
		r := s.cur
		if !s.open() || r.bench {
			r = s.begin(l)
		}
		r.bench = true
		if len(s.early) > 0 {
			r.fatal, r.adopted, r.errors, s.early = true, true, s.early, nil
		}
		s.ending(l)
		return true
	}
	switch {
	case strings.Contains(l.text, "ection Times") && abTimesHeading.MatchString(l.text):
		s.runFor(l, abConnectionTimes)
		s.table = timesTable
	case strings.Contains(l.text, "ercentage of") && abPctHeading.MatchString(l.text):
		s.runFor(l, abPercentages)
		s.table = percentTable
	default:
		return false
	}
	return true
}

// runFor returns the run that a line of the report belongs to, a new one if it cannot be the current one's.
func (s *abScanner) runFor(l *line, label abLabel) *abRun {
	r := s.cur
	if r == nil || r.sealed || r.rank > label || r.has(label) && !repeatable(r, label) {
		r = s.begin(l)
	}
	r.rank = label
	if label == abPerRequest || !r.has(label) {
		r.seen = append(r.seen, label)
	}
	r.html = r.html || l.html
	s.table = noTable
	return r
}

// repeatable reports whether a run may show the label once more.
func repeatable(r *abRun, label abLabel) bool {
	return label == abPerRequest && r.count(label) < 2 || label == abBodySent || label == abKeepAlive
}

// ending takes the lines by which a run ends early.
func (s *abScanner) ending(l *line) bool {
	text := l.text
	found := false
	if strings.Contains(text, "apr_") {
		if m := abFatal.FindStringIndex(text); m != nil && (m[0] == 0 || s.open() && abBenchmarking.MatchString(text)) {
			s.fatal(text[m[0]:m[1]])
			found = true
		}
	}
	if strings.Contains(text, "failed!") || strings.Contains(text, "aborted after") {
		if m := abFatalText.FindStringSubmatch(text); m != nil {
			s.fatal(m[1])
			found = true
		}
	}
	if s.open() && strings.Contains(text, "SSL ") && len(s.cur.errors) < maxErrorLines {
		if m := abTLSError.FindStringSubmatch(text); m != nil {
			s.cur.errors = append(s.cur.errors, m[1])
			found = true
		}
	}
	if !strings.Contains(text, "Total of ") {
		return found || s.stopped(text)
	}
	if m := abTotalOf.FindStringSubmatch(text); m != nil && (strings.HasPrefix(text, "Total of") || abBenchmarking.MatchString(text)) {
		s.total(l, m[1])
		found = true
	}
	return found
}

// stopped takes the mark that a terminal leaves of Ctrl-C.
func (s *abScanner) stopped(text string) bool {
	if !s.open() || !strings.HasPrefix(text, "^C") && !strings.HasSuffix(text, "^C") {
		return false
	}
	s.cur.interrupted = true
	return true
}

// maxErrorLines is how many error lines of one run are kept: a log may hold any number.
const maxErrorLines = 100

// fatal takes an error that ends a run, or one that comes before the banner of its run.
func (s *abScanner) fatal(text string) {
	if s.open() && !s.cur.adopted {
		s.cur.fatal = true
		if len(s.cur.errors) < maxErrorLines && !slices.Contains(s.cur.errors, text) {
			s.cur.errors = append(s.cur.errors, text)
		}
		return
	}
	if len(s.early) < maxErrorLines {
		s.early = append(s.early, text)
	}
}

// total takes "Total of N requests completed", the last line of an aborted run.
func (s *abScanner) total(l *line, digits string) {
	r := s.cur
	if !s.open() {
		if r != nil && r.completed != nil && r.rank == abNone {
			return // said again
		}
		r = s.begin(l)
		r.errors, s.early = s.early, nil
	}
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
		r.completed = &n
	}
	r.sealed = true
}

// foreign takes a line of another tool's output: it ends the run above it, and is reported once a stretch.
func (s *abScanner) foreign(l *line, m foreignMark) {
	if !m.start {
		return
	}
	if s.cur != nil {
		s.cur.sealed = true
		s.table = noTable
	}
	if s.noted != m.tool && len(s.notes) < 100 {
		s.noted = m.tool
		s.notes = append(s.notes, (&SyntaxError{File: s.name, Line: l.no, Column: 1, Msg: notRead(m.tool)}).Error())
	}
}

// following returns the next line that is not blank, or nil.
func (s *abScanner) following() *line {
	for i := s.at + 1; i < len(s.lines); i++ {
		if s.lines[i].text != "" {
			return &s.lines[i]
		}
	}
	return nil
}

// wrapped returns the fields of the next line if a value was wrapped onto it: it follows at once and begins with a
// digit. The line is used up.
func (s *abScanner) wrapped() (string, *line) {
	if s.at+1 >= len(s.lines) {
		return "", nil
	}
	l := &s.lines[s.at+1]
	if l.text == "" || l.text[0] < '0' || l.text[0] > '9' {
		return "", nil
	}
	s.at++
	return l.text, l
}

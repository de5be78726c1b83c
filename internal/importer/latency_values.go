package importer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// Values says what plain numbers are.
type Values string

// What plain numbers can be.
const (
	ValuesRPS       Values = "rps"        // requests per second, one trial a line
	ValuesLatencyMS Values = "latency-ms" // milliseconds, one request a line
	ValuesLatencyS  Values = "latency-s"  // seconds, one request a line
)

// latencyUnit is how latencies of one unit are read.
type latencyUnit struct {
	columns  []string // names of their column in a table, the preferred one first
	perUnit  float64  // nanoseconds
	quantity quantity
}

func unitOf(v Values) latencyUnit {
	u := latencyUnit{columns: []string{"latency_ms", "latency-ms", "latency"}, perUnit: 1e6, quantity: quantity{
		negative: " of 0 or more; a latency cannot be negative", alone: "the milliseconds", example: "milliseconds as a decimal number such as 12.5",
	}}
	if v == ValuesLatencyS {
		u.columns, u.perUnit = []string{"latency_s", "latency-s", "latency"}, 1e9
		u.quantity.alone, u.quantity.example = "the seconds", "seconds as a decimal number such as 0.0125"
	}
	return u
}

const (
	latencyHead = 64 << 10 // what is looked at to tell what the text is; no line may be longer
	mostTrials  = 10000    // of a table
)

// ParseLatencies reads plain numbers that are the latencies of single requests: one a line, which are the requests of
// one trial, or a table with a column of latencies, in which the rows that agree in target, block, restart and trial
// are the requests of one. The trials have a distribution and a count, and no rate. Latencies are kept to the
// nanosecond and to three significant digits (the extremes and the mean exactly), whatever their number; 0 is one, as
// a coarse clock shows it.
//
// The text is read once, as it comes, in constant memory. Text that is not plain numbers is read as Parse does, so that
// the caller can tell by Kind. Errors are those of Parse, and those of r as they are.
func ParseLatencies(r io.Reader, name string, v Values) (*Parsed, error) {
	in := bufio.NewReaderSize(r, latencyHead)
	head, err := in.Peek(latencyHead)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	s := &latencyScan{name: name, unit: unitOf(v)}
	if s.plain(head) {
		return s.read(in)
	}
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	doc, err := newDocument(text, name)
	if err != nil {
		return nil, err
	}
	for _, f := range registry() {
		if f.kind != KindNumbers && f.sniff(doc) {
			return f.parse(doc)
		}
	}
	return s.read(bufio.NewReaderSize(strings.NewReader(doc.text), latencyHead))
}

// latencyScan is one text of latencies while it is read.
type latencyScan struct {
	name  string
	unit  latencyUnit
	no    int           // line
	began bool          // the first line that is no comment was read
	table *latencyTable // nil for one number a line
	one   *latencies    // of one number a line
}

// plain reports whether the first line that is no comment begins like a number or is the header of a table of
// latencies, in an encoding that needs no conversion.
func (s *latencyScan) plain(head []byte) bool {
	if bytes.IndexByte(head, 0) >= 0 || bytes.IndexByte(head, '\r') >= 0 && bytes.IndexByte(head, '\n') < 0 {
		return false
	}
	plain := false
	significant(string(bytes.TrimPrefix(head, utf8Mark)), func(_ int, text string) bool {
		plain = numeric(text) || latencyColumn(splitRow(text), s.unit) >= 0
		return false
	})
	return plain
}

var utf8Mark = []byte("\xef\xbb\xbf")

// read reads every line.
func (s *latencyScan) read(in *bufio.Reader) (*Parsed, error) {
	for {
		line, err := in.ReadSlice('\n')
		s.no++
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, s.fail(1, fmt.Sprintf("read latency: the line is longer than %d KiB; write one number per line", latencyHead>>10))
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if s.no == 1 {
			line = bytes.TrimPrefix(line, utf8Mark)
		}
		if bad := s.line(bytes.TrimRight(line, "\r\n")); bad != nil {
			return nil, bad
		}
		if err != nil {
			return s.finish()
		}
	}
}

// quick reads a bare number, which nearly every line is, and the usual row of a table; it leaves all else to line.
func (s *latencyScan) quick(b []byte) (done bool, err error) {
	switch {
	case s.one != nil:
		if v, ok := shortDecimal(b); ok {
			return true, s.add(s.one, v, 1)
		}
	case s.table != nil && bytes.IndexByte(b, '"') < 0 && bytes.IndexByte(b, '#') < 0:
		if l, v, ok := s.table.quick(b); ok {
			return s.add(l, v, 1) == nil, nil // what does not fit is told at its place
		}
	}
	return false, nil
}

// line reads one line.
func (s *latencyScan) line(b []byte) error {
	if done, err := s.quick(b); done {
		return err
	}
	if i := bytes.IndexByte(b, '#'); i >= 0 {
		b = b[:i]
	}
	if len(bytes.TrimSpace(b)) == 0 {
		return nil
	}
	text := strings.TrimRight(string(b), " \r\u00a0")
	if !s.began {
		s.began = true
		if header, err := s.header(text); header || err != nil {
			return err
		}
	}
	if s.table != nil {
		return s.row(text)
	}
	if s.one == nil {
		s.one = s.newTrial()
	}
	return s.value(s.one, cell{text: strings.TrimSpace(text), column: 1 + leadOf(text)})
}

// leadOf is the number of characters before the first one that is not space.
func leadOf(text string) int {
	return utf8.RuneCountInString(text) - utf8.RuneCountInString(strings.TrimLeft(text, " \t\u00a0"))
}

func (s *latencyScan) newTrial() *latencies {
	return &latencies{trial: result.Trial{Type: "trial", Valid: true, Source: &result.Source{Tool: KindNumbers, File: s.name, Line: s.no}}}
}

// value reads and adds one latency.
func (s *latencyScan) value(l *latencies, c cell) error {
	v, ok := longDecimal(c.text)
	switch {
	case !ok:
		return s.fail(c.column, "read latency: "+quoteShort(c.text)+" is not a number"+numberHint(c.text, s.unit.quantity))
	case math.IsInf(v, 0):
		return s.fail(c.column, "read latency: "+quoteShort(c.text)+" is too large for a number")
	}
	return s.add(l, v, c.column)
}

// add records a latency given in the unit of the text.
func (s *latencyScan) add(l *latencies, v float64, column int) error {
	ns := math.Round(v * s.unit.perUnit)
	if ns < math.MaxInt64 && l.add(int64(ns)) {
		return nil
	}
	return s.fail(column, "read latency: the latencies add up to more than 292 years; check that --values names their unit")
}

func (s *latencyScan) fail(column int, msg string) error {
	return &SyntaxError{File: s.name, Line: s.no, Column: column, Msg: msg}
}

// finish returns what was read.
func (s *latencyScan) finish() (*Parsed, error) {
	p := &Parsed{Kind: KindNumbers}
	switch {
	case s.one != nil:
		p.Trials = []result.Trial{s.one.finish()}
	case s.table != nil:
		for _, l := range s.table.trials {
			p.Trials = append(p.Trials, l.finish())
		}
	}
	if len(p.Trials) == 0 {
		return nil, &SyntaxError{File: s.name, Msg: "read latencies: the input holds no number, only comments or a header; write one latency per line"}
	}
	number(p.Trials)
	return p, nil
}

// latencyColumn is the index of the column of latencies in a header, by the first name that is there; −1 for none.
func latencyColumn(cells []cell, u latencyUnit) int {
	for _, name := range u.columns {
		if i := slices.IndexFunc(cells, func(c cell) bool { return strings.EqualFold(c.text, name) }); i >= 0 {
			return i
		}
	}
	return -1
}

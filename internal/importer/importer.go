// Package importer turns text that somebody already has (plain numbers, the output of ab, a result file) into trials.
//
// The format is recognised by what the text holds, never by the name of the file. What the text does not show stays
// nil: nothing is derived, guessed or filled with 0. The output of a tool that is not read yet is refused by name.
package importer

import (
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// The kinds of text that Parse reads.
const (
	KindNumbers = "numbers" // one RPS per line, or a table with an rps column
	KindAB      = "ab"      // what ab prints on standard output
	KindResult  = "result"  // a result file of this program
)

// Parsed is what one text holds.
type Parsed struct {
	Kind string // one of the Kind constants
	// Trials are in the order of the text. Target is empty unless the text names it: the caller knows what was
	// measured. Trial counts from 1 per target, excluded trials included.
	Trials []result.Trial
	File   *result.File // only for KindResult; Trials are the file's own
	// Notes says, one line each with file:line:column, what was in the text but was not read.
	Notes []string
}

// document is one text on its way through the formats.
type document struct {
	name string
	text string // UTF-8, without a byte-order mark, lines ended by \n
	raw  []byte
	// lines is the text cleaned of what terminals, mail, wikis and web pages add.
	lines []line
}

// format is one kind of text. The formats are tried in the order of the registry; the first whose sniff accepts the
// text reads it.
type format struct {
	kind  string
	sniff func(*document) bool
	parse func(*document) (*Parsed, error)
}

// registry lists the formats, the least ambiguous first.
func registry() []format {
	return []format{
		{KindResult, sniffResult, parseResult},
		{KindNumbers, sniffNumbers, parseNumbers},
		{KindAB, sniffAB, parseAB},
		{"", sniffForeign, refuseForeign},
		{KindNumbers, sniffSpoiltNumbers, parseNumbers},
	}
}

// Parse reads the measurements of a text. name is used in messages and recorded as the source of every trial; "-"
// stands for standard input. The errors are one line, with file:line:column where there is a place to point at: empty
// or binary input, a text without a measurement, a value that is not a number, the output of a tool that is not read.
func Parse(text []byte, name string) (*Parsed, error) {
	doc, err := newDocument(text, name)
	if err != nil {
		return nil, err
	}
	for _, f := range registry() {
		if f.sniff(doc) {
			return f.parse(doc)
		}
	}
	return nil, &SyntaxError{File: name, Line: 1, Column: 1, Msg: "find measurements: this is not ab output, not plain " +
		"numbers and not a result file; give ab's standard output, one RPS per line, or a table with an rps column"}
}

func newDocument(raw []byte, name string) (*document, error) {
	text, err := decode(raw, name)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(text) == "" {
		return nil, &SyntaxError{File: name, Msg: "read measurements: the input is empty"}
	}
	return &document{name: name, text: text, raw: raw}, nil
}

// cleaned returns the normalised lines, computed once.
func (d *document) cleaned() []line {
	if d.lines == nil {
		d.lines = normalise(d.text)
	}
	return d.lines
}

// number gives every trial its number: 1… per target.
func number(trials []result.Trial) {
	next := map[string]int{}
	for i := range trials {
		next[trials[i].Target]++
		trials[i].Trial = next[trials[i].Target]
	}
}

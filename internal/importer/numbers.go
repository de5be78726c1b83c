package importer

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// significant calls f with each line that holds more than white space and a # comment, until f returns false.
// text is the line without the comment, untrimmed on the left so that columns can be told.
func significant(text string, f func(no int, text string) bool) {
	no := 0
	for s := range strings.SplitSeq(text, "\n") {
		no++
		if i := strings.IndexByte(s, '#'); i >= 0 {
			s = s[:i]
		}
		if strings.TrimSpace(s) != "" && !f(no, strings.TrimRight(s, " \r\u00a0")) {
			return
		}
	}
}

// sniffNumbers reports whether the text is a table with an rps column, or lines that all begin like a number and are
// too short for prose.
func sniffNumbers(d *document) bool {
	first, only := true, false
	significant(d.text, func(_ int, s string) bool {
		if first && headerOf(s) != nil {
			only = true
			return false
		}
		first = false
		only = len(s) <= 64 && numeric(s) && len(strings.Fields(s)) <= 4
		return only
	})
	return only
}

// sniffSpoiltNumbers reports whether at least half of the lines begin like a number, or a table has no rps column:
// worth an exact message. So is a text of comments alone.
func sniffSpoiltNumbers(d *document) bool {
	total, good := 0, 0
	table := false
	significant(d.text, func(_ int, s string) bool {
		if total++; total == 1 && len(splitRow(s)) > 1 && !numeric(s) {
			table = true
		} else if numeric(s) {
			good++
		} else if table && len(splitRow(s)) < 2 {
			table = false
		}
		return total < 1000
	})
	return 2*good >= total || table && total > 1
}

// numeric reports whether a line begins like a number, good or bad.
func numeric(s string) bool {
	s = strings.ToLower(strings.TrimLeft(strings.TrimSpace(s), "+-"))
	if s == "nan" || strings.HasPrefix(s, "inf") && len(s) <= 8 {
		return true
	}
	s = strings.TrimLeft(s, ".")
	return s != "" && s[0] >= '0' && s[0] <= '9'
}

// columns are the places of the known columns in a table, -1 where there is none.
type columns struct {
	rps, target, block, restart int
	separator                   string
	count                       int
}

// headerOf returns the columns when the line is the header of a table that names an rps column; names are compared
// without regard to case, and columns with other names are not read.
func headerOf(s string) *columns {
	c := columns{rps: -1, target: -1, block: -1, restart: -1, separator: separatorOf(s)}
	cells := splitRow(s)
	c.count = len(cells)
	for i, cell := range cells {
		switch strings.ToLower(cell.text) {
		case "rps":
			c.rps = i
		case "target":
			c.target = i
		case "block":
			c.block = i
		case "restart":
			c.restart = i
		}
	}
	if c.rps < 0 {
		return nil
	}
	return &c
}

type cell struct {
	text   string
	column int // 1-based, in characters
}

func separatorOf(s string) string {
	for _, sep := range []string{"\t", ",", ";"} {
		if strings.Contains(s, sep) {
			return sep
		}
	}
	return ""
}

func splitRow(s string) []cell { return splitBy(s, separatorOf(s)) }

// splitBy cuts a row into trimmed cells; a cell in double quotes may hold the separator, and "" in it is a quote.
func splitBy(s, sep string) []cell {
	var cells []cell
	for column := 1; ; {
		end := cellEnd(s, sep)
		raw := s[:end]
		text := strings.TrimSpace(raw)
		lead := utf8.RuneCountInString(raw) - utf8.RuneCountInString(strings.TrimLeft(raw, " \t\u00a0"))
		if len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' {
			text = strings.TrimSpace(strings.ReplaceAll(text[1:len(text)-1], `""`, `"`))
		}
		cells = append(cells, cell{text: text, column: column + lead})
		if end == len(s) {
			return cells
		}
		column += utf8.RuneCountInString(raw) + 1
		s = s[end+1:]
	}
}

// cellEnd is the index of the separator that ends the first cell, or the length of the row.
func cellEnd(s, sep string) int {
	quoted := false
	for i := range len(s) {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case !quoted && sep != "" && s[i] == sep[0]:
			return i
		}
	}
	return len(s)
}

// mostRates is how many trials a text of numbers may hold. Nobody measures so many: a longer text is one of latencies,
// which would take gigabytes as trials.
const mostRates = 100_000

// parseNumbers reads one RPS per line, or a table with a header.
func parseNumbers(d *document) (*Parsed, error) {
	p := &Parsed{Kind: KindNumbers}
	var cols *columns
	var err error
	first := true
	significant(d.text, func(no int, s string) bool {
		if first {
			first = false
			if cols = headerOf(s); cols != nil {
				return true
			}
			if err = headerWithoutRate(d.name, no, s); err != nil {
				return false
			}
		}
		if len(p.Trials) == mostRates {
			err = &SyntaxError{File: d.name, Line: no, Column: 1, Msg: fmt.Sprintf("read numbers: there are more than %d rates, each of which is a trial; "+
				"if these are the latencies of single requests, say so with --values latency-ms or latency-s", mostRates)}
			return false
		}
		var t result.Trial
		if t, err = numberTrial(d.name, no, s, cols); err != nil {
			return false
		}
		p.Trials = append(p.Trials, t)
		return true
	})
	if err != nil {
		return nil, err
	}
	if len(p.Trials) == 0 {
		return nil, &SyntaxError{File: d.name, Msg: "read numbers: the input holds no number, only comments or a header; write one RPS per line"}
	}
	number(p.Trials)
	return p, nil
}

func headerWithoutRate(name string, no int, s string) error {
	cells := splitRow(s)
	if len(cells) < 2 || numeric(s) {
		return nil
	}
	names := make([]string, len(cells))
	for i, c := range cells {
		names[i] = c.text
	}
	return &SyntaxError{File: name, Line: no, Column: 1,
		Msg: "read numbers: the header names no rps column (it has " + quoteShort(strings.Join(names, ", ")) + "); name the column of requests per second rps, or give --values for latencies"}
}

// numberTrial reads one line; cols is nil for a line that is only a number.
func numberTrial(name string, no int, s string, cols *columns) (result.Trial, error) {
	t := result.Trial{Type: "trial", Valid: true, Source: &result.Source{Tool: KindNumbers, File: name, Line: no}}
	rate := cell{text: strings.TrimSpace(s), column: 1 + utf8.RuneCountInString(s) - utf8.RuneCountInString(strings.TrimLeft(s, " \t\u00a0"))}
	if cols != nil {
		cells := splitBy(s, cols.separator)
		if len(cells) != cols.count {
			return t, &SyntaxError{File: name, Line: no, Column: 1, Msg: "read numbers: this row has " + strconv.Itoa(len(cells)) +
				" columns, the header " + strconv.Itoa(cols.count) + "; write a value for every column, without thousands separators"}
		}
		rate = cells[cols.rps]
		if cols.target >= 0 {
			t.Target = cells[cols.target].text
		}
		var err error
		if t.Block, err = ordinal(name, no, cells, cols.block, "block"); err != nil {
			return t, err
		}
		if t.Restart, err = ordinal(name, no, cells, cols.restart, "restart"); err != nil {
			return t, err
		}
	}
	v, err := parseRate(rate.text)
	if err != nil {
		return t, &SyntaxError{File: name, Line: no, Column: rate.column, Msg: "read rps: " + err.Error()}
	}
	t.RPS = &v
	return t, nil
}

// ordinal reads a number that counts from 1; an empty cell and a missing column are 0.
func ordinal(name string, no int, cells []cell, i int, what string) (int, error) {
	if i < 0 || cells[i].text == "" {
		return 0, nil
	}
	v, err := strconv.Atoi(cells[i].text)
	if err != nil || v < 1 || v > 1<<31-1 {
		return 0, &SyntaxError{File: name, Line: no, Column: cells[i].column,
			Msg: "read " + what + ": " + quoteShort(cells[i].text) + " is not a whole number from 1; leave the cell empty if it is not known"}
	}
	return v, nil
}

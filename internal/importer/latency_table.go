package importer

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// latencyTable is a table with one request a row.
type latencyTable struct {
	separator string
	count     int // columns
	// The places of the columns, −1 where there is none.
	latency, target, block, restart, number int

	trials []*latencies          // in the order of their first rows
	index  map[string]*latencies // by the cells that the rows of a trial have in common, in the order of the columns
	key    []byte                // such cells, used again for every row
}

const keyEnd = '\x00' // between the cells of a key; in a cell it would only join or part trials that nobody meant

// header reads the first line and reports whether it is a header; a header of one column is followed by one number a
// line. A header without latencies of the unit is an error.
func (s *latencyScan) header(text string) (bool, error) {
	cells := splitRow(text)
	t := &latencyTable{
		separator: separatorOf(text), count: len(cells), latency: latencyColumn(cells, s.unit), target: -1, block: -1, restart: -1, number: -1,
		index: map[string]*latencies{},
	}
	if t.latency < 0 {
		if numeric(text) || len(cells) < 2 && !strings.EqualFold(cells[0].text, "rps") {
			return false, nil
		}
		names := make([]string, len(cells))
		for i, c := range cells {
			names[i] = c.text
		}
		return false, s.fail(1, "read latencies: the header names no "+s.unit.columns[0]+" column (it has "+quoteShort(strings.Join(names, ", "))+
			"); name the column of latencies "+s.unit.columns[0]+", or give the --values that it holds")
	}
	for i, c := range cells {
		switch strings.ToLower(c.text) {
		case "target":
			t.target = i
		case "block":
			t.block = i
		case "restart":
			t.restart = i
		case "trial":
			t.number = i
		}
	}
	if t.count > 1 {
		s.table = t
	}
	return true, nil
}

// quick reads a row of a trial that has begun, without quotes or spaces around its cells, as most rows are.
func (t *latencyTable) quick(b []byte) (l *latencies, v float64, ok bool) {
	t.key = t.key[:0]
	var latency []byte
	for i := range t.count {
		end := bytes.IndexByte(b, t.separator[0])
		if end < 0 {
			end = len(b)
		}
		if (end == len(b)) != (i == t.count-1) {
			return nil, 0, false
		}
		switch i {
		case t.latency:
			latency = b[:end]
		case t.target, t.block, t.restart, t.number:
			t.key = append(append(t.key, b[:end]...), keyEnd)
		}
		b = b[min(end+1, len(b)):]
	}
	l = t.index[string(t.key)]
	v, ok = shortDecimal(latency)
	return l, v, ok && l != nil
}

// row reads one row of the table.
func (s *latencyScan) row(text string) error {
	t := s.table
	cells := splitBy(text, t.separator)
	if len(cells) != t.count {
		return s.fail(1, "read latencies: this row has "+strconv.Itoa(len(cells))+" columns, the header "+strconv.Itoa(t.count)+
			"; write a value for every column, without thousands separators")
	}
	t.key = t.key[:0]
	for i, c := range cells {
		switch i {
		case t.target, t.block, t.restart, t.number:
			t.key = append(append(t.key, c.text...), keyEnd)
		}
	}
	l := t.index[string(t.key)]
	if l == nil {
		var err error
		if l, err = s.begin(cells); err != nil {
			return err
		}
		t.trials, t.index[string(t.key)] = append(t.trials, l), l
	}
	return s.value(l, cells[t.latency])
}

// begin is the trial that a row is the first of.
func (s *latencyScan) begin(cells []cell) (l *latencies, err error) {
	t := s.table
	if len(t.trials) == mostTrials {
		return nil, s.fail(1, fmt.Sprintf("read latencies: the table has more than %d trials; the rows of one trial agree in target, block, restart and trial", mostTrials))
	}
	l = s.newTrial()
	if t.target >= 0 {
		l.trial.Target = cells[t.target].text
	}
	if l.trial.Block, err = ordinal(s.name, s.no, cells, t.block, "block"); err != nil {
		return nil, err
	}
	if l.trial.Restart, err = ordinal(s.name, s.no, cells, t.restart, "restart"); err != nil {
		return nil, err
	}
	if _, err = ordinal(s.name, s.no, cells, t.number, "trial"); err != nil {
		return nil, err
	}
	return l, nil
}

package result

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// MaxLine is the longest line of a result file that Read accepts, in bytes: far above any trial, and low enough that a
// file that is not a result file cannot fill the memory.
const MaxLine = 64 << 20

// File is a result file as read.
type File struct {
	Experiment *Experiment // nil when the file has only trials, as another tool's import may
	Trials     []Trial     // in the order of the lines
	End        *End        // nil unless an end line follows the last trial

	Unknown []json.RawMessage // lines of a type that this version does not know, without their chain

	Torn        bool  // the last line was cut short, by a crash or a full disk, and is ignored
	TornAt      int   // its line number, 0 if none
	ChainBroken int   // the first line whose chain does not match, 0 if none; a file without any chain matches
	Size        int64 // bytes up to the end of the last whole line
	Lines       int   // whole lines, blank ones included

	chain        string // of the last line
	unchained    bool   // a line without a chain was met
	unterminated bool   // the last line is whole but has no newline
}

// Interrupted reports whether the experiment stopped before its end: no end line follows its last trial.
func (f *File) Interrupted() bool { return f.End == nil }

// Read reads a result file; name is what errors call it. A last line without newline that is not whole JSON is
// reported as Torn and left out. Anything else that is wrong is an error with name:line:column: a line that is not a
// JSON object with a type, a value of the wrong type, a second experiment line, a line above MaxLine, nesting deeper
// than encoding/json accepts (10,000). A file without any line is an error too.
func Read(r io.Reader, name string) (*File, error) {
	f := &File{}
	br := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := readLine(br)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("read %s:%d: %w", name, f.Lines+1, err)
		}
		if len(line) > 0 {
			if lineErr := f.take(line, err != nil); lineErr != nil {
				return nil, locate(lineErr, name, f.Lines+1, line)
			}
		}
		if err != nil {
			break
		}
	}
	if f.Experiment == nil && len(f.Trials) == 0 && f.End == nil && len(f.Unknown) == 0 && !f.Torn {
		return nil, fmt.Errorf("read %s: the file is empty", name)
	}
	return f, nil
}

// readLine returns the next line with its newline, or what is left with io.EOF.
func readLine(br *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := br.ReadSlice('\n')
		if len(line)+len(part) > MaxLine {
			return nil, fmt.Errorf("a line is longer than %d MiB; this is not a result file", MaxLine>>20)
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// take adds one line, newline included, to f.
func (f *File) take(line []byte, last bool) error {
	text := bytes.TrimRight(line, "\r\n")
	if len(bytes.TrimSpace(text)) > 0 {
		err := f.decode(text)
		if last && (f.Lines > 0 || startsLine(text)) && isSyntax(err) {
			f.Torn, f.TornAt = true, f.Lines+1
			return nil
		}
		if err != nil {
			return err
		}
		f.unterminated = last
		f.follow(text)
	}
	f.Lines++
	f.Size += int64(len(line))
	return nil
}

// startsLine reports whether text can be the beginning of a line that a Writer wrote.
func startsLine(text []byte) bool {
	const start = `{"type":"`
	n := min(len(start), len(text))
	return string(text[:n]) == start[:n]
}

func isSyntax(err error) bool {
	_, ok := errors.AsType[*json.SyntaxError](err)
	return ok
}

// decode takes what a line says.
func (f *File) decode(text []byte) error {
	var head struct {
		Type *string `json:"type"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return err
	}
	if head.Type == nil {
		return errors.New(`the line has no "type"; is this a result file?`)
	}
	switch *head.Type {
	case TypeExperiment:
		if f.Experiment != nil {
			return errors.New("a second experiment line; one file holds one experiment")
		}
		f.Experiment = &Experiment{}
		return f.Experiment.UnmarshalJSON(text)
	case TypeTrial:
		var t Trial
		if err := t.UnmarshalJSON(text); err != nil {
			return err
		}
		f.Trials = append(f.Trials, t)
		f.End = nil
		return nil
	case TypeEnd:
		f.End = &End{}
		return json.Unmarshal(text, f.End)
	default:
		object, _, _ := splitChain(text)
		f.Unknown = append(f.Unknown, bytes.Clone(object))
		return nil
	}
}

// follow checks the line's chain against the one before it. After a break it goes on from what the line says, so that
// ChainBroken names the place of the damage and not its consequences.
func (f *File) follow(text []byte) {
	object, chain, ok := splitChain(text)
	broken := false
	if ok {
		broken = f.unchained || chainNext(f.chain, object) != chain
		f.chain = chain
	} else {
		broken = f.chain != ""
		f.unchained = true
	}
	if broken && f.ChainBroken == 0 {
		f.ChainBroken = f.Lines + 1
	}
}

// locate adds the place to an error of a line.
func locate(err error, name string, line int, text []byte) error {
	column := func(offset int64) int64 { return max(1, min(offset, int64(len(text)))) }
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("read %s:%d:%d: not JSON: %w", name, line, column(syntax.Offset), err)
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("read %s:%d:%d: %q cannot be a JSON %s", name, line, column(wrong.Offset),
			strings.TrimPrefix(wrong.Field, "Measurement."), wrong.Value)
	}
	return fmt.Errorf("read %s:%d:1: %w", name, line, err)
}

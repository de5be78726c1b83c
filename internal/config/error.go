package config

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"
)

// Error is a mistake in a target file or a flag. Line and Column count from 1, and are 0 when there is no such place;
// a mistake in a flag has no File, and Msg begins with the flag.
type Error struct {
	File         string
	Line, Column int
	Msg          string
	Hint         string // what to do; may be empty
}

// Error returns "file:line:column: message; hint" on one line.
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(oneLine(e.File) + ":")
		if e.Line > 0 {
			fmt.Fprintf(&b, "%d:%d:", e.Line, e.Column)
		}
		b.WriteByte(' ')
	}
	b.WriteString(oneLine(e.Msg))
	if e.Hint != "" {
		b.WriteString("; " + oneLine(e.Hint))
	}
	return b.String()
}

// oneLine replaces control characters, which could break or forge a line of output.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}

// place is where a value was stated; the zero place means that it is a default.
type place struct {
	file         string
	line, column int
	flag         string
}

func (p place) stated() bool { return p != place{} }

func (p place) String() string {
	switch {
	case p.flag != "":
		return p.flag
	case p.file != "":
		return fmt.Sprintf("%s:%d", p.file, p.line)
	}
	return "default"
}

// errorf makes an Error at p.
func (p place) errorf(hint, format string, args ...any) error {
	msg := fmt.Sprintf(format, args...)
	if p.flag != "" {
		msg = p.flag + ": " + msg
	}
	return &Error{File: p.file, Line: p.line, Column: p.column, Msg: msg, Hint: hint}
}

// setting is a value and where it was stated.
type setting[T any] struct {
	value T
	at    place
}

// or returns the value when it was stated, and the default otherwise.
func (s setting[T]) or(fallback T) T {
	if s.at.stated() {
		return s.value
	}
	return fallback
}

// at returns the place of a node.
func (r *reader) at(n *yaml.Node) place {
	if r.flag != "" {
		return place{flag: r.flag}
	}
	return place{file: r.file, line: max(n.Line, 1), column: max(n.Column, 1)}
}

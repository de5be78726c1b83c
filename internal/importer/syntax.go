package importer

import "fmt"

// SyntaxError is a text that cannot be read as a measurement, with the place of the first trouble. Line and Column
// count from 1, the column in characters; both are 0 where the whole text is meant.
type SyntaxError struct {
	File   string
	Line   int
	Column int
	Msg    string // what, where in the value, what to do
}

// Error is one line: file:line:column: message.
func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Msg
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Msg)
}

package config

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"sort"
	"strings"

	"gopkg.in/yaml.v3"
)

var (
	yamlLine      = regexp.MustCompile(`line \d+: `)
	unknownAnchor = regexp.MustCompile(`unknown anchor '([^']*)'`)
)

// syntaxError finds the line of an error of the YAML parser, whose own line is missing or that of an enclosing value.
// The parser reads forward only, so the line sought is the last of the shortest beginning of the file that fails alike.
func syntaxError(file string, raw []byte, err error) error {
	msg := plainMessage(err)
	if m := unknownAnchor.FindStringSubmatch(msg); m != nil {
		line, column := find(raw, "*"+m[1])
		return &Error{File: file, Line: line, Column: column, Msg: "unknown alias *" + m[1], Hint: "define it earlier with &" + m[1]}
	}
	ends := lineEnds(raw)
	line := sort.Search(len(ends)-1, func(i int) bool {
		err := parseAll(raw[:ends[i]])
		return err != nil && plainMessage(err) == msg
	}) + 1
	start := 0
	if line > 1 {
		start = ends[line-2]
	}
	text := string(raw[start:ends[line-1]])
	indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
	if tab := strings.IndexByte(indent, '\t'); tab >= 0 {
		return &Error{File: file, Line: line, Column: tab + 1, Msg: "a tab indents the line", Hint: "YAML is indented with spaces"}
	}
	return &Error{File: file, Line: line, Column: len(indent) + 1, Msg: "not valid YAML: " + msg, Hint: syntaxHint(msg)}
}

func syntaxHint(msg string) string {
	switch {
	case strings.Contains(msg, "mapping values are not allowed"):
		return `put quotes around a text that holds ": "`
	case strings.Contains(msg, "cannot start any token"):
		return "put quotes around the text"
	case strings.Contains(msg, "did not find expected key"):
		return "check the indentation and the quotes of this line and the one above"
	case strings.Contains(msg, "did not find expected ',' or"):
		return "check commas and brackets"
	}
	return ""
}

func plainMessage(err error) string {
	return yamlLine.ReplaceAllString(strings.TrimPrefix(err.Error(), "yaml: "), "")
}

// parseAll returns the first syntax error in any document of raw.
func parseAll(raw []byte) error {
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	for {
		var n yaml.Node
		switch err := dec.Decode(&n); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// lineEnds returns the offset after each line of raw, at least one.
func lineEnds(raw []byte) []int {
	var ends []int
	for i, b := range raw {
		if b == '\n' {
			ends = append(ends, i+1)
		}
	}
	if len(ends) == 0 || ends[len(ends)-1] != len(raw) {
		ends = append(ends, len(raw))
	}
	return ends
}

// find returns the line and column of the first s in raw.
func find(raw []byte, s string) (line, column int) {
	before, _, _ := strings.Cut(string(raw), s)
	return strings.Count(before, "\n") + 1, len(before) - strings.LastIndexByte(before, '\n')
}

package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

const (
	// maxFile is the largest target file accepted, in bytes: they are written by hand.
	maxFile = 1 << 20
	// maxNodes is the largest number of values in a file once its aliases are written out.
	maxNodes = 100_000
)

// Arg is one target of the command line.
type Arg struct {
	Name string // "" = from the file or the URL
	Path string // a YAML file or a URL
}

// ParseArg splits "name=path" into its parts. A URL's own "=" does not count: what precedes it must hold no "/" and no ":".
func ParseArg(s string) Arg {
	if name, rest, ok := strings.Cut(s, "="); ok && name != "" && rest != "" && !strings.ContainsAny(name, `/\:?`) {
		if _, err := os.Stat(s); err != nil { // a file that is called so
			return Arg{Name: name, Path: rest}
		}
	}
	return Arg{Path: s}
}

// ParseArgs applies ParseArg to every argument.
func ParseArgs(args []string) []Arg {
	out := make([]Arg, len(args))
	for i, s := range args {
		out[i] = ParseArg(s)
	}
	return out
}

// IsURL reports whether s is meant as a URL: it begins with http:// or https://, in any case.
func IsURL(s string) bool {
	s = strings.ToLower(s)
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}

// readSource reads a file whole, and records where it is and what it holds.
func readSource(path string) ([]byte, result.PlanSource, error) {
	fail := func(hint, format string, args ...any) ([]byte, result.PlanSource, error) {
		return nil, result.PlanSource{}, &Error{File: path, Msg: fmt.Sprintf(format, args...), Hint: hint}
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fail("give the path of a YAML file, or a URL that begins with http://", "no such file")
	case err != nil:
		return fail("", "read file: %v", cause(err))
	case info.IsDir():
		return fail("give one YAML file in it", "is a directory, not a target file")
	case info.Size() > maxFile:
		return fail("", "is %d bytes long; a target file may hold %d", info.Size(), maxFile)
	}
	f, err := os.Open(path)
	if err != nil {
		return fail("", "read file: %v", cause(err))
	}
	defer func() { _ = f.Close() }() // only read
	raw, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return fail("", "read file: %v", cause(err))
	}
	if len(raw) > maxFile {
		return fail("", "is longer than the %d bytes that a target file may hold", maxFile)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return fail("", "find folder: %v", err)
	}
	return raw, result.PlanSource{Path: abs, SHA256: hexSum(raw)}, nil
}

// cause strips the operation and the path, which the message names already.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

func hexSum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// parse returns the root mapping of the only document in raw.
func parse(file string, raw []byte) (*yaml.Node, error) {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	if !utf8.Valid(raw) {
		line, column := firstInvalid(raw)
		return nil, &Error{File: file, Line: line, Column: column, Msg: "is not UTF-8 text", Hint: "save the file as UTF-8"}
	}
	var doc, second yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	err := dec.Decode(&doc)
	if errors.Is(err, io.EOF) || err == nil && isEmpty(&doc) {
		return nil, &Error{File: file, Line: 1, Column: 1, Msg: "is empty", Hint: "a target needs at least a url"}
	}
	if err != nil {
		return nil, syntaxError(file, raw, err)
	}
	switch err := dec.Decode(&second); {
	case err == nil:
		return nil, &Error{File: file, Line: max(second.Line, 1), Column: max(second.Column, 1),
			Msg: "holds several documents", Hint: "keep one; several targets go under 'targets'"}
	case !errors.Is(err, io.EOF):
		return nil, syntaxError(file, raw, err)
	}
	w := weigher{file: file, size: map[*yaml.Node]int{}}
	if _, err := w.weigh(&doc); err != nil {
		return nil, err
	}
	return doc.Content[0], nil
}

func isEmpty(doc *yaml.Node) bool {
	return len(doc.Content) == 0 || doc.Content[0].ShortTag() == "!!null" && doc.Content[0].Kind == yaml.ScalarNode
}

func firstInvalid(raw []byte) (line, column int) {
	line, column = 1, 1
	for len(raw) > 0 {
		r, n := utf8.DecodeRune(raw)
		if r == utf8.RuneError && n <= 1 {
			break
		}
		if column++; r == '\n' {
			line, column = line+1, 1
		}
		raw = raw[n:]
	}
	return line, column
}

// weigher counts nodes with aliases written out, so that a few lines cannot stand for billions of values.
type weigher struct {
	file string
	size map[*yaml.Node]int // −1 while being counted
}

func (w *weigher) weigh(n *yaml.Node) (int, error) {
	if size, ok := w.size[n]; ok {
		if size < 0 {
			return 0, &Error{File: w.file, Line: n.Line, Column: n.Column, Msg: "an anchor's value contains itself", Hint: "write it out"}
		}
		return size, nil
	}
	w.size[n] = -1
	children := n.Content
	if n.Kind == yaml.AliasNode {
		children = []*yaml.Node{n.Alias}
	}
	total := 1
	for _, child := range children {
		size, err := w.weigh(child)
		if err != nil {
			return 0, err
		}
		if total += size; total > maxNodes {
			return 0, &Error{File: w.file, Line: n.Line, Column: n.Column,
				Msg: fmt.Sprintf("stands for more than %d values once its aliases are written out", maxNodes)}
		}
	}
	w.size[n] = total
	return total, nil
}

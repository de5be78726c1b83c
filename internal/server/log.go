package server

import (
	"fmt"
	"io"
	"os"
	"strings"
)

const (
	tailLines = 10
	tailBytes = 8 << 10
)

// tail reads the last lines of a log, without what is not printable.
func tail(path string) []string {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	if end, err := f.Seek(0, io.SeekEnd); err == nil {
		_, _ = f.Seek(max(0, end-tailBytes), io.SeekStart)
	}
	text, err := io.ReadAll(io.LimitReader(f, tailBytes))
	if err != nil {
		return nil
	}
	clean := strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (r < ' ' || r == 0x7f) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(text), "?"))
	lines := strings.Split(strings.TrimRight(clean, "\n\t "), "\n")
	if len(lines) == 1 && lines[0] == "" {
		return nil
	}
	return lines[max(0, len(lines)-tailLines):]
}

// withTail words an error about a server with the end of its log: the cause on the first line, the log below.
func withTail(what, path string) error {
	lines := tail(path)
	if len(lines) == 0 {
		return fmt.Errorf("%s; its log %s is empty", what, path)
	}
	return fmt.Errorf("%s; last lines of %s:\n  %s", what, path, strings.Join(lines, "\n  "))
}

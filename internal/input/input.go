// Package input finds and reads the files that a command line names: files, directories, globs that the shell did not
// expand, name=path, "-" for standard input; plain, gzip or zstd. It knows nothing of what is in them.
package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// MaxSize is how many bytes of one input are read, after decompression.
const MaxSize = 1 << 30

// Source is one text to read.
type Source struct {
	Name string // what the reader sees: the name given with name=path, else the path as found; "-" is standard input
	Path string // where it lies; "-" for standard input
	Data []byte // decompressed, never empty
}

// IsYAML reports whether a path names a YAML file, by its suffix.
func IsYAML(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".yaml", ".yml":
		return true
	}
	return false
}

// Split separates name=path. A path that exists as it stands is a path, "=" or not, and so is what would have an
// empty name or path, a name with a separator in it, or is a URL; then the name is empty.
func Split(arg string) (name, path string) {
	before, after, ok := strings.Cut(arg, "=")
	if !ok || before == "" || after == "" || strings.ContainsAny(before, `/\:*?[`) {
		return "", arg
	}
	if _, err := os.Lstat(arg); err == nil {
		return "", arg
	}
	return before, after
}

// Open reads everything that one argument names: a file; a directory (its regular files, sorted by name, hidden ones
// left out, not the directories in it); a glob; name=path, which names each of them; or "-", which reads stdin. The
// errors are one line and say what was missing, unreadable, empty or too large. What does not exist satisfies
// errors.Is(err, fs.ErrNotExist).
func Open(arg string, stdin io.Reader) ([]Source, error) {
	return open(arg, stdin, MaxSize)
}

func open(arg string, stdin io.Reader, limit int64) ([]Source, error) {
	var sources []Source
	err := stream(arg, stdin, limit, func(name, path string, r io.Reader) error {
		data, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		sources = append(sources, Source{Name: name, Path: path, Data: data})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return sources, nil
}

// expand lists the files that a path stands for.
func expand(path string) ([]string, error) {
	if path == "" {
		return nil, errors.New("open input: the file name is empty")
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return directory(path)
	case err == nil:
		return []string{path}, nil
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(path, "*?["):
		return glob(path)
	}
	return nil, explain(path, err)
}

func directory(path string) ([]string, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, explain(path, err)
	}
	var paths []string
	for _, e := range entries {
		p := filepath.Join(path, e.Name())
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() {
			paths = append(paths, p)
		}
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("open %s: the directory holds no files; give a file, or a directory with the outputs of a load tool", path)
	}
	slices.Sort(paths)
	return paths, nil
}

func glob(pattern string) ([]string, error) {
	matches, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("open %s: the pattern is malformed; check its brackets", pattern)
	}
	var paths []string
	for _, p := range matches {
		if strings.HasPrefix(filepath.Base(p), ".") && !strings.HasPrefix(filepath.Base(pattern), ".") {
			continue // as shells do
		}
		if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() {
			paths = append(paths, p)
		}
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("open %s: %w: no file matches the pattern", pattern, fs.ErrNotExist)
	}
	slices.Sort(paths)
	return paths, nil
}

// explain is the error of the operating system on opening, in one plain line.
func explain(path string, err error) error {
	var cause string
	switch {
	case errors.Is(err, fs.ErrNotExist):
		cause = "no such file or directory"
	case errors.Is(err, fs.ErrPermission):
		cause = "permission denied; check that this user may read it"
	default:
		if pathError, ok := errors.AsType[*fs.PathError](err); ok {
			err = pathError.Err
		}
		return fmt.Errorf("open %s: %w", path, err)
	}
	return &openError{text: fmt.Sprintf("open %s: %s", path, cause), cause: err}
}

// openError keeps the cause for errors.Is and shows a plain line.
type openError struct {
	text  string
	cause error
}

func (e *openError) Error() string { return e.text }
func (e *openError) Unwrap() error { return e.cause }

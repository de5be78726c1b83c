package input

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// TestStream reads what Open reads, in the same order and under the same names.
func TestStream(t *testing.T) {
	t.Chdir(tree(t))
	for _, arg := range []string{"old/a.txt", "old", "php5=old", "old/*.txt", "n.gz", "z=n.zst", "-", "old run=-"} {
		want, err := Open(arg, strings.NewReader("from a pipe\n"))
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		err = Stream(arg, iotest.OneByteReader(strings.NewReader("from a pipe\n")), func(name, path string, r io.Reader) error {
			data, err := io.ReadAll(iotest.OneByteReader(r))
			if i >= len(want) || name != want[i].Name || path != want[i].Path || !bytes.Equal(data, want[i].Data) {
				t.Errorf("Stream(%q) gave %q (%s) = %q as number %d", arg, name, path, data, i+1)
			}
			i++
			return err
		})
		if err != nil || i != len(want) {
			t.Errorf("Stream(%q) gave %d inputs of %d, %v", arg, i, len(want), err)
		}
	}
}

// TestStreamErrors ends at the first error of the reader or of what it is given to.
func TestStreamErrors(t *testing.T) {
	t.Chdir(tree(t))
	stop := errors.New("enough")
	calls := 0
	err := Stream("old", nil, func(string, string, io.Reader) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
	all := func(_, _ string, r io.Reader) error { _, err := io.Copy(io.Discard, r); return err }
	for _, c := range []struct{ arg, want string }{
		{"missing.txt", "open missing.txt: no such file or directory"},
		{"old/[", "open old/[: the pattern is malformed; check its brackets"},
		{"empty.txt", "read empty.txt: the input is empty"},
		{"empty.gz", "read empty.gz: the input is empty once decompressed"},
		{"cut.gz", "read cut.gz: unexpected EOF"},
		{"bad.gz", "read bad.gz: decompress gzip: "},
		{"cut.zst", "read cut.zst: unexpected EOF"},
	} {
		if err := Stream(c.arg, nil, all); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("Stream(%q) = %v, want %q", c.arg, err, c.want)
		}
	}
	broken := io.MultiReader(strings.NewReader("1\n"), iotest.ErrReader(&fs.PathError{Op: "read", Path: "x", Err: fs.ErrClosed}))
	if err := Stream("-", broken, all); err == nil || err.Error() != "read standard input: file already closed" || !errors.Is(err, fs.ErrClosed) {
		t.Errorf("broken in the middle: %v", err)
	}
	packed := io.MultiReader(bytes.NewReader(gzipped(t, strings.Repeat("abc", 1000))[:20]), iotest.ErrReader(fs.ErrClosed))
	if err := Stream("-", packed, all); err == nil || err.Error() != "read standard input: file already closed" {
		t.Errorf("broken under gzip: %v", err)
	}
	write(t, filepath.Join("old", "a.txt"), []byte(strings.Repeat("1\n", 100)))
	if err := stream("old/a.txt", nil, 100, all); err == nil || !strings.HasPrefix(err.Error(), "read old/a.txt: the input is larger than") {
		t.Errorf("beyond the limit: %v", err)
	}
}

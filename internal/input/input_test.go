package input

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
)

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zstandard(t *testing.T, text string) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	return w.EncodeAll([]byte(text), nil)
}

// tree makes a directory with every kind of file and returns it.
func tree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "old", "b.txt"), []byte("2\n"))
	write(t, filepath.Join(dir, "old", "a.txt"), []byte("1\n"))
	write(t, filepath.Join(dir, "old", ".hidden"), []byte("9\n"))
	write(t, filepath.Join(dir, "old", "deeper", "c.txt"), []byte("3\n"))
	write(t, filepath.Join(dir, "x=y.txt"), []byte("4\n"))
	write(t, filepath.Join(dir, "n.gz"), gzipped(t, "5\n"))
	write(t, filepath.Join(dir, "n.zst"), zstandard(t, "6\n"))
	write(t, filepath.Join(dir, "odd[1].txt"), []byte("7\n"))
	write(t, filepath.Join(dir, "empty.txt"), nil)
	write(t, filepath.Join(dir, "empty.gz"), gzipped(t, ""))
	write(t, filepath.Join(dir, "cut.gz"), gzipped(t, strings.Repeat("8\n", 100))[:20])
	write(t, filepath.Join(dir, "bad.gz"), []byte{0x1f, 0x8b, 0, 0})
	write(t, filepath.Join(dir, "cut.zst"), zstandard(t, strings.Repeat("abc", 100))[:12])
	if err := os.Mkdir(filepath.Join(dir, "none"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestOpen(t *testing.T) {
	t.Chdir(tree(t))
	slash := filepath.FromSlash
	for _, c := range []struct {
		arg  string
		want []Source
	}{
		{"old/a.txt", []Source{{"old/a.txt", "old/a.txt", []byte("1\n")}}},
		{"old", []Source{{slash("old/a.txt"), slash("old/a.txt"), []byte("1\n")}, {slash("old/b.txt"), slash("old/b.txt"), []byte("2\n")}}},
		{"php5=old", []Source{{"php5", slash("old/a.txt"), []byte("1\n")}, {"php5", slash("old/b.txt"), []byte("2\n")}}},
		{"old/*.txt", []Source{{slash("old/a.txt"), slash("old/a.txt"), []byte("1\n")}, {slash("old/b.txt"), slash("old/b.txt"), []byte("2\n")}}},
		{"old/*", []Source{{slash("old/a.txt"), slash("old/a.txt"), []byte("1\n")}, {slash("old/b.txt"), slash("old/b.txt"), []byte("2\n")}}},
		{"x=y.txt", []Source{{"x=y.txt", "x=y.txt", []byte("4\n")}}},
		{"name=x=y.txt", []Source{{"name", "x=y.txt", []byte("4\n")}}},
		{"n.gz", []Source{{"n.gz", "n.gz", []byte("5\n")}}},
		{"z=n.zst", []Source{{"z", "n.zst", []byte("6\n")}}},
		{"odd[1].txt", []Source{{"odd[1].txt", "odd[1].txt", []byte("7\n")}}},
		{"-", []Source{{"-", "-", []byte("from a pipe\n")}}},
		{"old run=-", []Source{{"old run", "-", []byte("from a pipe\n")}}},
	} {
		got, err := Open(c.arg, strings.NewReader("from a pipe\n"))
		same := slices.EqualFunc(got, c.want, func(a, b Source) bool {
			return a.Name == b.Name && a.Path == b.Path && bytes.Equal(a.Data, b.Data)
		})
		if err != nil || !same {
			t.Errorf("Open(%q) = %v, %v, want %v", c.arg, got, err, c.want)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	t.Chdir(tree(t))
	for _, c := range []struct{ arg, want string }{
		{"missing.txt", "open missing.txt: no such file or directory"},
		{"a=missing.txt", "open missing.txt: no such file or directory"},
		{"", "open input: the file name is empty"},
		{"old/*.csv", "open old/*.csv: file does not exist: no file matches the pattern"},
		{"old/[", "open old/[: the pattern is malformed; check its brackets"},
		{"none", "open none: the directory holds no files; give a file, or a directory with the outputs of a load tool"},
		{"empty.txt", "read empty.txt: the input is empty"},
		{"empty.gz", "read empty.gz: the input is empty once decompressed"},
		{"cut.gz", "read cut.gz: unexpected EOF"},
		{"bad.gz", "read bad.gz: decompress gzip: "},
		{"cut.zst", "read cut.zst: unexpected EOF"},
	} {
		got, err := Open(c.arg, strings.NewReader(""))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("Open(%q) = %v, %v, want the error %q", c.arg, got, err, c.want)
		}
	}
	if _, err := Open("missing.txt", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file is not fs.ErrNotExist: %v", err)
	}
	if _, err := Open("-", strings.NewReader("")); err == nil || err.Error() != "read standard input: the input is empty" {
		t.Errorf("empty standard input: %v", err)
	}
	if _, err := Open("-", iotest.ErrReader(&fs.PathError{Op: "read", Path: "/dev/stdin", Err: fs.ErrClosed})); err == nil || err.Error() != "read standard input: file already closed" {
		t.Errorf("broken standard input: %v", err)
	}
}

func TestExplain(t *testing.T) {
	err := explain("secret.txt", &fs.PathError{Op: "open", Path: "secret.txt", Err: fs.ErrPermission})
	if err.Error() != "open secret.txt: permission denied; check that this user may read it" || !errors.Is(err, fs.ErrPermission) {
		t.Errorf("permission: %v", err)
	}
	err = explain("f", &fs.PathError{Op: "open", Path: "f", Err: fs.ErrInvalid})
	if err.Error() != "open f: invalid argument" {
		t.Errorf("other: %v", err)
	}
}

func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "secret.txt")
	write(t, path, []byte("1\n"))
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Open(path); err == nil {
		_ = f.Close()
		t.Skip("this user may read every file")
	}
	if _, err := Open(path, nil); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("Open = %v, want permission denied", err)
	}
}

// TestLimit checks that neither a large input nor a small one that grows on decompression passes the limit.
func TestLimit(t *testing.T) {
	const limit = 1 << 20
	big := strings.Repeat("1\n", limit)
	for name, data := range map[string][]byte{"plain": []byte(big), "gzip": gzipped(t, big), "zstd": zstandard(t, big)} {
		_, err := open("-", bytes.NewReader(data), limit)
		if err == nil || !strings.HasPrefix(err.Error(), "read standard input: the input is larger than 1 MiB") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := open("-", strings.NewReader(big[:limit]), limit); err != nil {
		t.Errorf("exactly at the limit: %v", err)
	}
}

func TestIsYAML(t *testing.T) {
	for path, want := range map[string]bool{"a.yaml": true, "dir.x/a.YML": true, "a.yaml.gz": false, "yaml": false, "a.jsonl": false, "-": false} {
		if got := IsYAML(path); got != want {
			t.Errorf("IsYAML(%q) = %v", path, got)
		}
	}
}

func TestSplit(t *testing.T) {
	for _, c := range []struct{ arg, name, path string }{
		{"old.txt", "", "old.txt"}, {"a=b.txt", "a", "b.txt"}, {"=b", "", "=b"}, {"a=", "", "a="},
		{"dir/a=b.txt", "", "dir/a=b.txt"}, {"http://h/?q=1", "", "http://h/?q=1"}, {"a=http://h/?q=1", "a", "http://h/?q=1"},
	} {
		if name, path := Split(c.arg); name != c.name || path != c.path {
			t.Errorf("Split(%q) = %q, %q, want %q, %q", c.arg, name, path, c.name, c.path)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("5596.50\n"))
	f.Add([]byte{0x1f, 0x8b, 8, 0})
	f.Add([]byte{0x28, 0xb5, 0x2f, 0xfd, 4})
	f.Fuzz(func(t *testing.T, data []byte) {
		const limit = 1 << 20
		got, err := open("-", bytes.NewReader(data), limit)
		if err == nil && (len(got) != 1 || len(got[0].Data) == 0 || len(got[0].Data) > limit) {
			t.Errorf("open returned %d sources without an error", len(got))
		}
	})
}

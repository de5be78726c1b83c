package result

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestCreateNeverOverwrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Begin(sampleExperiment()), w.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	if err := w.Append(new(sampleTrial("a", 1))); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("append after close: %v", err)
	}
	_, err = Create(path)
	if !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "--resume "+path) {
		t.Errorf("existing file: %v", err)
	}
	if _, err := Create(filepath.Join(path, "below")); err == nil || errors.Is(err, fs.ErrExist) {
		t.Errorf("below a file: %v", err)
	}
	syncDir(filepath.Join(path, "nowhere"))
}

// Whatever a crash left of the file, appending what is missing gives the file that no crash ever touched.
func TestOpenAppendAfterEveryCut(t *testing.T) {
	data := sample(t)
	firstLine := bytes.IndexByte(data, '\n') + 1
	for cut := firstLine - 1; cut <= len(data); cut += 7 {
		path := filepath.Join(t.TempDir(), "x.jsonl")
		if err := os.WriteFile(path, data[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		f := mustRead(t, data[:cut])
		w, err := OpenAppend(path, f)
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		for _, x := range []Trial{sampleTrial("b", 1), sampleTrial("a", 1)}[len(f.Trials):] {
			if err := w.Append(&x); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(w.End(End{Ended: noon, Reason: "complete"}), w.Close()); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || strings.TrimSpace(string(got)) != strings.TrimSpace(string(data)) || got[len(got)-1] != '\n' {
			t.Fatalf("cut at %d: %v\n%s", cut, err, got)
		}
	}
}

func TestOpenAppendRefuses(t *testing.T) {
	data := string(sample(t))
	lines := strings.SplitAfter(data, "\n")
	unchained := strings.Split(lines[0], `,"chain"`)[0] + "}\n"
	for name, test := range map[string]struct{ data, want string }{
		"no experiment": {`{"type":"trial","target":"a"}`, "no experiment line"},
		"edited":        {strings.Replace(data, `"ok":100`, `"ok":1`, 1), "x.jsonl:2: the line does not match its chain"},
		"no chain":      {unchained, "no chain"},
		"not readable":  {"1,2,3\n", "x.jsonl:1:"},
	} {
		path := filepath.Join(t.TempDir(), "x.jsonl")
		if err := os.WriteFile(path, []byte(test.data), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenAppend(path, nil); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != test.data {
			t.Errorf("%s: the refused file was changed", name)
		}
	}
	path := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenAppend(path, mustRead(t, []byte(lines[0]))); err == nil || !strings.Contains(err.Error(), "changed while it was read") {
		t.Errorf("grown file: %v", err)
	}
	if _, err := OpenAppend(filepath.Join(t.TempDir(), "none"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

// budget is a device that takes so many bytes and no more.
type budget struct {
	w    io.Writer
	left int
}

func (b *budget) Write(p []byte) (int, error) {
	n := min(len(p), b.left)
	b.left -= n
	if _, err := b.w.Write(p[:n]); err != nil {
		return 0, err
	}
	if n < len(p) {
		return n, errDevice
	}
	return n, nil
}

// When the disk is full the error is told, the half line is cut, nothing follows it, and the file can be continued.
func TestDiskFull(t *testing.T) {
	size := len(sample(t))
	for left := 0; left < size; left += 13 {
		path := filepath.Join(t.TempDir(), "x.jsonl")
		w, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		w.w = &budget{w.file, left}
		whole := 0
		for _, write := range []func() error{
			func() error { return w.Begin(sampleExperiment()) },
			func() error { return w.Append(new(sampleTrial("b", 1))) },
			func() error { return w.Append(new(sampleTrial("a", 1))) },
			func() error { return w.End(End{Ended: noon, Reason: "complete"}) },
		} {
			if err = write(); err != nil {
				break
			}
			whole++
		}
		if !errors.Is(err, errDevice) {
			t.Fatalf("%d bytes: %v", left, err)
		}
		if err := w.Append(new(sampleTrial("a", 3))); !errors.Is(err, errDevice) {
			t.Fatalf("a line after the failed one: %v", err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(sample(t), got) || bytes.Count(got, []byte("\n")) != whole || whole > 0 && got[len(got)-1] != '\n' {
			t.Fatalf("%d bytes: %v\n%s", left, err, got)
		}
	}
}

type short struct{}

func (short) Write(p []byte) (int, error) { return len(p) / 2, nil }

func TestWriteErrors(t *testing.T) {
	if err := NewWriter(short{}).Append(&Trial{}); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("short write: %v", err)
	}
	f := mustRead(t, append(sample(t), "{\"type\":\"later\"}\n"...))
	whole := mustWrite(t, f)
	for left := 0; left < len(whole); left += 11 {
		if err := Write(&budget{io.Discard, left}, f); !errors.Is(err, errDevice) {
			t.Fatalf("%d bytes of %d: %v", left, len(whole), err)
		}
	}
}

func TestFullDevice(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("skipped: this system has no /dev/full")
	}
	defer func() { _ = full.Close() }()
	if err := NewWriter(full).Append(&Trial{Target: "a", Trial: 3}); err == nil || !strings.HasPrefix(err.Error(), "write trial 3 of a: ") {
		t.Error(err)
	}
}

// TestWriterLock: two runs never write to one file; the second is refused, and may go on when the first has ended.
func TestWriterLock(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the standard library has no file lock there")
	}
	path := filepath.Join(t.TempDir(), "r.jsonl")
	first, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Begin(&Experiment{Name: "x"}); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenAppend(path, nil); err == nil || !strings.Contains(err.Error(), "another run is writing to "+path) {
		t.Errorf("a second writer was let in: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := OpenAppend(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
}

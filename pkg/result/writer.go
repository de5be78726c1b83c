package result

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Writer appends the lines of a result file. When it writes to a file, every method returns after the line is on disk
// (fsync). After an error of the device every further call returns that error: what was written before it is intact,
// the line in question is not in the file. A Writer is not safe for concurrent use.
type Writer struct {
	w      io.Writer
	file   *os.File // nil when w is not a file opened here
	chain  string
	size   int64 // of the whole lines in file
	trials int
	ended  bool
	failed error
}

// NewWriter returns a Writer that starts a new chain on w. It neither syncs nor closes w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Create makes a result file. A file that exists is never overwritten: the error then wraps fs.ErrExist and names
// --resume. The file is locked against other writers until Close, where the system has such locks.
func Create(path string) (*Writer, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("create result file: %s exists and is never overwritten; continue it with --resume %s, or name another file with -o: %w",
			path, path, fs.ErrExist)
	}
	if err != nil {
		return nil, fmt.Errorf("create result file: %w", err)
	}
	if err := lock(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	syncDir(filepath.Dir(path))
	return &Writer{w: f, file: f}, nil
}

// syncDir makes a new name durable. Systems that cannot sync a directory keep names in their own way, so a failure
// here says nothing about the file.
func syncDir(dir string) {
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	_ = d.Sync()
	_ = d.Close()
}

// OpenAppend opens the result file at path, which f was read from, to append to it. It reads the file again and refuses
// one that another run holds open for writing, that has changed since, that has no experiment line, or whose chain is broken; it cuts a torn last line and
// continues the chain.
func OpenAppend(path string, f *File) (*Writer, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("resume result file: %w", err)
	}
	if err := lock(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	w, err := continueFile(file, path, f)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return w, nil
}

func continueFile(file *os.File, path string, f *File) (*Writer, error) {
	now, err := Read(file, path)
	if err != nil {
		return nil, err
	}
	switch {
	case f != nil && (now.Size != f.Size || now.chain != f.chain):
		return nil, fmt.Errorf("resume result file: %s changed while it was read; is another run writing to it?", path)
	case now.Experiment == nil:
		return nil, fmt.Errorf("resume result file: %s has no experiment line, so there is no plan to complete", path)
	case now.ChainBroken != 0:
		return nil, fmt.Errorf("resume result file: %s:%d: the line does not match its chain, so the file was edited or damaged; analyze still reads it",
			path, now.ChainBroken)
	case now.chain == "":
		return nil, fmt.Errorf("resume result file: %s has no chain; only a file written by this program can be continued", path)
	}
	if err := file.Truncate(now.Size); err != nil {
		return nil, fmt.Errorf("cut torn line: %w", err)
	}
	if _, err := file.Seek(now.Size, io.SeekStart); err != nil {
		return nil, fmt.Errorf("resume result file: %w", err)
	}
	w := &Writer{w: file, file: file, chain: now.chain, size: now.Size, trials: len(now.Trials), ended: !now.Interrupted()}
	if now.unterminated {
		if err := w.put([]byte("\n")); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// Begin writes the experiment line and sets e's Type, Schema and PlanSHA256 to what was written.
func (w *Writer) Begin(e *Experiment) error {
	raw, err := e.PlanBytes()
	if err != nil {
		return fmt.Errorf("write experiment: %w", err)
	}
	e.Type, e.PlanSHA256 = TypeExperiment, PlanHash(raw)
	if e.Schema == "" {
		e.Schema = Schema
	}
	if err := w.line(e); err != nil {
		return fmt.Errorf("write experiment: %w", err)
	}
	return nil
}

// Append writes a trial line and sets t's Type.
func (w *Writer) Append(t *Trial) error {
	t.Type = TypeTrial
	if err := w.line(t); err != nil {
		return fmt.Errorf("write trial %d of %s: %w", t.Trial, t.Target, err)
	}
	w.trials++
	w.ended = false
	return nil
}

// End writes the end line, with the number of trial lines in the file. When the last line is an end line already it
// does nothing, so that a complete experiment has exactly one.
func (w *Writer) End(e End) error {
	if w.ended {
		return nil
	}
	e.Type, e.Trials = TypeEnd, w.trials
	if err := w.line(e); err != nil {
		return fmt.Errorf("write end: %w", err)
	}
	w.ended = true
	return nil
}

// line encodes v, chains it, writes it, and waits until it is on disk.
func (w *Writer) line(v any) error {
	if w.failed != nil {
		return w.failed
	}
	object, err := encode(v)
	if err != nil {
		return err
	}
	chain := chainNext(w.chain, object)
	if err := w.put(addChain(object, chain)); err != nil {
		return err
	}
	w.chain = chain
	return nil
}

// put writes whole bytes or none as far as the file allows: what a full disk took of a line is cut off again.
func (w *Writer) put(b []byte) error {
	n, err := w.w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	if err == nil && w.file != nil {
		err = w.file.Sync()
	}
	if err != nil {
		w.failed = err
		if w.file != nil {
			_ = w.file.Truncate(w.size) // the reader tolerates the torn line if this fails too
		}
		return err
	}
	w.size += int64(n)
	return nil
}

// Close closes the file; it does nothing for a Writer of NewWriter.
func (w *Writer) Close() error {
	if w.file == nil {
		return nil
	}
	f := w.file
	w.file = nil
	w.w, w.failed = nil, fs.ErrClosed
	return f.Close()
}

// Write writes a whole file: the experiment if there is one, the trials, the lines of unknown type, and the end line if
// there is one. Every field that was read is written; the chain is computed anew.
func Write(out io.Writer, f *File) error {
	w := NewWriter(out)
	if f.Experiment != nil {
		if err := w.Begin(f.Experiment); err != nil {
			return err
		}
	}
	for i := range f.Trials {
		if err := w.Append(&f.Trials[i]); err != nil {
			return err
		}
	}
	for _, raw := range f.Unknown {
		if err := w.line(raw); err != nil {
			return fmt.Errorf("write line: %w", err)
		}
	}
	if f.End != nil {
		return w.End(*f.End)
	}
	return nil
}

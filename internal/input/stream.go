package input

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/klauspost/compress/zstd"
)

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// headSize is how much of an input is looked at to tell how it is compressed, and read at a time.
const headSize = 64 << 10

// Stream gives read everything that one argument names, as Open does, but as it comes from the disk or the pipe, so
// that an input may be larger than the memory that it is read in. name and path are those of a Source; r is the
// decompressed text, good until read returns, and its errors are those that Open would have returned. The first error
// of read ends Stream and is returned as it is.
func Stream(arg string, stdin io.Reader, read func(name, path string, r io.Reader) error) error {
	return stream(arg, stdin, MaxSize, read)
}

func stream(arg string, stdin io.Reader, limit int64, read func(name, path string, r io.Reader) error) error {
	name, path := Split(arg)
	if path == "-" {
		if name == "" {
			name = "-"
		}
		return decompressed(stdin, "standard input", limit, func(r io.Reader) error { return read(name, "-", r) })
	}
	paths, err := expand(path)
	if err != nil {
		return err
	}
	for _, p := range paths {
		shown := name
		if shown == "" {
			shown = p
		}
		if err := file(p, limit, func(r io.Reader) error { return read(shown, p, r) }); err != nil {
			return err
		}
	}
	return nil
}

func file(path string, limit int64, read func(io.Reader) error) error {
	f, err := os.Open(path)
	if err != nil {
		return explain(path, err)
	}
	defer func() { _ = f.Close() }() // only read from: nothing can be lost
	return decompressed(f, path, limit, read)
}

// decompressed calls read with what raw holds, decompressed if its first bytes say so. An input without a byte is an
// error.
func decompressed(raw io.Reader, name string, limit int64, read func(io.Reader) error) error {
	in := bufio.NewReaderSize(&bounded{r: raw, name: name, limit: limit}, headSize)
	head, err := in.Peek(len(zstdMagic))
	switch {
	case len(head) == 0 && err != nil && !errors.Is(err, io.EOF):
		return err
	case len(head) == 0:
		return fmt.Errorf("read %s: the input is empty", name)
	}
	var plain io.Reader
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		z, err := gzip.NewReader(in)
		if err != nil {
			return fmt.Errorf("read %s: decompress gzip: %w", name, err)
		}
		plain = z
	case bytes.HasPrefix(head, zstdMagic):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return fmt.Errorf("read %s: decompress zstd: %w", name, err)
		}
		defer z.Close()
		plain = z
	default:
		return read(in)
	}
	out := bufio.NewReaderSize(&bounded{r: plain, name: name, limit: limit}, headSize)
	if _, err := out.Peek(1); errors.Is(err, io.EOF) {
		return fmt.Errorf("read %s: the input is empty once decompressed", name)
	}
	return read(out)
}

// readError is a failed read, with the name of what was read.
type readError struct {
	text  string
	cause error
}

func (e *readError) Error() string { return e.text }
func (e *readError) Unwrap() error { return e.cause }

// bounded reads up to a limit, beyond which it fails, and says in its errors what it read.
type bounded struct {
	r     io.Reader
	name  string
	limit int64 // bytes that may be read
	seen  int64
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.seen += int64(n)
	if b.seen > b.limit {
		return n, &readError{text: fmt.Sprintf("read %s: the input is larger than %d MiB; split it, or leave out what is not a measurement", b.name, b.limit>>20)}
	}
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, io.EOF):
		return n, io.EOF
	}
	if own, ok := errors.AsType[*readError](err); ok { // of the compressed input below
		return n, own
	}
	cause := err
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		cause = pathError.Err
	}
	return n, &readError{text: fmt.Sprintf("read %s: %v", b.name, cause), cause: err}
}

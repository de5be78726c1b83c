package engine

import (
	"errors"
	"fmt"
	"io"
	"math"
)

// readBody consumes the body. It holds no more of it than the read buffer, whatever its size.
func (p *reply) readBody(b *buffer, sink func([]byte)) error {
	switch {
	case p.chunked:
		return p.readChunks(b, sink)
	case p.length < 0:
		return p.readToClose(b, sink)
	}
	return p.readExactly(b, p.length, sink)
}

// readExactly consumes n bytes of body.
func (p *reply) readExactly(b *buffer, n int64, sink func([]byte)) error {
	if n-int64(b.w-b.r) > smallBuffer {
		b.borrow()
	}
	for n > 0 {
		if b.r == b.w {
			if err := b.fill(); err != nil {
				return err
			}
		}
		got := min(int64(b.w-b.r), n)
		p.take(b, int(got), sink)
		n -= got
	}
	return nil
}

// readToClose consumes all that comes until the server closes.
func (p *reply) readToClose(b *buffer, sink func([]byte)) error {
	for {
		if got := b.w - b.r; got > 0 {
			p.take(b, got, sink)
			if p.body > 2*smallBuffer {
				b.borrow()
			}
		}
		if err := b.fill(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func (p *reply) take(b *buffer, n int, sink func([]byte)) {
	if sink != nil {
		sink(b.buf[b.r : b.r+n])
	}
	b.r += n
	p.body += int64(n)
}

// readChunks consumes a chunked body with its trailers. Chunk extensions and trailers are read over.
func (p *reply) readChunks(b *buffer, sink func([]byte)) error {
	for {
		line, err := b.line(headerLimit)
		if err != nil {
			return err
		}
		size, err := parseChunkSize(line)
		if err != nil {
			return err
		}
		if size == 0 {
			return readTrailers(b)
		}
		if size > math.MaxInt64-p.body {
			return protocolError("chunk sizes overflow")
		}
		if p.body > 2*smallBuffer {
			b.borrow()
		}
		if err := p.readExactly(b, size, sink); err != nil {
			return err
		}
		if line, err = b.line(2); err == errHeaderTooLong { //nolint:errorlint // a constant of this package
			return protocolError("chunk data longer than its size")
		}
		if err != nil {
			return err
		}
		if len(line) != 1 || line[0] != '\r' {
			return protocolError("chunk data without its line end")
		}
	}
}

// parseChunkSize reads "1a", "1a;ext=1" with the carriage return still on the line.
func parseChunkSize(line []byte) (int64, error) {
	if len(line) == 0 || line[len(line)-1] != '\r' {
		return 0, protocolError(fmt.Sprintf("chunk size line %.40q without carriage return", line))
	}
	size, i := int64(0), 0
	for ; i < len(line); i++ {
		d, ok := hexDigit(line[i])
		if !ok {
			break
		}
		if size > math.MaxInt64>>4 {
			return 0, protocolError(fmt.Sprintf("chunk size %.40q overflows", line))
		}
		size = size<<4 | d
	}
	rest := trimSpace(line[i : len(line)-1])
	if i == 0 || len(rest) > 0 && rest[0] != ';' {
		return 0, protocolError(fmt.Sprintf("malformed chunk size %.40q", line[:len(line)-1]))
	}
	return size, nil
}

func readTrailers(b *buffer) error {
	limit := headerLimit
	for {
		line, err := b.line(limit)
		if err != nil {
			return err
		}
		limit -= len(line) + 1
		if len(trimCR(line)) == 0 {
			return nil
		}
	}
}

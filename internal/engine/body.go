package engine

import (
	"fmt"
	"math"
)

// advanceBody consumes what has come of the body. It holds no more of it than the read buffer, whatever its size.
// more tells that what follows has not come yet.
func (p *reply) advanceBody(in *window, sink func([]byte)) (more bool, err error) {
	switch p.at {
	case inBody, inChunk, inToClose:
		return p.take(in, sink), nil
	case inChunkSize:
		return p.readChunkSize(in)
	case inChunkEnd:
		return p.readChunkEnd(in)
	default:
		return p.readTrailer(in)
	}
}

// take consumes body bytes.
func (p *reply) take(in *window, sink func([]byte)) (more bool) {
	n := in.w - in.r
	if p.at != inToClose {
		n = int(min(int64(n), p.room))
	}
	if sink != nil && n > 0 {
		sink(in.buf[in.r : in.r+n])
	}
	in.r += n
	p.skipped(int64(n))
	return p.at == inBody || p.at == inChunk || p.at == inToClose
}

// skipped accounts for n body bytes that were consumed, here or by the kernel.
func (p *reply) skipped(n int64) {
	p.body += n
	if p.at == inToClose {
		return
	}
	if p.room -= n; p.room > 0 {
		return
	}
	if p.at == inBody {
		p.at = complete
	} else {
		p.at = inChunkEnd
	}
}

// ahead is how many bytes are known to be nothing but body; math.MaxInt64 for a body that ends with the connection.
func (p *reply) ahead() int64 {
	switch p.at {
	case inBody, inChunk:
		return p.room
	case inToClose:
		return math.MaxInt64
	default:
		return 0
	}
}

// readChunkSize reads over chunk extensions.
func (p *reply) readChunkSize(in *window) (more bool, err error) {
	line, more, err := in.line(headerLimit)
	if more || err != nil {
		return more, err
	}
	size, err := parseChunkSize(line)
	switch {
	case err != nil:
		return false, err
	case size == 0:
		p.at, p.room = inTrailers, headerLimit
	case size > math.MaxInt64-p.body:
		return false, protocolError("chunk sizes overflow")
	default:
		p.at, p.room = inChunk, size
	}
	return false, nil
}

func (p *reply) readChunkEnd(in *window) (more bool, err error) {
	line, more, err := in.line(2)
	switch {
	case err != nil:
		return false, protocolError("chunk data longer than its size")
	case more:
		return true, nil
	case len(line) != 1 || line[0] != '\r':
		return false, protocolError("chunk data without its line end")
	}
	p.at = inChunkSize
	return false, nil
}

// readTrailer reads over one line of trailers.
func (p *reply) readTrailer(in *window) (more bool, err error) {
	line, more, err := in.line(int(p.room))
	if more || err != nil {
		return more, err
	}
	p.room -= int64(len(line)) + 1
	if len(trimCR(line)) == 0 {
		p.at = complete
	}
	return false, nil
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

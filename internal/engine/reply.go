package engine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// protocolError is a reply that is not HTTP/1.x as RFC 9112 has it.
type protocolError string

func (e protocolError) Error() string { return "read reply: " + string(e) }

// errTruncated is a connection that ended after the first byte of a reply and before its last.
var errTruncated = errors.New("read reply: connection closed before the end of the reply")

// errClosedEarly is a connection that ended before the first byte of a reply.
var errClosedEarly = errors.New("read reply: connection closed before the first byte of the reply")

const (
	errHeaderTooLong = protocolError("header block longer than 64 KiB")
	errTooManyInterm = protocolError("more than 100 interim replies")
)

// interimLimit bounds the 1xx replies before the final one; without it a server could keep a request alive for ever.
const interimLimit = 100

// reply is what one response said. length is −1 when the reply is delimited by the close of the connection.
type reply struct {
	status  int
	http10  bool
	close   bool // the server said close
	keep    bool // the server said keep-alive
	length  int64
	chunked bool
	body    int64 // body bytes received, without chunk framing
}

// persistent reports whether the connection may carry another request after this reply.
func (p *reply) persistent() bool {
	switch {
	case p.close, p.length < 0 && !p.chunked, p.status == 101:
		return false
	case p.http10:
		return p.keep
	}
	return true
}

// read consumes one final reply to its last body byte, interim replies before it included. head tells that the request
// was HEAD. sink receives the body piece by piece; nil drops it.
func (p *reply) read(b *buffer, head bool, sink func([]byte)) error {
	b.begin()
	for range interimLimit {
		*p = reply{}
		if err := p.readHead(b); err != nil {
			return p.explain(b, err)
		}
		if p.status < 100 || p.status > 199 || p.status == 101 {
			p.frame(head)
			return p.explain(b, p.readBody(b, sink))
		}
	}
	return errTooManyInterm
}

// explain turns the end of the connection into what it means at this point of the reply.
func (p *reply) explain(b *buffer, err error) error {
	switch {
	case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	case b.reads == 0 && p.status == 0:
		return errClosedEarly
	}
	return errTruncated
}

// frame decides how the body ends (RFC 9112, 6.3).
func (p *reply) frame(head bool) {
	switch {
	case head, p.status == 101, p.status == 204, p.status == 304:
		p.length, p.chunked = 0, false
	case p.chunked:
		p.length = 0
	case p.length == noLength:
		p.length = -1
	}
}

// noLength marks, while headers are read, that no Content-Length was seen.
const noLength = -2

func (p *reply) readHead(b *buffer) error {
	limit := headerLimit
	line, err := statusLine(b, limit)
	if err != nil {
		return err
	}
	limit -= len(line) + 1
	if err := p.parseStatus(trimCR(line)); err != nil {
		return err
	}
	p.length = noLength
	previous := fieldNone
	for {
		line, err := b.line(limit)
		if err != nil {
			return err
		}
		limit -= len(line) + 1
		line = trimCR(line)
		if len(line) == 0 {
			return p.checkFraming()
		}
		if previous, err = p.parseField(line, previous); err != nil {
			return err
		}
	}
}

// statusLine is line, but bytes that cannot begin a reply are refused as soon as they are seen, so that garbage without
// a line feed is not waited for.
func statusLine(b *buffer, limit int) ([]byte, error) {
	const prefix = "HTTP/1."
	for {
		seen := b.buf[b.r:b.w]
		n := min(len(seen), len(prefix))
		if string(seen[:n]) != prefix[:n] {
			return nil, protocolError(fmt.Sprintf("begins with %.20q, not with HTTP/1.", seen))
		}
		if n == len(prefix) {
			return b.line(limit)
		}
		b.room()
		if err := b.fill(); err != nil {
			return nil, err
		}
	}
}

// parseStatus reads "HTTP/1.1 200 OK"; the reason phrase may be missing.
func (p *reply) parseStatus(line []byte) error {
	// The prefix "HTTP/1." was checked.
	if len(line) < 12 || !digit(line[7]) || line[8] != ' ' || line[9] == '0' ||
		!digit(line[9]) || !digit(line[10]) || !digit(line[11]) || len(line) > 12 && line[12] != ' ' {
		return protocolError(fmt.Sprintf("malformed status line %.40q", line))
	}
	p.http10 = line[7] == '0'
	p.status = int(line[9]-'0')*100 + int(line[10]-'0')*10 + int(line[11]-'0')
	return nil
}

// field is the kind of a header field as far as framing needs it.
type field int

const (
	fieldNone  field = iota // no field yet
	fieldOther              // read over
	fieldOurs               // decides about the body or the connection
)

// parseField reads one header line. Lines that begin with white space continue the previous field (obsolete folding):
// that is read over, unless the field is one that decides something.
func (p *reply) parseField(line []byte, previous field) (field, error) {
	if line[0] == ' ' || line[0] == '\t' {
		if previous != fieldOther {
			return previous, protocolError(fmt.Sprintf("folded header line %.40q", line))
		}
		return previous, nil
	}
	colon := bytes.IndexByte(line, ':')
	if colon <= 0 || line[colon-1] == ' ' || line[colon-1] == '\t' {
		return previous, protocolError(fmt.Sprintf("malformed header line %.40q", line))
	}
	name, value := line[:colon], line[colon+1:]
	switch {
	case colon == len("Content-Length") && equalFold(name, "content-length"):
		return fieldOurs, p.setLength(trimSpace(value))
	case colon == len("Connection") && equalFold(name, "connection"):
		p.setConnection(value)
		return fieldOurs, nil
	case colon == len("Transfer-Encoding") && equalFold(name, "transfer-encoding"):
		return fieldOurs, p.setTransfer(trimSpace(value))
	}
	return fieldOther, nil
}

func (p *reply) setLength(value []byte) error {
	n, ok := parseDecimal(value)
	if !ok {
		return protocolError(fmt.Sprintf("malformed Content-Length %.40q", value))
	}
	if p.length != noLength {
		return protocolError("more than one Content-Length")
	}
	p.length = n
	return nil
}

func (p *reply) setTransfer(value []byte) error {
	if p.chunked {
		return protocolError("more than one Transfer-Encoding")
	}
	if !equalFold(value, "chunked") {
		return protocolError(fmt.Sprintf("unsupported Transfer-Encoding %.40q", value))
	}
	p.chunked = true
	return nil
}

// setConnection reads the list of connection options; options other than close and keep-alive mean nothing here.
func (p *reply) setConnection(value []byte) {
	for len(value) > 0 {
		option := value
		if comma := bytes.IndexByte(value, ','); comma >= 0 {
			option, value = value[:comma], value[comma+1:]
		} else {
			value = nil
		}
		switch option = trimSpace(option); {
		case equalFold(option, "close"):
			p.close = true
		case equalFold(option, "keep-alive"):
			p.keep = true
		}
	}
}

// checkFraming refuses combinations that let two readers see two different bodies (RFC 9112, 6.1 and 6.3).
func (p *reply) checkFraming() error {
	switch {
	case p.chunked && p.length != noLength:
		return protocolError("both Transfer-Encoding and Content-Length")
	case p.chunked && p.http10:
		return protocolError("Transfer-Encoding in an HTTP/1.0 reply")
	}
	return nil
}

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

// place is where in a reply its reader is.
type place uint8

const (
	inStatus place = iota
	inFields
	inBody    // room bytes of it are to come
	inToClose // the body ends with the connection
	inChunkSize
	inChunk // room bytes of it are to come
	inChunkEnd
	inTrailers
	complete
)

// reply reads one reply and is what it said. It takes bytes as they come: advance consumes what there is, and goes on
// where it stopped when there is more.
type reply struct {
	status  int
	http10  bool
	close   bool // the server said close
	keep    bool // the server said keep-alive
	chunked bool
	length  int64 // −1 when the reply is delimited by the close of the connection
	body    int64 // body bytes received, without chunk framing

	at       place
	head     bool // the request was HEAD
	begun    bool // a byte has come
	previous field
	interim  int   // 1xx replies read
	room     int64 // bytes that the header block, the trailers, the body or the chunk may still have
}

// begin makes p ready for the reply to the next request. head tells that the request is HEAD.
func (p *reply) begin(head bool) { *p = reply{head: head, room: headerLimit} }

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

// advance consumes the bytes of in that belong to the reply, interim replies before it included, and reports whether
// it is complete. Bytes left in in, when it is not, are the beginning of a line. sink receives the body piece by
// piece; nil drops it.
func (p *reply) advance(in *window, sink func([]byte)) (bool, error) {
	if in.r < in.w {
		p.begun = true
	}
	for p.at != complete {
		var (
			more bool
			err  error
		)
		if p.at <= inFields {
			more, err = p.advanceHead(in)
		} else {
			more, err = p.advanceBody(in, sink)
		}
		if err != nil || more {
			return false, err
		}
	}
	return true, nil
}

// ended says what the end of the connection means at this point of the reply; nil when it completes it.
func (p *reply) ended(err error) error {
	switch {
	case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	case p.at == inToClose && errors.Is(err, io.EOF):
		p.at = complete
		return nil
	case !p.begun:
		return errClosedEarly
	}
	return errTruncated
}

// advanceHead reads the next line of the header block. more tells that it has not come yet.
func (p *reply) advanceHead(in *window) (more bool, err error) {
	if p.at == inStatus {
		// Bytes that cannot begin a reply are refused as soon as they are seen: garbage without a line feed is not waited for.
		const prefix = "HTTP/1."
		seen := in.buf[in.r:in.w]
		if n := min(len(seen), len(prefix)); string(seen[:n]) != prefix[:n] {
			return false, protocolError(fmt.Sprintf("begins with %.20q, not with HTTP/1.", seen))
		}
	}
	line, more, err := in.line(int(p.room))
	if more || err != nil {
		return more, err
	}
	p.room -= int64(len(line)) + 1
	line = trimCR(line)
	switch {
	case p.at == inStatus:
		p.at, p.length, p.previous = inFields, noLength, fieldNone
		return false, p.parseStatus(line)
	case len(line) > 0:
		p.previous, err = p.parseField(line, p.previous)
		return false, err
	}
	return false, p.endHead()
}

// endHead decides what follows the header block.
func (p *reply) endHead() error {
	if err := p.checkFraming(); err != nil {
		return err
	}
	if p.status < 200 && p.status != 101 {
		if p.interim++; p.interim == interimLimit {
			return errTooManyInterm
		}
		*p = reply{head: p.head, begun: true, interim: p.interim, room: headerLimit}
		return nil
	}
	p.frame()
	return nil
}

// frame decides how the body ends (RFC 9112, 6.3).
func (p *reply) frame() {
	switch {
	case p.head, p.status == 101, p.status == 204, p.status == 304, p.length == 0 && !p.chunked:
		p.length, p.chunked, p.at = 0, false, complete
	case p.chunked:
		p.length, p.at = 0, inChunkSize
	case p.length == noLength:
		p.length, p.at = -1, inToClose
	default:
		p.at, p.room = inBody, p.length
	}
}

// noLength marks, while headers are read, that no Content-Length was seen.
const noLength = -2

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

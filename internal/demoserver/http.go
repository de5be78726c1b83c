package demoserver

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// chunkSize is the size of the chunks of a chunked body.
const chunkSize = 4096

// maxHeaderLines bounds what one request may send.
const maxHeaderLines = 200

const badRequest = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 8<<10) }}

var errRequest = errors.New("not an HTTP request")

// request is what the reply depends on.
type request struct {
	head, health, http10, keep bool
}

// readRequest reads one request and drops its body.
func readRequest(in *bufio.Reader, out io.Writer) (request, error) {
	var r request
	line, err := in.ReadSlice('\n')
	if err != nil {
		return r, err
	}
	parts := bytes.Fields(line)
	if len(parts) != 3 || !bytes.HasPrefix(parts[2], []byte("HTTP/1.")) {
		return r, errRequest
	}
	r.head = string(parts[0]) == http.MethodHead
	r.health = string(parts[1]) == "/health"
	r.http10 = string(parts[2]) == "HTTP/1.0"
	r.keep = !r.http10
	length, chunked, expects := int64(0), false, false
	for n := 0; ; n++ {
		line, err := in.ReadSlice('\n')
		if err != nil || n > maxHeaderLines {
			return r, errors.Join(errRequest, err)
		}
		name, value, found := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(":"))
		if len(name) == 0 && !found {
			break
		}
		value = bytes.TrimSpace(value)
		switch {
		case fold(name, "connection"):
			if fold(value, "close") {
				r.keep = false
			} else if fold(value, "keep-alive") {
				r.keep = true
			}
		case fold(name, "content-length"):
			if length, err = strconv.ParseInt(string(value), 10, 64); err != nil || length < 0 {
				return r, errRequest
			}
		case fold(name, "transfer-encoding"):
			chunked = fold(value, "chunked")
		case fold(name, "expect"):
			expects = fold(value, "100-continue")
		}
	}
	if expects {
		if _, err := io.WriteString(out, "HTTP/1.1 100 Continue\r\n\r\n"); err != nil {
			return r, err
		}
	}
	if chunked {
		return r, dropChunks(in)
	}
	_, err = io.CopyN(io.Discard, in, length)
	return r, err
}

func fold(b []byte, lower string) bool { return bytes.EqualFold(b, []byte(lower)) }

// dropChunks reads a chunked body and its trailer.
func dropChunks(in *bufio.Reader) error {
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		text, _, _ := strings.Cut(strings.TrimSpace(string(line)), ";")
		size, err := strconv.ParseInt(strings.TrimSpace(text), 16, 63)
		if err != nil || size < 0 {
			return errRequest
		}
		if size == 0 {
			break
		}
		if _, err := io.CopyN(io.Discard, in, size+2); err != nil {
			return err
		}
	}
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			return nil
		}
	}
}

// replies are prepared once: the body in both framings, and the heads as they are needed.
type replies struct {
	config        Config
	plain, chunks []byte
}

func newReplies(c Config) replies {
	r := replies{config: c, plain: []byte(strings.Repeat("benchstat-http demo server.\n", c.Size/28+1)[:c.Size])}
	if c.Chunked {
		var b bytes.Buffer
		for rest := r.plain; len(rest) > 0; {
			n := min(len(rest), chunkSize)
			_, _ = fmt.Fprintf(&b, "%x\r\n%s\r\n", n, rest[:n])
			rest = rest[n:]
		}
		b.WriteString("0\r\n\r\n")
		r.chunks = b.Bytes()
	}
	return r
}

// write sends the reply, and reports whether the connection stays open.
func (p replies) write(c net.Conn, r request, status int) (keep bool, err error) {
	keep = r.keep && !p.config.Close
	head := make([]byte, 0, 256)
	head = append(head, "HTTP/1.1 "...)
	head = strconv.AppendInt(head, int64(status), 10)
	head = append(head, ' ')
	head = append(head, http.StatusText(status)...)
	head = append(head, "\r\nServer: benchstat-http\r\nContent-Type: text/plain\r\n"...)
	body := p.plain
	switch {
	case status == http.StatusNoContent || status == http.StatusNotModified:
		body = nil
	case p.chunks != nil && !r.http10:
		head = append(head, "Transfer-Encoding: chunked\r\n"...)
		body = p.chunks
	default:
		head = append(head, "Content-Length: "...)
		head = strconv.AppendInt(head, int64(len(body)), 10)
		head = append(head, "\r\n"...)
	}
	switch {
	case !keep:
		head = append(head, "Connection: close\r\n"...)
	case r.http10:
		head = append(head, "Connection: keep-alive\r\n"...)
	}
	head = append(head, "\r\n"...)
	if r.head {
		body = nil
	}
	buffers := net.Buffers{head, body}
	_, err = buffers.WriteTo(c)
	return keep, err
}

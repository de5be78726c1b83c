package engine

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// outcome is what one reply came to.
type outcome struct {
	status  int
	body    string
	keep    bool
	class   string // "" = complete
	surplus string // unread bytes
}

func readAll(data []byte, sizes []byte, head bool, end error) outcome {
	b := newBuffer(time.Now(), newBuffers())
	b.attach(&splitter{data: data, sizes: sizes, err: end})
	var (
		p    reply
		body bytes.Buffer
	)
	err := b.readReply(&p, head, func(piece []byte) { body.Write(piece) })
	if err != nil {
		return outcome{class: string(classify(err, phaseRead))}
	}
	rest, _ := io.ReadAll(b.src)
	surplus := string(b.buf[b.r:b.w]) + string(rest)
	b.settle()
	return outcome{status: p.status, body: body.String(), keep: p.persistent(), surplus: surplus}
}

var replyCases = []struct {
	name string
	data string
	head bool
	want outcome
}{
	{"content length", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", false, outcome{status: 200, body: "hello", keep: true}},
	{"surplus", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello!", false, outcome{status: 200, body: "hello", keep: true, surplus: "!"}},
	{"no reason", "HTTP/1.1 200\r\ncontent-length:0\r\n\r\n", false, outcome{status: 200, keep: true}},
	{"bare line feeds", "HTTP/1.1 200 OK\nContent-Length: 2\n\nhi", false, outcome{status: 200, body: "hi", keep: true}},
	{"close", "HTTP/1.1 200 OK\r\nConnection: foo, Close\r\nContent-Length: 2\r\n\r\nhi", false, outcome{status: 200, body: "hi"}},
	{"http/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", false, outcome{status: 200, body: "hi"}},
	{"http/1.0 keep-alive", "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nhi", false, outcome{status: 200, body: "hi", keep: true}},
	{"to close", "HTTP/1.1 200 OK\r\nServer: x\r\n\r\nall of it", false, outcome{status: 200, body: "all of it"}},
	{"chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA;x=\"y\"\r\n, chunked!\r\n0\r\nTrailer: 1\r\n\r\n", false, outcome{status: 200, body: "hello, chunked!", keep: true}},
	{"chunk extension with space", "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2 ;x\r\nhi\r\n0\r\n\r\n", false, outcome{status: 200, body: "hi", keep: true}},
	{"head", "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n", true, outcome{status: 200, keep: true}},
	{"head chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", true, outcome{status: 200, keep: true}},
	{"204", "HTTP/1.1 204 No Content\r\n\r\n", false, outcome{status: 204, keep: true}},
	{"304", "HTTP/1.1 304 Not Modified\r\nContent-Length: 77\r\n\r\n", false, outcome{status: 304, keep: true}},
	{"interim", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", false, outcome{status: 200, body: "hi", keep: true}},
	{"101", "HTTP/1.1 101 Switching\r\n\r\nxx", false, outcome{status: 101, surplus: "xx"}},
	{"folded", "HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 0\r\n\r\n", false, outcome{status: 200, keep: true}},

	{"nothing", "", false, outcome{class: "reset"}},
	{"end in status", "HTTP/1.1 20", false, outcome{class: "truncated"}},
	{"end in header", "HTTP/1.1 200 OK\r\nServer", false, outcome{class: "truncated"}},
	{"end in body", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", false, outcome{class: "truncated"}},
	{"end in chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", false, outcome{class: "truncated"}},
	{"end before last chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", false, outcome{class: "truncated"}},
	{"end in trailers", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n", false, outcome{class: "truncated"}},
	{"end after interim", "HTTP/1.1 100 Continue\r\n\r\n", false, outcome{class: "truncated"}},
	{"garbage", "\x16\x03\x01 not http at all", false, outcome{class: "protocol"}},
	{"short garbage", "X", false, outcome{class: "protocol"}},
	{"http/2", "HTTP/2 200 OK\r\n\r\n", false, outcome{class: "protocol"}},
	{"bad status", "HTTP/1.1 2x0 OK\r\n\r\n", false, outcome{class: "protocol"}},
	{"four digits", "HTTP/1.1 2000 OK\r\n\r\n", false, outcome{class: "protocol"}},
	{"two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello", false, outcome{class: "protocol"}},
	{"bad length", "HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello", false, outcome{class: "protocol"}},
	{"length list", "HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\nhello", false, outcome{class: "protocol"}},
	{"huge length", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nhello", false, outcome{class: "protocol"}},
	{"folded length", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n 6\r\n\r\nhello", false, outcome{class: "protocol"}},
	{"length and chunked", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", false, outcome{class: "protocol"}},
	{"chunked twice", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", false, outcome{class: "protocol"}},
	{"http/1.0 chunked", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", false, outcome{class: "protocol"}},
	{"unknown coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nx", false, outcome{class: "protocol"}},
	{"no colon", "HTTP/1.1 200 OK\r\nServer nginx\r\n\r\n", false, outcome{class: "protocol"}},
	{"space before colon", "HTTP/1.1 200 OK\r\nServer : nginx\r\n\r\n", false, outcome{class: "protocol"}},
	{"bad chunk size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", false, outcome{class: "protocol"}},
	{"empty chunk size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", false, outcome{class: "protocol"}},
	{"huge chunk size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n", false, outcome{class: "protocol"}},
	{"long chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n", false, outcome{class: "protocol"}},
	{"chunk without line end", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\n0\r\n\r\n", false, outcome{class: "protocol"}},
	{"long header", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", headerLimit) + "\r\n\r\n", false, outcome{class: "protocol"}},
	{"long header block", "HTTP/1.1 200 OK\r\n" + strings.Repeat("X: yyyyyyyyyyyyyyyy\r\n", headerLimit/16) + "\r\n", false, outcome{class: "protocol"}},
	{"endless interim", strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", interimLimit+1), false, outcome{class: "protocol"}},
}

func TestReplies(t *testing.T) {
	for _, c := range replyCases {
		t.Run(c.name, func(t *testing.T) {
			for _, sizes := range [][]byte{nil, {0}, {1}, {0, 6, 2}, {99}} {
				if got := readAll([]byte(c.data), sizes, c.head, io.EOF); got != c.want {
					t.Errorf("pieces %v: got %.200v, want %v", sizes, got, c.want)
				}
			}
		})
	}
}

func TestHeaderBlockUpToLimitIsRead(t *testing.T) {
	start, end := "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX: ", "\r\n\r\n"
	data := start + strings.Repeat("x", headerLimit-len(start)-len(end)) + end + "hi"
	want := outcome{status: 200, body: "hi", keep: true}
	if got := readAll([]byte(data), nil, false, io.EOF); got != want {
		t.Errorf("got %.100v, want %v", got, want)
	}
}

func TestErrorOfConnectionIsKept(t *testing.T) {
	b := newBuffer(time.Now(), nil)
	b.attach(&splitter{data: []byte("HTTP/1.1 200 OK\r\n"), err: errSplit})
	var p reply
	if err := b.readReply(&p, false, nil); !errors.Is(err, errSplit) {
		t.Errorf("got %v, want %v", err, errSplit)
	}
}

// FuzzReply checks that the reader never panics, that how bytes are split into reads changes nothing, and that what
// it accepts, net/http reads the same way.
func FuzzReply(f *testing.F) {
	for _, c := range replyCases {
		if len(c.data) < 1000 {
			f.Add([]byte(c.data), []byte{0, 3}, c.head)
		}
	}
	f.Fuzz(func(t *testing.T, data, sizes []byte, head bool) {
		whole := readAll(data, nil, head, io.EOF)
		for _, s := range [][]byte{sizes, {0}} {
			if split := readAll(data, s, head, io.EOF); split != whole {
				t.Fatalf("in pieces %v: %+v, whole: %+v", s, split, whole)
			}
		}
		if whole.class == "" && whole.status > 199 {
			compareWithStandard(t, data, head, whole)
		}
	})
}

// compareWithStandard skips what net/http refuses: it is stricter about field values and trailers.
func compareWithStandard(t *testing.T, data []byte, head bool, got outcome) {
	t.Helper()
	request := &http.Request{Method: http.MethodGet}
	if head {
		request.Method = http.MethodHead
	}
	r := newBufio(data)
	for {
		response, err := http.ReadResponse(r, request)
		if err != nil {
			return
		}
		body, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil {
			return
		}
		if response.StatusCode < 200 {
			continue
		}
		if response.StatusCode != got.status || string(body) != got.body {
			t.Fatalf("net/http reads %d %q, we read %d %q", response.StatusCode, body, got.status, got.body)
		}
		return
	}
}

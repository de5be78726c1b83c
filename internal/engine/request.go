package engine

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// userAgent is what the requests call themselves, unless a header says otherwise.
const userAgent = "benchstat-http"

// request is what every connection sends: its bytes, built once, and what they imply for the reader.
type request struct {
	wire    []byte // header block and body, for one write
	head    bool   // HEAD: the reply has no body
	persist bool   // the connection may be kept for another request
}

// newRequest builds the request bytes. It fails on what would not be one well-formed request: a method that is no
// token, line breaks in a header, a Content-Length that is not the body's.
func newRequest(c *Config, u *url.URL) (*request, error) {
	method := c.Method
	if method == "" {
		method = "GET"
	}
	if !isToken(method) {
		return nil, fmt.Errorf("build request: method %q is not a token", method)
	}
	if err := checkHeaders(c.Headers, len(c.Body)); err != nil {
		return nil, err
	}
	version := "HTTP/1.1"
	if c.HTTP == "1.0" {
		version = "HTTP/1.0"
	}
	var w bytes.Buffer
	fmt.Fprintf(&w, "%s %s %s\r\n", method, u.RequestURI(), version)
	writeDefault(&w, c.Headers, "Host", hostField(u))
	writeDefault(&w, c.Headers, "User-Agent", userAgent)
	if u.User != nil {
		password, _ := u.User.Password()
		pair := u.User.Username() + ":" + password
		writeDefault(&w, c.Headers, "Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(pair)))
	}
	for _, h := range c.Headers {
		fmt.Fprintf(&w, "%s: %s\r\n", h.Name, h.Value)
	}
	if (len(c.Body) > 0 || sendsBody(method)) && !has(c.Headers, "Transfer-Encoding") {
		writeDefault(&w, c.Headers, "Content-Length", strconv.Itoa(len(c.Body)))
	}
	switch {
	case c.KeepAlive && c.HTTP == "1.0":
		writeDefault(&w, c.Headers, "Connection", "Keep-Alive")
	case !c.KeepAlive && c.HTTP != "1.0":
		writeDefault(&w, c.Headers, "Connection", "close")
	}
	w.WriteString("\r\n")
	w.Write(c.Body)
	return &request{wire: w.Bytes(), head: method == "HEAD", persist: c.KeepAlive && !asksClose(c.Headers)}, nil
}

// writeDefault writes a header field unless the user gave it.
func writeDefault(w *bytes.Buffer, headers []result.Header, name, value string) {
	if !has(headers, name) {
		fmt.Fprintf(w, "%s: %s\r\n", name, value)
	}
}

func has(headers []result.Header, name string) bool {
	for _, h := range headers {
		if strings.EqualFold(h.Name, name) {
			return true
		}
	}
	return false
}

// asksClose reports whether the user's own Connection header ends the connection after the reply.
func asksClose(headers []result.Header) bool {
	var p reply
	for _, h := range headers {
		if strings.EqualFold(h.Name, "Connection") {
			p.setConnection([]byte(h.Value))
		}
	}
	return p.close
}

// hostField is the URL's host and port as written, without the zone of an IPv6 address.
func hostField(u *url.URL) string {
	host := u.Host
	if zone, end := strings.IndexByte(host, '%'), strings.IndexByte(host, ']'); zone >= 0 && end > zone {
		host = host[:zone] + host[end:]
	}
	return host
}

// sendsBody reports whether a request of this method has a Content-Length even without a body.
func sendsBody(method string) bool {
	return method == "POST" || method == "PUT" || method == "PATCH"
}

func checkHeaders(headers []result.Header, body int) error {
	for _, h := range headers {
		if !isToken(h.Name) {
			return fmt.Errorf("build request: header name %q is not a token", h.Name)
		}
		if strings.ContainsAny(h.Value, "\r\n\x00") {
			return fmt.Errorf("build request: header %s: its value holds a line break", h.Name)
		}
		if strings.EqualFold(h.Name, "Content-Length") && strings.TrimSpace(h.Value) != strconv.Itoa(body) {
			return fmt.Errorf("build request: header Content-Length: %s, but the body has %d bytes", h.Value, body)
		}
	}
	return nil
}

// isToken reports whether s may be a method or a header name (RFC 9110, 5.6.2).
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return false
		}
	}
	return s != ""
}

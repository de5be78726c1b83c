package main

import (
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// badReplies are the misbehaviours that badserver can show, as what is done with a connection whose request was read.
var badReplies = map[string]func(c net.Conn){
	"ok":        func(c net.Conn) { reply(c, "200 OK", "hello, world\n") },
	"404":       func(c net.Conn) { reply(c, "404 Not Found", strings.Repeat("x", 345)) },
	"garbage":   func(c net.Conn) { _, _ = io.WriteString(c, "\x00\x01SMTP ready, who are you?\r\n\r\n") },
	"truncated": func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort") },
	"hang":      func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }, // until the client gives up
	"reset": func(c net.Conn) {
		if tcp, ok := c.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
	},
}

func reply(c net.Conn, status, body string) {
	_, _ = fmt.Fprintf(c, "HTTP/1.1 %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", status, len(body), body)
}

// scriptBadServer starts a server that misbehaves in one way, and puts its URL into $NAME:
// badserver NAME ok|404|garbage|truncated|hang|reset|refused
func scriptBadServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: badserver NAME KIND")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Setenv(args[0], "http://"+listener.Addr().String()+"/")
	if args[1] == "refused" {
		ts.Check(listener.Close())
		return
	}
	answer, ok := badReplies[args[1]]
	if !ok {
		ts.Fatalf("unknown kind %q", args[1])
	}
	ts.Defer(func() { _ = listener.Close() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = c.Close() }()
				buf := make([]byte, 4096)
				if n, err := c.Read(buf); n == 0 || err != nil {
					return
				}
				answer(c)
			}()
		}
	}()
}

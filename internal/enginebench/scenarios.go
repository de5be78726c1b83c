//go:build linux

package main

import (
	"fmt"
	"regexp"
	"strconv"
)

// scenario is a kind of load, and the clients that can send it. The first client is ours, the second the reference.
type scenario struct {
	name    string
	file    string
	conns   int
	keep    bool
	clients []client
}

// client is a load generator: its command, and how it prints the number of requests.
type client struct {
	name     string
	args     func(*bench, scenario) []string
	requests *regexp.Regexp
}

var (
	plainCount = regexp.MustCompile(`(?m)^\s*(\d+) requests`)
	abCount    = regexp.MustCompile(`(?m)^Complete requests:\s+(\d+)`)
	heyCount   = regexp.MustCompile(`\[200\]\s+(\d+) responses`)
	h2Count    = regexp.MustCompile(`(\d+) succeeded`)
)

var (
	native   = client{"native", ours(""), plainCount}
	portable = client{"native, portable path", ours("portable"), plainCount}
	wrk      = client{"wrk", wrkArgs, plainCount}
	ab       = client{"ab", abArgs, abCount}
	hey      = client{"hey", heyArgs, heyCount}
	h2load   = client{"h2load --h1", h2loadArgs, h2Count}
	cLoop    = client{"minimal C epoll loop", loopArgs, plainCount}
)

var scenarios = []scenario{
	{"keep-alive, 50 connections, 345 bytes", "small", 50, true, []client{native, wrk, cLoop, ab, h2load, hey, portable}},
	{"no keep-alive, 50 connections, 345 bytes", "small", 50, false, []client{native, wrk, ab, hey, portable}},
	{"keep-alive, 1,000 connections, 345 bytes", "small", 1000, true, []client{native, wrk, ab, portable}},
	{"keep-alive, 10,000 connections, 345 bytes", "small", 10000, true, []client{native, wrk}},
	{"keep-alive, 10 connections, 1 MiB", "1m", 10, true, []client{native, wrk, ab, portable}},
	{"keep-alive, 10 connections, 18 MiB", "18m", 10, true, []client{native, wrk, ab, portable}},
}

func matches(pattern, name string) bool { return regexp.MustCompile(pattern).MatchString(name) }

func (b *bench) url(s scenario) string { return fmt.Sprintf("http://127.0.0.1:%d/%s", b.port, s.file) }

func (b *bench) seconds() string { return strconv.FormatFloat(b.length.Seconds(), 'f', -1, 64) }

func ours(path string) func(*bench, scenario) []string {
	return func(b *bench, s scenario) []string {
		return []string{b.self, "-client", b.url(s), "-path", path, "-c", strconv.Itoa(s.conns), "-seconds", b.seconds(), fmt.Sprintf("-k=%v", s.keep)}
	}
}

func wrkArgs(b *bench, s scenario) []string {
	args := []string{"wrk", "-t1", "-c" + strconv.Itoa(s.conns), "-d" + b.seconds() + "s"}
	if !s.keep {
		args = append(args, "-H", "Connection: close")
	}
	return append(args, b.url(s))
}

func abArgs(b *bench, s scenario) []string {
	args := []string{"ab", "-q", "-c", strconv.Itoa(s.conns), "-t", b.seconds(), "-n", "100000000"}
	if s.keep {
		args = append(args, "-k")
	}
	return append(args, b.url(s))
}

func heyArgs(b *bench, s scenario) []string {
	args := []string{"hey", "-c", strconv.Itoa(s.conns), "-z", b.seconds() + "s"}
	if !s.keep {
		args = append(args, "-disable-keepalive")
	}
	return append(args, b.url(s))
}

func h2loadArgs(b *bench, s scenario) []string {
	return []string{"h2load", "--h1", "-t1", "-c", strconv.Itoa(s.conns), "-D", b.seconds(), b.url(s)}
}

func loopArgs(b *bench, s scenario) []string {
	return []string{b.loop, strconv.Itoa(b.port), "/" + s.file, strconv.Itoa(s.conns), b.seconds()}
}

package config

import (
	"net/url"
	"slices"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// finish turns what was stated for a target, with defaults, into the target of a plan.
func (r *reader) finish(s *spec) (result.Target, error) {
	t := result.Target{Name: s.name.value, Servers: s.servers, Exclusive: s.exclusive.value, Tags: s.tags}
	if s.url.value == "" {
		return t, s.at.errorf("add url: http://host:port/path", "the target has no url")
	}
	t.Request = result.Request{Method: s.request.method.value, Headers: slices.Clone(s.request.headers), HTTP: s.request.http.or("1.1")}
	if t.Request.Method == "" {
		t.Request.Method = "GET"
	}
	if body := s.request.body.value; len(body.data) > 0 || body.file != "" {
		t.Request.Body, t.Request.BodyFile, t.Request.BodySHA256 = body.data, body.file, hexSum(body.data)
	}
	t.URL = r.cleanURL(s.url.value, &t.Request.Headers)
	t.Expect = result.Expect{SHA256: strings.ToLower(s.expect.sha256.value), Contains: s.expect.contains.value, MaxFailed: s.expect.maxFailed.or(0.001)}
	if s.expect.status.at.stated() {
		t.Expect.Status = new(s.expect.status.value)
	}
	if s.expect.length.at.stated() {
		t.Expect.Length = new(s.expect.length.value)
	}
	var err error
	if t.Load, err = s.load.finish(); err != nil {
		return t, err
	}
	t.Warmup = result.Warmup{Mode: s.warmup.mode.or("fixed"), Requests: s.warmup.requests.or(100)}
	if t.Warmup.Mode == "none" || t.Warmup.Requests == 0 {
		t.Warmup = result.Warmup{Mode: "none"}
	}
	return t, checkPlaceholders(s)
}

// cleanURL takes the user and the fragment, which are not sent, out of a URL. A stated Authorization stays.
func (r *reader) cleanURL(text string, headers *[]result.Header) string {
	text, fragment, _ := strings.Cut(text, "#")
	if fragment != "" {
		r.warnings = append(r.warnings, "the fragment #"+fragment+" of a URL is not sent")
	}
	scheme, rest, _ := strings.Cut(text, "://")
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	at := strings.LastIndexByte(rest[:end], '@')
	if at < 0 {
		return text
	}
	user, password, _ := strings.Cut(rest[:at], ":")
	value := r.basic(unescaped(user), unescaped(password))
	r.addSecret(password)
	if !hasHeader(*headers, "Authorization") {
		setHeader(headers, "Authorization", value)
	}
	return scheme + "://" + rest[at+1:]
}

func unescaped(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

func (s loadSpec) finish() (result.Load, error) {
	l := result.Load{
		Requests: s.requests.or(10000), DurationSeconds: s.duration.value, Concurrency: s.concurrency.or(50),
		KeepAlive: s.keepalive.value, TimeoutSeconds: s.timeout.or(30), RequestTimeoutSeconds: s.requestTimeout.value,
		Engine: s.engine.or("native"), Rate: s.rate.value,
	}
	if l.Rate > 0 {
		l.Arrivals = s.arrivals.or(result.ArrivalsConstant)
	} else if s.arrivals.at.stated() {
		return l, s.arrivals.at.errorf("give load.rate (--rate) too", "load.arrivals says how requests arrive at a rate, and there is no rate")
	}
	switch {
	case l.DurationSeconds > 0:
		l.Requests = 0
	case !s.concurrency.at.stated():
		l.Concurrency = int(min(int64(l.Concurrency), l.Requests)) // the default never exceeds the requests
	case int64(l.Concurrency) > l.Requests:
		return l, s.concurrency.at.errorf("raise load.requests (-n) or lower load.concurrency (-c)",
			"load.concurrency is %d, more than load.requests, %d (%s)", l.Concurrency, l.Requests, s.requests.at)
	}
	return l, nil
}

// checkPlaceholders refuses {port} without servers.
func checkPlaceholders(s *spec) error {
	if strings.Contains(s.url.value, "{port}") && len(s.servers) == 0 {
		return s.url.at.errorf("write the port, or add servers", "{port} stands for the port of a server, and there are no servers")
	}
	return nil
}

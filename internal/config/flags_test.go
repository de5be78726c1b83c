package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// header returns the value of a request header of the first target.
func header(p result.Plan, name string) string {
	for _, h := range p.Targets[0].Request.Headers {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}

// TestFlagsOverride: every flag reaches its place in the plan, over what the file says.
func TestFlagsOverride(t *testing.T) {
	body := write(t, "body.json", "{}")
	file := write(t, "a.yaml", "url: http://h/\nload: {requests: 7, concurrency: 7, keepalive: false}\nwarmup: {mode: none}\n"+
		"request: {headers: {content-type: text/x, Cookie: old}}\ntrials: {count: 3, seed: 3}\n")
	loaded, err := Load(ParseArgs([]string{"named=" + file}), Flags{
		Duration: new(2 * time.Second), Concurrency: new(9), KeepAlive: new(true), Timeout: new(3 * time.Second),
		RequestTimeout: new(4 * time.Second), Post: &body, ContentType: new("application/json"), Trials: new(4), Warmup: new(int64(5)),
		Cooldown: new(6 * time.Millisecond), Order: new("sequential"), Seed: new(uint64(8)), Alpha: new(0.01), Margin: new("2%"),
		Test: new("welch"), Metric: new("rps"), Engine: new("native"), Cookies: []string{"a=b", "session=0123456789"},
		BasicAuth: new("me:secret"), Headers: []string{"X-A: 1"}, Set: []string{"expect.status=404", "load.request_timeout=5s"},
	}, noEnv, fixedSeed)
	if err != nil {
		t.Fatal(err)
	}
	p := loaded.Plan
	got := p.Targets[0]
	want := result.Load{DurationSeconds: 2, Concurrency: 9, KeepAlive: true, TimeoutSeconds: 3, RequestTimeoutSeconds: 5, Engine: "native"}
	if got.Load != want || got.Name != "named" || got.Warmup != (result.Warmup{Mode: "fixed", Requests: 5}) || *got.Expect.Status != 404 {
		t.Errorf("target %+v", got)
	}
	if got.Request.Method != "POST" || string(got.Request.Body) != "{}" || header(p, "content-type") != "application/json" ||
		header(p, "cookie") != "a=b; session=0123456789" || header(p, "authorization") != "Basic bWU6c2VjcmV0" || header(p, "x-a") != "1" {
		t.Errorf("request %+v", got.Request)
	}
	if p.Blocks != 4 || p.CooldownSeconds != 0.006 || p.Order != "sequential" || p.Seed != 8 || p.Alpha != 0.01 || p.Margin != 0.02 || p.Test != "welch" {
		t.Errorf("plan %+v", p)
	}
	for _, secret := range []string{"me:secret", "secret", "bWU6c2VjcmV0", "session=0123456789", "0123456789"} {
		if !containsFold(loaded.Secrets, secret) {
			t.Errorf("%q is not among the secrets %q", secret, loaded.Secrets)
		}
	}
	text := strings.Join(p.FlagHeaders, " ")
	if text != "Content-Type X-A Cookie Authorization" {
		t.Errorf("flag headers %q", text)
	}
}

// TestMethodFlags: -i, -u and -m choose the method, and ab's default Content-Type goes with a body.
func TestMethodFlags(t *testing.T) {
	body := write(t, "body", "x")
	for _, c := range []struct {
		flags        Flags
		method, kind string
	}{
		{Flags{Head: true}, "HEAD", ""}, {Flags{Put: &body}, "PUT", "text/plain"}, {Flags{Post: &body}, "POST", "text/plain"},
		{Flags{Method: new("PATCH"), Put: &body}, "PATCH", "text/plain"}, {Flags{}, "GET", ""},
	} {
		l, err := Load(ParseArgs([]string{"http://h/"}), c.flags, noEnv, fixedSeed)
		if err != nil || l.Plan.Targets[0].Request.Method != c.method || header(l.Plan, "Content-Type") != c.kind {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestBadFlags: a wrong flag is one line that names it, and no secret stands in it.
func TestBadFlags(t *testing.T) {
	body := write(t, "body", "x")
	missing := filepath.Join(t.TempDir(), "missing")
	for _, c := range []struct {
		flags Flags
		want  string
	}{
		{Flags{Post: &body, Put: &body}, "--put"}, {Flags{Head: true, Post: &body}, "--head"}, {Flags{Post: &missing}, "missing"},
		{Flags{Headers: []string{"no colon hunter2"}}, "--header"}, {Flags{Headers: []string{"Bad Name: hunter2"}}, "--header"},
		{Flags{Cookies: []string{"hunter2"}}, "--cookie"}, {Flags{BasicAuth: new("hunter2")}, "--auth"},
		{Flags{ContentType: new("a\nb")}, "--content-type"}, {Flags{Set: []string{"load"}}, "--set load"},
		{Flags{Set: []string{"nothing.at=1"}}, "--set nothing.at=1"}, {Flags{Set: []string{"load.requests=["}}, "--set load.requests=["},
		{Flags{Set: []string{"load.requsts=1"}}, "requests"}, {Flags{Requests: new(int64(0))}, "--requests 0"},
		{Flags{Margin: new("200%")}, "--margin 200%"}, {Flags{Order: new("x")}, "--order x"}, {Flags{Test: new("x")}, "--test x"},
		{Flags{Metric: new("server_cpu")}, "not available in this version"}, {Flags{Engine: new("wrk")}, "not available in this version"},
		{Flags{Alpha: new(0.7)}, "--alpha 0.7"}, {Flags{Warmup: new(int64(-1))}, "--warmup -1"}, {Flags{Timeout: new(time.Duration(0))}, "--timeout 0s"},
	} {
		_, err := Load(ParseArgs([]string{"http://h/"}), c.flags, noEnv, fixedSeed)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%+v: %v, want %q", c.flags, err, c.want)
		}
	}
}

// TestBadArguments: what is named on the command line but is no target.
func TestBadArguments(t *testing.T) {
	dir := t.TempDir()
	several := write(t, "several.yaml", "targets:\n  - {name: a, url: \"http://h/\"}\n  - {name: b, url: \"http://h/\"}\n")
	twins := write(t, "twins.yaml", "targets:\n  - {name: a, url: \"http://h/\"}\n  - {name: a, url: \"http://h/\"}\n")
	latin := write(t, "latin.yaml", "name: \xe9\n")
	for arg, want := range map[string]string{
		dir: "is a directory", filepath.Join(dir, "none.yaml"): "none.yaml", "x=" + several: "several targets", twins: "two targets are named",
		latin: "UTF-8", "http://": "URL", "ftp://h/": "URL", "http://h:99999/": "port", "http://h/a b": "URL", "http://h:{port}/": "{port}",
	} {
		_, err := Load(ParseArgs([]string{arg}), Flags{}, noEnv, fixedSeed)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", arg, err, want)
		}
	}
	if os.Geteuid() != 0 {
		closed := write(t, "closed.yaml", "url: http://h/\n")
		if err := os.Chmod(closed, 0); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(ParseArgs([]string{closed}), Flags{}, noEnv, fixedSeed); err == nil {
			t.Error("an unreadable file was read")
		}
	}
}

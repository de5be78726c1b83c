package config

import (
	"os"
	"strings"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// secretive is a target file with a secret in every place that can hold one.
const secretive = `name: a
url: http://127.0.0.1:{port}/?key=${TOKEN}
request: {headers: {Authorization: "Bearer ${TOKEN}", X-Plain: seen}, body: "token=${TOKEN}"}
expect: {contains: "${TOKEN}"}
servers:
  - name: s
    start: [run, "--token=${TOKEN}"]
    env: {TOKEN: "${TOKEN}"}
    ready: {url: "http://127.0.0.1:{port}/${TOKEN}"}
tags: {t: "${TOKEN}"}
`

func tokenEnv(name string) (string, bool) { return "s3cr3t-t0k3n", name == "TOKEN" }

// recorded loads a file and returns the plan as a result file holds it.
func recorded(t *testing.T, path string, flags Flags) (fresh, written result.Plan) {
	t.Helper()
	loaded, err := Load([]Arg{{Path: path}}, flags, tokenEnv, fixedSeed)
	if err != nil {
		t.Fatal(err)
	}
	return loaded.Plan, loaded.Plan.Redacted(loaded.Secrets)
}

// TestReload: an unchanged file gives back every secret; the result is the plan that was begun.
func TestReload(t *testing.T) {
	fresh, written := recorded(t, write(t, "a.yaml", secretive), Flags{})
	again, secrets, err := Reload(written, Flags{}, tokenEnv)
	if err != nil {
		t.Fatal(err)
	}
	a, b := fresh.Targets[0], again.Targets[0]
	if a.URL != b.URL || a.Request.Headers[0] != b.Request.Headers[0] || string(a.Request.Body) != string(b.Request.Body) ||
		a.Expect.Contains != b.Expect.Contains || a.Servers[0].Start[1] != b.Servers[0].Start[1] ||
		a.Servers[0].Env["TOKEN"] != b.Servers[0].Env["TOKEN"] || a.Servers[0].Ready.URL != b.Servers[0].Ready.URL || a.Tags["t"] != b.Tags["t"] {
		t.Errorf("got  %+v\nwant %+v", b, a)
	}
	if !containsFold(secrets, "s3cr3t-t0k3n") {
		t.Errorf("secrets %q", secrets)
	}
}

// TestReloadChanged: a changed file gives nothing back, and the error lists what is missing on one line.
func TestReloadChanged(t *testing.T) {
	path := write(t, "a.yaml", secretive)
	_, written := recorded(t, path, Flags{})
	if err := os.WriteFile(path, []byte(secretive+"exclusive: true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := Reload(written, Flags{}, tokenEnv)
	if err == nil {
		t.Fatal("a changed file was taken")
	}
	for _, field := range []string{"targets[0].url", "headers[Authorization]", "request.body", "expect.contains", "start[1]", "env[TOKEN]", "ready.url", "tags[t]"} {
		if !strings.Contains(err.Error(), field) {
			t.Errorf("no %s in: %v", field, err)
		}
	}
	if strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "keep "+path+" unchanged") {
		t.Errorf("%v", err)
	}
}

// TestReloadOtherSecret: a value that cannot be the one recorded is not taken for it.
func TestReloadOtherSecret(t *testing.T) {
	_, written := recorded(t, write(t, "a.yaml", secretive), Flags{})
	_, _, err := Reload(written, Flags{}, func(string) (string, bool) { return "", false })
	if err == nil || !strings.Contains(err.Error(), "TOKEN") {
		t.Errorf("%v", err)
	}
}

// TestReloadFlags: a header that the command line set comes from the command line again, never from the file, although
// the file has one of that name.
func TestReloadFlags(t *testing.T) {
	path := write(t, "a.yaml", "url: http://h/\nrequest: {headers: {Authorization: of-the-file}}\n")
	_, written := recorded(t, path, Flags{Headers: []string{"Authorization: of-the-flag"}})
	if _, _, err := Reload(written, Flags{}, noEnv); err == nil || !strings.Contains(err.Error(), "headers[Authorization]") {
		t.Errorf("without the flag: %v", err)
	}
	again, _, err := Reload(written, Flags{Headers: []string{"authorization: of-the-flag"}}, noEnv)
	if err != nil || header(again, "Authorization") != "of-the-flag" {
		t.Errorf("with the flag: %v %+v", err, again.Targets[0].Request)
	}
	if _, _, err := Reload(written, Flags{Headers: []string{"nonsense"}}, noEnv); err == nil {
		t.Error("a malformed header was taken")
	}
}

// TestReloadBodies: a body file is read again, and must be what it was.
func TestReloadBodies(t *testing.T) {
	body := write(t, "body", "one")
	_, written := recorded(t, write(t, "a.yaml", "url: http://h/\n"), Flags{Post: &body})
	written.Targets[0].Request.Body = nil // as a file that does not repeat it has it
	again, _, err := Reload(written, Flags{}, noEnv)
	if err != nil || string(again.Targets[0].Request.Body) != "one" {
		t.Fatalf("%v", err)
	}
	for _, change := range []func() error{func() error { return os.WriteFile(body, []byte("two"), 0o600) }, func() error { return os.Remove(body) }} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		written.Targets[0].Request.Body = nil
		if _, _, err := Reload(written, Flags{}, noEnv); err == nil || !strings.Contains(err.Error(), body) {
			t.Errorf("%v", err)
		}
	}
}

// TestFillRedactedShapes: a fresh plan that lacks targets, servers or arguments leaves them missing, and never panics.
func TestFillRedactedShapes(t *testing.T) {
	hidden := result.Plan{Targets: []result.Target{{
		URL: "http://h/", Servers: []result.Server{{Start: []string{"x", result.Redacted}, Ready: result.Ready{Command: []string{result.Redacted}}}},
	}}}
	for _, fresh := range []result.Plan{{}, {Targets: []result.Target{{}}}, {Targets: []result.Target{{Servers: []result.Server{{Start: []string{"x"}}}}}}} {
		if _, err := FillRedacted(hidden, fresh); err == nil || !strings.Contains(err.Error(), "servers[0].start[1]") {
			t.Errorf("%v", err)
		}
	}
}

// TestReloadSetHeader: --set can state a header too, which is then known to be the command line's.
func TestReloadSetHeader(t *testing.T) {
	path := write(t, "a.yaml", "url: http://h/\nrequest: {headers: {Authorization: of-the-file}}\n")
	for _, set := range []string{"request.headers.Authorization=of-the-flag", "request.headers={authorization: of-the-flag}"} {
		_, written := recorded(t, path, Flags{Set: []string{set}})
		if _, _, err := Reload(written, Flags{}, noEnv); err == nil || !strings.Contains(err.Error(), "was redacted; give -H again") {
			t.Errorf("%s, without the flag: %v", set, err)
		}
		again, _, err := Reload(written, Flags{Headers: []string{"Authorization: of-the-flag"}}, noEnv)
		if err != nil || header(again, "Authorization") != "of-the-flag" {
			t.Errorf("%s, with -H: %v", set, err)
		}
	}
}

// TestReloadAuth: -A and -C are given again as they were, and their values are secrets again.
func TestReloadAuth(t *testing.T) {
	given := Flags{BasicAuth: new("me:hunter22"), Cookies: []string{"id=0123456789"}}
	_, written := recorded(t, write(t, "a.yaml", "url: http://h/\nrequest: {headers: {Cookie: file, Authorization: file}}\n"), given)
	for _, some := range []Flags{{}, {BasicAuth: given.BasicAuth}, {Cookies: given.Cookies}} {
		if _, _, err := Reload(written, some, noEnv); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: %v", some, err)
		}
	}
	again, secrets, err := Reload(written, given, noEnv)
	if err != nil || header(again, "Authorization") != "Basic bWU6aHVudGVyMjI=" || header(again, "Cookie") != "id=0123456789" {
		t.Errorf("%v: %+v", err, again.Targets)
	}
	if !containsFold(secrets, "hunter22") || !containsFold(secrets, "id=0123456789") {
		t.Errorf("secrets %q", secrets)
	}
}

// TestFits: hidden parts stand for any text, the rest has to be there in order.
func TestFits(t *testing.T) {
	const r = result.Redacted
	for _, c := range []struct {
		recorded, text string
		want           bool
	}{
		{"a", "a", true}, {"a", "b", false}, {r, "any", true}, {"a" + r, "b", false}, {"a" + r + "b" + r + "c", "a1b2c", true},
		{"a" + r + "b" + r + "c", "a12c", false}, {"a" + r + "c", "a1d", false},
	} {
		if got := fits(c.recorded, c.text); got != c.want {
			t.Errorf("fits(%q, %q) = %v", c.recorded, c.text, got)
		}
	}
}

package result

import (
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// secretPlan holds "hush" secrets in every place that can hold one.
func secretPlan() Plan {
	return Plan{
		Name: "p", Order: "abba", Schedule: [][]int{{0}}, Sources: []PlanSource{{Path: "/home/hush-env/a.yaml", SHA256: "00"}},
		Targets: []Target{{
			Name: "a", URL: "http://user:hush-url@127.0.0.1/?x=1&api_key=hush-query&y=2",
			Request: Request{
				Method: "POST", Body: []byte("token=hush-env"),
				Headers: []Header{
					{"Authorization", "Bearer hush-bearer"}, {"Proxy-Authorization", "Basic hush-basic"}, {"cookie", "sid=hush-cookie"},
					{"X-Api-Key", "hush-key"}, {"X-Auth-TOKEN", "hush-token"}, {"X-Password", "hush-pass"}, {"My-Secret", "1"},
					{"Accept", "text/html"}, {"X-Trace", "for hush-env and hush-bearer"}, {"X-Token", ""},
				},
			},
			Expect: Expect{Status: new(200), Contains: "hello hush-env"},
			Tags:   map[string]string{"env": "hush-env", "php": "8"},
			Servers: []Server{{
				Name: "s", Start: []string{"srv", "--key=hush-env", "http://u:hush-argv@h/"}, Dir: "/srv/hush-env",
				Env:   map[string]string{"DB_PASSWORD": "hush-db", "PORT": "8080", "OTHER": "x hush-db y"},
				Ready: Ready{URL: "http://u:hush-ready@h/", TCP: "h:1", Log: "ready hush-env", Command: []string{"probe", "hush-env"}},
			}},
		}},
	}
}

func TestPlanRedacted(t *testing.T) {
	p := secretPlan()
	got := p.Redacted([]string{"hush-env", ""})
	raw, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), "hush") || strings.Contains(string(raw), base64.StdEncoding.EncodeToString(p.Targets[0].Request.Body)) {
		t.Errorf("a secret was left in %s", raw)
	}
	if !reflect.DeepEqual(p, secretPlan()) {
		t.Error("the plan itself was modified")
	}
	a := got.Targets[0]
	if a.URL != "http://user:«redacted»@127.0.0.1/?x=1&api_key=«redacted»&y=2" || a.Request.Headers[6].Value != Redacted ||
		a.Request.Headers[7].Value != "text/html" || a.Request.Headers[8].Value != "for «redacted» and «redacted»" || a.Request.Headers[9].Value != "" ||
		a.Servers[0].Env["PORT"] != "8080" || a.Servers[0].Env["OTHER"] != "x «redacted» y" || a.Tags["php"] != "8" ||
		a.Servers[0].Start[1] != "--key=«redacted»" || a.Expect.Contains != "hello «redacted»" {
		t.Errorf("redacted too much or too little: %s", raw)
	}
	// printf token=hush-env | sha256sum
	if want := "29d9d794b20d27714566c38ad1dfd29e086e858bce0820122ccf21ef96b45ad4"; a.Request.BodySHA256 != want {
		t.Errorf("body hash %q, want %q", a.Request.BodySHA256, want)
	}
	if !got.IsRedacted() || p.IsRedacted() {
		t.Error("IsRedacted is wrong")
	}
	if again := got.Redacted([]string{"hush-env"}); !reflect.DeepEqual(again, got) {
		t.Error("redacting twice is not redacting once")
	}
}

// Changing the copy must not change the plan that is sent.
func TestPlanRedactedIsACopy(t *testing.T) {
	p := secretPlan()
	got := p.Redacted(nil)
	a := &got.Targets[0]
	got.Schedule[0][0], got.Sources[0].Path, *a.Expect.Status = 9, "x", 404
	a.Tags["php"], a.Request.Headers[7].Value, a.Request.Body[0] = "x", "x", 'X'
	a.Servers[0].Env["PORT"], a.Servers[0].Start[0], a.Servers[0].Ready.Command[0] = "x", "x", "x"
	if !reflect.DeepEqual(p, secretPlan()) {
		t.Error("the copy shares memory with the plan")
	}
}

func TestPlanRedactedBodies(t *testing.T) {
	body := func(b, file string, secrets ...string) Request {
		p := Plan{Targets: []Target{{Request: Request{Body: []byte(b), BodyFile: file}}}}
		return p.Redacted(secrets).Targets[0].Request
	}
	// printf abc | sha256sum
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if r := body("abc", ""); string(r.Body) != "abc" || r.BodySHA256 != abc {
		t.Errorf("plain body: %+v", r)
	}
	if r := body("abc", "f"); r.Body != nil || r.BodySHA256 != abc || r.BodyFile != "f" {
		t.Errorf("body of a file: %+v", r)
	}
	if r := body("abc", "", "b"); r.Body != nil || r.BodySHA256 != abc {
		t.Errorf("body with a secret: %+v", r)
	}
	if r := body("", "", "b"); r.BodySHA256 != "" {
		t.Errorf("no body: %+v", r)
	}
	p := Plan{Targets: []Target{{Request: Request{Body: []byte("abc")}}}}
	if p.Redacted(nil).IsRedacted() || !p.Redacted([]string{"abc"}).IsRedacted() {
		t.Error("a body that was left out is not seen as redacted, or one that was not is")
	}
}

func TestRedactorString(t *testing.T) {
	r := NewRedactor(secretPlan(), []string{"p&s w", "ab", "abc"})
	for in, want := range map[string]string{
		"":                              "",
		"dial 127.0.0.1:80: refused":    "dial 127.0.0.1:80: refused",
		"xabcx ab":                      "x«redacted»x «redacted»",
		"p%26s+w p%26s%20w p&s w":       "«redacted» «redacted» «redacted»",
		"cCZzIHc=":                      Redacted, // printf 'p&s w' | base64
		"get http://a:b@c@h:80/x@y z":   "get http://a:«redacted»@h:80/x@y z",
		"http://h:80/a:b@c":             "http://h:80/a:b@c",
		"GET /?Token=x&ok=1 Bearer 1":   "GET /?Token=«redacted»&ok=1 Bearer 1",
		"header hush-basic, hush-query": "header «redacted», «redacted»",
	} {
		if got := r.String(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
		if got := r.String(want); got != want {
			t.Errorf("%q twice: %q", in, got)
		}
	}
	for _, r := range []*Redactor{nil, {}} {
		if got := r.String("http://u:pw@h/ abc"); got != "http://u:«redacted»@h/ abc" {
			t.Errorf("zero redactor: %q", got)
		}
	}
}

func TestRedactorTrial(t *testing.T) {
	r := NewRedactor(Plan{}, []string{"hush"})
	command := []string{"ab", "-H", "X: hush"}
	x := Trial{
		URL: "http://h/hush", InvalidBecause: "hush", Note: "hush", ErrorLines: []string{"hush"},
		Measurement: Measurement{FirstError: "hush", Command: command},
	}
	r.Trial(&x)
	raw, err := json.Marshal(x)
	if err != nil || strings.Contains(string(raw), "hush") || strings.Count(string(raw), Redacted) != 6 {
		t.Errorf("%s, %v", raw, err)
	}
	if command[2] != "X: hush" {
		t.Error("the caller's command was modified")
	}
	var empty Trial
	if r.Trial(&empty); !reflect.DeepEqual(empty, Trial{}) {
		t.Errorf("an empty trial became %+v", empty)
	}
}

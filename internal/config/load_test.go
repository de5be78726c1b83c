package config

import (
	"strings"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

func TestMergeAndFlags(t *testing.T) {
	a := write(t, "a.yaml", "url: http://u:secret@h/#f\nload: {concurrency: 50}\ntrials: {count: 4}\nrequest: {headers: {host: x, Authorization: \"Bearer ${TOK}\"}}\n")
	b := write(t, "b.yaml", "url: http://h/b\nload: {concurrency: 100}\ntrials: {count: 6}\n")
	env := func(name string) (string, bool) { return "tokenvalue", name == "TOK" }
	both := []Arg{{Path: a}, {Path: b}}
	_, err := Load(both, Flags{}, env, fixedSeed)
	if err == nil || !strings.HasPrefix(err.Error(), "load-differs: load.concurrency is 50 ("+a+":2) but 100 ("+b+":2)") {
		t.Errorf("load: %v", err)
	}
	_, err = Load(both, Flags{AllowUnfair: true}, env, fixedSeed)
	if err == nil || !strings.Contains(err.Error(), b+":3:17: trials.count is 6 here but 4 at "+a+":3") {
		t.Errorf("trials: %v", err)
	}
	l, err := Load(both, Flags{Concurrency: new(10), Trials: new(2), Headers: []string{"Host: y"}}, env, fixedSeed)
	if err != nil {
		t.Fatal(err)
	}
	p := l.Plan
	if p.Name != "a vs b" || p.Blocks != 2 || p.Seed != 7 || len(p.Schedule) != 2 || p.Targets[1].Load.Concurrency != 10 ||
		p.Targets[0].URL != "http://h/" || !p.Targets[0].Baseline || p.Targets[0].Request.Headers[0] != (result.Header{Name: "Host", Value: "y"}) {
		t.Errorf("%+v", p)
	}
	again, _, err := Reload(p.Redacted(l.Secrets), Flags{}, env)
	if err != nil || again.Targets[0].Request.Headers[1].Value != "Bearer tokenvalue" {
		t.Errorf("reload: %v %+v", err, again)
	}
	same, err := Load([]Arg{{Path: a}, {Path: a}}, Flags{}, env, fixedSeed)
	if err != nil || same.Plan.Targets[1].Name != "a#2" {
		t.Errorf("itself: %v", err)
	}
	_, err = Load([]Arg{{Path: "http://h/"}}, Flags{Trials: new(0)}, env, fixedSeed)
	if err == nil || !strings.HasPrefix(err.Error(), "--trials 0: ") {
		t.Errorf("flag: %v", err)
	}
}

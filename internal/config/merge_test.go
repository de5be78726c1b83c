package config

import (
	"strings"
	"testing"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// pair loads two files that hold a URL and one more line each.
func pair(t *testing.T, a, b string, flags Flags) (*Loaded, string, error) {
	t.Helper()
	second := write(t, "b.yaml", u+b+"\n")
	loaded, err := Load([]Arg{{Path: write(t, "a.yaml", u+a+"\n")}, {Path: second}}, flags, noEnv, fixedSeed)
	return loaded, second, err
}

// TestLoadConflicts: targets under different load are refused, naming both lines, until a flag makes them equal or
// --allow-unfair takes them as they are.
func TestLoadConflicts(t *testing.T) {
	body := write(t, "body", "same")
	for _, c := range []struct {
		a, b, key, flag string
		settle          Flags
	}{
		{"load: {requests: 100}", "load: {requests: 200}", "load.requests is 100 (", "-n", Flags{Requests: new(int64(300))}},
		{"load: {duration: 1s}", "load: {duration: 2s}", "load.duration is 1s (", "-t", Flags{Duration: new(time.Second)}},
		{"load: {concurrency: 1}", "load: {concurrency: 2}", "load.concurrency is 1 (", "-c", Flags{Concurrency: new(3)}},
		{"load: {keepalive: true}", "load: {keepalive: false}", "load.keepalive is true (", "-k", Flags{KeepAlive: new(false)}},
		{"load: {timeout: 1s}", "load: {timeout: 2s}", "load.timeout is 1s (", "-s", Flags{Timeout: new(time.Second)}},
		{"load: {request_timeout: 1s}", "tags: {a: b}", "load.request_timeout is 1s (", "--request-timeout", Flags{RequestTimeout: new(time.Second)}},
		{"warmup: {mode: none}", "warmup: {requests: 5}", "warmup.mode is none (", "--warmup", Flags{Warmup: new(int64(4))}},
		{"warmup: {requests: 6}", "warmup: {requests: 5}", "warmup.requests is 6 (", "--warmup", Flags{Warmup: new(int64(0))}},
		{"request: {method: PUT}", "request: {method: POST}", "request.method is PUT (", "-m", Flags{Method: new("GET")}},
		{"request: {method: POST, body: one}", "request: {method: POST}", "request.body is 3 bytes with SHA-256 7692c3ad3540 (", "-p", Flags{Post: &body}},
	} {
		_, _, err := pair(t, c.a, c.b, Flags{})
		if err == nil || !strings.HasPrefix(err.Error(), "load-differs: "+c.key) || !strings.Contains(err.Error(), "give "+c.flag+", or --allow-unfair") {
			t.Errorf("%s against %s: %v", c.a, c.b, err)
		}
		if _, _, err := pair(t, c.a, c.b, c.settle); err != nil {
			t.Errorf("%s against %s, settled: %v", c.a, c.b, err)
		}
		c.settle = Flags{AllowUnfair: true}
		if loaded, _, err := pair(t, c.a, c.b, c.settle); err != nil || len(loaded.Plan.Targets) != 2 {
			t.Errorf("%s against %s, allowed: %v", c.a, c.b, err)
		}
	}
}

// TestExperimentConflicts: the experiment's own values have to be one; --allow-unfair does not help, a flag does, and a
// value that only one file states holds for both.
func TestExperimentConflicts(t *testing.T) {
	for _, c := range []struct {
		a, b, want string
		settle     Flags
	}{
		{"trials: {count: 2}", "trials: {count: 3}", "2:17: trials.count is 3 here but 2 at ", Flags{Trials: new(4)}},
		{"trials: {order: abba}", "trials: {order: sequential}", "2:17: trials.order is sequential here but abba at ", Flags{Order: new("abba")}},
		{"trials: {seed: 1}", "trials: {seed: 2}", "2:16: trials.seed is 2 here but 1 at ", Flags{Seed: new(uint64(1))}},
		{"trials: {cooldown: 1s}", "trials: {cooldown: 0s}", "2:20: trials.cooldown is 0 here but 1 at ", Flags{Cooldown: new(time.Second)}},
		{"trials: {restart: never}", "trials: {restart: {every: 1}}", "trials.restart is 1 here but 0 at ", Flags{Set: []string{"trials.restart=never"}}},
		{"decision: {margin: 1%}", "decision: {margin: 2%}", "2:20: decision.margin is 0.02 here but 0.01 at ", Flags{Margin: new("3%")}},
		{"decision: {alpha: 0.01}", "decision: {alpha: 0.02}", "2:19: decision.alpha is 0.02 here but 0.01 at ", Flags{Alpha: new(0.05)}},
		{"decision: {test: welch}", "decision: {test: paired}", "2:18: decision.test is paired here but welch at ", Flags{Test: new("auto")}},
	} {
		_, second, err := pair(t, c.a, c.b, Flags{AllowUnfair: true})
		if err == nil || !strings.HasPrefix(err.Error(), second+":2:") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s against %s: %v", c.a, c.b, err)
		}
		if _, _, err := pair(t, c.a, c.b, c.settle); err != nil {
			t.Errorf("%s against %s, settled: %v", c.a, c.b, err)
		}
		if _, _, err := pair(t, c.a, "tags: {a: b}", Flags{}); err != nil {
			t.Errorf("%s alone: %v", c.a, err)
		}
	}
}

// TestMargins: a margin is a fraction or a percentage, and both spell the same number.
func TestMargins(t *testing.T) {
	for text, want := range map[string]float64{"1%": 0.01, "0.01": 0.01, "2.5%": 0.025, "\"5 %\"": 0.05, "5e-3": 0.005} {
		loaded, err := Load([]Arg{{Path: write(t, "a.yaml", u+"decision: {margin: "+text+"}\n")}}, Flags{}, noEnv, fixedSeed)
		if err != nil || loaded.Plan.Margin != want {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, _, err := pair(t, "decision: {margin: 1%}", "decision: {margin: 0.01}", Flags{}); err != nil {
		t.Errorf("1%% against 0.01: %v", err)
	}
}

// TestRestart: a restart per block needs servers; never is the default.
func TestRestart(t *testing.T) {
	server := "servers: [{start: [a]}]\n"
	for text, want := range map[string]int{
		server + "trials: {restart: never}\n": 0, server + "trials: {restart: {every: 1}}\n": 1, server: 0,
		"trials: {restart: {every: 1}}\n": 0, // no servers to restart
	} {
		loaded, err := Load([]Arg{{Path: write(t, "a.yaml", u+text)}}, Flags{}, noEnv, fixedSeed)
		if err != nil || loaded.Plan.Targets[0].Restart != want {
			t.Errorf("%q: %v, want %d", text, err, want)
		}
	}
}

// TestSeveralTargets: the top level gives defaults that each target may replace in part; baseline: true outranks order.
func TestSeveralTargets(t *testing.T) {
	file := write(t, "x.yaml", "name: all\nload: {duration: 2s, concurrency: 5}\nrequest: {headers: {A: top, B: top}}\nwarmup: {mode: none}\ntargets:\n"+
		"- {url: \"http://h/x/\"}\n- {name: two, url: \"http://h/\", baseline: true, load: {requests: 50}, request: {headers: {b: own}}, warmup: {requests: 3}}\n")
	loaded, err := Load([]Arg{{Path: file}}, Flags{AllowUnfair: true}, noEnv, fixedSeed)
	if err != nil {
		t.Fatal(err)
	}
	one, two := loaded.Plan.Targets[0], loaded.Plan.Targets[1]
	if loaded.Plan.Name != "all" || one.Name != "h/x" || one.Baseline || !two.Baseline {
		t.Errorf("names %s: %s %v, %s %v", loaded.Plan.Name, one.Name, one.Baseline, two.Name, two.Baseline)
	}
	if one.Load.DurationSeconds != 2 || two.Load.DurationSeconds != 0 || two.Load.Requests != 50 || two.Load.Concurrency != 5 {
		t.Errorf("load %+v %+v", one.Load, two.Load)
	}
	if one.Warmup.Mode != "none" || two.Warmup != (result.Warmup{Mode: "fixed", Requests: 3}) {
		t.Errorf("warm-up %+v %+v", one.Warmup, two.Warmup)
	}
	if got := two.Request.Headers; len(got) != 2 || got[0].Value != "top" || got[1] != (result.Header{Name: "b", Value: "own"}) || one.Request.Headers[1].Value != "top" {
		t.Errorf("headers %+v, %+v", one.Request.Headers, got)
	}
}

// TestNames: the same file again, a name of one's own, a URL's host and path.
func TestNames(t *testing.T) {
	file := write(t, "a.yaml", u)
	loaded, err := Load(ParseArgs([]string{file, file, "a=" + file, "mine=http://h/p?x=y", "http://h/p/", "http://h/?a=b"}), Flags{}, noEnv, fixedSeed)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, target := range loaded.Plan.Targets {
		got = append(got, target.Name)
	}
	if text := strings.Join(got, " "); text != "a a#2 a#3 mine h/p h" {
		t.Errorf("%s", text)
	}
}

package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func noEnv(string) (string, bool) { return "", false }

func fixedSeed() uint64 { return 7 }

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	u = "url: http://h/\n"
	// p is a target whose only server has a chosen port; more keys of the server may follow.
	p = "url: http://h:{port}/\nservers:\n- start: [\"{self}\", \"{port}\"]\n"
)

var badFiles = []struct{ yaml, want string }{
	{u + "concurency: 5\n", "2:1: unknown key \"concurency\"; did you mean load.concurrency?"},
	{u + "concurrency: 5\n", "2:1: unknown key \"concurrency\"; did you mean load.concurrency?"},
	{u + "load: {concurency: 5}\n", "2:8: unknown key \"concurency\" in load; did you mean concurrency?"},
	{u + "baseline: true\n", "2:1: unknown key"},
	{u + "load: {requests: x}\n", "2:18: load.requests must be a whole number"},
	{u + "load: {requests: \"5\"}\n", "remove the quotes"},
	{u + "load: {requests: 0}\n", "2:18: load.requests must be at least 1, not 0"},
	{u + "load: {requests: 1e4}\n", "2:18: load.requests must be a whole number"},
	{u + "load: {concurrency: \"1,10\"}\n", "not available in this version"},
	{u + "load: {requests: 10, concurrency: 11}\n", "2:35: load.concurrency is 11, more than"},
	{u + "load: {timeout: 30}\n", "2:17: load.timeout has no unit: 30; write 30s"},
	{u + "load: {timeout: 0s}\n", "2:17: load.timeout must be above 0"},
	{u + "load: {rate: fast}\n", "2:14: load.rate must be a number of requests per second, not the text"},
	{u + "load: {rate: -1}\n", "2:14: load.rate must be between 0 and 10000000 requests per second, not -1"},
	{u + "load: {rate: 1%}\n", "2:14: load.rate must be a number of requests per second"},
	{u + "load: {rate: .nan}\n", "2:14: load.rate must be"},
	{u + "load: {rate: 5, arrivals: bursts}\n", "2:27: load.arrivals has an unknown value"},
	{u + "load: {arrivals: poisson}\n", "2:18: load.arrivals says how requests arrive at a rate, and there is no rate; give load.rate (--rate) too"},
	{u + "load: {rate: 5, requests: 999}\n", "2:27: the metric p99 needs 1000 requests a trial, and target"},
	{u + "load: {rate: 5, duration: 3s}\ndecision: {metric: p50}\n", "2:27: the metric p50 needs 20 requests a trial, and target"},
	{u + "load: {engine: wrk}\n", "2:16: load.engine wrk is not available in this version"},
	{u + "load: {keepalive: yes}\n", "2:19: load.keepalive must be true or false"},
	{u + "load: [1]\n", "2:7: load must be a mapping, not a list"},
	{u + "load:\n", "load has no value"},
	{u + "load: 5\n", "2:7: load must be a mapping, not 5"},
	{u + "warmup: {mode: auto}\n", "2:16: warmup.mode auto is not available"},
	{u + "trials: {count: 0}\n", "2:17: trials.count must be at least 1"},
	{u + "trials: {order: up}\n", "2:17: trials.order has an unknown value"},
	{u + "trials: {seed: -1}\n", "2:16: trials.seed"},
	{u + "decision: {margin: 0}\n", "2:20: decision.margin must be above 0"},
	{u + "decision: {margin: 1.5}\n", "write 1.5%"},
	{u + "decision: {alpha: 0.5}\n", "2:19: decision.alpha must be above 0 and below 0.5"},
	{u + "decision: {metric: server_cpu}\n", "2:20: decision.metric server_cpu is not available"},
	{u + "request: {http: \"2\"}\n", "2:17: request.http 2 is not available"},
	{u + "request: {method: \"G T\"}\n", "2:19: request.method"},
	{u + "request: {headers: {\"a b\": x}}\n", "2:21: request.headers holds a header name"},
	{u + "request: {headers: {a: \"x\\ny\"}}\n", "2:21: request.headers holds a line break"},
	{u + "request: {body_file: none}\n", "2:22: read body file none"},
	{u + "expect: {status: 600}\n", "2:18: expect.status must be at most 599"},
	{u + "expect: {sha256: abc}\n", "2:18: expect.sha256 must be 64"},
	{u + "servers: [{name: x}]\n", "2:11: servers[0] has no start"},
	{u + "servers: [{start: \"a | b\"}]\n", "2:19: servers[0].start needs a shell"},
	{u + "servers: [{start: \"a $(b)\"}]\n", "2:19: servers[0].start needs a shell"},
	{u + "servers: [{start: [a], ready: {log: \"(\"}}]\n", "2:37: servers[0].ready.log is not a regular expression"},
	{u + "servers: [{start: [a], ready: {tcp: \"h:1\", log: x}}]\n", "2:31: servers[0].ready has more than one"},
	{u + "servers: [{start: [a], stop: {signal: FOO}}]\n", "2:39: servers[0].stop.signal has an unknown value"},
	{u + u, "2:1: duplicate key"},
	{"url: ftp://h/\n", "1:6: url must begin with http"},
	{"url: \"http://h/a b\"\n", "1:6: url holds a space"},
	{"url: http://h:{port}/\n", "1:6: {port} stands for"},
	{"url: http://${NOPE}/\n", "1:6: environment variable NOPE is not set"},
	{"name: a\n", "1:1: the target has no url"},
	{"", "1:1: is empty"},
	{"- a\n", "1:1: the file must be a mapping, not a list"},
	{u + "load:\n\trequests: 5\n", "3:1: a tab indents the line"},
	{u + "tags: {a: b\n", "2:1: not valid YAML"},
	{u + "tags: *x\n", "2:7: unknown alias *x"},
	{u + "---\n" + u, "holds several documents"},
	{u + "name: \xff\n", "2:7: is not UTF-8"},
	{u + "targets: []\n", "1:1: url does not go beside targets"},
	{"targets: []\n", "1:10: targets is empty"},
	{"targets:\n- url: http://h/\n- {}\n", "3:3: the target has no url"},
	{"targets:\n- url: http://h/\n-\n", "element 2 of targets is empty"},
	{"targets: 5\n", "1:10: targets must be a list, not 5"},
	{"targets:\n- {url: \"http://h/\", baseline: true}\n- {url: \"http://i/\", baseline: true}\n", "3:32: two targets are the baseline, the first at "},
	{"targets:\n- {url: \"http://h/\"}\n- {url: \"http://i/\"}\ntrials: {order: sequential}\ndecision: {test: paired}\n", "5:18: decision.test paired needs blocks"},
	{"targets:\n- {url: \"http://h/\", trials: {count: 2}}\n- {url: \"http://i/\", trials: {count: 3}}\n", "3:38: trials.count is 3 here but 2 at "},
	{u + "trials: {restart: always}\n", "2:19: trials.restart must be never or {every: N}"},
	{u + "trials: {restart: {}}\n", "2:19: trials.restart is empty"},
	{u + "trials: {restart: {evry: 1}}\n", "2:20: unknown key \"evry\" in trials.restart; did you mean every?"},
	{u + "trials: {cooldown: -1s}\n", "2:20: trials.cooldown must be above 0"},
	{u + "trials: {cooldown: soon}\n", "2:20: trials.cooldown must be a duration"},
	{u + "load: {requests: 99999999999999999999}\n", "load.requests must be"},
	{u + "load: {requests: !!int 5}\n", "2:18: load.requests has a YAML tag"},
	{u + "decision: {margin: 100%}\n", "2:20: decision.margin must be above 0 and below 100%"},
	{u + "expect: {max_failed: few}\n", "2:22: expect.max_failed must be a fraction"},
	{u + "expect: {max_failed: 101%}\n", "2:22: expect.max_failed must be between 0 and 100%"},
	{u + "request: {body: a, body_file: /dev/null}\n", "2:31: request has both body and body_file"},
	{u + "request: {headers: {A: x, a: y}}\n", "2:27: duplicate key \"a\": header names ignore case"},
	{u + "request: {headers: {Content-Length: \"5\"}}\n", "2:21: request.headers must not hold Content-Length"},
	{u + "request: {headers: {A: \"${\"}}\n", "2:24: ${ has no closing brace"},
	{u + "request: {headers: {A: \"${a-b}\"}}\n", "2:24: ${a-b} is not a variable"},
	{u + "tags: {a: \"\\0\"}\n", "2:11: tags.a holds a NUL character"},
	{u + "tags: {<<: {a: b}}\n", "2:8: merge keys (<<) are not supported"},
	{u + "tags: {[a]: b}\n", "2:8: a key of tags must be a word, not a list"},
	{u + "tags: {a: [b]}\n", "2:11: tags.a must be text, not a list"},
	{u + "tags: &a {b: *a}\n", "an anchor's value contains itself"},
	{u + "name: a: b\n", "2:1: not valid YAML"},
	{u + "name: @a\n", "put quotes around the text"},
	{u + "wholly-other: 1\n", "2:1: unknown key \"wholly-other\"; known keys: name, url, "},
	{"url: http://h:0/\n", "1:6: url has a port out of range"},
	{"url: \"http:///x\"\n", "1:6: url has no host"},
	{"url: \"http://h:x/\"\n", "1:6: url is not a URL"},
	{"url: \"http://h/{self}\"\n", "1:6: url holds {self}"},
}

var badServers = []struct{ yaml, want string }{
	{p + "  cwd: \"{self}\"\n", "4:8: servers[0].cwd holds {self}, which stands only in start"},
	{p + "  env: {A: b, C: \"x{self}\"}\n", "4:18: servers[0].env.C holds {self}, which stands only in start"},
	{p + "  env: {A: [b]}\n", "4:12: servers[0].env.A must be text"},
	{p + "  env: {\"A=B\": c}\n", "4:9: servers[0].env holds \"A=B\", which cannot be a variable's name"},
	{p + "  ready: {url: \"http://h/{self}\"}\n", "4:16: servers[0].ready.url holds {self}"},
	{p + "  ready: {tcp: \"{self}:1\"}\n", "4:16: servers[0].ready.tcp holds {self}"},
	{p + "  ready: {command: [a, \"{self}\"]}\n", "4:24: servers[0].ready.command holds {self}"},
	{p + "  ready: {command: \"a {self}\"}\n", "4:20: servers[0].ready.command holds {self}"},
	{p + "  ready: {command: []}\n", "4:20: servers[0].ready.command names no program"},
	{p + "  ready: {tcp: \"127.0.0.1\"}\n", "4:16: servers[0].ready.tcp must be host:port"},
	{p + "  ready: {tcp: \":{port}\"}\n", "4:16: servers[0].ready.tcp must be host:port"},
	{p + "  ready: {tcp: \"h:\"}\n", "4:16: servers[0].ready.tcp must be host:port"},
	{p + "  ready: {tcp: \"http://h:1\"}\n", "4:16: servers[0].ready.tcp must be host:port"},
	{p + "  ready: {tcp: \"h:http\"}\n", "4:16: servers[0].ready.tcp must have a port from 1 to 65535, not \"http\""},
	{p + "  ready: {tcp: \"h:0\"}\n", "4:16: servers[0].ready.tcp must have a port from 1 to 65535"},
	{p + "  ready: {tcp: \"h:65536\"}\n", "4:16: servers[0].ready.tcp must have a port from 1 to 65535"},
	{p + "  ready: {tcp: \"h:1{port}\"}\n", "4:16: servers[0].ready.tcp must have a port from 1 to 65535"},
	{p + "  stop: {grace: 5}\n", "4:17: servers[0].stop.grace has no unit"},
	{p + "  name: a/b\n", "4:9: servers[0].name must not hold a slash"},
	{p + "  shell: true\n", "servers[0].start must be text, not a list"},
	{p + "- start: \"{self}\"\n", "4:3: two servers are named"},
	{u + "servers: [{start: \"a > b\"}]\n", "2:19: servers[0].start needs a shell"},
	{u + "servers: [{start: \"a; b\"}]\n", "2:19: servers[0].start needs a shell"},
	{u + "servers: [{start: \"ls *\"}]\n", "2:19: servers[0].start needs a shell"},
	{u + "servers: [{start: \"ls ~\"}]\n", "2:19: servers[0].start needs a shell"},
	{u + "servers: [{start: \"ls 'a\"}]\n", "2:19: servers[0].start needs a shell"},
	{u + "servers: [{start: \"a $'b'\"}]\n", "2:19: servers[0].start needs a shell"},
	{u + "servers: [{start: 'a $\"b\"'}]\n", "2:19: servers[0].start needs a shell"},
	{u + "servers: [{start: 'a \"$b\"'}]\n", "2:19: servers[0].start needs a shell"},
	{u + "servers: [{start: \" \"}]\n", "2:19: servers[0].start names no program"},
	{u + "servers: [{start: \"# only\"}]\n", "2:19: servers[0].start"},
}

// TestBadFiles: every mistake is named with its line and column.
func TestBadFiles(t *testing.T) {
	for _, c := range append(badFiles, badServers...) {
		path := write(t, "x.yaml", c.yaml)
		_, err := Load([]Arg{{Path: path}}, Flags{}, noEnv, fixedSeed)
		e, ok := errors.AsType[*Error](err)
		if !ok || !strings.HasPrefix(err.Error(), path+":") || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || e.Line == 0 {
			t.Errorf("%q:\n got %v\nwant %s", c.yaml, err, c.want)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add("url: http://h/\nload: {requests: 5}\n")
	f.Add("targets:\n- &a {url: 'http://h/', servers: [{start: \"a 'b'\"}]}\n- *a\n")
	f.Fuzz(func(t *testing.T, text string) {
		path := write(t, "x.yaml", text)
		if _, err := Load([]Arg{{Path: path}}, Flags{Trials: new(2)}, noEnv, fixedSeed); err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("more than a line: %q", err)
		}
	})
}

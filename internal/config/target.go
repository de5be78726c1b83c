package config

import (
	"encoding/hex"
	"net/url"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/benchstat-http/benchstat-http/pkg/result"
	"github.com/benchstat-http/benchstat-http/pkg/runner"
)

const (
	maxRequests    = 1_000_000_000_000
	maxConcurrency = 1_000_000
)

// spec is everything stated for one target.
type spec struct {
	at         place // of the mapping
	name, url  setting[string]
	baseline   setting[bool]
	request    requestSpec
	expect     expectSpec
	load       loadSpec
	warmup     warmupSpec
	trials     trialsSpec
	decision   decisionSpec
	servers    []result.Server
	exclusive  setting[bool]
	tags       map[string]string
	fromSource int // index of the argument
}

type expectSpec struct {
	status           setting[int]
	length           setting[int64]
	sha256, contains setting[string]
	maxFailed        setting[float64]
}

type loadSpec struct {
	requests                          setting[int64]
	concurrency                       setting[int]
	duration, timeout, requestTimeout setting[float64]
	keepalive                         setting[bool]
	engine                            setting[string]
	rate                              setting[float64]
	arrivals                          setting[string]
}

type warmupSpec struct {
	requests setting[int64]
	mode     setting[string]
}

type trialsSpec struct {
	count    setting[int]
	order    setting[string]
	seed     setting[uint64]
	cooldown setting[float64]
	restart  setting[int]
}

type decisionSpec struct {
	margin, alpha setting[float64]
	test, metric  setting[string]
	family        setting[string]
}

// shared returns the fields that a file's top level, a target and a flag may all state.
func (r *reader) shared(s *spec) map[string]field {
	return map[string]field{
		"request":  func(n *yaml.Node, path string) error { return r.request(n, path, &s.request) },
		"expect":   func(n *yaml.Node, path string) error { return r.expect(n, path, &s.expect) },
		"load":     func(n *yaml.Node, path string) error { return r.load(n, path, &s.load) },
		"warmup":   func(n *yaml.Node, path string) error { return r.warmup(n, path, &s.warmup) },
		"trials":   func(n *yaml.Node, path string) error { return r.trials(n, path, &s.trials) },
		"decision": func(n *yaml.Node, path string) error { return r.decision(n, path, &s.decision) },
	}
}

// target returns the fields of one target.
func (r *reader) target(s *spec) map[string]field {
	fields := r.shared(s)
	fields["name"] = r.text(&s.name, nil)
	fields["url"] = r.text(&s.url, func(text string) (string, string) { return checkURL(text, true) })
	fields["exclusive"] = r.boolean(&s.exclusive)
	fields["servers"] = func(n *yaml.Node, path string) error { return r.servers(n, path, s) }
	fields["tags"] = func(n *yaml.Node, path string) error { return r.pairs(n, path, &s.tags) }
	return fields
}

// pairs reads a mapping of free keys to single values.
func (r *reader) pairs(n *yaml.Node, path string, dst *map[string]string) error {
	out := map[string]string{}
	*dst = out
	return r.entries(n, path, func(key, value *yaml.Node) error {
		name := resolve(key).Value
		text, err := r.anyText(value, join(path, name))
		out[name] = text
		return err
	})
}

func (r *reader) expect(n *yaml.Node, path string, s *expectSpec) error {
	return r.mapping(n, path, map[string]field{
		"status": whole(r, &s.status, 100, 599),
		"length": whole(r, &s.length, 0, 1<<62),
		"sha256": r.text(&s.sha256, func(text string) (string, string) {
			if b, err := hex.DecodeString(text); err != nil || len(b) != 32 {
				return "must be 64 hexadecimal digits", "sha256sum prints them"
			}
			return "", ""
		}),
		"contains":   r.text(&s.contains, nil),
		"max_failed": r.fraction(&s.maxFailed, bounds{0, 1, false, "between 0 and 100%"}),
	})
}

func (r *reader) load(n *yaml.Node, path string, s *loadSpec) error {
	before := *s
	s.requests, s.duration = setting[int64]{}, setting[float64]{}
	err := r.mapping(n, path, map[string]field{
		"requests":        whole(r, &s.requests, 1, maxRequests),
		"concurrency":     whole(r, &s.concurrency, 1, maxConcurrency),
		"duration":        r.duration(&s.duration, false),
		"keepalive":       r.boolean(&s.keepalive),
		"timeout":         r.duration(&s.timeout, true),
		"request_timeout": r.duration(&s.requestTimeout, false),
		"engine":          r.word(&s.engine, []string{"native"}, []string{"ab", "wrk", "wrk2", "hey", "siege", "h2load", "k6", "vegeta", "oha"}),
		"rate":            r.perSecond(&s.rate),
		"arrivals":        r.word(&s.arrivals, []string{result.ArrivalsConstant, result.ArrivalsPoisson}, nil),
	})
	// A layer that states only a number of requests replaces an inherited duration.
	if !s.duration.at.stated() && !s.requests.at.stated() {
		s.duration = before.duration
	}
	if !s.requests.at.stated() {
		s.requests = before.requests
	}
	return err
}

func (r *reader) warmup(n *yaml.Node, path string, s *warmupSpec) error {
	before := *s
	*s = warmupSpec{}
	err := r.mapping(n, path, map[string]field{
		"requests": whole(r, &s.requests, 0, maxRequests),
		"mode":     r.word(&s.mode, []string{"fixed", "none"}, []string{"auto"}),
	})
	// A layer that states only a number of requests replaces an inherited "none".
	if !s.mode.at.stated() && !s.requests.at.stated() {
		s.mode = before.mode
	}
	if !s.requests.at.stated() {
		s.requests = before.requests
	}
	return err
}

func (r *reader) trials(n *yaml.Node, path string, s *trialsSpec) error {
	return r.mapping(n, path, map[string]field{
		"count":    whole(r, &s.count, 1, runner.MaxTrials),
		"order":    r.word(&s.order, []string{runner.OrderRandomBlocks, runner.OrderSequential, runner.OrderABBA}, nil),
		"seed":     r.seed(&s.seed),
		"cooldown": r.duration(&s.cooldown, false),
		"restart":  func(n *yaml.Node, path string) error { return r.restart(n, path, &s.restart) },
	})
}

func (r *reader) restart(n *yaml.Node, path string, dst *setting[int]) error {
	if resolve(n).Kind != yaml.MappingNode {
		var word setting[string]
		if err := r.word(&word, []string{"never"}, nil)(n, path); err != nil {
			return r.at(n).errorf("write never or {every: N}", "%s must be never or {every: N}, not %s", path, kindName(n))
		}
		*dst = setting[int]{0, r.at(n)}
		return nil
	}
	if err := r.mapping(n, path, map[string]field{"every": whole(r, dst, 1, runner.MaxTrials)}); err != nil {
		return err
	}
	if len(resolve(n).Content) == 0 {
		return r.at(n).errorf("write never or {every: N}", "%s is empty", path)
	}
	return nil
}

func (r *reader) decision(n *yaml.Node, path string, s *decisionSpec) error {
	return r.mapping(n, path, map[string]field{
		"margin": r.fraction(&s.margin, bounds{0, 1, true, "above 0 and below 100%"}),
		"alpha":  r.fraction(&s.alpha, bounds{0, 0.5, true, "above 0 and below 0.5"}),
		"test":   r.word(&s.test, []string{"auto", "paired", "welch"}, nil),
		"metric": r.word(&s.metric, []string{"rps", "mean", "p50", "p90", "p99"}, []string{"server_cpu"}),
		"family": r.word(&s.family, []string{"baseline", "all-pairs"}, nil),
	})
}

// highestPort is put in place of {port} where a text is checked.
const highestPort = "65535"

// portInRange reports whether a port is left out, or one that can be connected to.
func portInRange(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return port == "" || err == nil && n > 0
}

// checkURL returns what is wrong with a URL, which may hold {port}.
func checkURL(text string, userinfo bool) (msg, hint string) {
	if strings.ContainsAny(text, " \t\r\n") {
		return "holds a space: " + quote(text), "write %20"
	}
	u, err := url.Parse(strings.ReplaceAll(text, "{port}", highestPort))
	switch {
	case err != nil:
		return "is not a URL: " + quote(text), "write http://host:port/path"
	case u.Scheme != "http" && u.Scheme != "https":
		return "must begin with http:// or https://, not " + quote(text), ""
	case u.Hostname() == "":
		return "has no host: " + quote(text), "write http://host:port/path"
	case !portInRange(u.Port()):
		return "has a port out of range: " + quote(text), "a port is a number from 1 to 65535"
	case u.User != nil && !userinfo:
		return "must not hold a user name", ""
	}
	return noSelf(text)
}

package config

import (
	"encoding/base64"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// Flags are the overrides of the command line; nil and empty mean not given. They apply to every target.
type Flags struct {
	Requests                          *int64
	Concurrency                       *int
	Duration, Timeout, RequestTimeout *time.Duration
	KeepAlive                         *bool
	Rate                              *float64
	Arrivals                          *string
	Method                            *string
	Post, Put                         *string  // files to send (-p, -u)
	ContentType                       *string  // -T
	Headers                           []string // "Name: value" (-H)
	Cookies                           []string // name=value (-C)
	BasicAuth                         *string  // user:password (-A)
	Head                              bool     // -i
	Trials                            *int
	Warmup                            *int64
	Cooldown                          *time.Duration
	Order                             *string
	Seed                              *uint64
	Alpha                             *float64
	Margin, Test, Metric, Engine      *string
	Family                            *string  // baseline | all-pairs
	Set                               []string // section.key=value
	AllowUnfair                       bool
}

// override is one flag as the value of a key.
type override struct {
	flag, path string
	value      *yaml.Node
}

// overrides lists the flags that stand for a key, --set last.
func (f Flags) overrides() ([]override, error) {
	var out []override
	add := func(flag, path, text string) {
		node := &yaml.Node{Kind: yaml.ScalarNode, Value: text}
		out = append(out, override{flag + " " + text, path, node})
	}
	str := func(flag, path string, v *string) {
		if v != nil {
			add(flag, path, *v)
			out[len(out)-1].value.Style = yaml.DoubleQuotedStyle
		}
	}
	dur := func(flag, path string, v *time.Duration) {
		if v != nil {
			add(flag, path, v.String())
		}
	}
	if f.Requests != nil {
		add("--requests", "load.requests", strconv.FormatInt(*f.Requests, 10))
	}
	if f.Concurrency != nil {
		add("--concurrency", "load.concurrency", strconv.Itoa(*f.Concurrency))
	}
	dur("--duration", "load.duration", f.Duration)
	dur("--timeout", "load.timeout", f.Timeout)
	dur("--request-timeout", "load.request_timeout", f.RequestTimeout)
	if f.KeepAlive != nil {
		add("--keepalive", "load.keepalive", strconv.FormatBool(*f.KeepAlive))
	}
	if f.Rate != nil {
		add("--rate", "load.rate", strconv.FormatFloat(*f.Rate, 'g', -1, 64))
	}
	str("--arrivals", "load.arrivals", f.Arrivals)
	str("--engine", "load.engine", f.Engine)
	str("--post", "request.body_file", f.Post)
	str("--put", "request.body_file", f.Put)
	str("--method", "request.method", f.impliedMethod())
	if f.Warmup != nil {
		add("--warmup", "warmup.requests", strconv.FormatInt(*f.Warmup, 10))
	}
	if f.Trials != nil {
		add("--trials", "trials.count", strconv.Itoa(*f.Trials))
	}
	dur("--cooldown", "trials.cooldown", f.Cooldown)
	str("--order", "trials.order", f.Order)
	if f.Seed != nil {
		add("--seed", "trials.seed", strconv.FormatUint(*f.Seed, 10))
	}
	if f.Alpha != nil {
		add("--alpha", "decision.alpha", strconv.FormatFloat(*f.Alpha, 'g', -1, 64))
	}
	if f.Margin != nil {
		add("--margin", "decision.margin", *f.Margin)
	}
	str("--test", "decision.test", f.Test)
	str("--metric", "decision.metric", f.Metric)
	str("--family", "decision.family", f.Family)
	return f.sets(out)
}

// impliedMethod is -m, or what -i, -p or -u mean.
func (f Flags) impliedMethod() *string {
	switch {
	case f.Method != nil:
		return f.Method
	case f.Head:
		return new("HEAD")
	case f.Post != nil:
		return new("POST")
	case f.Put != nil:
		return new("PUT")
	}
	return nil
}

func (f Flags) sets(out []override) ([]override, error) {
	for _, s := range f.Set {
		at := place{flag: "--set " + s}
		path, text, ok := strings.Cut(s, "=")
		if ok && strings.HasPrefix(path, "request") {
			at.flag = "--set " + path // the value may be a secret
		}
		section, _, nested := strings.Cut(path, ".")
		if !ok || !nested || schema[section] == nil {
			return nil, at.errorf("write section.key=value, such as load.concurrency=10", "not a key of request, expect, load, warmup, trials or decision")
		}
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(text), &doc); err != nil || len(doc.Content) != 1 {
			return nil, at.errorf("write section.key=value, such as load.concurrency=10", "not a value")
		}
		out = append(out, override{at.flag, path, doc.Content[0]})
	}
	return out, nil
}

// apply lays the flags over every spec.
func (f Flags) apply(r *reader, specs []*spec) error {
	if f.Post != nil && f.Put != nil {
		return place{flag: "--put"}.errorf("give one", "does not go with --post")
	}
	if f.Head && (f.Post != nil || f.Put != nil) {
		return place{flag: "--head"}.errorf("", "does not go with a request body")
	}
	list, err := f.overrides()
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(".")
	if err != nil {
		return place{flag: "flags"}.errorf("", "find folder: %v", err)
	}
	for _, s := range specs {
		for _, o := range list {
			layer := &reader{flag: o.flag, dir: dir, env: r.env}
			if err := layer.mapping(nest(o), "", layer.shared(s)); err != nil {
				return err
			}
			r.setHeaders = append(r.setHeaders, layer.setHeaders...)
		}
		if f.ContentType != nil {
			if msg := checkHeader("Content-Type", *f.ContentType); msg != "" {
				return place{flag: "--content-type"}.errorf("", "%s", msg)
			}
			r.setHeaders = append(r.setHeaders, "Content-Type")
			setHeader(&s.request.headers, "Content-Type", *f.ContentType)
		} else if (f.Post != nil || f.Put != nil) && !hasHeader(s.request.headers, "Content-Type") {
			setHeader(&s.request.headers, "Content-Type", "text/plain") // ab's default
		}
	}
	for _, s := range specs {
		if err := f.headers(r, s); err != nil {
			return err
		}
	}
	r.setHeaders = append(r.setHeaders, f.headerNames()...)
	return nil
}

// nest returns the document that states one key.
func nest(o override) *yaml.Node {
	node := o.value
	keys := strings.Split(o.path, ".")
	for _, key := range slices.Backward(keys) {
		key := &yaml.Node{Kind: yaml.ScalarNode, Value: key, Tag: "!!str"}
		node = &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{key, node}}
	}
	return node
}

// headers applies -H, -C and -A. Their values never stand in an error.
func (f Flags) headers(r *reader, s *spec) error {
	for _, h := range f.Headers {
		name, value, ok := strings.Cut(h, ":")
		if !ok {
			return place{flag: "--header"}.errorf("write 'Name: value'", "has no colon")
		}
		value = strings.TrimSpace(value)
		if msg := checkHeader(name, value); msg != "" {
			return place{flag: "--header"}.errorf("", "%s", msg)
		}
		setHeader(&s.request.headers, name, value)
	}
	for _, c := range f.Cookies {
		_, value, ok := strings.Cut(c, "=")
		if !ok || strings.ContainsAny(c, "\r\n\x00") {
			return place{flag: "--cookie"}.errorf("", "must be name=value")
		}
		r.secrets = append(r.secrets, c)
		r.addSecret(value)
	}
	if len(f.Cookies) > 0 {
		setHeader(&s.request.headers, "Cookie", strings.Join(f.Cookies, "; "))
	}
	if f.BasicAuth != nil {
		user, password, ok := strings.Cut(*f.BasicAuth, ":")
		if !ok {
			return place{flag: "--auth"}.errorf("", "must be user:password")
		}
		setHeader(&s.request.headers, "Authorization", r.basic(user, password))
	}
	return nil
}

// headerNames lists the request headers that -H, -C and -A set.
func (f Flags) headerNames() []string {
	var names []string
	for _, h := range f.Headers {
		name, _, _ := strings.Cut(h, ":")
		names = append(names, name)
	}
	if len(f.Cookies) > 0 {
		names = append(names, "Cookie")
	}
	if f.BasicAuth != nil {
		names = append(names, "Authorization")
	}
	return names
}

// basic returns the Authorization of a user, and remembers what must not be written.
func (r *reader) basic(user, password string) string {
	encoded := base64.StdEncoding.EncodeToString([]byte(user + ":" + password))
	r.secrets = append(r.secrets, user+":"+password, encoded)
	r.addSecret(password)
	return "Basic " + encoded
}

// addSecret remembers a part of a secret, unless it is so short that hiding it would blot out everything.
func (r *reader) addSecret(s string) {
	if len(s) >= 4 {
		r.secrets = append(r.secrets, s)
	}
}

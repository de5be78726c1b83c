package config

import (
	"os"
	"slices"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// Reload returns a recorded plan with its secrets filled in again: from the files it was read from, if they are
// unchanged, and from the flags -H, -C and -A. The other flags are ignored: the plan is settled. The second result
// lists the values that must never be written.
func Reload(recorded result.Plan, flags Flags, env func(string) (string, bool)) (result.Plan, []string, error) {
	r := &reader{env: env}
	var specs []*spec
	if recorded.IsRedacted() {
		for _, source := range recorded.Sources {
			_, now, err := readSource(source.Path)
			if err != nil || now.SHA256 != source.SHA256 {
				continue // FillRedacted names what is then missing
			}
			more, _, _, err := r.readFile(source.Path)
			if err != nil {
				return recorded, nil, err
			}
			specs = append(specs, more...)
		}
	}
	fresh := recorded
	fresh.Targets = slices.Clone(recorded.Targets)
	next := 0
	for i := range fresh.Targets {
		t := &fresh.Targets[i]
		s := &spec{}
		s.request.headers = slices.Clone(t.Request.Headers)
		for j := next; j < len(specs); j++ {
			found, err := r.finish(specs[j])
			if err != nil {
				return recorded, nil, err
			}
			if fits(t.URL, found.URL) && len(found.Servers) == len(t.Servers) {
				next = j + 1
				*t = found
				s.request.headers = found.Request.Headers
				break
			}
		}
		if err := flags.headers(r, s); err != nil {
			return recorded, nil, err
		}
		// A header that the command line set has its value from there alone, whatever the file says of it.
		t.Request.Headers = slices.DeleteFunc(s.request.headers, func(h result.Header) bool {
			return containsFold(recorded.FlagHeaders, h.Name) && !containsFold(flags.headerNames(), h.Name)
		})
	}
	out, err := FillRedacted(recorded, fresh)
	if err != nil {
		return recorded, nil, err
	}
	if err := readBodies(&out); err != nil {
		return recorded, nil, err
	}
	slices.Sort(r.secrets)
	return out, slices.Compact(r.secrets), nil
}

func containsFold(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}

// readBodies reads the bodies that came from files, which must be as they were.
func readBodies(p *result.Plan) error {
	for i := range p.Targets {
		q := &p.Targets[i].Request
		if q.BodyFile == "" || len(q.Body) > 0 {
			continue
		}
		data, err := os.ReadFile(q.BodyFile)
		if err != nil {
			return &Error{File: q.BodyFile, Msg: "read body file: " + cause(err).Error()}
		}
		if hexSum(data) != q.BodySHA256 {
			return &Error{File: q.BodyFile, Msg: "the body file has changed since the experiment began", Hint: "restore it"}
		}
		q.Body = data
	}
	return nil
}

// fits reports whether text can be what was recorded, in which hidden parts stand for anything.
func fits(recorded, text string) bool {
	parts := strings.Split(recorded, result.Redacted)
	if len(parts) == 1 {
		return recorded == text
	}
	last := len(parts) - 1
	rest, ok := strings.CutPrefix(text, parts[0])
	if !ok {
		return false
	}
	for _, part := range parts[1:last] {
		if _, rest, ok = strings.Cut(rest, part); !ok {
			return false
		}
	}
	return strings.HasSuffix(rest, parts[last])
}

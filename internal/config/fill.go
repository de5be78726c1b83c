package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// FillRedacted returns recorded with every text that was hidden taken from the same place of fresh (headers by name,
// the rest by position or key). What fresh does not know either is an error that lists it.
func FillRedacted(recorded, fresh result.Plan) (result.Plan, error) {
	f := filler{}
	out := recorded
	out.Targets = slices.Clone(recorded.Targets)
	for i := range out.Targets {
		var from result.Target
		if i < len(fresh.Targets) {
			from = fresh.Targets[i]
		}
		f.target(fmt.Sprintf("targets[%d]", i), &out.Targets[i], from)
	}
	if len(f.missing) > 0 {
		verb := "was"
		if len(f.missing) > 1 {
			verb = "were"
		}
		files := "the target file"
		if len(recorded.Sources) > 0 {
			files = recorded.Sources[0].Path
		}
		return recorded, &Error{Msg: fmt.Sprintf("plan field %s %s redacted", strings.Join(f.missing, ", "), verb),
			Hint: "give -H again or keep " + files + " unchanged"}
	}
	return out, nil
}

type filler struct{ missing []string }

func (f *filler) text(path string, dst *string, from string) {
	switch {
	case !strings.Contains(*dst, result.Redacted):
	case from == "" || strings.Contains(from, result.Redacted) || !fits(*dst, from):
		f.missing = append(f.missing, path)
	default:
		*dst = from
	}
}

func (f *filler) list(path string, dst *[]string, from []string) {
	*dst = slices.Clone(*dst)
	for i := range *dst {
		var text string
		if i < len(from) {
			text = from[i]
		}
		f.text(fmt.Sprintf("%s[%d]", path, i), &(*dst)[i], text)
	}
}

func (f *filler) pairs(path string, dst *map[string]string, from map[string]string) {
	*dst = maps.Clone(*dst)
	for _, name := range slices.Sorted(maps.Keys(*dst)) {
		text := (*dst)[name]
		f.text(path+"["+name+"]", &text, from[name])
		(*dst)[name] = text
	}
}

func (f *filler) target(path string, t *result.Target, from result.Target) {
	f.text(path+".url", &t.URL, from.URL)
	t.Request.Headers = slices.Clone(t.Request.Headers)
	for i := range t.Request.Headers {
		h := &t.Request.Headers[i]
		var value string
		for _, g := range from.Request.Headers {
			if strings.EqualFold(g.Name, h.Name) {
				value = g.Value
			}
		}
		f.text(path+".request.headers["+h.Name+"]", &h.Value, value)
	}
	f.text(path+".request.body_file", &t.Request.BodyFile, from.Request.BodyFile)
	if t.Request.BodySHA256 != "" && len(t.Request.Body) == 0 && t.Request.BodyFile == "" {
		if hexSum(from.Request.Body) == t.Request.BodySHA256 {
			t.Request.Body = from.Request.Body
		} else {
			f.missing = append(f.missing, path+".request.body")
		}
	}
	f.text(path+".expect.contains", &t.Expect.Contains, from.Expect.Contains)
	f.pairs(path+".tags", &t.Tags, from.Tags)
	t.Servers = slices.Clone(t.Servers)
	for i := range t.Servers {
		var server result.Server
		if i < len(from.Servers) {
			server = from.Servers[i]
		}
		f.server(fmt.Sprintf("%s.servers[%d]", path, i), &t.Servers[i], server)
	}
}

func (f *filler) server(path string, s *result.Server, from result.Server) {
	f.list(path+".start", &s.Start, from.Start)
	f.text(path+".cwd", &s.Dir, from.Dir)
	f.pairs(path+".env", &s.Env, from.Env)
	f.text(path+".ready.url", &s.Ready.URL, from.Ready.URL)
	f.text(path+".ready.tcp", &s.Ready.TCP, from.Ready.TCP)
	f.text(path+".ready.log", &s.Ready.Log, from.Ready.Log)
	f.list(path+".ready.command", &s.Ready.Command, from.Ready.Command)
}

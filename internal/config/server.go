package config

import (
	"fmt"
	"net"
	"path/filepath"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

func (r *reader) servers(n *yaml.Node, path string, s *spec) error {
	s.servers = nil
	names := map[string]bool{}
	return r.sequence(n, path, func(i int, n *yaml.Node) error {
		server, err := r.server(n, fmt.Sprintf("%s[%d]", path, i))
		if err != nil {
			return err
		}
		if names[server.Name] {
			return r.at(n).errorf("give each a name", "two servers are named %s", quote(server.Name))
		}
		names[server.Name] = true
		s.servers = append(s.servers, server)
		return nil
	})
}

func (r *reader) server(n *yaml.Node, path string) (result.Server, error) {
	out := result.Server{Dir: r.dir, Ready: result.Ready{TimeoutSeconds: 10}, Stop: result.Stop{Signal: "TERM", GraceSeconds: 5}}
	var name, cwd setting[string]
	var shell setting[bool]
	var start *yaml.Node
	err := r.mapping(n, path, map[string]field{
		"name": r.text(&name, func(s string) (string, string) {
			if strings.ContainsAny(s, "/\\\n\r\x00") {
				return "must not hold a slash or a line break", ""
			}
			return "", ""
		}),
		"start": func(n *yaml.Node, _ string) error { start = n; return nil },
		"cwd":   r.text(&cwd, noSelf),
		"env":   func(n *yaml.Node, path string) error { return r.environment(n, path, &out.Env) },
		"ready": func(n *yaml.Node, path string) error { return r.ready(n, path, &out.Ready) },
		"stop":  func(n *yaml.Node, path string) error { return r.stop(n, path, &out.Stop) },
		"shell": r.boolean(&shell),
	})
	if err != nil {
		return out, err
	}
	if start == nil {
		return out, r.at(n).errorf("start: [program, argument]", "%s has no start", path)
	}
	if out.Shell = shell.value; out.Shell {
		var line setting[string]
		if err := r.text(&line, nil)(start, path+".start"); err != nil {
			return out, err
		}
		out.Start = []string{line.value}
	} else if out.Start, err = r.command(start, path+".start"); err != nil {
		return out, err
	}
	if strings.TrimSpace(out.Start[0]) == "" {
		return out, r.at(start).errorf("", "%s.start names no program", path)
	}
	if cwd.value != "" {
		out.Dir = cwd.value
		if !filepath.IsAbs(out.Dir) {
			out.Dir = filepath.Join(r.dir, out.Dir)
		}
	}
	out.Name = name.value
	if out.Name == "" {
		out.Name = filepath.Base(strings.Fields(out.Start[0])[0])
	}
	return out, nil
}

func (r *reader) environment(n *yaml.Node, path string, dst *map[string]string) error {
	out := map[string]string{}
	*dst = out
	return r.entries(n, path, func(key, value *yaml.Node) error {
		name := resolve(key).Value
		if name == "" || strings.ContainsAny(name, "=\x00") {
			return r.at(key).errorf("", "%s holds %s, which cannot be a variable's name", path, quote(name))
		}
		text, err := r.anyText(value, join(path, name))
		if err != nil {
			return err
		}
		if msg, hint := noSelf(text); msg != "" {
			return r.at(value).errorf(hint, "%s %s", join(path, name), msg)
		}
		out[name] = text
		return nil
	})
}

// noSelf refuses {self}, which stands for this program in start only.
func noSelf(text string) (msg, hint string) {
	if strings.Contains(text, "{self}") {
		return "holds {self}, which stands only in start", "write the program's path"
	}
	return "", ""
}

// checkTCP refuses what is not host:port once a chosen port is put in. The highest port stands for the chosen one, so
// that digits beside {port} are out of range.
func checkTCP(text string) (msg, hint string) {
	if msg, hint := noSelf(text); msg != "" {
		return msg, hint
	}
	const want = "write 127.0.0.1:8080 or 127.0.0.1:{port}"
	host, port, err := net.SplitHostPort(strings.ReplaceAll(text, "{port}", highestPort))
	switch {
	case err != nil || host == "" || port == "" || strings.ContainsAny(text, " \t\r\n/"):
		return "must be host:port, not " + quote(text), want
	case !portInRange(port):
		return "must have a port from 1 to 65535, not " + quote(port), want
	}
	return "", ""
}

func (r *reader) ready(n *yaml.Node, path string, dst *result.Ready) error {
	var url, tcp, log setting[string]
	var timeout setting[float64]
	err := r.mapping(n, path, map[string]field{
		"url": r.text(&url, func(s string) (string, string) { return checkURL(s, true) }),
		"tcp": r.text(&tcp, checkTCP),
		"log": r.text(&log, func(s string) (string, string) {
			if _, err := regexp.Compile(s); err != nil {
				return "is not a regular expression: " + err.Error(), "see https://pkg.go.dev/regexp/syntax"
			}
			return "", ""
		}),
		"command": func(n *yaml.Node, path string) (err error) {
			if dst.Command, err = r.command(n, path); err != nil {
				return err
			}
			for i, text := range dst.Command {
				if msg, hint := noSelf(text); msg != "" {
					return r.at(element(n, i)).errorf(hint, "%s %s", path, msg)
				}
			}
			return nil
		},
		"timeout": r.duration(&timeout, true),
	})
	if err != nil {
		return err
	}
	dst.URL, dst.TCP, dst.Log, dst.TimeoutSeconds = url.value, tcp.value, log.value, timeout.or(10)
	stated := 0
	for _, given := range []bool{dst.URL != "", dst.TCP != "", dst.Log != "", len(dst.Command) > 0} {
		if given {
			stated++
		}
	}
	if stated > 1 {
		return r.at(n).errorf("keep one", "%s has more than one of url, tcp, log, command", path)
	}
	return nil
}

func (r *reader) stop(n *yaml.Node, path string, dst *result.Stop) error {
	var signal setting[string]
	var grace setting[float64]
	err := r.mapping(n, path, map[string]field{
		"signal": r.word(&signal, []string{"TERM", "INT", "QUIT", "HUP", "USR1", "USR2", "KILL", "WINCH"}, nil),
		"grace":  r.duration(&grace, false),
	})
	dst.Signal, dst.GraceSeconds = signal.or("TERM"), grace.or(5)
	return err
}

package config

import (
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

type requestSpec struct {
	method, http setting[string]
	headers      []result.Header
	body         setting[payload]
}

type payload struct {
	data []byte
	file string // absolute; "" = written in the target file
}

func (r *reader) request(n *yaml.Node, path string, s *requestSpec) error {
	var body, file setting[string]
	err := r.mapping(n, path, map[string]field{
		"method": r.text(&s.method, func(text string) (string, string) {
			if !isToken(text) {
				return "must be a method such as GET, not " + quote(text), ""
			}
			return "", ""
		}),
		"http": r.word(&s.http, []string{"1.1", "1.0"}, []string{"2", "2.0", "3", "3.0"}),
		"body": r.text(&body, nil),
		"body_file": func(n *yaml.Node, path string) error {
			if err := r.text(&file, nil)(n, path); err != nil || file.value == "" {
				return err
			}
			return r.bodyFile(&s.body, file)
		},
		"headers": func(n *yaml.Node, path string) error { return r.headers(n, path, s) },
	})
	switch {
	case err != nil:
		return err
	case body.value != "" && file.value != "":
		return file.at.errorf("keep one", "%s has both body and body_file", path)
	case body.at.stated() && file.value == "":
		s.body = setting[payload]{payload{data: []byte(body.value)}, body.at}
	}
	return nil
}

func (r *reader) bodyFile(dst *setting[payload], file setting[string]) error {
	path := file.value
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.dir, path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return file.at.errorf("paths start from the target file's folder", "read body file %s: %v", file.value, cause(err))
	}
	*dst = setting[payload]{payload{data, path}, file.at}
	return nil
}

func (r *reader) headers(n *yaml.Node, path string, s *requestSpec) error {
	s.headers = append([]result.Header(nil), s.headers...) // the inherited list stays as it is
	seen := map[string]bool{}
	return r.entries(n, path, func(key, value *yaml.Node) error {
		name := resolve(key).Value
		text, err := r.anyText(value, join(path, name))
		if err != nil {
			return err
		}
		if msg := checkHeader(name, text); msg != "" {
			return r.at(key).errorf("", "%s %s", path, msg)
		}
		if lower := strings.ToLower(name); seen[lower] {
			return r.at(key).errorf("keep one", "duplicate key %s: header names ignore case", quote(name))
		} else {
			seen[lower] = true
		}
		setHeader(&s.headers, name, text)
		if r.flag != "" {
			r.setHeaders = append(r.setHeaders, name)
		}
		return nil
	})
}

// checkHeader returns what is wrong with a header.
func checkHeader(name, value string) string {
	switch {
	case !isToken(name):
		return "holds a header name that is not a word: " + quote(name)
	case strings.ContainsAny(value, "\r\n\x00"):
		return "holds a line break in the value of " + name
	case strings.EqualFold(name, "Content-Length"), strings.EqualFold(name, "Transfer-Encoding"):
		return "must not hold " + name + ", which follows from the body"
	}
	return ""
}

// setHeader replaces the header of the same name, or appends it.
func setHeader(list *[]result.Header, name, value string) {
	for i := range *list {
		if strings.EqualFold((*list)[i].Name, name) {
			(*list)[i] = result.Header{Name: name, Value: value}
			return
		}
	}
	*list = append(*list, result.Header{Name: name, Value: value})
}

func hasHeader(list []result.Header, name string) bool {
	for _, h := range list {
		if strings.EqualFold(h.Name, name) {
			return true
		}
	}
	return false
}

// isToken reports whether s is a token of RFC 9110, section 5.6.2.
func isToken(s string) bool {
	for _, c := range []byte(s) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}
	return s != ""
}

package result

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// shortestDerived is the length below which a value found in the plan (a header's, an environment variable's) is
// hidden where it stands but not searched for elsewhere: "1" or "on" would blot out half a file.
const shortestDerived = 4

var (
	// secretName matches the names of headers, variables and query parameters whose value is a secret.
	secretName = regexp.MustCompile(`(?i)^(proxy-)?authorization$|^(set-)?cookie$|token|secret|api[-_]?key|passw`)
	// urlPassword finds the password of user:password@ in any text; it may itself hold an @.
	urlPassword = regexp.MustCompile(`(://[^\s/:@?#]*:)([^\s/?#"']+)@`)
	querySecret = regexp.MustCompile(`(?i)([?&][^\s=&#?"']*(?:token|secret|api[-_]?key|passw)[^\s=&#?"']*=)([^\s&#"']+)`)
)

// Redactor hides the secrets of one plan in texts, such as the messages of failed requests. The zero value, and nil,
// hide passwords in URLs and the values of query parameters that are named like secrets, and nothing else.
type Redactor struct {
	replace *strings.Replacer
	body    [][]byte // the secrets to search for in bodies
}

// NewRedactor returns a Redactor for the values given (each non-empty one wherever it occurs, also URL-escaped or in
// base64) and for what the plan itself shows to be a secret: the values of headers and environment variables that are
// named like secrets, and passwords and parameters of such names in URLs.
func NewRedactor(p Plan, secretValues []string) *Redactor {
	secrets := map[string]bool{}
	for _, s := range secretValues {
		if s != "" {
			secrets[s] = true
		}
	}
	for _, s := range planSecrets(p) {
		if len(s) >= shortestDerived && s != Redacted {
			secrets[s] = true
		}
	}
	all := map[string]bool{}
	for s := range secrets {
		all[s] = true
		all[url.QueryEscape(s)] = true
		all[strings.ReplaceAll(url.QueryEscape(s), "+", "%20")] = true
		all[url.PathEscape(s)] = true
		if len(s) >= shortestDerived {
			all[base64.StdEncoding.EncodeToString([]byte(s))] = true
		}
	}
	// At one place the replacer takes the first that matches: the longest, so that no end of a secret is left over.
	ordered := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	r := &Redactor{}
	pairs := make([]string, 0, 2*len(ordered))
	for _, s := range ordered {
		pairs = append(pairs, s, Redacted)
		r.body = append(r.body, []byte(s))
	}
	r.replace = strings.NewReplacer(pairs...)
	return r
}

// planSecrets lists the secrets that a plan shows by where they stand.
func planSecrets(p Plan) []string {
	var out []string
	for _, t := range p.Targets {
		for _, h := range t.Request.Headers {
			if !secretName.MatchString(h.Name) {
				continue
			}
			out = append(out, h.Value)
			if _, credentials, ok := strings.Cut(h.Value, " "); ok && strings.HasSuffix(strings.ToLower(h.Name), "authorization") {
				out = append(out, credentials) // after "Basic" or "Bearer"
			}
		}
		texts := []string{t.URL}
		for _, s := range t.Servers {
			for name, value := range s.Env {
				if secretName.MatchString(name) {
					out = append(out, value)
				}
			}
			texts = append(append(texts, s.Ready.URL), s.Start...)
		}
		for _, text := range texts {
			for _, m := range slices.Concat(urlPassword.FindAllStringSubmatch(text, -1), querySecret.FindAllStringSubmatch(text, -1)) {
				out = append(out, m[2])
				if plain, err := url.PathUnescape(m[2]); err == nil {
					out = append(out, plain)
				}
			}
		}
	}
	return out
}

// String returns s with every secret replaced by Redacted.
func (r *Redactor) String(s string) string {
	if r != nil && r.replace != nil {
		s = r.replace.Replace(s)
	}
	s = urlPassword.ReplaceAllString(s, "${1}"+Redacted+"@")
	return querySecret.ReplaceAllString(s, "${1}"+Redacted)
}

// Trial hides secrets in every free text of t: the URL, the first error, the command, error lines and notes.
func (r *Redactor) Trial(t *Trial) {
	t.URL, t.FirstError = r.String(t.URL), r.String(t.FirstError)
	t.InvalidBecause, t.Note = r.String(t.InvalidBecause), r.String(t.Note)
	t.Command, t.ErrorLines = r.list(t.Command), r.list(t.ErrorLines)
}

func (r *Redactor) list(in []string) []string {
	out := slices.Clone(in)
	for i, s := range out {
		out[i] = r.String(s)
	}
	return out
}

// inBody reports whether a secret occurs in a request body.
func (r *Redactor) inBody(body []byte) bool {
	return slices.ContainsFunc(r.body, func(s []byte) bool { return bytes.Contains(body, s) })
}

// Redacted returns a copy of p that may be written to a file: NewRedactor's secrets are hidden in URLs, headers, server
// commands, environments and readiness checks, tags, expected texts and source paths. A body that holds a secret, or
// that came from a file, is left out; its SHA-256 is always recorded. Names of the plan, its targets and servers, and
// the plan's numbers and keywords stay: trials refer to them. p and what it points to are not modified.
func (p Plan) Redacted(secretValues []string) Plan {
	r := NewRedactor(p, secretValues)
	out := p
	out.Sources = slices.Clone(p.Sources)
	for i := range out.Sources {
		out.Sources[i].Path = r.String(out.Sources[i].Path)
	}
	out.Schedule = slices.Clone(p.Schedule)
	for i, row := range out.Schedule {
		out.Schedule[i] = slices.Clone(row)
	}
	out.Targets = slices.Clone(p.Targets)
	for i := range out.Targets {
		r.target(&out.Targets[i])
	}
	return out
}

// target replaces everything that t shares with the original by a redacted copy.
func (r *Redactor) target(t *Target) {
	t.URL = r.String(t.URL)
	t.Request.Headers = slices.Clone(t.Request.Headers)
	for i := range t.Request.Headers {
		h := &t.Request.Headers[i]
		h.Value = r.named(h.Name, h.Value)
	}
	if body := t.Request.Body; len(body) > 0 {
		sum := sha256.Sum256(body)
		t.Request.BodySHA256 = hex.EncodeToString(sum[:])
		t.Request.Body = slices.Clone(body)
		if t.Request.BodyFile != "" || r.inBody(body) {
			t.Request.Body = nil
		}
	}
	t.Request.BodyFile = r.String(t.Request.BodyFile)
	t.Expect.Contains = r.String(t.Expect.Contains)
	t.Expect.Status, t.Expect.Length = clonePointer(t.Expect.Status), clonePointer(t.Expect.Length)
	t.Tags = r.values(t.Tags)
	t.Servers = slices.Clone(t.Servers)
	for i := range t.Servers {
		s := &t.Servers[i]
		s.Start, s.Dir, s.Env = r.list(s.Start), r.String(s.Dir), r.values(s.Env)
		s.Ready.URL, s.Ready.TCP, s.Ready.Log = r.String(s.Ready.URL), r.String(s.Ready.TCP), r.String(s.Ready.Log)
		s.Ready.Command = r.list(s.Ready.Command)
	}
}

// named hides the whole value of a name that means a secret.
func (r *Redactor) named(name, value string) string {
	if secretName.MatchString(name) && value != "" {
		return Redacted
	}
	return r.String(value)
}

func (r *Redactor) values(in map[string]string) map[string]string {
	out := maps.Clone(in)
	for name, value := range out {
		out[name] = r.named(name, value)
	}
	return out
}

func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}

// IsRedacted reports whether something was hidden in p, so that p alone cannot repeat the measurement. A body that came
// from a file is not hidden: it is still there.
func (p Plan) IsRedacted() bool {
	for _, t := range p.Targets {
		if t.Request.BodySHA256 != "" && len(t.Request.Body) == 0 && t.Request.BodyFile == "" {
			return true
		}
	}
	raw, err := json.Marshal(p)
	return err != nil || bytes.Contains(raw, []byte(Redacted))
}

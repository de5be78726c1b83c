package config

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// expand replaces ${VAR} and ${VAR:-default} in the text of node n; "$${" stands for "${". The second result lists the
// values that came from the environment. An unset variable without a default is an error; a set but empty one takes
// the default, as in the shell. Flags are not expanded: the shell has done that.
func (r *reader) expand(n *yaml.Node, text string) (string, []string, error) {
	if r.flag != "" || !strings.Contains(text, "${") {
		return text, nil, nil
	}
	var out strings.Builder
	var fromEnv []string
	for {
		before, rest, found := strings.Cut(text, "${")
		if !found {
			out.WriteString(text)
			return out.String(), fromEnv, nil
		}
		if kept, escaped := strings.CutSuffix(before, "$"); escaped {
			out.WriteString(kept + "${")
			text = rest
			continue
		}
		out.WriteString(before)
		inner, after, closed := strings.Cut(rest, "}")
		if !closed {
			return "", nil, r.at(n).errorf("close it with }, or write $${ for a literal ${", "${ has no closing brace")
		}
		name, fallback, hasDefault := strings.Cut(inner, ":-")
		if !isVariable(name) {
			return "", nil, r.at(n).errorf("only ${VAR} and ${VAR:-default} are expanded; write $${ for a literal ${",
				"${%s} is not a variable", inner)
		}
		value, set := r.env(name)
		switch {
		case set && (value != "" || !hasDefault):
			out.WriteString(value)
			if value != "" {
				fromEnv = append(fromEnv, value)
			}
		case hasDefault:
			out.WriteString(fallback)
		default:
			return "", nil, r.at(n).errorf("set it, or give a default: ${"+name+":-value}",
				"environment variable %s is not set", name)
		}
		text = after
	}
}

// isVariable reports whether s is a name that a shell variable may have.
func isVariable(s string) bool {
	for i, c := range s {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

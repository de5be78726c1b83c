package config

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// reader reads the values of one file, or of one flag, which is a small document of its own.
type reader struct {
	file, flag string
	dir        string // absolute folder that relative paths start from
	env        func(string) (string, bool)
	secrets    []string
	warnings   []string
	setHeaders []string // names of the request headers that flags stated
}

// field reads the value of one key; path names it in messages.
type field func(n *yaml.Node, path string) error

// resolve follows aliases.
func resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// kindName says what a node is.
func kindName(n *yaml.Node) string {
	switch n = resolve(n); {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case isNull(n):
		return "empty"
	case n.ShortTag() == "!!str":
		return "the text " + quote(n.Value)
	}
	return n.Value
}

// quote puts a text in quotes, shortened to fit a message.
func quote(s string) string {
	if runes := []rune(s); len(runes) > 60 {
		s = string(runes[:60]) + "…"
	}
	return `"` + s + `"`
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// entries calls each for every key and value of a mapping, in order, and refuses what is wrong with it as a mapping.
func (r *reader) entries(n *yaml.Node, path string, each func(key *yaml.Node, value *yaml.Node) error) error {
	at := r.at(n)
	if n = resolve(n); n.Kind != yaml.MappingNode {
		return at.errorf("write key: value lines, indented below it", "%s must be a mapping, not %s", named(path), kindName(n))
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := resolve(n.Content[i]), n.Content[i+1]
		at := r.at(n.Content[i])
		switch {
		case key.Kind != yaml.ScalarNode || isNull(key):
			return at.errorf("", "a key of %s must be a word, not %s", named(path), kindName(key))
		case key.ShortTag() == "!!merge":
			return at.errorf("repeat the keys, or use an alias for the whole value", "merge keys (<<) are not supported")
		case lines[key.Value] > 0:
			return at.errorf("keep one", "duplicate key %s, first on line %d", quote(key.Value), lines[key.Value])
		case isNull(resolve(value)):
			return at.errorf("give it a value, or remove the key", "%s has no value", join(path, key.Value))
		}
		lines[key.Value] = max(n.Content[i].Line, 1)
		if err := each(n.Content[i], value); err != nil {
			return err
		}
	}
	return nil
}

// mapping reads a mapping with fixed keys.
func (r *reader) mapping(n *yaml.Node, path string, fields map[string]field) error {
	return r.entries(n, path, func(key, value *yaml.Node) error {
		name := resolve(key).Value
		read, ok := fields[name]
		if !ok {
			where := ""
			if path != "" {
				where = " in " + path
			}
			return r.at(key).errorf(nearest(sectionOf(path), name), "unknown key %s%s", quote(name), where)
		}
		return read(value, join(path, name))
	})
}

// sequence calls each for every element of a list.
func (r *reader) sequence(n *yaml.Node, path string, each func(i int, n *yaml.Node) error) error {
	at := r.at(n)
	if n = resolve(n); n.Kind != yaml.SequenceNode {
		return at.errorf("begin each element with '- '", "%s must be a list, not %s", named(path), kindName(n))
	}
	for i, element := range n.Content {
		if isNull(resolve(element)) {
			return r.at(element).errorf("give it a value, or remove it", "element %d of %s is empty", i+1, path)
		}
		if err := each(i, element); err != nil {
			return err
		}
	}
	return nil
}

// scalar returns the text of a single value with variables expanded, the type that its text has ("!!int" …, of the
// expanded text if it held a variable), and the values that came from the environment.
func (r *reader) scalar(n *yaml.Node, path, want string) (text, tag string, fromEnv []string, err error) {
	at := r.at(n)
	s := resolve(n)
	if s.Kind != yaml.ScalarNode || isNull(s) {
		return "", "", nil, at.errorf("", "%s must be %s, not %s", path, want, kindName(s))
	}
	if s.Style&yaml.TaggedStyle != 0 {
		return "", "", nil, at.errorf("remove it", "%s has a YAML tag, which is not supported", path)
	}
	text, fromEnv, err = r.expand(n, s.Value)
	if err != nil {
		return "", "", nil, err
	}
	tag = s.ShortTag()
	if text != s.Value && strings.Contains(s.Value, "${") {
		tag = (&yaml.Node{Kind: yaml.ScalarNode, Value: text}).ShortTag()
	}
	return text, tag, fromEnv, nil
}

// anyText reads a single value of any type as the text it is written as.
func (r *reader) anyText(n *yaml.Node, path string) (string, error) {
	text, _, fromEnv, err := r.scalar(n, path, "text")
	if err == nil && strings.ContainsRune(text, 0) {
		err = r.at(n).errorf("", "%s holds a NUL character", path)
	}
	r.secrets = append(r.secrets, fromEnv...)
	return text, err
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func named(path string) string {
	if path == "" {
		return "the file"
	}
	return path
}

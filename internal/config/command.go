package config

import (
	"errors"
	"strings"

	"gopkg.in/yaml.v3"
	"mvdan.cc/sh/v3/syntax"
)

// command reads an argument list, or one text that is split like a shell does, without any expansion.
func (r *reader) command(n *yaml.Node, path string) ([]string, error) {
	var argv []string
	if resolve(n).Kind == yaml.ScalarNode {
		text, err := r.anyText(n, path)
		if err != nil {
			return nil, err
		}
		if argv, err = splitWords(text); err != nil {
			return nil, r.at(n).errorf("give a list of arguments, quote it, or set shell: true", "%s needs a shell: %v", path, err)
		}
	} else if err := r.sequence(n, path, func(_ int, n *yaml.Node) error {
		text, err := r.anyText(n, path)
		argv = append(argv, text)
		return err
	}); err != nil {
		return nil, err
	}
	if len(argv) == 0 || argv[0] == "" {
		return nil, r.at(n).errorf("", "%s names no program", path)
	}
	return argv, nil
}

// element returns where argument i of a command stands: in the list, or in the only text.
func element(n *yaml.Node, i int) *yaml.Node {
	if list := resolve(n); list.Kind == yaml.SequenceNode && i < len(list.Content) {
		return list.Content[i]
	}
	return n
}

var errNotPlain = errors.New("it holds more than words and quotes")

// splitWords splits a command line that holds only words, quotes and backslashes.
func splitWords(text string) ([]string, error) {
	file, err := syntax.NewParser(syntax.KeepComments(true)).Parse(strings.NewReader(text), "")
	if err != nil {
		return nil, err
	}
	if len(file.Stmts) == 0 && len(file.Last) == 0 {
		return nil, nil
	}
	if len(file.Stmts) != 1 || len(file.Last) > 0 {
		return nil, errNotPlain
	}
	stmt := file.Stmts[0]
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || len(stmt.Redirs) > 0 || len(stmt.Comments) > 0 || stmt.Negated || stmt.Background || stmt.Coprocess {
		return nil, errNotPlain
	}
	words := make([]string, len(call.Args))
	for i, word := range call.Args {
		var b strings.Builder
		if err := plainParts(&b, word.Parts, false); err != nil {
			return nil, err
		}
		words[i] = b.String()
	}
	return words, nil
}

func plainParts(b *strings.Builder, parts []syntax.WordPart, quoted bool) error {
	for i, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if !quoted && (strings.ContainsAny(p.Value, "*?[") || i == 0 && strings.HasPrefix(p.Value, "~")) {
				return errNotPlain
			}
			unescape(b, p.Value, quoted)
		case *syntax.SglQuoted:
			if p.Dollar {
				return errNotPlain
			}
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			if p.Dollar {
				return errNotPlain
			}
			if err := plainParts(b, p.Parts, true); err != nil {
				return err
			}
		default:
			return errNotPlain
		}
	}
	return nil
}

// unescape removes backslashes as a shell does: within double quotes only before $ ` " \ and a line break.
func unescape(b *strings.Builder, s string, quoted bool) {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (!quoted || strings.IndexByte("$`\"\\\n", s[i+1]) >= 0) {
			if i++; s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
}

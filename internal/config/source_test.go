package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// TestAliasBomb: a few lines that stand for billions of values are refused before any of them is read.
func TestAliasBomb(t *testing.T) {
	var text strings.Builder
	text.WriteString(u + "tags:\n  a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&text, "  a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	_, err := Load([]Arg{{Path: write(t, "bomb.yaml", text.String())}}, Flags{}, noEnv, fixedSeed)
	if err == nil || !strings.Contains(err.Error(), "stands for more than 100000 values") {
		t.Errorf("%v", err)
	}
}

// TestByteOrderMark: a mark at the start, as some editors write it, is not part of the first key.
func TestByteOrderMark(t *testing.T) {
	if _, err := Load([]Arg{{Path: write(t, "a.yaml", "\ufeff"+u)}}, Flags{}, noEnv, fixedSeed); err != nil {
		t.Error(err)
	}
}

// TestSourceRefused: what is not a file of reasonable size.
func TestSourceRefused(t *testing.T) {
	huge := write(t, "huge.yaml", "")
	if err := os.Truncate(huge, maxFile+1); err != nil {
		t.Fatal(err)
	}
	file := write(t, "file", "")
	for path, want := range map[string]string{
		huge: "is 1048577 bytes long", filepath.Join(file, "below"): "read file: not a directory", "/dev/zero": "is longer than",
		"a\nb": "a b: no such file",
	} {
		_, err := Load([]Arg{{Path: path}}, Flags{}, noEnv, fixedSeed)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", path, err, want)
		}
	}
	if _, err := Load(nil, Flags{}, noEnv, fixedSeed); err == nil || !strings.Contains(err.Error(), "no target is given") {
		t.Errorf("nothing: %v", err)
	}
}

// TestExpansion: ${VAR}, ${VAR:-default} and the escape; what the environment gave is a secret, a default is not.
func TestExpansion(t *testing.T) {
	env := func(name string) (string, bool) {
		value, ok := map[string]string{"SET": "from-env", "EMPTY": "", "_N1": "12"}[name]
		return value, ok
	}
	file := write(t, "a.yaml", u+"load: {requests: \"${_N1}\", concurrency: \"${UNSET:-3}\"}\ntags:\n  plain: \"a${SET}b${SET}\"\n  set: \"${SET:-other}\"\n"+
		"  unset: \"${UNSET:-fall back}\"\n  empty: \"${EMPTY:-used}\"\n  empty2: \"[${EMPTY}]\"\n  escape: \"$${SET} $5 $$\"\n")
	loaded, err := Load([]Arg{{Path: file}}, Flags{}, env, fixedSeed)
	if err != nil {
		t.Fatal(err)
	}
	target := loaded.Plan.Targets[0]
	for key, want := range map[string]string{
		"plain": "afrom-envbfrom-env", "set": "from-env", "unset": "fall back", "empty": "used", "empty2": "[]", "escape": "${SET} $5 $$",
	} {
		if target.Tags[key] != want {
			t.Errorf("%s: %q, want %q", key, target.Tags[key], want)
		}
	}
	if target.Load.Requests != 12 || target.Load.Concurrency != 3 {
		t.Errorf("load %+v", target.Load)
	}
	if !slices.Equal(loaded.Secrets, []string{"from-env"}) {
		t.Errorf("secrets %q", loaded.Secrets)
	}
}

// TestUserinfo: a user and password in a URL become a header, are secret, and leave the URL; a fragment is not sent.
func TestUserinfo(t *testing.T) {
	loaded, err := Load(ParseArgs([]string{"http://me:p%40ss@h/x#part"}), Flags{}, noEnv, fixedSeed)
	if err != nil {
		t.Fatal(err)
	}
	if p := loaded.Plan; p.Targets[0].URL != "http://h/x" || header(p, "Authorization") != "Basic bWU6cEBzcw==" {
		t.Errorf("%+v", p.Targets[0])
	}
	if !slices.Contains(loaded.Secrets, "p@ss") || !slices.Contains(loaded.Secrets, "bWU6cEBzcw==") {
		t.Errorf("secrets %q", loaded.Secrets)
	}
	if len(loaded.Warnings) != 1 || !strings.Contains(loaded.Warnings[0], "#part") {
		t.Errorf("warnings %q", loaded.Warnings)
	}
	if text := fmt.Sprint(loaded.Plan.Redacted(loaded.Secrets)); strings.Contains(text, "bWU6") || !strings.Contains(text, result.Redacted) {
		t.Errorf("written: %s", text)
	}
}

// TestWords: a command line is split as a shell does it.
func TestWords(t *testing.T) {
	for text, want := range map[string][]string{
		`a b  c`: {"a", "b", "c"}, `a 'b c' "d e"`: {"a", "b c", "d e"}, `a\ b c\"d`: {"a b", `c"d`}, `"a\n\"\$" '\n'`: {`a\n"$`, `\n`},
		"a \\\nb": {"a", "b"}, `a''b ""`: {"ab", ""}, `x~ a~b`: {"x~", "a~b"}, ``: nil,
	} {
		got, err := splitWords(text)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q %v, want %q", text, got, err, want)
		}
	}
}

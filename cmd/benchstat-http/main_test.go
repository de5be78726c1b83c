package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"benchstat-http": func() { os.Exit(mainExit()) },
	})
}

// TestScripts runs every scenario of testdata/script against the real main: standard output, standard error, status.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("NO_COLOR", "1")
			root, err := filepath.Abs("../..")
			if err != nil {
				return err
			}
			env.Setenv("REPO", root)
			env.Setenv("SEEDS", os.Getenv("BENCHSTAT_HTTP_SEEDS"))
			return nil
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "seeds":
				return os.Getenv("BENCHSTAT_HTTP_SEEDS") != "", nil
			case "root":
				return os.Geteuid() == 0, nil
			case "ci":
				return os.Getenv("CI") == "true", nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":     scriptExits,
			"jsonis":    scriptJSONIs,
			"jsonin":    scriptJSONIn,
			"badserver": scriptBadServer,
			"lines":     scriptLines,
			"maxwidth":  scriptMaxWidth,
			"tear":      scriptTear,
		},
	})
}

// scriptExits runs a command and demands one exact exit status: exits STATUS COMMAND ARG…
func scriptExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("exec %s: %v", args[1], err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// lookUp finds a value by a dotted path such as comparisons.0.ratio.value; a target name is found by name.
func lookUp(ts *testscript.TestScript, file, path string) any {
	var v any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(file)), &v))
	for key := range strings.SplitSeq(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			next, ok := at[key]
			if !ok {
				ts.Fatalf("%s: no key %q on the way to %s", file, key, path)
			}
			v = next
		case []any:
			v = element(ts, at, key, path)
		default:
			ts.Fatalf("%s: %q is not an object on the way to %s", file, key, path)
		}
	}
	return v
}

func element(ts *testscript.TestScript, list []any, key, path string) any {
	if key == "codes" {
		codes := []string{}
		for _, f := range list {
			codes = append(codes, fmt.Sprint(f.(map[string]any)["code"]))
		}
		return strings.Join(codes, " ")
	}
	i, err := strconv.Atoi(key)
	if err != nil || i < 0 || i >= len(list) {
		ts.Fatalf("no element %q (of %d) on the way to %s", key, len(list), path)
	}
	return list[i]
}

// scriptJSONIs compares one value: jsonis FILE PATH VALUE; negated, it must differ.
func scriptJSONIs(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: jsonis FILE PATH VALUE")
	}
	got := fmt.Sprint(lookUp(ts, args[0], args[1]))
	if list, err := json.Marshal(lookUp(ts, args[0], args[1])); err == nil && strings.HasPrefix(args[2], "[") {
		got = string(list)
	}
	if (got == args[2]) == neg {
		ts.Fatalf("%s is %q, compared with %q", args[1], got, args[2])
	}
}

// scriptJSONIn demands a number in a closed range: jsonin FILE PATH LOW HIGH.
func scriptJSONIn(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 4 {
		ts.Fatalf("usage: jsonin FILE PATH LOW HIGH")
	}
	got, ok := lookUp(ts, args[0], args[1]).(float64)
	if !ok {
		ts.Fatalf("%s is not a number", args[1])
	}
	low, err := strconv.ParseFloat(args[2], 64)
	ts.Check(err)
	high, err := strconv.ParseFloat(args[3], 64)
	ts.Check(err)
	if (got >= low && got <= high) == neg {
		ts.Fatalf("%s is %v, range %v … %v", args[1], got, low, high)
	}
}

// scriptLines demands a number of lines: lines FILE N.
func scriptLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lines FILE N")
	}
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := ts.ReadFile(args[0])
	if got := strings.Count(text, "\n"); got != want {
		ts.Fatalf("%s has %d lines, want %d:\n%s", args[0], got, want, text)
	}
}

// scriptTear cuts a file in the middle of its last line, as a crash while writing does: tear FILE.
func scriptTear(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: tear FILE")
	}
	text := ts.ReadFile(args[0])
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text[:len(text)-10]), 0o600))
}

// scriptMaxWidth demands that no line is wider than N characters: maxwidth FILE N.
func scriptMaxWidth(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: maxwidth FILE N")
	}
	limit, err := strconv.Atoi(args[1])
	ts.Check(err)
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > limit {
			ts.Fatalf("line of %d characters: %s", n, line)
		}
	}
}

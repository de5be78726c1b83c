package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// documented is one command of a console block, and the output printed under it.
type documented struct {
	command, output string
	line            int
}

// consoleCommands returns the commands of the ```console blocks of a Markdown file.
func consoleCommands(t *testing.T, path string) []documented {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var commands []documented
	inside := false
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```console"
		case inside && strings.HasPrefix(line, "$ "):
			commands = append(commands, documented{command: line[2:], line: i + 1})
		case inside && len(commands) > 0:
			commands[len(commands)-1].output += line + "\n"
		}
	}
	return commands
}

// elsewhere are the documented commands that are executed by something else than this test.
var elsewhere = map[string]string{
	"make test":      "this test is part of it",
	"make check":     "part of make test",
	"make test-long": "run by hand before a release; its summary is committed",
}

// TestDocumentedCommands runs every command of the README and of the examples. Where a command reads only files, its
// output must be the one printed; where it measures, the machine decides the numbers and only the status is compared.
func TestDocumentedCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("measures for a minute or more")
	}
	bin := filepath.Dir(program(t))
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	commands := consoleCommands(t, filepath.Join(root, "README.md"))
	if len(commands) < 5 {
		t.Fatalf("README.md has %d commands, which cannot be all", len(commands))
	}
	for _, c := range commands {
		if _, ok := elsewhere[c.command]; ok {
			continue
		}
		t.Run(c.command, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "sh", "-c", c.command)
			cmd.Dir = copyTree(t, root)
			cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "NO_COLOR=1", "GOFLAGS=-buildvcs=false", "GOBIN="+t.TempDir())
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("README.md:%d: %v\n%s%s", c.line, err, out, stderr.String())
			}
			if readsOnlyFiles(c.command) && string(out) != c.output {
				t.Errorf("README.md:%d: output is\n%s\nwant\n%s", c.line, out, c.output)
			}
			if strings.Contains(c.command, "quickstart/b.yaml") && !strings.Contains(c.command, "--dry-run") {
				checkQuickstart(t, string(out))
			}
			if !readsOnlyFiles(c.command) && c.output != "" && len(out) == 0 {
				t.Errorf("README.md:%d: no output", c.line)
			}
		})
	}
}

// quickstartRatio finds the ratio and its interval in the verdict, which may be wrapped anywhere.
var quickstartRatio = regexp.MustCompile(`ratio ([0-9.]+) \[([0-9.]+), ([0-9.]+)\]`)

// checkQuickstart demands the truth of the quickstart: b takes 10 % longer, so its rate is 1/1.1 of a's.
func checkQuickstart(t *testing.T, out string) {
	t.Helper()
	m := quickstartRatio.FindStringSubmatch(strings.Join(strings.Fields(out), " "))
	if m == nil || !strings.Contains(out, "b is slower than a") {
		t.Fatalf("no verdict 'slower' with a ratio in\n%s", out)
	}
	low, errLow := strconv.ParseFloat(m[2], 64)
	high, errHigh := strconv.ParseFloat(m[3], 64)
	if errLow != nil || errHigh != nil || low < 0.88 || high > 0.94 || low > high {
		t.Errorf("ratio %s [%s, %s], want an interval inside 0.88 … 0.94", m[1], m[2], m[3])
	}
}

// readsOnlyFiles reports whether a command's output depends on files alone.
func readsOnlyFiles(command string) bool {
	return strings.Contains(command, "benchstat-http analyze") || strings.Contains(command, ".txt")
}

// copyTree returns a folder in which a documented command may leave files: the repository, by symbolic links.
func copyTree(t *testing.T, root string) string {
	t.Helper()
	dir := t.TempDir()
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".jsonl") || e.Name() == ".git" {
			continue
		}
		if err := os.Symlink(filepath.Join(root, e.Name()), filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

package examplestest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/benchstat-http/benchstat-http/internal/config"
)

const root = "../../examples"

// glob returns the files of the examples that match, at least min of them: a pattern that matches nothing checks nothing.
func glob(t *testing.T, pattern string, minimum int) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, pattern))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < minimum {
		t.Fatalf("%s matches %d files, want at least %d", pattern, len(files), minimum)
	}
	return files
}

// TestPageSizes checks that each page is exactly as long as every target file of its folder expects.
func TestPageSizes(t *testing.T) {
	sizes := map[string]int64{"nginx-vs-lighttpd": 8690, "apache-vs-nginx": 1152}
	for folder, want := range sizes {
		info, err := os.Stat(filepath.Join(root, folder, "www", "index.html"))
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() != want {
			t.Errorf("%s: the page has %d bytes, want %d", folder, info.Size(), want)
		}
		for _, file := range glob(t, folder+"/*.yaml", 2) {
			if got := parse(t, file).Expect.Length; got != want {
				t.Errorf("%s expects a length of %d, the page has %d", file, got, want)
			}
		}
	}
}

// target is the part of a target file that the tests below look at.
type target struct {
	Name   string
	URL    string
	Expect struct{ Length int64 }

	Servers []struct {
		Start []string
		Ready map[string]string
	}
}

func parse(t *testing.T, file string) target {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var parsed target
	if err := yaml.Unmarshal(text, &parsed); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return parsed
}

// load has the program's own reader take target files together, with no variable set: an example needs none.
func load(t *testing.T, files ...string) {
	t.Helper()
	none := func(string) (string, bool) { return "", false }
	loaded, err := config.Load(config.ParseArgs(files), config.Flags{}, none, func() uint64 { return 1 })
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	if len(loaded.Plan.Targets) != len(files) || len(loaded.Warnings) > 0 || len(loaded.Secrets) > 0 {
		t.Errorf("%q: %d targets, warnings %q, %d secrets", files, len(loaded.Plan.Targets), loaded.Warnings, len(loaded.Secrets))
	}
}

// TestTargetFilesLoad checks that each target file loads alone, and that those of one folder, which are a comparison,
// load together: every key is known, every value in range, and load, warm-up and payload agree.
func TestTargetFilesLoad(t *testing.T) {
	folders := map[string][]string{}
	for _, file := range glob(t, "*/*.yaml", 6) {
		load(t, file)
		folders[filepath.Dir(file)] = append(folders[filepath.Dir(file)], file)
	}
	for folder, files := range folders {
		if len(files) < 2 {
			t.Errorf("%s has %d target file, which compares nothing", folder, len(files))
		}
		load(t, files...)
	}
}

// TestLoopbackOnly checks that no example sends load anywhere but to a free port of this machine.
func TestLoopbackOnly(t *testing.T) {
	for _, file := range glob(t, "*/*.yaml", 6) {
		parsed := parse(t, file)
		if !strings.HasPrefix(parsed.URL, "http://127.0.0.1:{port}/") {
			t.Errorf("%s: url %q is not a chosen port of the loopback interface", file, parsed.URL)
		}
		for _, server := range parsed.Servers {
			if len(server.Ready) == 0 {
				t.Errorf("%s: a server without ready is measured while it starts", file)
			}
		}
	}
}

// TestScriptsExist checks that the scripts the target files start are there, and that a shell can read them.
func TestScriptsExist(t *testing.T) {
	for _, file := range glob(t, "*/*.yaml", 6) {
		for _, server := range parse(t, file).Servers {
			if len(server.Start) < 2 || server.Start[0] != "sh" {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), server.Start[1])); err != nil {
				t.Errorf("%s starts a script that is not there: %v", file, err)
			}
		}
	}
}

// TestScriptsParse has a POSIX shell read every script of the repository without running it.
func TestScriptsParse(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("skipped: no POSIX shell on this machine")
	}
	scripts := append(glob(t, "*/*.sh", 4), glob(t, "../scripts/*.sh", 3)...)
	for _, file := range scripts {
		if out, err := exec.CommandContext(t.Context(), sh, "-n", file).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", file, err, out)
		}
	}
}

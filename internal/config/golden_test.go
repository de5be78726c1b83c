package config

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the expected plans in testdata/golden")

// TestGoldenPlans: each file of testdata/golden resolves to exactly the plan beside it, every default included.
func TestGoldenPlans(t *testing.T) {
	t.Chdir(filepath.Join("testdata", "golden"))
	files, err := filepath.Glob("*.yaml")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	env := func(name string) (string, bool) { return "from the environment", name == "TOKEN" }
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			loaded, err := Load([]Arg{{Path: file}}, Flags{}, env, fixedSeed)
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.MarshalIndent(loaded, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			got := strings.ReplaceAll(string(text), dir, "DIR") + "\n"
			golden := strings.TrimSuffix(file, ".yaml") + ".json"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s resolves to\n%s\nwant\n%s", file, got, want)
			}
		})
	}
}

package environ

import (
	"encoding/json"
	"runtime"
	"testing"
)

// TestCollectAnywhere checks the facts that every system has, and that the rest is absent rather than empty.
func TestCollectAnywhere(t *testing.T) {
	facts := Collect(t.TempDir())
	for _, key := range []string{"os", "arch", "cpus", "go_version"} {
		if facts[key] == nil {
			t.Errorf("%s is missing", key)
		}
	}
	if len(facts) != 4 {
		t.Errorf("an empty tree gives more than the runtime knows: %v", facts)
	}
	facts = Collect("/")
	if facts["os"] != runtime.GOOS {
		t.Errorf("os = %v", facts["os"])
	}
	for key, v := range facts {
		if v == "" || v == nil {
			t.Errorf("%s is empty, want it absent", key)
		}
	}
	if _, err := json.Marshal(facts); err != nil {
		t.Error(err)
	}
	if facts["hostname"] != nil {
		t.Error("the name of the machine is recorded")
	}
}

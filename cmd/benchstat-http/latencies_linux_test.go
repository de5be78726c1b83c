package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestManyLatencies reads ten million latencies from a pipe in bounded memory: as a list they would be 80 MB, as text 70.
func TestManyLatencies(t *testing.T) {
	const chunk, limit = 10_000, 200 << 10 // KiB
	chunks := 1000
	if testing.Short() {
		chunks = 100
	}
	var lines strings.Builder
	for i := range chunk {
		_, _ = fmt.Fprintf(&lines, "%d.%03d\n", 5+i%7, i%1000)
	}
	cmd := exec.CommandContext(t.Context(), program(t), "analyze", "-", "--values", "latency-ms", "--format", "json")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range chunks {
		if _, err := in.Write([]byte(lines.String())); err != nil {
			t.Fatal(err)
		}
	}
	peak := peakMemory(t, cmd.Process.Pid)
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if peak > limit {
		t.Errorf("peak memory is %d KiB, at most %d wanted", peak, limit)
	}
	if !strings.Contains(out.String(), `"mean": 8.49`) {
		t.Errorf("the mean is not 8.49…:\n%s", out.String())
	}
}

// peakMemory is the largest resident size that a running process has had, in KiB.
func peakMemory(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
	if m == nil {
		t.Skip("this kernel does not tell the peak memory of a process")
	}
	n, err := strconv.Atoi(string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("peak memory %d KiB", n)
	return n
}

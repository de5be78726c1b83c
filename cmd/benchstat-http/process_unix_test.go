//go:build unix

package main

import (
	"bytes"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// session is one run of the program in a folder with two targets.
type session struct {
	t        *testing.T
	dir      string
	bin      string
	out, err bytes.Buffer
}

// target is one demo server with trials of about half a second.
const target = `name: NAME
url: http://127.0.0.1:{port}/
load: {requests: 300, concurrency: 4}
warmup: {requests: 20}
trials: {count: 5, cooldown: 10ms}
servers:
  - name: demo
    start: ["{self}", serve, --addr, "127.0.0.1:{port}", --law, constant, --mean, 1ms, --workers, "1"]
    ready: {url: "http://127.0.0.1:{port}/health"}
`

func newSession(t *testing.T) *session {
	t.Helper()
	s := &session{t: t, dir: t.TempDir(), bin: program(t)}
	for _, name := range []string{"a", "b"} {
		text := strings.ReplaceAll(target, "NAME", name)
		if err := os.WriteFile(filepath.Join(s.dir, name+".yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s *session) command(args ...string) *exec.Cmd {
	s.out.Reset()
	s.err.Reset()
	cmd := exec.Command(s.bin, args...)
	cmd.Dir = s.dir
	cmd.Stdout, cmd.Stderr = &s.out, &s.err
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a signal reaches only whom it is sent to
	return cmd
}

// run runs the program to its end and demands a status.
func (s *session) run(status int, args ...string) {
	s.t.Helper()
	cmd := s.command(args...)
	_ = cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != status {
		s.t.Fatalf("%v: exit status %d, want %d\nstdout:\n%s\nstderr:\n%s", args, got, status, s.out.String(), s.err.String())
	}
}

func (s *session) file() string { return filepath.Join(s.dir, "r.jsonl") }

// read reads the result file as it is now.
func (s *session) read() *result.File {
	s.t.Helper()
	f, err := readResult(s.file())
	if err != nil {
		s.t.Fatal(err)
	}
	return f
}

// eventually polls until ok, for at most a minute.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("never happened: %s", what)
}

// trialLines counts the trial lines that are on disk with their newline: a reader may see the first part of a line
// that is being written.
func (s *session) trialLines() int {
	data, err := os.ReadFile(s.file())
	if err != nil {
		return 0
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, `{"type":"trial"`) && strings.HasSuffix(line, "\n") {
			n++
		}
	}
	return n
}

// start begins an experiment of 2 × 5 trials and waits until n of them are on disk.
func (s *session) start(n int) *exec.Cmd {
	s.t.Helper()
	cmd := s.command("compare", "a.yaml", "b.yaml", "-o", "r.jsonl")
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	eventually(s.t, strconv.Itoa(n)+" trials on disk", func() bool { return s.trialLines() >= n })
	return cmd
}

// serversGone waits until nothing listens any more where the targets were.
func (s *session) serversGone(f *result.File) {
	s.t.Helper()
	for _, trial := range f.Trials {
		u, err := url.Parse(trial.URL)
		if err != nil || u.Host == "" {
			s.t.Fatalf("trial without a URL: %q", trial.URL)
		}
		eventually(s.t, "server on "+u.Host+" gone", func() bool {
			c, err := net.DialTimeout("tcp", u.Host, time.Second)
			if err == nil {
				_ = c.Close()
			}
			return err != nil
		})
	}
}

// checkComplete demands that the file holds the plan exactly: every target valid once in every block.
func (s *session) checkComplete(f *result.File) {
	s.t.Helper()
	type slot struct {
		target string
		block  int
	}
	counted := map[slot]int{}
	for _, trial := range f.Trials {
		if trial.Valid {
			counted[slot{trial.Target, trial.Block}]++
		}
	}
	for _, name := range []string{"a", "b"} {
		for block := 1; block <= 5; block++ {
			if n := counted[slot{name, block}]; n != 1 {
				s.t.Errorf("target %s has %d valid trials in block %d, want 1", name, n, block)
			}
		}
	}
	if f.End == nil || f.Torn || f.ChainBroken != 0 {
		s.t.Errorf("file not whole: end %v, torn %v, chain broken at %d", f.End, f.Torn, f.ChainBroken)
	}
}

// TestKillAndResume kills the program outright, at a different trial each time: what was measured is on disk, no
// server outlives it, and --resume completes the plan exactly.
func TestKillAndResume(t *testing.T) {
	kills := 1
	if text := os.Getenv("BENCHSTAT_HTTP_KILLS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		kills = n
	}
	for i := range kills {
		n := 6 - i%5 // first in trial 7; never before both targets have a trial
		t.Run("kill-"+strconv.Itoa(i+1), func(t *testing.T) {
			t.Parallel()
			s := newSession(t)
			cmd := s.start(n)
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			f := s.read()
			if len(f.Trials) < n || f.End != nil {
				t.Fatalf("%d trials on disk, want at least %d and no end line", len(f.Trials), n)
			}
			s.serversGone(f)
			s.run(exitOK, "analyze", "r.jsonl")
			if !strings.Contains(s.out.String(), "interrupted") {
				t.Errorf("analyze does not say that the experiment was interrupted:\n%s", s.out.String())
			}
			s.run(exitOK, "compare", "--resume", "r.jsonl")
			s.checkComplete(s.read())
			s.serversGone(s.read())
		})
	}
}

// TestInterrupt stops the program with a signal: the running trial is recorded but not counted, the report of the
// whole ones is printed, the status tells the signal, and --resume completes the plan.
func TestInterrupt(t *testing.T) {
	for _, c := range []struct {
		signal os.Signal
		status int
	}{{os.Interrupt, 130}, {syscall.SIGTERM, 143}} {
		t.Run(c.signal.String(), func(t *testing.T) {
			t.Parallel()
			s := newSession(t)
			cmd := s.start(4)
			if err := cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if got := cmd.ProcessState.ExitCode(); got != c.status {
				t.Errorf("exit status %d, want %d; stderr:\n%s", got, c.status, s.err.String())
			}
			if !strings.Contains(s.out.String(), "interrupted") || !strings.Contains(s.err.String(), "--resume") {
				t.Errorf("stdout:\n%s\nstderr:\n%s", s.out.String(), s.err.String())
			}
			f := s.read()
			for _, trial := range f.Trials {
				if trial.Interrupted && trial.Valid {
					t.Errorf("interrupted trial %d of %s counts", trial.Trial, trial.Target)
				}
			}
			s.serversGone(f)
			s.run(exitOK, "compare", "--resume", "r.jsonl")
			s.checkComplete(s.read())
		})
	}
}

// TestSecondInterrupt sends two signals at once: the program ends without waiting, and the file is whole.
func TestSecondInterrupt(t *testing.T) {
	s := newSession(t)
	cmd := s.start(2)
	for range 2 {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			break // gone already
		}
	}
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 130 {
		t.Errorf("exit status %d, want 130; stderr:\n%s", got, s.err.String())
	}
	f := s.read()
	if len(f.Trials) < 2 || f.ChainBroken != 0 {
		t.Errorf("%d trials, chain broken at %d", len(f.Trials), f.ChainBroken)
	}
	s.serversGone(f)
}

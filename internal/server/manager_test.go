//go:build linux

package server

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

func listening(name string, ready result.Ready) result.Target {
	ready.TimeoutSeconds = 60
	return result.Target{Name: name, URL: "http://127.0.0.1:{port}/x", Servers: []result.Server{{
		Name: "web", Start: []string{"{self}", "helper", "listen", "{port}"}, Ready: ready, Stop: result.Stop{GraceSeconds: 5}}}}
}

func TestReadyByEachKindAndRestart(t *testing.T) {
	for name, ready := range map[string]result.Ready{
		"none":    {},
		"tcp":     {TCP: "127.0.0.1:{port}"},
		"url":     {URL: "http://127.0.0.1:{port}/health"},
		"log":     {Log: "^serving on [0-9]+$"},
		"command": {Command: []string{"/bin/sh", "-c", "exit 0"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := manager(t, listening(name, ready))
			var first string
			for want := 1; want <= 2; want++ {
				url, restart, err := m.Start(t.Context(), 0)
				if err != nil {
					t.Fatal(err)
				}
				if first == "" {
					first = url
				}
				if restart != want || url != first || strings.Contains(url, "{") {
					t.Errorf("start gave %s, %d; want %s, %d", url, restart, first, want)
				}
				if again, n, err := m.Start(t.Context(), 0); again != url || n != restart || err != nil {
					t.Errorf("a second start gave %s, %d, %v", again, n, err)
				}
				if err := m.Check(0); err != nil {
					t.Error(err)
				}
				p := m.Processes(0)[0]
				if err := m.Stop(0); err != nil {
					t.Error(err)
				}
				if alive(p.PID) || alive(p.Supervisor) {
					t.Errorf("%+v is still there", p)
				}
			}
		})
	}
}

func TestStartErrors(t *testing.T) {
	server := func(s result.Server) result.Target {
		s.Name = "s"
		s.Ready.TimeoutSeconds = 60
		return result.Target{Name: "t", URL: "http://127.0.0.1:{port}/", Servers: []result.Server{s}}
	}
	slow := server(result.Server{Start: []string{"{self}", "helper", "grandchild", filepath.Join(t.TempDir(), "x")}})
	slow.Servers[0].Ready.TimeoutSeconds = 0.1
	for name, c := range map[string]struct {
		target result.Target
		want   []string
	}{
		"dies":     {server(result.Server{Start: []string{"{self}", "helper", "fail", "3"}}), []string{"server s of target t exited with status 3 before it was ready; last lines of ", "\n  line 11\n", "\n  line 20"}},
		"missing":  {server(result.Server{Start: []string{"no-such-program-8"}}), []string{"server s of target t: no-such-program-8: executable file not found in $PATH"}},
		"folder":   {server(result.Server{Start: []string{"sh"}, Dir: "/no/such"}), []string{"working folder /no/such: no such file"}},
		"signal":   {server(result.Server{Start: []string{"sh"}, Stop: result.Stop{Signal: "BOO"}}), []string{`unknown signal "BOO"`}},
		"too slow": {slow, []string{"server s of target t was not ready after 100ms (", "is empty"}},
		"pattern":  {server(result.Server{Start: []string{"sh"}, Ready: result.Ready{Log: "("}}), []string{"ready log pattern"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := manager(t, c.target)
			_, _, err := m.Start(t.Context(), 0)
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not contain %q", err, want)
				}
			}
			if left := m.Processes(0); len(left) > 0 {
				t.Errorf("left running: %+v", left)
			}
		})
	}
}

func TestAddressInUse(t *testing.T) {
	a := listening("a", result.Ready{})
	m := manager(t, a)
	url, _, err := m.Start(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	b := listening("b", result.Ready{})
	b.URL = url
	_, _, err = manager(t, b).Start(t.Context(), 0)
	if err == nil || !strings.Contains(err.Error(), "is in use by another process before server web of target b was started") {
		t.Errorf("got %v", err)
	}
}

func TestPortsDiffer(t *testing.T) {
	var targets []result.Target
	for range 50 {
		targets = append(targets, result.Target{Name: "t", URL: "http://127.0.0.1:{port}/"})
	}
	m := manager(t, targets...)
	seen := map[string]bool{}
	for i := range targets {
		url, restart, err := m.Start(t.Context(), i)
		if err != nil || restart != 0 || seen[url] {
			t.Fatalf("target %d: %s, %d, %v", i, url, restart, err)
		}
		seen[url] = true
	}
}

func TestDeathIsFound(t *testing.T) {
	for name, victim := range map[string]func(Process) int{
		"server":     func(p Process) int { return p.PID },
		"supervisor": func(p Process) int { return p.Supervisor },
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "pids")
			m := manager(t, stubborn(file))
			if _, _, err := m.Start(t.Context(), 0); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(victim(m.Processes(0)[0]), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the death is found", func() bool { return m.Check(0) != nil })
			if err := m.Check(0); !strings.Contains(err.Error(), "killed") {
				t.Error(err)
			}
			eventually(t, "nothing is left", func() bool { return !slices.ContainsFunc(recorded(t, file), alive) })
			if err := m.Stop(0); err != nil {
				t.Error(err)
			}
			if _, n, err := m.Start(t.Context(), 0); n != 2 || err != nil {
				t.Errorf("the next start gave %d, %v", n, err)
			}
		})
	}
}

func TestStopKillsStubbornTree(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pids")
	var said []string
	m := manager(t, stubborn(file))
	m.opts.Logf = func(f string, _ ...any) { said = append(said, f) }
	if _, _, err := m.Start(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	pids := recorded(t, file)
	var stops sync.WaitGroup
	for range 3 {
		stops.Go(func() {
			if err := m.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	stops.Wait()
	if len(pids) != 2 || slices.ContainsFunc(pids, alive) {
		t.Errorf("still there, or never were: %v", pids)
	}
	if len(said) != 1 {
		t.Errorf("the kill was not told once: %q", said)
	}
	if _, _, err := m.Start(t.Context(), 0); err == nil {
		t.Error("started after Close")
	}
}

func TestDaemonIsTheServer(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pids")
	target := stubborn(file)
	target.Servers[0].Start[2] = "daemon"
	target.Servers[0].Ready.Command = []string{"/usr/bin/test", "-s", file}
	m := manager(t, target)
	if _, _, err := m.Start(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	pids := recorded(t, file)
	if err := m.Check(0); err != nil || !alive(pids[0]) {
		t.Errorf("the daemon counts as dead: %v", err)
	}
	if err := m.Stop(0); err != nil || alive(pids[0]) {
		t.Errorf("the daemon outlived its stop: %v", err)
	}
}

func TestNothingOutlivesOurDeath(t *testing.T) {
	for range 10 {
		file := filepath.Join(t.TempDir(), "pids")
		owner := exec.CommandContext(t.Context(), os.Args[0], "helper", "owner", file)
		if err := owner.Start(); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the server is up", func() bool { _, err := os.Stat(file + ".up"); return err == nil })
		if err := owner.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = owner.Wait()
		pids := recorded(t, file)
		if len(pids) != 2 {
			t.Fatalf("recorded %v", pids)
		}
		eventually(t, "nothing is left", func() bool { return !slices.ContainsFunc(pids, alive) })
	}
}

//go:build linux

package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// helpers are what the test binary does when it stands in for a server; each gets the arguments after its name.
var helpers = map[string]func(args []string){
	"listen": func(a []string) { // PORT: serves until it is signalled
		l, err := net.Listen("tcp", "127.0.0.1:"+a[0])
		if err != nil {
			fail(err)
		}
		_, _ = fmt.Println("serving on", a[0]) //nolint:forbidigo // a server's log
		for {
			c, err := l.Accept()
			if err != nil {
				fail(err)
			}
			_, _ = c.Read(make([]byte, 1024))
			_, _ = c.Write([]byte("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
			_ = c.Close()
		}
	},
	"fail": func(a []string) { // STATUS
		for i := range 20 {
			_, _ = fmt.Fprintln(os.Stderr, "line", i+1)
		}
		status, _ := strconv.Atoi(a[0])
		os.Exit(status)
	},
	"stubborn": func(a []string) { // FILE: ignores the stop signal, and has a detached grandchild that does too
		signal.Ignore(syscall.SIGTERM)
		detach("middle", a[0])
		record(a[0])
		select {}
	},
	"middle": func(a []string) { // starts the grandchild and ends: the grandchild is an orphan
		detach("grandchild", a[0])
	},
	"grandchild": func(a []string) {
		signal.Ignore(syscall.SIGTERM)
		record(a[0])
		select {}
	},
	"daemon": func(a []string) { detach("grandchild", a[0]) },
	"owner": func(a []string) { // FILE: a whole Manager with a stubborn server, to be killed
		m := New(result.Plan{Targets: []result.Target{stubborn(a[0])}}, Options{Self: os.Args[0], LogDir: filepath.Dir(a[0])})
		if _, _, err := m.Start(context.Background(), 0); err != nil {
			fail(err)
		}
		_ = os.WriteFile(a[0]+".up", nil, 0o600)
		select {}
	},
}

func fail(err error) {
	_, _ = fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// detach starts the test binary again in a session of its own.
func detach(mode, file string) {
	cmd := exec.Command(os.Args[0], "helper", mode, file)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		fail(err)
	}
}

// record adds this process's id to a file.
func record(file string) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		fail(err)
	}
	_, _ = fmt.Fprintln(f, os.Getpid())
	_ = f.Close()
}

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == superviseCommand {
		os.Exit(SuperviseMain(os.Args[2:]))
	}
	if len(os.Args) > 2 && os.Args[1] == "helper" {
		helpers[os.Args[2]](os.Args[3:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// stubborn is a target whose server and detached grandchild write their ids to file and ignore SIGTERM; it is ready
// when both have.
func stubborn(file string) result.Target {
	return result.Target{Name: "t", URL: "http://127.0.0.1:1/", Servers: []result.Server{{
		Name: "s", Start: []string{"{self}", "helper", "stubborn", file},
		Ready: result.Ready{Command: []string{"/bin/sh", "-c", `test "$(wc -l <` + file + `)" -ge 2`}, TimeoutSeconds: 60},
		Stop:  result.Stop{GraceSeconds: 0.2},
	}}}
}

func manager(t *testing.T, targets ...result.Target) *Manager {
	t.Helper()
	m := New(result.Plan{Targets: targets}, Options{Self: os.Args[0], LogDir: t.TempDir()})
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// recorded reads the process ids of a file.
func recorded(t *testing.T, file string) []int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for s := range strings.FieldsSeq(string(text)) {
		pid, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}

func alive(pid int) bool {
	_, ok := readStat(pid)
	return ok
}

// eventually polls until ok holds.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatal(errors.New("never: " + what))
}

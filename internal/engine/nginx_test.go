//go:build unix

package engine

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// nginx is a real server that writes down what it did, as the truth to compare our counts with.
type nginx struct {
	dir  string
	addr string
	cmd  *exec.Cmd
}

const nginxConf = `daemon off; %[1]s worker_processes 1; pid %[2]s/pid; error_log %[2]s/error.log;
events { worker_connections 1024; }
http {
  log_format truth "$status $body_bytes_sent $request_completion";
  access_log %[2]s/access.log truth;
  keepalive_requests 100000000;
  client_body_temp_path %[2]s/b; proxy_temp_path %[2]s/p; fastcgi_temp_path %[2]s/f; uwsgi_temp_path %[2]s/u; scgi_temp_path %[2]s/s;
  server { listen %[3]s backlog=4096; root %[2]s; }
}
`

// startNginx serves a page of size bytes until the test ends.
func startNginx(t *testing.T, size int) *nginx {
	t.Helper()
	if testing.Short() {
		t.Skip("measures a real server")
	}
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/local/sbin:/usr/sbin:/sbin")
	if _, err := exec.LookPath("nginx"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("nginx is not installed; make test installs it")
		}
		t.Skip("nginx is not installed; make test installs it")
	}
	s := &nginx{dir: t.TempDir(), addr: closedPort(t)}
	user := ""
	if os.Getuid() == 0 {
		user = "user root;" // the temporary folder is nobody else's
	}
	if err := os.WriteFile(filepath.Join(s.dir, "page"), bytes.Repeat([]byte("x"), size), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "conf"), fmt.Appendf(nil, nginxConf, user, s.dir, s.addr), 0o644); err != nil {
		t.Fatal(err)
	}
	s.start(t)
	t.Cleanup(func() { s.stop(t) })
	return s
}

func (s *nginx) url() string { return "http://" + s.addr + "/page" }

func (s *nginx) start(t *testing.T) {
	t.Helper()
	s.cmd = exec.CommandContext(context.WithoutCancel(t.Context()), "nginx", "-p", s.dir, "-c", filepath.Join(s.dir, "conf"))
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		c, err := net.Dial("tcp", s.addr)
		if err == nil {
			_ = c.Close()
			return
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// stop ends nginx; when it has ended, its log is complete.
func (s *nginx) stop(t *testing.T) {
	t.Helper()
	if s.cmd == nil {
		return
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Error(err)
	}
	s.cmd = nil
}

// whole is how many 200 replies the log says were sent in full.
func (s *nginx) whole(t *testing.T, size int) int64 {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(s.dir, "access.log"))
	if err != nil {
		t.Fatal(err)
	}
	return int64(strings.Count(string(data), fmt.Sprintf("200 %d OK\n", size)))
}

// TestAccessLogAgrees: in runs of n requests the server counts what we count, exactly.
func TestAccessLogAgrees(t *testing.T) {
	const size, n = 345, 1009
	s := startNginx(t, size)
	var sent int64
	for trial := range 20 {
		v := variants[trial%len(variants)]
		m := measure(t, Config{Path: v.path, URL: s.url(), KeepAlive: v.keep, Requests: n, Concurrency: 1 + 7*trial})
		wantErrors(t, m, nil)
		if *m.OK != n || *m.BodyBytes != n*size {
			t.Errorf("trial %d: ok %d of %d bytes", trial, *m.OK, *m.BodyBytes)
		}
		sent += *m.OK
	}
	s.stop(t)
	if log := s.whole(t, size); log != sent {
		t.Errorf("nginx logged %d replies, we counted %d", log, sent)
	}
}

// TestRestartsLeaveNoDoubt: when the server is restarted under load, what it logged as sent lies between what we know we
// got and that with the attempts whose end we did not see.
func TestRestartsLeaveNoDoubt(t *testing.T) {
	const size = 50000
	for _, v := range variants {
		t.Run(fmt.Sprintf("%s/keep=%v", v.path, v.keep), func(t *testing.T) {
			s := startNginx(t, size)
			done := make(chan result.Measurement, 1)
			go func() {
				m, _ := Run(t.Context(), Config{
					Path: v.path, URL: s.url(), KeepAlive: v.keep, Concurrency: 20, Duration: 1500 * time.Millisecond, Timeout: 10 * time.Second,
				})
				done <- m
			}()
			for range 3 {
				time.Sleep(200 * time.Millisecond) // under load; when exactly does not matter
				s.stop(t)
				s.start(t)
			}
			m := <-done
			if m.OK == nil {
				t.Fatal("no measurement")
			}
			checkSums(t, Config{Duration: 1}, m)
			s.stop(t)
			log, most := s.whole(t, size), *m.OK
			for _, class := range []result.ErrorClass{result.ErrReset, result.ErrTruncated, result.ErrTimeout, result.ErrUnfinished} {
				most += m.Errors[string(class)]
			}
			if *m.OK == 0 || m.Aborted || log < *m.OK || log > most {
				t.Errorf("nginx logged %d whole replies; we counted %d ok, %d at most (%v, aborted %v)", log, *m.OK, most, m.Errors, m.Aborted)
			}
		})
	}
}

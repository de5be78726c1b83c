//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"time"

	"github.com/benchstat-http/benchstat-http/internal/engine"
)

// serverCPU and clientCPU are the processors that the two sides are bound to.
const (
	serverCPU = "0"
	clientCPU = "1"
)

// cost is what one run cost the client.
type cost struct {
	requests  int64
	user, sys float64 // µs per request
	seconds   float64 // wall
	rss       float64 // MB
}

func (c cost) total() float64 { return c.user + c.sys }

// series is all runs of a scenario; runs[i][j] is client i in round j.
type series struct {
	scenario
	runs [][]cost
}

type bench struct {
	dir    string
	length time.Duration
	rounds int
	rng    *rand.Rand
	self   string
	loop   string
	port   int
	nginx  *exec.Cmd
}

const nginxConf = `worker_processes 1; daemon off; pid %[1]s/pid; error_log %[1]s/error.log;
events { worker_connections 20000; }
http { access_log off; sendfile on; keepalive_requests 1000000000; client_body_temp_path %[1]s/body;
proxy_temp_path %[1]s/p; fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u; scgi_temp_path %[1]s/s;
server { listen 127.0.0.1:%[2]d backlog=16384; root %[1]s/html; } }
`

// prepare starts nginx and builds the client that does the least.
func (b *bench) prepare(ctx context.Context) error {
	var err error
	if b.self, err = os.Executable(); err != nil {
		return err
	}
	html := filepath.Join(b.dir, "html")
	if err := errors.Join(os.Chmod(b.dir, 0o755), os.Mkdir(html, 0o755)); err != nil {
		return err
	}
	for name, size := range map[string]int{"small": 345, "1m": 1 << 20, "18m": 18 << 20} {
		if err := os.WriteFile(filepath.Join(html, name), bytes.Repeat([]byte("x"), size), 0o644); err != nil {
			return err
		}
	}
	b.loop = filepath.Join(b.dir, "epoll")
	if out, err := exec.CommandContext(ctx, "gcc", "-O2", "-o", b.loop, "internal/enginebench/testdata/epoll.c").CombinedOutput(); err != nil {
		return fmt.Errorf("compile the C loop (run this from the module's root): %w: %s", err, out)
	}
	if b.port, err = freePort(ctx); err != nil {
		return err
	}
	conf := filepath.Join(b.dir, "nginx.conf")
	if err := os.WriteFile(conf, fmt.Appendf(nil, nginxConf, b.dir, b.port), 0o644); err != nil {
		return err
	}
	b.nginx = exec.CommandContext(ctx, "taskset", "-c", serverCPU, "nginx", "-p", b.dir, "-c", conf)
	b.nginx.Cancel = func() error { return b.nginx.Process.Signal(syscall.SIGTERM) }
	if err := b.nginx.Start(); err != nil {
		return err
	}
	return b.ready(ctx)
}

func freePort(ctx context.Context) (int, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func (b *bench) ready(ctx context.Context) error {
	var err error
	for range 100 {
		var c net.Conn
		if c, err = new(net.Dialer).DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(b.port))); err == nil {
			return c.Close()
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("wait for nginx: %w", err)
}

func (b *bench) stop() {
	_ = b.nginx.Process.Signal(syscall.SIGTERM)
	_ = b.nginx.Wait()
}

// measure runs all rounds of a scenario.
func (b *bench) measure(ctx context.Context, s scenario) (series, error) {
	out := series{scenario: s, runs: make([][]cost, len(s.clients))}
	for round := range b.rounds {
		for _, i := range b.rng.Perm(len(s.clients)) {
			c, err := b.one(ctx, s, s.clients[i])
			if err != nil {
				return out, fmt.Errorf("%s, %s: %w", s.name, s.clients[i].name, err)
			}
			out.runs[i] = append(out.runs[i], c)
			_, _ = fmt.Fprintf(os.Stderr, "%s, round %d of %d: %s %.2f µs/request (user %.2f), %.0f/s\n",
				s.name, round+1, b.rounds, s.clients[i].name, c.total(), c.user, float64(c.requests)/c.seconds)
		}
	}
	return out, nil
}

// one runs a client once, and waits for its exit to know what it used.
func (b *bench) one(ctx context.Context, s scenario, c client) (cost, error) {
	args := c.args(b, s)
	cmd := exec.CommandContext(ctx, "taskset", append([]string{"-c", clientCPU}, args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return cost{}, err
	}
	exited := make(chan struct{})
	peak := make(chan float64)
	go func() { peak <- watchMemory(cmd.Process.Pid, exited) }()
	err := cmd.Wait()
	wall := time.Since(start).Seconds()
	close(exited)
	rss := <-peak
	if err != nil {
		return cost{}, fmt.Errorf("%w: %s", err, stderr.String())
	}
	n, err := count(c.requests, stdout.String())
	if err != nil {
		return cost{}, err
	}
	return cost{
		requests: n, seconds: wall, rss: rss,
		user: cmd.ProcessState.UserTime().Seconds() / float64(n) * 1e6,
		sys:  cmd.ProcessState.SystemTime().Seconds() / float64(n) * 1e6,
	}, nil
}

// watchMemory is the most memory that a process held, in MB, as it says every 50 ms. What wait returns would hold the memory
// of this process too, from before the client's program was loaded.
func watchMemory(pid int, exited <-chan struct{}) float64 {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	most := 0.0
	for {
		select {
		case <-exited:
			return most
		case <-tick.C:
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			if err != nil {
				continue
			}
			if m := highWater.FindSubmatch(status); m != nil {
				if kb, err := strconv.ParseFloat(string(m[1]), 64); err == nil {
					most = kb / 1024
				}
			}
		}
	}
}

var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// count is how many requests a client says it made.
func count(pattern *regexp.Regexp, out string) (int64, error) {
	m := pattern.FindStringSubmatch(out)
	if m == nil {
		return 0, fmt.Errorf("no count of requests in %q", out)
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	if err == nil && n == 0 {
		err = errors.New("no request was answered")
	}
	return n, err
}

// sendLoad is this program as a client.
func sendLoad(ctx context.Context, url, path string, conns int, keep bool, length time.Duration) error {
	m, err := engine.Run(ctx, engine.Config{
		URL: url, Path: path, Concurrency: conns, KeepAlive: keep, Duration: length, Timeout: time.Minute,
	})
	if err != nil {
		return err
	}
	if *m.Failed > 0 {
		return fmt.Errorf("%d requests failed: %s", *m.Failed, m.FirstError)
	}
	_, err = fmt.Fprintf(os.Stdout, "%d requests\n", *m.OK)
	return err
}

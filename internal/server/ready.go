package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

const (
	defaultReadyTimeout = 10 * time.Second
	firstPoll           = 20 * time.Millisecond
	slowestPoll         = 100 * time.Millisecond
	probeTimeout        = 2 * time.Second        // of one attempt
	inUseTimeout        = 200 * time.Millisecond // for a connect before the start
	logLimit            = 4 << 20                // bytes of a log in which the ready line is looked for
)

// probe is one way to find out whether a server is ready: nil means yes, an error says what was found instead.
type probe func(ctx context.Context) error

// newProbe returns the probe that the plan asks for, and the address that becomes reachable with it ("" if that is
// not known).
func newProbe(s result.Server, targetURL, logPath string, env []string) (probe, string, error) {
	r := s.Ready
	switch {
	case r.URL != "":
		addr, err := address(r.URL)
		return urlProbe(r.URL), addr, err
	case r.TCP != "":
		return tcpProbe(r.TCP), r.TCP, nil
	case r.Log != "":
		pattern, err := regexp.Compile("(?m)" + r.Log)
		if err != nil {
			return nil, "", fmt.Errorf("read the ready log pattern: %w", err)
		}
		return logProbe(pattern, logPath), "", nil
	case len(r.Command) > 0:
		return commandProbe(s, env), "", nil
	}
	addr, err := address(targetURL)
	return tcpProbe(addr), addr, err
}

func tcpProbe(addr string) probe {
	return func(ctx context.Context) error {
		var d net.Dialer
		c, err := d.DialContext(ctx, "tcp", addr)
		if err != nil {
			return err
		}
		return c.Close()
	}
}

// urlProbe asks for a complete reply that is not a server error. A certificate is not checked: the question is only
// whether the server answers.
func urlProbe(target string) probe {
	client := &http.Client{
		Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
	return func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
		if err != nil {
			return err
		}
		reply, err := client.Do(req)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, reply.Body)
		if err = errors.Join(err, reply.Body.Close()); err != nil {
			return err
		}
		if reply.StatusCode >= 500 {
			return fmt.Errorf("GET %s answers %s", target, reply.Status)
		}
		return nil
	}
}

func logProbe(pattern *regexp.Regexp, path string) probe {
	return func(context.Context) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		text, err := io.ReadAll(io.LimitReader(f, logLimit))
		if err != nil {
			return err
		}
		if !pattern.Match(text) {
			return errors.New("its log has no line that matches the ready pattern")
		}
		return nil
	}
}

func commandProbe(s result.Server, env []string) probe {
	argv := s.Ready.Command
	return func(ctx context.Context) error {
		check := s
		check.Start, check.Shell = argv, false
		path, _, err := command(check)
		if err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, path, argv[1:]...)
		cmd.Dir, cmd.Env, cmd.WaitDelay = s.Dir, env, probeTimeout
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("ready command %s: %w", argv[0], err)
		}
		return nil
	}
}

// await polls until the server is ready, dies, or takes too long. Its death is noticed at once, even during an attempt.
func (p *process) await(ctx context.Context, ask probe) error {
	limit := seconds(p.server.Ready.TimeoutSeconds)
	if limit <= 0 {
		limit = defaultReadyTimeout
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	go func() {
		select {
		case <-p.done:
		case <-p.dead:
		case <-timed.Done():
		}
		cancel()
	}()
	var last error
	for wait := firstPoll; ; wait = min(wait*5/4, slowestPoll) {
		attempt, end := context.WithTimeout(timed, probeTimeout)
		err := ask(attempt)
		end()
		// A server that forks and dies may have a stranger answering for it: being alive is part of being ready.
		if how := p.death(); how != "" {
			return withTail(p.name+" "+how+" before it was ready", p.log)
		}
		if err == nil {
			return nil
		}
		if last == nil || timed.Err() == nil {
			last = err
		}
		select {
		case <-timed.Done():
		case <-time.After(wait):
		}
		switch how := p.death(); {
		case how != "":
			return withTail(p.name+" "+how+" before it was ready", p.log)
		case ctx.Err() != nil:
			return fmt.Errorf("wait for %s: %w", p.name, context.Cause(ctx))
		case timed.Err() != nil:
			return withTail(fmt.Sprintf("%s was not ready after %v (%v)", p.name, limit, last), p.log)
		}
	}
}

// accepts reports whether something listens on the address.
func accepts(ctx context.Context, addr string) bool {
	ctx, cancel := context.WithTimeout(ctx, inUseTimeout)
	defer cancel()
	return tcpProbe(addr)(ctx) == nil
}

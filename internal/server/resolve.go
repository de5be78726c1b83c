package server

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// systemFolders hold servers on many systems, but are not in the PATH of an unprivileged user.
var systemFolders = []string{"/usr/local/sbin", "/usr/sbin", "/sbin"}

// mentions reports whether a target needs a port chosen for it.
func mentions(t result.Target, placeholder string) bool {
	if strings.Contains(t.URL, placeholder) {
		return true
	}
	return slices.ContainsFunc(t.Servers, func(s result.Server) bool {
		texts := slices.Concat(s.Start, s.Ready.Command, []string{s.Ready.URL, s.Ready.TCP})
		for _, v := range s.Env {
			texts = append(texts, v)
		}
		return slices.ContainsFunc(texts, func(v string) bool { return strings.Contains(v, placeholder) })
	})
}

// replacer puts the chosen port and the path of this program into a target's texts.
func replacer(port int, self string) *strings.Replacer {
	pairs := []string{"{self}", self}
	if port != 0 {
		pairs = append(pairs, "{port}", strconv.Itoa(port))
	}
	return strings.NewReplacer(pairs...)
}

func replaceAll(r *strings.Replacer, texts []string) []string {
	out := make([]string, len(texts))
	for i, s := range texts {
		out[i] = r.Replace(s)
	}
	return out
}

// resolved returns the server with every placeholder replaced.
func resolved(s result.Server, r *strings.Replacer) result.Server {
	s.Start = replaceAll(r, s.Start)
	env := make(map[string]string, len(s.Env))
	for k, v := range s.Env {
		env[k] = r.Replace(v)
	}
	s.Env = env
	s.Ready.URL, s.Ready.TCP = r.Replace(s.Ready.URL), r.Replace(s.Ready.TCP)
	s.Ready.Command = replaceAll(r, s.Ready.Command)
	return s
}

// environment is that of this program, then PORT if a port was chosen, then the server's own; the last value of a
// name counts.
func environment(s result.Server, port int, token string) []string {
	env := os.Environ()
	if port != 0 {
		env = append(env, "PORT="+strconv.Itoa(port))
	}
	for _, k := range slices.Sorted(maps.Keys(s.Env)) {
		env = append(env, k+"="+s.Env[k])
	}
	return append(env, tokenVariable+"="+token)
}

// command checks what can be known before a server is started, and returns the executable and its arguments.
func command(s result.Server) (path string, argv []string, err error) {
	if len(s.Start) == 0 {
		return "", nil, errors.New("nothing to start")
	}
	if err := checkSignal(s.Stop.Signal); err != nil {
		return "", nil, err
	}
	if s.Dir != "" {
		if info, err := os.Stat(s.Dir); err != nil {
			return "", nil, fmt.Errorf("working folder %s: %w", s.Dir, cause(err))
		} else if !info.IsDir() {
			return "", nil, fmt.Errorf("working folder %s: not a folder", s.Dir)
		}
	}
	argv = s.Start
	if s.Shell {
		argv = []string{"/bin/sh", "-c", strings.Join(s.Start, " ")}
	}
	path, err = findExecutable(argv[0], s)
	return path, argv, err
}

// findExecutable looks a name up in the server's PATH and then in the system folders; a name with a slash is relative
// to the server's working folder.
func findExecutable(name string, s result.Server) (string, error) {
	if runtime.GOOS == "windows" {
		return exec.LookPath(name)
	}
	if strings.Contains(name, "/") {
		full := name
		if !filepath.IsAbs(full) {
			full = filepath.Join(s.Dir, name)
		}
		return full, executable(full)
	}
	searched := cmp.Or(s.Env["PATH"], os.Getenv("PATH"))
	for _, folder := range append(filepath.SplitList(searched), systemFolders...) {
		full := filepath.Join(cmp.Or(folder, "."), name)
		if executable(full) == nil {
			return filepath.Abs(full)
		}
	}
	return "", fmt.Errorf("%s: executable file not found in $PATH", name)
}

func executable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", path, cause(err))
	case info.IsDir():
		return fmt.Errorf("%s: is a folder, not a program", path)
	case info.Mode()&0o111 == 0:
		return fmt.Errorf("%s: not executable", path)
	}
	return nil
}

// cause strips the verb and the path that an error of package os repeats.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// address is the host and port of a URL.
func address(raw string) (string, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return "", fmt.Errorf("read the address of %s: %w", raw, err)
	}
	if u.Hostname() == "" {
		return "", fmt.Errorf("read the address of %s: no host", raw)
	}
	port := u.Port()
	if port == "" {
		port = "80"
		if u.Scheme == "https" {
			port = "443"
		}
	}
	return net.JoinHostPort(u.Hostname(), port), nil
}

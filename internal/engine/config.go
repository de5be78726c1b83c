package engine

import (
	"context"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"strings"
	"time"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// Config says what one run of load sends, and what a reply must be.
type Config struct {
	URL     string
	Method  string // "" = GET
	Headers []result.Header
	Body    []byte
	HTTP    string // "1.1" (or "") | "1.0"

	// The run ends after Requests attempts; when Duration is not 0, it ends then, and Requests is ignored.
	Requests    int64
	Duration    time.Duration
	Concurrency int // connections at most, ≥ 1; more than Requests are not opened
	// Rate above 0 makes the load an open loop: requests are due at Rate per second, and each is sent when it is due, on a
	// free connection if there is one, else on a new one, else as soon as one is free.
	Rate      float64
	Arrivals  string // result.ArrivalsConstant (or "") | result.ArrivalsPoisson
	Seed      uint64 // of Poisson arrivals
	KeepAlive bool

	Timeout        time.Duration // no progress on a connection for this long; 0 = none
	RequestTimeout time.Duration // a whole request, its connect included; 0 = none

	Expect result.Expect // MaxFailed is not used here

	// Path is "" for the fastest path that can send the load, or "portable".
	Path string

	// TLS is the configuration for https, cloned; nil = the system's roots, with the server's name verified.
	TLS *tls.Config
	// Resolve looks the URL's host name up; nil = the system's resolver. It is called once, before the run.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)
	// Progress, when not nil, is called about every 100 ms, and at the end, with the number of requests ended so far.
	Progress func(done int64)
}

// check reports the first thing in c that no load can be sent with.
func (c *Config) check() error {
	switch {
	case c.Concurrency < 1:
		return fmt.Errorf("start run: concurrency %d is below 1", c.Concurrency)
	case c.Duration < 0 || c.Timeout < 0 || c.RequestTimeout < 0:
		return errors.New("start run: a duration or a timeout is negative")
	case c.Duration == 0 && c.Requests < 1:
		return fmt.Errorf("start run: %d requests and no duration", c.Requests)
	case !(c.Rate >= 0) || math.IsInf(c.Rate, 0):
		return fmt.Errorf("start run: rate %v is not a number of requests per second", c.Rate)
	case c.Arrivals != "" && c.Arrivals != result.ArrivalsConstant && c.Arrivals != result.ArrivalsPoisson:
		return fmt.Errorf("start run: arrivals %q are neither constant nor poisson", c.Arrivals)
	case c.HTTP != "" && c.HTTP != "1.1" && c.HTTP != "1.0":
		return fmt.Errorf("start run: HTTP version %q is neither 1.1 nor 1.0", c.HTTP)
	case c.Path != "" && c.Path != pathPortable:
		return fmt.Errorf("start run: path %q is neither portable nor empty", c.Path)
	case c.Expect.SHA256 != "" && !isSHA256(c.Expect.SHA256):
		return fmt.Errorf("start run: expected sha256 %q is not 64 hexadecimal digits", c.Expect.SHA256)
	}
	return nil
}

func isSHA256(s string) bool {
	sum, err := hex.DecodeString(strings.ToLower(s))
	return err == nil && len(sum) == 32
}

// limit is the time within which an attempt must end when nothing comes back; 0 = it need not.
func (c *Config) limit() time.Duration {
	if c.RequestTimeout > 0 && (c.Timeout == 0 || c.RequestTimeout < c.Timeout) {
		return c.RequestTimeout
	}
	return c.Timeout
}

// connections is how many connections are opened at most.
func (c *Config) connections() int {
	if c.Duration == 0 && c.Requests < int64(c.Concurrency) {
		return int(c.Requests)
	}
	return c.Concurrency
}

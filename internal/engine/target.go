package engine

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"sync/atomic"
)

// target is where connections are made to.
type target struct {
	url    *url.URL
	host   string // name or address, without port, brackets and zone kept as needed for dialling
	port   uint16
	tls    *tls.Config            // nil = plain
	addrs  []string               // "address:port", resolved once, in the resolver's order
	chosen atomic.Pointer[string] // the first of addrs that a connection was made to
	dialer net.Dialer
}

// newTarget reads the URL. Only http and https can be loaded.
func newTarget(c *Config) (*target, error) {
	u, err := url.Parse(c.URL)
	if err != nil {
		return nil, fmt.Errorf("read URL: %w", err)
	}
	t := &target{url: u, host: u.Hostname()}
	switch u.Scheme {
	case "http":
		t.port = 80
	case "https":
		t.port = 443
		t.tls = tlsConfig(c.TLS, t.host)
	default:
		return nil, fmt.Errorf("read URL: scheme %q of %q is neither http nor https", u.Scheme, u.Redacted())
	}
	if t.host == "" {
		return nil, fmt.Errorf("read URL: %q has no host", u.Redacted())
	}
	if p := u.Port(); p != "" {
		port, err := strconv.ParseUint(p, 10, 16)
		if err != nil || port == 0 {
			return nil, fmt.Errorf("read URL: port %q is not in 1 … 65535", p)
		}
		t.port = uint16(port)
	}
	t.dialer.KeepAlive = -1 // probes would come after any idle limit, and cost calls on every connect
	return t, nil
}

func tlsConfig(base *tls.Config, host string) *tls.Config {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if base != nil {
		config = base.Clone()
	}
	if config.ServerName == "" {
		config.ServerName = host
	}
	if len(config.NextProtos) == 0 {
		config.NextProtos = []string{"http/1.1"}
	}
	return config
}

// resolve fills addrs. An address in the URL needs no look-up.
func (t *target) resolve(ctx context.Context, look func(context.Context, string) ([]netip.Addr, error)) error {
	if a, err := netip.ParseAddr(t.host); err == nil {
		t.addrs = []string{netip.AddrPortFrom(a, t.port).String()}
		return nil
	}
	if look == nil {
		look = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	found, err := look(ctx, t.host)
	if err != nil {
		return err
	}
	for _, a := range found {
		t.addrs = append(t.addrs, netip.AddrPortFrom(a.Unmap(), t.port).String())
	}
	if len(t.addrs) == 0 {
		return &net.DNSError{Err: "no address", Name: t.host, IsNotFound: true}
	}
	return nil
}

// dial connects to the chosen address, or, before there is one, to the first that answers: all connections of a run go
// to one address. alive is called before every attempt, so that each address has the whole idle limit.
func (t *target) dial(ctx context.Context, alive func()) (net.Conn, error) {
	if a := t.chosen.Load(); a != nil {
		return t.dialer.DialContext(ctx, "tcp", *a)
	}
	var errs []error
	for i := range t.addrs {
		alive()
		conn, err := t.dialer.DialContext(ctx, "tcp", t.addrs[i])
		if err == nil {
			t.chosen.CompareAndSwap(nil, &t.addrs[i])
			return conn, nil
		}
		errs = append(errs, err)
		if ctx.Err() != nil {
			break
		}
	}
	if len(errs) == 1 {
		return nil, errs[0]
	}
	return nil, errors.Join(errs...)
}

package main

import (
	"context"
	"fmt"
	"net"
	"net/url"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// announcePublic prints, before any load is sent, how many requests each target with a public address will get.
func announcePublic(ctx context.Context, s streams, plan result.Plan) error {
	for _, t := range plan.Targets {
		u, err := url.Parse(t.URL)
		if err != nil || !isPublic(ctx, u.Hostname()) {
			continue // {port} stands only in addresses of servers that we start here
		}
		_, err = fmt.Fprintf(s.err, "note: %s is a public address; it will be sent %s\n", u.Hostname(), totalLoad(t, plan.Blocks))
		if err != nil {
			return err
		}
	}
	return nil
}

// totalLoad describes everything that the plan sends to a target.
func totalLoad(t result.Target, trials int) string {
	warm := int64(trials) * t.Warmup.Requests
	if t.Load.DurationSeconds > 0 {
		return fmt.Sprintf("%d warm-up requests, and load for %g s", warm, float64(trials)*t.Load.DurationSeconds)
	}
	return fmt.Sprintf("%d requests (%d of them warm-up)", warm+int64(trials)*t.Load.Requests, warm)
}

// isPublic reports whether any address of host lies outside loopback, private and link-local networks.
func isPublic(ctx context.Context, host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return public(ip)
	}
	addresses, err := net.DefaultResolver.LookupIPAddr(ctx, host)
	if err != nil {
		return false // no load can reach it
	}
	for _, a := range addresses {
		if public(a.IP) {
			return true
		}
	}
	return false
}

func public(ip net.IP) bool {
	return !ip.IsLoopback() && !ip.IsPrivate() && !ip.IsLinkLocalUnicast() && !ip.IsUnspecified() && !ip.IsMulticast()
}

package server

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
)

// Ports are taken below the range from which clients get theirs (32768 and up on Linux), so that no connection of a
// load generator can sit on a server's port while the server restarts.
const (
	lowestPort  = 20000
	portChoices = 10000
	portTries   = 200
)

// freePort finds a TCP port of 127.0.0.1 on which nobody listens and that is not in taken.
func freePort(ctx context.Context, taken map[int]bool) (int, error) {
	var last error
	for range portTries {
		port := lowestPort + rand.IntN(portChoices)
		if taken[port] {
			continue
		}
		var config net.ListenConfig
		l, err := config.Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			last = err
			continue
		}
		return port, l.Close()
	}
	return 0, fmt.Errorf("find a free port on 127.0.0.1: %w", last)
}

package demoserver

import (
	"context"
	"sync/atomic"
	"time"
)

// coarse is how late the runtime's timers may be: Linux's are polled in whole milliseconds. The rest of a wait is left
// to nap, which is exact.
const coarse = 1200 * time.Microsecond

// napping is set while a goroutine naps. A nap may keep a processor from the others for its whole length, and naps of
// several at once would stall the server.
var napping atomic.Bool

// waitUntil returns at the deadline, or false when ctx is done before. A late return delays one reply, not the queue:
// the next deadline is already fixed. So only a request that did not queue, whose client sees its service time, is
// worth an exact wait.
func waitUntil(ctx context.Context, deadline time.Time, exact bool) bool {
	left := time.Until(deadline)
	if exact {
		left -= coarse
	}
	if left > 0 {
		timer := time.NewTimer(left)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return false
		case <-timer.C:
		}
	}
	for {
		left := time.Until(deadline)
		switch {
		case left <= 0:
			return true
		case exact && napping.CompareAndSwap(false, true):
			nap(left)
			napping.Store(false)
		default:
			time.Sleep(left)
		}
	}
}

package demoserver

import (
	"time"

	"golang.org/x/sys/unix"
)

// nap sleeps in the kernel, to within the time it takes to wake a thread, at the cost of one. The thread's timer slack,
// 50 µs by default, is taken from it for good: it may be another thread at every nap.
func nap(d time.Duration) {
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	ts := unix.NsecToTimespec(int64(d))
	_ = unix.Nanosleep(&ts, nil) // waking up early is fine: the caller looks at the clock
}

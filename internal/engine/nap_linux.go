package engine

import (
	"time"

	"golang.org/x/sys/unix"
)

// nap sleeps on the caller's thread: the runtime's own timers may be a millisecond late.
func nap(d time.Duration) {
	ts := unix.NsecToTimespec(int64(d))
	_ = unix.Nanosleep(&ts, nil) // waking up early is fine: the caller looks at the clock
}

// keepTime has the kernel wake this thread when it should, not up to 50 µs later.
func keepTime() { _ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0) }

// loseTime takes keepTime back: 0 is the default.
func loseTime() { _ = unix.Prctl(unix.PR_SET_TIMERSLACK, 0, 0, 0, 0) }

//go:build unix

package engine

import "syscall"

// cpuSeconds is the user and system time that this process has used; nil where it is not known.
func cpuSeconds() *float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return nil
	}
	used := float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
	return &used
}

//go:build !windows

package engine

import "syscall"

// What the operating system calls the conditions that classify tells apart.
var (
	errAddressUnavailable = []syscall.Errno{syscall.EADDRNOTAVAIL, syscall.EADDRINUSE, syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS}
	errTimedOut           = []syscall.Errno{syscall.ETIMEDOUT}
	errLost               = []syscall.Errno{syscall.EPIPE, syscall.ECONNRESET, syscall.ECONNABORTED}
)

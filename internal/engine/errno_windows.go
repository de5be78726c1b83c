package engine

import "syscall"

// What the operating system calls the conditions that classify tells apart. The names of package syscall for most of
// them are inventions on Windows, so these are the numbers of Winsock.
var (
	errAddressUnavailable = []syscall.Errno{
		10049, // WSAEADDRNOTAVAIL
		10048, // WSAEADDRINUSE
		10024, // WSAEMFILE
		10055, // WSAENOBUFS
	}
	errTimedOut = []syscall.Errno{10060}                                                 // WSAETIMEDOUT
	errLost     = []syscall.Errno{syscall.WSAECONNRESET, syscall.WSAECONNABORTED, 10058} // 10058: WSAESHUTDOWN
)

//go:build linux && !portable

package engine

import (
	"net"
	"net/netip"
	"os"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The calls below go to the kernel without telling the Go scheduler: none of them blocks, or, for await, the scheduler
// has another processor meanwhile. Telling it costs more than the program's own work per request.

// sockaddr is an address as connect takes it.
type sockaddr struct {
	family int
	name   string // "address:port"
	v4     unix.RawSockaddrInet4
	v6     unix.RawSockaddrInet6
}

// newSockaddr reads "address:port"; false for a zone that this machine does not have.
func newSockaddr(s string) (sockaddr, bool) {
	a, err := netip.ParseAddrPort(s)
	if err != nil {
		return sockaddr{}, false
	}
	port := [2]byte{byte(a.Port() >> 8), byte(a.Port())}
	if a.Addr().Is4() {
		out := sockaddr{family: unix.AF_INET, name: s}
		out.v4 = unix.RawSockaddrInet4{Family: unix.AF_INET, Addr: a.Addr().As4()}
		*(*[2]byte)(unsafe.Pointer(&out.v4.Port)) = port
		return out, true
	}
	out := sockaddr{family: unix.AF_INET6, name: s}
	out.v6 = unix.RawSockaddrInet6{Family: unix.AF_INET6, Addr: a.Addr().As16()}
	*(*[2]byte)(unsafe.Pointer(&out.v6.Port)) = port
	if zone := a.Addr().Zone(); zone != "" {
		index, err := strconv.Atoi(zone)
		if err != nil {
			device, err := net.InterfaceByName(zone)
			if err != nil {
				return sockaddr{}, false
			}
			index = device.Index
		}
		out.v6.Scope_id = uint32(index)
	}
	return out, true
}

func (s *sockaddr) raw() (unsafe.Pointer, uintptr) {
	if s.family == unix.AF_INET {
		return unsafe.Pointer(&s.v4), unix.SizeofSockaddrInet4
	}
	return unsafe.Pointer(&s.v6), unix.SizeofSockaddrInet6
}

func openSocket(family int) (int, syscall.Errno) {
	fd, _, errno := syscall.RawSyscall(unix.SYS_SOCKET, uintptr(family), unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	return int(fd), errno
}

func connectSocket(fd int, to *sockaddr) syscall.Errno {
	at, size := to.raw()
	_, _, errno := syscall.RawSyscall(unix.SYS_CONNECT, uintptr(fd), uintptr(at), size)
	return errno
}

func closeSocket(fd int) { _, _, _ = syscall.RawSyscall(unix.SYS_CLOSE, uintptr(fd), 0, 0) }

// noDelay sends the last, short segment of a request at once.
func noDelay(fd int) {
	on := int32(1)
	_, _, _ = syscall.RawSyscall6(unix.SYS_SETSOCKOPT, uintptr(fd), unix.IPPROTO_TCP, unix.TCP_NODELAY,
		uintptr(unsafe.Pointer(&on)), unsafe.Sizeof(on), 0)
}

// socketError is what became of a connect.
func socketError(fd int) syscall.Errno {
	value, size := int32(0), uint32(4)
	_, _, errno := syscall.RawSyscall6(unix.SYS_GETSOCKOPT, uintptr(fd), unix.SOL_SOCKET, unix.SO_ERROR,
		uintptr(unsafe.Pointer(&value)), uintptr(unsafe.Pointer(&size)), 0)
	if errno != 0 {
		return errno
	}
	return syscall.Errno(value)
}

func send(fd int, b []byte) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall6(unix.SYS_SENDTO, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)),
		unix.MSG_NOSIGNAL, 0, 0)
	return int(n), errno
}

func receive(fd int, b []byte) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall6(unix.SYS_RECVFROM, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), 0, 0, 0)
	return int(n), errno
}

// discard has the kernel drop up to n received bytes without copying them.
func discard(fd, n int) (int, syscall.Errno) {
	got, _, errno := syscall.RawSyscall6(unix.SYS_RECVFROM, uintptr(fd), 0, uintptr(n), unix.MSG_TRUNC, 0, 0)
	return int(got), errno
}

func control(epoll, op, fd int, event *unix.EpollEvent) syscall.Errno {
	_, _, errno := syscall.RawSyscall6(unix.SYS_EPOLL_CTL, uintptr(epoll), uintptr(op), uintptr(fd), uintptr(unsafe.Pointer(event)), 0, 0)
	return errno
}

// await returns how many events there are within the time; none when a signal came.
func await(epoll int, events []unix.EpollEvent, milliseconds int) int {
	n, _, errno := syscall.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(epoll), uintptr(unsafe.Pointer(unsafe.SliceData(events))),
		uintptr(len(events)), uintptr(milliseconds), 0, 0)
	if errno != 0 {
		return 0
	}
	return int(n)
}

// awaitExactly is await with a time in ns. A kernel without such a call (before 5.11) waits whole milliseconds, rounded
// down: the rest of the time passes with calls that do not wait.
func awaitExactly(epoll int, events []unix.EpollEvent, ns int64) int {
	if ns <= 0 {
		return await(epoll, events, 0)
	}
	within := unix.NsecToTimespec(ns)
	n, _, errno := syscall.RawSyscall6(unix.SYS_EPOLL_PWAIT2, uintptr(epoll), uintptr(unsafe.Pointer(unsafe.SliceData(events))),
		uintptr(len(events)), uintptr(unsafe.Pointer(&within)), 0, 0)
	if errno == unix.ENOSYS {
		return await(epoll, events, int(ns/1e6))
	}
	if errno != 0 {
		return 0
	}
	return int(n)
}

// explainErrno says which call failed, in the words of package net.
func explainErrno(op, call, remote string, errno syscall.Errno) error {
	to, err := net.ResolveTCPAddr("tcp", remote) // an address needs no look-up
	if err != nil {
		return os.NewSyscallError(call, errno)
	}
	return &net.OpError{Op: op, Net: "tcp", Addr: to, Err: os.NewSyscallError(call, errno)}
}

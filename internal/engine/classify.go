package engine

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"syscall"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// phase is how far an attempt had come when it failed.
type phase int

const (
	phaseConnect phase = iota
	phaseTLS
	phaseWrite // on a new connection
	phaseRead
)

// classify names the failure of an attempt. What the watch interrupted is not decided here (see reason.class).
func classify(err error, at phase) result.ErrorClass {
	switch at {
	case phaseConnect:
		return classifyConnect(err)
	case phaseTLS:
		return result.ErrTLS
	case phaseWrite:
		return result.ErrWrite
	default:
		return classifyRead(err)
	}
}

// classifyConnect: an unreachable host or network counts as refused, because it is an answer to the connect; a lack of
// file descriptors counts as no address left, because it too is a lack on this side.
func classifyConnect(err error) result.ErrorClass {
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns):
		return result.ErrDNS
	case isAny(err, errAddressUnavailable):
		return result.ErrAddressUnavailable
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded), isAny(err, errTimedOut):
		return result.ErrConnectTimeout
	}
	return result.ErrConnectRefused
}

func classifyRead(err error) result.ErrorClass {
	var (
		protocol protocolError
		record   tls.RecordHeaderError
		alert    tls.AlertError
		cert     *x509.UnknownAuthorityError
	)
	switch {
	case errors.Is(err, errTruncated):
		return result.ErrTruncated
	case errors.As(err, &protocol):
		return result.ErrProtocol
	case errors.As(err, &record), errors.As(err, &alert), errors.As(err, &cert):
		return result.ErrTLS
	case errors.Is(err, io.ErrUnexpectedEOF):
		return result.ErrTruncated
	case isAny(err, errTimedOut), errors.Is(err, os.ErrDeadlineExceeded):
		return result.ErrTimeout
	}
	return result.ErrReset // reset by the peer, or closed before the first byte
}

// lost reports whether a write failed because the peer had ended the connection.
func lost(err error) bool { return isAny(err, errLost) || errors.Is(err, io.ErrClosedPipe) }

func isAny(err error, codes []syscall.Errno) bool {
	for _, code := range codes {
		if errors.Is(err, code) {
			return true
		}
	}
	return false
}

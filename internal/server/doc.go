// Package server starts, watches and stops the processes that a plan's targets name.
//
// Every server runs under a supervisor of its own: this program again, under a hidden command. The supervisor holds a
// pipe from the Manager. When the Manager writes to it, or when the pipe closes because this program is gone (even by
// SIGKILL), the supervisor sends the stop signal, waits for the grace time, and then kills every descendant of the
// server. On Linux it is a child subreaper, so that processes which detach themselves by a double fork stay its
// descendants and are found; elsewhere it kills the server's process group.
package server

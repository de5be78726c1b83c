package server

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"
)

const (
	orphanPoll   = 20 * time.Millisecond // how often processes left by a server that ended are looked for
	killPoll     = 5 * time.Millisecond  // between two rounds of SIGKILL
	killPatience = 10 * time.Second      // a process that survives SIGKILL so long hangs in the kernel
)

// exit is how a server's main process ended.
type exit struct {
	text  string // "exited with status 1", "was killed by signal 9 (killed)"
	clean bool   // status 0
}

// SuperviseMain is the hidden command that guards one server: it takes its orders from standard input, reports to
// standard output, and leaves standard error to the server's log. It returns the exit status of the process.
func SuperviseMain(_ []string) int {
	// The server gets a death signal from the kernel when the thread that started it ends.
	runtime.LockOSThread()
	deafen()
	s := supervisor{out: os.Stdout}
	return s.run(bufio.NewReader(os.Stdin))
}

// supervisor guards one server's process tree.
type supervisor struct {
	out    io.Writer
	spec   spec
	tree   *tree
	orders chan byte // a stop order; closed when the Manager is gone
}

func (s *supervisor) run(in *bufio.Reader) int {
	var err error
	if s.spec, err = readSpec(in); err != nil {
		return 1
	}
	if s.tree, err = startTree(s.spec); err != nil {
		emit(s.out, event{Kind: eventFailed, Text: err.Error()})
		return 1
	}
	emit(s.out, event{Kind: eventStarted, PID: s.tree.pid})
	s.orders = make(chan byte, 1)
	go readOrders(in, s.orders)
	gone := event{Kind: eventGone}
	gone.Killed, gone.Left = s.watch()
	emit(s.out, gone)
	return 0
}

func readOrders(in *bufio.Reader, orders chan<- byte) {
	defer close(orders)
	for {
		b, err := in.ReadByte()
		if err != nil {
			return
		}
		if b == stopOrder {
			select {
			case orders <- b:
			default: // told already
			}
		}
	}
}

// watch returns when nothing of the server is left, and whether that took SIGKILL.
func (s *supervisor) watch() (killed bool, left []int) {
	for {
		select {
		case e := <-s.tree.mainEnded:
			if e.clean && s.tree.remains() {
				continue // it detached itself: what it left behind is the server now
			}
			return s.died(e)
		case <-s.tree.gone:
			e := exit{text: "ended with all its processes"}
			select {
			case e = <-s.tree.mainEnded:
			default:
			}
			return s.died(e)
		case _, told := <-s.orders:
			return s.stop(told)
		}
	}
}

func (s *supervisor) died(e exit) (bool, []int) {
	emit(s.out, event{Kind: eventEnded, Text: e.text})
	return s.kill()
}

// stop sends the stop signal, first to the main process and, once that ended, to what it leaves behind; then waits
// for the grace time, and kills.
func (s *supervisor) stop(told bool) (bool, []int) {
	grace, orders := s.spec.Grace, s.orders
	if !told {
		grace, orders = min(grace, orphanGrace), nil
	}
	deadline := time.NewTimer(grace)
	defer deadline.Stop()
	poll := time.NewTicker(orphanPoll)
	defer poll.Stop()
	s.tree.signal(s.spec.Signal)
	for {
		select {
		case <-s.tree.gone:
			return false, nil
		case <-poll.C:
			s.tree.signal(s.spec.Signal)
		case _, more := <-orders:
			if !more {
				deadline.Reset(min(grace, orphanGrace))
				orders = nil
			}
		case <-deadline.C:
			return s.kill()
		}
	}
}

// kill ends whatever is left, again and again, because a process may fork while the list is read.
func (s *supervisor) kill() (killed bool, left []int) {
	deadline := time.Now().Add(killPatience)
	for {
		pids := s.tree.kill()
		killed = killed || len(pids) > 0
		select {
		case <-s.tree.gone:
			return killed, nil
		case <-time.After(killPoll):
		}
		if time.Now().After(deadline) {
			slices.Sort(pids)
			return killed, pids
		}
	}
}

func exitedWith(status int) exit {
	return exit{text: fmt.Sprintf("exited with status %d", status), clean: status == 0}
}

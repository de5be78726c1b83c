package server

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// tokenVariable marks the environment of everything a supervisor starts, so that it is found even if its supervisor
// was killed.
const tokenVariable = "BENCHSTAT_HTTP_SUPERVISED"

// orphanGrace is the longest time a server gets to end by itself when this program is gone: nobody waits for it.
const orphanGrace = 2 * time.Second

// stopOrder is the byte that tells a supervisor to end its server. The end of the pipe means the same, but hurried.
const stopOrder = 's'

// spec is what a supervisor is told to run: one JSON line on its standard input.
type spec struct {
	Argv   []string      `json:"argv"`
	Path   string        `json:"path"` // the executable, resolved
	Dir    string        `json:"dir"`
	Env    []string      `json:"env"` // complete
	Signal string        `json:"signal"`
	Grace  time.Duration `json:"grace"`
}

// The kinds of event a supervisor reports, one JSON line each on its standard output.
const (
	eventStarted = "started" // PID is set
	eventFailed  = "failed"  // Text is why the server could not be started
	eventEnded   = "ended"   // the server died by itself; Text is how
	eventGone    = "gone"    // nothing of it is left but Left; the last event
)

type event struct {
	Kind   string `json:"kind"`
	PID    int    `json:"pid,omitempty"`
	Text   string `json:"text,omitempty"`
	Killed bool   `json:"killed,omitempty"` // SIGKILL was needed
	Left   []int  `json:"left,omitempty"`   // processes that survived it
}

func emit(w io.Writer, e event) {
	line, err := json.Marshal(e)
	if err != nil {
		return
	}
	// Nobody may be left to read it: the supervisor goes on all the same.
	_, _ = w.Write(append(line, '\n'))
}

// readSpec reads the first line of the pipe. A broken line means that the Manager died while writing it.
func readSpec(r *bufio.Reader) (spec, error) {
	var s spec
	line, err := r.ReadBytes('\n')
	if err != nil {
		return s, fmt.Errorf("read what to supervise: %w", err)
	}
	if err := json.Unmarshal(line, &s); err != nil {
		return s, fmt.Errorf("read what to supervise: %w", err)
	}
	return s, nil
}

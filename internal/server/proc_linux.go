package server

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// process is what /proc says about one living process.
type procEntry struct{ pid, parent, session int }

// processes lists the processes of this machine that are not zombies.
func processes() []procEntry {
	names, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var all []procEntry
	for _, n := range names {
		pid, err := strconv.Atoi(n.Name())
		if err != nil {
			continue
		}
		if e, ok := readStat(pid); ok {
			all = append(all, e)
		}
	}
	return all
}

// readStat reads /proc/PID/stat: "pid (name) state ppid pgrp session …", where the name may hold anything.
func readStat(pid int) (procEntry, bool) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return procEntry{}, false
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 4 || fields[0] == "Z" || fields[0] == "X" {
		return procEntry{}, false
	}
	parent, err1 := strconv.Atoi(fields[1])
	session, err2 := strconv.Atoi(fields[3])
	return procEntry{pid: pid, parent: parent, session: session}, err1 == nil && err2 == nil
}

// children lists the living children of a process.
func children(root int) []int {
	var pids []int
	for _, e := range processes() {
		if e.parent == root {
			pids = append(pids, e.pid)
		}
	}
	return pids
}

// descendants lists the living children of a process, their children, and so on. A zombie in between has none: its
// children were handed to the subreaper.
func descendants(root int) []int {
	byParent := map[int][]int{}
	for _, e := range processes() {
		byParent[e.parent] = append(byParent[e.parent], e.pid)
	}
	var found []int
	for next := byParent[root]; len(next) > 0; {
		found = append(found, next...)
		var below []int
		for _, pid := range next {
			below = append(below, byParent[pid]...)
		}
		next = below
	}
	return found
}

// killOrphans ends what a supervisor that was itself killed left behind: the processes of its session, and those that
// carry its token in their environment. It returns the processes it killed.
func killOrphans(session int, token string) []int {
	mark := []byte(tokenVariable + "=" + token)
	var killed []int
	for range 50 {
		var found []int
		for _, e := range processes() {
			if e.session == session || carries(e.pid, mark) {
				found = append(found, e.pid)
			}
		}
		if len(found) == 0 {
			return killed
		}
		for _, pid := range found {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			if !slices.Contains(killed, pid) {
				killed = append(killed, pid)
			}
		}
		pause(killPoll)
	}
	return killed
}

func carries(pid int, mark []byte) bool {
	env, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "environ"))
	if err != nil {
		return false
	}
	return slices.ContainsFunc(bytes.Split(env, []byte{0}), func(v []byte) bool { return bytes.Equal(v, mark) })
}

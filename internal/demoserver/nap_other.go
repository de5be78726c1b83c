//go:build !linux

package demoserver

import "time"

func nap(d time.Duration) { time.Sleep(d) }

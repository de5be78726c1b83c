//go:build !linux

package engine

import "time"

func nap(d time.Duration) { time.Sleep(d) }

func keepTime() {}

func loseTime() {}

//go:build !unix

package engine

// cpuSeconds is the user and system time that this process has used; nil where it is not known.
func cpuSeconds() *float64 { return nil }

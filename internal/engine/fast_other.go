//go:build !linux || portable

package engine

// newFast is nil: this system has no path that is faster than the portable one.
func (r *run) newFast() path { return nil }

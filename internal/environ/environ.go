// Package environ records what about a machine can change a measurement: processor, kernel, limits, clock.
//
// It records no name of the machine or of its user. A fact that cannot be found is left out: no fact is ever 0 or
// empty because it is unknown.
package environ

import "runtime"

// Collect returns the facts of this machine, ready for JSON. root is "/" for the machine itself; tests give the root
// of a recorded tree that holds proc and sys.
//
// On every system: os, arch, cpus (logical processors this process may use, as the Go runtime counts them) and
// go_version. On Linux see collectSystem.
func Collect(root string) map[string]any {
	facts := map[string]any{
		"os":         runtime.GOOS,
		"arch":       runtime.GOARCH,
		"cpus":       runtime.NumCPU(),
		"go_version": runtime.Version(),
	}
	collectSystem(tree(root), facts)
	return facts
}

// tree is the root under which proc and sys are looked for.
type tree string

//go:build !linux

package environ

// collectSystem adds nothing: the facts beyond those of the runtime are read from the file systems of Linux.
func collectSystem(tree, map[string]any) {}

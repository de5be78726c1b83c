//go:build !unix || solaris || aix

package result

import "os"

// lock does nothing where the standard library has no lock for files.
func lock(*os.File) error { return nil }

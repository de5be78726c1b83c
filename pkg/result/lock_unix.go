//go:build unix && !solaris && !aix

package result

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lock takes the file for this process until it is closed, so that two runs never append to one file.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return fmt.Errorf("lock result file: another run is writing to %s; wait until it has ended", f.Name())
	}
	// A file system without locks is no reason not to measure.
	return nil
}

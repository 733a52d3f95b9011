//go:build linux || darwin || freebsd

package sqlite

import "syscall"

// freeBytes is how much room there is for files in a directory, for whoever runs this; false if the system does not
// tell.
func freeBytes(dir string) (int64, bool) {
	var told syscall.Statfs_t
	if err := syscall.Statfs(dir, &told); err != nil {
		return 0, false
	}
	return int64(told.Bavail) * int64(told.Bsize), true
}

//go:build !linux

package background

// lowerThread changes nothing here.
func lowerThread() bool { return false }

//go:build !amd64

package kernel

// addTo adds b to a.
func addTo(a, b []uint64) { twinUp(a, b) }

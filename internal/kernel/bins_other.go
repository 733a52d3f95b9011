//go:build !amd64 && !arm64

package kernel

// gather does what twinGather does.
func gather(bins, of []uint64, cols int) { twinGather(bins, of, cols) }

//go:build !amd64 && !arm64

package kernel

// kernels are those this CPU runs, the fastest first.
var kernels = []*Kernel{twin}

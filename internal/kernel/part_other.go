//go:build !arm64

package kernel

// A part is working memory that kernels for other processors need.
//
//lint:ignore U1000 it is used on ARM
type part struct{}

//go:build !amd64 && !arm64

package kernel

// The loops of bitmap.go do it all.

func and(dst, a, b []uint64) int    { return 0 }
func andNot(dst, a, b []uint64) int { return 0 }
func or(dst, a, b []uint64) int     { return 0 }

func atLeast(dst []uint64, xs [][]uint64, planes, start int) int { return 0 }

func saying(dst []uint64, digits [][]byte, number int) int { return 0 }

func popCount(x []uint64) (bits, words int) { return 0, 0 }

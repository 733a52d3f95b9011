package kernel

import (
	"encoding/binary"
	"math/bits"
)

// And sets dst to a ∧ b. All three have the same length; dst may be one of the
// others.
func And(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := and(dst, a, b); i < len(dst); i++ {
		dst[i] = a[i] & b[i]
	}
}

// AndNot sets dst to a ∧ ¬b. All three have the same length; dst may be one of
// the others.
func AndNot(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := andNot(dst, a, b); i < len(dst); i++ {
		dst[i] = a[i] &^ b[i]
	}
}

// Or sets dst to a ∨ b. All three have the same length; dst may be one of the
// others.
func Or(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := or(dst, a, b); i < len(dst); i++ {
		dst[i] = a[i] | b[i]
	}
}

// Saying sets dst to the respondents of whom digits say a number, which is below 1<<len(digits). The first of digits is
// worth 1, the next 2, and so on. They are bitmaps as files have them, little-endian and wherever they lie, of dst's
// length.
func Saying(dst []uint64, digits [][]byte, number int) {
	for _, x := range digits {
		_ = x[:8*len(dst)]
	}
	for w := saying(dst, digits, number); w < len(dst); w++ {
		all := ^uint64(0)
		for i, x := range digits {
			all &= binary.LittleEndian.Uint64(x[8*w:]) ^ (uint64(number)>>i&1 - 1)
		}
		dst[w] = all
	}
}

// PopCount returns the number of respondents in x.
func PopCount(x []uint64) int {
	n, words := popCount(x)
	for x = x[words:]; len(x) >= 4; x = x[4:] {
		n += bits.OnesCount64(x[0]) + bits.OnesCount64(x[1]) + bits.OnesCount64(x[2]) + bits.OnesCount64(x[3])
	}
	for _, w := range x {
		n += bits.OnesCount64(w)
	}
	return n
}

// Any reports whether x has a respondent.
func Any(x []uint64) bool {
	for ; len(x) >= 8; x = x[8:] {
		if x[0]|x[1]|x[2]|x[3]|x[4]|x[5]|x[6]|x[7] != 0 {
			return true
		}
	}
	for _, w := range x {
		if w != 0 {
			return true
		}
	}
	return false
}

// AtLeast sets dst to the respondents that are in at least least of xs: all
// for 0 or less, even those outside every bitmap, and none for more than len(xs).
// All bitmaps have dst's length, which is any; dst may be one of xs.
func AtLeast(dst []uint64, xs [][]uint64, least int) {
	switch {
	case least <= 0:
		for i := range dst {
			dst[i] = ^uint64(0)
		}
		return
	case least > len(xs):
		clear(dst)
		return
	}
	// Bit-sliced counters: bit i of planes[p] is bit p of the count of respondent
	// i. They start at 2^k - least, so that reaching it carries out of the last
	// plane. The respondent stays in then, wherever the counter goes on to.
	k := bits.Len(uint(least - 1))
	start := 1<<k - least
	for _, x := range xs {
		_ = x[:len(dst)]
	}
	var planes [64]uint64
	for w := atLeast(dst, xs, k, start); w < len(dst); w++ {
		for p := range k {
			planes[p] = -uint64(start >> p & 1)
		}
		reached := uint64(0)
		for _, x := range xs {
			carry := x[w]
			for p := 0; p < k && carry != 0; p++ {
				planes[p&63], carry = planes[p&63]^carry, planes[p&63]&carry
			}
			reached |= carry
		}
		dst[w] = reached
	}
}

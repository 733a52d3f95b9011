// Package kernel counts one block of respondents: for every pair of a row and
// a column, how many respondents under a mask are positive on both, the exact sum
// of their weights and, if wanted, that of their squared weights.
//
// A block is up to 8,192 respondents. A bitmap of a block is a []uint64 in which
// bit i%64 of word i/64 stands for respondent i. Weights are integers, counted
// in the units the caller chose; sums are exact, and all kernels give the same
// bits.
//
// # Method
//
// One side of the table is listed, the other transposed. Transposing turns the bitmaps of up
// to 64 options (a panel) into one uint64 per respondent. Listing turns one option's
// bitmap, under the mask, into the indices of its respondents. Counting a
// listed option is then a walk over its respondents that adds each one's weight
// to those of the 64 sums whose bit is set: with AVX-512, one masked add of 16
// sums at a time. The work is proportional to the respondents listed, so the
// division (see [Kernel.Tile]) lists sparse options and transposes dense ones, and
// lists the options of several questions in one go, by their combinations.
//
// The kernels keep a weight in two limbs of 32 bits ([Packed]): the low 24 bits,
// and the high 16 bits with a count of one at bit 24. At most 255 such limbs are
// added before the sums are widened to 64 bits: 255·(2²⁴−1) < 2³², and the
// high limb holds 255·(2¹⁶−1) < 2²⁴ below a count of 255 < 2⁸.
package kernel

import "fmt"

const (
	// BlockWords is the greatest length of a block's bitmaps, in words of 64
	// respondents.
	BlockWords = 128
	// MaxWeight is the greatest weight of one respondent, in units.
	MaxWeight = 1<<40 - 1

	blockSize = 64 * BlockWords // respondents in a full block
	lanes     = 64              // options in one transposed panel
)

// A Count is what is known of one cell: the number of respondents and the sum
// of their weights in units.
type Count struct{ Sample, Weight int64 }

// A Packed is one respondent's weight as the kernels hold it: the low 24 bits of
// the weight in bits 0 to 23, its high 16 bits in bits 32 to 47, and the
// respondent itself, a count of one, at bit 56. A weight of 0 packs to 0.
//
// Bitmaps must not have such a respondent in a mask: it would be counted by
// some methods and not by others. A respondent with a weight of 0 belongs to no
// audience.
type Packed uint64

const (
	limbBits = 24
	lowLimb  = 1<<limbBits - 1
	highLimb = 1<<16 - 1
	countBit = 56
)

// Pack packs weights, each from 0 to [MaxWeight], into the start of dst, which is
// at least as long. A weight outside that range is a caller's error that Pack
// does not look for; its high bits are lost.
func Pack(dst []Packed, weights []int64) {
	dst = dst[:len(weights)]
	for i, w := range weights {
		dst[i] = PackOne(w)
	}
}

// PackOne packs one weight, as Pack does.
func PackOne(w int64) Packed {
	one := uint64(w|-w) >> 63 // 0 for a weight of 0
	return Packed(w&lowLimb) | Packed(w>>limbBits&highLimb)<<32 | Packed(one<<countBit)
}

// unpack returns the weight in units.
func (p Packed) unpack() int64 {
	return int64(p&lowLimb | p>>32&highLimb<<limbBits)
}

// A Kernel is one implementation of the counting loops. It is immutable and
// safe for concurrent use; what a call writes to is in its [Scratch].
type Kernel struct {
	name string

	// group is the number of transposed options that one step of add covers: the
	// unit in which transposing further options costs more. It divides lanes.
	group int
	costs costs

	// count sets dst[i] to the number of respondents in xs[i] ∧ mask.
	count func(dst []int32, xs [][]uint64, mask []uint64)
	// transpose sets bit j of s.transposed[i] to respondent i's bit in xs[j], for
	// a multiple of 16 options, at most lanes, and the n words of each. Higher
	// bits are zero.
	transpose func(s *Scratch, xs [][]uint64, n int)
	// add sets the first groups·group of s.sums to the counts and weights of the
	// respondents in mask ∧ (x ⊕ flip) that have that bit in s.transposed; flip is 0
	// or all ones. It returns the number of respondents.
	add func(s *Scratch, x, mask []uint64, flip uint64, weights []Packed, groups int) int
	// layered does what add does with s.weights, and sets the sums of each of
	// s.layers likewise, whose limbs may have all their 24 bits: see wide.
	layered func(s *Scratch, x, mask []uint64, flip uint64, groups int) int
	wide    wide
	// square sets low, and unless it is nil high, to the layers of the squares of
	// weights, a multiple of 64. Without high the weights are below 2²⁴.
	square func(low, high, from []Packed)
	// quotients shifts weights, a multiple of 64, to the right, multiplies them with inverse and returns all digits of the
	// products, one above the other, and more than fit a weight where the shift lost digits.
	quotients func(dst, from []Packed, shift, inverse uint64) (all uint64)
	// merge adds the first groups·group sums of src to those of dst.
	merge func(dst, src *sums, groups int)
	// meet sets dst to a ∧ (b ⊕ flip) and returns its number of respondents.
	meet func(dst, a, b []uint64, flip uint64) int
	// cell counts a ∧ b ∧ mask.
	cell func(a, b, mask []uint64, weights []Packed) Count
	// spin does the additions that add consists of, and nothing else, and returns
	// how many weights times sums that are. It may be nil.
	spin func() int
}

// Name returns "avx512", "sky", "avx2" or "go".
func (k *Kernel) Name() string { return k.name }

// String returns the kernel's name.
func (k *Kernel) String() string { return k.name }

// Best returns the fastest kernel this CPU runs.
func Best() *Kernel { return kernels[0] }

// All returns the kernels this CPU runs, the fastest first and the Go twin last.
// It is there for tests and benchmarks.
func All() []*Kernel { return append([]*Kernel(nil), kernels...) }

// Spin is for benchmarks: it does the additions of weights to sums that
// [Kernel.Tile] consists of, with nothing around them, and returns how many
// weights times sums that would have been; 0 for the Go twin. A call takes some
// microseconds. The fastest of many shows what the CPU can do: a table takes at
// least the respondents of all its rows times its columns, in groups of 16, or
// the other way round.
func (k *Kernel) Spin() int {
	if k.spin == nil {
		return 0
	}
	return k.spin()
}

// check panics if a call could read or write outside its slices: the kernels
// in assembly would not notice.
func check(acc []Count, stride int, rows, cols [][]uint64, mask []uint64, weights []Packed) {
	n := len(mask)
	if n > BlockWords || len(weights) < 64*n {
		panic(fmt.Sprintf("kernel: block of %d words and %d weights", n, len(weights)))
	}
	for _, xs := range [2][][]uint64{rows, cols} {
		for i, x := range xs {
			if len(x) != n {
				panic(fmt.Sprintf("kernel: bitmap %d has %d words, its mask %d", i, len(x), n))
			}
		}
	}
	if r, c := len(rows), len(cols); r > 0 && c > 0 && (stride < c || len(acc) < (r-1)*stride+c) {
		panic(fmt.Sprintf("kernel: %d counts with stride %d for %d rows and %d columns", len(acc), stride, r, c))
	}
}

// Package kernel counts one block of respondents: for every pair of a row and
// a column, how many respondents under a mask are positive on both, the exact sum
// of their weights and, if wanted, that of their squared weights.
//
// A block is up to 8,192 respondents. A bitmap of a block is a []uint64 in which
// bit i%64 of word i/64 stands for respondent i. Weights are integers, counted
// in the units the caller chose; sums are exact, and all kernels give the same
// bits.
//
// # Methods
//
// There are two, and a third for equal weights, and for every block the cheapest one is taken.
//
// By lists: one side of the table is listed, the other transposed. Transposing turns the bitmaps of up
// to 64 options (a panel) into one uint64 per respondent. Listing turns one option's
// bitmap, under the mask, into the indices of its respondents. Counting a
// listed option is then a walk over its respondents that adds each one's weight
// to those of the 64 sums whose bit is set: with AVX-512, one masked add of 16
// sums at a time. The work is proportional to the respondents listed, so the
// division (see [Kernel.Tile]) lists sparse options and transposes dense ones, and
// lists the options of several questions in one go, by their combinations.
//
// By bins: what a question of one answer, or a few options of another, say of a respondent is one small number. Two
// such numbers, one of each side, name a bin, and each weight is added to one bin, whatever the number of cells. The
// work is proportional to the respondents times the pairs of questions. So it is the method for questions of one answer
// and for the binary digits of numbers, and lists are that for options of which few respondents have any.
//
// Where all respondents of a block have the same weight, as in a survey without weights, samples tell all
// ([Kernel.Equal]): a cell is an AND and a count of bits, whoever is in it.
//
// Which method is the cheaper one follows from what each part of the work costs. The costs that the package knows were
// found on the processors below; [Kernel.Calibrated] finds out what they are where it runs.
//
// The kernels keep a weight in two limbs of 32 bits ([Packed]): the low 24 bits,
// and the high 16 bits with a count of one at bit 24. At most 255 such limbs are
// added before the sums are widened to 64 bits: 255·(2²⁴−1) < 2³², and the
// high limb holds 255·(2¹⁶−1) < 2²⁴ below a count of 255 < 2⁸.
//
// The kernels for ARM put the listed respondents together, eight at a time, byte by byte: those of their options and
// those of their weights. A byte of options as a number times a byte of a weight is summed for eight respondents at a
// time by products of matrices or of vectors. In 32 bits that is enough for a whole block; bytes of weights that are 0
// for all are left out.
//
// # Kernels
//
// The floor of a table is the time that its additions would take with nothing around them: the respondents of all
// its rows times its columns in groups of 16, or the other way round, whichever is less, at the rate of
// [Kernel.Spin] in the same process. Its share in the time that the table takes says how much of it goes into
// listing, transposing and what else is no addition. Options that are listed together take fewer additions, so a
// share may be above 1.
//
//	kernel   chosen on                            measured on         50×50 single   50×50 multi   200×20
//	avx512   AMD Zen 4, Zen 5; Intel Ice Lake     Sapphire Rapids              .68           .53      .49
//	                                              Zen 4, Zen 5                 .60           .59      .31
//	sky      Intel Skylake-SP, Cascade Lake       Sapphire Rapids              .52           .35      .40
//	                                              Zen 4, Zen 5                 .42           .47      .32
//	avx2     Intel Haswell, AMD Zen, and later    Sapphire Rapids              .82           .70      .64
//	                                              Zen 4, Zen 5                 .48           .52      .10
//	                                              Zen 3                        .64           .54      .55
//
// 50×50 is a question of 50 options of a multiple choice against 50 options of single or of multiple choices.
// Where a kernel would not be chosen, it was named; Zen 3 chooses "avx2". Of the processors that "sky" is for only the
// order of the kernels is known. For 1×1 the floor is reading: 4 bytes of weights and 3 bits a respondent, which a
// million take 0.21 ms for, 21 GB a second. The shares are those of lists; bins need no such additions. Two single
// questions of 50 options take by bins 0.5, 0.4 and 0.4 of the time that these kernels need by lists, and the 7
// digits of a number by 10 options 0.5, 0.5 and 0.5.
//
// Of ARM no machine was at hand, so nothing is known of times or floors there. All kernels pass the same tests on an
// emulator; what was counted on it are instructions: thousands for a block of 8,192 respondents of the tables that the
// benchmarks count, of weights of 40 bits, of 32 and of 24, the last one by bins.
//
//	processors                            kernel  50×50                 200×20                50×50 single
//	ARMv8.6: Graviton 3, Apple M2         i8mm    1,384  1,384  1,277   2,061  2,061  1,866   297
//	ARMv8.2: Graviton 2, Apple M1, Pi 5   neon    1,660  1,569  1,471   2,595  2,424  2,242   297
//	any                                   go      5,126  5,126  5,126   7,395  7,395  7,395   1,118
//
// So i8mm takes 3.6 to 4 times fewer than Go, and neon 3.1 to 3.5 times, but for 200×20 with weights of 40 bits 2.9. Of
// the calls of BenchmarkCalls, most for a whole block, all of whom count:
//
//	                                       ARM      go   times fewer
//	count 256 options                     68.9     365    5.3
//	transpose 64 options                  46.1     266    5.8
//	add to 64 options, i8mm              230.6     568    2.5
//	add to 64 options, neon              340.7     568    1.7
//	meet                                   0.4     1.7    4.2
//	merge 64 sums                         0.17     1.1    6.6
//	cell, of weights of 40 bits           14.7    93.4    6.4
//	cell, of weights of 32 bits           12.1    68.8    5.7
//	pack                                  13.9     115    8.3
//	codes of 16 bitmaps                   12.0     160   13.4
//	planes of 255 options                  214     951    4.4
//	bin, of weights of 40 bits            55.5     168    3.0
//	bin, of weights of 32 bits            43.7     119    2.7
//	gather 4,096 bins                      6.7    64.5    9.6
//	squares of weights of 24 bits         22.6    82.0    3.6
//	squares of weights of 40 bits         51.3     164    3.2
//	quotients                              180     180    1
//
// Adding cannot be had three times cheaper where all respondents are listed. The products themselves are 48 of the 62
// instructions that neon takes for 8 respondents and 16 options, and 24 of the 35 of i8mm, while Go adds a weight and a
// count at once to the sum of a byte of options. Lists of tables are shorter: there Go's sums of all bytes, which it
// makes options of at the end, weigh more. Of a weight of 32 bits 4.5 of 5.3 instructions are those that load it and
// its code, and add it to a bin, which no vector can; Go's take 14.5. Quotients are made of products of 64 bits, which
// NEON lacks, and only where squares of weights would not fit otherwise: they are left to Go. Squares of small weights
// are added to bins by layers there, where the other kernels square them in that loop. A cell of few
// respondents, as one of 2 % by a third of a block, takes 2.1 times fewer, as there is little but words to look at.
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

// wide returns all 48 bits of a wide limb, or a weight.
func (p Packed) wide() uint64 { return uint64(p&lowLimb | p>>8&(lowLimb<<limbBits)) }

// unpack returns the weight in units.
func (p Packed) unpack() int64 {
	return int64(p&lowLimb | p>>32&highLimb<<limbBits)
}

// Weights are those of a block's respondents, at least 64 for each word of its bitmaps.
//
// They are given packed or, if none of them takes more than 32 bits, as plain numbers, which take half the memory and
// are half as long to read: for what needs them packed, the kernels pack those of a block. Small is taken where there
// are both.
type Weights struct {
	Packed []Packed
	Small  []uint32
	// Bits is how many binary digits weights have at most; 0 where that has to be found out when they are squared.
	Bits int
}

// of is the weight of a respondent of the block.
func (w Weights) of(i int) int64 {
	if w.Small != nil {
		return int64(w.Small[i])
	}
	return w.Packed[i].unpack()
}

// A Kernel is one implementation of the counting loops. It is immutable and
// safe for concurrent use; what a call writes to is in its [Scratch].
type Kernel struct {
	name string

	// group is the number of transposed options that one step of add covers: the
	// unit in which transposing further options costs more. It divides lanes.
	group int
	costs costs
	tried costs // what Calibrated finds where the costs are right, in nanoseconds; none if it was never tried there

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
	// encode sets s.codes to the bits of xs, the first in the lowest, for so many words.
	encode func(s *Scratch, xs *[codeBits][]uint64, words int)
	// bin adds to the bins of s.codes the weights of the respondents in the words of s.mask from one and up to another,
	// each with a count, and returns the bits of all of them, one above the other.
	bin func(s *Scratch, bins []uint64, weights []Packed, from, end int, count uint64) Packed
	// binSmall does the same for weights of 32 bits.
	binSmall func(s *Scratch, bins []uint64, weights []uint32, from, end int, count uint64)
	// binSquares adds to the bins of s.codes the squares of the weights of the respondents in the words of s.mask from
	// one and up to another, each shifted to the right and multiplied by the inverse of a root, to 32 bits. It returns
	// the bits of all the weights, one above the other, and the largest product. A kernel may have none: it counts
	// squares by layers then.
	binSquares func(s *Scratch, bins []uint64, weights []uint32, from, end int, r root) (all, most uint32)
	// planes sets the first words of each of dst, of which there are 2 to 8, as makePlanes does, and returns their number.
	planes func(dst [][BlockWords]uint64, xs [][]uint64) int
	// merge adds the first groups·group sums of src to those of dst.
	merge func(dst, src *sums, groups int)
	// meet sets dst to a ∧ (b ⊕ flip) and returns its number of respondents.
	meet func(dst, a, b []uint64, flip uint64) int
	// cell counts a ∧ b ∧ mask.
	cell func(a, b, mask []uint64, weights []Packed) Count
	// cellSmall does the same for weights of 32 bits.
	cellSmall func(a, b, mask []uint64, weights []uint32) Count
	// pack packs weights, a multiple of 64.
	pack func(dst []Packed, weights []uint32)
	// lookUp looks weights up in a list, and gathering does the same by instructions that are not fast everywhere, or is
	// nil.
	lookUp, gathering lookingUp
	// spin does the additions that add consists of, and nothing else, and returns
	// how many weights times sums that are. It may be nil.
	spin func() int
}

// Name returns "avx512", "sky", "avx2", "i8mm", "neon" or "go".
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
func check(acc []Count, stride int, rows, cols [][]uint64, mask []uint64, weights Weights) {
	n := len(mask)
	if n > BlockWords || weights.Small == nil && len(weights.Packed) < 64*n {
		panic(fmt.Sprintf("kernel: block of %d words and %d weights", n, len(weights.Packed)))
	}
	if weights.Small != nil && len(weights.Small) < 64*n {
		panic(fmt.Sprintf("kernel: block of %d words and %d small weights", n, len(weights.Small)))
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

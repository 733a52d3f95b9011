package kernel

import "golang.org/x/sys/cpu"

// The loops of bitmap.go with AVX2. Each does a multiple of 4 words, from the
// first and at most a block's, and returns their number.

//go:noescape
func and256(dst, a, b *uint64, words int)

//go:noescape
func andNot256(dst, a, b *uint64, words int)

//go:noescape
func or256(dst, a, b *uint64, words int)

//go:noescape
func atLeast256x0(dst *uint64, xs *[]uint64, bitmaps, from, to, start int)

//go:noescape
func atLeast256x1(dst *uint64, xs *[]uint64, bitmaps, from, to, start int)

//go:noescape
func atLeast256x2(dst *uint64, xs *[]uint64, bitmaps, from, to, start int)

//go:noescape
func atLeast256x3(dst *uint64, xs *[]uint64, bitmaps, from, to, start int)

//go:noescape
func atLeast256x4(dst *uint64, xs *[]uint64, bitmaps, from, to, start int)

//go:noescape
func atLeast256x5(dst *uint64, xs *[]uint64, bitmaps, from, to, start int)

//go:noescape
func atLeast256x6(dst *uint64, xs *[]uint64, bitmaps, from, to, start int)

//go:noescape
func saying256x1(dst *uint64, xs *[]byte, number, from, to int)

//go:noescape
func saying256x2(dst *uint64, xs *[]byte, number, from, to int)

//go:noescape
func saying256x3(dst *uint64, xs *[]byte, number, from, to int)

//go:noescape
func saying256x4(dst *uint64, xs *[]byte, number, from, to int)

//go:noescape
func saying256x5(dst *uint64, xs *[]byte, number, from, to int)

//go:noescape
func saying256x6(dst *uint64, xs *[]byte, number, from, to int)

//go:noescape
func saying512x1(dst *uint64, xs *[]byte, number, from, to int)

//go:noescape
func saying512x2(dst *uint64, xs *[]byte, number, from, to int)

//go:noescape
func saying512x3(dst *uint64, xs *[]byte, number, from, to int)

//go:noescape
func saying512x4(dst *uint64, xs *[]byte, number, from, to int)

//go:noescape
func saying512x5(dst *uint64, xs *[]byte, number, from, to int)

//go:noescape
func saying512x6(dst *uint64, xs *[]byte, number, from, to int)

// vectors returns the number of words to do in assembly.
func vectors(words int) int {
	if !cpu.X86.HasAVX2 {
		return 0
	}
	return min(words&^3, BlockWords)
}

// popCount is PopCount of the first words, as many as it returns. A few are counted sooner one by one.
func popCount(x []uint64) (bits, words int) {
	const few, atOnce = 32, 1 << 14 // words; a call should be over soon, as nothing can interrupt it
	if len(x) < few || !cpu.X86.HasAVX2 || !cpu.X86.HasPOPCNT {
		return 0, 0
	}
	long := cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VPOPCNTDQ && cpu.X86.HasBMI2
	var n [1]int32
	for words < len(x) {
		xs := [1][]uint64{x[words:]}
		if long {
			xs[0] = xs[0][:min(len(xs[0]), atOnce)]
			count512(&n[0], &xs[0], 1, &xs[0][0], len(xs[0]))
		} else {
			xs[0] = xs[0][:min(len(xs[0]), BlockWords)]
			count256(&n[0], &xs[0], 1, &xs[0][0], len(xs[0]))
		}
		bits, words = bits+int(n[0]), words+len(xs[0])
	}
	return bits, words
}

func and(dst, a, b []uint64) int {
	n := vectors(len(dst))
	if n > 0 {
		and256(&dst[0], &a[0], &b[0], n)
	}
	return n
}

func andNot(dst, a, b []uint64) int {
	n := vectors(len(dst))
	if n > 0 {
		andNot256(&dst[0], &a[0], &b[0], n)
	}
	return n
}

func or(dst, a, b []uint64) int {
	n := vectors(len(dst))
	if n > 0 {
		or256(&dst[0], &a[0], &b[0], n)
	}
	return n
}

// atLeast runs the loop for so many planes of counters, whose first values are
// start. A call does fewer words of more bitmaps, to bound its time.
func atLeast(dst []uint64, xs [][]uint64, planes, start int) int {
	words := vectors(len(dst))
	step := 128 * BlockWords / len(xs) &^ 3
	if step == 0 || planes > 6 {
		return 0
	}
	for from := 0; from < words; from += step {
		to := min(from+step, words)
		switch planes {
		case 0:
			atLeast256x0(&dst[0], &xs[0], len(xs), from, to, start)
		case 1:
			atLeast256x1(&dst[0], &xs[0], len(xs), from, to, start)
		case 2:
			atLeast256x2(&dst[0], &xs[0], len(xs), from, to, start)
		case 3:
			atLeast256x3(&dst[0], &xs[0], len(xs), from, to, start)
		case 4:
			atLeast256x4(&dst[0], &xs[0], len(xs), from, to, start)
		case 5:
			atLeast256x5(&dst[0], &xs[0], len(xs), from, to, start)
		case 6:
			atLeast256x6(&dst[0], &xs[0], len(xs), from, to, start)
		}
	}
	return words
}

// sayings are the loops with AVX2, by the number of digits, of which there is at least one; longSayings are those with
// AVX-512, which do a multiple of 8 words.
var (
	sayings = [...]func(dst *uint64, xs *[]byte, number, from, to int){saying256x1, saying256x2, saying256x3,
		saying256x4, saying256x5, saying256x6}
	longSayings = [...]func(dst *uint64, xs *[]byte, number, from, to int){saying512x1, saying512x2, saying512x3,
		saying512x4, saying512x5, saying512x6}
)

// saying runs the loop for so many digits. A call does a few thousand words, to bound its time.
func saying(dst []uint64, digits [][]byte, number int) (done int) {
	const step = 1 << 12
	if !cpu.X86.HasAVX2 || len(digits) == 0 || len(digits) > len(sayings) {
		return 0
	}
	if cpu.X86.HasAVX512F {
		for end := len(dst) &^ 7; done < end; done = min(done+step, end) {
			longSayings[len(digits)-1](&dst[0], &digits[0], number, done, min(done+step, end))
		}
	}
	for end := len(dst) &^ 3; done < end; done = min(done+step, end) {
		sayings[len(digits)-1](&dst[0], &digits[0], number, done, min(done+step, end))
	}
	return done
}

package kernel

// The loops of bitmap.go with vectors, which every 64-bit ARM has. Each does a multiple of 8 words (of 4 for counters),
// from the first and at most a block's, and returns their number.

//go:noescape
func andNEON(dst, a, b *uint64, words int)

//go:noescape
func andNotNEON(dst, a, b *uint64, words int)

//go:noescape
func orNEON(dst, a, b *uint64, words int)

//go:noescape
func atLeastNEONx0(dst *uint64, xs *[]uint64, bitmaps, from, to, start int)

//go:noescape
func atLeastNEONx1(dst *uint64, xs *[]uint64, bitmaps, from, to, start int)

//go:noescape
func atLeastNEONx2(dst *uint64, xs *[]uint64, bitmaps, from, to, start int)

//go:noescape
func atLeastNEONx3(dst *uint64, xs *[]uint64, bitmaps, from, to, start int)

//go:noescape
func atLeastNEONx4(dst *uint64, xs *[]uint64, bitmaps, from, to, start int)

//go:noescape
func atLeastNEONx5(dst *uint64, xs *[]uint64, bitmaps, from, to, start int)

//go:noescape
func atLeastNEONx6(dst *uint64, xs *[]uint64, bitmaps, from, to, start int)

//go:noescape
func sayingNEONx1(dst *uint64, xs *[]byte, number, from, to int)

//go:noescape
func sayingNEONx2(dst *uint64, xs *[]byte, number, from, to int)

//go:noescape
func sayingNEONx3(dst *uint64, xs *[]byte, number, from, to int)

//go:noescape
func sayingNEONx4(dst *uint64, xs *[]byte, number, from, to int)

//go:noescape
func sayingNEONx5(dst *uint64, xs *[]byte, number, from, to int)

//go:noescape
func sayingNEONx6(dst *uint64, xs *[]byte, number, from, to int)

// popCount leaves all words to the loop of PopCount, whose instructions are those of a vector here, too.
func popCount(x []uint64) (bits, words int) { return 0, 0 }

func and(dst, a, b []uint64) int {
	n := min(len(dst)&^7, BlockWords)
	if n > 0 {
		andNEON(&dst[0], &a[0], &b[0], n)
	}
	return n
}

func andNot(dst, a, b []uint64) int {
	n := min(len(dst)&^7, BlockWords)
	if n > 0 {
		andNotNEON(&dst[0], &a[0], &b[0], n)
	}
	return n
}

func or(dst, a, b []uint64) int {
	n := min(len(dst)&^7, BlockWords)
	if n > 0 {
		orNEON(&dst[0], &a[0], &b[0], n)
	}
	return n
}

// atLeasts are the loops, by the number of planes of counters.
var atLeasts = [...]func(dst *uint64, xs *[]uint64, bitmaps, from, to, start int){atLeastNEONx0, atLeastNEONx1,
	atLeastNEONx2, atLeastNEONx3, atLeastNEONx4, atLeastNEONx5, atLeastNEONx6}

// atLeast runs the loop for so many planes of counters, whose first values are
// start. A call does fewer words of more bitmaps, to bound its time.
func atLeast(dst []uint64, xs [][]uint64, planes, start int) int {
	words := min(len(dst)&^3, BlockWords)
	step := 128 * BlockWords / len(xs) &^ 3
	if step == 0 || planes >= len(atLeasts) {
		return 0
	}
	for from := 0; from < words; from += step {
		atLeasts[planes](&dst[0], &xs[0], len(xs), from, min(from+step, words), start)
	}
	return words
}

// sayings are the loops, by the number of digits, of which there is at least one.
var sayings = [...]func(dst *uint64, xs *[]byte, number, from, to int){sayingNEONx1, sayingNEONx2, sayingNEONx3,
	sayingNEONx4, sayingNEONx5, sayingNEONx6}

// saying runs the loop for so many digits. A call does a few thousand words, to bound its time.
func saying(dst []uint64, digits [][]byte, number int) (done int) {
	const step = 1 << 12
	if len(digits) == 0 || len(digits) > len(sayings) {
		return 0
	}
	for end := len(dst) &^ 3; done < end; done = min(done+step, end) {
		sayings[len(digits)-1](&dst[0], &digits[0], number, done, min(done+step, end))
	}
	return done
}

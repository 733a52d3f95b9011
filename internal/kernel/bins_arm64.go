package kernel

// What counts by bins with vectors, which every 64-bit ARM has.

//go:noescape
func binNEON(bins *uint64, codes *uint16, weights *Packed, mask *uint64, words int, count uint64,
	temp *uint64) (all Packed)

//go:noescape
func binSmallNEON(bins *uint64, codes *uint16, weights *uint32, mask *uint64, words int, count uint64, temp *uint64)

//go:noescape
func codesNEON(dst *uint16, temp *uint64, xs *[]uint64, words int)

//go:noescape
func gatherNEON(dst, src *uint64, rows, cols int)

//go:noescape
func squareNEON(low, from *Packed, weights int)

//go:noescape
func squaresNEON(low, high, from *Packed, weights int)

//go:noescape
func planesNEONx2(dst *[BlockWords]uint64, xs *[]uint64, options int, words int)

//go:noescape
func planesNEONx3(dst *[BlockWords]uint64, xs *[]uint64, options int, words int)

//go:noescape
func planesNEONx4(dst *[BlockWords]uint64, xs *[]uint64, options int, words int)

//go:noescape
func planesNEONx5(dst *[BlockWords]uint64, xs *[]uint64, options int, words int)

//go:noescape
func planesNEONx6(dst *[BlockWords]uint64, xs *[]uint64, options int, words int)

//go:noescape
func planesNEONx7(dst *[BlockWords]uint64, xs *[]uint64, options int, words int)

//go:noescape
func planesNEONx8(dst *[BlockWords]uint64, xs *[]uint64, options int, words int)

// planesOf are the functions that make planes, by their number.
var planesOf = [...]func(dst *[BlockWords]uint64, xs *[]uint64, options int, words int){2: planesNEONx2, planesNEONx3,
	planesNEONx4, planesNEONx5, planesNEONx6, planesNEONx7, planesNEONx8}

func neonCodes(s *Scratch, xs *[codeBits][]uint64, words int) {
	codesNEON(&s.codes[0], &s.temp[0], &xs[0], words)
}

func neonBin(s *Scratch, bins []uint64, weights []Packed, from, end int, count uint64) Packed {
	return binNEON(&bins[0], &s.codes[64*from], &weights[64*from], &s.mask[from], end-from, count, &s.temp[0])
}

func neonBinSmall(s *Scratch, bins []uint64, weights []uint32, from, end int, count uint64) {
	binSmallNEON(&bins[0], &s.codes[64*from], &weights[64*from], &s.mask[from], end-from, count, &s.temp[0])
}

// neonPlanes makes the planes of a multiple of 8 words.
func neonPlanes(dst [][BlockWords]uint64, xs [][]uint64) int {
	words := len(xs[0]) &^ 7
	if words > 0 {
		planesOf[len(dst)](&dst[0], &xs[0], len(xs), words)
	}
	return words
}

func neonSquare(low, high, from []Packed) {
	if high == nil {
		squareNEON(&low[0], &from[0], len(from))
	} else {
		squaresNEON(&low[0], &high[0], &from[0], len(from))
	}
}

// gather does what twinGather does; cols is a multiple of 8.
func gather(bins, of []uint64, cols int) {
	gatherNEON(&bins[0], &of[:len(bins)][0], len(bins)/cols, cols)
}

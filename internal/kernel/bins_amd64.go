package kernel

import "golang.org/x/sys/cpu"

// See avx512_amd64.go for what these functions have in common.

//go:noescape
func bin256(bins *uint64, codes *uint16, weights *Packed, mask *uint64, words int, count uint64,
	temp *uint64) (all Packed)

//go:noescape
func bin512(bins *uint64, codes *uint16, weights *Packed, mask *uint64, words int, count uint64,
	temp *uint64) (all Packed)

//go:noescape
func binSmall256(bins *uint64, codes *uint16, weights *uint32, mask *uint64, words int, count uint64, temp *uint64)

//go:noescape
func binSmall512(bins *uint64, codes *uint16, weights *uint32, mask *uint64, words int, count uint64, temp *uint64)

//go:noescape
func binSquares256(bins *uint64, codes *uint16, weights *uint32, mask *uint64, words int, shift uint64, temp *uint64,
	inverse uint64) (all, most uint64)

//go:noescape
func binSquares512(bins *uint64, codes *uint16, weights *uint32, mask *uint64, words int, shift uint64, temp *uint64,
	inverse uint64) (all, most uint64)

//go:noescape
func codes256(dst *uint16, temp *uint64, xs *[]uint64, words int)

//go:noescape
func codes512(dst *uint16, xs *[]uint64, words int)

//go:noescape
func gather256(dst, src *uint64, rows, cols int)

func avx2Codes(s *Scratch, xs *[codeBits][]uint64, words int) {
	codes256(&s.codes[0], &s.temp[0], &xs[0], words)
}

func avx512Codes(s *Scratch, xs *[codeBits][]uint64, words int) { codes512(&s.codes[0], &xs[0], words) }

func avx2Bin(s *Scratch, bins []uint64, weights []Packed, from, end int, count uint64) Packed {
	return bin256(&bins[0], &s.codes[64*from], &weights[64*from], &s.mask[from], end-from, count, &s.temp[0])
}

func avx512Bin(s *Scratch, bins []uint64, weights []Packed, from, end int, count uint64) Packed {
	return bin512(&bins[0], &s.codes[64*from], &weights[64*from], &s.mask[from], end-from, count, &s.temp[0])
}

func avx2BinSmall(s *Scratch, bins []uint64, weights []uint32, from, end int, count uint64) {
	binSmall256(&bins[0], &s.codes[64*from], &weights[64*from], &s.mask[from], end-from, count, &s.temp[0])
}

func avx512BinSmall(s *Scratch, bins []uint64, weights []uint32, from, end int, count uint64) {
	binSmall512(&bins[0], &s.codes[64*from], &weights[64*from], &s.mask[from], end-from, count, &s.temp[0])
}

func avx2BinSquares(s *Scratch, bins []uint64, weights []uint32, from, end int, r root) (all, most uint32) {
	x, y := binSquares256(&bins[0], &s.codes[64*from], &weights[64*from], &s.mask[from], end-from, uint64(r.shift),
		&s.temp[0], uint64(r.inverse))
	return uint32(x), uint32(y)
}

func avx512BinSquares(s *Scratch, bins []uint64, weights []uint32, from, end int, r root) (all, most uint32) {
	x, y := binSquares512(&bins[0], &s.codes[64*from], &weights[64*from], &s.mask[from], end-from, uint64(r.shift),
		&s.temp[0], uint64(r.inverse))
	return uint32(x), uint32(y)
}

// gather does what twinGather does; cols is a multiple of 8.
func gather(bins, of []uint64, cols int) {
	if !cpu.X86.HasAVX2 {
		twinGather(bins, of, cols)
		return
	}
	gather256(&bins[0], &of[:len(bins)][0], len(bins)/cols, cols)
}

//go:noescape
func planes256x2(dst *[BlockWords]uint64, xs *[]uint64, options int, masks *[8]uint64, words int)

//go:noescape
func planes256x3(dst *[BlockWords]uint64, xs *[]uint64, options int, masks *[8]uint64, words int)

//go:noescape
func planes256x4(dst *[BlockWords]uint64, xs *[]uint64, options int, masks *[8]uint64, words int)

//go:noescape
func planes256x5(dst *[BlockWords]uint64, xs *[]uint64, options int, masks *[8]uint64, words int)

//go:noescape
func planes256x6(dst *[BlockWords]uint64, xs *[]uint64, options int, masks *[8]uint64, words int)

//go:noescape
func planes256x7(dst *[BlockWords]uint64, xs *[]uint64, options int, masks *[8]uint64, words int)

//go:noescape
func planes256x8(dst *[BlockWords]uint64, xs *[]uint64, options int, masks *[8]uint64, words int)

//go:noescape
func planes512x2(dst *[BlockWords]uint64, xs *[]uint64, options int, masks *[8]uint64, words int)

//go:noescape
func planes512x3(dst *[BlockWords]uint64, xs *[]uint64, options int, masks *[8]uint64, words int)

//go:noescape
func planes512x4(dst *[BlockWords]uint64, xs *[]uint64, options int, masks *[8]uint64, words int)

//go:noescape
func planes512x5(dst *[BlockWords]uint64, xs *[]uint64, options int, masks *[8]uint64, words int)

//go:noescape
func planes512x6(dst *[BlockWords]uint64, xs *[]uint64, options int, masks *[8]uint64, words int)

//go:noescape
func planes512x7(dst *[BlockWords]uint64, xs *[]uint64, options int, masks *[8]uint64, words int)

//go:noescape
func planes512x8(dst *[BlockWords]uint64, xs *[]uint64, options int, masks *[8]uint64, words int)

// planesOf are the functions that make planes, by their number.
type planesOf [9]func(dst *[BlockWords]uint64, xs *[]uint64, options int, masks *[8]uint64, words int)

var (
	avx2PlanesOf = planesOf{2: planes256x2, planes256x3, planes256x4, planes256x5, planes256x6, planes256x7,
		planes256x8}
	avx512PlanesOf = planesOf{2: planes512x2, planes512x3, planes512x4, planes512x5, planes512x6, planes512x7,
		planes512x8}
)

func avx2Planes(dst [][BlockWords]uint64, xs [][]uint64) int {
	return avx2PlanesOf.make(dst, xs, 4)
}

func avx512Planes(dst [][BlockWords]uint64, xs [][]uint64) int {
	return avx512PlanesOf.make(dst, xs, 8)
}

// make makes planes of the words that fill registers of so many, and returns their number.
func (f *planesOf) make(dst [][BlockWords]uint64, xs [][]uint64, register int) int {
	words := len(xs[0]) / register * register
	if words > 0 {
		f[len(dst)](&dst[0], &xs[0], len(xs), &numbers[1], words)
	}
	return words
}

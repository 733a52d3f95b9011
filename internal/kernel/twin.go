package kernel

import "math/bits"

// twin is the kernel in plain Go. It runs everywhere and is the reference that
// the kernels in assembly are compared with, next to the naive loop.
var twin = &Kernel{
	name: "go", group: 8, costs: costs{7.5, .8, 400, 600, 65000, 2.5, 6, 2, 2, 1.35, 20},
	tried: costs{respondent: 2.8, respondentGroup: .18, list: 170, listGroup: 170, transpose: 19000, code: 1.37, bin: 1.37,
		sample: .51, merge: 5.7},
	count: twinCount, transpose: twinTranspose, add: twinAdd, layered: twinLayered, square: twinSquare,
	quotients: twinQuotients, cell: twinCell, cellSmall: twinCellSmall, pack: twinPack, lookUp: twinLookUp, meet: twinMeet,
	merge: twinMerge, encode: twinCodes, bin: twinBin,
	binSmall: twinBinSmall, binSquares: twinBinSquares, planes: twinPlanes, wide: wide{shift: twinShift, counted: 1},
}

// twinTable holds, for each byte of a respondent's transposed bits, sums by the
// byte's value.
type twinTable [lanes / 8][256]uint64

func twinCount(dst []int32, xs [][]uint64, mask []uint64) {
	for i, x := range xs {
		n := 0
		x = x[:len(mask)]
		for w, m := range mask {
			n += bits.OnesCount64(x[w] & m)
		}
		dst[i] = int32(n)
	}
}

// twinTranspose transposes squares of 64 × 64 bits: the bits within bytes for 8
// options each, then the bytes for the 8 respondents that have the same place in
// a byte.
func twinTranspose(s *Scratch, xs [][]uint64, n int) {
	for w := range n {
		var t [8][8]uint64 // by place in the byte, then by group of options
		for g := range len(xs) / 8 {
			x := xs[8*g : 8*g+8]
			t[0][g&7], t[1][g&7], t[2][g&7], t[3][g&7], t[4][g&7], t[5][g&7], t[6][g&7], t[7][g&7] =
				exchangeBits(x[0][w], x[1][w], x[2][w], x[3][w], x[4][w], x[5][w], x[6][w], x[7][w])
		}
		dst := (*[64]uint64)(s.transposed[64*w:])
		for k, a := range &t {
			d := (*[57]uint64)(dst[k:])
			d[0], d[8], d[16], d[24], d[32], d[40], d[48], d[56] =
				exchangeBytes(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7])
		}
	}
}

// exchangeBits transposes the 8 squares of 8 × 8 bits in 8 words: smaller squares
// change places across the diagonal, of one, two and four bits (after Hacker's
// Delight, section 7-3).
func exchangeBits(a, b, c, d, e, f, g, h uint64) (_, _, _, _, _, _, _, _ uint64) {
	m := uint64(0x5555555555555555)
	a, b = swap(a, b, 1, m)
	c, d = swap(c, d, 1, m)
	e, f = swap(e, f, 1, m)
	g, h = swap(g, h, 1, m)
	m = 0x3333333333333333
	a, c = swap(a, c, 2, m)
	b, d = swap(b, d, 2, m)
	e, g = swap(e, g, 2, m)
	f, h = swap(f, h, 2, m)
	m = 0x0f0f0f0f0f0f0f0f
	a, e = swap(a, e, 4, m)
	b, f = swap(b, f, 4, m)
	c, g = swap(c, g, 4, m)
	d, h = swap(d, h, 4, m)
	return a, b, c, d, e, f, g, h
}

// swap has the bits of b that m selects change places with those of a that lie shift higher.
func swap(a, b uint64, shift int, m uint64) (uint64, uint64) {
	t := (a>>shift ^ b) & m
	return a ^ t<<shift, b ^ t
}

// exchangeBytes transposes the square of 8 × 8 bytes in 8 words.
func exchangeBytes(a, b, c, d, e, f, g, h uint64) (_, _, _, _, _, _, _, _ uint64) {
	m := uint64(0x00ff00ff00ff00ff)
	a, b = swap(a, b, 8, m)
	c, d = swap(c, d, 8, m)
	e, f = swap(e, f, 8, m)
	g, h = swap(g, h, 8, m)
	m = 0x0000ffff0000ffff
	a, c = swap(a, c, 16, m)
	b, d = swap(b, d, 16, m)
	e, g = swap(e, g, 16, m)
	f, h = swap(f, h, 16, m)
	m = 0x00000000ffffffff
	a, e = swap(a, e, 32, m)
	b, f = swap(b, f, 32, m)
	c, g = swap(c, g, 32, m)
	d, h = swap(d, h, 32, m)
	return a, b, c, d, e, f, g, h
}

// The twin adds weight and count in one integer of 64 bits: 4,095 weights stay
// below bit 52, and their count within the 12 bits above.
const (
	twinShift = 52
	twinLimit = 1<<(64-twinShift) - 1
)

// twin returns the weight with a count of one as the twin adds them, and of a wide limb all 48 bits.
func (p Packed) twin() uint64 {
	return p.wide() | 1<<twinShift
}

// twinAdd adds each listed weight once per byte of the respondent's bits, to the
// sum for the byte's value, and takes the values apart into bits at the end: 8
// options for one addition, whether their bits are set or not.
func twinAdd(s *Scratch, x, mask []uint64, flip uint64, weights []Packed, groups int) int {
	x = x[:len(mask)]
	n := 0
	for w, m := range mask {
		n += bits.OnesCount64((x[w] ^ flip) & m)
	}
	twinAddTo(s, &s.sums, x, mask, flip, n, weights, groups)
	return n
}

func twinLayered(s *Scratch, x, mask []uint64, flip uint64, groups int) int {
	n := twinAdd(s, x, mask, flip, s.weights, groups)
	for _, y := range s.layers {
		twinAddTo(s, &y.sums, x, mask, flip, n, y.weights[:], groups)
	}
	return n
}

// twinAddTo sets dst to the sums of the n respondents.
func twinAddTo(s *Scratch, dst *sums, x, mask []uint64, flip uint64, n int, weights []Packed, groups int) {
	dst.clear(8 * groups)
	step := len(mask)
	if n > twinLimit {
		step = twinLimit / 64
	}
	for w := 0; n > 0 && w < len(mask); w += step {
		end := min(w+step, len(mask))
		l := listed{x[w:end], mask[w:end], flip, s.transposed[64*w : 64*end], weights[64*w : 64*end]}
		clear(s.table[:groups])
		switch {
		case groups <= 2:
			s.table.add2(l)
		case groups <= 4:
			s.table.add4(l)
		case groups <= 6:
			s.table.add6(l)
		default:
			s.table.add8(l)
		}
		s.table.fold(dst, groups)
	}
}

// A listed is part of an option's bitmap, of the mask, of the transposed options
// and of the weights: what the loops below go through.
type listed struct {
	x, mask    []uint64
	flip       uint64
	transposed []uint64
	weights    []Packed
}

// add2 and its kind are the same loop for different numbers of groups. Unrolled
// by hand, their additions need no bounds checks and keep to registers.
func (t *twinTable) add2(l listed) {
	for w, m := range l.mask {
		bitmap := (l.x[w] ^ l.flip) & m
		if bitmap == 0 {
			continue
		}
		transposed, weights := (*[64]uint64)(l.transposed[64*w:]), (*[64]Packed)(l.weights[64*w:])
		for ; bitmap != 0; bitmap &= bitmap - 1 {
			i := bits.TrailingZeros64(bitmap) & 63
			w, x := weights[i].twin(), transposed[i]
			t[0][uint8(x)] += w
			t[1][uint8(x>>8)] += w
		}
	}
}

func (t *twinTable) add4(l listed) {
	for w, m := range l.mask {
		bitmap := (l.x[w] ^ l.flip) & m
		if bitmap == 0 {
			continue
		}
		transposed, weights := (*[64]uint64)(l.transposed[64*w:]), (*[64]Packed)(l.weights[64*w:])
		for ; bitmap != 0; bitmap &= bitmap - 1 {
			i := bits.TrailingZeros64(bitmap) & 63
			w, x := weights[i].twin(), transposed[i]
			t[0][uint8(x)] += w
			t[1][uint8(x>>8)] += w
			t[2][uint8(x>>16)] += w
			t[3][uint8(x>>24)] += w
		}
	}
}

func (t *twinTable) add6(l listed) {
	for w, m := range l.mask {
		bitmap := (l.x[w] ^ l.flip) & m
		if bitmap == 0 {
			continue
		}
		transposed, weights := (*[64]uint64)(l.transposed[64*w:]), (*[64]Packed)(l.weights[64*w:])
		for ; bitmap != 0; bitmap &= bitmap - 1 {
			i := bits.TrailingZeros64(bitmap) & 63
			w, x := weights[i].twin(), transposed[i]
			t[0][uint8(x)] += w
			t[1][uint8(x>>8)] += w
			t[2][uint8(x>>16)] += w
			t[3][uint8(x>>24)] += w
			t[4][uint8(x>>32)] += w
			t[5][uint8(x>>40)] += w
		}
	}
}

func (t *twinTable) add8(l listed) {
	for w, m := range l.mask {
		bitmap := (l.x[w] ^ l.flip) & m
		if bitmap == 0 {
			continue
		}
		transposed, weights := (*[64]uint64)(l.transposed[64*w:]), (*[64]Packed)(l.weights[64*w:])
		for ; bitmap != 0; bitmap &= bitmap - 1 {
			i := bits.TrailingZeros64(bitmap) & 63
			w, x := weights[i].twin(), transposed[i]
			t[0][uint8(x)] += w
			t[1][uint8(x>>8)] += w
			t[2][uint8(x>>16)] += w
			t[3][uint8(x>>24)] += w
			t[4][uint8(x>>32)] += w
			t[5][uint8(x>>40)] += w
			t[6][uint8(x>>48)] += w
			t[7][uint8(x>>56)] += w
		}
	}
}

// fold adds the sums of the byte values that have bit j to option j of the byte's
// group.
func (t *twinTable) fold(s *sums, groups int) {
	for g := range groups {
		t := &t[g]
		for j := 7; j >= 0; j-- {
			lo, hi := t[:1<<j], t[1<<j:]
			var sum uint64
			for i := range lo {
				v := hi[i]
				sum += v
				lo[i] += v
			}
			s.sample[8*g+j] += int64(sum >> twinShift)
			s.weight[8*g+j] += int64(sum & (1<<twinShift - 1))
		}
	}
}

func twinCell(a, b, mask []uint64, weights []Packed) Count {
	var n int
	var low, high uint64
	a, b = a[:len(mask)], b[:len(mask)]
	for w, m := range mask {
		x := a[w] & b[w] & m
		if x == 0 {
			continue
		}
		n += bits.OnesCount64(x)
		block := (*[64]Packed)(weights[64*w:])
		for ; x != 0; x &= x - 1 {
			p := uint64(block[bits.TrailingZeros64(x)&63])
			low += p & lowLimb
			high += p >> 32 & highLimb
		}
	}
	return Count{int64(n), int64(low + high<<limbBits)}
}

func twinCellSmall(a, b, mask []uint64, weights []uint32) Count {
	var c Count
	a, b = a[:len(mask)], b[:len(mask)]
	for w, m := range mask {
		x := a[w] & b[w] & m
		if x == 0 {
			continue
		}
		c.Sample += int64(bits.OnesCount64(x))
		block := (*[64]uint32)(weights[64*w:])
		for ; x != 0; x &= x - 1 {
			c.Weight += int64(block[bits.TrailingZeros64(x)&63])
		}
	}
	return c
}

func twinPack(dst []Packed, weights []uint32) {
	weights = weights[:len(dst)]
	for i, w := range weights {
		dst[i] = PackOne(int64(w))
	}
}

func twinMeet(dst, a, b []uint64, flip uint64) int {
	n := 0
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		x := a[i] & (b[i] ^ flip)
		dst[i] = x
		n += bits.OnesCount64(x)
	}
	return n
}

func twinMerge(dst, src *sums, groups int) {
	for i := range 8 * groups {
		dst.sample[i] += src.sample[i]
		dst.weight[i] += src.weight[i]
	}
}

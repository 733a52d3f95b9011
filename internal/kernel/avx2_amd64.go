package kernel

// See avx512_amd64.go for what these functions have in common.

//go:noescape
func count256(dst *int32, xs *[]uint64, options int, mask *uint64, words int)

//go:noescape
func transpose256(dst, temp *uint64, xs *[]uint64, bytes, words int)

//go:noescape
func list256(dst *uint16, x, mask *uint64, words int, flip uint64, places *[256][8]uint16) int

//go:noescape
func add256x1(sums *sums, group int, list *uint16, n int, transposed *uint64, weights *Packed, masks *[256][8]uint32)

//go:noescape
func add256x2(sums *sums, group int, list *uint16, n int, transposed *uint64, weights *Packed, masks *[256][8]uint32)

//go:noescape
func add256x3(sums *sums, group int, list *uint16, n int, transposed *uint64, weights *Packed, masks *[256][8]uint32)

//go:noescape
func add256x4(sums *sums, group int, list *uint16, n int, transposed *uint64, weights *Packed, masks *[256][8]uint32)

//go:noescape
func add256x5(sums *sums, group int, list *uint16, n int, transposed *uint64, weights *Packed, masks *[256][8]uint32)

//go:noescape
func add256x6(sums *sums, group int, list *uint16, n int, transposed *uint64, weights *Packed, masks *[256][8]uint32)

//go:noescape
func cell256(a, b, mask *uint64, weights *Packed, words int) (sample, weight int64)

//go:noescape
func cellSmall256(a, b, mask *uint64, weights *uint32, words int) (sample, weight int64)

//go:noescape
func pack256(dst *Packed, weights *uint32, words int)

//go:noescape
func meet256(dst, a, b *uint64, words int, flip uint64) int

//go:noescape
func merge256(dst, src *sums, groups int)

//go:noescape
func square256low(low, from *Packed, words int)

//go:noescape
func square256(low, high, from *Packed, words int)

//go:noescape
func spin256(rounds int)

var (
	avx2Masks  = makeMasks()  // by byte: all ones in the lanes of its bits
	avx2Places = makePlaces() // by byte: the places of its bits, ascending
)

func makeMasks() *[256][8]uint32 {
	t := new([256][8]uint32)
	for b := range t {
		for i := range t[b] {
			t[b][i] = -uint32(b >> i & 1)
		}
	}
	return t
}

func makePlaces() *[256][8]uint16 {
	t := new([256][8]uint16)
	for b := range t {
		n := 0
		for i := range uint16(8) {
			if b>>i&1 == 1 {
				t[b][n] = i
				n++
			}
		}
	}
	return t
}

func avx2Count(dst []int32, xs [][]uint64, mask []uint64) {
	for i := 0; i < len(xs); i += countAtOnce {
		count256(&dst[i], &xs[i], min(countAtOnce, len(xs)-i), &mask[0], len(mask))
	}
}

func avx2Transpose(s *Scratch, xs [][]uint64, n int) {
	transpose256(&s.transposed[0], &s.temp[0], &xs[0], len(xs)/8, n)
}

func avx2Add(s *Scratch, x, mask []uint64, flip uint64, weights []Packed, groups int) int {
	list := s.indices[:list256(&s.indices[0], &x[0], &mask[0], len(mask), flip, avx2Places)]
	avx2AddListed(s, &s.sums, len(list), weights, groups)
	return len(list)
}

// avx2Layered goes through the list that avx2Add has made once for each layer: there are no registers for two.
func avx2Layered(s *Scratch, x, mask []uint64, flip uint64, groups int) int {
	n := avx2Add(s, x, mask, flip, s.weights, groups)
	for _, y := range s.layers {
		avx2AddListed(s, &y.sums, n, y.weights[:], groups)
	}
	return n
}

// avx2AddListed sets dst to the sums of the n respondents listed. It takes up to 6 groups at a time, for want of
// registers.
func avx2AddListed(s *Scratch, dst *sums, n int, weights []Packed, groups int) {
	if n == 0 {
		dst.clear(8 * groups)
		return
	}
	from := 0
	if groups > 6 {
		add256x4(dst, 0, &s.indices[0], n, &s.transposed[0], &weights[0], avx2Masks)
		from = 4
	}
	avx2Adds[groups-from](dst, from, &s.indices[0], n, &s.transposed[0], &weights[0], avx2Masks)
}

// avx2Adds are the functions that add, by the number of groups.
var avx2Adds = [...]func(sums *sums, group int, list *uint16, n int, transposed *uint64, weights *Packed,
	masks *[256][8]uint32){1: add256x1, add256x2, add256x3, add256x4, add256x5, add256x6}

func avx2Cell(a, b, mask []uint64, weights []Packed) Count {
	sample, weight := cell256(&a[0], &b[0], &mask[0], &weights[0], len(mask))
	return Count{sample, weight}
}

func avx2CellSmall(a, b, mask []uint64, weights []uint32) Count {
	sample, weight := cellSmall256(&a[0], &b[0], &mask[0], &weights[0], len(mask))
	return Count{sample, weight}
}

func avx2Pack(dst []Packed, weights []uint32) { pack256(&dst[0], &weights[0], len(dst)/64) }

func avx2Meet(dst, a, b []uint64, flip uint64) int {
	return meet256(&dst[0], &a[0], &b[0], len(dst), flip)
}

func avx2Spin() int {
	spin256(1000)
	return 12 * 1000 * 8 / 2
}

func avx2Square(low, high, from []Packed) {
	if high == nil {
		square256low(&low[0], &from[0], len(from)/64)
	} else {
		square256(&low[0], &high[0], &from[0], len(from)/64)
	}
}

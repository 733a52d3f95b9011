package kernel

// The functions in assembly work on at most one block: a goroutine cannot be
// preempted in them. Bitmaps have at least one word.

//go:noescape
func count512(dst *int32, xs *[]uint64, options int, mask *uint64, words int)

//go:noescape
func transpose512(dst, temp *uint64, xs *[]uint64, bytes, words int)

//go:noescape
func list512(dst *uint16, x, mask *uint64, words int, flip uint64) int

//go:noescape
func add512x1(sums *sums, list *uint16, n int, transposed *uint64, weights *Packed)

//go:noescape
func add512x2(sums *sums, list *uint16, n int, transposed *uint64, weights *Packed)

//go:noescape
func add512x3(sums *sums, list *uint16, n int, transposed *uint64, weights *Packed)

//go:noescape
func add512x4(sums *sums, list *uint16, n int, transposed *uint64, weights *Packed)

//go:noescape
func cell512(a, b, mask *uint64, weights *Packed, words int) (sample, weight int64)

//go:noescape
func meet512(dst, a, b *uint64, words int, flip uint64) int

//go:noescape
func merge512(dst, src *sums, groups int)

//go:noescape
func spin512(rounds int)

func avx512Count(dst []int32, xs [][]uint64, mask []uint64) {
	for i := 0; i < len(xs); i += countAtOnce {
		count512(&dst[i], &xs[i], min(countAtOnce, len(xs)-i), &mask[0], len(mask))
	}
}

func avx512Transpose(s *Scratch, xs [][]uint64, n int) {
	transpose512(&s.transposed[0], &s.temp[0], &xs[0], len(xs)/8, n)
}

func avx512Add(s *Scratch, x, mask []uint64, flip uint64, weights []Packed, groups int) int {
	list := s.indices[:list512(&s.indices[0], &x[0], &mask[0], len(mask), flip)]
	avx512Again(s, &s.sums, nil, nil, 0, len(list), weights, groups)
	return len(list)
}

// avx512Again goes through the list that avx512Add has made.
func avx512Again(s *Scratch, dst *sums, _, _ []uint64, _ uint64, n int, weights []Packed, groups int) {
	if n == 0 {
		dst.clear(16 * groups)
		return
	}
	avx512Adds[groups](dst, &s.indices[0], n, &s.transposed[0], &weights[0])
}

// avx512Adds are the functions that add, by the number of groups.
var avx512Adds = [...]func(sums *sums, list *uint16, n int, transposed *uint64, weights *Packed){
	1: add512x1, add512x2, add512x3, add512x4}

func avx512Cell(a, b, mask []uint64, weights []Packed) Count {
	sample, weight := cell512(&a[0], &b[0], &mask[0], &weights[0], len(mask))
	return Count{sample, weight}
}

func avx512Meet(dst, a, b []uint64, flip uint64) int {
	return meet512(&dst[0], &a[0], &b[0], len(dst), flip)
}

func avx512Spin() int {
	spin512(1000)
	return 24 * 1000 * 16 / 2
}

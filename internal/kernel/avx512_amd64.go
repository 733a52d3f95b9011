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
func squares512x1of2(sums *sums, list *uint16, n int, transposed *uint64, weights *Packed, sums1 *sums,
	weights1 *Packed)

//go:noescape
func squares512x2of2(sums *sums, list *uint16, n int, transposed *uint64, weights *Packed, sums1 *sums,
	weights1 *Packed)

//go:noescape
func squares512x3of2(sums *sums, list *uint16, n int, transposed *uint64, weights *Packed, sums1 *sums,
	weights1 *Packed)

//go:noescape
func squares512x4of2(sums *sums, list *uint16, n int, transposed *uint64, weights *Packed, sums1 *sums,
	weights1 *Packed)

//go:noescape
func squares512x1of3(sums *sums, list *uint16, n int, transposed *uint64, weights *Packed, sums1 *sums,
	weights1 *Packed, sums2 *sums, weights2 *Packed)

//go:noescape
func squares512x2of3(sums *sums, list *uint16, n int, transposed *uint64, weights *Packed, sums1 *sums,
	weights1 *Packed, sums2 *sums, weights2 *Packed)

//go:noescape
func squares512x3of3(sums *sums, list *uint16, n int, transposed *uint64, weights *Packed, sums1 *sums,
	weights1 *Packed, sums2 *sums, weights2 *Packed)

//go:noescape
func squares512x4of3(sums *sums, list *uint16, n int, transposed *uint64, weights *Packed, sums1 *sums,
	weights1 *Packed, sums2 *sums, weights2 *Packed)

//go:noescape
func squares512x1of4(sums *sums, list *uint16, n int, transposed *uint64, weights *Packed, sums1 *sums,
	weights1 *Packed, sums2 *sums, weights2 *Packed)

//go:noescape
func squares512x2of4(sums *sums, list *uint16, n int, transposed *uint64, weights *Packed, sums1 *sums,
	weights1 *Packed, sums2 *sums, weights2 *Packed)

//go:noescape
func squares512x3of4(sums *sums, list *uint16, n int, transposed *uint64, weights *Packed, sums1 *sums,
	weights1 *Packed, sums2 *sums, weights2 *Packed)

//go:noescape
func squares512x4of4(sums *sums, list *uint16, n int, transposed *uint64, weights *Packed, sums1 *sums,
	weights1 *Packed, sums2 *sums, weights2 *Packed)

//go:noescape
func lookUp512x1(weights *uint32, positive *uint64, places *byte, list *uint32, last, words int) uint64

//go:noescape
func lookUp512x2(weights *uint32, positive *uint64, places *byte, list *uint32, last, words int) uint64

//go:noescape
func cell512(a, b, mask *uint64, weights *Packed, words int) (sample, weight int64)

//go:noescape
func cellSmall512(a, b, mask *uint64, weights *uint32, words int) (sample, weight int64)

//go:noescape
func pack512(dst *Packed, weights *uint32, words int)

//go:noescape
func meet512(dst, a, b *uint64, words int, flip uint64) int

//go:noescape
func merge512(dst, src *sums, groups int)

//go:noescape
func square512low(low, from *Packed, words int)

//go:noescape
func square512(low, high, from *Packed, words int)

//go:noescape
func quotients512(dst, from *Packed, words int, shift, inverse uint64) (all uint64)

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
	n := list512(&s.indices[0], &x[0], &mask[0], len(mask), flip)
	avx512AddListed(s, n, weights, groups)
	return n
}

// avx512AddListed sets the sums to those of the n respondents listed.
func avx512AddListed(s *Scratch, n int, weights []Packed, groups int) {
	if n == 0 {
		s.sums.clear(16 * groups)
		return
	}
	avx512Adds[groups](&s.sums, &s.indices[0], n, &s.transposed[0], &weights[0])
}

// avx512Adds are the functions that add, by the number of groups.
var avx512Adds = [...]func(sums *sums, list *uint16, n int, transposed *uint64, weights *Packed){
	1: add512x1, add512x2, add512x3, add512x4}

func avx512Layered(s *Scratch, x, mask []uint64, flip uint64, groups int) int {
	n := list512(&s.indices[0], &x[0], &mask[0], len(mask), flip)
	avx512LayeredListed(s, n, groups)
	return n
}

// avx512LayeredListed adds the weights of the n respondents listed and their layers in one go, which takes a
// respondent's masks out once.
func avx512LayeredListed(s *Scratch, n, groups int) {
	y, list := s.layers, &s.indices[0]
	switch {
	case n == 0:
		s.sums.clear(16 * groups)
		for _, y := range s.layers {
			y.sums.clear(16 * groups)
		}
	case s.squareLimbs == 2:
		avx512Squares2[groups](&s.sums, list, n, &s.transposed[0], &s.weights[0], &y[0].sums, &y[0].weights[0])
	default:
		avx512Squares[s.squareLimbs-3][groups](&s.sums, list, n, &s.transposed[0], &s.weights[0], &y[0].sums,
			&y[0].weights[0], &y[1].sums, &y[1].weights[0])
	}
}

var (
	avx512Squares2 = [...]func(sums *sums, list *uint16, n int, transposed *uint64, weights *Packed, sums1 *sums,
		weights1 *Packed){1: squares512x1of2, squares512x2of2, squares512x3of2, squares512x4of2}
	// avx512Squares are those for 3 and for 4 limbs.
	avx512Squares = [...][5]func(sums *sums, list *uint16, n int, transposed *uint64, weights *Packed, sums1 *sums,
		weights1 *Packed, sums2 *sums, weights2 *Packed){
		{1: squares512x1of3, squares512x2of3, squares512x3of3, squares512x4of3},
		{1: squares512x1of4, squares512x2of4, squares512x3of4, squares512x4of4},
	}
)

func avx512Cell(a, b, mask []uint64, weights []Packed) Count {
	sample, weight := cell512(&a[0], &b[0], &mask[0], &weights[0], len(mask))
	return Count{sample, weight}
}

func avx512CellSmall(a, b, mask []uint64, weights []uint32) Count {
	sample, weight := cellSmall512(&a[0], &b[0], &mask[0], &weights[0], len(mask))
	return Count{sample, weight}
}

func avx512Pack(dst []Packed, weights []uint32) { pack512(&dst[0], &weights[0], len(dst)/64) }

func avx512LookUp(weights []uint32, positive []uint64, places []byte, list []uint32) uint64 {
	by := lookUp512x2
	if len(places) == len(weights) {
		by = lookUp512x1
	}
	return by(&weights[0], &positive[0], &places[0], &list[0], len(list)-1, len(positive))
}

func avx512Meet(dst, a, b []uint64, flip uint64) int {
	return meet512(&dst[0], &a[0], &b[0], len(dst), flip)
}

func avx512Spin() int {
	spin512(1000)
	return 24 * 1000 * 16 / 2
}

func avx512Square(low, high, from []Packed) {
	if high == nil {
		square512low(&low[0], &from[0], len(from)/64)
	} else {
		square512(&low[0], &high[0], &from[0], len(from)/64)
	}
}

func avx512Quotients(dst, from []Packed, shift, inverse uint64) uint64 {
	return quotients512(&dst[0], &from[0], len(from)/64, shift, inverse)
}

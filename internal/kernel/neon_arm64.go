package kernel

import "golang.org/x/sys/cpu"

//go:noescape
func countNEON(dst *int32, xs *[]uint64, options int, mask *uint64, words int)

//go:noescape
func meetNEON(dst, a, b *uint64, words int, flip uint64) int

//go:noescape
func mergeNEON(dst, src *sums, groups int)

//go:noescape
func transposeNEON(dst, temp *uint64, xs *[]uint64, bytes, words int)

//go:noescape
func compactNEON(dst *[2]uint64, most int, x, mask *uint64, words int, flip uint64, transposed *uint64,
	weights *Packed) (n, done int)

//go:noescape
func spreadNEON(options *[4]eight, weights *eight, from *[2]uint64, eights int) (fourth, fifth uint64)

//go:noescape
func packNEON(dst *Packed, weights *uint32, words int)

//go:noescape
func cellNEON(a, b, mask *uint64, weights *Packed, words int) (sample, weight int64)

//go:noescape
func cellManyNEON(a, b, mask *uint64, weights *Packed, words int) (sample, weight int64)

//go:noescape
func dotsNEONx4(sums *sums, groups int, options, weights *eight, eights int)

//go:noescape
func cellSmallNEON(a, b, mask *uint64, weights *uint32, words int) (sample, weight int64)

//go:noescape
func cellSmallManyNEON(a, b, mask *uint64, weights *uint32, words int) (sample, weight int64)

//go:noescape
func dotsNEONx5(sums *sums, groups int, options, weights *eight, eights int)

//go:noescape
func dotsNEONx6(sums *sums, groups int, options, weights *eight, eights int)

//go:noescape
func matrixNEONx4(sums *sums, groups int, options, weights *eight, eights int)

//go:noescape
func matrixNEONx6(sums *sums, groups int, options, weights *eight, eights int)

//go:noescape
func dotsSpinNEON(rounds int)

//go:noescape
func matrixSpinNEON(rounds int)

// kernels are those this CPU runs, the fastest first.
var kernels = detect()

func detect() []*Kernel {
	var ks []*Kernel
	neon := Kernel{
		group: 16,
		count: neonCount, transpose: neonTranspose, square: neonSquare, quotients: twinQuotients, cell: neonCell,
		cellSmall: neonCellSmall, pack: neonPack, lookUp: twinLookUp,
		meet: neonMeet, merge: mergeNEON, encode: neonCodes, bin: neonBin,
		binSmall: neonBinSmall, planes: neonPlanes, wide: wide{shift: 40},
	}
	if cpu.ARM64.HasASIMDDP && cpu.ARM64.HasI8MM {
		k := neon
		k.name, k.costs = "i8mm", costs{10, 4.4, 700, 200, 42000, 1.5, 6.8, 3, 7, 2, 22}
		k.add, k.layered, k.spin = matrix.add, matrix.layered, matrixSpin
		ks = append(ks, &k)
	}
	if cpu.ARM64.HasASIMDDP {
		k := neon
		k.name, k.costs = "neon", costs{10, 7.9, 700, 200, 42000, 1.5, 6.8, 3, 7, 2, 22}
		k.add, k.layered, k.spin = dots.add, dots.layered, dotsSpin
		ks = append(ks, &k)
	}
	return append(ks, twin)
}

// countAtOnce is the number of bitmaps that one call in assembly counts: a goroutine cannot be preempted in it.
const countAtOnce = 256

func neonCount(dst []int32, xs [][]uint64, mask []uint64) {
	for i := 0; i < len(xs); i += countAtOnce {
		countNEON(&dst[i], &xs[i], min(countAtOnce, len(xs)-i), &mask[0], len(mask))
	}
}

func neonTranspose(s *Scratch, xs [][]uint64, n int) {
	transposeNEON(&s.transposed[0], &s.temp[0], &xs[0], len(xs)/8, n)
}

func neonMeet(dst, a, b []uint64, flip uint64) int {
	return meetNEON(&dst[0], &a[0], &b[0], len(dst), flip)
}

const (
	cellTried = 8  // words of a cell that are counted first, to know about how many respondents the others have
	cellMany  = 31 // words that cellManyNEON counts at most
	manyOf    = 10 // respondents of a word, from which on to add all of it takes less
)

func neonCell(a, b, mask []uint64, weights []Packed) Count {
	return countCell(cellNEON, cellManyNEON, a, b, mask, weights)
}

func neonCellSmall(a, b, mask []uint64, weights []uint32) Count {
	return countCell(cellSmallNEON, cellSmallManyNEON, a, b, mask, weights)
}

// countCell counts a cell in the way that is for few respondents or for many, as the words before have them.
func countCell[weight Packed | uint32](few, many func(a, b, mask *uint64, weights *weight, words int) (n, sum int64),
	a, b, mask []uint64, weights []weight) (count Count) {
	add, words := few, min(cellTried, len(mask))
	for from := 0; from < len(mask); {
		n, sum := add(&a[from], &b[from], &mask[from], &weights[64*from], words)
		count.Sample += n
		count.Weight += sum
		from += words
		dense := n >= int64(manyOf*words)
		if add, words = few, len(mask)-from; dense {
			add, words = many, min(cellMany, words)
		}
	}
	return count
}

// The respondents listed are taken in parts, of which what is put together stays in the nearest cache.
const (
	partSize = 1024                     // from so many respondents on no words more are begun, but the last three
	places   = (partSize+7*lanes)/8 + 1 // of 8 respondents, in a part
)

// An eight is two bytes of each of 8 respondents.
type eight [16]byte

// A part is what is put together of the respondents listed.
type part struct {
	list    [8 * places][2]uint64 // the transposed options and the weight of each
	options [places][4]eight      // in groups of 8
	weights [3 * places]eight     // those bytes that are used
}

// products are a way to add a part whose bytes are put together: by multiplying them with those of some groups of 16
// options. low is for weights below 2^24, middle for those below 2^32, all for any.
type products struct {
	low, middle, all func(sums *sums, groups int, options, weights *eight, eights int)
}

var (
	matrix = products{matrixNEONx4, matrixNEONx6, matrixNEONx6}
	dots   = products{dotsNEONx4, dotsNEONx5, dotsNEONx6}
)

func (a products) add(s *Scratch, x, mask []uint64, flip uint64, weights []Packed, groups int) int {
	return a.sum(s, &s.sums, x, mask, flip, weights, groups)
}

// layered puts the respondents listed together anew for each layer.
func (a products) layered(s *Scratch, x, mask []uint64, flip uint64, groups int) int {
	n := a.add(s, x, mask, flip, s.weights, groups)
	for _, y := range s.layers {
		a.sum(s, &y.sums, x, mask, flip, y.weights[:], groups)
	}
	return n
}

// sum sets dst to the sums of the respondents in mask ∧ (x ⊕ flip) and returns their number.
func (a products) sum(s *Scratch, dst *sums, x, mask []uint64, flip uint64, weights []Packed, groups int) int {
	dst.clear(16 * groups)
	p, total := &s.part, 0
	for from := 0; from < len(mask); {
		n, done := compactNEON(&p.list[0], partSize, &x[from], &mask[from], len(mask)-from, flip, &s.transposed[64*from],
			&weights[64*from])
		from += done
		if n == 0 {
			continue
		}
		total += n
		eights, add := (n+7)/8, a.low
		if fourth, fifth := spreadNEON(&p.options[0], &p.weights[0], &p.list[0], eights); fifth != 0 {
			add = a.all
		} else if fourth != 0 {
			add = a.middle
		}
		add(dst, groups, &p.options[0][0], &p.weights[0], eights)
	}
	return total
}

func matrixSpin() int {
	matrixSpinNEON(1000)
	return 24 * 1000 * 32 / 6
}

func dotsSpin() int {
	dotsSpinNEON(1000)
	return 24 * 1000 * 16 / 6
}

func neonPack(dst []Packed, weights []uint32) { packNEON(&dst[0], &weights[0], len(dst)/64) }

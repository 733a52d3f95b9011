package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// A survey is a generated audience in blocks: a multi-choice question of 2-40 %
// incidence against the options of single-choice questions.
type survey struct {
	rows, cols [][]uint64 // whole bitmaps
	mask       []uint64
	weights    []Packed
}

func newSurvey(words, rows, cols int) survey {
	r := rand.New(rand.NewPCG(42, 42))
	s := survey{mask: bitmap(r, words, 1)}
	for i := range rows {
		s.rows = append(s.rows, bitmap(r, words, 0.02+0.38*float64(i)/float64(max(rows-1, 1))))
	}
	r.Shuffle(rows, func(i, j int) { s.rows[i], s.rows[j] = s.rows[j], s.rows[i] })
	for len(s.cols) < cols { // questions of 2 to 9 options of unequal shares
		question := questions(r, words, 0, 2+len(s.cols)%8)
		s.cols = append(s.cols, question[:min(len(question), cols-len(s.cols))]...)
	}
	ws := make([]int64, 64*words)
	for i := range ws {
		ws[i] = 1<<36 + r.Int64N(1<<39)
	}
	s.weights = make([]Packed, len(ws))
	Pack(s.weights, ws)
	return s
}

// count counts the survey block by block, as an engine does, and its squares if there is room for them.
func (v survey) count(k *Kernel, s *Scratch, acc []Count, squares []Square) {
	rows, cols := make([][]uint64, len(v.rows)), make([][]uint64, len(v.cols))
	for w := 0; w < len(v.mask); w += BlockWords {
		end := min(w+BlockWords, len(v.mask))
		for i, x := range v.rows {
			rows[i] = x[w:end]
		}
		for i, x := range v.cols {
			cols[i] = x[w:end]
		}
		if mask, weights := v.mask[w:end], v.weights[64*w:64*end]; squares == nil {
			k.Tile(s, acc, len(cols), rows, cols, mask, Weights{Packed: weights})
		} else {
			k.Squares(s, acc, squares, len(cols), rows, cols, mask, Weights{Packed: weights})
		}
	}
}

// floor returns the time that the survey's additions take at least: those of the
// side with fewer respondents, in groups of 16, at the rate that k does them alone.
func (v survey) floor(k *Kernel) time.Duration {
	respondents := func(xs [][]uint64) (n int) {
		for _, x := range xs {
			n += PopCount(x)
		}
		return n
	}
	groups := func(n int) int { return (n + 15) / 16 * 16 }
	least := min(respondents(v.rows)*groups(len(v.cols)), respondents(v.cols)*groups(len(v.rows)))
	fastest := time.Duration(math.MaxInt64)
	var sums int
	for range 1000 {
		start := time.Now()
		sums = k.Spin()
		fastest = min(fastest, time.Since(start))
	}
	if sums == 0 {
		return 0
	}
	return time.Duration(float64(least) / float64(sums) * float64(fastest))
}

// BenchmarkTile counts 1,048,576 respondents on one thread (131,072 for 500 × 500).
// The floor is in percent of the time; it may exceed 100, as bundles of options
// and lists of both sides need fewer additions.
func BenchmarkTile(b *testing.B) {
	for _, shape := range []struct{ words, rows, cols int }{
		{16384, 50, 50}, {16384, 200, 20}, {16384, 50, 1}, {16384, 4, 4}, {16384, 1, 1}, {2048, 500, 500},
	} {
		v := newSurvey(shape.words, shape.rows, shape.cols)
		for _, k := range All() {
			b.Run(fmt.Sprintf("%dx%d/%s", shape.rows, shape.cols, k), func(b *testing.B) {
				s := new(Scratch)
				acc := make([]Count, shape.rows*shape.cols)
				floor := v.floor(k)
				for b.Loop() {
					v.count(k, s, acc, nil)
				}
				if floor > 0 {
					b.ReportMetric(100*float64(floor)*float64(b.N)/float64(b.Elapsed()), "floor%")
				}
			})
		}
	}
}

// BenchmarkSingles counts 1,048,576 respondents on one thread: questions of which everybody gives one answer, and the
// binary digits of numbers, by another.
func BenchmarkSingles(b *testing.B) {
	const words = 16384
	for _, shape := range []struct {
		name         string
		digits, rows []int
		cols         []int
	}{
		{"50 by 50", nil, []int{50}, []int{50}}, {"20 by 20", nil, []int{20}, []int{20}},
		{"5 by 8", nil, []int{5}, []int{8}}, {"200 by 20", nil, []int{200}, []int{20}},
		{"10, 20 and 20 by 20", nil, []int{10, 20, 20}, []int{20}},
		{"7 digits by 10", make([]int, 7), nil, []int{10}}, {"10 digits by 4", make([]int, 10), nil, []int{4}},
	} {
		r := rand.New(rand.NewPCG(42, 42))
		v := survey{mask: bitmap(r, words, 1)}
		for range shape.digits {
			v.rows = append(v.rows, bitmap(r, words, .5))
		}
		for _, n := range shape.rows {
			v.rows = append(v.rows, questions(r, words, .05, n)...)
		}
		for _, n := range shape.cols {
			v.cols = append(v.cols, questions(r, words, .05, n)...)
		}
		weights := make([]int64, 64*words)
		for i := range weights {
			weights[i] = 1<<20 + r.Int64N(1<<22)
		}
		v.weights = make([]Packed, len(weights))
		Pack(v.weights, weights)
		for _, k := range All() {
			for _, squares := range []bool{false, true} {
				b.Run(fmt.Sprintf("%s/%s/%v", shape.name, k, squares), func(b *testing.B) {
					s := new(Scratch)
					acc := make([]Count, len(v.rows)*len(v.cols))
					var sums []Square
					if squares {
						sums = make([]Square, len(acc))
					}
					for b.Loop() {
						v.count(k, s, acc, sums)
					}
					b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(64*words), "ns/respondent")
				})
			}
		}
	}
}

// BenchmarkCalls times the largest call of each function of a kernel: a goroutine can't be preempted in assembly, so
// none may take 100 µs.
func BenchmarkCalls(b *testing.B) {
	r := rand.New(rand.NewPCG(42, 42))
	xs := bitmaps(r, BlockWords, 256, func(int) float64 { return 1 })
	mask := bitmap(r, BlockWords, 1)
	weights := make([]Packed, blockSize)
	for i := range weights {
		weights[i] = PackOne(MaxWeight)
	}
	counts, small := make([]int32, len(xs)), make([]uint32, blockSize)
	dst, low, high := make([]uint64, BlockWords), make([]Packed, blockSize), make([]Packed, blockSize)
	for _, k := range All() {
		s, coded := new(Scratch), &Scratch{mask: mask}
		for i := range coded.codes {
			coded.codes[i] = uint16(i * 7 % maxBins)
		}
		groups := lanes / k.group
		for _, call := range []struct {
			name string
			do   func()
		}{
			{"count 256 options", func() { k.count(counts, xs, mask) }},
			{"transpose 64 options", func() { k.transpose(s, xs[:lanes], BlockWords) }},
			{"add 8192 respondents to 64 options", func() { k.add(s, xs[0], mask, 0, weights, groups) }},
			{"cell", func() { k.cell(xs[0], xs[1], mask, weights) }},
			{"small cell", func() { k.cellSmall(xs[0], xs[1], mask, small) }},
			{"pack", func() { k.pack(low, small) }},
			{"meet", func() { k.meet(dst, xs[0], xs[1], 0) }},
			{"encode", func() { k.encode(s, (*[codeBits][]uint64)(xs), BlockWords) }},
			{"bin", func() { k.bin(coded, coded.bins[:], weights, 0, BlockWords, 1) }},
			{"small bin", func() { k.binSmall(coded, coded.bins[:], small, 0, BlockWords, 1) }},
			{"gather", func() { gather(coded.bins[:maxBins/2], coded.bins[maxBins/2:], 1<<leastBits) }},
			{"square", func() { k.square(low, nil, weights) }},
			{"squares", func() { k.square(low, high, weights) }},
			{"quotients", func() { k.quotients(low, weights, 1, 1) }},
			{"planes of 255 options", func() { k.makePlanes(s.planes[:8], xs[:255]) }},
			{"merge", func() { k.merge(&s.margin, &s.sums, groups) }},
		} {
			b.Run(k.Name()+"/"+call.name, func(b *testing.B) {
				for b.Loop() {
					call.do()
				}
			})
		}
	}
}

// The helpers, on a block.
func BenchmarkBitmaps(b *testing.B) {
	r := rand.New(rand.NewPCG(42, 42))
	xs := bitmaps(r, BlockWords, 50, func(int) float64 { return 0.1 })
	dst := make([]uint64, BlockWords)
	b.Run("And", func(b *testing.B) {
		for b.Loop() {
			And(dst, xs[0], xs[1])
		}
	})
	b.Run("PopCount", func(b *testing.B) {
		for b.Loop() {
			PopCount(xs[0])
		}
	})
	b.Run("Any", func(b *testing.B) {
		clear(dst)
		for b.Loop() {
			Any(dst)
		}
	})
	for _, least := range []int{2, 5, 25} {
		b.Run(fmt.Sprintf("AtLeast/%d of 50", least), func(b *testing.B) {
			for b.Loop() {
				AtLeast(dst, xs, least)
			}
		})
	}
	b.Run("Pack", func(b *testing.B) {
		packed, weights := make([]Packed, blockSize), make([]int64, blockSize)
		for b.Loop() {
			Pack(packed, weights)
		}
	})
}

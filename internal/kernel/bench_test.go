package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
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
	// random bits of a density given in 256ths, by the bits of that number
	biased := func(d float64) []uint64 {
		x := make([]uint64, words)
		p := uint(d * 256)
		for w := range x {
			for b := range 8 {
				if p>>b&1 == 1 {
					x[w] |= r.Uint64()
				} else {
					x[w] &= r.Uint64()
				}
			}
		}
		return x
	}
	for i := range rows {
		s.rows = append(s.rows, biased(0.02+0.38*float64(i)/float64(max(rows-1, 1))))
	}
	r.Shuffle(rows, func(i, j int) { s.rows[i], s.rows[j] = s.rows[j], s.rows[i] })
	for len(s.cols) < cols { // questions of 2 to 9 options of unequal shares
		options := 2 + len(s.cols)%8
		question := make([][]uint64, options)
		for i := range question {
			question[i] = make([]uint64, words)
		}
		for i := range 64 * words {
			o := r.IntN(options * (options + 1) / 2)
			for j := range options {
				if o -= j + 1; o < 0 {
					question[j][i/64] |= 1 << (i % 64)
					break
				}
			}
		}
		s.cols = append(s.cols, question[:min(options, cols-len(s.cols))]...)
	}
	ws := make([]int64, 64*words)
	for i := range ws {
		ws[i] = 1<<36 + r.Int64N(1<<39)
	}
	s.weights = make([]Packed, len(ws))
	Pack(s.weights, ws)
	return s
}

// count counts the survey block by block, as an engine does.
func (v survey) count(k *Kernel, s *Scratch, acc []Count) {
	rows, cols := make([][]uint64, len(v.rows)), make([][]uint64, len(v.cols))
	for w := 0; w < len(v.mask); w += BlockWords {
		end := min(w+BlockWords, len(v.mask))
		for i, x := range v.rows {
			rows[i] = x[w:end]
		}
		for i, x := range v.cols {
			cols[i] = x[w:end]
		}
		k.Tile(s, acc, len(cols), rows, cols, v.mask[w:end], v.weights[64*w:64*end])
	}
}

// BenchmarkTile counts 1,048,576 respondents on one thread (131,072 for 500 × 500).
func BenchmarkTile(b *testing.B) {
	for _, shape := range []struct{ words, rows, cols int }{
		{16384, 50, 50}, {16384, 200, 20}, {16384, 50, 1}, {16384, 4, 4}, {16384, 1, 1}, {2048, 500, 500},
	} {
		v := newSurvey(shape.words, shape.rows, shape.cols)
		for _, k := range All() {
			b.Run(fmt.Sprintf("%dx%d/%s", shape.rows, shape.cols, k), func(b *testing.B) {
				s := new(Scratch)
				acc := make([]Count, shape.rows*shape.cols)
				for b.Loop() {
					v.count(k, s, acc)
				}
			})
		}
	}
}

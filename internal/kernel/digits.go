package kernel

import "fmt"

// MaxDigits is how many bitmaps [Kernel.Digits] takes at most.
const MaxDigits = maxBits - leastBits

// Digits adds to acc[rows[n]*stride+j] the respondents in cols[j] ∧ mask of whom the digits say the number n, and the
// sum of their weights; unless squares is nil, to squares at the same places the sum of the squares of those. The first
// of digits is worth 1, the next 2, and so on: rows has a place for each number that they can say, and a number whose
// row is negative is not counted. Numbers are what bins are counted by, so that it takes no more to count the
// respondents of all numbers, each by itself, than those of all digits.
func (k *Kernel) Digits(s *Scratch, acc []Count, squares []Square, stride int, digits [][]uint64, rows []int32,
	cols [][]uint64, mask []uint64, weights Weights) {
	check(acc, stride, nil, cols, mask, weights)
	check(acc, stride, nil, digits, mask, weights)
	if len(digits) > MaxDigits || len(rows) != 1<<len(digits) || squares != nil && len(squares) < len(acc) {
		panic(fmt.Sprintf("kernel: %d digits, %d rows, %d counts and %d squares", len(digits), len(rows), len(acc),
			len(squares)))
	}
	m := PopCount(mask)
	if m == 0 {
		return
	}
	s.take(mask, weights)
	defer s.release()
	s.cols.load(k, cols, mask, m)
	if len(s.cols.members) == 0 {
		return
	}
	if squares != nil {
		s.takeSquares(k)
	}
	b := binning{k: k, s: s, cols: &s.cols, t: target{acc, squares, stride, 1}, digits: digits, numbers: rows}
	b.cols.encode(max(leastBits, nearBits-len(digits)), 0)
	if len(b.cols.codes) > 1 { // less often is better than near
		b.cols.encode(min(fieldBits, maxBits-len(digits)), 0)
	}
	row := code{bits: len(digits), whole: noOption}
	for _, col := range b.cols.codes {
		col.planes = 0 // those of one code at a time have room, however many there are
		b.makeCode(b.cols, col)
		b.encodePair(row, col)
		b.add(row, col)
	}
}

package kernel

import "math/bits"

// A Listing counts options that few respondents have against one option, each for itself. That is for tables of very
// many rows and few columns: there is nothing then that would repay transposing, and rows that are stored as lists need
// not be made bitmaps of, which would be mostly empty. The zero value is ready for use, by one goroutine.
type Listing struct {
	within [BlockWords]uint64
	found  [blockSize]uint16
}

// Within sets who is counted: those in col ∧ mask, a block's bitmaps.
func (l *Listing) Within(col, mask []uint64) {
	for i, m := range mask {
		l.within[i] = col[i] & m
	}
}

// Add adds to a count the respondents at those positions that are within, and the sum of their weights; and that of
// their squared weights to square, unless it is nil. Position p is respondent p−first of the block, and none is outside
// of it; weights are the block's.
func (l *Listing) Add(count *Count, square *Square, positions []uint32, first uint32, weights Weights) {
	n := 0
	for _, p := range positions { // without a branch, as who is within can't be foreseen
		i := (p - first) % blockSize
		l.found[n%blockSize] = uint16(i)
		n += int(l.within[i>>6] >> (i & 63) & 1)
	}
	l.add(count, square, n, weights)
}

// AddBits does what Add does for an option that is a bitmap: words from first on of those of the block.
func (l *Listing) AddBits(count *Count, square *Square, row []uint64, first int, weights Weights) {
	n := 0
	for i, x := range row {
		i += first
		for x &= l.within[i%BlockWords]; x != 0; x &= x - 1 {
			l.found[n%blockSize] = uint16(64*i + bits.TrailingZeros64(x))
			n++
		}
	}
	l.add(count, square, n, weights)
}

// add adds the first n that were found.
func (l *Listing) add(count *Count, square *Square, n int, weights Weights) {
	if n == 0 {
		return
	}
	count.Sample += int64(n)
	if square == nil {
		for _, i := range l.found[:n] {
			count.Weight += weights.of(int(i))
		}
		return
	}
	weight, sum := count.Weight, *square
	for _, i := range l.found[:n] {
		w := weights.of(int(i))
		weight += w
		high, low := bits.Mul64(uint64(w), uint64(w))
		var carry uint64
		sum.Low, carry = bits.Add64(sum.Low, low, 0)
		sum.High += high + carry
	}
	count.Weight, *square = weight, sum
}

package kernel

import (
	"math"
	"math/bits"
)

// Counting by bins is the other method of [Kernel.Tile]. What a question of one answer says of a respondent is one
// small number: for 50 options 6 bits of it are enough. So is what six options say that do not exclude each other. Such
// numbers are a side's codes, and two of them, one of each side, name one of a few thousand bins, to which the
// respondent's weight is added once, whatever the number of rows and columns that the codes stand for. At the end of
// the block cells are made of bins.
//
// A bin is one integer of 64 bits: the number of respondents above the sum of their weights.

const (
	nearBits  = 12 // of two codes: so many that their bins fit the first cache of a processor
	maxBits   = 13 // of two codes at most
	maxBins   = 1 << maxBits
	fieldBits = 8  // of an exclusive set at most
	maxPlanes = 64 // bitmaps that have to be made for codes
	codeBits  = 16 // of what two codes are kept in
	manySets  = 64 // of both sides: lists are cheaper beyond
	// leastBits is how many bits a code of columns has at least, so that bins are added up in whole registers.
	leastBits = 3
)

// A field is what an exclusive set, or some of it, adds to a code: a number of some bits, 0 for none of its options,
// else the option's place from the first on. A place between them may be that of an option that nobody has.
type field struct{ first, options int }

// width is the number of bits of such a number.
func (f field) width() int { return bits.Len(uint(f.options)) }

// A code is some fields of a side, the first in the lowest bits.
type code struct {
	fields []field
	bits   int
	planes int   // the number of the first plane that had to be made for the fields
	whole  int32 // an option that all respondents have, and no bit tells; noOption if there is none
}

// noOption is a place in which no option is.
const noOption = -1

// encode sets a.codes to codes of at most so many bits each, whose planes begin with that of a number, and returns the
// sum of their bits and the number of the next plane.
func (a *side) encode(most, planes int) (sum, next int) {
	a.fields, a.codes = a.fields[:0], a.codes[:0]
	c, begin := code{planes: planes, whole: noOption}, 0
	for _, x := range a.sets {
		if o := a.members[x.first]; x.len == 1 && a.bits[o] == a.mask && c.whole == noOption {
			c.whole = o
			continue
		}
		first, end := int(a.members[x.first]), int(a.members[x.first+x.len-1])+1
		for step := 1<<min(most, fieldBits) - 1; first < end; first += step {
			options := min(step, end-first)
			a.fields = append(a.fields, field{first, options})
		}
	}
	for i, f := range a.fields {
		if c.bits+f.width() > most {
			a.codes = append(a.codes, c)
			c, begin = code{planes: planes, whole: noOption}, i
		}
		c.fields = a.fields[begin : i+1]
		c.bits += f.width()
		sum += f.width()
		if f.options > 1 {
			planes += f.width()
		}
	}
	a.codes = append(a.codes, c)
	return sum, planes
}

// A binning is how a block is counted by bins: the codes of rows are in the upper bits.
type binning struct {
	k          *Kernel
	s          *Scratch
	rows, cols *side
	t          target
	most       int // bits of two codes
	price      float32

	digits  [][]uint64 // of Digits: the bits of rows' codes, which have no fields
	numbers []int32    // and the row of each code
}

// bins returns how the block is best counted by bins, with what that takes: an infinite price if it can't be.
func (k *Kernel) bins(s *Scratch, t target) binning {
	b := binning{k: k, s: s, rows: &s.rows, cols: &s.cols, t: t, most: nearBits, price: float32(math.Inf(1))}
	// Rows are added up in registers, columns are not: they are the side of fewer sets.
	if len(b.rows.sets) < len(b.cols.sets) {
		b.rows, b.cols = b.cols, b.rows
		b.t.list, b.t.transposed = t.transposed, t.list
	}
	if len(b.rows.sets) == 0 || len(b.cols.sets) == 0 || len(b.rows.sets)+len(b.cols.sets) > manySets {
		return b
	}
	width, most := 0, 0
	for b.most = nearBits; b.most <= maxBits; b.most++ {
		for cols := leastBits; cols <= fieldBits; cols++ {
			sum, planes := b.encode(cols)
			if p := b.cost(); p < b.price && planes <= maxPlanes {
				b.price, width, most = p, cols, b.most
			}
			if sum <= cols { // all is in one code, which more bits do not change
				break
			}
		}
	}
	if width > 0 {
		b.most = most
		b.encode(width)
	}
	return b
}

// encode sets the codes of both sides for columns of so many bits, and returns the sum of the columns' bits and how
// many planes have to be made.
func (b *binning) encode(cols int) (sum, planes int) {
	sum, planes = b.cols.encode(cols, 0)
	_, planes = b.rows.encode(b.most-max(leastBits, min(cols, sum)), planes)
	return sum, planes
}

// farther is how much longer it takes to add a weight to one of so many bins that they do not fit the first cache.
const farther = 1.25

// cost is what counting by bins takes, in the unit of costs.
func (b *binning) cost() float32 {
	c, layers := b.k.costs, len(b.s.layers)
	folds := float32((len(b.s.mask)+b.part()-1)/b.part() + layers)
	if words := b.s.root.words; words > 0 {
		layers, folds = 1, folds+float32((len(b.s.mask)+words-1)/words)
	}
	passes := layers // over the block
	if !b.s.uncounted {
		passes++
	}
	respondent := float32(64*len(b.s.mask)) * (c.code + float32(passes)*c.bin)
	if b.most > nearBits {
		respondent *= farther
	}
	total := float32(b.options()*len(b.s.mask)) * c.plane
	for _, row := range b.rows.codes {
		for _, col := range b.cols.codes {
			total += respondent + folds*float32(int(1)<<(row.bits+max(leastBits, col.bits)))*c.fold
		}
	}
	return total
}

// options is how many options there are whose fields planes have to be made for.
func (b *binning) options() (n int) {
	for _, a := range []*side{b.rows, b.cols} {
		for _, f := range a.fields {
			if f.options > 1 {
				n += f.options
			}
		}
	}
	return n
}

// A block's weights of up to 36 bits stay below bit 50, and their count within the 14 bits above. Of greater ones,
// which are rare, 63 words' stay below bit 52, and their count within the 12 bits above.
const (
	smallDigits = 36
	countFrom   = 50
	largePart   = 63
	largeFrom   = 52
)

// part is how many words are added to bins before cells are made of them.
func (b *binning) part() int {
	if b.s.large && b.s.small == nil {
		return largePart
	}
	return BlockWords
}

// count counts the block.
func (b *binning) count() {
	b.makePlanes(b.cols)
	b.makePlanes(b.rows)
	for _, row := range b.rows.codes {
		for _, col := range b.cols.codes {
			b.encodePair(row, col)
			b.add(row, col)
		}
	}
}

// encodePair sets s.codes to two codes in one, the column's in the lower bits.
func (b *binning) encodePair(row, col code) {
	views, words := &b.s.coded, len(b.s.mask)
	for i := range views {
		views[i] = b.s.empty[:words]
	}
	b.view(views[:], b.cols, col)
	if above := views[max(leastBits, col.bits):]; b.digits != nil {
		copy(above, b.digits)
	} else {
		b.view(above, b.rows, row)
	}
	b.k.encode(b.s, views, words)
}

// add counts the cells of two codes.
func (b *binning) add(row, col code) {
	s, words := b.s, len(b.s.mask)
	bins := s.bins[:1<<(row.bits+max(leastBits, col.bits))]
	switch {
	case s.uncounted: // squares are all that is wanted
	case s.small != nil:
		clear(bins)
		b.k.binSmall(s, bins, s.small, 0, words, 1<<countFrom)
		b.fold(bins, row, col, func(row, first int, sums []uint64) { b.t.putCounts(row, first, sums, countFrom) })
	case !b.addWeights(bins, row, col):
		s.large = true
		b.add(row, col)
		return
	}
	from := 0
	if b.t.squares != nil && s.layers == nil {
		if from = b.addRoots(bins, row, col); from == words {
			return
		}
		s.square(b.k)
	}
	for i, y := range s.layers {
		clear(bins)
		b.k.bin(s, bins, y.weights[:64*words], from, words, 0)
		b.fold(bins, row, col, func(row, first int, sums []uint64) {
			b.t.putSquares(row, first, sums, s.factor, layerBits*i)
		})
	}
}

// addRoots counts the squares of two codes' cells by the root of the weights, up to the word that it returns: the end,
// if all of them have it.
func (b *binning) addRoots(bins []uint64, row, col code) (from int) {
	s := b.s
	for end := 0; from < len(s.mask); from = end {
		end = min(from+s.root.words, len(s.mask))
		clear(bins)
		if all, most := b.k.binSquares(s, bins, s.small, from, end, s.root); !s.root.of(all, most) {
			return from
		}
		b.fold(bins, row, col, func(row, first int, sums []uint64) { b.t.putSquares(row, first, sums, s.root.factor, 0) })
	}
	return from
}

// addWeights counts the cells of two codes by packed weights. It adds nothing to them and returns false if the weights
// turn out to be larger than was thought.
func (b *binning) addWeights(bins []uint64, row, col code) bool {
	s, words, shift := b.s, len(b.s.mask), countFrom
	if s.large {
		shift = largeFrom
	}
	for from, part := 0, b.part(); from < words; from += part {
		clear(bins)
		all := b.k.bin(s, bins, s.weights, from, min(from+part, words), 1<<shift)
		if !s.large && all.unpack()>>smallDigits != 0 { // nothing of the block is in a cell yet
			return false
		}
		b.fold(bins, row, col, func(row, first int, sums []uint64) { b.t.putCounts(row, first, sums, shift) })
	}
	return true
}

// putCounts adds to the cells of a row and the columns from first on what their bins hold: counts from a bit on,
// weights below it.
func (t target) putCounts(row, first int, sums []uint64, shift int) {
	at, weight := row*t.list+first*t.transposed, uint64(1)<<shift-1
	if t.transposed == 1 { // the cells lie side by side
		cells := t.acc[at:][:len(sums)]
		for i, sum := range sums {
			cells[i].Sample += int64(sum >> (shift & 63))
			cells[i].Weight += int64(sum & weight)
		}
		return
	}
	for _, sum := range sums {
		c := &t.acc[at]
		c.Sample += int64(sum >> (shift & 63))
		c.Weight += int64(sum & weight)
		at += t.transposed
	}
}

// putSquares adds to the cells of a row and the columns from first on what their bins hold of a layer, times a factor
// and so many powers of two, fewer than 64.
func (t target) putSquares(row, first int, sums []uint64, factor uint64, powers int) {
	at := row*t.list + first*t.transposed
	for _, sum := range sums {
		x := &t.squares[at]
		over, under := bits.Mul64(sum, factor)
		over, under = over<<powers|under>>1>>(63-powers), under<<powers
		var carry uint64
		x.Low, carry = bits.Add64(x.Low, under, 0)
		x.High, _ = bits.Add64(x.High, over, carry)
		at += t.transposed
	}
}

// makePlanes makes the planes of a side.
func (b *binning) makePlanes(a *side) {
	for _, c := range a.codes {
		b.makeCode(a, c)
	}
}

// makeCode makes the planes of a code.
func (b *binning) makeCode(a *side, c code) {
	next := c.planes
	for _, f := range c.fields {
		if f.options > 1 {
			b.k.makePlanes(b.s.planes[next:next+f.width()], a.xs[f.first:f.first+f.options])
			next += f.width()
		}
	}
}

// view sets the first of the views to the bits of a code.
func (b *binning) view(views [][]uint64, a *side, c code) {
	next, i := c.planes, 0
	for _, f := range c.fields {
		if f.options == 1 {
			views[i] = a.xs[f.first]
			i++
			continue
		}
		for range f.width() {
			views[i] = b.s.planes[next][:len(b.s.mask)]
			i, next = i+1, next+1
		}
	}
}

// fold makes rows of the bins, and calls put with each row's sums of some columns, those from one on, for all of them
// in turn. What options of other fields have in a bin is added up on the way, in the bins.
func (b *binning) fold(bins []uint64, row, col code, put func(row, first int, sums []uint64)) {
	cols := 1 << max(leastBits, col.bits)
	for n, row := range b.numbers {
		// Numbers that nobody has are many, and their cells need not be looked at.
		if of := bins[n*cols:][:1<<col.bits]; row >= 0 && inhabited(of) {
			b.foldRow(of, int(row), col, put)
		}
	}
	for i := len(row.fields) - 1; i >= 0; i-- {
		f := row.fields[i]
		part := len(bins) >> f.width() // bins of one option
		for option := range f.options {
			of := bins[(option+1)*part : (option+2)*part]
			if i > 0 || row.whole != noOption {
				gather(bins[:part], of, cols)
			}
			b.foldRow(of[:1<<col.bits], f.first+option, col, put)
		}
		bins = bins[:part]
	}
	if row.whole != noOption {
		b.foldRow(bins[:1<<col.bits], int(row.whole), col, put)
	}
}

// inhabited tells whether there is anything in bins.
func inhabited(bins []uint64) bool {
	all := uint64(0)
	for _, n := range bins {
		all |= n
	}
	return all != 0
}

// foldRow does the same for the columns of a row.
func (b *binning) foldRow(bins []uint64, row int, col code, put func(row, first int, sums []uint64)) {
	for i := len(col.fields) - 1; i > 0; i-- {
		f := col.fields[i]
		part := len(bins) >> f.width()
		sums := b.s.row[:f.options]
		for option := range sums {
			sum := uint64(0)
			for j, v := range bins[(option+1)*part : (option+2)*part] {
				sum += v
				bins[j] += v
			}
			sums[option] = sum
		}
		put(row, f.first, sums)
		bins = bins[:part]
	}
	if len(col.fields) > 0 {
		put(row, col.fields[0].first, bins[1:col.fields[0].options+1])
	}
	if col.whole != noOption {
		sum := uint64(0)
		for _, n := range bins {
			sum += n
		}
		b.s.row[0] = sum
		put(row, int(col.whole), b.s.row[:1])
	}
}

// makePlanes sets the planes to the bits of the number of the option that each respondent has: 1 for the first of xs.
func (k *Kernel) makePlanes(dst [][BlockWords]uint64, xs [][]uint64) {
	from := k.planes(dst, xs)
	for p := range dst {
		plane := dst[p][from:len(xs[0])]
		clear(plane)
		for i, x := range xs {
			if (i+1)>>p&1 == 0 {
				continue
			}
			for w, bits := range x[from:][:len(plane)] {
				plane[w] |= bits
			}
		}
	}
}

// numbers has for each number of a field a mask for each of its bits.
var numbers = makeNumbers()

func makeNumbers() *[1 << fieldBits][fieldBits]uint64 {
	t := new([1 << fieldBits][fieldBits]uint64)
	for n := range t {
		for bit := range t[n] {
			t[n][bit] = -uint64(n >> bit & 1)
		}
	}
	return t
}

// twinPlanes makes no words: what a kernel leaves is done for all of them alike.
func twinPlanes([][BlockWords]uint64, [][]uint64) int { return 0 }

// twinGather adds the bins of one option to those of none, and leaves in the first of its rows of so many columns what
// all its rows add up to.
func twinGather(bins, of []uint64, cols int) {
	of = of[:len(bins)]
	for i, n := range of {
		bins[i] += n
	}
	sums := of[:cols]
	for rest := of[cols:]; len(rest) > 0; rest = rest[cols:] {
		for i, n := range rest[:cols] {
			sums[i] += n
		}
	}
}

// twinCodes puts the bytes together that the bits of 8 options make of each respondent.
func twinCodes(s *Scratch, xs *[codeBits][]uint64, words int) {
	for w := range words {
		var bytes [2][8]uint64 // by option group, then by place in a byte
		for g := range bytes {
			x := xs[8*g : 8*g+8]
			b := &bytes[g]
			b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7] =
				exchangeBits(x[0][w], x[1][w], x[2][w], x[3][w], x[4][w], x[5][w], x[6][w], x[7][w])
		}
		dst := (*[64]uint16)(s.codes[64*w:])
		for i := range dst {
			dst[i] = uint16(uint8(bytes[0][i%8]>>(i&^7))) | uint16(uint8(bytes[1][i%8]>>(i&^7)))<<8
		}
	}
}

func twinBinSmall(s *Scratch, bins []uint64, weights []uint32, from, end int, count uint64) {
	for w := from; w < end; w++ {
		codes, weights := (*[64]uint16)(s.codes[64*w:]), (*[64]uint32)(weights[64*w:])
		for m := s.mask[w]; m != 0; m &= m - 1 {
			i := bits.TrailingZeros64(m) & 63
			bins[codes[i]] += uint64(weights[i]) + count
		}
	}
}

func twinBinSquares(s *Scratch, bins []uint64, weights []uint32, from, end int, r root) (all, most uint32) {
	for w := from; w < end; w++ {
		codes, weights := (*[64]uint16)(s.codes[64*w:]), (*[64]uint32)(weights[64*w:])
		for m := s.mask[w]; m != 0; m &= m - 1 {
			i := bits.TrailingZeros64(m) & 63
			x := weights[i] >> (r.shift & 31) * r.inverse
			all, most = all|weights[i], max(most, x)
			bins[codes[i]] += uint64(x) * uint64(x)
		}
	}
	return all, most
}

func twinBin(s *Scratch, bins []uint64, weights []Packed, from, end int, count uint64) (all Packed) {
	for w := from; w < end; w++ {
		codes, weights := (*[64]uint16)(s.codes[64*w:]), (*[64]Packed)(weights[64*w:])
		for m := s.mask[w]; m != 0; m &= m - 1 {
			i := bits.TrailingZeros64(m) & 63
			bins[codes[i]] += weights[i].wide() + count
			all |= weights[i]
		}
	}
	return all
}

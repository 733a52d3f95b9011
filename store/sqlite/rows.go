package sqlite

import (
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/internal/blob"
)

// The columns of a chunk stand in table answers. Those that are lists have a row each. Those that are bitmaps share
// rows, as many as fill a page, since to come to a row takes as long as to read a bitmap; and those of a question to
// which nobody in the chunk gave two answers are stored as digits, where that takes fewer bitmaps (see blob.DigitsOf).
// In memory, each answer is a column either way. Chunks that an older program made have a row for each column, whatever
// its form.

// firstBitmaps is the id, below the chunk's, of its first row of bitmaps. It belongs to the last question that there
// can be, which no survey's question ever becomes, so lists come first. That the cache knows weights by such ids, too,
// does no harm, as it knows no rows.
const firstBitmaps = firstOwnColumn

// pageBytes is how many bytes of a row fit a page, so that SQLite shows it without copying it together.
const pageBytes = 65_490

// answerRows tells where the columns of a chunk stand.
type answerRows struct {
	ids    []int64    // of the rows, below the chunk's, ascending
	lists  int        // how many of them are of single columns: the first
	places []int32    // of each column, which of the bitmaps it is; ownRow; or ofDigits and below
	digits []digitSet // ascending by question
}

// digitSet is a question of which the answers are stored as digits.
type digitSet struct {
	question int64
	columns  []int // by index, ascending
	first    int   // which of the bitmaps is that of the first digit
	count    int
}

const (
	ownRow   = -1 // has a row of its own
	ofDigits = -2 // is of the first question stored as digits; below it, of the next ones
)

// choose chooses how the columns are stored, once it is known which exclude each other.
func (b *built) choose() {
	c := b.chunk
	c.perRow = max(1, pageBytes/bitmapBytes(c.words))
	for _, s := range c.sharing {
		if n := len(c.bitmaps(s.Question)); s.Exclusive && blob.DigitsOf(n) < n {
			c.asDigits = append(c.asDigits, s.Question)
		}
	}
	c.lay()
}

// bitmapBytes is how many bytes a bitmap takes in a row.
func bitmapBytes(words int) int { return blob.BitmapBytes(words) + sealBytes }

// bitmaps are the columns of a question that are no lists, by index and ascending.
func (c *chunk) bitmaps(question int64) (columns []int) {
	from, _ := slices.BinarySearch(c.columns, question<<numberBits)
	for i := from; i < len(c.columns) && c.columns[i]>>numberBits == question; i++ {
		if !blob.Sparse(int(c.counts[i]), c.words) {
			columns = append(columns, i)
		}
	}
	return columns
}

// lay finds out where the columns stand.
func (c *chunk) lay() {
	if c.perRow == 0 {
		c.rows = answerRows{ids: c.columns, lists: len(c.columns)}
		return
	}
	r := answerRows{places: make([]int32, len(c.columns))}
	for _, question := range c.asDigits {
		r.digits = append(r.digits, digitSet{question: question})
	}
	bitmaps, at := 0, 0 // the question that is next of those as digits
	for i, column := range c.columns {
		question := column >> numberBits
		for ; at < len(r.digits) && r.digits[at].question < question; at++ {
			bitmaps = r.digits[at].follow(bitmaps)
		}
		switch {
		case blob.Sparse(int(c.counts[i]), c.words):
			r.places[i], r.ids = ownRow, append(r.ids, column)
		case at < len(r.digits) && r.digits[at].question == question:
			r.places[i], r.digits[at].columns = int32(ofDigits-at), append(r.digits[at].columns, i)
		default:
			r.places[i] = int32(bitmaps)
			bitmaps++
		}
	}
	for ; at < len(r.digits); at++ {
		bitmaps = r.digits[at].follow(bitmaps)
	}
	r.lists = len(r.ids)
	for n := 0; n < bitmaps; n += c.perRow {
		r.ids = append(r.ids, firstBitmaps+int64(n/c.perRow))
	}
	c.rows = r
}

// follow puts the digits, of all their columns, behind so many bitmaps and returns how many these are with them.
func (d *digitSet) follow(bitmaps int) int {
	d.first, d.count = bitmaps, blob.DigitsOf(len(d.columns))
	return bitmaps + d.count
}

// rowPart is what stands in a row: a column, or the bitmap of a digit.
type rowPart struct {
	row, at int // which of the rows, and which of the bitmaps in it
	column  int // by index; of digits, which of them
	digit   int // notDigit: it is a column
	seen    bool
}

const notDigit = -1

// parts are the parts of which some columns, by index and ascending, consist: in the order in which they stand.
func (c *chunk) parts(columns []int) []rowPart {
	parts := make([]rowPart, 0, len(columns))
	last := -1 // of the digits
	bitmap := func(n, column, digit int) {
		parts = append(parts, rowPart{row: c.rows.lists + n/c.perRow, at: n % c.perRow, column: column, digit: digit})
	}
	for _, i := range columns {
		place := ownRow
		if c.rows.places != nil {
			place = int(c.rows.places[i])
		}
		switch {
		case place == ownRow:
			row, _ := slices.BinarySearch(c.rows.ids[:c.rows.lists], c.columns[i])
			parts = append(parts, rowPart{row: row, column: i, digit: notDigit})
		case place > ownRow:
			bitmap(place, i, notDigit)
		case ofDigits-place != last:
			last = ofDigits - place
			d := &c.rows.digits[last]
			for n := range d.count {
				bitmap(d.first+n, last, n)
			}
		}
	}
	slices.SortStableFunc(parts, func(a, b rowPart) int { return a.row - b.row })
	return parts
}

// all are all columns, by index.
func (c *chunk) all() []int {
	all := make([]int, len(c.columns))
	for i := range all {
		all[i] = i
	}
	return all
}

// sealOf is the number under which a part is sealed.
func (c *chunk) sealOf(p rowPart) int64 {
	if p.digit == notDigit {
		return blobID(c.id, c.columns[p.column])
	}
	return blobID(c.id, firstBitmaps+int64(c.rows.digits[p.column].first+p.digit))
}

// partName is what a part is called.
func (c *chunk) partName(p rowPart) string {
	if p.digit == notDigit {
		return columnName(c.sealOf(p))
	}
	return fmt.Sprintf("digit %d of the answers to question %d in chunk %d", p.digit,
		c.rows.digits[p.column].question, c.id)
}

// rowName is what a row of table answers is called.
func rowName(id int64) string {
	if column := id & (1<<columnBits - 1); column >= firstBitmaps {
		return fmt.Sprintf("row %d of the bitmaps of chunk %d", column-firstBitmaps, id>>columnBits)
	}
	return columnName(id)
}

// encodeRow returns the blob of a row that consists of parts.
func (b *built) encodeRow(parts []rowPart) (row []byte) {
	for _, p := range parts {
		data := b.encode(p)
		if len(parts) == 1 {
			return data
		}
		row = append(row, data...)
	}
	return row
}

// encode returns the blob of a part.
func (b *built) encode(p rowPart) []byte {
	c := b.chunk
	if p.digit == notDigit {
		return encodeColumn(c.sealOf(p), b.positions[p.column], c.words)
	}
	var positions [][]uint32
	for _, column := range c.rows.digits[p.column].columns {
		positions = append(positions, b.positions[column])
	}
	return sealColumn(c.sealOf(p), blob.Digit(positions, p.digit, c.words, sealBytes))
}

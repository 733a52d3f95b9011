package sqlite

import (
	"slices"

	"github.com/crosswave/crosswave/internal/kernel"
)

// A table of very many rows and a column or two is mostly rows that hardly anyone in a block is positive on. Where
// such a row is a stored column, it is walked by itself, and whoever is in the table's column as well is added:
// nothing is gained by transposing, nor by making a bitmap of a list of positions.

// fewColumns is up to how many columns that is so, and rare how many of a chunk's respondents there are to one who is
// positive on such a row, at least.
const (
	fewColumns = 4
	rare       = 32
)

// listed is a row of a program that is walked by itself.
type listed struct {
	row int // of the table
	column
}

// list finds the rows that are walked by themselves. Their steps are not taken, if nothing else reads them. Which
// margins are left out must be known by then; entries are what the program's chunk, of so many words, has in memory.
func (pr *program) list(entries []*entry, words int) {
	if len(pr.cols)-pr.firstCol > fewColumns || len(pr.rows)-pr.firstRow <= fewColumns {
		for i := pr.firstRow; i < len(pr.rows); i++ {
			pr.together(i)
		}
		return
	}
	read := make([]bool, len(pr.steps))
	for _, s := range pr.steps {
		for _, a := range s.args {
			read[a] = true
		}
	}
	roots := append(slices.Clone(pr.cols), pr.base)
	for _, v := range pr.values {
		roots = append(append(roots, v.any), v.digits...)
	}
	for _, r := range roots {
		if r >= 0 {
			read[r] = true
		}
	}
	for i := pr.firstRow; i < len(pr.rows); i++ {
		r := pr.rows[i]
		switch {
		case r >= 0 && pr.steps[r].op == positive && pr.steps[r].count <= 64*words/rare:
			pr.listed = append(pr.listed, listed{i, entries[pr.steps[r].want].col})
			pr.steps[r].skip = !read[r]
		default:
			pr.together(i)
		}
	}
}

// span is some rows one after the other.
type span struct{ first, end int }

// together adds a row to those that are counted together, unless it is no one: of these there are many where rows are
// values or follow from others.
func (pr *program) together(row int) {
	if pr.rows[row] == none {
		return
	}
	if last := len(pr.others) - 1; last >= 0 && row-pr.others[last].end < apart && pr.noOne(pr.others[last].end, row) {
		pr.others[last].end = row + 1
	} else {
		pr.others = append(pr.others, span{row, row + 1})
	}
}

// noOne tells whether some rows are all no one, and not such as are counted elsewhere.
func (pr *program) noOne(first, end int) bool {
	return !slices.ContainsFunc(pr.rows[first:end], func(r ref) bool { return r != none })
}

// apart is how many rows of no one are between spans at least: a few are counted along with those on both sides.
const apart = 8

// countListed counts the listed rows of a block against its columns.
func (e *evaluator) countListed(pr *program, b block, mask []uint64, weights kernel.Weights) {
	if e.cursorsOf != pr {
		e.cursorsOf, e.cursors = pr, zeros(e.cursors, len(pr.listed)*len(e.cols))
	}
	stride := len(pr.cols)
	for j, col := range e.cols {
		at := 0
		e.listing.Within(col, mask)
		for _, s := range b {
			from, to := uint32(64*s.word), uint32(64*(s.word+s.words))
			for i := range pr.listed {
				if i+ahead < len(pr.listed) {
					e.touched += e.cursors.touch(j*len(pr.listed)+i+ahead, pr.listed[i+ahead].list)
				}
				l := &pr.listed[i]
				cell := l.row*stride + pr.firstCol + j
				var square *kernel.Square
				if pr.squares {
					square = &e.squares[cell]
				}
				if l.list == nil {
					e.listing.AddBits(&e.counts[cell], square, l.words[s.word:][:s.words], at, weights)
				} else if first, end := e.cursors.between(j*len(pr.listed)+i, l.list, from, to); first < end {
					e.listing.Add(&e.counts[cell], square, l.list[first:end], from-uint32(64*at), weights)
				}
			}
			at += s.words
		}
	}
}

// ahead is how many rows ahead a list is looked at, so that it comes from memory meanwhile: of each list a block
// reads a few positions, and there are more lists than a cache holds.
const ahead = 8

// cursors are where lists were left, for each column: blocks mostly come in order, and then a list goes on there.
type cursors []int

// touch reads where the list of cursor i goes on.
func (c cursors) touch(i int, list []uint32) (read uint32) {
	const line = 16 // positions in a cache line
	for at := c[i]; at < min(len(list), c[i]+3*line); at += line {
		read += list[at]
	}
	return read
}

// between returns where in the list of cursor i the positions from one to before another stand.
func (c cursors) between(i int, list []uint32, from, to uint32) (first, end int) {
	first = c[i]
	if first > 0 && list[first-1] >= from || first < len(list) && list[first] < from {
		first, _ = slices.BinarySearch(list, from)
	}
	for end = first; end < len(list) && list[end] < to; end++ {
	}
	c[i] = end
	return first, end
}

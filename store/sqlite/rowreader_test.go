package sqlite

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crosswave/crosswave/internal/blob"
)

// anyChunk makes a chunk at random, its head written and read: up to four words, lists and bitmaps, questions of which
// nobody gave two answers as digits, and up to four bitmaps in a row or a row for each column.
func anyChunk(t *testing.T, rnd *rand.Rand) *built {
	h := blob.Head{Wave: "w", PerRow: rnd.IntN(5), Runs: []blob.Run{{Location: "l", Respondents: 1 + rnd.IntN(250)}}}
	var positions [][]uint32
	for _, question := range []int64{0, 1, 5, maxQuestions} {
		columns := rnd.IntN(9)
		asDigits := h.PerRow > 0 && rnd.IntN(2) == 0
		if asDigits {
			h.Digits = append(h.Digits, question)
		}
		order := rnd.Perm(h.Runs[0].Respondents)
		for n := range columns {
			share := order[:rnd.IntN(len(order)+1)]
			if asDigits { // then nobody gives two
				share = share[:min(len(share), len(order)/(columns-n))]
				order = order[len(share):]
			}
			var list []uint32
			for _, p := range share {
				list = append(list, uint32(p))
			}
			slices.Sort(list)
			if len(order) == 0 {
				break
			}
			h.Columns, h.Counts = append(h.Columns, question<<numberBits|int64(n)), append(h.Counts, int32(len(list)))
			positions = append(positions, list)
		}
	}
	c, err := readHeader(1, seal(chunkName(1), h.Append(nil)))
	check(t, err)
	return &built{chunk: c, positions: positions}
}

// rowsOf are the rows of a chunk as they are stored.
func rowsOf(b *built) map[int64][]byte {
	rows := map[int64][]byte{}
	parts := b.chunk.parts(b.chunk.all())
	for len(parts) > 0 {
		n := 1
		for n < len(parts) && parts[n].row == parts[0].row {
			n++
		}
		rows[b.chunk.rows.ids[parts[0].row]] = b.encodeRow(parts[:n])
		parts = parts[n:]
	}
	return rows
}

// Any columns are read from the rows of any chunk as they were written, each once, though what SQLite shows of a row is
// gone before the next comes: or a row is missing, and then it is known which columns are.
func TestReading(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	lost := 0
	for range 3000 {
		b := anyChunk(t, rnd)
		c := b.chunk
		rows := rowsOf(b)
		for id := range rows {
			if rnd.IntN(40) == 0 {
				delete(rows, id)
			}
		}
		var columns []int
		share := rnd.Float64()
		for i := range c.columns {
			if rnd.Float64() < share {
				columns = append(columns, i)
			}
		}
		read := map[int]bool{}
		r := c.rowReader(columns, blob.Memory{}.Room(rnd.IntN(len(columns)+1), c.words), func(i int, col column) error {
			var got []uint32
			col.each(func(p int) { got = append(got, uint32(p)) })
			if want := b.positions[columns[i]]; !slices.Equal(got, want) || read[i] {
				t.Errorf("column %d, read before: %v: %v, want %v", columns[i], read[i], got, want)
			}
			read[i] = true
			return nil
		})
		for left := r.parts; len(left) > 0; {
			from, to, n := stroke(left, 1+rnd.IntN(4))
			for _, id := range c.rows.ids[from : to+1] {
				if data := slices.Clone(rows[id]); data != nil {
					check(t, r.take(blobID(c.id, id), data))
					for i := range data {
						data[i] = 0xaa
					}
				}
			}
			left = left[n:]
		}
		missing := slices.ContainsFunc(r.parts, func(p rowPart) bool { return !p.seen })
		lost += btoi(missing)
		if len(read) < len(columns) != missing {
			t.Errorf("%d columns of %d are read, and rows are missing: %v", len(read), len(columns), missing)
		}
	}
	if lost == 0 {
		t.Error("no row was missing")
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// A row that comes twice, or one that the chunk does not list, is damage.
func TestReadingTwice(t *testing.T) {
	b := anyChunk(t, rand.New(rand.NewPCG(7, 9)))
	c := b.chunk
	r := c.rowReader(c.all(), nil, func(int, column) error { return nil })
	rows := rowsOf(b)
	last := c.rows.ids[len(c.rows.ids)-1]
	check(t, r.take(blobID(c.id, last), rows[last]))
	var damaged *DamagedError
	if err := r.take(blobID(c.id, last), rows[last]); !errors.As(err, &damaged) {
		t.Errorf("a row that comes twice: %v", err)
	}
	if err := r.take(blobID(c.id, last+1), rows[last]); !errors.As(err, &damaged) {
		t.Errorf("a row that there is not: %v", err)
	}
}

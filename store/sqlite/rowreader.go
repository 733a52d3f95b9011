package sqlite

import (
	"bytes"
	"context"
	"slices"

	"github.com/crosswave/crosswave/internal/blob"
	"github.com/crosswave/crosswave/internal/kernel"
)

// rowReader puts columns of a chunk together from the rows in which they stand.
type rowReader struct {
	chunk   *chunk
	columns []int      // by index, ascending
	parts   []rowPart  // as they stand
	next    int        // of the parts, if rows come as they stand, too
	room    *blob.Room // for the bitmaps of columns; nil: each has its own
	digits  []said     // of the questions that the chunk has as digits
	// done is called for each column as soon as it is read, by its index among columns; an error of it ends the reading.
	done func(i int, col column) error
}

// said is the digits of a question so far, and how many are still to come.
type said struct {
	bitmaps [][]byte
	left    int
}

// rowReader begins to read columns, by index and ascending.
func (c *chunk) rowReader(columns []int, room *blob.Room, done func(i int, col column) error) *rowReader {
	return &rowReader{chunk: c, columns: columns, parts: c.parts(columns), room: room, done: done,
		digits: make([]said, len(c.rows.digits))}
}

// readColumns reads columns of a chunk, by index and ascending, and calls done for each as soon as it is read, by its
// index among them. Bitmaps go into room, unless that is nil. missing is the name of a row that is not there, if any.
func (s *Store) readColumns(ctx context.Context, c *chunk, columns []int, room *blob.Room,
	done func(i int, col column) error) (missing string, err error) {
	r := c.rowReader(columns, room, done)
	// Rows next to each other are read at a stroke, and a few strokes in one statement, as each takes as long to begin
	// and to end as reading a row or two does; but no more than is soon done.
	const most = 256
	for left := r.parts; len(left) > 0; {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		bounds := make([]any, 2*strokes)
		rows := 0
		for i := 0; i < strokes && rows < most && len(left) > 0; i++ {
			from, to, n := stroke(left, most-rows)
			bounds[2*i], bounds[2*i+1] = blobID(c.id, c.rows.ids[from]), blobID(c.id, c.rows.ids[to])
			rows, left = rows+to-from+1, left[n:]
		}
		if err := s.views.each(ctx, s.columns, r.take, bounds...); err != nil {
			return "", s.damage(err)
		}
	}
	if i := slices.IndexFunc(r.parts, func(p rowPart) bool { return !p.seen }); i >= 0 {
		return rowName(blobID(c.id, c.rows.ids[r.parts[i].row])), nil
	}
	return "", nil
}

// stroke returns rows next to each other, the first and the last of at most so many, in which the first parts are, of
// one or more; and how many parts these are.
func stroke(parts []rowPart, most int) (from, to, n int) {
	from, to = parts[0].row, parts[0].row
	for n < len(parts) && parts[n].row <= min(to+1, from+most-1) {
		to = parts[n].row
		n++
	}
	return from, to, n
}

// take reads what is wanted of a row, by its id.
func (r *rowReader) take(id int64, data []byte) error {
	c := r.chunk
	below := id & (1<<columnBits - 1)
	if r.next == len(r.parts) || c.rows.ids[r.parts[r.next].row] != below {
		row, is := slices.BinarySearch(c.rows.ids, below)
		if is {
			r.next, is = slices.BinarySearchFunc(r.parts, row, func(p rowPart, row int) int { return p.row - row })
		}
		if !is {
			return &DamagedError{rowName(id) + ", which the chunk does not list"}
		}
	}
	row := r.parts[r.next].row
	for ; r.next < len(r.parts) && r.parts[r.next].row == row; r.next++ {
		p := &r.parts[r.next]
		part := data
		if row >= c.rows.lists {
			size := bitmapBytes(c.words)
			if len(data)%size != 0 || len(data) < (p.at+1)*size {
				return &DamagedError{rowName(id)}
			}
			part = data[p.at*size : (p.at+1)*size]
		}
		if err := r.read(p, part); err != nil {
			return err
		}
	}
	// What there is of a question whose other digits are in the next row must last until that comes.
	if last := r.parts[r.next-1]; last.digit != notDigit && r.digits[last.column].left > 0 {
		for i, bitmap := range r.digits[last.column].bitmaps {
			r.digits[last.column].bitmaps[i] = bytes.Clone(bitmap)
		}
	}
	return nil
}

// read reads a part.
func (r *rowReader) read(p *rowPart, data []byte) error {
	c := r.chunk
	if p.seen {
		return &DamagedError{c.partName(*p)}
	}
	p.seen = true
	if p.digit == notDigit {
		col, err := decodeColumn(c.sealOf(*p), data, int(c.counts[p.column]), c.words, r.room)
		if err != nil {
			return err
		}
		i, _ := slices.BinarySearch(r.columns, p.column)
		return r.done(i, col)
	}
	d, s := &c.rows.digits[p.column], &r.digits[p.column]
	if s.bitmaps == nil {
		s.bitmaps, s.left = make([][]byte, d.count), d.count
	}
	data, ok := unsealColumn(c.sealOf(*p), data)
	if ok {
		s.bitmaps[p.digit], ok = blob.ReadBitmap(data, c.words)
	}
	if !ok {
		return &DamagedError{c.partName(*p)}
	}
	if s.left--; s.left > 0 {
		return nil
	}
	return r.say(d, s.bitmaps)
}

// say makes those columns of a question that are wanted, of which all digits are there.
func (r *rowReader) say(d *digitSet, bitmaps [][]byte) error {
	c := r.chunk
	i, _ := slices.BinarySearch(r.columns, d.columns[0])
	for ; i < len(r.columns); i++ {
		number, is := slices.BinarySearch(d.columns, r.columns[i])
		if number == len(d.columns) {
			break
		}
		if !is { // a list, which stands by itself
			continue
		}
		col := column{words: r.room.Bitmap(c.words)}
		kernel.Saying(col.words, bitmaps, number+1)
		if kernel.PopCount(col.words) != int(c.counts[r.columns[i]]) {
			return &DamagedError{columnName(blobID(c.id, c.columns[r.columns[i]]))}
		}
		if err := r.done(i, col); err != nil {
			return err
		}
	}
	return nil
}

package survey

import (
	"context"
	"fmt"
	"io"
	"iter"
	"sync"
	"unicode/utf8"
)

// Table is a file of one row per respondent in whatever format, as columns of text. Package survey reads every Table by
// the same rules, those of Codebook, so a format has to tell no more than what stands where. Numbers are decimal text;
// what has no value is the empty text.
//
// A format that reads one row after the other need not know about blocks: BlocksOf makes them.
type Table interface {
	// Header names the columns, no two alike.
	Header() []string
	// Blocks streams the rows in the order of the file, from the start each time. Only the columns given are looked at,
	// by their places in the header from the first on; nil is all of them. An error ends the stream.
	Blocks(ctx context.Context, columns []int) iter.Seq2[Block, error]
	// Size is how much there is to read, in a unit of the table's choice: bytes, rows. It is 0 if that is not known.
	Size() int64
}

// Block is a run of rows of a Table, read from the file by the one goroutine that reads it, and divided into fields by
// the one that gets the block: what a format leaves to Next is done for several blocks at the same time.
type Block interface {
	// Next finds the next row and its fields, or returns io.EOF itself. The row is good until the next call. Another
	// error is that of the next row, and nothing more comes of the block.
	Next(*Row) error
	// Done is how much of the file is read with this block, in the unit of Table.Size.
	Done() int64
	// Release gives the block back to its table, which fills it anew. Nobody has to.
	Release()
}

// Row is a row of a Table.
type Row struct {
	// Number is where the row stands in the file as an error message would say it: line or case number, from 1.
	Number int64
	// Data holds the fields, one after the other with a byte between them, and Padding bytes behind the last.
	Data []byte
	// Ends has the place of each field in Data, and one more: field i is Data[Ends[i] : Ends[i+1]-1].
	Ends []uint32
	// Empty tells that nothing stands in any column, in a format where that says that there is no respondent: spreadsheets
	// leave such rows behind. Formats that count their cases have none.
	Empty bool
}

// Padding is how many bytes must be there behind the fields of a row. They mean nothing: fields are compared 8 bytes at
// a time.
const Padding = 8

// Field is the text of a column, given by its place in the header, without what the format puts around it.
func (r *Row) Field(column int) []byte { return r.Data[r.Ends[column] : r.Ends[column+1]-1] }

// Blank tells whether nothing stands in a field but blanks.
func Blank(field []byte) bool {
	if len(field) > 0 && field[0] > ' ' && field[0] < utf8.RuneSelf {
		return false // mostly
	}
	return Plain(string(field)) == ""
}

// check sees to it that there are so many fields, and room behind them.
func (r *Row) check(columns int) error {
	if len(r.Ends) <= columns || len(r.Data) < int(r.Ends[columns])-1+Padding {
		return fmt.Errorf("row %d: the table has %d columns, and so many fields with %d bytes behind them are expected",
			r.Number, columns, Padding)
	}
	return nil
}

// Rows streams the rows of a table, all columns of them. A row is good until the next step.
func Rows(ctx context.Context, t Table) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		var row Row
		for block, err := range t.Blocks(ctx, nil) {
			for err == nil {
				if err = block.Next(&row); err == nil && !yield(&row, nil) {
					return
				}
			}
			if block == nil || err != io.EOF { // a file that ends too soon may be told by an error that holds io.EOF
				yield(nil, err)
				return
			}
			block.Release()
		}
	}
}

// Record is a row as a format has it whose fields are written out when they are asked for.
type Record interface {
	// Number is as Row.Number.
	Number() int64
	// Append appends the text of a column, given by its place in the header, to dst.
	Append(dst []byte, column int) []byte
}

const (
	recordBlockRows  = 1 << 10 // rows of a block of records at the most
	recordBlockBytes = 256 << 10
)

// BlocksOf is the Blocks of a Table that has so many columns, and whose rows are read one after the other. A record is
// used before the next one is asked for; it ends with the first error, and that of ctx. Done counts rows.
func BlocksOf(ctx context.Context, columns []int, width int, records iter.Seq2[Record, error]) iter.Seq2[Block, error] {
	if columns == nil {
		for column := range width {
			columns = append(columns, column)
		}
	}
	return func(yield func(Block, error) bool) {
		free := &sync.Pool{New: func() any { return &recordBlock{width: width} }}
		done := int64(0)
		next := func() *recordBlock {
			b := free.Get().(*recordBlock)
			b.data, b.numbers, b.ends, b.next, b.free = b.data[:0], b.numbers[:0], b.ends[:0], 0, free
			return b
		}
		b := next()
		for record, err := range records {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				if len(b.numbers) == 0 || yield(b.finish(done), nil) {
					yield(nil, err)
				}
				return
			}
			done++
			b.add(record, columns)
			if len(b.numbers) == recordBlockRows || len(b.data) >= recordBlockBytes {
				if !yield(b.finish(done), nil) {
					return
				}
				b = next()
			}
		}
		if len(b.numbers) > 0 {
			yield(b.finish(done), nil)
		}
	}
}

// recordBlock is a block of records, divided into fields already.
type recordBlock struct {
	width   int
	data    []byte
	ends    []uint32 // Row.Ends of one row after the other
	numbers []int64  // of the rows
	next    int      // row that Next gives
	done    int64
	free    *sync.Pool
}

// add writes a record out: the columns that are asked for, and nothing for the others.
func (b *recordBlock) add(record Record, columns []int) {
	b.numbers = append(b.numbers, record.Number())
	b.ends = append(b.ends, uint32(len(b.data)))
	for column := range b.width {
		if len(columns) > 0 && columns[0] == column {
			b.data, columns = record.Append(b.data, column), columns[1:]
		}
		b.data = append(b.data, 0)
		b.ends = append(b.ends, uint32(len(b.data)))
	}
}

func (b *recordBlock) finish(done int64) *recordBlock {
	b.data, b.done = append(b.data, make([]byte, Padding)...), done
	return b
}

func (b *recordBlock) Next(row *Row) error {
	if b.next == len(b.numbers) {
		return io.EOF
	}
	first := b.next * (b.width + 1)
	row.Number, row.Data, row.Ends = b.numbers[b.next], b.data, b.ends[first:first+b.width+1]
	b.next++
	return nil
}

func (b *recordBlock) Done() int64 { return b.done }

func (b *recordBlock) Release() { b.free.Put(b) }

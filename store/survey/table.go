package survey

import (
	"context"
	"fmt"
	"io"
	"iter"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/crosswave/crosswave/audience"
)

// Table is a file of one row per respondent in whatever format, as columns of text. Package survey reads every Table by
// the same rules, those of Codebook, so a format has to tell no more than what stands where. Numbers are decimal text;
// what has no value is the empty text.
type Table interface {
	// Header names the columns, no two alike.
	Header() []string
	// Rows streams the rows in the order of the file, from the start each time. A Row is good until the next step. An
	// error ends the stream.
	Rows(ctx context.Context) iter.Seq2[Row, error]
	// Size is the number of rows, 0 if it is not known.
	Size() int64
}

// Row is a row of a Table.
type Row interface {
	// Number is where the row stands in the file as an error message would say it: line or case number, from 1.
	Number() int64
	// Append appends the text of a column, given by its place in the header, to dst.
	Append(dst []byte, column int) []byte
}

// tableSource is a Table read by a codebook.
type tableSource struct {
	codebook   *Codebook
	table      Table
	header     []string
	plan       *plan
	needed     []int // columns that the plan reads
	goroutines int
}

// NewSource reads a table by a codebook. What the codebook names must be among the columns. goroutines read rows at the
// same time, 0 being one per CPU; the respondents and their order do not depend on it.
func NewSource(t Table, c *Codebook, goroutines int) (Source, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	if goroutines <= 0 {
		goroutines = runtime.GOMAXPROCS(0)
	}
	s := &tableSource{codebook: c, table: t, goroutines: goroutines}
	for _, name := range t.Header() {
		s.header = append(s.header, strings.TrimSpace(name))
	}
	var err error
	if s.plan, err = newPlan(c, s.header); err != nil {
		return nil, err
	}
	s.needed = s.plan.needed()
	return s, nil
}

// needed lists the columns that the plan reads, in the order of the file.
func (p *plan) needed() []int {
	list := []int{p.respondent, p.wave.column, p.location.column}
	for i := range p.weights {
		list = append(list, p.weights[i].column)
	}
	for i := range p.columns {
		list = append(list, p.columns[i].index)
	}
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(column int) bool { return column < 0 })
}

// Describe returns the survey of the codebook.
func (s *tableSource) Describe(context.Context) (*audience.Survey, error) {
	return s.codebook.Survey, nil
}

// Respondents streams the table's rows as CSV.Respondents does.
func (s *tableSource) Respondents(ctx context.Context) iter.Seq2[*Batch, error] {
	return relay(ctx, s.goroutines, s.cut, func() *worker { return newWorker(s.plan, &rows{}) })
}

// tableRows tells where the rows of a block stand.
type tableRows struct {
	numbers []int64
	ends    []uint32 // as rows.ends, of each row
	columns int
}

const tableBatch = 1 << 10 // rows of a block at the most

// cut fills blocks with rows.
func (s *tableSource) cut(ctx context.Context, free <-chan *task, work, turn chan<- *task) {
	read := int64(0)
	var t *task
	begin := func() bool {
		select {
		case t = <-free:
		case <-ctx.Done():
			return false
		}
		if t.table == nil {
			t.table = &tableRows{columns: len(s.header)}
		}
		t.table.numbers, t.table.ends, t.block.data = t.table.numbers[:0], t.table.ends[:0], t.block.data[:0]
		t.batch = Batch{Respondents: t.batch.Respondents[:0], Unlisted: t.batch.Unlisted[:0], Total: s.table.Size()}
		return true
	}
	finish := func() {
		t.block.data = append(t.block.data, make([]byte, padding)...)
		t.block.data = t.block.data[:len(t.block.data)-padding]
		t.batch.Done = read
		turn <- t
		work <- t
	}
	if !begin() {
		return
	}
	for row, err := range s.table.Rows(ctx) {
		if err != nil {
			if len(t.table.numbers) > 0 {
				finish()
				if !begin() {
					return
				}
			}
			t.err = err
			turn <- t
			t.ready <- struct{}{}
			return
		}
		read++
		t.add(row, s.needed)
		if len(t.table.numbers) == tableBatch || len(t.block.data) >= blockSize {
			finish()
			if !begin() {
				return
			}
		}
	}
	if len(t.table.numbers) > 0 {
		finish()
	}
}

// add puts a row into the block: the columns that are needed, and nothing for the others.
func (t *task) add(row Row, needed []int) {
	r := t.table
	r.numbers = append(r.numbers, row.Number())
	data, column := t.block.data, 0
	r.ends = append(r.ends, uint32(len(data)))
	for _, next := range needed {
		for ; column < next; column++ {
			data = append(data, ',')
			r.ends = append(r.ends, uint32(len(data)))
		}
		data = append(row.Append(data, column), ',')
		r.ends = append(r.ends, uint32(len(data)))
		column++
	}
	for ; column < r.columns; column++ {
		data = append(data, ',')
		r.ends = append(r.ends, uint32(len(data)))
	}
	t.block.data = data
}

// readTable makes respondents of a block that stands as a table.
func (w *worker) readTable(t *task) error {
	w.rows.block = &t.block
	width := t.table.columns + 1
	for i, number := range t.table.numbers {
		w.rows.row, w.rows.ends = number, t.table.ends[i*width:(i+1)*width]
		if err := w.respondent(t); err != nil {
			return err
		}
	}
	return nil
}

// CSVTable is a CSV file as a Table, without a codebook. Rows are as CSV has them.
type CSVTable struct{ csv CSV }

// NewCSVTable reads the header of a CSV file: size bytes that r can read at any place. delimiter is as in CSVOptions.
func NewCSVTable(r io.ReaderAt, size int64, delimiter rune) (*CSVTable, error) {
	b, err := delimiterByte(delimiter)
	if err != nil {
		return nil, err
	}
	t := &CSVTable{CSV{file: r, size: size, delimiter: b}}
	return t, t.csv.readHeader()
}

// Header names the columns.
func (t *CSVTable) Header() []string { return t.csv.Header() }

// Size is 0: the number of rows is known when they are read.
func (t *CSVTable) Size() int64 { return 0 }

// Rows streams the rows. What is wrong with the file is an *Error.
func (t *CSVTable) Rows(ctx context.Context) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		blocks, block := newBlocks(t.csv.file, t.csv.size, t.csv.first, t.csv.line), &block{}
		row := &csvRow{rows: newRows(block, t.csv.delimiter, len(t.csv.header))}
		for {
			err := ctx.Err()
			if err == nil {
				err = blocks.next(block)
			}
			if err == io.EOF {
				return
			}
			if err == nil {
				row.rows.reset(block)
				err = row.each(yield)
			}
			if err == errStop {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// csvRow is the row at hand of a CSV file.
type csvRow struct{ rows *rows }

func (r *csvRow) Number() int64 { return r.rows.row }

func (r *csvRow) Append(dst []byte, column int) []byte { return append(dst, r.rows.field(column)...) }

// errStop tells that the consumer wants no more.
var errStop = fmt.Errorf("stopped")

// each hands out the rows of a block.
func (r *csvRow) each(yield func(Row, error) bool) error {
	for {
		switch err := r.rows.read(); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case !yield(r, nil):
			return errStop
		}
	}
}

// delimiterByte checks a delimiter; 0 is a comma.
func delimiterByte(d rune) (byte, error) {
	switch {
	case d == 0:
		return ',', nil
	case d >= utf8.RuneSelf || d == '"' || d == '\r' || d == '\n':
		return 0, fmt.Errorf("%q is no delimiter: an ASCII character is, other than a quote and a line end", d)
	}
	return byte(d), nil
}

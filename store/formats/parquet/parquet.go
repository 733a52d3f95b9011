// Package parquet reads Parquet files as tables of texts. It only reads: surveys are exported in formats that hold
// labels.
//
// Columns that are lists give their elements with ";" between them; columns inside groups are called group.column.
// Numbers are decimal text without an exponent, dates and times are as ISO 8601 has them, truth values are true and
// false. NaN and null are the empty text.
//
// Pages may be compressed with Snappy, gzip or Zstandard, in all encodings but DELTA_BYTE_ARRAY. What a page claims to
// hold is checked before memory is taken for it, so that a damaged file, or one that was made to, takes no more than 48
// MB, or 32 times its size.
package parquet

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/crosswave/crosswave/store/survey"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// Error is a file that cannot be read.
type Error struct {
	Row int64 // from 1; 0: no row in particular
	Err error
}

func (e *Error) Error() string {
	if e.Row > 0 {
		return fmt.Sprintf("Parquet: row %d: %v", e.Row, e.Err)
	}
	return fmt.Sprintf("Parquet: %v", e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Table is a Parquet file as a survey.Table.
type Table struct {
	file    *parquet.File
	header  []string
	columns []column
	leaves  []parquet.LeafColumn
}

// column is a leaf of the schema.
type column struct {
	text func(dst []byte, v parquet.Value) []byte
	date bool
}

// Open reads the footer of a file: size bytes that r can read at any place. What is wrong with the file is an *Error.
func Open(r io.ReaderAt, size int64) (t *Table, err error) {
	defer guard(&err)
	if err := checkFooter(r, size); err != nil {
		return nil, &Error{Err: err}
	}
	file, err := parquet.OpenFile(r, size, parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true),
		parquet.ReadBufferSize(bufferSize))
	if err != nil {
		return nil, &Error{Err: err}
	}
	t = &Table{file: file}
	taken := map[string]bool{}
	for _, path := range file.Schema().Columns() {
		leaf, ok := file.Schema().Lookup(path...)
		if !ok {
			return nil, &Error{Err: fmt.Errorf("the column %s is not in the schema", strings.Join(path, "."))}
		}
		name := columnName(path)
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s_%d", columnName(path), n)
		}
		taken[name] = true
		t.leaves = append(t.leaves, leaf)
		t.header = append(t.header, name)
		t.columns = append(t.columns, newColumn(leaf.Node.Type()))
	}
	for _, g := range file.Metadata().RowGroups {
		for i := range g.Columns {
			if err := readable(g.Columns[i].MetaData.Codec); err != nil {
				return nil, &Error{Err: err}
			}
		}
	}
	return t, nil
}

// bufferSize is how many bytes are read ahead in each column. Pages that are longer are read at once.
const bufferSize = 512

// checkFooter sees to it that the footer is not said to be larger than the file, and that what it says it holds is
// there: the library takes memory for it before it reads.
func checkFooter(r io.ReaderAt, size int64) error {
	const ends = 12 // PAR1 before, the length and PAR1 behind
	if size < ends {
		return fmt.Errorf("a file of %d bytes is too short", size)
	}
	var tail [8]byte
	if _, err := r.ReadAt(tail[:], size-8); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch magic := string(tail[4:]); {
	case magic == "PARE":
		return errors.New("the file is encrypted; one without encryption is needed")
	case magic != "PAR1":
		return errors.New("the file is cut short: it does not end in PAR1")
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	if n > size-ends {
		return fmt.Errorf("its footer is said to have %d bytes, but the file has only %d", n, size)
	}
	data := make([]byte, n)
	if _, err := r.ReadAt(data, size-8-n); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	_, err := footer(size).walk(data, 0)
	return err
}

// guard makes an error of a panic: the library gives way to some damaged files with one.
func guard(err *error) {
	if p := recover(); p != nil {
		*err = &Error{Err: fmt.Errorf("the file is damaged: %v", p)}
	}
}

// columnName is the path of a leaf without what Parquet puts between a list and its elements.
func columnName(path []string) string {
	if n := len(path); n > 2 && (path[n-2] == "list" || path[n-2] == "bag") {
		path = path[:n-2]
	}
	return strings.ToValidUTF8(strings.Join(path, "."), "\ufffd")
}

// Header names the columns.
func (t *Table) Header() []string { return t.header }

// Size is the number of rows.
func (t *Table) Size() int64 { return t.file.NumRows() }

// Date tells whether a column holds dates or times.
func (t *Table) Date(column int) bool { return t.columns[column].date }

// errStop tells that the consumer wants no more.
var errStop = errors.New("stopped")

// Blocks streams the rows. Errors are *Error, or those of ctx.
func (t *Table) Blocks(ctx context.Context, columns []int) iter.Seq2[survey.Block, error] {
	return survey.BlocksOf(ctx, columns, len(t.header), func(yield func(survey.Record, error) bool) {
		r := &row{table: t, first: make([]int, len(t.columns)+1)}
		p := &pages{file: t.file, size: t.file.Size(), leaves: t.leaves}
		for i, group := range t.file.RowGroups() {
			err := p.check(&t.file.Metadata().RowGroups[i])
			if err == nil {
				err = r.group(group, yield)
			}
			if err == errStop {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
		if r.number != t.file.NumRows() {
			yield(nil, &Error{Err: fmt.Errorf("the file says that it has %d rows, but holds %d", t.file.NumRows(), r.number)})
		}
	})
}

// row is the row at hand.
type row struct {
	table  *Table
	number int64
	values parquet.Row
	first  []int // of each column's values
}

// group hands out the rows of a row group.
func (r *row) group(group parquet.RowGroup, yield func(survey.Record, error) bool) error {
	rows, err := open(group)
	if err != nil {
		return err
	}
	defer rows.Close()
	buffer := make([]parquet.Row, 64)
	for {
		n, end, err := read(rows, buffer)
		if err != nil {
			return &Error{Row: r.number + 1, Err: err}
		}
		for _, values := range buffer[:n] {
			r.number++
			if err := r.take(values); err != nil {
				return &Error{Row: r.number, Err: err}
			}
			if !yield(r, nil) {
				return errStop
			}
		}
		if end {
			return nil
		}
	}
}

func open(group parquet.RowGroup) (rows parquet.Rows, err error) {
	defer guard(&err)
	return group.Rows(), nil
}

func read(rows parquet.Rows, buffer []parquet.Row) (n int, end bool, err error) {
	defer guard(&err)
	n, err = rows.ReadRows(buffer)
	if errors.Is(err, io.EOF) {
		return n, true, nil
	}
	return n, n == 0 && err == nil, err
}

// take finds where the values of each column stand.
func (r *row) take(values parquet.Row) error {
	r.values = values
	column := -1
	for i, v := range values {
		switch v.Column() {
		case column:
		case column + 1:
			column++
			if column < len(r.table.columns) {
				r.first[column] = i
			}
		default:
			return fmt.Errorf("values of column %d stand where those of column %d are expected", v.Column()+1, column+2)
		}
	}
	if column+1 != len(r.table.columns) {
		return fmt.Errorf("it has values of %d columns; expected %d", column+1, len(r.table.columns))
	}
	r.first[column+1] = len(values)
	return nil
}

func (r *row) Number() int64 { return r.number }

func (r *row) Append(dst []byte, column int) []byte {
	begin := len(dst)
	for _, v := range r.values[r.first[column]:r.first[column+1]] {
		if v.IsNull() {
			continue
		}
		if len(dst) > begin {
			dst = append(dst, ';')
		}
		dst = r.table.columns[column].text(dst, v)
	}
	return dst
}

// newColumn tells how the values of a type are written.
func newColumn(t parquet.Type) column {
	plain := func(text func([]byte, parquet.Value) []byte) column { return column{text: text} }
	var logical any
	if l := t.LogicalType(); l != nil {
		logical = l.Value
	}
	switch l := logical.(type) {
	case *format.DateType:
		return column{date: true, text: func(dst []byte, v parquet.Value) []byte {
			return time.Unix(int64(v.Int32())*86400, 0).UTC().AppendFormat(dst, time.DateOnly)
		}}
	case *format.TimestampType:
		unit := unitOf(l.Unit)
		return column{date: true, text: func(dst []byte, v parquet.Value) []byte { return appendTime(dst, v.Int64(), unit) }}
	case *format.TimeType:
		unit := unitOf(l.Unit)
		return column{date: true, text: func(dst []byte, v parquet.Value) []byte {
			n := v.Int64()
			if v.Kind() == parquet.Int32 {
				n = int64(v.Int32())
			}
			return time.Unix(0, 0).UTC().Add(time.Duration(n)*unit).AppendFormat(dst, "15:04:05.999999999")
		}}
	case *format.DecimalType:
		return plain(func(dst []byte, v parquet.Value) []byte { return appendDecimal(dst, v, int(l.Scale)) })
	case *format.UUIDType:
		return plain(func(dst []byte, v parquet.Value) []byte {
			b := hex.EncodeToString(v.ByteArray())
			if len(b) != 32 {
				return append(dst, b...)
			}
			return fmt.Appendf(dst, "%s-%s-%s-%s-%s", b[:8], b[8:12], b[12:16], b[16:20], b[20:])
		})
	case *format.IntType:
		if !l.IsSigned {
			return plain(func(dst []byte, v parquet.Value) []byte {
				if v.Kind() == parquet.Int32 {
					return strconv.AppendUint(dst, uint64(v.Uint32()), 10)
				}
				return strconv.AppendUint(dst, v.Uint64(), 10)
			})
		}
	}
	return column{text: appendValue, date: t.Kind() == parquet.Int96}
}

// appendValue writes a value by its physical type.
func appendValue(dst []byte, v parquet.Value) []byte {
	switch v.Kind() {
	case parquet.Boolean:
		return strconv.AppendBool(dst, v.Boolean())
	case parquet.Int32:
		return strconv.AppendInt(dst, int64(v.Int32()), 10)
	case parquet.Int64:
		return strconv.AppendInt(dst, v.Int64(), 10)
	case parquet.Float:
		return appendFloat(dst, float64(v.Float()), 32)
	case parquet.Double:
		return appendFloat(dst, v.Double(), 64)
	case parquet.Int96: // nanoseconds of the day, and the Julian day
		n := v.Int96()
		day := int64(n[2]) - 2440588
		return time.Unix(day*86400, int64(uint64(n[1])<<32|uint64(n[0]))).UTC().AppendFormat(dst,
			"2006-01-02T15:04:05.999999999")
	}
	return append(dst, v.ByteArray()...)
}

// appendFloat writes a number as the shortest text that reads back as it.
func appendFloat(dst []byte, f float64, bits int) []byte {
	if math.IsNaN(f) {
		return dst
	}
	return strconv.AppendFloat(dst, f, 'f', -1, bits)
}

func unitOf(u format.TimeUnit) time.Duration {
	switch u.Value.(type) {
	case *format.MilliSeconds:
		return time.Millisecond
	case *format.MicroSeconds:
		return time.Microsecond
	}
	return time.Nanosecond
}

func appendTime(dst []byte, n int64, unit time.Duration) []byte {
	per := int64(time.Second / unit)
	seconds, rest := n/per, n%per
	if rest < 0 {
		seconds, rest = seconds-1, rest+per
	}
	return time.Unix(seconds, rest*int64(unit)).UTC().AppendFormat(dst, "2006-01-02T15:04:05.999999999")
}

// appendDecimal writes a whole number with its point scale digits from the end.
func appendDecimal(dst []byte, v parquet.Value, scale int) []byte {
	var n *big.Int
	switch v.Kind() {
	case parquet.Int32:
		n = big.NewInt(int64(v.Int32()))
	case parquet.Int64:
		n = big.NewInt(v.Int64())
	default: // two's complement, the highest byte first
		b := v.ByteArray()
		n = new(big.Int).SetBytes(b)
		if len(b) > 0 && b[0] >= 0x80 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
	}
	digits := new(big.Int).Abs(n).String()
	if n.Sign() < 0 {
		dst = append(dst, '-')
	}
	if scale <= 0 || scale > 1000 {
		return append(dst, digits...)
	}
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale-len(digits)+1) + digits
	}
	dst = append(dst, digits[:len(digits)-scale]...)
	return append(append(dst, '.'), digits[len(digits)-scale:]...)
}

package dta

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/crosswave/crosswave/store/formats/internal/statfile"
)

// Options for reading; the zero value is right for nearly every file.
type Options struct {
	// Encoding is the encoding of the texts, such as "windows-1250", for files that name none or the wrong one. Empty:
	// as the format says, or as the texts tell.
	Encoding string
}

// File is a Stata file opened for reading. It may be used by several goroutines at once.
type File struct {
	Release   int // the number of the format: 118 is that of Stata 14 to 18
	ByteOrder binary.ByteOrder
	Encoding  string
	Label     string    // of the data
	Created   time.Time // no zone is kept: UTC stands for the clock of the writer; zero when not known
	NumRows   int64
	Variables []Variable // in the order of the columns

	decoder *decoder
	layout  layout
	data    io.ReaderAt
	size    int64 // of the file
	start   int64 // of the rows
	rowSize int64
	long    longTexts

	notes     statfile.Notes
	textNoted bool
	longNoted bool
	fileNoted bool
}

// Variable describes one column.
type Variable struct {
	Name   string
	Label  string
	Type   Type
	Width  int    // of Text, in bytes of the file's encoding
	Format Format // how values are shown
	// Table is the name of the table of labels, "" for none, and Labels what stands in it, in the order of the file.
	// Several variables may share one slice: don't change it in place.
	Table  string
	Labels []ValueLabel

	unit  Unit
	coded map[float64]bool // of dates: the numbers that have a label, and are none
	at    int              // in a row
}

// Numeric reports whether the values of v are numbers.
func (v *Variable) Numeric() bool { return v.Type < Text }

// Unit tells what the numbers of v count if they are dates.
func (v *Variable) Unit() Unit { return v.unit }

// ValueLabel is the label of a whole number, or of a missing value.
type ValueLabel struct {
	Code    int32   // 0 for a missing value
	Missing Missing // 0 for a number
	Label   string
}

// Value is what the label is for, as it stands in a table: a number, or .a to .z.
func (l ValueLabel) Value() string {
	if l.Missing != 0 {
		return l.Missing.String()
	}
	return string(AppendNumber(nil, float64(l.Code)))
}

// Open reads everything of a file of size bytes but its rows, and checks that it is long enough for those. Errors of
// the file's making are of type *[FormatError]; any other is an error of r.
func Open(r io.ReaderAt, size int64, o Options) (*File, error) {
	p := &parser{
		scanner: newScanner(r, max(0, size), 0, binary.LittleEndian),
		file:    &File{data: r, size: max(0, size)},
		used:    map[string]bool{},
		coded:   map[*ValueLabel]map[float64]bool{},
	}
	if err := p.begin(); err != nil {
		return nil, err
	}
	if p.layout.tagged {
		p.newer()
	} else {
		p.older()
	}
	if p.Err == nil {
		p.Err = p.build(o)
	}
	if p.Err != nil {
		return nil, p.Err
	}
	return p.file, nil
}

// Notes returns what the reader skipped or repaired so far: in front of the rows at first, and what [File.Rows] met
// once the rows have been read. At most 200 are kept, and a last one then counts the others.
func (f *File) Notes() []Note { return statfile.All[Note](&f.notes) }

// parser holds what stands in front of the rows and behind them. Its texts can be decoded only when all are there,
// because they tell their encoding.
type parser struct {
	scanner
	layout layout
	file   *File

	title  []byte
	vars   []rawVar
	tables []rawTable
	used   map[string]bool // names of tables that variables have
	places [mapEntries]int64

	coded    map[*ValueLabel]map[float64]bool // by the first of the labels
	badNoted bool                             // that a text is not in the encoding of the file
}

// rawVar is a variable before its texts are decoded.
type rawVar struct {
	typ                        Type
	width                      int
	name, format, label, table []byte
}

// begin finds out the format.
func (p *parser) begin() error {
	head := make([]byte, min(p.Size, 64))
	p.Read(head, "the header")
	if p.Pos = 0; p.Err != nil {
		return p.Err
	}
	const expected = "expected <stata_dta>, or the number of a format from 104 to 115"
	switch {
	case len(head) == 0:
		return &FormatError{Problem: "the file is empty; " + expected, Kind: ErrNotStata}
	case !IsStata(head):
		return &FormatError{Problem: fmt.Sprintf("found %q; %s", head[:min(len(head), 4)], expected), Kind: ErrNotStata}
	case head[0] == opening[0]:
		return p.beginTagged()
	}
	return p.use(int(head[0]), 0)
}

// use sets the layout of a format.
func (p *parser) use(release int, at int64) error {
	if release < oldest || release > newest || release > 115 && release < 117 {
		return unsupported(at, "the format of the file has the number %d; expected 104 to 115 or 117 to 119. Save it with "+
			"saveold, or as .sav or CSV", release)
	}
	p.layout = layoutOf(release)
	p.file.Release, p.file.layout = release, p.layout
	return nil
}

// readVariables makes room for as many variables as the file says it has, if it can have them.
func (p *parser) readVariables(n int64, at int64) {
	if most := p.Left() / p.layout.variable(); p.Err == nil && n > most {
		p.Err = damaged(at, "the header: %d variables; expected at most the %d for which the rest of the file has room", n,
			most)
	}
	if p.Err == nil {
		p.vars = make([]rawVar, n)
	}
}

// each reads a part of every variable.
func (p *parser) each(read func(v *rawVar)) {
	for i := range p.vars {
		if p.Err != nil {
			break
		}
		if read(&p.vars[i]); p.Err != nil {
			p.Err = placed(p.Err, fmt.Sprintf("variable %d", i+1))
		}
	}
}

// placed says in an error where in the file it is.
func placed(err error, place string) error {
	if fe, ok := err.(*FormatError); ok {
		e := *fe
		e.Problem = place + ": " + strings.TrimSpace(e.Problem)
		return &e
	}
	return fmt.Errorf("%s: %w", place, err)
}

// parseCreated reads "02 Jan 2006 15:04". Names of months are those of the language of the writer, so that some tell
// nothing.
func parseCreated(b []byte) time.Time {
	t, err := time.Parse("2 Jan 2006 15:04", strings.Join(strings.Fields(string(b)), " "))
	if err != nil {
		return time.Time{}
	}
	return t
}

// setRows says how many rows there are and where they begin, if the file is long enough for them.
func (p *parser) setRows(rows int64) {
	f := p.file
	for i := range p.vars {
		f.rowSize += int64(p.vars[i].size())
	}
	f.NumRows, f.start = rows, p.Pos
	if f.rowSize == 0 {
		f.NumRows = 0
		return
	}
	if most := p.Left() / f.rowSize; p.Err == nil && rows > most {
		p.Err = damaged(p.Pos, "the data: %d rows of %d bytes; the file ends after %d rows", rows, f.rowSize, most)
	}
	if p.Err == nil && rows > 0 && f.rowSize > statfile.MaxPart {
		p.Err = unsupported(p.Pos, "the data: rows of %d bytes; expected at most %d", f.rowSize, statfile.MaxPart)
	}
}

// size is how many bytes of a row a variable has.
func (v *rawVar) size() int { return typeSizes[v.typ] + v.width }

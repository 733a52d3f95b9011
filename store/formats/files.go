package formats

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/survey"
)

// Format is the format of a file.
type Format string

// The formats.
const (
	SPSS    Format = "SPSS"
	TripleS Format = "Triple-S"
	CSV     Format = "CSV"
	Parquet Format = "Parquet"
)

// Options say how to read a file. The zero value finds everything out.
type Options struct {
	Encoding  string // of texts, by its IANA name, in place of what the file says or seems to be in
	Delimiter rune   // of CSV
	TempDir   string // for a copy of a CSV file that is not in UTF-8; "" is the system's
}

// File is a survey file, opened.
type File struct {
	guess.File
	Path   string
	Format Format
	// Codebook is the one that the file brings along, inside it or as FILE.codebook.json beside it; nil: none.
	Codebook *survey.Codebook
	// CodebookFrom says where Codebook was found, for people.
	CodebookFrom string
	// Inside tells that Codebook is inside the file: then one beside it is not used.
	Inside bool

	close []func() error
}

// Error is a file that cannot be read as a survey.
type Error struct {
	Path   string
	Reason string // what it is and what would be right
	Err    error  // nil, or what was found wrong with it
}

func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %v", e.Path, e.Err)
	}
	return e.Path + ": " + e.Reason
}

func (e *Error) Unwrap() error { return e.Err }

// Open opens a survey file. What is wrong with it is an *Error.
func Open(path string, o Options) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f := &File{Path: path, close: []func() error{file.Close}}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &Error{Path: path, Reason: "it is no regular file"}
	}
	if err == nil {
		f.Size = info.Size()
		err = f.open(file, f.Size, o)
	}
	if err == nil {
		err = f.beside()
	}
	if err != nil {
		var own *Error
		if !errors.As(err, &own) {
			err = &Error{Path: path, Err: err}
		}
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// refused are files that are something else, by how they begin.
var refused = []struct{ magic, reason string }{
	{"PK\x03\x04", "it is an Excel workbook or another zip archive: save the sheet as CSV (UTF-8), or unpack it first"},
	{"\xd0\xcf\x11\xe0", "it is an old Excel workbook or another Office file: save the sheet as CSV (UTF-8)"},
	{"\x1f\x8b", "it is compressed with gzip: unpack it first"},
	{"SQLite format 3\x00", "it is a store or another SQLite database, and no survey file: give it as --db"},
	{"<stata_dta>", "it is a Stata file: save it as .sav or CSV"},
	{"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xc2\xea\x81\x60", "it is a SAS file: save it as .sav or CSV"},
	{"%PDF", "it is a PDF: a table is needed"},
	{"{", "it is JSON: the survey's data are needed, and the codebook as --codebook"},
}

// mostColumns is how many columns a file may have.
const mostColumns = 100_000

// tooWide is the error for a file with more columns than that.
func (f *File) tooWide() error {
	return &Error{Path: f.Path, Reason: fmt.Sprintf("it has more than %d columns", mostColumns)}
}

// open finds out what the file is.
func (f *File) open(file *os.File, size int64, o Options) error {
	head := make([]byte, min(size, 4096))
	if _, err := io.ReadFull(io.NewSectionReader(file, 0, size), head); err != nil {
		return err
	}
	for _, r := range refused {
		if bytes.HasPrefix(head, []byte(r.magic)) {
			return &Error{Path: f.Path, Reason: r.reason}
		}
	}
	switch {
	case size == 0:
		return &Error{Path: f.Path, Reason: "it is empty"}
	case bytes.HasPrefix(head, []byte("$FL2")), bytes.HasPrefix(head, []byte("$FL3")), len(head) > 20 &&
		bytes.HasPrefix(head[8:], []byte("ENCRYPTED")),
		bytes.HasPrefix(head, []byte("\x5b\xc6\xd3\xf2")), bytes.Contains(head[:min(len(head), 512)],
			[]byte("SPSS PORT FILE")):
		return f.openSPSS(file, size, o)
	case bytes.HasPrefix(head, []byte("PAR1")):
		return f.openParquet(file, size)
	case isXML(head):
		return f.openTripleS(file, o)
	}
	return f.openCSV(file, size, o)
}

// isXML tells whether a file begins as XML does, in any encoding.
func isXML(head []byte) bool {
	plain := bytes.ReplaceAll(head, []byte{0}, nil) // UTF-16 of ASCII, without its other half
	for _, mark := range []string{"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"} {
		plain = bytes.TrimPrefix(plain, []byte(mark))
	}
	plain = bytes.TrimLeft(plain, " \t\r\n")
	return slices.ContainsFunc([]string{"<?xml", "<sss", "<!DOCTYPE sss", "<!--"}, func(begin string) bool {
		return bytes.HasPrefix(plain, []byte(begin))
	})
}

// Close closes the file and removes what was put aside for it.
func (f *File) Close() error {
	var err error
	for _, c := range slices.Backward(f.close) {
		err = errors.Join(err, c())
	}
	f.close = nil
	return err
}

// Beside is the path of the codebook that lies beside a file: survey.csv.codebook.json for survey.csv.
func Beside(path string) string { return path + ".codebook.json" }

// beside looks for a codebook beside the file. One inside it comes first.
func (f *File) beside() error {
	path := Beside(f.Path)
	if f.Inside {
		if _, err := os.Stat(path); err == nil {
			f.CodebookFrom += fmt.Sprintf(", not by %s beside it: who wants that names it", filepath.Base(path))
		}
		return nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if f.Codebook, err = survey.ReadCodebook(text); err != nil {
		return &Error{Path: path,
			Err: fmt.Errorf("%w (the file lies beside %s and is therefore taken for its codebook)", err, filepath.Base(f.Path))}
	}
	f.CodebookFrom = "the file " + filepath.Base(path) + " beside it"
	return nil
}

// Guess makes a codebook for the file.
func (f *File) Guess(ctx context.Context, o guess.Options) (*guess.Result, error) {
	m, err := guess.Codebook(ctx, &f.File, o)
	if err != nil {
		var option *guess.OptionError
		if errors.As(err, &option) {
			return nil, err
		}
		return nil, &Error{Path: f.Path, Err: err}
	}
	if m.Codebook.Survey.Name == "" {
		m.Codebook.Survey.Name = strings.TrimSuffix(filepath.Base(f.Path), filepath.Ext(f.Path))
	}
	return m, nil
}

// Source is the survey that a codebook makes of the file. Its notes are those given and what the reader noticed.
func (f *File) Source(c *survey.Codebook, notes ...string) (survey.Source, error) {
	s, err := survey.NewSource(f.Table, c, 0)
	if err != nil {
		return nil, &Error{Path: f.Path, Err: err}
	}
	return &noted{s, f, notes}, nil
}

// noted is a source with notes.
type noted struct {
	survey.Source
	file  *File
	notes []string
}

func (n *noted) Notes() []string {
	list := slices.Clone(n.notes)
	if n.file.Notes != nil {
		for _, note := range n.file.Notes() {
			if !slices.Contains(list, note) {
				list = append(list, note)
			}
		}
	}
	return list
}

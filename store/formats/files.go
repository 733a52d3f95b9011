package formats

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/store/formats/dta"
	"github.com/crosswave/crosswave/store/formats/xls"
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
	Stata   Format = "Stata"
	Parquet Format = "Parquet"
	Excel   Format = "Excel"
)

// Options say how to read a file. The zero value finds everything out.
type Options struct {
	Encoding  string // of texts, by its IANA name, in place of what the file says or seems to be in
	Delimiter rune   // of CSV
	Header    Header // of CSV and workbooks
	Sheet     string // of a workbook, whatever the case of its letters; "": the first that can be seen and is not empty
	Member    string // of a zip archive, with or without its folder; "": the one survey file that it holds
	TempDir   string // for copies of files that are packed, workbooks, or not in UTF-8; "" is the system's

	// Progress is told how much of a file that has to be unpacked or converted first is read, of how much, in bytes. It
	// may be nil.
	Progress func(done, total int64)
}

// watched reads what is to be unpacked or converted, and tells how far it is.
func (o *Options) watched(r io.Reader, total int64) io.Reader {
	if o.Progress == nil {
		return r
	}
	return &watchedReader{Reader: r, total: total, tell: o.Progress}
}

type watchedReader struct {
	io.Reader
	done, total int64
	tell        func(done, total int64)
}

func (w *watchedReader) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	w.done += int64(n)
	w.tell(w.done, w.total)
	return n, err
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
	Sheet  string // that is read of a workbook
	Member string // that is read of a zip archive

	close  []func() error
	unpack string // the folder of what was unpacked
	inside string // the codebook that was unpacked
	packed bool   // what is read was unpacked

	questions []string // of the columns, as the tool that wrote the file calls them; nil: it does not say

	beneath string // what a file that is packed by itself would be called if it were not; "": it is not packed so
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

// Open opens a survey file, packed with gzip or as a zip or not at all. What is wrong with it is an *Error, and a
// *ChoiceError where Options have to name what is meant.
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
		var choice *ChoiceError
		if !errors.As(err, &own) && !errors.As(err, &choice) {
			err = &Error{Path: path, Err: err}
		}
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// refused are files that are something else, by how they begin.
var refused = []struct{ magic, reason string }{
	{"BZh", "it is compressed with bzip2: unpack it, or pack it with gzip or as a zip"},
	{"7z\xbc\xaf\x27\x1c", "it is a 7-Zip archive: unpack it, or pack it with gzip or as a zip"},
	{"\xfd7zXZ\x00", "it is compressed with xz: unpack it, or pack it with gzip or as a zip"},
	{"\x28\xb5\x2f\xfd", "it is compressed with zstd: unpack it, or pack it with gzip or as a zip"},
	{"Rar!", "it is a RAR archive: unpack it, or pack it with gzip or as a zip"},
	{"SQLite format 3\x00", "it is a store or another SQLite database, and no survey file: give it as --db"},
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
	zipped := isZip(head)
	if o.Member != "" && !zipped {
		return &ChoiceError{Path: f.Path, Choice: ChooseMember, Wanted: o.Member}
	}
	switch {
	case isGzip(head):
		return f.within(f.openGzip(file, size, o), o)
	case zipped && !isWorkbook(file, size):
		return f.within(f.openZip(file, size, o), o)
	}
	return f.within(f.openAs(file, file, size, head, o), o)
}

// within names in an error the member of the archive that it is about, and refuses a sheet where there are none.
func (f *File) within(err error, o Options) error {
	own, choice := (*Error)(nil), (*ChoiceError)(nil)
	switch {
	case err == nil || f.Member == "" || errors.As(err, &choice):
	case !errors.As(err, &own):
		err = &Error{Path: f.Path + ": " + f.Member, Err: err}
	case own.Path == f.Path:
		own.Path += ": " + f.Member
	}
	if err == nil && o.Sheet != "" && f.Format != Excel {
		return &ChoiceError{Path: f.Path, Choice: ChooseSheet, Wanted: o.Sheet}
	}
	return err
}

// openAs opens a file that is not packed. It is read by r; Triple-S needs to know where it lies.
func (f *File) openAs(r io.ReaderAt, file *os.File, size int64, head []byte, o Options) error {
	for _, refused := range refused {
		if bytes.HasPrefix(head, []byte(refused.magic)) {
			return &Error{Path: f.Path, Reason: refused.reason}
		}
	}
	switch {
	case size == 0:
		return &Error{Path: f.Path, Reason: "it is empty"}
	case xls.IsCompound(head):
		return f.openXLS(file, size, o)
	case xls.IsBare(head):
		return &Error{Path: f.Path, Reason: xls.TooOld}
	case isZip(head):
		return f.openZip(file, size, o)
	case bytes.HasPrefix(head, []byte("$FL2")), bytes.HasPrefix(head, []byte("$FL3")), len(head) > 20 &&
		bytes.HasPrefix(head[8:], []byte("ENCRYPTED")),
		bytes.HasPrefix(head, []byte("\x5b\xc6\xd3\xf2")), bytes.Contains(head[:min(len(head), 512)],
			[]byte("SPSS PORT FILE")):
		return f.openSPSS(r, size, o)
	case dta.IsStata(head):
		return f.openStata(r, size, o)
	case bytes.HasPrefix(head, []byte("PAR1")):
		return f.openParquet(r, size)
	case isSheetXML(head):
		return &Error{Path: f.Path, Reason: "it is a workbook in XML, as Excel 2003 wrote them: open it with Excel or " +
			"LibreOffice, and save it as .xlsx or CSV (UTF-8)"}
	case isXML(head):
		return f.openTripleS(file, o)
	case isHTML(head):
		return &Error{Path: f.Path, Reason: "it is a page in HTML, whatever it is called: open it with Excel or " +
			"LibreOffice, and save it as .xlsx or CSV (UTF-8)"}
	}
	return f.openCSV(file, size, o)
}

// isXML tells whether a file begins as XML does, in any encoding.
func isXML(head []byte) bool {
	plain := unmarked(head)
	return slices.ContainsFunc([]string{"<?xml", "<sss", "<!DOCTYPE sss", "<!--"}, func(begin string) bool {
		return bytes.HasPrefix(plain, []byte(begin))
	})
}

// isSheetXML tells whether a file is a workbook in XML, which many programs call .xls.
func isSheetXML(head []byte) bool {
	return isXML(head) && bytes.Contains(unmarked(head), []byte("urn:schemas-microsoft-com:office:spreadsheet"))
}

// isHTML tells whether a file begins as a page does, in any encoding. Some programs write tables so, and call them
// .xls.
func isHTML(head []byte) bool {
	plain := unmarked(head)
	return slices.ContainsFunc([]string{"<!doctype html", "<html", "<head", "<meta", "<style", "<body", "<table"},
		func(begin string) bool {
			return len(plain) > len(begin) && strings.EqualFold(string(plain[:len(begin)]), begin)
		})
}

// unmarked is how a file begins behind the mark of its encoding and what is empty; of UTF-16 without the other half of
// ASCII.
func unmarked(head []byte) []byte {
	plain := bytes.ReplaceAll(head, []byte{0}, nil)
	for _, mark := range []string{"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"} {
		plain = bytes.TrimPrefix(plain, []byte(mark))
	}
	return bytes.TrimLeft(plain, " \t\r\n")
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
	if _, err := os.Stat(path); f.inside != "" && errors.Is(err, fs.ErrNotExist) {
		path = f.inside
	}
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
	if path == f.inside {
		f.CodebookFrom = "the file " + filepath.Base(path) + " in the archive"
	}
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
	c, err := f.expanded(c)
	if err != nil {
		return nil, &Error{Path: f.Path, Err: err}
	}
	s, err := survey.NewSource(f.Table, c, 0)
	if err != nil {
		return nil, &Error{Path: f.Path, Err: err}
	}
	return &noted{s, f, notes}, nil
}

// expanded gives a codebook with the columns that its patterns match, called by their labels.
func (f *File) expanded(c *survey.Codebook) (*survey.Codebook, error) {
	labels := map[string]string{}
	var names []string
	for _, column := range f.Columns {
		if labels[column.Name] = column.Label; !column.Virtual {
			names = append(names, column.Name)
		}
	}
	return c.Expand(names, func(name string) string { return labels[name] })
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

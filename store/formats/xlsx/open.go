package xlsx

import (
	"archive/zip"
	"encoding/xml"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/store/formats/cells"
)

// Book is a workbook, opened.
type Book struct {
	Sheets []Sheet // worksheets in the order of their tabs; never none

	size    int64
	parts   map[string]*zip.File // by their paths in small letters
	data    []*zip.File          // the parts of Sheets
	texts   *cells.Texts         // shared by all cells
	kinds   []cells.Kind         // of cell formats
	from    cells.Epoch
	notices Notices // of the latest reading
}

// What a workbook is made of is the same in each of its formats.
type (
	Sheet   = cells.Sheet   // a worksheet
	Row     = cells.Row     // a row of a sheet
	Cell    = cells.Cell    // a cell with a value
	Notices = cells.Notices // what reading a sheet met that is no value and yet no fault
	Error   = cells.Error   // something in a workbook that cannot be read, in a part of the archive
)

const (
	mostSheets = 4096
	mostParts  = 1 << 16
)

// IsWorkbook tells whether an archive is an Office document of the kind that workbooks are.
func IsWorkbook(z *zip.Reader) bool {
	return slices.ContainsFunc(z.File, func(f *zip.File) bool { return partName(f.Name) == "[content_types].xml" })
}

// partName is the path of a part as paths compare: some makers write backslashes, and other cases than they refer to.
func partName(name string) string {
	return strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/"))
}

// Open reads what a workbook of size bytes says about its sheets, and the texts that they share. Memory is bounded by
// the size.
func Open(r io.ReaderAt, size int64) (*Book, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, &Error{Err: err}
	}
	return New(z, size)
}

// New is Open for an archive that is open already.
func New(z *zip.Reader, size int64) (*Book, error) {
	b := &Book{size: size, parts: map[string]*zip.File{}, from: cells.From1900}
	if len(z.File) > mostParts {
		return nil, &Error{Reason: "it has too many parts for a workbook"}
	}
	for _, f := range z.File {
		if name := partName(f.Name); b.parts[name] == nil {
			b.parts[name] = f
		}
	}
	main := "xl/workbook.xml"
	err := b.relations("", func(_, kind, target string) {
		if kind == "officeDocument" {
			main = target
		}
	})
	if err != nil {
		return nil, err
	}
	switch {
	case strings.HasSuffix(main, ".bin"):
		return nil, &Error{Reason: "it is a binary workbook (.xlsb): save it as .xlsx or CSV"}
	case strings.HasPrefix(main, "word/"), strings.HasPrefix(main, "ppt/"):
		return nil, &Error{Reason: "it is a text or a presentation, and no workbook"}
	case b.parts[main] == nil:
		return nil, &Error{Reason: "it is no workbook: there is no " + main + " in it"}
	}
	return b, b.workbook(main)
}

// relations reads what a part refers to: the id, the kind and the path of each.
func (b *Book) relations(of string, see func(id, kind, target string)) error {
	dir, name := path.Split(of)
	f := b.parts[dir+"_rels/"+name+".rels"]
	if f == nil {
		return nil
	}
	return elements(f, func(_ string, e xml.StartElement) error {
		if e.Name.Local != "Relationship" || attribute(&e, "TargetMode") == "External" {
			return nil
		}
		target := strings.ReplaceAll(attribute(&e, "Target"), `\`, "/")
		if !strings.HasPrefix(target, "/") {
			target = dir + target
		}
		kind := attribute(&e, "Type")
		see(attribute(&e, "Id"), kind[strings.LastIndexByte(kind, '/')+1:], partName(path.Clean(target)))
		return nil
	})
}

// workbook reads the list of sheets, and the parts that they share.
func (b *Book) workbook(main string) error {
	sheets := map[string]*zip.File{}
	texts, styles := "", ""
	err := b.relations(main, func(id, kind, target string) {
		switch kind {
		case "worksheet":
			sheets[id] = b.parts[target]
		case "sharedStrings":
			texts = target
		case "styles":
			styles = target
		}
	})
	if err != nil {
		return err
	}
	err = elements(b.parts[main], func(around string, e xml.StartElement) error {
		switch {
		case e.Name.Local == "workbookPr" && truth(attribute(&e, "date1904")):
			b.from = cells.From1904
		case e.Name.Local == "sheet" && around == "sheets" && sheets[attribute(&e, "id")] != nil:
			if len(b.Sheets) == mostSheets {
				return &Error{Part: main, Reason: "it has too many sheets"}
			}
			state := attribute(&e, "state")
			b.Sheets = append(b.Sheets, Sheet{Name: attribute(&e, "name"), Hidden: state != "" && state != "visible"})
			b.data = append(b.data, sheets[attribute(&e, "id")])
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(b.Sheets) == 0 {
		return &Error{Part: main, Reason: "there is no sheet with cells in it"}
	}
	if f := b.parts[styles]; f != nil {
		if b.kinds, err = readKinds(f); err != nil {
			return err
		}
	}
	b.texts, err = readTexts(b.parts[texts], max(16<<20, 12*b.size))
	return err
}

// First is the sheet that is meant unless another is named: the first that can be seen.
func (b *Book) First() int { return cells.First(b.Sheets) }

// Notices is what the latest reading of a sheet met.
func (b *Book) Notices() Notices { return b.notices }

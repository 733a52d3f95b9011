package sheet

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"

	"github.com/xuri/excelize/v2"
)

// part is a sheet as it stands in a workbook: compressed as soon as it is written, as excelize would hold the text of
// all sheets until the end, many times as long. It is compressed the quick way, which makes it an eighth longer: with
// the thorough one a book takes a third more time.
type part struct {
	deflated bytes.Buffer
	length   uint64 // of the text
	sum      uint32
}

// alone is the only sheet of the file that a page is written in by itself, and where it stands there.
const (
	alone     = "Sheet1"
	alonePath = "xl/worksheets/sheet1.xml"
)

// compress takes the only sheet of a file.
func compress(f *excelize.File) (*part, error) {
	p := &part{}
	deflate, err := flate.NewWriter(&p.deflated, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	sum := crc32.NewIEEE()
	f.SetZipWriter(func(io.Writer) excelize.ZipWriter {
		return taker{func(name string) (io.Writer, error) {
			if name == alonePath {
				return io.MultiWriter(deflate, sum, p), nil
			}
			return io.Discard, nil
		}}
	})
	err = f.Write(io.Discard)
	if err = errors.Join(err, deflate.Close()); err != nil {
		return nil, err
	}
	if p.sum = sum.Sum32(); p.length == 0 {
		return nil, errors.New("no sheet was written")
	}
	return p, nil
}

// Write counts the text.
func (p *part) Write(b []byte) (int, error) {
	p.length += uint64(len(b))
	return len(b), nil
}

// taker is an archive of which something is taken as it is written.
type taker struct {
	create func(name string) (io.Writer, error)
}

func (t taker) Create(name string) (io.Writer, error) { return t.create(name) }
func (t taker) AddFS(fs.FS) error                     { return errors.ErrUnsupported }
func (t taker) Close() error                          { return nil }

// binder is the archive of a workbook, into which parts go in the place of the empty sheets of their names.
type binder struct {
	*zip.Writer
	parts map[string]*part
	bound int
}

func (b *binder) Create(name string) (io.Writer, error) {
	p, there := b.parts[name]
	if !there {
		return b.Writer.Create(name)
	}
	b.bound++
	w, err := b.Writer.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, CRC32: p.sum,
		CompressedSize64: uint64(p.deflated.Len()), UncompressedSize64: p.length})
	if err != nil {
		return nil, err
	}
	_, err = w.Write(p.deflated.Bytes())
	return io.Discard, err
}

// Close ends the archive, in which each part has to be.
func (b *binder) Close() error {
	if b.bound != len(b.parts) {
		return fmt.Errorf("%d of %d sheets are in the workbook", b.bound, len(b.parts))
	}
	return b.Writer.Close()
}

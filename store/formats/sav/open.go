package sav

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/crosswave/crosswave/internal/charset"
	"github.com/crosswave/crosswave/store/formats/internal/statfile"
)

// Options for reading; the zero value is right for nearly every file.
type Options struct {
	// Encoding is the encoding of the texts, such as "windows-1250", for files
	// that name none or the wrong one. Empty: as the file says.
	Encoding string
}

// Compression is how the cases of a file are stored.
type Compression uint8

// The compressions. Bytecode is what SPSS calls COMPRESSED, Zlib ZCOMPRESSED.
const (
	Bytecode Compression = iota
	Zlib
	Uncompressed
)

func (c Compression) String() string {
	return pick([]string{"bytecode", "zlib", "uncompressed"}, int(c))
}

// File is a system file opened for reading. It may be used by several goroutines at once.
type File struct {
	Dictionary

	NumCases    int64 // as the file says, and possible by its size; -1 when the file doesn't say
	Encoding    string
	Compression Compression
	ByteOrder   binary.ByteOrder

	decoder *decoder
	bias    float64
	sysmis  float64
	data    io.ReaderAt
	start   int64 // of the cases
	size    int64 // of the file
	layout  layout
	blocks  []block // of zlib data

	notes        statfile.Notes
	badTextNoted bool
	moreNoted    bool
}

// Open reads the dictionary of a system file of size bytes and checks that the file is long enough for the cases it
// claims. Errors of the file's making are of type *[FormatError]; any other is an error of r.
func Open(r io.ReaderAt, size int64, opt Options) (*File, error) {
	p := &parser{
		scanner: newScanner(r, size, 0, binary.LittleEndian),
		file:    &File{data: r, size: size, sysmis: systemMissing},
		records: map[int32][]record{},
	}
	if err := p.header(); err != nil {
		return nil, err
	}
	for p.next() {
	}
	if p.Err != nil {
		return nil, p.Err
	}
	p.file.start = p.Pos
	if err := p.build(opt); err != nil {
		return nil, err
	}
	if err := p.file.checkData(); err != nil {
		return nil, err
	}
	return p.file, nil
}

// Notes returns what the reader skipped or repaired so far: in the dictionary at first, and what [File.Cases] met once
// the cases have been read. At most 200 are kept, and a last one then counts the others.
func (f *File) Notes() []Note { return statfile.All[Note](&f.notes) }

// parser holds the raw records of a dictionary. Their texts can be decoded only
// when all are there, because the encoding is named by one of the last.
type parser struct {
	scanner
	file *File

	weight  int32 // dictionary index of the weight variable, 0 for none
	label   []byte
	created time.Time

	vars      []*rawVar // each by itself: growing a slice of them would take five times the memory
	index     []int32   // from dictionary index to vars, -1 for the rest of a long string
	labelSets []rawLabels
	documents [][]byte
	records   map[int32][]record // extension records by subtype

	pieceNames map[string]bool // short names of the pieces of very long strings
}

// record is an extension record.
type record struct {
	offset int64
	size   int32 // of each piece of its data
	data   []byte
}

const headerSize = 176

func (p *parser) header() error {
	var h [headerSize]byte
	n, err := p.File.ReadAt(h[:min(headerSize, max(p.Size, 0))], 0)
	if err != nil && err != io.EOF {
		return fmt.Errorf("reading the header of an SPSS file: %w", err)
	}
	if err := checkMagic(h[:n]); err != nil {
		return err
	}
	if n < headerSize {
		return damaged(int64(n), "the file ends inside its header; expected %d bytes", headerSize)
	}
	switch layout := h[64:68]; {
	case binary.LittleEndian.Uint32(layout) == 2, binary.LittleEndian.Uint32(layout) == 3:
	case binary.BigEndian.Uint32(layout) == 2, binary.BigEndian.Uint32(layout) == 3:
		p.Order = binary.BigEndian
	default:
		return damaged(64, "layout code is % x; expected 2 or 3 in either byte order", layout)
	}
	f := p.file
	f.ByteOrder = p.Order
	compression := int32(p.Order.Uint32(h[72:]))
	switch zlib := h[3] == '3'; {
	case compression == 2 && zlib:
		f.Compression = Zlib
	case compression == 1 && !zlib:
		f.Compression = Bytecode
	case compression == 0 && !zlib:
		f.Compression = Uncompressed
	default:
		return damaged(72, "compression is %d; expected 0 or 1 in a $FL2 file and 2 in a $FL3 file, this is $FL%c",
			compression, h[3])
	}
	p.weight = int32(p.Order.Uint32(h[76:]))
	f.NumCases = int64(int32(p.Order.Uint32(h[80:])))
	f.bias = p.float(h[84:92])
	if !(math.Abs(f.bias) < 1<<20) {
		return &FormatError{Offset: 84, Kind: ErrUnsupported,
			Problem: fmt.Sprintf("compression bias is %g; expected a number such as 100 in IEEE 754 form", f.bias)}
	}
	f.Product, _ = (&decoder{charset.UTF8()}).text(bytes.TrimPrefix(h[4:64], []byte("@(#) ")))
	p.created = parseCreated(string(h[92:101]), string(h[101:109]))
	p.label = append([]byte(nil), h[109:173]...)
	p.Pos = headerSize
	return nil
}

func checkMagic(h []byte) error {
	refuse := func(kind error, problem string) error { return &FormatError{Problem: problem, Kind: kind} }
	switch {
	case bytes.HasPrefix(h, []byte("$FL2")), bytes.HasPrefix(h, []byte("$FL3")):
		return nil
	case len(h) >= 20 && string(h[8:20]) == "ENCRYPTEDSAV":
		return &FormatError{Offset: 8, Kind: ErrEncrypted,
			Problem: `found "ENCRYPTEDSAV"; expected a file saved without a password. Save it again without encryption`}
	case len(h) >= 20 && string(h[8:17]) == "ENCRYPTED":
		return &FormatError{Offset: 8, Kind: ErrEncrypted,
			Problem: fmt.Sprintf("found %q; expected a data file saved without a password", h[8:20])}
	case bytes.HasPrefix(h, []byte("\x5b\xc6\xd3\xf2")):
		return refuse(ErrUnsupported, "found $FL2 in EBCDIC; expected it in ASCII")
	case bytes.Contains(h, []byte("SPSS PORT FILE")):
		return refuse(ErrNotSystemFile, "found a portable file (.por); expected a system file, which begins with "+
			"$FL2 or $FL3. Save it as .sav")
	case len(h) == 0:
		return refuse(ErrNotSystemFile, "the file is empty; expected $FL2 or $FL3")
	}
	return refuse(ErrNotSystemFile, fmt.Sprintf("found %q; expected $FL2 or $FL3", h[:min(4, len(h))]))
}

// parseCreated reads "02 Jan 06" and "15:04:05". Years up to 79 are of this century, since there were no such files
// before 1980; the start of 1970 is what writers put that know no better.
func parseCreated(date, clock string) time.Time {
	t, err := time.Parse("2 Jan 06 15:04:05", strings.TrimSpace(date)+" "+strings.TrimSpace(clock))
	if err != nil || t.Unix() == 0 {
		return time.Time{}
	}
	if t.Year() < 1980 {
		t = t.AddDate(100, 0, 0)
	}
	return t
}

// next reads one record of the dictionary. It returns false after the last, or when p.Err is set.
func (p *parser) next() bool {
	at := p.Pos
	kind := p.int32("the type of a dictionary record")
	if p.Err != nil {
		return false
	}
	switch kind {
	case 2:
		p.variable(at)
	case 3:
		p.valueLabels(at)
	case 6:
		p.document()
	case 7:
		p.extension(at)
	case 999:
		p.Skip(4, "the end of the dictionary")
		return false
	default:
		p.Err = damaged(at, "found a dictionary record of type %d; expected 2 (variable), 3 (value labels), "+
			"6 (documents), 7 (extension) or 999 (end of the dictionary)", kind)
	}
	return p.Err == nil
}

func (p *parser) document() {
	at := p.Pos
	lines := int64(p.int32("the number of document lines"))
	if p.Err == nil && lines < 0 {
		p.Err = damaged(at, "document record with %d lines; expected 0 or more", lines)
	}
	text := p.Bytes(lines*80, "a document record")
	for ; len(text) >= 80; text = text[80:] {
		p.documents = append(p.documents, text[:80])
	}
}

// Subtypes of extension records.
const (
	extIntegers     = 3
	extFloats       = 4
	extSets         = 7
	extDisplay      = 11
	extLongNames    = 13
	extVeryLong     = 14
	extCases        = 16
	extFileAttrs    = 17
	extVarAttrs     = 18
	extSets2        = 19
	extEncoding     = 20
	extLongLabels   = 21
	extLongMissings = 22
)

var extensionNames = map[int32]string{
	extIntegers: "machine integers", extFloats: "machine floats", extSets: "multiple-response sets",
	extDisplay: "display parameters", extLongNames: "long names", extVeryLong: "very long strings",
	extCases: "number of cases", extFileAttrs: "file attributes", extVarAttrs: "variable attributes",
	extSets2: "multiple-response sets", extEncoding: "encoding", extLongLabels: "labels of long strings",
	extLongMissings: "missing values of long strings",
}

var skippedNames = map[int32]string{
	5: "variable sets", 6: "date information", 8: "system information", 10: "product information", 12: "file identifier",
	24: "view settings",
}

func (p *parser) extension(at int64) {
	subtype, size, count := p.int32("an extension record"), p.int32("an extension record"), p.int32("an extension record")
	if p.Err != nil {
		return
	}
	if size < 0 || count < 0 {
		p.Err = damaged(at, "extension record of subtype %d has %d pieces of %d bytes; expected 0 or more of each",
			subtype, count, size)
		return
	}
	what := fmt.Sprintf("extension record of subtype %d", subtype)
	n := int64(size) * int64(count)
	if extensionNames[subtype] == "" {
		p.Skip(n, what)
		p.file.notes.Add(at, "skipped an extension record of subtype %d (%s), %d bytes", subtype,
			cmp.Or(skippedNames[subtype], "unknown"), n)
		return
	}
	data := p.Bytes(n, what)
	p.records[subtype] = append(p.records[subtype], record{at, size, data})
}

package parquet

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// The library believes what a page says of itself: it takes as much memory as a page claims to unpack to, and repeats a
// value as often as a run claims, before it finds out that the file is damaged. So every page is looked at before the
// library gets it.

// pages checks the pages of a file.
type pages struct {
	file   io.ReaderAt
	size   int64
	leaves []parquet.LeafColumn
	codecs []format.CompressionCodec // of each column

	in            *bufio.Reader
	packed, plain []byte // the page at hand
}

const (
	// bytes that the pages which are read at the same time, one per column, may take, however small the file
	leastPages    = 48 << 20
	pagesShare    = 32       // bytes that they may take per byte of the file
	columnSize    = 17 << 10 // bytes that the library takes for a column while it reads it
	valueSize     = 16       // bytes that a value takes, with its levels, beside those in the page
	longestHeader = 64 << 10 // bytes of the header of a page
	padding       = 1 << 9   // values by which the last run may go on behind the last value
)

func (p *pages) most() int64 { return max(leastPages, pagesShare*p.size) }

// check checks the pages of a row group. What is wrong with them is an *Error.
func (p *pages) check(g *format.RowGroup) (err error) {
	defer guard(&err)
	if err = p.group(g); err != nil {
		return &Error{Err: err}
	}
	return nil
}

func (p *pages) group(g *format.RowGroup) error {
	if len(g.Columns) != len(p.leaves) {
		return fmt.Errorf("a row group has %d columns; expected %d", len(g.Columns), len(p.leaves))
	}
	if p.codecs == nil { // the library goes by those of the first row group
		for i := range g.Columns {
			p.codecs = append(p.codecs, g.Columns[i].MetaData.Codec)
		}
	}
	held := int64(0)
	for i := range g.Columns {
		m := &g.Columns[i].MetaData
		if m.Codec != p.codecs[i] {
			return fmt.Errorf("column %s is compressed with %s here and with %s before", columnName(p.leaves[i].Path),
				m.Codec, p.codecs[i])
		}
		n, err := p.chunk(m, &p.leaves[i])
		if err != nil {
			return fmt.Errorf("column %s: %w", columnName(p.leaves[i].Path), err)
		}
		if held += n + columnSize; held > p.most() {
			return fmt.Errorf("its %d columns take more than %d MB of memory, which is too much for a file of %d KB",
				len(g.Columns), p.most()>>20, p.size>>10)
		}
	}
	return nil
}

// chunk checks the pages of a column in a row group, and tells how many bytes the largest and the dictionary take.
func (p *pages) chunk(m *format.ColumnMetaData, leaf *parquet.LeafColumn) (held int64, err error) {
	start := m.DataPageOffset
	if m.DictionaryPageOffset != 0 {
		start = m.DictionaryPageOffset
	}
	length := min(m.TotalCompressedSize, p.size-start)
	if start < 0 || length < 0 {
		return 0, fmt.Errorf("its pages are said to be %d bytes from byte %d on, in a file of %d",
			m.TotalCompressedSize, start, p.size)
	}
	in := io.NewSectionReader(p.file, start, length)
	if p.in == nil {
		p.in = bufio.NewReaderSize(in, longestHeader)
	}
	p.in.Reset(in)
	fixed := int64(0) // bytes that each value is said to have
	if t := leaf.Node.Type(); t.Kind() == parquet.FixedLenByteArray {
		fixed = int64(t.Length())
	}
	dictionary, page := int64(0), int64(0)
	for {
		h, err := header(p.in)
		if err == io.EOF {
			return dictionary + page, nil
		}
		if err != nil {
			return 0, err
		}
		n := values(h)
		takes := int64(h.CompressedPageSize) + int64(h.UncompressedPageSize) + (valueSize+fixed)*n
		switch {
		case h.CompressedPageSize < 0, h.UncompressedPageSize < 0, int64(h.CompressedPageSize) > length:
			return 0, fmt.Errorf("a page is said to have %d bytes, and %d when unpacked, in %d bytes",
				h.CompressedPageSize, h.UncompressedPageSize, length)
		case takes > p.most():
			return 0, fmt.Errorf("a page is said to have %d values in %d bytes, which is too much for a file of %d KB",
				n, h.UncompressedPageSize, p.size>>10)
		}
		p.packed = resized(p.packed, int(h.CompressedPageSize))
		if _, err := io.ReadFull(p.in, p.packed); err != nil {
			return 0, fmt.Errorf("its pages end within one: %w", err)
		}
		if err := p.page(h, m.Codec, leaf, n); err != nil {
			return 0, err
		}
		if h.Type == format.DictionaryPage {
			dictionary = max(dictionary, takes)
		} else {
			page = max(page, takes)
		}
	}
}

// header reads the header of a page.
func header(in *bufio.Reader) (*format.PageHeader, error) {
	data, err := in.Peek(longestHeader)
	if len(data) == 0 {
		return nil, err
	}
	rest, err := shape(nil).walk(data, 0)
	if err != nil {
		return nil, fmt.Errorf("the header of a page: %w", err)
	}
	data = data[:len(data)-len(rest)]
	h := &format.PageHeader{}
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), data, h); err != nil {
		return nil, err
	}
	_, err = in.Discard(len(data))
	return h, err
}

// resized is a buffer of n bytes.
func resized(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// values is the number of values that a page claims.
func values(h *format.PageHeader) int64 {
	return int64(max(h.DataPageHeader.V.NumValues, h.DictionaryPageHeader.V.NumValues, h.DataPageHeaderV2.V.NumValues))
}

// page checks what is in a page: that it unpacks to what it claims, and that its runs repeat no more values than it
// claims to have.
func (p *pages) page(h *format.PageHeader, codec format.CompressionCodec, leaf *parquet.LeafColumn, n int64) error {
	data := p.packed
	repetition, definition := bits.Len(uint(leaf.MaxRepetitionLevel)), bits.Len(uint(leaf.MaxDefinitionLevel))
	if h.Type == format.DataPageV2 {
		v := &h.DataPageHeaderV2.V
		r, d := int64(v.RepetitionLevelsByteLength), int64(v.DefinitionLevelsByteLength)
		if r < 0 || d < 0 || r+d > int64(len(data)) {
			return fmt.Errorf("a page of %d bytes is said to have %d bytes of levels", len(data), r+d)
		}
		if err := errors.Join(levels(data[:r], repetition, n), levels(data[r:r+d], definition, n)); err != nil {
			return err
		}
		data = data[r+d:]
		if v.IsCompressed.Valid && !v.IsCompressed.V {
			codec = format.Uncompressed
		}
		data, err := p.unpack(data, codec, int(h.UncompressedPageSize))
		if err != nil {
			return err
		}
		return encoded(data, v.Encoding, leaf, n)
	}
	data, err := p.unpack(data, codec, int(h.UncompressedPageSize))
	if err != nil || h.Type != format.DataPage {
		return err
	}
	v := &h.DataPageHeader.V
	for _, l := range []struct {
		width    int
		encoding format.Encoding
	}{{repetition, v.RepetitionLevelEncoding}, {definition, v.DefinitionLevelEncoding}} {
		if l.width == 0 {
			continue
		}
		list, rest, err := prefixed(data)
		if err == nil && l.encoding == format.RLE {
			err = levels(list, l.width, n)
		}
		if err != nil {
			return err
		}
		data = rest
	}
	return encoded(data, v.Encoding, leaf, n)
}

// levels checks how deep values are repeated or defined. Where all are as deep, what may be there is passed over.
func levels(data []byte, width int, n int64) error {
	if width == 0 {
		return nil
	}
	return runs(data, width, n)
}

// prefixed divides data at the length that stands before them.
func prefixed(data []byte) (first, rest []byte, err error) {
	if len(data) < 4 {
		return nil, nil, io.ErrUnexpectedEOF
	}
	n := int64(binary.LittleEndian.Uint32(data))
	if data = data[4:]; n > int64(len(data)) {
		return nil, nil, io.ErrUnexpectedEOF
	}
	return data[:n], data[n:], nil
}

// plainDictionary is what writers before version 2 of the format call RLEDictionary in data pages: PLAIN_DICTIONARY.
const plainDictionary format.Encoding = 2

// encoded checks values by their encoding. Those that are not looked at take no more than the bytes they stand in.
func encoded(data []byte, e format.Encoding, leaf *parquet.LeafColumn, n int64) error {
	switch e {
	case plainDictionary, format.RLEDictionary:
		if len(data) == 0 {
			return nil
		}
		return runs(data[1:], int(data[0]), n)
	case format.RLE:
		if leaf.Node.Type().Kind() != parquet.Boolean {
			return fmt.Errorf("runs of values that are not true or false are not read")
		}
		if len(data) == 4 {
			return nil
		}
		list, _, err := prefixed(data)
		if err != nil {
			return err
		}
		return runs(list, 1, n)
	case format.DeltaBinaryPacked, format.DeltaLengthByteArray:
		return deltas(data, n)
	case format.DeltaByteArray:
		return fmt.Errorf("its texts are in the encoding %s, which is not read; plain ones and dictionaries are", e)
	}
	return nil
}

// runs checks the runs of a hybrid of run lengths and bit packing: a run is in the page, and there are no more values
// than n, but for padding.
func runs(data []byte, width int, n int64) error {
	total := uint64(0)
	for len(data) > 0 {
		head, length := binary.Uvarint(data)
		if length <= 0 {
			return errors.New("the length of a run is no number")
		}
		data = data[length:]
		count := head >> 1
		if count > uint64(n)+padding {
			return fmt.Errorf("a run has %d values in a page of %d", count, n)
		}
		bytes := uint64(width+7) / 8
		if head&1 != 0 { // groups of eight
			bytes, count = count*uint64(width), 8*count
		}
		if total += count; total > uint64(n)+padding {
			return fmt.Errorf("runs have more than %d values", n)
		}
		if bytes > uint64(len(data)) {
			if head&1 == 0 {
				return nil // the library finds that out in time
			}
			return io.ErrUnexpectedEOF
		}
		data = data[bytes:]
	}
	return nil
}

// deltas checks the number of values of a list of deltas.
func deltas(data []byte, n int64) error {
	for field := range 3 { // values of a block, parts of a block, values
		x, length := binary.Uvarint(data)
		if length <= 0 {
			return io.ErrUnexpectedEOF
		}
		if field == 2 && x > uint64(n) {
			return fmt.Errorf("it holds %d values in a page of %d", x, n)
		}
		data = data[length:]
	}
	return nil
}

package parquet

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// readable tells what cannot be read: the library has no bound for what these unpack to.
func readable(c format.CompressionCodec) error {
	switch c {
	case format.Uncompressed, format.Snappy, format.Gzip, format.Zstd:
		return nil
	}
	return fmt.Errorf("it is compressed with %s, which is not read; Snappy, gzip and Zstandard are", c)
}

// unpack gives what data come to. They must not come to more than is said.
func (p *pages) unpack(data []byte, codec format.CompressionCodec, size int) ([]byte, error) {
	tooLong := fmt.Errorf("a page unpacks to more than the %d bytes that are said", size)
	switch codec {
	case format.Uncompressed:
		return data, nil
	case format.Snappy:
		if n, length := binary.Uvarint(data); length <= 0 || n > uint64(size) {
			return nil, tooLong
		}
	case format.Zstd:
		most, err := zstdMost(data, int64(size))
		if err != nil {
			return nil, err
		}
		if most > p.most() {
			return nil, tooLong
		}
	case format.Gzip:
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		p.plain = resized(p.plain, size+1)
		n, err := io.ReadFull(r, p.plain)
		if err == nil {
			return nil, tooLong
		}
		if err != io.ErrUnexpectedEOF && err != io.EOF {
			return nil, err
		}
		return p.plain[:n], nil
	}
	p.plain = resized(p.plain, size)
	out, err := parquet.LookupCompressionCodec(codec).Decode(p.plain[:0], data)
	if len(out) > size {
		return nil, tooLong
	}
	return out, err
}

// zstdMost is how many bytes the frames of Zstandard data may come to at the most (RFC 8878, section 3.1.1). What a
// frame says of itself must be no more than size.
func zstdMost(data []byte, size int64) (int64, error) {
	const magic, skippable = 0xfd2fb528, 0x184d2a50
	total := int64(0)
	for len(data) > 0 {
		if len(data) < 8 {
			return 0, errZstd
		}
		switch head := binary.LittleEndian.Uint32(data); {
		case head&^0xf == skippable:
			n := int64(binary.LittleEndian.Uint32(data[4:]))
			if n > int64(len(data)-8) {
				return 0, errZstd
			}
			data = data[8+n:]
		case head == magic:
			most, rest, err := zstdFrame(data[4:], size)
			if err != nil {
				return 0, err
			}
			total += most
			data = rest
		default:
			return 0, errZstd
		}
	}
	return total, nil
}

var errZstd = errors.New("a page is not in the format of Zstandard")

// zstdFrame reads a frame behind its magic number: how many bytes it may come to, and what stands behind it.
func zstdFrame(data []byte, size int64) (most int64, rest []byte, err error) {
	const blockMost = 128 << 10
	d := data[0]
	single := d >> 5 & 1
	at := 2 - int(single) + []int{0, 1, 2, 4}[d&3] // behind the window and the dictionary
	field := []int{int(single), 2, 4, 8}[d>>6]
	if len(data) < at+field {
		return 0, nil, errZstd
	}
	var eight [8]byte
	copy(eight[:], data[at:at+field])
	said := binary.LittleEndian.Uint64(eight[:])
	if field == 2 {
		said += 256
	}
	if said > uint64(size) {
		return 0, nil, fmt.Errorf("a page says that it unpacks to %d bytes, and to %d", said, size)
	}
	data = data[at+field:]
	for last := false; !last; {
		if len(data) < 3 {
			return 0, nil, errZstd
		}
		block := int(data[0]) | int(data[1])<<8 | int(data[2])<<16
		last = block&1 != 0
		length := block >> 3
		switch block >> 1 & 3 {
		case 0: // as it is
			most += int64(length)
		case 1: // one byte, again and again
			most += int64(length)
			length = 1
		default:
			most += blockMost
		}
		if data = data[3:]; length > len(data) {
			return 0, nil, errZstd
		}
		data = data[length:]
	}
	if d>>2&1 != 0 { // a checksum
		if len(data) < 4 {
			return 0, nil, errZstd
		}
		data = data[4:]
	}
	return most, data, nil
}

package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The library makes room for as many elements as a list says it has before it reads them, and for as many bytes as a
// text says. So what it is to read in Thrift's compact protocol is walked through first:
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md

// The types of the protocol.
const (
	typeTrue   = 1
	typeFalse  = 2
	typeByte   = 3
	typeDouble = 7
	typeBinary = 8
	typeList   = 9
	typeSet    = 10
	typeStruct = 12
)

const deepest = 32 // structures in each other

var (
	errShort = errors.New("its description ends too early")
	errShape = errors.New("its description is damaged")
)

// shape is what must be seen to in a structure: the lists in it, by the numbers of their fields.
type shape map[int64]listShape

// listShape bounds a list.
type listShape struct {
	least    int   // bytes of an element on average, for that is what elements take that hold anything
	most     int64 // elements; 0: any number
	elements shape
}

// footer is the shape of the description of a file of so many bytes (FileMetaData): columns of the schema, and row
// groups with columns.
func footer(size int64) shape {
	const leastColumns, columnSize = 1 << 14, 64 // one per 64 bytes of the file, or 16,384 if those are more
	return shape{2: {least: 4, most: max(leastColumns, size/columnSize)}, 4: {least: 16, elements: shape{1: {least: 16}}}}
}

// walk goes through a structure and gives what stands behind it. errShort tells that more bytes are needed.
func (s shape) walk(data []byte, depth int) (rest []byte, err error) {
	if depth > deepest {
		return nil, errShape
	}
	field := int64(0)
	for {
		if len(data) == 0 {
			return nil, errShort
		}
		head := data[0]
		data = data[1:]
		if head == 0 {
			return data, nil
		}
		if delta := int64(head >> 4); delta > 0 {
			field += delta
		} else {
			n, length := binary.Varint(data)
			if length <= 0 {
				return nil, varintError(length)
			}
			field, data = n, data[length:]
		}
		if kind := head & 0xf; kind == typeList || kind == typeSet {
			data, err = s[field].walk(data, depth)
		} else if kind != typeTrue && kind != typeFalse { // those have no more bytes
			data, err = walkValue(kind, data, depth, nil)
		}
		if err != nil {
			return nil, err
		}
	}
}

// walk goes through a list.
func (l listShape) walk(data []byte, depth int) (rest []byte, err error) {
	if len(data) == 0 {
		return nil, errShort
	}
	kind, n := data[0]&0xf, uint64(data[0]>>4)
	if data = data[1:]; n == 15 {
		length := 0
		if n, length = binary.Uvarint(data); length <= 0 {
			return nil, varintError(length)
		}
		data = data[length:]
	}
	least := uint64(1)
	if kind == typeStruct {
		least = uint64(max(l.least, 2))
	}
	if n > uint64(len(data))/least {
		return nil, fmt.Errorf("a list in its description is said to have %d elements in %d bytes: %w", n, len(data),
			errShort)
	}
	if l.most > 0 && n > uint64(l.most) {
		return nil, fmt.Errorf("it has %d columns, and groups of them; up to %d are read in a file of its size", n, l.most)
	}
	rest = data
	for range n {
		if rest, err = walkValue(kind, rest, depth, l.elements); err != nil {
			return nil, err
		}
	}
	if uint64(len(data)-len(rest)) < n*least {
		return nil, errShape
	}
	return rest, nil
}

// walkValue goes through a value; inside is about what a structure holds.
func walkValue(kind byte, data []byte, depth int, inside shape) (rest []byte, err error) {
	n := 0
	switch kind {
	case typeTrue, typeFalse, typeByte: // in a list
		n = 1
	case 4, 5, 6: // whole numbers
		if _, n = binary.Varint(data); n <= 0 {
			return nil, varintError(n)
		}
	case typeDouble:
		n = 8
	case typeBinary:
		size, length := binary.Uvarint(data)
		if length <= 0 {
			return nil, varintError(length)
		}
		if size > uint64(len(data)-length) {
			return nil, errShort
		}
		n = length + int(size)
	case typeList, typeSet:
		return listShape{}.walk(data, depth+1)
	case typeStruct:
		return inside.walk(data, depth+1)
	default: // maps, of which there are none in Parquet
		return nil, errShape
	}
	if n > len(data) {
		return nil, errShort
	}
	return data[n:], nil
}

// varintError is the error for a number of which binary read n bytes.
func varintError(n int) error {
	if n == 0 {
		return errShort
	}
	return errShape
}

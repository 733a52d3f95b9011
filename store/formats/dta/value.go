package dta

import (
	"encoding/binary"
	"math"
	"strconv"
)

// Type is how the values of a variable are stored.
type Type uint8

// The types. LongText is what Stata calls strL.
const (
	Byte Type = iota
	Int
	Long
	Float
	Double
	Text
	LongText
)

var typeNames = [...]string{"byte", "int", "long", "float", "double", "str", "strL"}

func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return "type " + strconv.Itoa(int(t))
}

// typeSizes are the bytes that values of the types have in a row; a Text has as many as it is wide.
var typeSizes = [...]int{1, 2, 4, 4, 8, 0, 8}

// Missing is a missing value: 0 is none, '.' is system-missing, and 'a' to 'z' stand for .a to .z.
type Missing byte

// SystemMissing is the missing value that has no reason.
const SystemMissing Missing = '.'

// missingAt is the missing value that stands in a place after the largest number: "." first, and then .a to .z.
func missingAt(place int64) Missing {
	if place < 1 || place > 26 {
		return SystemMissing
	}
	return Missing('a' + place - 1)
}

// String is the missing value as Stata writes it: ".", ".a"; and "" for none.
func (m Missing) String() string {
	switch m {
	case 0:
		return ""
	case SystemMissing:
		return "."
	}
	return "." + string(rune(m))
}

// The missing values begin where the numbers end. Before format 113 there is one, the largest of its type.
const (
	missingByte   = 101
	missingInt    = 32741
	missingLong   = 2147483621
	missingFloat  = 0x7f000000         // the bits of 2 to the 127th
	missingDouble = 0x7fe0000000000000 // … and of 2 to the 1023rd
	floatStep     = 0x800              // between one and the next
	doubleStep    = 0x10000000000
)

// whole is a whole number that is stored, or a missing value, of which begin is the first.
func whole(n, begin, largest int64, extended bool) (float64, Missing) {
	switch {
	case !extended && n == largest:
		return 0, SystemMissing
	case extended && n >= begin:
		return 0, missingAt(n - begin)
	}
	return float64(n), 0
}

// number reads a number, or a missing value, of a row.
func number(t Type, b []byte, order binary.ByteOrder, extended bool) (float64, Missing) {
	switch t {
	case Byte:
		return whole(int64(int8(b[0])), missingByte, math.MaxInt8, extended)
	case Int:
		return whole(int64(int16(order.Uint16(b))), missingInt, math.MaxInt16, extended)
	case Long:
		return whole(int64(int32(order.Uint32(b))), missingLong, math.MaxInt32, extended)
	case Float:
		bits := order.Uint32(b)
		if bits>>31 == 0 && bits >= missingFloat {
			return 0, fraction(int64(bits-missingFloat), floatStep, extended)
		}
		return finite(float64(math.Float32frombits(bits)))
	}
	bits := order.Uint64(b)
	if bits>>63 == 0 && bits >= missingDouble {
		return 0, fraction(int64(bits-missingDouble), doubleStep, extended)
	}
	return finite(math.Float64frombits(bits))
}

// fraction is the missing value that lies so far behind the first.
func fraction(beyond, step int64, extended bool) Missing {
	if !extended || beyond%step != 0 {
		return SystemMissing // infinite, or no number
	}
	return missingAt(beyond / step)
}

// finite takes what is below all numbers, or none, for missing, which no Stata writes.
func finite(f float64) (float64, Missing) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, SystemMissing
	}
	return f, 0
}

// AppendNumber appends f to dst as the shortest decimal number that reads back as exactly f: digits, with a sign and a
// fraction where needed, never an exponent.
func AppendNumber(dst []byte, f float64) []byte {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return strconv.AppendInt(dst, int64(f), 10)
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}

// appendFloat appends a number that is stored as a float. That has seven digits, so 1.1 is the shortest text that reads
// back as it, and not 1.10000002384185791015625, which it is. Whole numbers have all of their digits.
func appendFloat(dst []byte, f float64) []byte {
	if f == math.Trunc(f) {
		return AppendNumber(dst, f)
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 32)
}

package sav

import (
	"math"
	"strconv"
	"strings"
)

// Value is one value of a variable: a number, a text, or system-missing, which
// is the zero Value. Values are compared with ==.
type Value struct {
	kind   valueKind
	number float64
	text   string
}

type valueKind uint8

const (
	kindMissing valueKind = iota
	kindNumber
	kindText
)

// systemMissing is the number that stands for "no value" in a file, and lowest and highest the ones for open ends of a
// range of missing values. SPSS 21 and later write systemMissing for lowest as well.
const (
	systemMissing = -math.MaxFloat64
	highest       = math.MaxFloat64
)

var lowest = math.Nextafter(systemMissing, 0)

// Number returns a number. NaN and the number that the format reserves for
// system-missing give the system-missing Value.
func Number(f float64) Value {
	if f != f || f == systemMissing {
		return Value{}
	}
	return Value{kind: kindNumber, number: f}
}

// Text returns a text. The format pads texts with spaces, so spaces (and NUL
// bytes) at its end do not count and are dropped.
func Text(s string) Value {
	return Value{kind: kindText, text: strings.TrimRight(s, " \x00")}
}

// SystemMissing reports whether v is the system-missing value.
func (v Value) SystemMissing() bool { return v.kind == kindMissing }

// Float returns the number v is, or false for a text and for system-missing.
func (v Value) Float() (float64, bool) { return v.number, v.kind == kindNumber }

// Text returns the text v is, or false for a number and for system-missing.
func (v Value) Text() (string, bool) { return v.text, v.kind == kindText }

// String returns the text, or the number as [AppendNumber] writes it, or "" for system-missing.
func (v Value) String() string {
	switch v.kind {
	case kindNumber:
		return string(AppendNumber(nil, v.number))
	case kindText:
		return v.text
	}
	return ""
}

// AppendNumber appends f to dst as the shortest decimal number that reads back as exactly f: digits, with a sign and a
// fraction where needed, never an exponent. Infinities, which no SPSS writes, are "Inf" and "-Inf".
func AppendNumber(dst []byte, f float64) []byte {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return strconv.AppendInt(dst, int64(f), 10)
	}
	if math.IsInf(f, 1) {
		return append(dst, "Inf"...)
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}

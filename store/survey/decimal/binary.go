package decimal

import (
	"encoding/binary"
	"errors"
)

// The binary form is a uvarint head, 4 × zigzag(exponent) + 2 × long + negative, and the mantissa: a uvarint, or, if
// long is 1, a uvarint number of digits and the digits. An ordinary weight takes two to five bytes. Each number has
// one form.

// errDamaged is the error of Read.
var errDamaged = errors.New("damaged bytes in place of a decimal number")

// Append appends the binary form of d, which Read reads.
func (d Decimal) Append(b []byte) []byte {
	e := int64(d.exponent)
	head := uint64(e<<1^e>>63) << 2
	if d.negative {
		head |= 1
	}
	if d.long == "" {
		return binary.AppendUvarint(binary.AppendUvarint(b, head), d.mantissa)
	}
	b = binary.AppendUvarint(b, head|2)
	b = binary.AppendUvarint(b, uint64(len(d.long)))
	return append(b, d.long...)
}

// Read reads a number at the beginning of b and tells how many bytes it took. Bytes that Append does not write are an
// error.
func Read(b []byte) (Decimal, int, error) {
	head, n := uvarint(b)
	value, m := uvarint(b[n:])
	if n == 0 || m == 0 || head>>2 > 2*MaxExponent {
		return Decimal{}, 0, errDamaged
	}
	zigzag := int64(head >> 2)
	d := Decimal{exponent: int32(zigzag>>1 ^ -(zigzag & 1)), negative: head&1 != 0}
	n += m
	if head&2 == 0 {
		d.mantissa = value
		if value == 0 && head != 0 || value != 0 && value%10 == 0 {
			return Decimal{}, 0, errDamaged
		}
		return d, n, nil
	}
	if value > MaxExponent || value > uint64(len(b)-n) {
		return Decimal{}, 0, errDamaged
	}
	digits := string(b[n : n+int(value)])
	for i := range len(digits) {
		if digits[i]-'0' > 9 {
			return Decimal{}, 0, errDamaged
		}
	}
	d, reason := canonical(d.negative, digits, int(d.exponent), MaxExponent)
	if reason != "" || digits == "" || d.long != digits {
		return Decimal{}, 0, errDamaged
	}
	return d, n + int(value), nil
}

// uvarint reads a number written in as few bytes as it needs; n is 0 else.
func uvarint(b []byte) (value uint64, n int) {
	value, n = binary.Uvarint(b)
	if n <= 0 || n > 1 && b[n-1] == 0 {
		return 0, 0
	}
	return value, n
}

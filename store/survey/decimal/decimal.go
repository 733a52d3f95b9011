// Package decimal holds decimal numbers exactly as text writes them: weights, which are summed and turned into
// integers of a common unit, and answer values, which are compared.
package decimal

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Decimal is an exact decimal number: a whole number, the mantissa, times a power of ten. It is kept in canonical
// form (no trailing zeros in the mantissa), so equal numbers are equal values and == and map keys work; 1.50, 1.5
// and 15e-1 are one Decimal. The zero value is 0. There is no negative zero.
type Decimal struct {
	long     string // the digits of a mantissa that does not fit mantissa, which is 0 then; "" else
	mantissa uint64
	exponent int32
	negative bool
}

// MaxExponent bounds the exponent of ten, as written and in canonical form, and the number of digits of a mantissa.
// Within it, no number takes unreasonable room or time to work with.
const MaxExponent = 100_000

// Error says why a text is no decimal number.
type Error struct{ Text, Reason string }

func (e *Error) Error() string {
	text := e.Text
	if len(text) > 60 {
		text = strings.ToValidUTF8(text[:60], "") + "…"
	}
	return fmt.Sprintf("%q is no decimal number: %s", text, e.Reason)
}

// Parse reads a number: an optional sign, digits with at most one decimal point among or beside them (2, 2.5, .5, 5.)
// and, only if exponent is set, an exponent of ten (1e-3). White space around it is ignored. Anything else is an
// [*Error]: no digits, a decimal comma, grouping, hexadecimal, NaN and infinity, an exponent beyond ±MaxExponent.
func Parse(s string, exponent bool) (Decimal, error) {
	d, reason := parse(s, exponent, MaxExponent)
	if reason != "" {
		return Decimal{}, &Error{s, reason}
	}
	return d, nil
}

// Reasons for no number.
const (
	empty       = "it is empty"
	notDigits   = "digits with at most one decimal point are expected"
	noExponent  = "an exponent is not allowed here; it must be written out"
	badExponent = "digits are expected after the e of the exponent"
	tooFar      = "an exponent beyond ±100,000 is not supported"
	tooLong     = "more than 100,000 digits are not supported"
)

// parse gives a reason in place of an error, and keeps nothing of s. The limit is that to exponents and digits.
func parse(s string, exponent bool, limit int) (Decimal, string) {
	if s == "" || s[0] <= ' ' || s[len(s)-1] <= ' ' || s[0] >= 0x80 || s[len(s)-1] >= 0x80 {
		if s = strings.TrimSpace(s); s == "" {
			return Decimal{}, empty
		}
	}
	i, negative := 0, false
	if s[0] == '-' || s[0] == '+' {
		i, negative = 1, s[0] == '-'
	}
	start, point := i, -1
	var mantissa uint64 // right if there are at most 19 digits
	for ; i < len(s); i++ {
		if c := s[i] - '0'; c <= 9 {
			mantissa = mantissa*10 + uint64(c)
		} else if s[i] == '.' && point < 0 {
			point = i
		} else {
			break
		}
	}
	digits, power := i-start, 0
	if point >= 0 {
		digits--
		power = point + 1 - i
	}
	if digits == 0 {
		return Decimal{}, notDigits
	}
	if i < len(s) {
		written, reason := parseExponent(s[i:], exponent, limit)
		if reason != "" {
			return Decimal{}, reason
		}
		power += written
	}
	if digits > 19 {
		end := start + digits
		if point >= 0 {
			end++
		}
		return canonical(negative, strings.Replace(s[start:end], ".", "", 1), power, limit)
	}
	return short(negative, mantissa, power, limit)
}

// parseExponent reads what follows the digits.
func parseExponent(s string, allowed bool, limit int) (int, string) {
	if s[0] != 'e' && s[0] != 'E' {
		return 0, notDigits
	}
	s = s[1:]
	negative := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		negative, s = s[0] == '-', s[1:]
	}
	if s == "" {
		return 0, badExponent
	}
	n := 0
	for i := range len(s) {
		c := s[i] - '0'
		if c > 9 {
			return 0, badExponent
		}
		n = min(n*10+int(c), 10*limit)
	}
	switch {
	case !allowed:
		return 0, noExponent
	case n > limit:
		return 0, tooFar
	case negative:
		n = -n
	}
	return n, ""
}

// short brings a small mantissa into canonical form.
func short(negative bool, mantissa uint64, exponent, limit int) (Decimal, string) {
	if mantissa == 0 {
		return Decimal{}, ""
	}
	for mantissa%10 == 0 {
		mantissa /= 10
		exponent++
	}
	if exponent < -limit || exponent > limit {
		return Decimal{}, tooFar
	}
	return Decimal{mantissa: mantissa, exponent: int32(exponent), negative: negative}, ""
}

// canonical brings any digits into canonical form.
func canonical(negative bool, digits string, exponent, limit int) (Decimal, string) {
	digits = strings.TrimLeft(digits, "0")
	n := len(digits)
	digits = strings.TrimRight(digits, "0")
	exponent += n - len(digits)
	if mantissa, err := strconv.ParseUint(digits, 10, 64); err == nil || digits == "" {
		return short(negative, mantissa, exponent, limit)
	}
	switch {
	case len(digits) > limit:
		return Decimal{}, tooLong
	case exponent < -limit || exponent > limit:
		return Decimal{}, tooFar
	}
	return Decimal{long: strings.Clone(digits), exponent: int32(exponent), negative: negative}, ""
}

// FromInt gives n.
func FromInt(n int64) Decimal {
	mantissa := uint64(n)
	if n < 0 {
		mantissa = -mantissa
	}
	d, _ := short(n < 0, mantissa, 0, MaxExponent)
	return d
}

// FromUnits gives n × 10^-k; k is at most MaxExponent on either side of 0.
func FromUnits(n int64, k int) Decimal {
	d := FromInt(n)
	if n != 0 {
		d.exponent -= int32(k)
	}
	return d
}

// FromFloat gives the shortest decimal that reads back as f: 0.1 for 0.1, not 0.1000000000000000055…. NaN and
// infinities are an [*Error].
func FromFloat(f float64) (Decimal, error) {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return FromInt(int64(f)), nil
	}
	var text [32]byte
	d, reason := parse(string(strconv.AppendFloat(text[:0], f, 'e', -1, 64)), true, MaxExponent)
	if reason != "" {
		return Decimal{}, &Error{strconv.FormatFloat(f, 'g', -1, 64), "a finite number is expected"}
	}
	return d, nil
}

// Sign gives -1, 0 or 1.
func (d Decimal) Sign() int {
	switch {
	case d.IsZero():
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// IsZero tells whether d is 0.
func (d Decimal) IsZero() bool { return d.mantissa == 0 && d.long == "" }

// Cmp gives -1, 0 or 1 as d is smaller than, equal to or larger than e.
func (d Decimal) Cmp(e Decimal) int {
	if a, b := d.Sign(), e.Sign(); a != b || a == 0 {
		return cmp.Compare(a, b)
	}
	order := d.compareSize(e)
	if d.negative {
		return -order
	}
	return order
}

// compareSize compares what is not zero, without signs.
func (d Decimal) compareSize(e Decimal) int {
	if d.exponent == e.exponent && d.long == "" && e.long == "" {
		return cmp.Compare(d.mantissa, e.mantissa)
	}
	if order := cmp.Compare(d.order(), e.order()); order != 0 {
		return order
	}
	// Both are 0.digits times one power of ten.
	var room, roomToo [20]byte
	return bytes.Compare(d.digits(room[:0]), e.digits(roomToo[:0]))
}

// order gives the n with 10^(n-1) ≤ |d| < 10^n, of what is not zero.
func (d Decimal) order() int {
	n := len(d.long)
	if n == 0 {
		for n = 1; n < len(tens) && d.mantissa >= tens[n]; n++ {
		}
	}
	return n + int(d.exponent)
}

// digits appends the digits of the mantissa.
func (d Decimal) digits(b []byte) []byte {
	if d.long != "" {
		return append(b, d.long...)
	}
	return strconv.AppendUint(b, d.mantissa, 10)
}

// Decimals gives the number of digits after the decimal point: 2 for 1.25, 0 for 7. It is negative for the zeros
// that a whole number ends with, -2 for 1200, and 0 for 0.
func (d Decimal) Decimals() int { return -int(d.exponent) }

// tens holds the powers of ten that fit.
var tens = func() (t [20]uint64) {
	t[0] = 1
	for i := 1; i < len(t); i++ {
		t[i] = 10 * t[i-1]
	}
	return t
}()

// Scaled gives d × 10^k, rounded half away from zero, and whether that fits.
func (d Decimal) Scaled(k int) (int64, bool) {
	if d.IsZero() {
		return 0, true
	}
	const far = 4 * MaxExponent
	size, ok := d.scaledSize(int(d.exponent) + max(-far, min(k, far)))
	switch {
	case !ok:
		return 0, false
	case !d.negative:
		return int64(size), size <= math.MaxInt64
	}
	return -int64(size), size <= 1<<63
}

// scaledSize gives mantissa × 10^shift, rounded.
func (d Decimal) scaledSize(shift int) (uint64, bool) {
	if d.long != "" {
		whole := len(d.long) + shift
		switch {
		case whole < 0:
			return 0, true
		case whole > 20:
			return 0, false
		}
		padded := d.long + strings.Repeat("0", max(0, shift))
		size, err := strconv.ParseUint("0"+padded[:whole], 10, 64)
		if err != nil {
			return 0, false
		}
		if shift < 0 && padded[whole] >= '5' {
			size++
		}
		return size, whole == 0 || size != 0
	}
	switch {
	case shift >= len(tens) || shift <= -len(tens):
		return 0, shift < 0 // 2^64 / 10^20 is less than a half
	case shift >= 0:
		high, low := bits.Mul64(d.mantissa, tens[shift])
		return low, high == 0
	}
	unit := tens[-shift]
	size, rest := d.mantissa/unit, d.mantissa%unit
	if rest >= unit-rest {
		size++
	}
	return size, true
}

// String gives the number in plain notation (1200, 0.025) where that takes few zeros, else with an exponent (12e30).
// Parse, with exponents, reads it back as d.
func (d Decimal) String() string { return string(d.append(nil, zeros)) }

// Plain gives the number in plain notation, however many zeros it takes. Parse, without exponents, reads it back as d.
func (d Decimal) Plain() string { return string(d.append(nil, MaxExponent)) }

// zeros is the most that String pads a number with.
const zeros = 21

// append appends the number, with an exponent if it would be padded with more than so many zeros.
func (d Decimal) append(b []byte, zeros int) []byte {
	if d.negative {
		b = append(b, '-')
	}
	start := len(b)
	b = d.digits(b)
	n := len(b) - start
	switch exponent := int(d.exponent); {
	case exponent > zeros || -exponent-n > zeros:
		b = append(b, 'e')
		return strconv.AppendInt(b, int64(exponent), 10)
	case exponent >= 0:
		for range exponent {
			b = append(b, '0')
		}
		return b
	case exponent <= -n:
		digits := string(b[start:])
		b = append(b[:start], "0."...)
		for range -exponent - n {
			b = append(b, '0')
		}
		return append(b, digits...)
	default:
		b = append(b, 0)
		point := len(b) - 1 + exponent
		copy(b[point+1:], b[point:])
		b[point] = '.'
		return b
	}
}

// Float64 gives the nearest float64; ±Inf if d is out of its range.
func (d Decimal) Float64() float64 {
	const exact = 22 // powers of ten up to here are float64s
	if d.long == "" && d.mantissa <= 1<<53 && -exact <= d.exponent && d.exponent <= exact {
		f := float64(d.mantissa)
		if d.negative {
			f = -f
		}
		if d.exponent < 0 {
			return f / powers[-d.exponent] // of two exact numbers, so rounded once
		}
		return f * powers[d.exponent]
	}
	var room [48]byte
	f, _ := strconv.ParseFloat(string(d.append(room[:0], zeros)), 64)
	return f
}

var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

package sss

import (
	"cmp"
	"strconv"
	"strings"
	"time"
)

// maxExponent bounds how far "1E5" is written out as plain digits.
const maxExponent = 100

// blanks are the characters that pad a field: exporters use spaces, seldom tabs, and C programs NUL.
const blanks = " \t\x00"

// clean takes off the white space of XML. Other blanks, such as those that don't break, are part of a text.
func clean(s string) string { return strings.Trim(s, " \t\r\n") }

func trim(s string) string { return strings.Trim(s, blanks) }

func trimRight(s string) string { return strings.TrimRight(s, blanks) }

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// number returns the canonical text of a decimal number: a minus only before something other than zero, no leading
// zeros, at least one digit before the point, and the decimals exactly as they were. "+07.50" is "7.50", ".5" is "0.5",
// "-0" is "0".
func number(s string) (string, bool) {
	s = trim(s)
	sign, rest := "", s
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		if rest[0] == '-' {
			sign = "-"
		}
		rest = rest[1:]
	}
	if i := strings.IndexAny(rest, "eE"); i >= 0 {
		var ok bool
		if rest, ok = shift(rest[:i], rest[i+1:]); !ok {
			return "", false
		}
	}
	whole, fraction, point := strings.Cut(rest, ".")
	if whole == "" && fraction == "" || whole != "" && !digits(whole) || fraction != "" && !digits(fraction) {
		return "", false
	}
	if sign != "" && strings.Trim(rest, "0.") == "" {
		sign = ""
	}
	zeros := len(whole) - max(1, len(strings.TrimLeft(whole, "0")))
	switch {
	case whole == "":
		return sign + "0." + fraction, true
	case point && fraction == "":
		return sign + whole[zeros:], true
	case sign == "":
		return rest[zeros:], true // a part of s: the usual case costs no memory
	case zeros == 0 && s[1:] == rest:
		return s, true
	}
	return sign + rest[zeros:], true
}

// shift writes a mantissa without sign and its power of ten as plain digits.
func shift(mantissa, exponent string) (string, bool) {
	e, err := strconv.Atoi(exponent)
	if err != nil || e < -maxExponent || e > maxExponent {
		return "", false
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole+fraction == "" || !digits(whole+fraction) {
		return "", false
	}
	if e >= 0 {
		if len(fraction) < e {
			fraction += strings.Repeat("0", e-len(fraction))
		}
		whole, fraction = whole+fraction[:e], fraction[e:]
	} else {
		if len(whole) < -e {
			whole = strings.Repeat("0", -e-len(whole)) + whole
		}
		cut := len(whole) + e
		whole, fraction = whole[:cut], whole[cut:]+fraction
	}
	if fraction == "" {
		return whole, true
	}
	return whole + "." + fraction, true
}

// compare orders two numbers in canonical form by value, so that 1.5 and 1.50 are equal.
func compare(a, b string) int {
	an, bn := strings.HasPrefix(a, "-"), strings.HasPrefix(b, "-")
	switch {
	case an && bn:
		return magnitude(b[1:], a[1:])
	case an:
		return -1
	case bn:
		return 1
	}
	return magnitude(a, b)
}

func magnitude(a, b string) int {
	aw, af, _ := strings.Cut(a, ".")
	bw, bf, _ := strings.Cut(b, ".")
	return cmp.Or(len(aw)-len(bw), strings.Compare(aw, bw),
		strings.Compare(strings.TrimRight(af, "0"), strings.TrimRight(bf, "0")))
}

// value strips the decimals of a canonical number that don't change its value, so that equal numbers are equal text.
func value(n string) string {
	if !strings.Contains(n, ".") {
		return n
	}
	return strings.TrimSuffix(strings.TrimRight(n, "0"), ".")
}

// wholeNumber is number for codes: the canonical text of an integer. "07" and "7.0" are "7".
func wholeNumber(s string) (string, bool) {
	if digits(s) && (s[0] != '0' || len(s) == 1) {
		return s, true
	}
	n, ok := number(s)
	if !ok {
		return "", false
	}
	if n = value(n); strings.Contains(n, ".") {
		return "", false
	}
	return n, true
}

// date returns a date as eight digits, YYYYMMDD. It takes these and the same with hyphens.
func date(s string) (string, bool) {
	s = trim(s)
	if len(s) == 10 && s[4] == '-' && s[7] == '-' {
		s = s[:4] + s[5:7] + s[8:]
	}
	day, err := time.Parse("20060102", s)
	return s, err == nil && day.Year() > 0
}

// clock returns a time of day as six digits, HHMMSS. It takes these, with or without colons, a time without seconds,
// and one whose leading zero is lost.
func clock(s string) (string, bool) {
	s = trim(s)
	if strings.Contains(s, ":") {
		if len(s) != 5 && len(s) != 8 || s[2] != ':' || len(s) == 8 && s[5] != ':' {
			return "", false
		}
		s = strings.ReplaceAll(s, ":", "")
	}
	switch len(s) {
	case 4:
		s += "00"
	case 5:
		s = "0" + s
	}
	return s, len(s) == 6 && digits(s) && s[:2] < "24" && s[2:4] < "60" && s[4:] < "60"
}

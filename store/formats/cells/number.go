package cells

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Kind is what a cell format makes of a number.
type Kind uint8

// The kinds.
const (
	Plain     Kind = iota // a number
	Date                  // a day
	Time                  // a time of day
	DateTime              // both
	Duration              // hours that may be more than 24
	DayOrTime             // a day in Japan and a time in China
)

// Epoch is the day that is 0 in a workbook, in days since 1 January 1970.
type Epoch int

// The epochs there are.
const (
	From1900 Epoch = -25569
	From1904 Epoch = -24107
)

const (
	lastDay    = 2958465 // 31 December 9999, counted from From1900
	mostDigits = 15      // that Excel shows
)

// BuiltinKind is the kind of a format that has a number and no code: ECMA-376, part 1, 18.8.30.
func BuiltinKind(n int) Kind {
	switch {
	case n >= 14 && n <= 17, n >= 27 && n <= 31, n == 36, n >= 50 && n <= 54, n == 57, n == 58:
		return Date
	case n >= 18 && n <= 21, n == 32, n == 33, n == 45, n == 47:
		return Time
	case n == 34, n == 35, n == 55, n == 56:
		return DayOrTime
	case n == 22:
		return DateTime
	case n == 46:
		return Duration
	}
	return Plain
}

// KindOf reads a format code such as yyyy-mm-dd, the part of it that is for numbers above 0.
func KindOf(code string) Kind {
	var days, hours, months bool
	for i := 0; i < len(code); i++ {
		switch c := code[i]; c {
		case ';':
			i = len(code)
		case '"':
			i += 1 + max(0, strings.IndexByte(code[i+1:], '"'))
		case '\\', '_', '*':
			i++
		case '[':
			end := strings.IndexByte(code[i:], ']')
			if end < 0 {
				return Plain
			}
			if inside := strings.ToLower(code[i+1 : i+end]); inside != "" && strings.Trim(inside, inside[:1]) == "" &&
				strings.Contains("hms", inside[:1]) {
				return Duration
			}
			i += end
		case 'y', 'Y', 'd', 'D':
			days = true
		case 'h', 'H', 's', 'S':
			hours = true
		case 'm', 'M':
			months = true
		case 'a', 'A':
			for _, half := range []string{"am/pm", "a/p"} {
				if len(code)-i >= len(half) && strings.EqualFold(code[i:i+len(half)], half) {
					i += len(half) - 1
					hours = true
					break
				}
			}
		case 'G', 'g':
			if len(code)-i >= 7 && strings.EqualFold(code[i:i+7], "General") {
				i += 6
			}
		}
	}
	switch {
	case days && hours:
		return DateTime
	case hours:
		return Time
	case days || months:
		return Date
	}
	return Plain
}

// AppendText appends a number that stands as text, as AppendNumber does. ok is false if the text is no number.
func AppendText(dst, text []byte, k Kind, epoch Epoch) (_ []byte, ok bool) {
	if k == Plain && isShortWhole(text) {
		return append(dst, text...), true
	}
	n, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return dst, false
	}
	return AppendNumber(dst, n, k, epoch)
}

// AppendNumber appends a number as its format shows it: with 15 digits, as Excel does, or as a date or a time. ok is
// false if it is infinite or no number.
func AppendNumber(dst []byte, n float64, k Kind, epoch Epoch) (_ []byte, ok bool) {
	switch {
	case math.IsInf(n, 0) || math.IsNaN(n):
		return dst, false
	case k == Duration && n >= 0 && n < lastDay:
		seconds := int64(math.Round(n * 86400))
		return fmt.Appendf(dst, "%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60), true
	case k == DayOrTime && n >= 1 && n == math.Trunc(n) && n < lastDay+1:
		return appendDate(dst, n, Date, epoch), true
	case k == DayOrTime && n >= 0 && n < lastDay+1:
		return appendDate(dst, n, Time, epoch), true
	case k != Plain && n >= 0 && n < lastDay+1:
		return appendDate(dst, n, k, epoch), true
	case n >= 1 && n < 1e15 && n == math.Trunc(n):
		return strconv.AppendInt(dst, int64(n), 10), true
	}
	short := strconv.FormatFloat(n, 'g', mostDigits, 64)
	rounded, err := strconv.ParseFloat(short, 64)
	if err != nil {
		return dst, false
	}
	if size := math.Abs(rounded); size != 0 && (size < 1e-9 || size >= 1e21) {
		return strconv.AppendFloat(dst, rounded, 'g', -1, 64), true
	}
	return strconv.AppendFloat(dst, rounded, 'f', -1, 64), true
}

// isShortWhole tells whether a text is a whole number that is written as it is shown.
func isShortWhole(text []byte) bool {
	if len(text) == 0 || len(text) > mostDigits || text[0] == '0' && len(text) > 1 {
		return false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// appendDate appends days since an epoch as a date or a time.
func appendDate(dst []byte, n float64, k Kind, epoch Epoch) []byte {
	day := math.Floor(n)
	seconds := int64(math.Round((n - day) * 86400))
	if seconds == 86400 {
		day, seconds = day+1, 0
	}
	if k != Time {
		if epoch == From1900 && day < 60 {
			day++ // 29 February 1900, which did not exist, is day 60
		}
		dst = time.Unix((int64(day)+int64(epoch))*86400, 0).UTC().AppendFormat(dst, "2006-01-02")
	}
	if k == DateTime {
		dst = append(dst, ' ')
	}
	if k != Date {
		dst = fmt.Appendf(dst, "%02d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	}
	return dst
}

package xlsx

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// kind is what a cell format makes of a number.
type kind uint8

const (
	plain    kind = iota
	dateOnly      // a day
	timeOnly      // a time of day
	dateTime      // both
	duration      // hours that may be more than 24
)

const (
	mostFormats = 1 << 16
	epoch1900   = -25569 // day 0, counted from 1 January 1970
	epoch1904   = -24107
	lastDay     = 2958465 // 31 December 9999, counted from epoch1900
)

// readKinds reads of each cell format what it makes of a number.
func readKinds(f *zip.File) ([]kind, error) {
	custom := map[string]kind{}
	var list []kind
	err := elements(f, func(around string, e xml.StartElement) error {
		switch {
		case e.Name.Local == "numFmt" && around == "numFmts":
			custom[attribute(&e, "numFmtId")] = kindOf(attribute(&e, "formatCode"))
		case e.Name.Local == "xf" && around == "cellXfs":
			id := attribute(&e, "numFmtId")
			k, there := custom[id]
			if !there {
				k = builtin(id)
			}
			list = append(list, k)
		}
		if max(len(list), len(custom)) > mostFormats {
			return &Error{Part: f.Name, Reason: "it has too many formats"}
		}
		return nil
	})
	return list, err
}

// builtin is the kind of a format that has a number and no code: ECMA-376, part 1, 18.8.30.
func builtin(id string) kind {
	n, err := strconv.Atoi(id)
	switch {
	case err != nil:
		return plain
	case n >= 14 && n <= 17, n >= 27 && n <= 31, n == 36, n >= 50 && n <= 54, n == 57, n == 58:
		return dateOnly
	case n >= 18 && n <= 21, n >= 32 && n <= 35, n == 45, n == 47, n == 55, n == 56:
		return timeOnly
	case n == 22:
		return dateTime
	case n == 46:
		return duration
	}
	return plain
}

// kindOf reads a format code such as yyyy-mm-dd, the part of it that is for numbers above 0.
func kindOf(code string) kind {
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
				return plain
			}
			if inside := strings.ToLower(code[i+1 : i+end]); inside != "" && strings.Trim(inside, inside[:1]) == "" &&
				strings.Contains("hms", inside[:1]) {
				return duration
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
		return dateTime
	case hours:
		return timeOnly
	case days || months:
		return dateOnly
	}
	return plain
}

// appendNumber appends a number as its format shows it: with 15 digits, as Excel does, or as a date or a time. ok is
// false if the text is no number.
func appendNumber(dst, text []byte, k kind, epoch int) (_ []byte, ok bool) {
	if k == plain && isShortWhole(text) {
		return append(dst, text...), true
	}
	n, err := strconv.ParseFloat(string(text), 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
		return dst, false
	}
	if k == duration && n >= 0 && n < lastDay {
		seconds := int64(math.Round(n * 86400))
		return fmt.Appendf(dst, "%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60), true
	}
	if k != plain && n >= 0 && n < lastDay+1 {
		return appendDate(dst, n, k, epoch), true
	}
	short := strconv.FormatFloat(n, 'g', 15, 64)
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
	if len(text) == 0 || len(text) > 15 || text[0] == '0' && len(text) > 1 {
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
func appendDate(dst []byte, n float64, k kind, epoch int) []byte {
	day := math.Floor(n)
	seconds := int64(math.Round((n - day) * 86400))
	if seconds == 86400 {
		day, seconds = day+1, 0
	}
	if k != timeOnly {
		if epoch == epoch1900 && day < 60 {
			day++ // 29 February 1900, which did not exist, is day 60
		}
		dst = time.Unix((int64(day)+int64(epoch))*86400, 0).UTC().AppendFormat(dst, "2006-01-02")
	}
	if k == dateTime {
		dst = append(dst, ' ')
	}
	if k != dateOnly {
		dst = fmt.Appendf(dst, "%02d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	}
	return dst
}

package sav

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Format is how SPSS shows or writes the values of a variable, such as F8.2.
type Format struct {
	Type     FormatType
	Width    int // characters
	Decimals int // digits after the decimal point
}

// FormatType is the letter code of a format, numbered as in the files.
type FormatType uint8

// The format types. Those whose class is a date, a date and time, or a duration are numbers of seconds.
const (
	FormatA        FormatType = 1
	FormatAHEX     FormatType = 2
	FormatCOMMA    FormatType = 3
	FormatDOLLAR   FormatType = 4
	FormatF        FormatType = 5
	FormatIB       FormatType = 6
	FormatPIBHEX   FormatType = 7
	FormatP        FormatType = 8
	FormatPIB      FormatType = 9
	FormatPK       FormatType = 10
	FormatRB       FormatType = 11
	FormatRBHEX    FormatType = 12
	FormatZ        FormatType = 15
	FormatN        FormatType = 16
	FormatE        FormatType = 17
	FormatDATE     FormatType = 20
	FormatTIME     FormatType = 21
	FormatDATETIME FormatType = 22
	FormatADATE    FormatType = 23
	FormatJDATE    FormatType = 24
	FormatDTIME    FormatType = 25
	FormatWKDAY    FormatType = 26
	FormatMONTH    FormatType = 27
	FormatMOYR     FormatType = 28
	FormatQYR      FormatType = 29
	FormatWKYR     FormatType = 30
	FormatPCT      FormatType = 31
	FormatDOT      FormatType = 32
	FormatCCA      FormatType = 33
	FormatCCB      FormatType = 34
	FormatCCC      FormatType = 35
	FormatCCD      FormatType = 36
	FormatCCE      FormatType = 37
	FormatEDATE    FormatType = 38
	FormatSDATE    FormatType = 39
	FormatMTIME    FormatType = 40
	FormatYMDHMS   FormatType = 41
)

var formatNames = [...]string{
	1: "A", 2: "AHEX", 3: "COMMA", 4: "DOLLAR", 5: "F", 6: "IB", 7: "PIBHEX", 8: "P", 9: "PIB", 10: "PK",
	11: "RB", 12: "RBHEX", 15: "Z", 16: "N", 17: "E", 20: "DATE", 21: "TIME", 22: "DATETIME", 23: "ADATE",
	24: "JDATE", 25: "DTIME", 26: "WKDAY", 27: "MONTH", 28: "MOYR", 29: "QYR", 30: "WKYR", 31: "PCT", 32: "DOT",
	33: "CCA", 34: "CCB", 35: "CCC", 36: "CCD", 37: "CCE", 38: "EDATE", 39: "SDATE", 40: "MTIME", 41: "YMDHMS",
}

// String returns the letter code, or "?" with the number for one that the format does not define.
func (t FormatType) String() string {
	if t.known() {
		return formatNames[t]
	}
	return "?" + strconv.Itoa(int(t))
}

func (t FormatType) known() bool { return int(t) < len(formatNames) && formatNames[t] != "" }

// Class is what the values under a format mean.
type Class uint8

// The classes.
const (
	ClassNumber   Class = iota // a number
	ClassText                  // a text
	ClassDate                  // seconds since the start of 14 October 1582, of which the day is shown
	ClassMonth                 // likewise, of which month and year are shown
	ClassDateTime              // likewise, with the time of day
	ClassDuration              // seconds: a time of day or a length of time
)

// Class returns what values shown with t mean.
func (t FormatType) Class() Class {
	switch t {
	case FormatA, FormatAHEX:
		return ClassText
	case FormatDATE, FormatADATE, FormatJDATE, FormatEDATE, FormatSDATE, FormatQYR, FormatWKYR:
		return ClassDate
	case FormatMOYR:
		return ClassMonth
	case FormatDATETIME, FormatYMDHMS:
		return ClassDateTime
	case FormatTIME, FormatDTIME, FormatMTIME:
		return ClassDuration
	}
	return ClassNumber
}

// String returns the format as SPSS writes it: F8.2, A20, DATETIME20.
func (f Format) String() string {
	if f.Decimals == 0 && !f.Type.showsDecimals() {
		return fmt.Sprintf("%v%d", f.Type, f.Width)
	}
	return fmt.Sprintf("%v%d.%d", f.Type, f.Width, f.Decimals)
}

// showsDecimals reports whether SPSS writes the decimals of t even when 0.
func (t FormatType) showsDecimals() bool {
	switch t {
	case FormatPIBHEX, FormatRBHEX, FormatWKDAY, FormatMONTH:
		return false
	}
	return t.Class() == ClassNumber
}

// formatLimits are the widths SPSS takes for the formats of numbers, and how many characters of them it needs besides
// the decimals, which are at most 16. room 0 is for formats without decimals.
var formatLimits = map[FormatType]struct{ min, max, room int }{
	FormatF: {1, 40, 1}, FormatCOMMA: {1, 40, 1}, FormatDOT: {1, 40, 1}, FormatDOLLAR: {2, 40, 2}, FormatPCT: {2, 40, 2},
	FormatCCA: {2, 40, 5}, FormatCCB: {2, 40, 5}, FormatCCC: {2, 40, 5}, FormatCCD: {2, 40, 5}, FormatCCE: {2, 40, 5},
	FormatE: {6, 40, 7}, FormatZ: {1, 40, 1}, FormatN: {1, 40, 1},
	FormatIB: {1, 8, 1}, FormatPIB: {1, 8, 1}, FormatP: {1, 16, 1}, FormatPK: {1, 16, 1}, FormatRB: {2, 8, 1},
	FormatPIBHEX: {2, 16, 0}, FormatRBHEX: {4, 16, 0},
	FormatDATE: {9, 40, 0}, FormatADATE: {8, 40, 0}, FormatEDATE: {8, 40, 0}, FormatSDATE: {8, 40, 0},
	FormatJDATE: {5, 40, 0},
	FormatQYR:   {6, 40, 0}, FormatMOYR: {6, 40, 0}, FormatWKYR: {8, 40, 0}, FormatWKDAY: {2, 40, 0},
	FormatMONTH: {3, 40, 0},
	FormatTIME:  {5, 40, 9}, FormatMTIME: {5, 40, 6}, FormatDTIME: {8, 40, 12}, FormatDATETIME: {17, 40, 21},
	FormatYMDHMS: {16, 40, 20},
}

// fits reports whether f is a format that SPSS takes for a variable.
func (f Format) fits(width int) bool {
	if width > 0 {
		return f.Decimals == 0 && (f.Type == FormatA && f.Width == width || f.Type == FormatAHEX && f.Width == 2*width)
	}
	limits, ok := formatLimits[f.Type]
	if !ok || f.Width < limits.min || f.Width > limits.max {
		return false
	}
	return f.Decimals == 0 || limits.room > 0 && f.Decimals > 0 && f.Decimals <= min(16, f.Width-limits.room)
}

// epoch is the start of 14 October 1582, from which SPSS counts, in Unix
// seconds; lastSecond is how far a year of four digits reaches from there.
const (
	epoch      = -12219379200
	lastSecond = 253402300799 - epoch
)

// ISO returns a number as the text of ISO 8601 that f makes of it: 2026-03-31 for dates (also those f would show as a
// quarter or a week, for which there is no such text), 2026-03 for months, 2026-03-31T17:45:00 for dates with time,
// 17:45:00 for times, whose hours may go beyond 24 and which may be negative. Fractions of a second are kept where they
// are not zero. It returns false for formats of other classes and for dates outside the years 1582 to 9999.
func (f Format) ISO(seconds float64) (string, bool) {
	switch f.Type.Class() {
	case ClassDate:
		return isoDate(seconds, time.DateOnly, false)
	case ClassMonth:
		return isoDate(seconds, "2006-01", false)
	case ClassDateTime:
		return isoDate(seconds, "2006-01-02T15:04:05", true)
	case ClassDuration:
		return isoDuration(seconds)
	}
	return "", false
}

func isoDate(seconds float64, layout string, fraction bool) (string, bool) {
	if !(seconds >= 0 && seconds < lastSecond+1) {
		return "", false
	}
	whole, rest, ok := splitSeconds(seconds)
	if !ok {
		return "", false
	}
	text := time.Unix(whole+epoch, 0).UTC().Format(layout)
	if fraction {
		text += rest
	}
	return text, true
}

func isoDuration(seconds float64) (string, bool) {
	sign := ""
	if seconds < 0 {
		sign, seconds = "-", -seconds
	}
	whole, rest, ok := splitSeconds(seconds)
	if !ok {
		return "", false
	}
	return fmt.Sprintf("%s%02d:%02d:%02d%s", sign, whole/3600, whole/60%60, whole%60, rest), true
}

// splitSeconds cuts seconds at the decimal point of its shortest text, so that
// 36610.3 has the fraction ".3" and not what is left by a subtraction.
func splitSeconds(seconds float64) (whole int64, fraction string, ok bool) {
	if !(seconds < 1e15) {
		return 0, "", false
	}
	text := string(AppendNumber(nil, seconds))
	digits, rest, _ := strings.Cut(text, ".")
	whole, err := strconv.ParseInt(digits, 10, 64)
	if rest != "" {
		rest = "." + rest
	}
	return whole, rest, err == nil
}

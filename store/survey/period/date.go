package period

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Order is whether the day or the month comes first where both are numbers: 03/04/2024 is 3 April or March 4.
type Order string

// The orders. The zero value does not say.
const (
	DayFirst   Order = "day-first"
	MonthFirst Order = "month-first"
)

// Known tells whether o is one of the orders or says nothing.
func (o Order) Known() bool { return o == "" || o == DayFirst || o == MonthFirst }

// Date is a date as a text has it: a day, or two where the text does not say what comes first.
type Date struct {
	Year          int16
	First, Second int8 // day and month, in the order of the text if Free; First is 0 of a month without a day
	Free          bool // the form of the text has no order of its own
	Compact       bool // it is eight digits, which may be any number
}

// Day is a day of the Gregorian calendar, or a month.
type Day struct{ Year, Month, Day int } // Day is 0 of a month

// Tells is the order that is the only one in which d is a date; "" if there is none, or both are.
func (d Date) Tells() Order {
	switch {
	case !d.Free:
		return ""
	case d.First > 12:
		return DayFirst
	case d.Second > 12:
		return MonthFirst
	}
	return ""
}

// Undecided tells whether d is another day in the other order.
func (d Date) Undecided() bool { return d.Free && d.Tells() == "" && d.First != d.Second }

// Day is the day that a date is in an order; false if it is none in that, or if it has two and order is "".
func (d Date) Day(order Order) (Day, bool) {
	if d.Free && order == "" {
		if order = d.Tells(); d.Undecided() {
			return Day{}, false
		}
	}
	day := Day{int(d.Year), int(d.Second), int(d.First)}
	if d.Free && order == MonthFirst {
		day.Month, day.Day = day.Day, day.Month
	}
	return day, day.sound()
}

// lastYear is the last year that is written in four digits: dates of later ones would not sort as texts.
const lastYear = 9999

// sound tells whether there is such a day or month.
func (d Day) sound() bool {
	return d.Year >= 1 && d.Year <= lastYear && d.Month >= 1 && d.Month <= 12 &&
		d.Day >= 0 && d.Day <= daysIn(d.Year, d.Month)
}

// Compare is negative if d is before e, positive if it is after it. A month is before its days.
func (d Day) Compare(e Day) int {
	return cmp.Or(cmp.Compare(d.Year, e.Year), cmp.Compare(d.Month, e.Month), cmp.Compare(d.Day, e.Day))
}

// Since is the number of days from an earlier day to d, months beginning on their first.
func (d Day) Since(e Day) int { return d.number() - e.number() }

// number counts days, so that those of two days differ by the days between them.
func (d Day) number() int {
	return int(time.Date(d.Year, time.Month(d.Month), max(1, d.Day), 0, 0, 0, 0, time.UTC).Unix() / (24 * 60 * 60))
}

func daysIn(year, month int) int {
	switch {
	case month == 2 && (year%4 == 0 && year%100 != 0 || year%400 == 0):
		return 29
	case month == 2:
		return 28
	case month == 4 || month == 6 || month == 9 || month == 11:
		return 30
	}
	return 31
}

// Read reads a date, behind which a time of day may follow, with a zone or without; that is not looked at: the day is
// the one that is written. Forms are 2024-12-31, 2024/12/31, 2024.12.31, 20241231, 31.12.2024, 31.12.24, 31-Dec-2024,
// 31 December 2024, Dec 31, 2024 and 2024-12 for a month; and 12/31/2024, 31/12/24 and 31-12-2024 in either order. Two
// digits are the years 1969 to 2068. It is false for any other text, and for what is no day in the calendar.
func Read(text string) (Date, bool) {
	s := &reader{rest: strings.TrimSpace(text)}
	d, ok := s.date()
	if !ok || !s.end() {
		return Date{}, false
	}
	if d.Free {
		_, ok = d.Day(DayFirst)
		_, other := d.Day(MonthFirst)
		return d, (ok || other) && d.First > 0 && d.Second > 0
	}
	_, ok = d.Day("")
	return d, ok
}

// reader takes a text apart from the front.
type reader struct{ rest string }

// number takes digits: how many there are, at most eight, and what they say.
func (s *reader) number() (n, digits int) {
	for digits < len(s.rest) && digits <= 8 && s.rest[digits]-'0' <= 9 {
		n = 10*n + int(s.rest[digits]-'0')
		digits++
	}
	s.rest = s.rest[digits:]
	return n, digits
}

// separator takes one of some characters; 0 if none of them comes.
func (s *reader) separator(among string) byte {
	if s.rest == "" || strings.IndexByte(among, s.rest[0]) < 0 {
		return 0
	}
	c := s.rest[0]
	s.rest = s.rest[1:]
	return c
}

var monthNames = [...]string{"January", "February", "March", "April", "May", "June", "July", "August", "September",
	"October", "November", "December"}

// month takes the English name of a month, or its beginning of three letters or more; 0 if none comes.
func (s *reader) month() int {
	n := 0
	for n < len(s.rest) && (s.rest[n]|0x20) >= 'a' && (s.rest[n]|0x20) <= 'z' {
		n++
	}
	if n < 3 {
		return 0
	}
	for i, name := range monthNames {
		if n <= len(name) && strings.EqualFold(name[:n], s.rest[:n]) {
			s.rest = s.rest[n:]
			return i + 1
		}
	}
	return 0
}

// date takes a date, whose parts may be none of the calendar.
func (s *reader) date() (Date, bool) {
	n, digits := s.number()
	switch digits {
	case 0:
		return s.monthFirst()
	case 1, 2:
		return s.dayOrMonth(n)
	case 4:
		return s.yearFirst(n)
	case 8:
		return Date{Year: int16(n / 10000), Second: int8(n / 100 % 100), First: int8(n % 100), Compact: true},
			n%100 > 0 && s.rest == "" && n >= 1900_00_00 && n < 2200_00_00
	}
	return Date{}, false
}

// yearFirst takes what follows a year.
func (s *reader) yearFirst(year int) (Date, bool) {
	between := s.separator("-/.")
	spaced := between == '.' && s.separator(" ") != 0 // as Koreans write 2024. 12. 31
	month, digits := s.number()
	if between == 0 || digits < 1 || digits > 2 {
		return Date{}, false
	}
	if s.rest == "" && between == '-' && digits == 2 {
		return Date{Year: int16(year), Second: int8(month)}, true
	}
	if s.separator(string(between)) == 0 {
		return Date{}, false
	}
	if spaced {
		s.separator(" ")
	}
	day, digits := s.number()
	return Date{Year: int16(year), Second: int8(month), First: int8(min(day, 99))}, digits >= 1 && digits <= 2 && day > 0
}

// dayOrMonth takes what follows a number of one or two digits.
func (s *reader) dayOrMonth(first int) (Date, bool) {
	between := s.separator("/-. ")
	if between == '.' {
		s.separator(" ")
	}
	if month := s.month(); month > 0 {
		if between != '.' && s.separator(string(between)) == 0 || between == '.' && s.separator(" ") == 0 {
			return Date{}, false
		}
		year, digits := s.number()
		return Date{Year: int16(min(year, 9999)), Second: int8(month), First: int8(first)}, digits == 4 && first > 0 &&
			between != '/'
	}
	second, digits := s.number()
	if between == 0 || between == ' ' || digits < 1 || digits > 2 || s.separator(string(between)) == 0 {
		return Date{}, false
	}
	year, digits := s.number()
	switch {
	case digits == 2 && between != '-' && year < 69:
		year += 2000
	case digits == 2 && between != '-':
		year += 1900
	case digits != 4:
		return Date{}, false
	}
	return Date{Year: int16(year), First: int8(first), Second: int8(second), Free: between != '.'}, first > 0
}

// monthFirst takes a date that begins with the name of a month.
func (s *reader) monthFirst() (Date, bool) {
	month := s.month()
	if month == 0 || s.separator(" ") == 0 {
		return Date{}, false
	}
	day, digits := s.number()
	if digits < 1 || digits > 2 || day == 0 {
		return Date{}, false
	}
	s.separator(",")
	if s.separator(" ") == 0 {
		return Date{}, false
	}
	year, digits := s.number()
	return Date{Year: int16(min(year, 9999)), Second: int8(month), First: int8(day)}, digits == 4
}

// end tells whether nothing is left but a time of day.
func (s *reader) end() bool {
	if s.rest == "" {
		return true
	}
	s.separator(",")
	if s.separator("T ") == 0 {
		return false
	}
	s.rest = strings.TrimLeft(s.rest, " ")
	for _, half := range halves {
		if rest, found := strings.CutPrefix(s.rest, half); found {
			s.rest = strings.TrimLeft(rest, " ")
			break
		}
	}
	return IsClock(s.rest) || dotted.MatchString(s.rest) || zoned.MatchString(s.rest)
}

// halves are the words for both halves of the day that stand in front of a time.
var halves = [...]string{"오전", "오후", "上午", "下午", "午前", "午後", "SA", "CH"}

// dotted is a time of day with points, as it is written in Italy. The seconds are there to tell it from a number.
var dotted = regexp.MustCompile(`^(?:[01]?\d|2[0-4])\.[0-5]\d\.[0-5]\d$`)

// zoned is a time of day with a half of the day or a zone behind it, as tools write them behind dates.
var zoned = regexp.MustCompile(`^(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?` +
	`[\s\x{a0}\x{202f}]*(?:(?i:[ap]\.?[\s\x{a0}\x{202f}]?m\.?|ö[öos]|SA|CH|uhr)[\s\x{a0}\x{202f}]*)?` +
	`(?:Z|[A-Z]{2,5})?(?:[+-]\d{1,2}(?::?\d{2})?)?$`)

// IsClock tells whether a text is a time of day: 17:45, 17:45:00.5, 5:45 PM, with a zone or without.
func IsClock(text string) bool {
	s := &reader{rest: text}
	hour, digits := s.number()
	if digits < 1 || digits > 2 || hour > 24 || s.separator(":") == 0 {
		return false
	}
	minute, digits := s.number()
	return digits == 2 && minute < 60 && strings.Trim(s.rest, "0123456789:.,+-ZTAPMUGCapm ") == ""
}

// String is the day as ISO 8601 has it: 2024-12-31, or 2024-12.
func (d Day) String() string {
	if d.Day == 0 {
		return fmt.Sprintf("%04d-%02d", d.Year, d.Month)
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day)
}

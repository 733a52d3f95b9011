package dta

import (
	"math"
	"strings"
	"time"
)

// Format is a display format, as Stata writes it: %9.0g, %-20s, %tdD_m_Y.
type Format string

// Unit is what a number counts since the start of 1960, by its format.
type Unit uint8

// The units. Moments with leap seconds are those of %tC.
const (
	NoDate Unit = iota
	Days
	Milliseconds
	LeapMilliseconds
	Weeks // of which every year has 52, and the last has eight days or nine
	Months
	Quarters
	HalfYears
	Clock // milliseconds of a day, of which only the time is shown
)

// Unit tells what the numbers of a variable with the format count. Years, %ty, are numbers as they stand, and what
// business calendars, %tb, count only these tell: neither is a date here.
func (f Format) Unit() Unit {
	code := strings.TrimLeft(strings.TrimPrefix(string(f), "%"), "-+ ")
	if strings.HasPrefix(code, "d") {
		return Days // as Stata 7 and before wrote it
	}
	if len(code) < 2 || code[0] != 't' {
		return NoDate
	}
	switch code[1] {
	case 'd':
		return Days
	case 'c':
		if onlyClock(code[2:]) {
			return Clock
		}
		return Milliseconds
	case 'C':
		return LeapMilliseconds
	case 'w':
		return Weeks
	case 'm':
		return Months
	case 'q':
		return Quarters
	case 'h':
		return HalfYears
	}
	return NoDate
}

// clockParts are what shows the time of day in a format, the longest first.
var clockParts = []string{"a.m.", "A.M.", "p.m.", "P.M.", ".sss", ".ss", ".s", "HH", "Hh", "hH", "hh", "MM", "mm", "SS",
	"ss", "am", "AM", "pm", "PM", ":", "_", ".", ",", " "}

// onlyClock tells whether the details of a format show a time of day and nothing of the day.
func onlyClock(details string) bool {
	rest := details
next:
	for rest != "" {
		for _, part := range clockParts {
			if after, found := strings.CutPrefix(rest, part); found {
				rest = after
				continue next
			}
		}
		return false
	}
	return details != ""
}

// epoch is the start of 1960 in Unix seconds. Stata's dates reach from the year 100 to 9999.
const (
	epoch    = -315619200
	firstDay = -679350 // 1 January 100, in days of Stata's
	lastDay  = 2936549 // 31 December 9999
	dayLong  = 86_400_000
)

// leapDays are the days of Stata's before which a leap second was: from 1 July 1972 to 1 January 2017.
var leapDays = [...]int64{4565, 4749, 5114, 5479, 5844, 6210, 6575, 6940, 7305, 7852, 8217, 8582, 9313, 10227, 10958,
	11323, 11870, 12235, 12600, 13149, 13696, 14245, 16802, 17898, 19175, 20270, 20820}

// withoutLeaps is a moment without the leap seconds before it; one within a leap second is the end of that day.
func withoutLeaps(ms int64) int64 {
	for i := len(leapDays) - 1; i >= 0; i-- {
		begin := leapDays[i]*dayLong + int64(i)*1000 // of the leap second
		if ms >= begin+1000 {
			return ms - int64(i+1)*1000
		}
		if ms >= begin {
			return leapDays[i]*dayLong - 1
		}
	}
	return ms
}

// ISO returns a number as the text of ISO 8601 that the unit makes of it: 2026-03-31 for days, and for the first day of
// weeks, quarters and half years, for which there is no such text; 2026-03 for months, 2026-03-31T17:45:00 for moments,
// and 17:45:00 for times of day. Fractions of a second are kept where they are not zero. It returns false for numbers
// that are no dates, and for dates outside the years 100 to 9999.
func (u Unit) ISO(n float64) (string, bool) {
	n = math.Floor(n)
	if u == NoDate || !(math.Abs(n) < 1e15) {
		return "", false
	}
	count := int64(n)
	switch u {
	case Days:
		return isoDay(count, time.DateOnly)
	case Milliseconds, LeapMilliseconds, Clock:
		return u.isoMoment(count)
	case Weeks:
		year, week := divide(count, 52)
		return isoPart(year, 1, 1+7*int(week), time.DateOnly)
	case Months:
		year, month := divide(count, 12)
		return isoPart(year, 1+int(month), 1, "2006-01")
	case Quarters:
		year, quarter := divide(count, 4)
		return isoPart(year, 1+3*int(quarter), 1, time.DateOnly)
	}
	year, half := divide(count, 2)
	return isoPart(year, 1+6*int(half), 1, time.DateOnly)
}

// divide divides so that what is left is never below 0.
func divide(n, by int64) (whole, left int64) {
	whole, left = n/by, n%by
	if left < 0 {
		whole, left = whole-1, left+by
	}
	return whole, left
}

func isoDay(day int64, form string) (string, bool) {
	if day < firstDay || day > lastDay {
		return "", false
	}
	return time.Unix(day*86400+epoch, 0).UTC().Format(form), true
}

func isoPart(years int64, month, day int, form string) (string, bool) {
	if years < 100-1960 || years > 9999-1960 {
		return "", false
	}
	return time.Date(1960+int(years), time.Month(month), day, 0, 0, 0, 0, time.UTC).Format(form), true
}

func (u Unit) isoMoment(ms int64) (string, bool) {
	if u == LeapMilliseconds {
		ms = withoutLeaps(ms)
	}
	day, left := divide(ms, dayLong)
	if day < firstDay || day > lastDay {
		return "", false
	}
	form := "2006-01-02T15:04:05.999"
	if u == Clock && day == 0 {
		form = "15:04:05.999"
	}
	return time.Unix(day*86400+epoch, left*1_000_000).UTC().Format(form), true
}

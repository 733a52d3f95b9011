// Package period puts dates, in the ways in which files write them, into weeks, months, quarters and years: the waves
// of a survey that has no others.
package period

import (
	"fmt"
	"time"
)

// By is how long a period is.
type By string

// The lengths of periods.
const (
	Week    By = "week" // of ISO 8601: from Monday on, the first of a year being that of 4 January
	Month   By = "month"
	Quarter By = "quarter"
	Year    By = "year"
)

// Lengths are the lengths of periods, the shortest first.
func Lengths() []By { return []By{Week, Month, Quarter, Year} }

// Known tells whether b is one of the lengths.
func (b By) Known() bool { return b == Week || b == Month || b == Quarter || b == Year }

// Period is a week, month, quarter or year. The codes of those of one length are in the order of time, as texts too.
type Period struct {
	Code       string // 2024-W07, 2024-03, 2024-Q2, 2024
	Name       string // Week 7 of 2024, March 2024, 2nd quarter of 2024, 2024
	Start, End string // the first and the last day: 2024-03-01, 2024-03-31
	By         By
}

// Of is the period in which a day is. There is none if there is no such day, if by is no length, or if it is a week and
// only the month is known, or the week ends after the year 9999.
func Of(d Day, by By) (Period, bool) {
	if !d.sound() {
		return Period{}, false
	}
	switch by {
	case Week:
		if d.Day == 0 {
			return Period{}, false
		}
		return week(d)
	case Month:
		return months(d, d.Month, 1, fmt.Sprintf("%04d-%02d", d.Year, d.Month),
			fmt.Sprintf("%s %d", monthNames[d.Month-1], d.Year), by), true
	case Quarter:
		n := (d.Month + 2) / 3
		return months(d, 3*n-2, 3, fmt.Sprintf("%04d-Q%d", d.Year, n),
			fmt.Sprintf("%s quarter of %d", [...]string{"1st", "2nd", "3rd", "4th"}[n-1], d.Year), by), true
	case Year:
		return months(d, 1, 12, fmt.Sprintf("%04d", d.Year), fmt.Sprint(d.Year), by), true
	}
	return Period{}, false
}

// WhyNone says of a day of the calendar, or a month, that is in no period of a length why there is none, to be put
// behind the date: "is a month, which is in no week".
func WhyNone(d Day, by By) string {
	if d.Day > 0 {
		return fmt.Sprintf("is in a %s that ends after the year %d", by, lastYear)
	}
	return fmt.Sprintf("is a month, which is in no %s", by)
}

// months is so many months of the day's year, from the first one given on.
func months(d Day, first, n int, code, name string, by By) Period {
	last := first + n - 1
	return Period{code, name, Day{d.Year, first, 1}.String(), Day{d.Year, last, daysIn(d.Year, last)}.String(), by}
}

// week is the week of a day. The first and last days of a year may be of a week of the year beside it.
func week(d Day) (Period, bool) {
	at := time.Date(d.Year, time.Month(d.Month), d.Day, 0, 0, 0, 0, time.UTC)
	year, n := at.ISOWeek()
	monday := at.AddDate(0, 0, -(int(at.Weekday())+6)%7)
	sunday := monday.AddDate(0, 0, 6)
	if sunday.Year() > lastYear {
		return Period{}, false
	}
	return Period{fmt.Sprintf("%04d-W%02d", year, n), fmt.Sprintf("Week %d of %d", n, year), monday.Format(time.DateOnly),
		sunday.Format(time.DateOnly), Week}, true
}

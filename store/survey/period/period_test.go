package period_test

import (
	"strings"
	"testing"
	"time"

	"github.com/crosswave/crosswave/store/survey/period"
	"github.com/google/go-cmp/cmp"
)

// Days fall into periods as calendars have them, at the turn of years and on leap days, too.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		day              period.Day
		by               period.By
		code, name, span string
	}{
		{period.Day{2024, 2, 29}, period.Month, "2024-02", "February 2024", "2024-02-01 2024-02-29"},
		{period.Day{2023, 2, 1}, period.Month, "2023-02", "February 2023", "2023-02-01 2023-02-28"},
		{period.Day{1900, 2, 28}, period.Month, "1900-02", "February 1900", "1900-02-01 1900-02-28"},
		{period.Day{2000, 2, 28}, period.Month, "2000-02", "February 2000", "2000-02-01 2000-02-29"},
		{period.Day{2024, 12, 0}, period.Month, "2024-12", "December 2024", "2024-12-01 2024-12-31"},
		{period.Day{2024, 3, 31}, period.Quarter, "2024-Q1", "1st quarter of 2024", "2024-01-01 2024-03-31"},
		{period.Day{2024, 4, 1}, period.Quarter, "2024-Q2", "2nd quarter of 2024", "2024-04-01 2024-06-30"},
		{period.Day{2024, 9, 30}, period.Quarter, "2024-Q3", "3rd quarter of 2024", "2024-07-01 2024-09-30"},
		{period.Day{2024, 10, 1}, period.Quarter, "2024-Q4", "4th quarter of 2024", "2024-10-01 2024-12-31"},
		{period.Day{2024, 12, 31}, period.Year, "2024", "2024", "2024-01-01 2024-12-31"},
		{period.Day{2024, 2, 15}, period.Week, "2024-W07", "Week 7 of 2024", "2024-02-12 2024-02-18"},
		{period.Day{2024, 2, 12}, period.Week, "2024-W07", "Week 7 of 2024", "2024-02-12 2024-02-18"},
		{period.Day{2024, 2, 18}, period.Week, "2024-W07", "Week 7 of 2024", "2024-02-12 2024-02-18"},
		{period.Day{2024, 12, 30}, period.Week, "2025-W01", "Week 1 of 2025", "2024-12-30 2025-01-05"},
		{period.Day{2025, 1, 1}, period.Week, "2025-W01", "Week 1 of 2025", "2024-12-30 2025-01-05"},
		{period.Day{2021, 1, 3}, period.Week, "2020-W53", "Week 53 of 2020", "2020-12-28 2021-01-03"},
		{period.Day{2021, 1, 4}, period.Week, "2021-W01", "Week 1 of 2021", "2021-01-04 2021-01-10"},
		{period.Day{2023, 1, 1}, period.Week, "2022-W52", "Week 52 of 2022", "2022-12-26 2023-01-01"},
		{period.Day{2024, 2, 29}, period.Week, "2024-W09", "Week 9 of 2024", "2024-02-26 2024-03-03"},
	} {
		got, ok := period.Of(c.day, c.by)
		start, end, _ := strings.Cut(c.span, " ")
		if d := cmp.Diff(period.Period{Code: c.code, Name: c.name, Start: start, End: end, By: c.by}, got); d != "" || !ok {
			t.Errorf("%v by %s: %s", c.day, c.by, d)
		}
	}
	if p, ok := period.Of(period.Day{2024, 12, 0}, period.Week); ok {
		t.Errorf("a month is in %v", p)
	}
	for _, day := range []period.Day{{}, {2024, 0, 1}, {2024, 13, 1}, {2023, 2, 29}, {2024, 4, 31}, {2024, 1, -1},
		{0, 1, 1}, {10_000, 1, 1}} {
		if p, ok := period.Of(day, period.Quarter); ok {
			t.Errorf("%v is in %v", day, p)
		}
	}
	if p, ok := period.Of(period.Day{9999, 12, 26}, period.Week); !ok || p.End != "9999-12-26" {
		t.Errorf("the last whole week is %v", p)
	}
	if p, ok := period.Of(period.Day{9999, 12, 27}, period.Week); ok {
		t.Errorf("the week that ends in the year 10000 is %v", p)
	}
	if p, ok := period.Of(period.Day{2024, 12, 1}, "day"); ok {
		t.Errorf("by day it is in %v", p)
	}
}

// Every day of four hundred years, after which the calendar begins anew, is in its period, and codes sort as days do.
func TestPeriodsHoldTheirDays(t *testing.T) {
	last := map[period.By]period.Period{}
	for at := time.Date(1999, 12, 25, 0, 0, 0, 0, time.UTC); at.Year() < 2400; at = at.AddDate(0, 0, 1) {
		text := at.Format(time.DateOnly)
		read, ok := period.Read(text)
		day, sound := read.Day("")
		if !ok || !sound || day.String() != text {
			t.Fatalf("%s is read as %v", text, day)
		}
		for _, by := range period.Lengths() {
			p, ok := period.Of(day, by)
			if !ok || text < p.Start || text > p.End {
				t.Fatalf("%s is in %v", text, p)
			}
			if before := last[by]; p != before && (p.Code <= before.Code || before.End != "" && p.Start != text) {
				t.Fatalf("%v follows %v on %s", p, before, text)
			}
			last[by] = p
		}
	}
}

// Dates as files write them.
func TestRead(t *testing.T) {
	for _, c := range []struct{ text, dayFirst, monthFirst string }{ // one alone: both are that
		{"2024-12-31", "2024-12-31", ""},
		{" 2024-12-31 ", "2024-12-31", ""},
		{"2024/1/5", "2024-01-05", ""},
		{"2024.12.31", "2024-12-31", ""},
		{"20241231", "2024-12-31", ""},
		{"2024-12", "2024-12", ""},
		{"2024-12-31T23:59:59.123Z", "2024-12-31", ""},
		{"2024-12-31 23:59:59+02:00", "2024-12-31", ""},
		{"2024/12/31 10:33:12 AM GMT+1", "2024-12-31", ""},
		{"31.12.2024", "2024-12-31", ""},
		{"2024. 12. 31", "2024-12-31", ""},
		{"2024. 12. 31 오후 5:03:54", "2024-12-31", ""},
		{"2024/12/31 下午 5:03:54", "2024-12-31", ""},
		{"2024/12/31 1:18:08 ÖS GMT+3", "2024-12-31", ""},
		{"2024/12/31 3:46:25 p.\u00a0m. CET", "2024-12-31", ""},
		{"2024/12/31 3:46:25 CH EEST", "2024-12-31", ""},
		{"31/12/2024 15.49.59", "2024-12-31", "none"},
		{"1.2.24 17:45", "2024-02-01", ""},
		{"31. December 2024", "2024-12-31", ""},
		{"31-Dec-2024 17:45:01", "2024-12-31", ""},
		{"1 may 2024", "2024-05-01", ""},
		{"Dec 31, 2024", "2024-12-31", ""},
		{"December 31 2024 5:45 PM", "2024-12-31", ""},
		{"12/31/2024", "none", "2024-12-31"},
		{"31/12/2024", "2024-12-31", "none"},
		{"03/04/2024", "2024-04-03", "2024-03-04"},
		{"3/4/24 10:33", "2024-04-03", "2024-03-04"},
		{"3/4/69", "1969-04-03", "1969-03-04"},
		{"3/4/68, 5:45 PM", "2068-04-03", "2068-03-04"},
		{"31-12-2024", "2024-12-31", "none"},
		{"02/29/2024", "none", "2024-02-29"},
	} {
		d, ok := period.Read(c.text)
		if !ok {
			t.Errorf("%q is no date", c.text)
			continue
		}
		if c.monthFirst == "" {
			c.monthFirst = c.dayFirst
		}
		got := func(order period.Order) string {
			if day, ok := d.Day(order); ok {
				return day.String()
			}
			return "none"
		}
		if got(period.DayFirst) != c.dayFirst || got(period.MonthFirst) != c.monthFirst {
			t.Errorf("%q: %s and %s", c.text, got(period.DayFirst), got(period.MonthFirst))
		}
		if unsaid := got(""); d.Undecided() != (c.dayFirst != c.monthFirst && c.dayFirst != "none" &&
			c.monthFirst != "none") || d.Undecided() != (unsaid == "none") {
			t.Errorf("%q without an order: %s", c.text, unsaid)
		}
	}
	for _, text := range []string{"", "2024", "2024-13-01", "2023-02-29", "1900-02-29", "2024-02-30",
		"02/29/2023", "31.4.2024", "0/1/2024", "1/0/2024", "2024-00-10", "2024-1-0", "32/1/2024", "13/13/2024",
		"12.31.2024", "1-2-24", "17:45", "12345678", "20241301", "20240100", "21991332", "2024-12-31x",
		"2024-12-31 x", "2024-12-31 25:00", "2024-12/31", "1/2/3", "1/2/20245", "Foo 3, 2024", "Ja 3, 2024",
		"3 Marchs 2024", "1/Jan/2024", "2024-3", "2024/03", "999999999", "2024-12-3131", "99999999-1",
		"January 2024", "0000-01-01"} {
		if d, ok := period.Read(text); ok {
			t.Errorf("%q is read as %v", text, d)
		}
	}
}

// FuzzRead reads any text: what is a date is a day of the calendar, and reads as the same when written by ISO 8601.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"2024-12-31T10:00Z", "12/31/24", "31.12.2024", "Dec 31, 2024", "1-Jan-2024 5:45 PM",
		"20241231", "2024-02", "31.12.9999"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, ok := period.Read(text)
		if !ok {
			return
		}
		found := 0
		for _, order := range []period.Order{period.DayFirst, period.MonthFirst} {
			day, ok := d.Day(order)
			if !ok {
				continue
			}
			found++
			iso, ok := period.Read(day.String())
			if again, sound := iso.Day(""); !ok || !sound || again != day {
				t.Fatalf("%q is %v, and that is %v", text, day, again)
			}
			if at, err := time.Parse(time.DateOnly, day.String()); day.Day > 0 && (err != nil ||
				at.Format(time.DateOnly) != day.String()) {
				t.Fatalf("%q is %v: %v", text, day, err)
			}
			for _, by := range period.Lengths() {
				none := by == period.Week && (day.Day == 0 || day.Compare(period.Day{9999, 12, 27}) >= 0)
				if p, ok := period.Of(day, by); ok == none || ok && p.Start > p.End {
					t.Fatalf("%v by %s: %v", day, by, p)
				}
			}
		}
		if found == 0 {
			t.Fatalf("%q is a date, and no day", text)
		}
	})
}

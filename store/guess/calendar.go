package guess

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/store/survey/period"
)

// calendar is what dates stand in a column.
type calendar struct {
	days  map[period.Date]int64 // and how many values that had not come before, or once there were many, are of each
	clock bool                  // times of day stand there, without a day
	timed bool                  // days have times of day behind them
	full  bool                  // there are more days than are kept
	// before is the day that was last seen for the first time, and onward and back are how often the next of these was a
	// later one and an earlier one, if days come first and if months do.
	before       period.Date
	onward, back map[period.Order]int
}

// longestDate is how many bytes a date with its time takes at the most.
const longestDate = 40

// mostDays is how many days the columns of a file may keep together: those of many columns over decades.
const mostDays = 1 << 20

// dated tells whether a text is a date, with or without a time, or a time of day, and keeps the day.
func (c *column) dated(text string) bool {
	if len(text) < 4 || len(text) > longestDate {
		return false
	}
	d, ok := period.Read(text)
	if !ok && !period.IsClock(text) {
		return false
	}
	if c.calendar == nil {
		c.calendar = &calendar{days: map[period.Date]int64{}}
	}
	k := c.calendar
	if !ok {
		k.clock = true
		return true
	}
	k.timed = k.timed || strings.Contains(text, ":") && !midnight.MatchString(text)
	if n, known := k.days[d]; known {
		k.days[d] = n + 1
		return true
	}
	if k.full = k.full || *c.daysLeft == 0; !k.full {
		k.days[d] = 1
		k.follow(d)
		*c.daysLeft--
	}
	return true
}

// midnight is the time that programs write behind a day that has none.
var midnight = regexp.MustCompile(`\b(?:0?0:00(?::00(?:\.0+)?)?|12:00(?::00)? ?[aA][mM])\b`)

// follow compares a day with the one that was seen before it.
func (k *calendar) follow(d period.Date) {
	if k.onward == nil {
		k.onward, k.back = map[period.Order]int{}, map[period.Order]int{}
	}
	for _, order := range []period.Order{period.DayFirst, period.MonthFirst} {
		was, ok := k.before.Day(order)
		is, also := d.Day(order)
		if n := is.Compare(was); ok && also && n > 0 {
			k.onward[order]++
		} else if ok && also && n < 0 {
			k.back[order]++
		}
	}
	k.before = d
}

// turns is how often the days that are read in an order do not go on as most of them do: onward, or back where the last
// came first.
func (k *calendar) turns(order period.Order) int { return min(k.onward[order], k.back[order]) }

// forgetDays makes room for those of other columns.
func (c *column) forgetDays() {
	if c.calendar != nil {
		*c.daysLeft += len(c.calendar.days)
		c.calendar = nil
	}
}

// holdsDays tells whether a day stands wherever there is a value.
func (c *column) holdsDays() bool {
	return c.date && c.filled > 0 && c.calendar != nil && !c.calendar.clock && !c.calendar.full && !c.broken
}

// order is what comes first in the column's dates: what was said, else what a day above 12 decides. If nothing does,
// it is the order in which the dates go on from row to row, where they do not in the other. Else, if one of the two
// is the same in all dates, that is the day if it is 1 and no time stands behind it, as of months that are written as
// dates, and the month else, as of interviews that took some days; if neither is, days come first. It is "" where it
// makes no difference. sure tells that it was said or decided.
func (k *calendar) order(said period.Order) (order period.Order, sure bool) {
	const fewest = 2 // times that days turn round in one order, and in the other never
	firsts, seconds := map[int8]bool{}, map[int8]bool{}
	undecided := false
	for d := range k.days {
		if !d.Free {
			continue
		}
		firsts[d.First], seconds[d.Second] = true, true
		undecided = undecided || d.Undecided()
		if order == "" {
			order = d.Tells()
		}
	}
	switch {
	case len(firsts) == 0:
		return "", true
	case said != "":
		return said, true
	case order != "" || !undecided:
		return order, true
	case k.turns(period.MonthFirst) == 0 && k.turns(period.DayFirst) >= fewest:
		return period.MonthFirst, false
	case k.turns(period.DayFirst) == 0 && k.turns(period.MonthFirst) >= fewest:
		return period.DayFirst, false
	case len(seconds) == 1 && len(firsts) > 1 && seconds[1] && !k.timed,
		len(firsts) == 1 && len(seconds) > 1 && (!firsts[1] || k.timed):
		return period.MonthFirst, false
	}
	return period.DayFirst, false
}

// in lists the days in an order, the earliest first; false if one of them is none in it.
func (k *calendar) in(order period.Order) ([]period.Day, bool) {
	seen := map[period.Day]bool{}
	for d := range k.days {
		day, ok := d.Day(order)
		if !ok {
			return nil, false
		}
		seen[day] = true
	}
	return slices.SortedFunc(maps.Keys(seen), period.Day.Compare), true
}

// mostlyOnce tells whether nearly all dates are in one period of so long: of fieldwork that was done once, and to
// which some came late. That is four in five or more, and no other period has twenty, or one of 33.
func (c *column) mostlyOnce(order period.Order, by period.By) bool {
	const few, seldom = 20, 33
	in, all := map[string]int64{}, int64(0)
	count := func(d period.Date, n int64) {
		day, _ := d.Day(order)
		p, _ := period.Of(day, by)
		all, in[p.Code] = all+n, in[p.Code]+n
	}
	if c.many {
		for d, n := range c.calendar.days {
			count(d, n)
		}
	}
	for _, v := range c.values {
		if d, ok := period.Read(v.text); ok && c.many {
			count(d, v.n-1) // of what came again while values were few, the days have one
		} else if ok {
			count(d, v.n)
		}
	}
	sizes := slices.Sorted(maps.Values(in))
	most := sizes[len(sizes)-1]
	return 5*most >= 4*all && (len(sizes) == 1 || sizes[len(sizes)-2] < max(few, most/seldom))
}

package guess

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// span is a year, half, quarter, month or day, which the name of a wave says.
type span struct{ start, end, kind string }

var months = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

// parsePeriod reads a period: 2024, 2024 Q1, Q1/24 it does not, H2 2024, 2024-03, March 2024, 2024-03-31.
func parsePeriod(text string) (span, bool) {
	if day, err := time.Parse(time.DateOnly, strings.TrimSpace(text)); err == nil {
		return spanOf(day.Year(), int(day.Month()), day.Day(), 0, "day"), true
	}
	list := words(text)
	year, part := 0, []string{}
	for _, w := range list {
		if n, err := strconv.Atoi(w); err == nil && len(w) == 4 && n >= 1900 && n <= 2200 && year == 0 {
			year = n
			continue
		}
		part = append(part, w)
	}
	if year == 0 {
		return span{}, false
	}
	switch len(part) {
	case 0:
		return spanOf(year, 1, 1, 12, "year"), true
	case 1:
		if n, err := strconv.Atoi(part[0]); err == nil && len(part[0]) == 2 && n >= 1 && n <= 12 && len(list) == 2 {
			return spanOf(year, n, 1, 1, "month"), true
		}
		for i, m := range months {
			if len(part[0]) >= 3 && strings.HasPrefix(part[0], m) {
				return spanOf(year, i+1, 1, 1, "month"), true
			}
		}
	case 2:
		n, err := strconv.Atoi(part[1])
		switch {
		case err != nil:
		case (part[0] == "q" || part[0] == "quarter" || part[0] == "qtr") && n >= 1 && n <= 4:
			return spanOf(year, 3*n-2, 1, 3, "quarter"), true
		case (part[0] == "h" || part[0] == "half") && n >= 1 && n <= 2:
			return spanOf(year, 6*n-5, 1, 6, "half-year"), true
		case (part[0] == "m" || part[0] == "month") && n >= 1 && n <= 12:
			return spanOf(year, n, 1, 1, "month"), true
		}
	}
	return span{}, false
}

// spanOf is so many months from a day, 0 being the day alone.
func spanOf(year, month, day, n int, kind string) span {
	start := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	end := start
	if n > 0 {
		end = start.AddDate(0, n, -1)
	}
	return span{start.Format(time.DateOnly), end.Format(time.DateOnly), kind}
}

// numberWords tell that numbers in a column are quantities, even if they are few.
var numberWords = set(`
	age alter edad âge idade età wiek yaş ålder leeftijd возраст income salary earnings hours minutes seconds hrs mins days weeks count amount spend spent
	spending expenditure price cost budget revenue children kids persons employees height distance km miles score
	nps duration euro eur usd gbp`)

// longestScale is how many steps a scale from 1 on has at most, as far as statements are rated.
const longestScale = 7

// called tells whether a column of numbers is a quantity rather than codes, as far as its name and its label say.
func (c *column) called() bool {
	if c.quantity || c.intoGroups() {
		return c.quantity
	}
	name := words(c.Name)
	if len(name) > mostWords && !c.many && c.integer && c.least.Float64() == 1 && c.most.Float64() <= longestScale &&
		c.most.Float64() == float64(len(c.values)) {
		return false // a sentence that was rated
	}
	if c.onlyZeroOne() && !howMany.MatchString(c.Name+" "+c.Label) {
		return false // whether there is any
	}
	return has(name, numberWords) || has(words(c.Label), numberWords) && len(words(c.Label)) <= 12 || c.inUnits(name)
}

// onlyZeroOne tells whether a column holds 0 and 1 and nothing else but what stands for no answer beside those.
func (c *column) onlyZeroOne() bool {
	return !c.many && !slices.ContainsFunc(c.values, func(v value) bool {
		return v.text != "0" && v.text != "1" && !specials[v.text]
	})
}

// inUnits tells whether a short name says in what a number is counted, of which those in groups are counted, too:
// that these are no numbers of groups, the numbers tell.
func (c *column) inUnits(name []string) bool {
	const few, most = 6, 12 // words, and groups
	if len(name) > few || c.many || !c.integer || len(c.values) < few || len(c.Labels) > 0 || c.least.Sign() < 0 ||
		c.shared() {
		return false
	}
	grouped := c.most.Float64() <= most && c.most.Float64() <= float64(len(c.values))
	return has(name, unitWords) && !grouped && c.most.Float64() > most/2 && !has(name, codeWords) &&
		!strings.ContainsAny(c.Name, digits) // in the last 12 months
}

// unitWords are what is counted in numbers, and in groups of them.
var unitWords = set("years months percent percentage años meses jahre monate anni mesi anos jaren maanden")

// unit guesses the unit of a number from its name.
func (c *column) unit() string {
	name := append(words(c.Name), words(c.Label)...)
	for _, u := range []struct{ word, unit string }{{"age", "years"}, {"minutes", "minutes"}, {"mins", "minutes"},
		{"hours", "hours"}, {"hrs", "hours"}, {"seconds", "seconds"}, {"days", "days"}, {"km", "km"}, {"eur", "EUR"},
		{"euro", "EUR"}, {"usd", "USD"}, {"gbp", "GBP"}} {
		if slices.Contains(name, u.word) {
			return u.unit
		}
	}
	return ""
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

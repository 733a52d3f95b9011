package formats

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Header says whether a text or a sheet begins with the names of its columns.
type Header string

// What is said of the first row, which a title may stand above.
const (
	HeaderFound Header = ""    // what stands in it and below it tells
	HeaderThere Header = "yes" // it has the names of the columns
	NoHeader    Header = "no"  // it is a respondent's
)

var (
	digitRuns = regexp.MustCompile(`[0-9]+`)
	// aDate is a date where each number is a 9: 9/9/9 9:9:9 PM.
	aDate = regexp.MustCompile(`^9[-/.]9[-/.]9(\D|$)`)
)

// dateForm is how a date or a time stamp is written, with a 9 for each number; "" for all else.
func dateForm(cell string) string {
	form := digitRuns.ReplaceAllString(strings.TrimSpace(cell), "9")
	if !aDate.MatchString(form) {
		return ""
	}
	return strings.NewReplacer("PM", "AM", "pm", "am").Replace(form)
}

// cellsBelow is what stands below a cell of the first row.
type cellsBelow struct {
	filled, numbers int            // cells with anything, and with a number, a date or a time
	texts           map[string]int // how often each stands there
	dates           map[string]int // how often dates are written in each form
}

func cellsOf(below [][]string, i int) cellsBelow {
	c := cellsBelow{texts: map[string]int{}, dates: map[string]int{}}
	for _, row := range below {
		if i >= len(row) || strings.TrimSpace(row[i]) == "" {
			continue
		}
		cell := strings.TrimSpace(row[i])
		c.filled++
		c.texts[cell]++
		form := dateForm(cell)
		c.numbers += count(measured(cell) || form != "")
		if form != "" {
			c.dates[form]++
		}
	}
	return c
}

// few tells whether the cells are few answers that come again and again.
func (c *cellsBelow) few() bool { return c.filled >= 10 && 3*len(c.texts) <= c.filled }

// ticks tells whether the cells say of an option that it was chosen, or that it was not, but for a few slips.
func (c *cellsBelow) ticks() bool { return 20*(c.texts["1"]+c.texts["0"]) >= 19*c.filled }

// isAnswers tells by its content whether the first row is a respondent's, of a file whose columns have no names:
// answers that others gave in the same columns, a date as they are written below, or nothing but numbers over
// numbers, some of them again and again. A name is no answer that is given below, but for options, which may stand in
// their column where they were chosen, and it stands above numbers, and above few answers of which it is none.
func isAnswers(rows [][]string) bool {
	const headers, fewest = 3, 5 // the second and third row may be part of the header
	first := trimmed(rows[0])
	below := slices.Clone(rows[min(len(rows), headers):])
	below = slices.DeleteFunc(below, func(row []string) bool { // files that were put together have their header again
		return slices.Equal(trimmed(row), first)
	})
	if len(below) < fewest {
		return false
	}
	again := map[string]int{}
	for _, cell := range first {
		again[cell]++
	}
	filled, words, dates, unlike := 0, 0, 0, 0
	numbers, different := 0, map[string]bool{}
	for i, cell := range first {
		if noName.MatchString(cell) {
			return false
		}
		c := cellsOf(below, i)
		if cell == "" || c.filled == 0 {
			continue
		}
		filled++
		others := c.texts[cell] > 0
		letters := hasLetter(cell) && utf8.RuneCountInString(cell) > 1
		switch form := dateForm(cell); {
		case form != "":
			dates += count(2*c.dates[form] > c.filled)
			unlike += count(c.dates[form] == 0)
		case measured(cell) && 10*c.numbers >= 9*c.filled:
			numbers++
			different[cell] = true
			unlike += count(!others && c.few())
		case others && letters && (len(c.texts) >= 3 || again[cell] > 1):
			words++
		case !others && (c.numbers == c.filled || c.few()):
			unlike++
		}
	}
	switch like := words + dates + numbers; {
	case words > 2, dates > 0 && like > 2:
		return 4*unlike <= words+dates && 2*like >= filled
	default:
		return unlike == 0 && numbers >= fewest && like == filled && 4*len(different) <= 3*numbers
	}
}

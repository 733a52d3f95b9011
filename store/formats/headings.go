package formats

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostHeadings is how many rows of headings may stand above the names of the columns.
const mostHeadings = 5

// headingRows is how many rows with headings of sections, of questions and of groups of columns stand above the row
// with the names of the columns, each with more in it than the one above; 0 where that is not so. Names are words,
// over many columns of numbers too, and none is an answer below, unless it is the only one: that of an option.
func headingRows(rows [][]string) int {
	const fewest = 5 // rows below
	for k := 1; k <= mostHeadings && k+fewest < len(rows); k++ {
		if len(rows[k]) != len(rows[0]) {
			return 0
		}
		if filledIn(rows[k]) < filledIn(rows[k-1]) || !isHeadings(rows[k-1]) && !isNumbering(rows[k-1]) {
			return 0
		}
		filled := filledIn(rows[k])
		if 4*filledIn(rows[0]) <= 3*filled && 2*filled > len(rows[k]) && namesBelow(rows[:k+1], rows[k+1:]) {
			return k
		}
	}
	return 0
}

func filledIn(row []string) (n int) {
	for _, cell := range row {
		n += count(!blank(cell))
	}
	return n
}

// isHeadings tells whether what stands in a row is words.
func isHeadings(row []string) bool {
	return filledIn(row) > 0 && !slices.ContainsFunc(row, measured)
}

var aNumber = regexp.MustCompile(`^\d{1,3}(\.\d{1,3})*\.?$`)

// isNumbering tells whether a row numbers questions: 1.1, 1.2, 2.1, 2.2.1. Where a program took 1.10 for a number it
// wrote 1.1.
func isNumbering(row []string) bool {
	const least = 5
	var before []int
	numbers, back := 0, 0
	for _, cell := range row {
		cell = strings.TrimSpace(cell)
		if blank(cell) {
			continue
		}
		if !aNumber.MatchString(cell) {
			return false
		}
		var number []int
		for part := range strings.SplitSeq(strings.TrimSuffix(cell, "."), ".") {
			n, _ := strconv.Atoi(part)
			number = append(number, n)
		}
		back += count(slices.Compare(number, before) <= 0)
		before = number
		numbers++
	}
	return numbers >= least && 5*back <= numbers
}

// namesBelow tells whether the last of some rows has the names of columns: what is a number in all rows below has
// words there, or in one of the rows above.
func namesBelow(rows, below [][]string) bool {
	const least = 3 // cells of a column that tell what it holds
	names := rows[len(rows)-1]
	over, lacking := 0, 0
	for i, name := range names {
		name = strings.TrimSpace(name)
		c := cellsOf(below, i)
		if measured(name) || !blank(name) && c.texts[name] > 0 && c.texts[name] < c.filled {
			return false
		}
		if c.filled < least || c.numbers < c.filled {
			continue
		}
		if blank(name) && !slices.ContainsFunc(rows, func(row []string) bool { return !blank(row[i]) }) {
			lacking++
			continue
		}
		over += count(blank(name) || hasLetter(name))
	}
	return over >= leastOver && 10*lacking <= over
}

// joinHeadings makes the names that headingRows found: a column without one is called as what stands above it, and
// one of those that are called the same by its headings, too, and so are the options of a question that is a heading.
// A heading is that of the columns from its own on, up to the next in its row or in a row above.
func joinHeadings(rows, below [][]string) []string {
	names := trimmed(rows[len(rows)-1])
	headings, ofHeading := make([][]string, len(names)), optionsUnder(rows, below)
	current := make([]string, len(rows)-1)
	times := map[string]int{}
	for i := range names {
		for level, row := range rows[:len(rows)-1] {
			cell := inOneLine(row[i])
			if blank(cell) || isNumbering(row) {
				continue
			}
			current[level] = cell
			clear(current[level+1:])
			if blank(names[i]) {
				names[i] = cell
			}
		}
		headings[i] = slices.DeleteFunc(slices.Clone(current), func(heading string) bool { return heading == "" })
		times[names[i]]++
	}
	for i, name := range names {
		if above := strings.Join(headings[i], " - "); (times[name] > 1 || ofHeading[i]) && name != "" && above != "" {
			names[i] = above + "[" + name + "]"
		}
	}
	return names
}

// optionsUnder tells of each column whether it is an option of the question that is its heading: under that are only
// columns whose names ask nothing, and in at least three of four of them stands 1 or 0 alone.
func optionsUnder(rows, below [][]string) []bool {
	names, above := trimmed(rows[len(rows)-1]), rows[:len(rows)-1]
	headed := func(i int) bool {
		return slices.ContainsFunc(above, func(row []string) bool { return !blank(row[i]) })
	}
	options := make([]bool, len(names))
	for from, to := 0, 0; from < len(names); from = to {
		ticked, asking := 0, !headed(from)
		for to = from; to < len(names) && (to == from || !headed(to)); to++ {
			c := cellsOf(below, to)
			ticked += count(c.ticks())
			asking = asking || blank(names[to]) || strings.HasSuffix(names[to], "?")
		}
		if to-from > 1 && !asking && 4*ticked >= 3*(to-from) {
			for i := from; i < to; i++ {
				options[i] = true
			}
		}
	}
	return options
}

// isNamed tells whether the second row has the names of the columns and the first their questions: words of a
// program's kind, no two the same, of which none is an answer below, over columns of numbers too. Many of the
// questions begin with their names, or few of them are one word.
func isNamed(first, second []string, below [][]string) bool {
	const longest = 40 // bytes of a name
	if len(first) != len(second) || len(first) < leastOver {
		return false
	}
	seen, over, begins, sentences := map[string]bool{}, 0, 0, 0
	for i, name := range trimmed(second) {
		question := strings.TrimSpace(first[i])
		if blank(name) || blank(question) || seen[name] || len(name) > longest || name == question ||
			strings.ContainsFunc(name, unicode.IsSpace) || !strings.ContainsFunc(name[:1], isNameStart) {
			return false
		}
		seen[name] = true
		c := cellsOf(below, i)
		if c.texts[name] > 0 {
			return false
		}
		over += count(c.filled >= 3 && c.numbers == c.filled)
		begins += count(strings.HasPrefix(strings.ToLower(question), strings.ToLower(name)))
		sentences += count(strings.ContainsFunc(question, unicode.IsSpace))
	}
	return over >= leastOver && (2*begins >= len(first) || 4*sentences >= 3*len(first))
}

func isNameStart(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_' }

// isStatements tells whether the first row holds questions of several columns, with gaps behind them, and the second
// what each of these was answered about, where that is not told below as an option is: words that nobody answered, over
// few answers that come again and again, and nothing in the first column, where a respondent would have an answer. No
// two statements of a question are the same, as a respondent's answers are, and none begins with a number.
func isStatements(first, second []string, below [][]string) bool {
	const least, behind = 4, 3
	if len(first) != len(second) || len(first) < least || blank(first[0]) || !blank(second[0]) {
		return false
	}
	said, rated, gaps := 0, 0, 0
	statements := map[string]bool{} // of the question
	for i, cell := range trimmed(second) {
		if !blank(first[i]) {
			clear(statements)
		}
		if cell == "" {
			continue
		}
		c, low := cellsOf(below, i), strings.ToLower(cell)
		start, _ := utf8.DecodeRuneInString(cell)
		if !unicode.IsLetter(start) || statements[low] || c.says(low) {
			return false
		}
		statements[low] = true
		said++
		if c.few() {
			rated++
			gaps += count(blank(first[i]))
		}
	}
	return rated >= least && gaps >= behind && 5*rated >= 4*said
}

// says tells whether a cell holds a text, whatever its letters are, large or small.
func (c *cellsBelow) says(low string) bool {
	for text := range c.texts {
		if strings.ToLower(text) == low {
			return true
		}
	}
	return false
}

// joinStatements makes question[statement] of two rows. A column with neither stays without a name.
func joinStatements(first, second []string) []string {
	names, statements, question := trimmed(first), trimmed(second), ""
	for i, statement := range statements {
		several := i+1 < len(names) && blank(names[i+1]) || blank(names[i])
		if !blank(names[i]) {
			question = names[i]
		}
		if statement != "" && several {
			names[i] = question + "[" + statement + "]"
		}
	}
	return names
}

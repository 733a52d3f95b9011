package formats

import (
	"slices"
	"strconv"
	"strings"
)

// Headers of several rows that no rule knows. That nobody answered a row is told by what stands below it; what the rows
// are, by what stands in them.

// stackedRows is how many rows begin a file of which the last, at least, is nobody's answers; 0 where that is not so.
func stackedRows(rows [][]string) int {
	for k := min(mostHeadings, len(rows)-1); k > 0; k-- {
		narrow := slices.ContainsFunc(rows[:k], func(row []string) bool { return len(row) != len(rows[k]) })
		if !narrow && (isNobodys(rows[k], rows[k+1:]) || numbersAll(rows[k])) {
			return k + 1
		}
	}
	return 0
}

// isNobodys tells whether no respondent has a row: it has words in half of the columns or more, not the same one in
// all, none of which stands below beside others; and that is so in five columns or more that hold numbers there, or the
// same few answers again and again, or the word itself and nothing else, as that of an option.
func isNobodys(row []string, below [][]string) bool {
	const fewest = 10 // rows below
	if len(below) < fewest || 2*filledIn(row) < len(row) {
		return false
	}
	const least = 3
	over, own, different := 0, 0, map[string]bool{}
	for i, cell := range trimmed(row) {
		if blank(cell) {
			continue
		}
		different[cell] = true
		c := cellsOf(below, i)
		if measured(cell) || c.texts[cell] > 0 && len(c.texts) > 1 {
			return false
		}
		own += count(c.texts[cell] > 1)
		if c.filled < leastOver || c.texts[cell] > 0 || c.numbers < c.filled && !c.few() {
			continue
		}
		if over++; !hasLetter(cell) {
			return false
		}
	}
	return over >= least && over+own >= leastOver && len(different) >= least
}

// numbersAll tells whether a row numbers all columns, from 1 on.
func numbersAll(row []string) bool {
	const fewest = 8
	for i, cell := range row {
		if strings.TrimSpace(cell) != strconv.Itoa(i+1) {
			return false
		}
	}
	return len(row) >= fewest
}

// kindWords are what a row says that tells of each column what kind of a variable it is.
var kindWords = strings.Fields("text string char character str open single multi multiple numeric number num int " +
	"integer float double scale date datetime time nominal ordinal interval ratio continuous categorical factor " +
	"binary boolean bool dummy select_one select_multiple grid matrix likert id variable")

// joinStacked makes names and labels of rows that nobody answered: the names of columns are a word each, of which no
// two are the same; what else there is are questions, over the first of their columns or all, and their options or
// rows. Numbers of columns, and what kinds they are of, say nothing of what was asked.
func joinStacked(rows [][]string) (names, labels []string) {
	var texts [][]string
	best, at := -1, 0
	for _, row := range rows {
		row = trimmed(row)
		if filledIn(row) == 0 || saysNothing(row) {
			continue
		}
		if score := markedIn(row); score > best {
			best, at = score, len(texts)
		}
		texts = append(texts, row)
	}
	if len(texts) == 0 {
		return trimmed(rows[len(rows)-1]), nil
	}
	if best >= 0 {
		names = texts[at]
		texts = slices.Delete(texts, at, at+1)
	}
	switch n := len(texts); {
	case n == 0 || n == 1 && 2*filledIn(texts[0]) < len(texts[0]): // titles of sections
	case n == 1 || wholeQuestions(texts[n-1]):
		labels = texts[n-1]
	default:
		labels = joinAbove(goOn(texts[n-2], texts[n-1]), texts[n-1])
	}
	if names == nil {
		return labels, nil
	}
	return names, labels
}

// saysNothing tells whether a row numbers the columns, or says what kinds they are of.
func saysNothing(row []string) bool {
	numbers, kinds, filled := 0, 0, 0
	for _, cell := range row {
		if blank(cell) {
			continue
		}
		filled++
		numbers += count(measured(cell))
		kinds += count(slices.Contains(kindWords, strings.ToLower(cell)))
	}
	return numbers == filled || kinds == filled && filled > 1
}

// markedIn is how many cells of a row have a digit or a line in them, as names do, where all are a word each and no two
// are the same; else less than 0.
func markedIn(row []string) int {
	seen, marked := map[string]bool{}, 0
	for _, cell := range row {
		if blank(cell) || seen[cell] || strings.Contains(cell, " ") || !hasLetter(cell) {
			return -1
		}
		seen[cell] = true
		marked += count(strings.ContainsAny(cell, "0123456789_"))
	}
	return marked
}

// wholeQuestions tells whether nearly all cells are there, and most of them are three words or more.
func wholeQuestions(row []string) bool {
	long := 0
	for _, cell := range row {
		long += count(len(strings.Fields(cell)) >= 3)
	}
	return 10*filledIn(row) >= 9*len(row) && 2*long >= len(row)
}

// goOn writes questions over all their columns, where they stand over the first of them only: those behind it in which
// something stands below.
func goOn(questions, below []string) []string {
	out, question := slices.Clone(questions), ""
	for i, cell := range out {
		if !blank(cell) {
			question = cell
		} else if blank(below[i]) {
			question = ""
		} else {
			out[i] = question
		}
	}
	return out
}

package formats

import (
	"io"
	"math"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/store/formats/csv"
)

// withoutAnalysis leaves out a line near the end of a text that says by a word, and shows by its numbers, that it sums
// up the rows above, with all that stands below it: tables that somebody made of the answers in the same sheet. None of
// their lines fills half of the columns that nearly every row above fills, and most of those that fill any have words
// under numbers there, or numbers under words, as respondents who answered little have not. The first line of the text
// has the names of the columns.
func withoutAnalysis(data csv.File, delimiter rune, note func(string, ...any)) (csv.File, error) {
	tail, start, err := tailOf(data)
	if err != nil || data.Size() > mostAdded {
		return data, err
	}
	sum := closing{start: -1}
	for line, fields := range linesBack(tail, delimiter) {
		if mayBeSum(fields) && len(filledAt(fields)) > leastSums {
			sum = closing{line, fields}
		}
	}
	if sum.start < 0 {
		return data, nil
	}
	rows := &above{}
	if err := rows.read(io.NewSectionReader(data, 0, start+int64(sum.start)), delimiter); err != nil {
		return data, nil // what is wrong is told when the text is read
	}
	usual := rows.usual()
	if usual == nil || !rows.surely(sum.fields) {
		return data, nil
	}
	below, unlike := 0, 0 // lines that fill usual columns
	for line, fields := range linesBack(tail, delimiter) {
		if line == sum.start {
			break
		}
		filled := 0
		for _, i := range usual {
			filled += count(i < len(fields) && !blank(fields[i]))
		}
		if 2*filled >= len(usual) {
			return data, nil
		}
		below += count(filled > 0)
		unlike += count(filled > 0 && rows.unlike(fields, usual))
	}
	if below == 0 || 3*unlike < 2*below {
		return data, nil
	}
	note("a line that sums up the respondents, %q, and what stands below it are left out: tables made of the answers",
		strings.TrimSpace(sum.fields[firstFilled(sum.fields)]))
	return io.NewSectionReader(data, 0, start+int64(sum.start)), nil
}

// leastSums is how many numbers of a line have to sum up what stands above them.
const leastSums = 5

// usual are the columns that nine in ten rows fill; nil if they or the rows are few.
func (t *above) usual() (list []int) {
	const least, rows = 5, 10
	for i := range t.columns {
		if 10*t.columns[i].filled >= 9*t.rows {
			list = append(list, i)
		}
	}
	if len(list) < least || t.rows < rows {
		return nil
	}
	return list
}

// surely tells whether five numbers of a line or more, and three in five of them, are the means of the columns that
// they stand in, with decimals, or totals beyond all that was answered there.
func (t *above) surely(fields []string) bool {
	right, numbers := 0, 0
	for i, field := range fields {
		said, decimals, ok := plainNumber(field)
		if !ok {
			continue
		}
		if numbers++; i >= len(t.columns) {
			continue
		}
		c := &t.columns[i]
		right += count(said != math.Trunc(said) && c.comesTo(meanOf, said, decimals) ||
			said > c.most && c.comesTo(totalOf, said, decimals))
	}
	return right >= leastSums && 5*right >= 3*numbers
}

// unlike tells whether a line has a word in a column of numbers, or a number in one without any.
func (t *above) unlike(fields []string, columns []int) bool {
	return slices.ContainsFunc(columns, func(i int) bool {
		if i >= len(fields) || blank(fields[i]) {
			return false
		}
		c := &t.columns[i]
		_, _, number := plainNumber(fields[i])
		return !number && c.n == float64(c.filled) || number && c.n == 0
	})
}

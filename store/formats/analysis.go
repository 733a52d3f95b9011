package formats

import (
	"io"
	"math"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/store/formats/csv"
)

// withoutAnalysis leaves out a line near the end of a text that says by a word, and shows by its numbers, that it sums
// up the rows above, with all that stands below it: tables that somebody made of the answers in the same sheet, in
// which no line fills half of the columns that nearly every row above fills. The first line of the text has the names
// of the columns.
func withoutAnalysis(data csv.File, delimiter rune, note func(string, ...any)) (csv.File, error) {
	const looked, longest = 64 << 10, 256 << 20 // bytes of the end, and bytes that are added up
	start := max(0, data.Size()-looked)
	if data.Size() > longest {
		return data, nil
	}
	tail := make([]byte, data.Size()-start)
	if _, err := data.ReadAt(tail, start); err != nil && err != io.EOF {
		return nil, err
	}
	sum, behind := closing{start: -1}, 0
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
	for line, fields := range linesBack(tail, delimiter) {
		if line == sum.start {
			break
		}
		filled := filledAt(fields)
		behind += count(len(filled) > 0)
		if 2*countIn(filled, usual) >= len(usual) {
			return data, nil
		}
	}
	if behind == 0 {
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

// countIn counts the places that are in an ascending list, too.
func countIn(places, list []int) (n int) {
	for _, place := range places {
		_, there := slices.BinarySearch(list, place)
		n += count(there)
	}
	return n
}

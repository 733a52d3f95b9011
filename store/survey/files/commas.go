package files

import (
	"context"
	"iter"
	"slices"

	"github.com/crosswave/crosswave/store/survey"
)

// decimalCommas finds the columns of numbers with a decimal comma: every field that is filled is a number, and some have a comma with three
// digits behind it or more, which codes with a comma between them would not.
func decimalCommas(head []byte, whole bool, delimiter rune, columns int) []int {
	const number, fraction = 1, 2 // what is known of a column
	state := make([]int, columns)
	for _, row := range records(head, delimiter, whole, 1000)[1:] {
		for i := range min(len(row), columns) {
			switch digits, ok := commaNumber([]byte(row[i])); {
			case row[i] == "" || state[i] < 0:
			case !ok:
				state[i] = -1
			case digits >= 3:
				state[i] |= fraction
			default:
				state[i] |= number
			}
		}
	}
	var list []int
	for i, s := range state {
		if s > 0 && s&fraction != 0 {
			list = append(list, i)
		}
	}
	return list
}

// commaNumber tells whether a text is a number that may have a decimal comma, and how many digits are behind it.
func commaNumber(text []byte) (digits int, ok bool) {
	i := 0
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		i = 1
	}
	comma := -1
	for n := i; n < len(text); n++ {
		switch {
		case text[n] >= '0' && text[n] <= '9':
		case text[n] == ',' && comma < 0 && n > i:
			comma = n
		default:
			return 0, false
		}
	}
	if comma >= 0 {
		return len(text) - comma - 1, len(text)-comma > 1
	}
	return 0, len(text) > i
}

// commaTable is a table with decimal points for the decimal commas of some columns.
type commaTable struct {
	*survey.CSVTable
	commas map[int]bool
}

func newCommaTable(t *survey.CSVTable, commas []int) *commaTable {
	c := &commaTable{t, map[int]bool{}}
	for _, i := range commas {
		c.commas[i] = true
	}
	return c
}

func (t *commaTable) Rows(ctx context.Context) iter.Seq2[survey.Row, error] {
	return func(yield func(survey.Row, error) bool) {
		out := &commaRow{commas: t.commas}
		for row, err := range t.CSVTable.Rows(ctx) {
			out.Row = row
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(out, nil) {
				return
			}
		}
	}
}

type commaRow struct {
	survey.Row
	commas map[int]bool
}

func (r *commaRow) Append(dst []byte, column int) []byte {
	begin := len(dst)
	dst = r.Row.Append(dst, column)
	if r.commas[column] {
		if _, ok := commaNumber(dst[begin:]); ok {
			if at := slices.Index(dst[begin:], ','); at >= 0 {
				dst[begin+at] = '.'
			}
		}
	}
	return dst
}

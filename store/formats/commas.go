package formats

import (
	"bytes"
	"context"
	"iter"
	"slices"

	"github.com/crosswave/crosswave/store/formats/csv"
	"github.com/crosswave/crosswave/store/survey"
)

// decimalCommas finds the columns of numbers with a decimal comma: every field that is filled is a number with one
// comma at the most, and some have a comma that can be nothing else. Two codes with a comma between them, and
// thousands, look much like it: what has a comma before its last three digits and nothing else, as 1,250 and 101,205,
// is left as it is, but for 1,250 in a file with decimal commas in another column.
func decimalCommas(head []byte, whole bool, delimiter rune, columns int) []int {
	// What is known of a column: there are numbers, with one or two digits behind a comma, with three, with three and
	// fewer before it, and sure fractions.
	const number, short, three, uneven, sure = 1, 2, 4, 8, 16
	state := make([]int, columns)
	for _, row := range records(head, delimiter, whole, 1000)[1:] {
		for i := range min(len(row), columns) {
			before, behind, ok := commaNumber([]byte(row[i]))
			switch {
			case row[i] == "" || state[i] < 0:
			case !ok:
				state[i] = -1
			case behind == 0:
				state[i] |= number
			case behind > 3, behind == 3 && before > 3, behind >= 2 && row[i][0] == '0':
				state[i] |= sure
			case behind == 3 && before < 3:
				state[i] |= three | uneven
			case behind == 3:
				state[i] |= three
			default:
				state[i] |= short
			}
		}
	}
	fraction := func(s int) bool { return s > 0 && (s&sure != 0 || s&three != 0 && s&short != 0) }
	other := slices.ContainsFunc(state, fraction)
	var list []int
	for i, s := range state {
		if fraction(s) || other && s > 0 && s&uneven != 0 {
			list = append(list, i)
		}
	}
	return list
}

// commaNumber tells whether a text is a number that may have a decimal comma, and how many digits stand before and
// behind it.
func commaNumber(text []byte) (before, behind int, ok bool) {
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
			return 0, 0, false
		}
	}
	if comma >= 0 {
		return comma - i, len(text) - comma - 1, len(text)-comma > 1
	}
	return len(text) - i, 0, len(text) > i
}

// commaTable is a table with decimal points for the decimal commas of some columns.
type commaTable struct {
	*csv.Table
	commas []int
}

func (t *commaTable) Blocks(ctx context.Context, columns []int) iter.Seq2[survey.Block, error] {
	return func(yield func(survey.Block, error) bool) {
		for block, err := range t.Table.Blocks(ctx, columns) {
			if err == nil {
				block = &commaBlock{block, t.commas}
			}
			if !yield(block, err) {
				return
			}
		}
	}
}

type commaBlock struct {
	survey.Block
	commas []int
}

func (b *commaBlock) Next(row *survey.Row) error {
	if err := b.Block.Next(row); err != nil {
		return err
	}
	for _, column := range b.commas {
		field := row.Field(column)
		if _, _, ok := commaNumber(field); ok {
			if at := bytes.IndexByte(field, ','); at >= 0 {
				field[at] = '.'
			}
		}
	}
	return nil
}

package formats

import (
	"bytes"
	"context"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/store/formats/csv"
	"github.com/crosswave/crosswave/store/survey"
)

// decimalCommas finds the columns of numbers with a decimal comma, in the rows behind so many of the header: every
// field that is filled is a number with one comma at the most, and some have a comma that can be nothing else. Two
// codes with a comma between them, and thousands, look much like it: what has a comma before its last three digits and
// nothing else, as 1,250 and 101,205, is left as it is, but for 1,250 in a file with decimal commas in another column.
// Where commas divide the fields, two codes in quotes are likelier: three fields have to be fractions for sure, and
// half of all to have a comma. Beside another column of fractions, what has nothing before a comma is one, too, and
// what has never a single digit there; beside more of them than of others with commas, also what has mostly numbers
// behind it that stand nowhere in front of one or alone, as 2,75 and 3,25 have: of two codes either may stand alone.
func decimalCommas(rows [][]string, header int, delimiter rune, columns int) []int {
	seen := make([]seenCommas, columns)
	for _, row := range rows[min(len(rows), header):] {
		for i := range min(len(row), columns) {
			seen[i].see(row[i])
		}
	}
	fraction := func(c seenCommas) bool { return c.fractions(delimiter == ',') }
	other := slices.ContainsFunc(seen, fraction)
	sure, unsure := 0, 0 // columns
	for _, c := range seen {
		sure += count(fraction(c))
		unsure += count(!fraction(c) && !c.words && c.with > 0)
	}
	mostly := sure >= 3 && sure >= unsure // the file is one of fractions
	var list []int
	for i, c := range seen {
		if fraction(c) || other && delimiter != ',' && !c.words &&
			(c.uneven || c.bare || c.short && !c.three && (!c.ones || mostly && c.onlyBehind())) {
			list = append(list, i)
		}
	}
	return list
}

// seenCommas is what was seen in a column of numbers with a comma in them.
type seenCommas struct {
	filled, with int // fields, and those with a comma
	sure         int // with a fraction that can be nothing else
	words        bool
	short, three bool // one or two digits stand behind a comma, or three
	uneven       bool // three, and fewer before
	bare         bool // nothing stands before one
	ones         bool // one digit stands before one, or alone, as codes do
	// what stands before a comma or alone, and what stands behind one how often
	before map[string]bool
	behind map[string]int
}

func (c *seenCommas) see(field string) {
	if field = strings.TrimSpace(field); field == "" || field == "NA" || field == "." {
		return
	}
	c.filled++
	before, behind, ok := commaNumber([]byte(field))
	c.ones = c.ones || before == 1
	if ok && behind <= 2 {
		c.keep(strings.Cut(field, ","))
	}
	switch {
	case !ok:
		c.words = true
		return
	case behind == 0:
		return
	case behind > 3, behind == 3 && before > 3, behind >= 2 && before == 1 && field[0] == '0':
		c.sure++
	case before == 0:
		c.bare = true
	case behind == 3:
		c.three, c.uneven = true, c.uneven || before < 3
	default:
		c.short = true
	}
	c.with++
}

// keep keeps what stands before a comma, and behind it if there is one.
func (c *seenCommas) keep(before, behind string, comma bool) {
	if c.before == nil {
		c.before, c.behind = map[string]bool{}, map[string]int{}
	}
	if c.before[before] = true; comma {
		c.behind[behind]++
	}
}

// onlyBehind tells whether most of what stands behind a comma stands nowhere else, and is out of all proportion to what
// does, as 75 is beside codes up to 5. All are parts of one that means of few items have.
func (c *seenCommas) onlyBehind() bool {
	const least, times = 2, 4 // numbers, and by how much the largest is larger
	only, different, most, largest := 0, 0, 0, 0
	for before := range c.before {
		n, err := strconv.Atoi(before)
		if err != nil || n >= 1000 {
			return false
		}
		largest = max(largest, n)
	}
	for behind, fields := range c.behind {
		n, _ := strconv.Atoi(behind)
		if len(behind) == 2 && n%5 != 0 && n != 33 && n != 66 && n != 67 {
			return false // no half, third, quarter or fifth
		}
		if !c.before[behind] {
			only, different, most = only+fields, different+1, max(most, n)
		}
	}
	return 2*only > c.with && different >= least && most > times*largest
}

// fractions tells whether the column has decimal commas. divided tells that commas divide the fields, too.
func (c *seenCommas) fractions(divided bool) bool {
	const least = 3
	switch {
	case c.words:
		return false
	case divided:
		return c.sure >= least && 2*c.with >= c.filled
	}
	return c.sure > 0 || c.three && c.short
}

// exponent is the end of a number such as 1,25E-05.
var exponent = regexp.MustCompile(`[eE][-+]?\d{1,3}$`)

// commaNumber tells whether a text is a number that may have a decimal comma, and how many digits stand before and
// behind it. A zero before it may have been left out, as SPSS does.
func commaNumber(text []byte) (before, behind int, ok bool) {
	text = text[:len(text)-len(exponent.Find(text))]
	i := 0
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		i = 1
	}
	comma := -1
	for n := i; n < len(text); n++ {
		switch {
		case text[n] >= '0' && text[n] <= '9':
		case text[n] == ',' && comma < 0:
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

package clickhouse

import (
	"fmt"
	"math/bits"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/crosswave/crosswave/audience"
)

// The rows of a summary are the binary digits of a number, pairs of them, and bands of it: all say something of one
// number. Respondents with the same number are in the same rows. So the server adds up those of each number, which it
// is soon told, and what rows a number is in is found out here.

// A line's key has so many bits at most for the number that the rows of a statement are about, and a statement at least
// so many columns beside it, if the table has them: with fewer, more statements would take longer than rows by rows.
const (
	mostValued  = 10
	leastBeside = 4
)

// valued is the number that all rows of a statement are about, as far as they tell one number from another.
type valued struct {
	question string
	digits   int64  // those that the rows look at, each 1
	given    bool   // whether they tell a number from none
	sql      string // what key writes
}

// about finds out whether all of some rows are about one number, and of which of its digits; nil if not, or if that is
// no help.
func about(f *audience.Frame, rows []option) *valued {
	if len(rows) <= fewRows {
		return nil
	}
	v := &valued{}
	for i := range rows {
		if !v.reads(f, rows[i].expression) {
			return nil
		}
	}
	if v.question == "" || v.bits() > mostValued {
		return nil
	}
	return v
}

// reads notes what of its number an expression looks at, and tells whether it looks at nothing else.
func (v *valued) reads(f *audience.Frame, x audience.Expr) bool {
	return audience.Walk(x, func(x audience.Expr) bool {
		question, digits, given := "", int64(0), false
		switch x := x.(type) {
		case audience.And, audience.Or, audience.Not:
			return true
		case audience.Slice:
			question, given = x.Question, x.Bit == audience.AnyNumber
			if !given {
				digits = 1 << x.Bit
			}
		case audience.Value:
			i, err := f.Question(x.Question)
			if err != nil || i < 0 {
				return false
			}
			question, digits, given = x.Question, 1<<f.Numbers(i).Bits-1, true
		default:
			return false
		}
		if v.question != "" && v.question != question {
			return false
		}
		v.question, v.digits, v.given = question, v.digits|digits, v.given || given
		return true
	})
}

// shift is the lowest digit that the rows look at.
func (v *valued) shift() int { return bits.TrailingZeros64(uint64(v.digits)) % 64 }

// bits is how many bits a key has for the number: from the lowest digit that the rows look at to the highest, and below
// these one that is 1 of a number and 0 of none, if the rows tell these apart.
func (v *valued) bits() int {
	n := bits.Len64(uint64(v.digits) >> v.shift())
	if v.given {
		n++
	}
	return n
}

// values is how many lines there can be of a stratum: who has no number has only noughts for digits.
func (v *valued) values() int {
	if v.given {
		return 1<<(v.bits()-1) + 1
	}
	return 1 << v.bits()
}

// key writes the SQL expression of a respondent's number, as lines are known by it; "" if nobody has a number.
func (v *valued) key(c *coder) (string, error) {
	number, err := c.number(audience.Slice{Question: v.question})
	if err != nil || number == "" {
		return "", err
	}
	text := fmt.Sprintf("toUInt16(bitAnd(%s, toInt64(%d)))", number, v.digits)
	if v.digits == 0 {
		text = ""
	} else if n := v.shift(); n > 0 {
		text = fmt.Sprintf("toUInt16(bitShiftRight(bitAnd(%s, toInt64(%d)), %d))", number, v.digits, n)
	}
	if !v.given {
		return text, nil
	}
	given, err := c.number(audience.Slice{Question: v.question, Bit: audience.AnyNumber})
	if err != nil || given == "" {
		return "", err
	}
	given = "toUInt16(" + given + " != 0)"
	if text == "" {
		return given, nil
	}
	return text + " * 2 + " + given, nil
}

// stratumValue is what the key of a line tells: the stratum, and what key writes of the number.
type stratumValue struct{ stratum, value int }

// addNumber notes the sums of a line, of a number, which finish adds to the rows that the number is in.
func (st *statement) addNumber(line driver.Rows) error {
	key, list, err := st.scanWords(line)
	if err != nil {
		return err
	}
	p := st.pattern
	at := stratumValue{int(key >> p.rows & (1<<p.stratumBits - 1)), int(key & (1<<p.rows - 1))}
	if at.stratum >= len(st.strata) {
		return fmt.Errorf("the answer has a line of stratum %d, and there are %d", at.stratum, len(st.strata))
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.numbers == nil {
		st.numbers = map[stratumValue][]audience.Moments{}
	}
	add(&st.numbers, at, list)
	return nil
}

// add adds sums to those under a key.
func add[K comparable](to *map[K][]audience.Moments, at K, list []audience.Moments) {
	if *to == nil {
		*to = map[K][]audience.Moments{}
	}
	sums := (*to)[at]
	if sums == nil {
		sums = make([]audience.Moments, len(list))
		(*to)[at] = sums
	}
	for i := range list {
		sums[i].Sample += list[i].Sample
		sums[i].Weight += list[i].Weight
		sums[i].Squares = sums[i].Squares.Plus(list[i].Squares)
	}
}

// finish adds what came of numbers to the cells of the rows that these are in, once all servers have answered.
func (st *statement) finish() error {
	type line struct {
		stratum int
		row     uint32
	}
	var lines map[line][]audience.Moments
	rows := map[int][]uint32{} // by value
	for at, list := range st.numbers {
		if rows[at.value] == nil {
			rows[at.value] = st.pattern.number.rows(st.rows, at.value)
		}
		for _, row := range rows[at.value] {
			add(&lines, line{at.stratum, row}, list)
		}
	}
	for at, list := range lines {
		for i := range list {
			if err := st.put(cellKey(at.stratum, at.row, i), &list[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// rows lists, by their numbers in keys, the rows that respondents are in for whom key writes a value.
func (v *valued) rows(side *side, value int) []uint32 {
	list := []uint32{everyRow}
	n, given := int64(value), true
	if v.given {
		n, given = n>>1, n&1 == 1
	}
	for i, x := range side.expressions {
		if v.holds(x, n<<v.shift(), given) {
			list = append(list, conditionKeys+uint32(i))
		}
	}
	return list
}

// holds tells whether an expression that v reads holds of a respondent, of whose number the digits that v reads are
// known, and whether there is one.
func (v *valued) holds(x audience.Expr, number int64, given bool) bool {
	switch x := x.(type) {
	case audience.And:
		for _, part := range x {
			if !v.holds(part, number, given) {
				return false
			}
		}
		return true
	case audience.Or:
		for _, part := range x {
			if v.holds(part, number, given) {
				return true
			}
		}
		return false
	case audience.Not:
		return !v.holds(x.X, number, given)
	case audience.Slice:
		if x.Bit == audience.AnyNumber {
			return given
		}
		return number>>x.Bit&1 == 1
	case audience.Value:
		return given && number == x.Number&v.digits
	}
	return false
}

package clickhouse

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// Numbers that respondents gave stand in two columns side by side, both arrays: keys, which say of which question a
// number is and how many decimals it is stored with, and the numbers themselves without their decimal point. As with
// weights they are stored with all digits that matter and become integers of the frame's unit as they are counted, so
// that an import that changes a question's unit rewrites no row.

// groupQuestions is how many questions of numbers share a pair of columns, as a statement reads only those columns that
// it asks about.
const groupQuestions = 16

// groups is how many pairs of columns hold numbers.
func (st *state) groups() int { return (int(st.Numbered) + groupQuestions - 1) / groupQuestions }

// group is the pair of columns that a question's numbers are in.
func group(question uint32) int { return int(question-1) / groupQuestions }

// numberColumns are the names of the two columns that hold numbers of a group of questions.
func numberColumns(group int) (keys, values string) {
	return fmt.Sprintf("n%d", group), fmt.Sprintf("v%d", group)
}

// numberKey says of a number v that it is v·10^-e and of which question.
func numberKey(question uint32, e int32) uint64 { return uint64(question)<<32 | uint64(uint32(e)) }

func splitKey(key uint64) (question uint32, e int32) { return uint32(key >> 32), int32(uint32(key)) }

// givens is the two columns of a group: those of all respondents, one respondent after the other.
type givens struct {
	keys   []uint64
	values []int64
	ends   []int // where each respondent's numbers end
}

// of returns the numbers of respondent i, who is finished.
func (n *givens) of(i int) ([]uint64, []int64) {
	from := 0
	if i > 0 {
		from = n.ends[i-1]
	}
	return n.keys[from:n.ends[i]], n.values[from:n.ends[i]]
}

// give notes a number that the respondent that was begun gave, and tells whether it could.
func (b *block) give(question uint32, m int64, e int32) bool {
	if b.apart != nil {
		return b.apart[question-1].put(m, e)
	}
	to := &b.numbers[group(question)]
	to.keys, to.values = append(to.keys, numberKey(question, e)), append(to.values, m)
	b.total++
	return true
}

// encodeNumber returns m and e, for which the number is m·10^-e, by the rules for weights; e is not negative.
func encodeNumber(d decimal.Decimal, most *int) (m int64, e int32, err error) {
	text := d.String()
	size, negative := strings.CutPrefix(text, "-")
	if negative {
		if d, err = decimal.Parse(size, true); err != nil {
			return 0, 0, err
		}
	}
	if d.IsZero() {
		return 0, int32(*most), nil
	}
	m, e, err = encodeWeight(d, most)
	for ; err == nil && e < 0; e++ {
		if m *= 10; m >= digits {
			err = fmt.Errorf("too many digits")
		}
	}
	if err != nil {
		return 0, 0, fmt.Errorf("the number %s can't be stored", text)
	}
	if negative {
		m = -m
	}
	return m, e, nil
}

// given describes the numbers of one question that respondents of a part gave.
type given struct {
	Question uint32 `json:"question"` // its number
	Decimals []int  `json:"decimals"` // that they are stored with, ascending
	// Of those who take part in the question's namespace; "" if there are none.
	Largest  string `json:"largest,omitempty"`
	Smallest string `json:"smallest,omitempty"`
	// The locations, by number, where none of those who gave one takes part: no frame covers these, and their numbers may
	// be beyond the bits of those that it covers.
	Idle []uint16 `json:"idle,omitempty"`
}

type numberTally struct {
	decimals          map[int]bool
	some              bool // largest and smallest are set
	largest, smallest decimal.Decimal
	locations         map[uint16]bool // where numbers were given, and does anybody of them take part?
}

// number counts a number, which is stored with e decimals, and tells of a respondent who takes part in the question's
// namespace or not.
func (t *tally) number(question uint32, location uint16, d decimal.Decimal, e int32, part bool) {
	n := t.numbers[question]
	if n == nil {
		n = &numberTally{decimals: map[int]bool{}, locations: map[uint16]bool{}}
		t.numbers[question] = n
	}
	n.decimals[int(e)] = true
	n.locations[location] = n.locations[location] || part
	if !part {
		return
	}
	if !n.some {
		n.some, n.largest, n.smallest = true, d, d
	}
	if d.Cmp(n.largest) > 0 {
		n.largest = d
	}
	if d.Cmp(n.smallest) < 0 {
		n.smallest = d
	}
}

func (n *numberTally) given(question uint32) given {
	g := given{Question: question, Decimals: slices.Sorted(maps.Keys(n.decimals))}
	if n.some {
		g.Largest, g.Smallest = n.largest.String(), n.smallest.String()
	}
	for _, location := range slices.Sorted(maps.Keys(n.locations)) {
		if !n.locations[location] {
			g.Idle = append(g.Idle, location)
		}
	}
	return g
}

// places are the numbers of decimals, ascending, that published numbers of a question are stored with, in columns of
// their own or in lists, and idle the fieldwork, as wave·2^16 + location, in which there are some that no frame covers.
func (st *state) places(question uint32) (apart, listed, idle []int) {
	for _, w := range st.Waves {
		for _, p := range w.Parts {
			for _, g := range p.Numbers {
				if g.Question != question {
					continue
				}
				if p.Apart {
					apart = append(apart, g.Decimals...)
				} else {
					listed = append(listed, g.Decimals...)
				}
				for _, location := range g.Idle {
					idle = append(idle, int(w.Number)<<16|int(location))
				}
			}
		}
	}
	return set(apart), set(listed), set(idle)
}

// checkNumbers sees to it that all published numbers are within the bits that a frame says they have.
func (st *state) checkNumbers(f *audience.Frame) error {
	in := map[uint32]int{}
	for i := range f.Questions {
		if q := st.questions[f.Questions[i].Key()]; q != nil && q.Number > 0 && f.Numbers(i).Bits > 0 {
			in[q.Number] = i
		}
	}
	for _, w := range st.Waves {
		for _, p := range w.Parts {
			for _, g := range p.Numbers {
				i, there := in[g.Question]
				if !there || g.Largest == "" {
					continue // nobody can ask for them, or nobody is asked about who has one
				}
				for _, text := range []string{g.Largest, g.Smallest} {
					d, err := decimal.Parse(text, true)
					if err != nil {
						return err
					}
					n := f.Numbers(i)
					half := int64(1) << (n.Bits - 1)
					if v, ok := d.Scaled(n.Decimals); !ok || v < -half || v >= half {
						return fmt.Errorf("question %q, wave %q: the number %s has no room in %d bits, in units of 10^%d",
							f.Questions[i].Key(), w.Code, d, n.Bits, -n.Decimals)
					}
				}
			}
		}
	}
	return nil
}

// slice writes the condition that one binary digit of a respondent's number is 1, or that there is a number.
func (c *coder) slice(x audience.Slice) (string, error) {
	number, err := c.number(x)
	switch {
	case err != nil || number == "":
		return never, err
	case x.Bit == audience.AnyNumber:
		return "(" + number + " != 0)", nil
	}
	return fmt.Sprintf("(bitAnd(%s, toInt64(%d)) != 0)", number, int64(1)<<x.Bit), nil
}

// value writes the condition that a respondent's number is one number.
func (c *coder) value(x audience.Value) (string, error) {
	number, err := c.number(audience.Slice{Question: x.Question, Path: x.Path})
	if err != nil {
		return never, err
	}
	given, err := c.number(audience.Slice{Question: x.Question, Bit: audience.AnyNumber, Path: x.Path})
	i, _ := c.frame.Question(x.Question)
	switch n := c.frame.Numbers(i); {
	case err != nil || given == "":
		return never, err
	case !n.Fits(x.Number):
		return never, &audience.InvalidError{Path: x.Path, Reason: fmt.Sprintf("the numbers of question %q have %d bits, "+
			"which have no room for %d", x.Question, n.Bits, x.Number)}
	case x.Number != 0 && number == "":
		return never, nil
	case x.Number != 0:
		return fmt.Sprintf("(%s = toInt64(%d))", number, x.Number), nil
	case number == "":
		return "(" + given + " != 0)", nil
	}
	return fmt.Sprintf("(%s = 0 AND %s != 0)", number, given), nil
}

// number writes the expression of a respondent's number in the frame's unit, by its name, or, of audience.AnyNumber,
// whether there is one; "" if it is 0 whatever the number. A respondent without a number has the number 0, and so has
// one of fieldwork whose numbers nobody asks about.
func (c *coder) number(x audience.Slice) (string, error) {
	i, err := c.frame.Question(x.Question)
	if err != nil {
		return "", err
	}
	if i < 0 {
		return "", &audience.InvalidError{Path: x.Path, Reason: fmt.Sprintf("question %q is not in the store", x.Question)}
	}
	numbers := c.frame.Numbers(i)
	if x.Bit < audience.AnyNumber || x.Bit >= numbers.Bits {
		return "", &audience.InvalidError{Path: x.Path, Reason: fmt.Sprintf("the numbers of question %q have %d bits, and "+
			"none of them is bit %d", x.Question, numbers.Bits, x.Bit)}
	}
	q := c.state.questions[c.frame.Questions[i].Key()]
	if q == nil || q.Number == 0 {
		return "", nil
	}
	apart, listed, idle := c.state.places(q.Number)
	name, operator := fmt.Sprintf("number%d_", q.Number), " + "
	terms := numberTerms(q.Number, apart, listed, numbers.Decimals)
	if x.Bit == audience.AnyNumber {
		name, operator = fmt.Sprintf("given%d_", q.Number), " OR "
		terms = givenTerms(q.Number, apart, listed)
	}
	if len(terms) == 0 {
		return "", nil
	}
	text := strings.Join(terms, operator)
	if len(idle) > 0 {
		text = fmt.Sprintf("if(%s, 0, %s)", among("toUInt32(wave) * 65536 + loc", idle), text)
	}
	return c.call(name, text), nil
}

// inUnit writes the SQL expression of a number v·10^-e in units of 10^-k, rounded half away from zero; "" if it is 0
// whatever v is: v has 18 digits at most, and no number has more than 41 bits in the unit.
func inUnit(v string, e, k int) string {
	const most = 18
	power := func(n int) int64 { return int64(math.Pow10(n)) } // exact up to 10^18
	switch d := k - e; {
	case d > most || d < -most:
		return ""
	case d == 0:
		return v
	case d > 0:
		return fmt.Sprintf("%s * toInt64(%d)", v, power(d))
	default:
		half := 5 * power(-d-1)
		return fmt.Sprintf("intDiv(%s + if(%s < 0, toInt64(%d), toInt64(%d)), toInt64(%d))", v, v, -half, half, power(-d))
	}
}

package clickhouse

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
)

// A band of numbers comes as a condition on each of their digits, nested as deep as there are digits, and a derived
// question may read others that have bands. Older servers take time with the square of such a text: many seconds for
// respondents whom they count in milliseconds. So a number is written once, in front of the statement, and called by a
// name; and digits that together say that a number reaches another one are a comparison.

// named is an expression that has a name.
type named struct{ name, text string }

// call has a statement call an expression by a name.
func (c *coder) call(name, text string) string {
	if !slices.ContainsFunc(c.named, func(n named) bool { return n.name == name }) {
		c.named = append(c.named, named{name, text})
	}
	return name
}

// with puts what a statement's text calls by names in front of it.
func (c *coder) with(sql string) string {
	var list []string
	for _, n := range c.named {
		if strings.Contains(sql, n.name) {
			list = append(list, "("+n.text+") AS "+n.name)
		}
	}
	if len(list) == 0 {
		return sql
	}
	return "WITH " + strings.Join(list, ", ") + " " + sql
}

// threshold is a number of a question that others reach, turned so that numbers in two's complement are in order: the
// top one of its digits, of which there are so many, is the other way round.
type threshold struct {
	question string
	bits     int
	turned   int64
}

// reaching tells whether an expression says of the digits of a number just that it reaches another one, and which: from
// the lowest digit that is 1 in that one up, a 1 is joined to what is before it by an and, and a 0 by an or.
func (c *coder) reaching(x audience.Expr) (t threshold, ok bool) {
	first := x
	for {
		list := parts(first)
		if len(list) == 0 {
			break
		}
		first = list[0]
	}
	lowest, ok := digitIn(first)
	if !ok || lowest.Bit < 0 {
		return t, false
	}
	i, err := c.frame.Question(lowest.Question)
	if err != nil || i < 0 {
		return t, false
	}
	t = threshold{question: lowest.Question, bits: c.frame.Numbers(i).Bits}
	next, ok := t.follow(x, lowest.Bit)
	return t, ok && next == t.bits && lowest.Bit < t.bits-1
}

// follow reads the digits that an expression is about, the lowest of which must be bit, into the threshold, and returns
// which comes next.
func (t *threshold) follow(x audience.Expr, bit int) (next int, ok bool) {
	list := parts(x)
	if len(list) == 0 {
		ok = t.is(x, bit)
		t.turned |= 1 << bit
		return bit + 1, ok
	}
	if next, ok = t.follow(list[0], bit); !ok {
		return 0, false
	}
	_, ones := x.(audience.And)
	for _, one := range list[1:] {
		if !t.is(one, next) {
			return 0, false
		}
		if ones {
			t.turned |= 1 << next
		}
		next++
	}
	return next, true
}

// is tells whether an expression is a digit of the threshold's question, the top one turned.
func (t *threshold) is(x audience.Expr, bit int) bool {
	_, turned := x.(audience.Not)
	d, ok := digitIn(x)
	return ok && d.Question == t.question && d.Bit == bit && turned == (bit == t.bits-1)
}

// and joins conditions all of which have to hold. Those on digits of one number are one comparison.
func (c *coder) and(x audience.And) (string, error) {
	var rest []audience.Expr
	found := map[string][]audience.Expr{} // by question
	var questions []string
	for _, part := range c.flat(x, nil) {
		d, ok := digitIn(part)
		if !ok || d.Bit < 0 {
			rest = append(rest, part)
			continue
		}
		if found[d.Question] == nil {
			questions = append(questions, d.Question)
		}
		found[d.Question] = append(found[d.Question], part)
	}
	var joined []string
	for _, question := range questions {
		list := found[question]
		if len(list) == 1 {
			rest = append(rest, list[0])
			continue
		}
		text, err := c.digits(list)
		if err != nil {
			return "", err
		}
		joined = append(joined, text)
	}
	if len(joined) == 0 {
		return c.all(x, never, always, " AND ")
	}
	return c.all(rest, never, always, " AND ", joined...)
}

// flat adds what an and joins to a list, and what ands within it join, but for those that are comparisons by
// themselves.
func (c *coder) flat(x audience.And, to []audience.Expr) []audience.Expr {
	for _, part := range x {
		within, ok := part.(audience.And)
		if ok {
			_, compared := c.reaching(part)
			ok = !compared
		}
		if ok {
			to = c.flat(within, to)
		} else {
			to = append(to, part)
		}
	}
	return to
}

// digits writes the condition that digits of one number, of which there are some, are all as they are said to be.
func (c *coder) digits(list []audience.Expr) (string, error) {
	number, mask, value := "", int64(0), int64(0)
	for _, x := range list {
		d, _ := digitIn(x)
		var err error
		if number, err = c.number(d); err != nil {
			return "", err
		}
		bit, want := int64(1)<<d.Bit, int64(0)
		if _, turned := x.(audience.Not); !turned {
			want = bit
		}
		if mask&bit != 0 && value&bit != want {
			return never, nil
		}
		mask, value = mask|bit, value|want
	}
	switch {
	case number != "":
		return fmt.Sprintf("(bitAnd(%s, toInt64(%d)) = toInt64(%d))", number, mask, value), nil
	case value == 0:
		return always, nil
	}
	return never, nil
}

// digitIn is the digit that an expression is, or is the opposite of.
func digitIn(x audience.Expr) (audience.Slice, bool) {
	if not, is := x.(audience.Not); is {
		x = not.X
	}
	d, is := x.(audience.Slice)
	return d, is
}

// parts lists what an and or an or joins.
func parts(x audience.Expr) []audience.Expr {
	switch x := x.(type) {
	case audience.And:
		return x
	case audience.Or:
		return x
	}
	return nil
}

// reach writes the condition that the number of a respondent reaches another one. It is one on the number's digits
// alone, as those that it stands for are.
func (c *coder) reach(t threshold) (string, error) {
	number, err := c.number(audience.Slice{Question: t.question})
	if err != nil {
		return "", err
	}
	half := int64(1) << (t.bits - 1)
	switch {
	case number != "":
		return fmt.Sprintf("(bitXor(bitAnd(%s, toInt64(%d)), toInt64(%d)) >= toInt64(%d))", number, 2*half-1, half,
			t.turned), nil
	case half >= t.turned:
		return always, nil
	}
	return never, nil
}

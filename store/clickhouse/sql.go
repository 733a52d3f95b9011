package clickhouse

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
)

// Conditions are SQL expressions of type UInt8. What is always or never so is folded away and not sent: an array of
// nothing but constants would be a constant itself to the server.
const (
	always = "1"
	never  = "0"
)

// coder writes expressions as SQL conditions on one respondent, which is a line of the server's table.
type coder struct {
	format Format // of the lines
	frame  *audience.Frame
	state  *state
	named  []named // expressions that conditions call by their names
}

func (c *coder) condition(x audience.Expr) (string, error) {
	if t, ok := c.reaching(x); ok {
		return c.reach(t)
	}
	switch x := x.(type) {
	case nil, audience.Everyone:
		return always, nil
	case audience.And:
		return c.and(x)
	case audience.Or:
		return c.all(x, always, never, " OR ")
	case audience.Not:
		part, err := c.condition(x.X)
		switch {
		case err != nil:
			return "", err
		case part == always:
			return never, nil
		case part == never:
			return always, nil
		}
		return "NOT " + part, nil
	case audience.Waves:
		return c.pseudo("wave", "wave", x.Codes, x.Min, x.Path, c.frame.Wave, func(code string) (int, bool) {
			if w := c.state.waves[code]; w != nil {
				return int(w.Number), true
			}
			return 0, false
		})
	case audience.Locations:
		return c.pseudo("location", "loc", x.Codes, x.Min, x.Path, c.frame.Location, func(code string) (int, bool) {
			n, there := c.state.locations[code]
			return int(n), there
		})
	case audience.Answers:
		return c.answers(x)
	case audience.Slice:
		return c.slice(x)
	case audience.Value:
		return c.value(x)
	}
	return "", fmt.Errorf("an expression of type %T can't be counted", x)
}

// all joins the conditions of an and or an or. If one of them is settling, so is the whole; those that are neutral are
// left out. Some may be written already.
func (c *coder) all(xs []audience.Expr, settling, neutral, operator string, written ...string) (string, error) {
	var parts []string
	settled := false
	add := func(part string) {
		settled = settled || part == settling
		if part != neutral && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	for _, x := range xs {
		part, err := c.condition(x)
		if err != nil {
			return "", err
		}
		add(part)
	}
	for _, part := range written {
		add(part)
	}
	switch {
	case settled:
		return settling, nil
	case len(parts) == 0:
		return neutral, nil
	case len(parts) == 1:
		return parts[0], nil
	}
	return "(" + strings.Join(parts, operator) + ")", nil
}

// pseudo writes a condition on the wave or the location, which are no questions but are asked like one: known tells
// whether the frame has a code, and number under which number the server's table has it.
func (c *coder) pseudo(what, column string, codes []string, least int, path string, known func(string) int,
	number func(string) (int, bool)) (string, error) {
	var list []int
	for _, code := range codes {
		if known(code) < 0 {
			return "", &audience.InvalidError{Path: path, Reason: fmt.Sprintf("%s %q is not in the store", what, code)}
		}
		if n, there := number(code); there {
			list = append(list, n)
		}
	}
	switch {
	case least > 1:
		return never, nil
	case len(codes) == 0:
		return always, nil
	case len(list) == 0:
		return never, nil
	}
	return "(" + among(column, list) + ")", nil
}

func (c *coder) answers(x audience.Answers) (string, error) {
	points, column, err := c.state.attributes(c.frame, x)
	if err != nil {
		return "", err
	}
	d := answerColumn(column)
	least := max(1, x.Min)
	if least > len(points) {
		return never, nil
	}
	if c.format == Words {
		return bitsOf(points, least), nil
	}
	if least == 1 {
		return anyOf(d, slices.Concat(points...)), nil
	}
	if !slices.ContainsFunc(points, func(p []uint32) bool { return len(p) > 1 }) { // an array holds an attribute once
		return fmt.Sprintf("(arrayCount(a -> %s, %s) >= %d)", among("a", slices.Concat(points...)), d, least), nil
	}
	var parts []string
	for _, p := range points {
		parts = append(parts, anyOf(d, p))
	}
	return fmt.Sprintf("(%s >= %d)", strings.Join(parts, " + "), least), nil
}

// single tells whether an expression holds for just those who are positive on one attribute, and on which.
func (c *coder) single(x audience.Expr) (a attribute, ok bool, err error) {
	switch x := x.(type) {
	case audience.And:
		if len(x) == 1 {
			return c.single(x[0])
		}
	case audience.Or:
		if len(x) == 1 {
			return c.single(x[0])
		}
	case audience.Answers:
		points, column, err := c.state.attributes(c.frame, x)
		if err == nil && x.Min <= 1 && len(points) == 1 && len(points[0]) == 1 {
			return attribute{points[0][0], column}, true, nil
		}
		return attribute{}, false, err
	}
	return attribute{}, false, nil
}

// anyOf writes the condition that a respondent is positive on any of some attributes, all of which are in one column.
func anyOf(column string, attributes []uint32) string {
	if len(attributes) == 1 {
		return fmt.Sprintf("has(%s, %d)", column, attributes[0])
	}
	return fmt.Sprintf("arrayExists(a -> %s, %s)", among("a", attributes), column)
}

// among writes the condition that x is one of the numbers in a list. The numbers of a question's attributes mostly
// stand in a row, and ranges are compared faster than a set is looked into.
func among[T int | uint16 | uint32 | uint64](x string, list []T) string {
	list = set(list)
	var runs []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		if i == j {
			runs = append(runs, fmt.Sprintf("%s = %d", x, list[i]))
		} else {
			runs = append(runs, fmt.Sprintf("(%s >= %d AND %s <= %d)", x, list[i], x, list[j]))
		}
		i = j + 1
	}
	switch {
	case len(runs) > 4:
		return fmt.Sprintf("%s IN (%s)", x, numbers(list))
	case len(runs) > 1:
		return "(" + strings.Join(runs, " OR ") + ")"
	}
	return runs[0]
}

// units writes the SQL expression of a respondent's weight in units of 10^-k people. The server's table holds weights
// as w·10^-e, where w has as many digits as are needed to round half away from zero in any unit that the weight can be
// counted in; es are the e that occur.
func units(w, e string, es []int, k int) string {
	power := func(n int) int64 { return int64(math.Pow10(n)) } // exact up to 10^18
	// The weight is (w·times + add) / over: one of the three for each of es.
	times, add, over := make([]int64, len(es)), make([]int64, len(es)), make([]int64, len(es))
	divided := false
	for i, have := range es {
		times[i], add[i], over[i] = 1, 0, 1
		if d := k - have; d >= 0 {
			times[i] = power(d)
		} else {
			divided = true
			add[i], over[i] = 5*power(-d-1), power(-d)
		}
	}
	choose := func(list []int64, otherwise int64) string {
		if len(list) == 1 {
			return fmt.Sprintf("toInt64(%d)", list[0])
		}
		return fmt.Sprintf("transform(%s, [%s], [%s], toInt64(%d))", e, numbers(es),
			join(list, func(n int64) string { return fmt.Sprintf("toInt64(%d)", n) }), otherwise)
	}
	product := w
	if slices.Max(times) > 1 {
		product = fmt.Sprintf("%s * %s", w, choose(times, 1))
	}
	if !divided {
		return product
	}
	return fmt.Sprintf("intDiv(%s + %s, %s)", product, choose(add, 0), choose(over, 1))
}

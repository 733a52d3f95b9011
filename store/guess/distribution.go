package guess

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// Distribution is what stands in a column, for people to look at.
type Distribution struct {
	Rows, Empty int64 // of the file, and those of them without a value
	// Shares are of each value: labelled ones in the order of their labels, then numbers by size, then texts, the
	// commonest first.
	Shares  []Share
	Bars    []Bar // in place of Shares: of numbers that are too many to be told one by one
	Various bool  // in place of both: the values are too many, and not all of them numbers
}

// Share is how many rows have a value.
type Share struct {
	Value, Label string
	Count        int64
}

// Text is the value as people write it, and its label behind it if it has one of its own.
func (s Share) Text() string {
	if s.Label != "" && s.Label != s.Value {
		return shown(s.Value) + " " + s.Label
	}
	return shown(s.Value)
}

// Bar is how many rows, of all that have a number, have one from From to below To; the last holds To, too. It is formed
// of a sample of the numbers.
type Bar struct {
	From, To, Share float64
}

const (
	mostShares  = 40      // different values of a column that are counted
	fewNumbers  = 12      // without labels, that are told one by one
	allShares   = 1 << 18 // of all columns together
	longestText = 120     // bytes of a value that are kept
)

// Distributions reads the file once more and tells what stands in each column, in the order of f.Columns. Memory does
// not grow with the number of rows.
func Distributions(ctx context.Context, f *File) ([]Distribution, error) {
	columns := make([]counted, len(f.Columns))
	for i := range columns {
		columns[i] = counted{counts: map[string]int64{}, number: true}
	}
	rows, kept := int64(0), 0
	for row, err := range survey.Rows(ctx, f.Table) {
		if err != nil {
			return nil, err
		}
		if row.Empty {
			continue
		}
		rows++
		for i := range columns {
			columns[i].see(string(row.Field(i)), &kept)
		}
	}
	list := make([]Distribution, len(columns))
	for i := range columns {
		list[i] = columns[i].finish(&f.Columns[i])
		list[i].Rows = rows
	}
	return list, ctx.Err()
}

// counted is a column whose values are being counted.
type counted struct {
	counts map[string]int64 // nil: there are too many
	number bool             // all values so far are numbers
	sample sample           // of them, where there are too many
	empty  int64
}

func (c *counted) see(raw string, kept *int) {
	text := canonical(raw)
	if text == "" {
		c.empty++
		return
	}
	if len(text) > longestText {
		text = strings.ToValidUTF8(text[:longestText], "") + "…"
	}
	if c.counts == nil {
		c.take(text, 1)
		return
	}
	if _, known := c.counts[text]; !known {
		if len(c.counts) == mostShares || *kept == allShares {
			*kept -= len(c.counts)
			before := c.counts
			c.counts, c.sample.stride = nil, 1
			for value, n := range before {
				c.take(value, n)
			}
			c.take(text, 1)
			return
		}
		*kept++
		text = strings.Clone(text)
	}
	c.counts[text]++
}

// take puts a number of which there are n into the sample.
func (c *counted) take(text string, n int64) {
	if !c.number {
		return
	}
	d, err := decimal.Parse(text, true)
	if err != nil {
		c.number = false
		return
	}
	for range n {
		c.sample.take(d.Float64())
	}
}

func (c *counted) finish(column *Column) Distribution {
	out := Distribution{Empty: c.empty}
	switch {
	case c.counts == nil && c.number:
		out.Bars = bars(c.sample.numbers)
		return out
	case c.counts == nil:
		out.Various = true
		return out
	case c.numbers() && len(c.counts) > fewNumbers && len(column.Labels) == 0:
		c.sample.stride = 1
		for value, n := range c.counts {
			c.take(value, n)
		}
		out.Bars = bars(c.sample.numbers)
		return out
	}
	order := map[string]int{}
	for i, l := range column.Labels {
		value := canonical(l.Value)
		if _, twice := order[value]; twice || len(order) == mostShares {
			continue
		}
		order[value] = i + 1
		out.Shares = append(out.Shares, Share{l.Value, l.Text, c.counts[value]})
	}
	labelled := len(out.Shares)
	for value, n := range c.counts {
		if order[value] == 0 {
			out.Shares = append(out.Shares, Share{Value: value, Count: n})
		}
	}
	slices.SortFunc(out.Shares[labelled:], func(a, b Share) int {
		x, errX := strconv.ParseFloat(a.Value, 64)
		y, errY := strconv.ParseFloat(b.Value, 64)
		switch {
		case errX == nil && errY == nil:
			return cmp.Compare(x, y)
		case errX == nil:
			return -1
		case errY == nil:
			return 1
		}
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value))
	})
	return out
}

// numbers tells whether all values that were counted are numbers.
func (c *counted) numbers() bool {
	for value := range c.counts {
		if _, err := decimal.Parse(value, true); err != nil {
			return false
		}
	}
	return true
}

// bars divides numbers into up to twelve bars between round edges.
func bars(numbers []float64) []Bar {
	if len(numbers) == 0 {
		return nil
	}
	least, most := slices.Min(numbers), slices.Max(numbers)
	step := (most - least) / 10
	if !(step > 0) || math.IsInf(step, 0) {
		return []Bar{{least, most, 1}}
	}
	size := math.Pow(10, math.Floor(math.Log10(step)))
	for _, times := range []float64{1, 2, 5, 10} {
		if step <= size*times {
			step = size * times
			break
		}
	}
	first := math.Floor(least / step)
	list := make([]Bar, int(math.Floor(most/step)-first)+1)
	for i := range list {
		list[i].From, list[i].To = (first+float64(i))*step, (first+float64(i)+1)*step
	}
	for _, n := range numbers {
		at := min(max(0, int(math.Floor(n/step)-first)), len(list)-1)
		list[at].Share += 1 / float64(len(numbers))
	}
	return list
}

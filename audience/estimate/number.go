package estimate

import (
	"context"
	"math/big"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/inference"
)

// Numbers says which numbers respondents have, and by which counts they are told. Use NumbersOf or PartsOf.
type Numbers struct {
	any      audience.Expr // who has a number
	decimals int           // numbers are kept in units of 10^-decimals
	rows     []numberRow
	slices   *sliced // nil: each row is a number of its own
	ragged   bool    // rows may cover different fieldwork
}

// numberRow is an audience of whom each adds to the sums of numbers and of squared numbers.
type numberRow struct {
	x           audience.Expr
	sum, square *big.Int // what one of them adds, in units and in squared units
}

// NumbersOf are the numbers of a question that a store keeps (audience.Frame.Numbers).
func NumbersOf(question string, kept audience.Numbers) *Numbers {
	s := &sliced{question: question, bits: kept.Bits}
	s.least, s.greatest = kept.Range()
	n := &Numbers{any: s.slice(audience.AnyNumber), decimals: kept.Decimals}
	if n.slices = s; kept.Bits <= fewBits {
		return n.values()
	}
	for bit := range kept.Bits {
		weight := s.weight(bit)
		n.rows = append(n.rows, numberRow{s.slice(bit), weight, new(big.Int).Mul(weight, weight)})
	}
	for high := range kept.Bits {
		for low := range high {
			twice := new(big.Int).Mul(s.weight(high), s.weight(low))
			n.rows = append(n.rows, numberRow{audience.And{s.slice(high), s.slice(low)}, nil, twice.Lsh(twice, 1)})
		}
	}
	return n
}

// Part is an audience that has a number, and no two of them have anybody in common.
type Part struct {
	Expr  audience.Expr
	Value float64 // finite; it counts as the shortest decimal that reads back as it
}

// PartsOf are numbers of which each is that of an audience; anyone is who is in any.
func PartsOf(anyone audience.Expr, parts []Part) *Numbers {
	n := &Numbers{any: anyone, ragged: true}
	values := make([]*big.Rat, len(parts))
	for i, p := range parts {
		values[i] = Decimal(p.Value)
		n.decimals = max(n.decimals, decimals(values[i]))
	}
	for i, p := range parts {
		n.rows = append(n.rows, part(p.Expr, units(values[i], n.decimals)))
	}
	return n
}

func part(x audience.Expr, value *big.Int) numberRow {
	return numberRow{x, value, new(big.Int).Mul(value, value)}
}

// unit is how many units make one.
func (n *Numbers) unit() *big.Int { return powerOf10(n.decimals) }

// number is a number of units.
func (n *Numbers) number(units *big.Int) float64 {
	x, _ := new(big.Rat).SetFrac(units, n.unit()).Float64()
	return x
}

// Any is who has a number, or an answer that stands for one.
func (n *Numbers) Any() audience.Expr { return n.any }

// Rows is how many audiences are counted to know the sums of numbers.
func (n *Numbers) Rows() int { return len(n.rows) + 1 }

// sums are the numbers without what only their squares need.
func (n *Numbers) sums() *Numbers {
	if n.slices == nil {
		return n
	}
	out := *n
	out.rows = n.rows[:n.slices.bits]
	return &out
}

// values are the numbers told by each value from the least of them to the greatest.
func (n *Numbers) values() *Numbers {
	out := *n
	out.slices, out.rows = nil, nil
	for x := n.slices.least; x <= n.slices.greatest; x++ {
		out.rows = append(out.rows, part(audience.Value{Question: n.slices.question, Number: x}, big.NewInt(x)))
	}
	return &out
}

// exprs are the rows to be counted, those with a number first.
func (n *Numbers) exprs() []audience.Expr {
	xs := []audience.Expr{n.any}
	for _, r := range n.rows {
		xs = append(xs, r.x)
	}
	return xs
}

// NumberQuestion is what to count and to compare of numbers.
type NumberQuestion struct {
	Specs     []audience.Spec // without rows
	Numbers   *Numbers
	Quantiles []*big.Rat // in percent, 0–100
	Pairs     []Pair     // of columns whose means are compared
	// Brief leaves out what takes longer than means and quantiles: standard deviations, effective samples, least and
	// largest numbers. It is for questions without an estimator.
	Brief bool
	// Several is the error of numbers of which a respondent has more than one.
	Several error
}

// NumberColumn is what is known of the numbers of a column of a Spec.
type NumberColumn struct {
	Cell audience.Cell // of those in Numbers.Any
	// Respondents are those with a number, and EffectiveSample is theirs (Kish).
	Respondents     audience.Figure
	EffectiveSample float64
	// Mean, StandardDeviation, Min and Max are nil where nobody has a number; the standard deviation of one is, too. The
	// least and the largest are numbers of single respondents: nobody who has a floor is told of them.
	Mean, StandardDeviation, Min, Max *float64
	// Quantiles are as asked for, and none where nobody has a number. One of which too few respondents may be on either
	// side is NaN.
	Quantiles []float64
	Withheld  bool // it was measured, but all of the above is not told
	// Interval is that of the mean, and Rest compares it with that of the rest of the base; nil unless asked for, and
	// where there is nothing to tell.
	Interval *Interval
	Rest     *Difference

	mean *inference.Mean // nil: nobody has a number
}

// NumberTable has the columns of each Spec, counted as in Crosstab.Cell, and of each pair the first less the second,
// nil where there is nothing to compare.
type NumberTable struct {
	Frame   *audience.Frame
	Columns [][]NumberColumn
	Pairs   []*Difference
}

// TabulateNumbers counts a question about numbers. Without an estimator, nil, nothing is said of how sure they are.
func TabulateNumbers(ctx context.Context, r *audience.Reading, e *Estimator, q NumberQuestion) (*NumberTable, error) {
	q.Specs = slices.Clone(q.Specs)
	switch s := q.Numbers.slices; {
	case q.Brief && len(q.Quantiles) == 0:
		q.Numbers = q.Numbers.sums()
	case s != nil && e == nil && s.bits <= someBits && !r.WantsWhole(4<<someBits):
		q.Numbers = q.Numbers.values()
	case q.Brief:
		q.Numbers = q.Numbers.sums()
	}
	for i := range q.Specs {
		q.Specs[i].Rows = q.Numbers.exprs()
	}
	c := &numbering{NumberQuestion: q, ctx: ctx, reading: r, estimator: e, most: mostCounts}
	if q.Numbers.slices == nil {
		c.order = q.Numbers.ascending()
	}
	if e != nil {
		c.most = e.most
	}
	out := &NumberTable{Frame: r.Frame, Pairs: make([]*Difference, len(q.Pairs))}
	for _, s := range q.Specs {
		columns := make([]NumberColumn, len(s.Columns)+1)
		err := c.blocks(s, true, func(first int, b *numberBlock) error { return c.take(columns, first, b) })
		if err != nil {
			return nil, err
		}
		out.Columns = append(out.Columns, columns)
	}
	if err := c.descend(out.Columns); err != nil {
		return nil, err
	}
	if e == nil {
		return out, nil
	}
	if err := c.compare(out); err != nil {
		return nil, err
	}
	var family []*Difference
	for _, columns := range out.Columns {
		for i := range columns {
			if d := columns[i].Rest; d != nil {
				family = append(family, d)
			}
		}
	}
	e.Adjust(family)
	return out, ctx.Err()
}

// numbering is one TabulateNumbers on its way.
type numbering struct {
	NumberQuestion
	ctx       context.Context
	reading   *audience.Reading
	estimator *Estimator // nil: squares are counted of those with a number alone
	most      int
	targets   []*target // what is descended for
	order     []int     // of numbers that are parts, the least first
}

// blocks counts a spec some columns at a time, and tells of each block which column, as Crosstab.Cell counts it, is its
// first. With it, where that is asked for, goes what descents begin with.
func (c *numbering) blocks(s audience.Spec, descend bool, take func(first int, b *numberBlock) error) error {
	whole := map[string]*located{}
	most := max(1, c.most/((len(s.Rows)+1<<stepBits)*max(1, c.reading.Frame.Size()))-1)
	for from := 0; from == 0 || from < len(s.Columns); from += most {
		some := s
		some.Columns = s.Columns[from:min(from+most, len(s.Columns))]
		b, err := c.block(some, descend)
		if err != nil {
			return err
		}
		b.whole = func(namespace string) (*located, error) {
			if whole[namespace] == nil {
				alone := s
				alone.Columns, alone.Within, alone.Measures = nil, namespace, audience.Squares
				tabs, err := c.reading.Tabulate(c.ctx, alone)
				if err != nil {
					return nil, err
				}
				whole[namespace] = newLocated(tabs[0])
			}
			return whole[namespace], nil
		}
		if err := take(from+min(1, len(s.Columns)), b); err != nil {
			return err
		}
		if err := c.ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// block counts a spec. What else is counted as it is, without squares, goes along with it where it can, as the columns
// are then looked at once.
func (c *numbering) block(s audience.Spec, descend bool) (*numberBlock, error) {
	b := &numberBlock{numbers: c.Numbers}
	var first []audience.Expr // by which descents begin
	if slices := c.Numbers.slices; descend && slices != nil && (!c.Brief || len(c.Quantiles) > 0) {
		first, _ = c.Numbers.patterns(slices.bits)
	}
	s.Measures = c.measures()
	others := s
	specs := []audience.Spec{s}
	switch {
	case s.Measures == 0:
		b.patternsFrom = 1 + len(s.Rows)
		specs[0].Rows = append(s.Rows[:len(s.Rows):len(s.Rows)], first...)
		if others.Rows, others.Measures = s.Rows[:1], audience.Squares|audience.Pooled; !c.Brief {
			specs = append(specs, others)
		}
	case first != nil:
		b.patternsFrom = 1
		others.Rows, others.Measures = first, 0
		specs = append(specs, others)
	}
	tabs, err := c.reading.Tabulate(c.ctx, specs...)
	if err != nil {
		return nil, err
	}
	b.main = newLocated(tabs[0])
	switch {
	case s.Measures == 0:
		if b.patterns = b.main; !c.Brief {
			b.any = newLocated(tabs[1])
		}
	case first != nil:
		b.patterns = newLocated(tabs[1])
	}
	return b, nil
}

// measures is what is counted of the rows: squares where it is to be told how sure they are, and where the rows may
// cover different fieldwork, which only such counts tell apart.
func (c *numbering) measures() audience.Measures {
	if c.estimator != nil || c.Numbers.ragged {
		return audience.Squares
	}
	return 0
}

// take finds out about the columns of a block, on all threads that there are for it.
func (c *numbering) take(columns []NumberColumn, first int, b *numberBlock) error {
	begin := min(1, len(b.main.Spec.Columns))
	n := len(b.main.Spec.Columns) + 1 - begin
	if c.estimator != nil && c.estimator.Compares(Rest) { // who else may have to be counted, which is not for others to do
		for j := begin; j < begin+n; j++ {
			if err := b.findBase(j); err != nil {
				return err
			}
		}
	}
	targets := make([][]*target, n)
	c.reading.Each(c.ctx, n, func(i int) { targets[i] = c.takeColumn(&columns[first+i], b, begin+i) })
	for _, some := range targets {
		c.targets = append(c.targets, some...)
	}
	if b.several.Load() && c.Several != nil {
		return c.Several
	}
	return nil
}

// takeColumn finds out about a column of a block, and returns what is to be descended for in it.
func (c *numbering) takeColumn(out *NumberColumn, b *numberBlock, j int) []*target {
	out.Cell = b.main.Cell(1, j)
	if out.Withheld = out.Cell.Withheld; out.Withheld {
		return nil
	}
	counted := b.column(j)
	if counted == nil {
		return nil
	}
	m := inference.NewMean(counted.strata, c.Numbers.unit())
	if m.Sample == 0 {
		return nil
	}
	if out.Withheld = c.tooFew(m, b, j); out.Withheld {
		return nil
	}
	out.mean = m
	out.Mean = finite(m.Value())
	out.Respondents = out.Cell.Both
	if c.Numbers.ragged {
		out.Respondents = c.figure(m, out.Cell.Namespace)
	}
	if !c.Brief {
		if m.Sample > 1 {
			out.StandardDeviation = finite(m.StandardDeviation())
		}
		out.EffectiveSample = b.effective(j, m)
	}
	if c.estimator != nil {
		c.estimate(out, counted, b, j)
	}
	return c.extremes(out, counted, b, j)
}

// figure is how many a mean is of.
func (c *numbering) figure(m *inference.Mean, namespace string) audience.Figure {
	size := m.Size()
	k := c.reading.Frame.Decimals(c.reading.Frame.Namespace(namespace))
	power := new(big.Rat).SetInt(powerOf10(max(k, -k)))
	if k > 0 {
		size.Quo(size, power)
	} else {
		size.Mul(size, power)
	}
	people, _ := size.Float64()
	return audience.Figure{Sample: m.Sample, Size: people}
}

// finite is a number, unless it is beyond the largest that there is.
func finite(x float64) *float64 {
	if x-x != 0 {
		return nil
	}
	return &x
}

// estimate says how sure the mean of a column is, and compares it with the rest of the base if that is asked for.
func (c *numbering) estimate(out *NumberColumn, counted *inNumbers, b *numberBlock, column int) {
	e, m := c.estimator, out.mean
	interval := e.aroundError(m.Value(), m.StandardError(), freedom(m.Freedom()))
	if finite(interval.Low) != nil && finite(interval.High) != nil {
		out.Interval = interval
	}
	if !e.Compares(Rest) {
		return
	}
	rest := inference.NewMean(b.rest(column, counted), c.Numbers.unit())
	if rest.Sample > 0 && !c.reading.Frame.TooFew(rest.Sample) {
		out.Rest = compareMeans(m, rest, nil)
	}
}

// compareMeans tests the difference of two means, of which neither is of no one; nil where nothing could vary.
func compareMeans(a, b *inference.Mean, both []*inference.Numbers) *Difference {
	difference, se, respondents, fieldworks := inference.CompareMeans(a, b, both)
	if !(se > 0) || finite(difference) == nil || finite(se) == nil {
		return nil
	}
	df := max(1, freedom(respondents, fieldworks)-1)
	t, p := inference.Test(difference, se, df)
	return &Difference{Difference: difference, StandardError: se, T: t, DF: df, P: p, AdjustedP: p, Sound: true}
}

// compare compares the pairs, with those who are in both columns counted where there are any.
func (c *numbering) compare(out *NumberTable) error {
	if len(c.Pairs) == 0 {
		return nil
	}
	n := &counting{Estimator: c.estimator, ctx: c.ctx, reading: c.reading,
		Question: Question{Specs: c.Specs, Pairs: c.Pairs}}
	if err := n.findOverlaps(); err != nil {
		return err
	}
	pairs := map[shared]int{}
	enter := func(i int, both []*inference.Numbers) {
		at := func(p Place) *NumberColumn { return &out.Columns[p.Spec][p.Column] }
		a, b := at(c.Pairs[i].A), at(c.Pairs[i].B)
		if a.mean != nil && b.mean != nil && a.Cell.Namespace == b.Cell.Namespace && !c.tells(a.mean, b.mean, both) {
			out.Pairs[i] = compareMeans(a.mean, b.mean, both)
		}
	}
	for i, s := range n.shared {
		if s.column == 0 {
			enter(i, nil)
		} else {
			pairs[s] = i
		}
	}
	for i, o := range n.overlaps {
		err := c.blocks(o.spec, false, func(first int, b *numberBlock) error {
			for j := range b.main.Spec.Columns {
				var both []*inference.Numbers
				if counted := b.column(j + 1); counted != nil {
					both = counted.strata
				}
				enter(pairs[shared{i, first + j}], both)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

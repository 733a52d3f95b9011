package estimate

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/inference"
)

// fewBits is how many bits numbers have whose values are counted one by one, each respondent once; numbers of more are
// told by their slices.
const fewBits = 5

// someBits is how many bits numbers have whose values are counted one by one where that is cheap: without squares, and
// by a store that looks at respondents and not at lines of a table. Then one count tells all of them.
const someBits = 8

// stepBits is how many bits a descent finds with one count.
const stepBits = 5

// sliced is a question whose numbers are told by their bits.
type sliced struct {
	question        string
	bits            int
	least, greatest int64 // there are none beyond
}

func (s *sliced) slice(bit int) audience.Expr { return audience.Slice{Question: s.question, Bit: bit} }

// weight is what a bit counts for.
func (s *sliced) weight(bit int) *big.Int {
	x := new(big.Int).Lsh(big.NewInt(1), uint(bit))
	if bit == s.bits-1 {
		x.Neg(x)
	}
	return x
}

// value is the number of which these are all the bits.
func (s *sliced) value(bits int64) *big.Int {
	if bits>>(s.bits-1)&1 == 1 {
		bits -= 1 << s.bits
	}
	return big.NewInt(bits)
}

// pattern is those in x of whose number some bits, below the bit high, are a pattern's. The parts stand within one
// another, so that patterns that begin alike share them.
func (s *sliced) pattern(x audience.Expr, high, bits, pattern int) audience.Expr {
	for i := 1; i <= bits; i++ {
		var slice audience.Expr = s.slice(high - i)
		if pattern>>(bits-i)&1 == 0 {
			slice = audience.Not{X: slice}
		}
		x = audience.And{x, slice}
	}
	return x
}

// target is a quantile that is looked for: the smallest number that at least so many percent of a column do not exceed.
type target struct {
	spec, column int
	mean         *inference.Mean
	percent      *big.Rat
	set          func(float64)

	found int64    // the bits found so far
	below *big.Int // the weight of those who are known to be below
}

// extremes finds the least and the largest number of a column and its quantiles: at once where numbers are parts, or
// else it returns what is to be descended for.
func (c *numbering) extremes(out *NumberColumn, counted *inNumbers, b *numberBlock, column int) []*target {
	var targets []*target
	look := func(percent *big.Rat, set func(float64)) {
		targets = append(targets, &target{mean: out.mean, percent: percent, set: set, below: new(big.Int)})
	}
	if c.reading.Frame.Floor() == 0 && !c.Brief {
		look(new(big.Rat), func(x float64) { out.Min = &x })
		look(big.NewRat(100, 1), func(x float64) { out.Max = &x })
	}
	out.Quantiles = make([]float64, len(c.Quantiles))
	for i, q := range c.Quantiles {
		if c.lone(out.mean.Sample, q) {
			out.Quantiles[i] = math.NaN()
			continue
		}
		look(q, func(x float64) { out.Quantiles[i] = x })
	}
	if len(targets) == 0 {
		return nil
	}
	if c.Numbers.slices != nil {
		rows, order := c.Numbers.patterns(c.Numbers.slices.bits)
		weights := b.patterns.weights(b.patternsFrom, len(rows), column, out.mean)
		for _, t := range targets {
			pattern, _ := t.reach(order, weights)
			t.found = int64(pattern)
		}
		return targets
	}
	weights := zeros(len(c.Numbers.rows))
	n, product := new(big.Int), new(big.Int)
	for k, rows := range counted.rows {
		var share *big.Int // of a fieldwork with respondents alone: others have no divisor
		for i, weighted := range rows {
			if weighted <= 0 {
				continue
			}
			if share == nil {
				share = out.mean.Share(counted.strata[k].Divisor)
			}
			weights[i].Add(weights[i], product.Mul(share, n.SetInt64(weighted)))
		}
	}
	for _, t := range targets {
		if i, found := t.reach(c.order, weights); found {
			t.set(c.Numbers.number(c.Numbers.rows[i].sum))
		}
	}
	return nil
}

// ascending is the order of numbers that are parts.
func (n *Numbers) ascending() []int {
	order := make([]int, len(n.rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return n.rows[i].sum.Cmp(n.rows[j].sum) })
	return order
}

// reach finds the first, in an order, with whom the target is reached; all before are below it.
func (t *target) reach(order []int, weights []*big.Int) (int, bool) {
	sum, least := new(big.Int), inference.LeastPart(t.mean.Total(), t.percent)
	for _, i := range order {
		if weights[i].Sign() == 0 {
			continue
		}
		sum.Add(t.below, weights[i])
		if sum.Cmp(least) >= 0 {
			return i, true
		}
		t.below.Set(sum)
	}
	return 0, false
}

// descend finds all targets, some bits of all of them at a time, the highest first.
func (c *numbering) descend(columns [][]NumberColumn) error {
	if len(c.targets) == 0 {
		return nil
	}
	next := 0
	for spec := range columns { // targets were noted in the order of the columns
		for column := range columns[spec] {
			for ; next < len(c.targets) && c.targets[next].mean == columns[spec][column].mean; next++ {
				c.targets[next].spec, c.targets[next].column = spec, column
			}
		}
	}
	s := c.Numbers.slices
	for high := s.bits - stepBits; high > 0; high -= stepBits { // the first bits are known
		if err := c.step(high, min(stepBits, high)); err != nil {
			return err
		}
	}
	for _, t := range c.targets {
		t.set(c.Numbers.number(s.value(t.found)))
	}
	return nil
}

// prefix is a column cut to those of whose number the bits found so far are these.
type prefix struct {
	column int
	found  int64
}

// patterns are those who have a number, by the bits that a descent finds at a time, below the bit high; and their
// order, the lowest numbers first.
func (n *Numbers) patterns(high int) (rows []audience.Expr, order []int) {
	s, bits := n.slices, min(stepBits, high)
	order = make([]int, 1<<bits)
	for i := range order {
		rows = append(rows, s.pattern(n.any, high, bits, i))
		if order[i] = i; high == s.bits { // where the highest bit is set, numbers are below 0
			order[i] ^= 1 << (bits - 1)
		}
	}
	return rows, order
}

// step finds some bits of all targets, below the bit high.
func (c *numbering) step(high, bits int) error {
	rows, order := c.Numbers.patterns(high)
	for i, spec := range c.Specs {
		wanted := map[prefix][]*target{}
		for _, t := range c.targets {
			if t.spec == i {
				p := prefix{t.column, t.found}
				wanted[p] = append(wanted[p], t)
			}
		}
		var prefixes []prefix
		for p := range wanted {
			prefixes = append(prefixes, p)
		}
		slices.SortFunc(prefixes, func(a, b prefix) int {
			return cmp.Or(cmp.Compare(a.column, b.column), cmp.Compare(a.found, b.found))
		})
		spec.Rows = rows
		most := max(1, c.most/(len(rows)*max(1, c.reading.Frame.Size()))-1)
		for some := range slices.Chunk(prefixes, most) {
			tab, err := c.weigh(spec, high, some)
			if err != nil {
				return err
			}
			for j, p := range some {
				weights := tab.weights(1, len(rows), 1+j, wanted[p][0].mean)
				for _, t := range wanted[p] {
					pattern, _ := t.reach(order, weights)
					t.found = t.found<<bits | int64(pattern)
				}
			}
		}
	}
	return nil
}

// weigh counts the rows of a step for some prefixes, which are the columns.
func (c *numbering) weigh(spec audience.Spec, high int, prefixes []prefix) (*located, error) {
	s := c.Numbers.slices
	columns := spec.Columns
	spec.Columns = nil
	for _, p := range prefixes {
		x := s.pattern(c.Numbers.any, s.bits, s.bits-high, int(p.found))
		if p.column > 0 {
			x = cut(columns[p.column-1], x)
		}
		spec.Columns = append(spec.Columns, x)
	}
	tabs, err := c.reading.Tabulate(c.ctx, spec)
	if err != nil {
		return nil, err
	}
	return newLocated(tabs[0]), c.ctx.Err()
}

// weights is what each of some rows of a column, from one on, weighs in the units of a mean's total.
func (l *located) weights(first, rows, column int, m *inference.Mean) []*big.Int {
	weights, product := zeros(rows), new(big.Int)
	for i := range weights {
		of, at := l.find(first+i, column)
		if of == nil {
			continue
		}
		for k := range of.Strata {
			h := &of.Strata[k]
			if n, _ := count(h, of.RowPlaces[at.row], of.ColumnPlaces[at.column]); n.Weight > 0 {
				weights[i].Add(weights[i], product.Mul(m.Share(int64(h.Waves)), big.NewInt(n.Weight)))
			}
		}
	}
	return weights
}

// Decimal is a number as the shortest decimal that reads back as it.
func Decimal(x float64) *big.Rat {
	out, _ := new(big.Rat).SetString(strconv.FormatFloat(x, 'g', -1, 64))
	return out
}

// decimals is how many decimals a decimal number has.
func decimals(x *big.Rat) int {
	n := 0
	for below := new(big.Int).Set(x.Denom()); below.Cmp(big.NewInt(1)) > 0; n++ {
		below.Quo(below, new(big.Int).GCD(nil, nil, below, big.NewInt(10)))
	}
	return n
}

// units is a decimal number in units of 10^-decimals, of which it has no more.
func units(x *big.Rat, decimals int) *big.Int {
	out := new(big.Int).Mul(x.Num(), powerOf10(decimals))
	return out.Quo(out, x.Denom())
}

func powerOf10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

package demo

import (
	"math/bits"
	"strconv"

	"github.com/crosswave/crosswave/store/survey/decimal"
)

// cells of the quota are gender × age group, and in each there are classes of people that are hard to reach by degrees.
const (
	cells   = 12
	classes = 4
)

// classFactors are the weights of the classes to each other.
func classFactors() [classes]uint64 { return [classes]uint64{60, 85, 110, 165} }

// quarter is the plan of a wave: it says how many respondents stand where and what they weigh, so that any respondent
// can be made without those before.
type quarter struct {
	n         int   // respondents
	step      int   // the stream goes through the wave's positions in steps, so that locations mix
	starts    []int // of each location, and the end: positions
	fieldwork []fieldwork
}

// fieldwork is the plan of a wave in a location.
type fieldwork struct {
	n     int
	cells [cells]cell
}

// cell is a quota cell of a fieldwork: positions start to start+n-1, of which m take part in the recontact.
type cell struct {
	start, n, m int
	classes     [classes]weights
	shopper     weights
}

// weights shares a number of people out to respondents: the first few get one unit more than the others.
type weights struct {
	start, more  int
	large, small decimal.Decimal
}

// share makes the weights of n respondents, from rank start on, who stand for units of 10^-digits people.
func share(start, n int, units uint64, digits int) weights {
	if n == 0 {
		return weights{start: start}
	}
	each := units / uint64(n)
	return weights{start: start, more: int(units % uint64(n)), large: scaled(each+1, digits), small: scaled(each, digits)}
}

// of is the weight of the respondent with that rank.
func (w *weights) of(rank int) decimal.Decimal {
	if rank-w.start < w.more {
		return w.large
	}
	return w.small
}

// scaled is units · 10^-digits.
func scaled(units uint64, digits int) decimal.Decimal {
	text := strconv.AppendUint(nil, units, 10)
	text = append(text, 'e', '-')
	text = strconv.AppendInt(text, int64(digits), 10)
	d, _ := decimal.Parse(string(text), true) // which cannot fail: it is a number
	return d
}

// split shares total out in proportion to shares, exactly: the parts sum to total, and each is within one of what is
// due to it. Shares of 0 get 0.
func split(total uint64, shares []uint64) []uint64 {
	var all, sum, before uint64
	for _, s := range shares {
		all += s
	}
	parts := make([]uint64, len(shares))
	if all == 0 {
		return parts
	}
	for i, s := range shares {
		sum += s
		high, low := bits.Mul64(total, sum)
		upTo, _ := bits.Div64(high, low, all)
		parts[i], before = upTo-before, upTo
	}
	return parts
}

func newPlan(respondents int, ws []wave, ms []market) (plan []quarter) {
	var shares []uint64
	for w := range ws {
		for m := range ms {
			s := uint64(ms[m].share)
			if lists(ms[m].absent, ws[w].Code) {
				s = 0
			}
			shares = append(shares, s)
		}
	}
	ns := split(uint64(respondents), shares)
	for w := range ws {
		q := quarter{starts: []int{0}}
		for m := range ms {
			n := int(ns[w*len(ms)+m])
			f := newFieldwork(n, &ms[m], lists(ms[m].shopper, ws[w].Code), ws[w].decimals)
			q.fieldwork = append(q.fieldwork, f)
			q.n += n
			q.starts = append(q.starts, q.n)
		}
		q.step = coprime(q.n)
		plan = append(plan, q)
	}
	return plan
}

// coprime is a step near the golden section of n that visits all of 0 to n-1.
func coprime(n int) int {
	gcd := func(a, b int) int {
		for b != 0 {
			a, b = b, a%b
		}
		return a
	}
	step := max(1, n/1000*618+n%1000*618/1000)
	for gcd(step, n) > 1 {
		step++
	}
	return step
}

// newFieldwork plans n respondents. Quotas are flatter than the population, as panels are, and the weights make up for
// it.
func newFieldwork(n int, m *market, shopper bool, decimals [2]int) fieldwork {
	ages := agePatterns()[m.pattern]
	people, quotas := make([]uint64, cells), make([]uint64, cells)
	for c := range cells {
		a := c % len(ages)
		people[c] = uint64(ages[a]) * 100
		if c < len(ages) {
			people[c] += people[c] * uint64(m.pattern) / 50 // more women where people are older
		}
		quotas[c] = people[c] + 25000/uint64(1+a/2)
	}
	f := fieldwork{n: n}
	counts := split(uint64(n), quotas)
	start := 0
	for c := range f.cells {
		if counts[c] == 0 {
			people[c] = 0 // nobody to stand for them: the other cells do
		}
		f.cells[c].start, f.cells[c].n = start, int(counts[c])
		start += int(counts[c])
	}
	population := uint64(m.population) * 1000
	for c, units := range split(population*tens(decimals[0]), people) {
		f.cells[c].weigh(units, decimals[0])
	}
	if shopper {
		f.recontact(population*tens(decimals[1]), people, decimals[1])
	}
	return f
}

// weigh shares units out to the cell's respondents, by class.
func (c *cell) weigh(units uint64, digits int) {
	factors := classFactors()
	var shares [classes]uint64
	var starts [classes + 1]int
	for k := range classes {
		starts[k+1] = (k + 1) * c.n / classes
		shares[k] = uint64(starts[k+1]-starts[k]) * factors[k]
	}
	for k, part := range split(units, shares[:]) {
		c.classes[k] = share(starts[k], starts[k+1]-starts[k], part, digits)
	}
}

// class is the class of the respondent with that rank in the cell.
func (c *cell) class(rank int) int {
	k := 0
	for k < classes-1 && rank >= (k+1)*c.n/classes {
		k++
	}
	return k
}

// recontact lets about 40 % of the respondents take part, older ones sooner than younger, who stand for everyone again.
func (f *fieldwork) recontact(units uint64, people []uint64, digits int) {
	var shares [cells]uint64
	for c := range f.cells {
		shares[c] = uint64(f.cells[c].n) * uint64(8+c%6)
	}
	standing := append([]uint64(nil), people...)
	for c, m := range split(uint64(f.n)*2/5, shares[:]) {
		f.cells[c].m = min(int(m), f.cells[c].n)
		if m == 0 {
			standing[c] = 0
		}
	}
	for c, part := range split(units, standing) {
		f.cells[c].shopper = share(0, f.cells[c].m, part, digits)
	}
}

// again tells whether the respondent with that rank takes part in the recontact, and as which of those who do.
func (c *cell) again(rank int) (which int, ok bool) {
	if c.n == 0 {
		return 0, false
	}
	before, after := rank*c.m/c.n, (rank+1)*c.m/c.n
	return before, after > before
}

func tens(n int) uint64 {
	t := uint64(1)
	for range n {
		t *= 10
	}
	return t
}

// at finds the respondent that stands i-th in the wave's stream.
func (q *quarter) at(i int) (location, position int) {
	p := i * q.step % q.n
	for p >= q.starts[location+1] {
		location++
	}
	return location, p - q.starts[location]
}

// cell finds the quota cell of a position, and the rank in it.
func (f *fieldwork) cell(position int) (cell, rank int) {
	for position >= f.cells[cell].start+f.cells[cell].n {
		cell++
	}
	return cell, position - f.cells[cell].start
}

package demo

import (
	"slices"

	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// drawer makes respondents, one after the other. Each worker has its own.
type drawer struct {
	d      *Demo
	dice   dice
	traits [traits]int32
	female bool
	age    int
	group  int     // of ages
	chosen []uint8 // points of the single questions, from 1; 0 is none

	r       *survey.Respondent // the one that is made
	numbers []int16            // its numbers in tenths, -1 where there is none
}

// draw makes the respondent at a position of a fieldwork. Its slices are there and have room.
func (w *drawer) draw(wave, location, position int, r *survey.Respondent, numbers []int16) {
	d := w.d
	f := &d.plan[wave].fieldwork[location]
	c, rank := f.cell(position)
	cell := &f.cells[c]
	class := cell.class(rank)
	again, shopper := cell.again(rank)

	w.r, w.numbers = r, numbers
	r.Wave, r.Location = wave, location
	r.Weights[0] = cell.classes[class].of(rank)
	r.Weights[1] = decimal.Decimal{}
	if shopper {
		r.Weights[1] = cell.shopper.of(again)
	}
	r.Attributes, r.Numbers = r.Attributes[:0], r.Numbers[:0]
	clear(r.Answered)
	for i := range numbers {
		numbers[i] = -1
	}

	w.dice.deal(d.config.Seed, wave, location, position)
	w.person(c, class, wave, &d.markets[location])
	bases := &d.bases[wave*len(d.markets)+location]
	for i := range d.questions {
		q := &d.questions[i]
		w.chosen[i] = 0
		if !bases.asked[i] || q.shopper && !shopper || q.route >= 0 && q.among>>w.chosen[q.route]&1 == 0 {
			continue
		}
		w.dice.ask(q.key)
		if q.silent > 0 && w.dice.u16() < q.silent {
			continue
		}
		w.ask(i, q, bases.points[q.base:])
	}
}

// person draws the traits.
func (w *drawer) person(cell, class, wave int, m *market) {
	w.dice.ask(1)
	groups := ageGroups()
	w.group, w.female = cell%len(groups), cell < len(groups)
	g := groups[w.group]
	w.age = g[0] + int(w.dice.below(uint64(g[1]-g[0]+1)))

	t := &w.traits
	z := int32(w.age-44) * 2
	t[age] = z
	t[female] = -32
	if w.female {
		t[female] = 32
	}
	t[mid] = max(-64, 32-z*z/32)
	t[later] = int32(2*wave-7) * 4
	noise := w.dice.normal
	t[income] = (4*t[mid]+14*noise())/16 + m.income
	t[educ] = (-3*z+6*t[income]+13*noise())/16 + 12 - 8*int32(class)
	t[tech] = (-7*z+4*t[income]+3*t[educ]-2*t[female]+12*noise())/16 + m.tech + t[later]/4
	t[sport] = (-5*z-3*t[female]+3*t[income]+14*noise())/16 + m.sport
	t[family] = (9*t[mid] + 13*noise()) / 16
	t[social] = (-8*z+4*t[female]+12*noise())/16 + t[later]/6
	t[green] = (4*t[female]+5*t[educ]+13*noise())/16 + t[later]/8
	t[thrift] = (-8*t[income] + 3*t[family] + 12*noise()) / 16
	t[food] = (4*t[educ] + 4*t[income] - 2*z + 13*noise()) / 16
	t[travel] = (6*t[income] + 3*t[educ] + 13*noise()) / 16
	t[status] = (5*t[income] - 5*z + 4*t[social] + 12*noise()) / 16
	t[home] = (6*z + 4*t[family] + 13*noise()) / 16
	t[city] = (4*t[educ]-3*z+13*noise())/16 + m.city
}

// ask lets the respondent answer question i.
func (w *drawer) ask(i int, q *question, bases []int32) {
	t := w.d.tables
	switch q.model {
	case tick:
		w.tick(q, bases[:len(q.points)])
		return
	case rate, climb:
		w.rate(q, bases[:len(q.points)])
		return
	}
	choice := 0
	switch q.model {
	case gender:
		if !w.female {
			choice = 1
		}
		if w.dice.below(100) == 0 {
			choice = 2
		}
	case years:
		choice = w.group
		w.numbers[q.number] = int16(10 * w.age)
	case pick:
		choice = w.pick(q, bases[:len(q.points)])
	case scale, count:
		choice = cutAt(q.cuts, q.of.score(&w.traits)+bases[0]+int32(t.noise[w.dice.u16()>>4]))
		if q.model == count {
			w.count(q, choice)
		}
	}
	if q.model == years || q.model == count {
		tenths := decimal.FromUnits(int64(w.numbers[q.number]), 1)
		w.r.Numbers = append(w.r.Numbers, survey.Given{Question: i, Value: tenths})
	}
	w.chosen[i] = uint8(choice + 1)
	w.answered(q.item)
	w.r.Attributes = append(w.r.Attributes, q.attribute+int32(choice))
}

// answered notes that the respondent has a value for an item.
func (w *drawer) answered(item int) { w.r.Answered[item>>6] |= 1 << (item & 63) }

// cutAt tells between which cuts x is.
func cutAt(cuts []int32, x int32) int {
	n := 0
	for _, c := range cuts {
		if x > c {
			n++
		}
	}
	return n
}

// count draws a number of a band.
func (w *drawer) count(q *question, band int) {
	b := &q.bands[band]
	if q.whole {
		from := (b.From + 9) / 10
		w.numbers[q.number] = int16(10 * (from + int(w.dice.below(uint64(b.To/10-from+1)))))
		return
	}
	w.numbers[q.number] = int16(b.From + int(w.dice.below(uint64(b.To-b.From+1))))
}

func (w *drawer) pick(q *question, bases []int32) int {
	t := w.d.tables
	var upTo [16]uint64
	total := uint64(0)
	for p := range q.points {
		if bases[p] != notAsked {
			total += uint64(t.exp[at(bases[p]+q.points[p].score(&w.traits))])
		}
		upTo[p&15] = total
	}
	u := w.dice.below(total)
	choice := 0
	for u >= upTo[choice&15] {
		choice++
	}
	return choice
}

// tick decides point by point. Whether a point is ticked is anyone's guess, to a processor too, so it is written in any
// case and counted by arithmetic.
func (w *drawer) tick(q *question, bases []int32) {
	chance := &w.d.tables.chance
	r := w.r
	before := len(r.Attributes)
	r.Attributes = slices.Grow(r.Attributes, len(q.points)+1)
	out, n := r.Attributes[before:cap(r.Attributes)], 0
	for p, base := range bases {
		if base == notAsked {
			continue
		}
		if q.separate {
			w.answered(q.item + p)
		}
		c := chance[at(base+q.points[p].score(&w.traits))]
		out[n] = q.attribute + int32(p)
		n += int((w.dice.u16() - uint32(c)) >> 31) // 1 if it is below
	}
	if q.none && n == 0 {
		out[0] = q.attribute + int32(len(q.points))
		n = 1
	}
	r.Attributes = r.Attributes[:before+n]
	if !q.separate {
		w.answered(q.item)
	} else if q.none {
		w.answered(q.item + len(q.points))
	}
}

func (w *drawer) rate(q *question, bases []int32) {
	t := w.d.tables
	for p, base := range bases {
		if base == notAsked {
			continue
		}
		w.answered(q.item + p)
		x := base + q.points[p].score(&w.traits) + q.of.score(&w.traits)
		noise := int32(t.noise[w.dice.u16()>>4])
		first := q.attribute + int32(p)*q.suffixes
		if q.model == rate {
			w.r.Attributes = append(w.r.Attributes, first+int32(cutAt(q.cuts, noise-x)))
			continue
		}
		reached := int32(cutAt(q.cuts, noise+x))
		for s := min(1, reached); s <= reached; s++ {
			w.r.Attributes = append(w.r.Attributes, first+s)
		}
	}
}

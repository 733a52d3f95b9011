package storetest

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/exact"
	"github.com/crosswave/crosswave/store/naive"
)

// Oracle forms figures from respondents, one by one, by the rules and nothing else: which fieldwork a figure covers is
// looked up in a table of states, what it counts is added up in a loop. It has no plan, folds nothing and knows no
// strata. Its figures are what audience.Tabulate must give, bit for bit.
type Oracle struct {
	Frame       *audience.Frame
	Respondents []naive.Respondent
}

// NewOracle forms figures of what a store has published now.
func NewOracle(st *naive.Store) *Oracle {
	f, err := st.Frame(context.Background())
	if err != nil {
		panic(err) // only those of a context come
	}
	return &Oracle{f, st.Respondents()}
}

// Part is an expression of a figure: who is in it, and what is known of it in each fieldwork.
type Part struct {
	in         []bool   // by respondent
	measured   []bool   // by fieldwork: neither unknown nor never
	none       [][]bool // of each part of a Cut, by fieldwork
	namespaces []int    // that it uses
}

// In tells whether a respondent, by index, is in it.
func (p Part) In(respondent int) bool { return p.in[respondent] }

// nobody tells whether any part is none in all of a cover.
func (p Part) nobody(cover audience.Cover) bool {
	return slices.ContainsFunc(p.none, func(none []bool) bool {
		for i := range cover.All() {
			if !none[i] {
				return false
			}
		}
		return true
	})
}

// in tells whether a respondent is in an audience. Audiences come checked; what can't be counted is a fault of the
// test.
func in(r *naive.Respondent, f *audience.Frame, x audience.Expr) bool {
	yes, err := holds(r, f, x)
	if err != nil {
		panic(fmt.Sprintf("storetest: %s: %v", audience.Print(x), err))
	}
	return yes
}

// Part looks x up. A Cut is in it what all its parts have in common, and measured where all of them are.
func (o *Oracle) Part(x audience.Expr) Part {
	parts := []audience.Expr{x}
	if cut, ok := x.(audience.Cut); ok {
		parts = cut
	}
	p := Part{in: make([]bool, len(o.Respondents)), measured: make([]bool, o.Frame.Size())}
	for i := range o.Respondents {
		p.in[i] = !slices.ContainsFunc(parts, func(x audience.Expr) bool { return !in(&o.Respondents[i], o.Frame, x) })
	}
	for i := range p.measured {
		p.measured[i] = true
	}
	for _, x := range parts {
		nowhere := make([]bool, o.Frame.Size())
		for i := range p.measured {
			s := stateOf(o.Frame, x, i)
			if s == unknown || s == never {
				p.measured[i] = false
			}
			nowhere[i] = s == none
		}
		p.none = append(p.none, nowhere)
	}
	for _, x := range parts {
		p.namespaces = append(p.namespaces, namespaces(o.Frame, x)...)
	}
	return p
}

// Measure forms figures that belong together: all are counted in the deepest namespace that any of the parts uses and
// over the requested fieldwork in which each of the parts is measured. Of s only Waves, Locations, LastWaves and
// Namespace are read. Each of sets lists the parts, by index, that a figure is the common respondents of.
func (o *Oracle) Measure(s audience.Spec, parts []Part, sets ...[]int) (namespace string, cover audience.Cover,
	figures []Figure, err error) {
	n, err := o.namespace(s, parts)
	if err != nil {
		return "", nil, nil, err
	}
	if n < 0 {
		return "", audience.NewCover(o.Frame.Size()), make([]Figure, len(sets)), nil
	}
	cover = audience.NewCover(o.Frame.Size())
	for i, there := range o.requested(s, n) {
		if there && !slices.ContainsFunc(parts, func(p Part) bool { return !p.measured[i] }) {
			cover.Set(i)
		}
	}
	if slices.ContainsFunc(parts, func(p Part) bool { return p.nobody(cover) }) {
		cover = audience.NewCover(o.Frame.Size())
	}
	for _, set := range sets {
		figures = append(figures, o.figure(n, cover, func(r int) bool {
			return !slices.ContainsFunc(set, func(p int) bool { return !parts[p].in[r] })
		}))
	}
	return o.Frame.Namespaces[n].Code, cover, figures, nil
}

// Cells forms all cells of s: rows × columns, an empty axis having one entry for which the base stands in.
func (o *Oracle) Cells(s audience.Spec) ([][]Cell, error) {
	base := o.Part(s.Base)
	rows, columns := o.axis(s.Rows), o.axis(s.Columns)
	cells := make([][]Cell, len(rows))
	for i, row := range rows {
		for _, column := range columns {
			namespace, cover, f, err := o.Measure(s, []Part{base, row, column}, []int{0}, []int{0, 1}, []int{0, 2},
				[]int{0, 1, 2})
			if err != nil {
				return nil, err
			}
			cell := Cell{Base: f[0], Row: f[1], Column: f[2], Both: f[3], Namespace: namespace, Cover: cover}
			cell.withhold(o.Frame)
			cells[i] = append(cells[i], cell)
		}
	}
	return cells, nil
}

// namespace is the deepest that the parts use. If they use none, it is the one that s names, else the default, or the
// first that the caller may use (-1: there is none).
func (o *Oracle) namespace(s audience.Spec, parts []Part) (int, error) {
	f := o.Frame
	var used []int
	for _, p := range parts {
		used = append(used, p.namespaces...)
	}
	if len(used) == 0 && s.Namespace != "" {
		return f.Namespace(s.Namespace), nil
	}
	if len(used) == 0 {
		for n := range f.Namespaces {
			if !f.HidesNamespace(n) {
				return n, nil
			}
		}
		return -1, nil
	}
	deepest := used[0]
	for _, n := range used {
		if f.Depth(n) > f.Depth(deepest) {
			deepest = n
		}
	}
	for _, n := range used {
		if !f.BuiltOn(deepest, n) {
			return 0, &audience.IncompatibleError{Namespaces: []string{f.Namespaces[deepest].Code, f.Namespaces[n].Code}}
		}
	}
	return deepest, nil
}

// requested tells of each fieldwork whether s asks for it, the namespace has respondents there and the caller may use
// it.
func (o *Oracle) requested(s audience.Spec, namespace int) []bool {
	f := o.Frame
	fielded := make([]bool, f.Size()) // and not hidden
	if f.HidesNamespace(namespace) {
		return fielded
	}
	for i := range o.Respondents {
		r := &o.Respondents[i]
		at := r.Fieldwork(f)
		w, l := f.Fieldwork(at)
		if r.Units[f.Namespaces[namespace].Code] > 0 && !f.HidesWave(w) && !f.HidesLocation(l) {
			fielded[at] = true
		}
	}
	wanted := func(l int) bool { return len(s.Locations) == 0 || slices.Contains(s.Locations, f.Locations[l].Code) }
	waves := s.Waves
	if len(waves) == 0 {
		for w := len(f.Waves) - 1; w >= 0; w-- {
			there := false
			for l := range f.Locations {
				there = there || wanted(l) && fielded[f.At(w, l)]
			}
			if there && (s.LastWaves == 0 || len(waves) < s.LastWaves) {
				waves = append(waves, f.Waves[w].Code)
			}
		}
	}
	out := make([]bool, f.Size())
	for i := range out {
		w, l := f.Fieldwork(i)
		out[i] = fielded[i] && slices.Contains(waves, f.Waves[w].Code) && wanted(l)
	}
	return out
}

// figure counts those respondents of the namespace, within the cover, whom in tells.
func (o *Oracle) figure(namespace int, cover audience.Cover, in func(respondent int) bool) Figure {
	f := o.Frame
	ns := &f.Namespaces[namespace]
	out := Figure{People: new(big.Rat)}
	for i := range o.Respondents {
		r := &o.Respondents[i]
		at := r.Fieldwork(f)
		units := r.Units[ns.Code]
		if units == 0 || !cover.Has(at) || !in(i) {
			continue
		}
		out.Sample++
		waves := int64(1)
		if _, l := f.Fieldwork(at); ns.Universe != audience.Sum {
			waves = covered(f, cover, l)
		}
		out.People.Add(out.People, big.NewRat(units, waves))
	}
	out.People.Quo(out.People, exact.Power(f.Decimals(namespace)))
	return out
}

// covered is how many waves of a location are covered.
func covered(f *audience.Frame, cover audience.Cover, location int) (n int64) {
	for w := range f.Waves {
		if cover.Has(f.At(w, location)) {
			n++
		}
	}
	return n
}

// Figure is an audience measured, in exact fractions.
type Figure struct {
	Sample int64
	People *big.Rat // nil: nobody
}

// people is the number of people, never nil.
func (f Figure) people() *big.Rat {
	if f.People == nil {
		return new(big.Rat)
	}
	return f.People
}

// Figure is f as it is written: its size is the float64 nearest to the fraction.
func (f Figure) Figure() audience.Figure {
	size, _ := f.people().Float64()
	return audience.Figure{Sample: f.Sample, Size: size}
}

// Percentage is 100·f/whole, rounded once; 0 of nobody.
func (f Figure) Percentage(whole Figure) float64 {
	return quotient(new(big.Rat).Mul(big.NewRat(100, 1), f.people()), whole.people())
}

// Index is 100·both·base/(row·column), rounded once; 0 where a margin is 0.
func Index(both, base, row, column Figure) float64 {
	x := new(big.Rat).Mul(both.people(), base.people())
	return quotient(x.Mul(x, big.NewRat(100, 1)), new(big.Rat).Mul(row.people(), column.people()))
}

func quotient(x, y *big.Rat) float64 {
	if y.Sign() == 0 {
		return 0
	}
	q, _ := new(big.Rat).Quo(x, y).Float64()
	return q
}

// Cell is an audience.Cell in exact fractions.
type Cell struct {
	Base, Row, Column, Both Figure
	Namespace               string
	Cover                   audience.Cover
	Withheld                bool // its figures may not be told to whoever has the floor of the oracle's frame
}

// state is what is known of an expression in one fieldwork.
type state string

const (
	never   state = "never"
	none    state = "none"
	unknown state = "unknown"
	maybe   state = "maybe"
	full    state = "full"
	always  state = "always"
)

// stateOf is the state of x in fieldwork i, by the table in the rules.
func stateOf(f *audience.Frame, x audience.Expr, i int) state {
	w, l := f.Fieldwork(i)
	switch x := x.(type) {
	case audience.And:
		return first(f, x, i, never, none, unknown, maybe, full, always)
	case audience.Or:
		return first(f, x, i, always, full, unknown, maybe, none, never)
	case audience.Not:
		s := stateOf(f, x.X, i)
		if opposite, ok := map[state]state{always: never, never: always, full: none, none: full}[s]; ok {
			return opposite
		}
		return s
	case audience.Waves:
		if x.Min <= 1 && (len(x.Codes) == 0 || slices.Contains(x.Codes, f.Waves[w].Code)) {
			return always
		}
		return never
	case audience.Locations:
		if x.Min <= 1 && (len(x.Codes) == 0 || slices.Contains(x.Codes, f.Locations[l].Code)) {
			return full
		}
		return none
	case audience.Answers:
		if points := derivedLeaf(f, x); points != nil {
			return derivedState(f, points, least(x), i)
		}
		at, q := question(f, x)
		codes, covered := listed(q, x), 0
		for _, code := range codes {
			if f.Asked(at, f.Datapoint(at, code)).Has(i) {
				covered++
			}
		}
		if covered >= min(least(x), len(codes)) {
			return maybe
		}
		return unknown
	case audience.Slice:
		return numbersState(f, x.Question, i)
	case audience.Value:
		return numbersState(f, x.Question, i)
	case audience.Band:
		return numbersState(f, x.Question, i)
	}
	return always // everyone
}

// first is the first of the states that any of the parts is in. Parts there are none: the last, which changes nothing
// in an expression around it.
func first(f *audience.Frame, parts []audience.Expr, i int, order ...state) state {
	var states []state
	for _, x := range parts {
		states = append(states, stateOf(f, x, i))
	}
	for _, s := range order {
		if slices.Contains(states, s) {
			return s
		}
	}
	return order[len(order)-1]
}

package audience

import (
	"fmt"
	"iter"
	"slices"
	"sync"
)

// queries finishes what was planned: it cuts the covers of each query into strata and tells each pairing which of them
// it adds up.
func (p *planner) queries() []Query {
	out := make([]Query, len(p.pending))
	for i, q := range p.pending {
		p.stratify(q)
		out[i] = q.query
	}
	return out
}

// stratify forms the strata of a query: the atoms of its covers, that is fieldwork that is in the same covers and, in
// each, at a location with the same number of covered waves. Every cover is then a sum of whole strata, each with one
// divisor.
func (p *planner) stratify(q *pending) {
	namespace := p.frame.Namespace(q.query.Namespace)
	divided := p.frame.Namespaces[namespace].Universe == Sum
	signatures := make([][]byte, p.frame.Size())
	for _, c := range q.covers {
		waves := p.frame.wavesByLocation(c)
		for i := range c.All() {
			_, l := p.frame.Fieldwork(i)
			if divided {
				waves[l] = 1
			}
		}
		for i := range signatures {
			n := 0
			if c.Has(i) {
				_, l := p.frame.Fieldwork(i)
				n = waves[l]
			}
			signatures[i] = append(signatures[i], byte(n), byte(n>>8))
		}
	}
	if q.apart {
		for i := range signatures {
			if covered(signatures[i]) {
				signatures[i] = append(signatures[i], byte(i), byte(i>>8), byte(i>>16), byte(i>>24))
			}
		}
	}
	terms := make([][]term, len(q.covers))
	atoms := map[string]int{}
	for i, signature := range signatures {
		if !covered(signature) {
			continue
		}
		s, there := atoms[string(signature)]
		if !there {
			s = len(q.query.Strata)
			atoms[string(signature)] = s
			q.query.Strata = append(q.query.Strata, NewCover(p.frame.Size()))
			for c := range q.covers {
				if n := int(signature[2*c]) | int(signature[2*c+1])<<8; n > 0 {
					terms[c] = addTerm(terms[c], n, s)
				}
			}
		}
		q.query.Strata[s].Set(i)
	}
	sums := make([]*sum, len(q.covers))
	for c := range sums {
		sums[c] = newSum(terms[c], p.frame.Decimals(namespace))
	}
	for _, u := range q.users {
		u.pair.sum = sums[u.cover]
		u.pair.sum.users = append(u.pair.sum.users, u.pair)
	}
}

// covered tells whether a signature is that of fieldwork in any cover.
func covered(signature []byte) bool {
	return slices.ContainsFunc(signature, func(b byte) bool { return b != 0 })
}

// sum tells how the strata of a pairing add up to people.
type sum struct {
	terms  []term // smallest n first
	scale  *scale
	users  []*pairing
	merged sync.Once
}

// term is the locations in which the pairing covers n waves: their weights are added as integers first.
type term struct {
	n      int
	share  uint64 // scale.share of n
	strata []int
	whole  *Table // all strata together, where each is one fieldwork, of the rows that are used; else nil
}

// merge adds up the strata of each term, where they are single fieldworks, so that figures need not, each for itself.
// It does so when a figure is first asked for: not all tables are for figures.
func (s *sum) merge(q *pending) {
	if q.apart {
		s.merged.Do(func() { s.addUp(q.tables) })
	}
}

func (s *sum) addUp(tables []*Table) {
	used := make([]bool, tables[0].Rows+1)
	used[0] = true
	for _, pair := range s.users {
		for _, place := range pair.rows {
			used[max(0, place)] = true
		}
	}
	for i := range s.terms {
		t := &s.terms[i]
		t.whole = NewTable(tables[0].Rows, tables[0].Columns)
		width := t.whole.Columns + 1
		for _, stratum := range t.strata {
			for row, is := range used {
				if !is {
					continue
				}
				from := tables[stratum].Counts[row*width:][:width]
				for j := range t.whole.Counts[row*width:][:width] {
					t.whole.Counts[row*width+j].add(from[j])
				}
			}
		}
	}
}

// tables are those that a term adds up.
func (t *term) tables(of []*Table) iter.Seq[*Table] {
	return func(yield func(*Table) bool) {
		if t.whole != nil {
			yield(t.whole)
			return
		}
		for _, s := range t.strata {
			if !yield(of[s]) {
				return
			}
		}
	}
}

func newSum(terms []term, decimals int) *sum {
	slices.SortFunc(terms, func(a, b term) int { return a.n - b.n })
	waves := make([]int, len(terms))
	for i, t := range terms {
		waves[i] = t.n
	}
	s := &sum{terms: terms, scale: newScale(waves, decimals)}
	for i := range terms {
		terms[i].share = s.scale.share(terms[i].n)
	}
	return s
}

func addTerm(terms []term, n, stratum int) []term {
	for i := range terms {
		if terms[i].n == n {
			terms[i].strata = append(terms[i].strata, stratum)
			return terms
		}
	}
	return append(terms, term{n: n, strata: []int{stratum}})
}

// wavesByLocation counts the waves that a cover has in each location.
func (f *Frame) wavesByLocation(c Cover) []int {
	n := make([]int, len(f.Locations))
	for i := range c.All() {
		_, l := f.Fieldwork(i)
		n[l]++
	}
	return n
}

// maxCounts bounds the tables of one Tabulate: counts of 16 bytes, and squares of as many.
const maxCounts = 1 << 26

// maxWholeCounts bounds those of whole queries, many of whose counts may be of cells that nobody asks for.
const maxWholeCounts = maxCounts / 4

// cost is an error if the tables of the planned queries would have more counts than most.
func cost(queries []Query, most int) error {
	total := 0
	for _, q := range queries {
		counts := len(q.Strata) * (len(q.Rows) + 1) * (len(q.Columns) + 1)
		if q.Measures.Has(Squares) {
			counts *= 2
		}
		total += counts
		if total > most {
			return &ComplexError{Reason: fmt.Sprintf("the figures cover so many different combinations of waves and "+
				"locations that more than %d counts would be needed: ask for fewer rows or columns at a time", most)}
		}
	}
	return nil
}

package stats_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/stats"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey"
)

// raggedPairs is a random survey of ragged coverage with some pairs of its questions: locations that start late,
// questions and answers asked in some places, namespaces with weights of their own, fieldworks of one respondent.
type raggedPairs struct {
	seed  uint64
	study *storetest.Study
	store *naive.Store
	frame *audience.Frame
	pairs []raggedPair
}

// raggedPair is an association with what each respondent has to do with it.
type raggedPair struct {
	query    stats.AssociationQuery
	found    *stats.Association
	answered []answeredBoth
	several  bool // somebody gave several answers to a question
}

// answeredBoth is a respondent whom a pair covers: the fieldwork, the effective weight, and the numbers of the answers,
// from 1; 0 for who is not in the base, or did not answer both.
type answeredBoth struct {
	fieldwork   int
	weight      float64
	row, column int
}

// newRaggedPairs makes the survey of a seed, with so many pairs at the most.
func newRaggedPairs(t *testing.T, seed uint64, pairs int) *raggedPairs {
	t.Helper()
	g := storetest.NewRandom(seed + 1000)
	r := &raggedPairs{seed: seed, study: g.Study()}
	for len(r.study.Respondents) < 40 {
		r.study = g.Study()
	}
	r.single(g)
	var err error
	if r.store, err = naive.Load(t.Context(), r.study.Source()); err != nil {
		t.Fatal(err)
	}
	if r.frame, err = r.store.Frame(t.Context()); err != nil {
		t.Fatal(err)
	}
	for tried := 0; tried < 8*pairs && len(r.pairs) < pairs; tried++ {
		p := raggedPair{query: r.ask(g)}
		var incompatible *audience.IncompatibleError
		var invalid *audience.InvalidError
		p.found, err = stats.Associate(t.Context(), r.store, p.query)
		if errors.As(err, &incompatible) {
			continue
		}
		if err != nil && !errors.As(err, &invalid) {
			t.Fatalf("seed %d: %v", seed, err)
		}
		r.look(t, &p)
		if p.several != (err != nil) {
			t.Errorf("seed %d: %+v: several answers were given: %v; the error is %v", seed, p.query, p.several, err)
		}
		if err == nil {
			r.pairs = append(r.pairs, p)
		}
	}
	return r
}

// single makes all questions such as have one answer each, or nearly, and has each respondent answer a few times, so
// that there is something to be found.
func (r *raggedPairs) single(g storetest.Random) {
	s := r.study.Survey
	for i := range s.Questions {
		q := &s.Questions[i]
		if q.Kind == audience.Multi {
			q.Kind, q.Separate = []string{audience.Single, audience.Number}[g.IntN(2)], false
		}
		for d := range q.Datapoints {
			if g.IntN(8) == 0 {
				q.Datapoints[d].Asked = audience.Asked{{Location: s.Locations[g.IntN(len(s.Locations))].Code}}
			}
		}
	}
	a := answering{Random: g, survey: s, layout: survey.NewLayout(s), loose: g.IntN(5) == 0,
		tie: []int{0, 20, 50, 95}[g.IntN(4)], asked: map[[3]int]bool{}}
	var people []survey.Respondent
	for _, one := range r.study.Respondents {
		for range 1 + g.IntN(4) {
			p := one
			p.Row = int64(len(people) + 1)
			p.ID = fmt.Sprint("r", p.Row)
			p.Attributes, p.Answered = nil, make([]uint64, (a.layout.Items()+63)/64)
			kind := g.IntN(6)
			for i := range s.Questions {
				a.answer(&p, i, kind)
			}
			people = append(people, p)
		}
	}
	r.study.Respondents = people
}

// answering is how respondents answer.
type answering struct {
	storetest.Random
	survey *audience.Survey
	layout *survey.Layout
	tie    int             // how many percent of the answers go by the kind of respondent
	loose  bool            // some give several answers
	asked  map[[3]int]bool // wave, location and item
}

func (a *answering) pick(n, kind int) int {
	if a.IntN(100) < a.tie {
		return kind % n
	}
	return a.IntN(n)
}

// answer has somebody of some kind answer a question, as far as it is asked there.
func (a *answering) answer(p *survey.Respondent, question, kind int) {
	q := &a.survey.Questions[question]
	if a.IntN(12) == 0 {
		return
	}
	var asked []int // datapoints
	for d := range q.Datapoints {
		item := a.layout.Item(question, d)
		at := [3]int{p.Wave, p.Location, item}
		if _, drawn := a.asked[at]; !drawn {
			a.asked[at] = a.IntN(8) > 0
		}
		if a.asked[at] {
			p.Answered[item>>6] |= 1 << (item & 63)
			asked = append(asked, d)
		}
	}
	switch {
	case len(asked) == 0:
	case q.Grid():
		for _, d := range asked {
			p.Attributes = append(p.Attributes, a.layout.Attribute(question, d, a.pick(len(q.Suffixes), kind)))
		}
	default:
		first, other := a.pick(len(asked), kind), a.IntN(len(asked))
		p.Attributes = append(p.Attributes, a.layout.Attribute(question, asked[first], 0))
		if a.loose && other != first && a.IntN(40) == 0 && q.Kind != audience.Single {
			p.Attributes = append(p.Attributes, a.layout.Attribute(question, asked[other], 0))
		}
	}
}

// ask makes a query of two questions.
func (r *raggedPairs) ask(g storetest.Random) stats.AssociationQuery {
	axis := func() stats.AssociationAxis {
		q := &r.frame.Questions[g.IntN(len(r.frame.Questions))]
		a := stats.AssociationAxis{Question: q.Key()}
		if q.Grid() {
			a.Datapoints = []string{q.Datapoints[g.IntN(len(q.Datapoints))].Code}
		}
		return a
	}
	q := stats.AssociationQuery{Rows: axis(), Columns: axis()}
	s := g.Spec(r.frame)
	if g.IntN(3) == 0 {
		q.Base.Expr = s.Base
	}
	if g.IntN(4) == 0 {
		q.Waves, q.Locations = s.Waves, s.Locations
	}
	return q
}

// look finds out what each respondent has to do with a pair, one by one.
func (r *raggedPairs) look(t *testing.T, p *raggedPair) {
	t.Helper()
	f, oracle := r.frame, storetest.NewOracle(r.store)
	q := &p.query
	leaf := func(a stats.AssociationAxis) audience.Answers {
		return audience.Answers{Question: a.Question, Datapoints: a.Datapoints}
	}
	parts := []storetest.Part{oracle.Part(q.Base.Expr), oracle.Part(leaf(q.Rows)), oracle.Part(leaf(q.Columns))}
	if cut, is := q.Base.Expr.(audience.Cut); is {
		parts[0] = oracle.Part(cut)
	}
	namespace, cover, _, err := oracle.Measure(audience.Spec{Waves: q.Waves, Locations: q.Locations}, parts)
	if err != nil {
		t.Fatal(err)
	}
	divided := f.Namespaces[f.Namespace(namespace)].Universe == audience.Sum
	people := r.store.Respondents()
	for i := range people {
		one := &people[i]
		at := one.Fieldwork(f)
		if !cover.Has(at) || one.Units[namespace] == 0 {
			continue
		}
		waves := 0
		for c := range cover.All() {
			_, here := f.Fieldwork(at)
			if _, l := f.Fieldwork(c); l == here {
				waves++
			}
		}
		if divided {
			waves = 1
		}
		a := answeredBoth{fieldwork: at, weight: float64(one.Units[namespace]) / float64(waves)}
		in, err := one.In(f, q.Base.Expr)
		if err != nil {
			t.Fatal(err)
		}
		row, rows := r.given(one, q.Rows, at)
		column, columns := r.given(one, q.Columns, at)
		if in && rows > 0 && columns > 0 {
			a.row, a.column = row, column
			p.several = p.several || rows > 1 || columns > 1
		}
		p.answered = append(p.answered, a)
	}
}

// given is the number of the answer that a respondent gave to a question, from 1, and how many were given, of those
// that count as asked in the fieldwork: that in which somebody answered who takes part in the question's namespace.
func (r *raggedPairs) given(one *naive.Respondent, a stats.AssociationAxis, fieldwork int) (answer, answers int) {
	i, _ := r.frame.Question(a.Question)
	q := &r.frame.Questions[i]
	note := func(at int, x naive.Answer) {
		if one.Positive[x] && r.frame.Asked(i, r.frame.Datapoint(i, x.Datapoint)).Has(fieldwork) {
			answer = at + 1
			answers++
		}
	}
	if q.Grid() {
		for at, s := range q.Suffixes {
			note(at, naive.Answer{Question: q.Key(), Datapoint: a.Datapoints[0], Suffix: s.Code})
		}
		return answer, answers
	}
	for at, d := range q.Datapoints {
		note(at, naive.Answer{Question: q.Key(), Datapoint: d.Code})
	}
	return answer, answers
}

// table is a line for each respondent, as testdata/association.R reads it.
func (p *raggedPair) table() string {
	largest := 0.0
	for _, a := range p.answered {
		largest = max(largest, a.weight)
	}
	var out strings.Builder
	fmt.Fprintln(&out, "h,v,i,j")
	for _, a := range p.answered {
		fmt.Fprintf(&out, "%d,%.17g,%d,%d\n", a.fieldwork, a.weight/largest, a.row, a.column)
	}
	return out.String()
}

// shares are those of the cells, of the answers that occur.
func (p *raggedPair) shares() (shares [][]float64, sample int64, effective float64) {
	total, squares := 0.0, 0.0
	var rows, columns []int
	for _, a := range p.answered {
		if a.row > 0 {
			rows, columns = append(rows, a.row), append(columns, a.column)
			total += a.weight
			squares += a.weight * a.weight
			sample++
		}
	}
	slices.Sort(rows)
	slices.Sort(columns)
	rows, columns = slices.Compact(rows), slices.Compact(columns)
	for range rows {
		shares = append(shares, make([]float64, len(columns)))
	}
	for _, a := range p.answered {
		if a.row > 0 {
			shares[slices.Index(rows, a.row)][slices.Index(columns, a.column)] += a.weight / total
		}
	}
	if sample > 0 {
		effective = total * total / squares
	}
	return shares, sample, effective
}

// freedom is the degrees of freedom of those who answered both.
func (p *raggedPair) freedom() (df int) {
	fieldworks := map[int]bool{}
	for _, a := range p.answered {
		if a.row > 0 {
			fieldworks[a.fieldwork] = true
			df++
		}
	}
	return df - len(fieldworks)
}

// solvable tells whether the contrasts of the cells that anybody is in can be told apart: whether, of the table of
// which cell is in which contrast, as many lines are left as there are contrasts when others are taken from them.
func solvable(shares [][]float64) bool {
	last, end := len(shares)-1, len(shares[0])-1
	var lines [][]float64 // of each cell with anybody in it
	for i, row := range shares {
		for j, share := range row {
			line := make([]float64, last*end)
			for k := range line {
				a, b := k/end, k%end
				switch {
				case i == a && j == b, i == last && j == end:
					line[k] = 1
				case i == a && j == end, i == last && j == b:
					line[k] = -1
				}
			}
			if share > 0 {
				lines = append(lines, line)
			}
		}
	}
	rank := 0
	for k := range last * end {
		pivot := slices.IndexFunc(lines[rank:], func(line []float64) bool { return math.Abs(line[k]) > 1e-9 })
		if pivot < 0 {
			return false
		}
		lines[rank], lines[rank+pivot] = lines[rank+pivot], lines[rank]
		for i := rank + 1; i < len(lines); i++ {
			factor := lines[i][k] / lines[rank][k]
			for l := range lines[i] {
				lines[i][l] -= factor * lines[rank][l]
			}
		}
		if rank++; rank == len(lines) {
			return rank == last*end
		}
	}
	return true
}

package stats

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/inference"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// AssociationQuery asks how far two questions go together. The base may be empty, which is everyone.
type AssociationQuery struct {
	Rows, Columns    AssociationAxis
	Base             audience.Audience
	Waves, Locations []string // codes; none: all that may be used
	Coverage         bool     // Association.Coverage is filled in
	// MostCells bounds the answers of the rows × those of the columns; 0 is no bound. It is looked at last.
	MostCells int
}

// AssociationAxis is a question with one answer each: one of a single choice, or of a number, whose bands are the
// answers; or one datapoint of a grid, whose suffixes are.
type AssociationAxis struct {
	Question   string   // required
	Datapoints []string // the one datapoint of a grid; none of other questions
}

// Association says how far two questions go together, among those of the base who answered both. It covers the
// fieldwork in which both were asked. An answer that was not asked about in some of that was given by no one there.
type Association struct {
	Sample          int64   // respondents who answered both
	EffectiveSample float64 // of them (Kish): respondents
	// CramersV is how strongly they go together, from 0, not at all, to 1: the one tells the other. nil where fewer than
	// two answers to one of them occur.
	CramersV *float64
	// Independence is the test of whether they have nothing to do with each other. nil where fewer than two answers to
	// one of them occur, where there are no degrees of freedom, where nothing can vary, and where so many pairs of
	// answers do not occur that nothing can be said.
	Independence *Independence
	Coverage     *audience.Covered // what it covers, in codes; nil unless AssociationQuery.Coverage
	// Withheld tells that they are, or that any two answers have in common, fewer respondents than the caller may be told
	// of: the figures are 0 or nil. See audience.Grant.
	Withheld bool
}

// Independence is χ² of a weighted crosstab with the correction of second order of Rao and Scott, as an F.
type Independence struct {
	F             float64
	DF            float64 // degrees of freedom, 1 or more; not whole as a rule
	DFDenominator float64
	P             float64 // the probability of an F at least as large if the questions were independent
}

// Most of what an association may take: counts, with their squares, which are 64 MB, and answers of both questions
// together, of which the mathematics takes the third power.
const (
	mostAssociationCounts  = 2 << 20
	mostAssociationAnswers = 1000
)

// Associate counts. Errors are those of audience.Frame.Check, with the origins rows, columns and base_audience,
// *audience.InvalidError for a question that can have several answers, and one that somebody has given several to,
// *audience.IncompatibleError and *audience.ComplexError.
func Associate(ctx context.Context, st audience.Store, q AssociationQuery) (*Association, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	var out *Association
	err := audience.Read(ctx, st, func(reading *audience.Reading) error {
		p, err := q.plan(reading.Frame)
		if err != nil {
			return err
		}
		tabs, err := reading.Tabulate(ctx, p.whole, p.cells)
		if err != nil {
			return err
		}
		out, err = p.result(tabs[0], tabs[1])
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// check finds what is wrong with a query whatever the store.
func (q *AssociationQuery) check() error {
	for _, axis := range q.axes() {
		path := axis.path + ".question"
		switch axis.Question {
		case "":
			return &audience.InvalidError{Path: path, Reason: "a question code is required"}
		case Waves, Locations:
			return &audience.InvalidError{Path: path,
				Reason: fmt.Sprintf("%q is no question of the survey", axis.Question)}
		}
	}
	return nil
}

// axis is an AssociationAxis with its place in the query.
type axis struct {
	AssociationAxis
	path string
}

func (q *AssociationQuery) axes() [2]axis { return [2]axis{{q.Rows, "rows"}, {q.Columns, "columns"}} }

// leaf is everyone who answered.
func (a *axis) leaf() audience.Expr {
	return audience.Answers{Question: a.Question, Datapoints: strictjson.Once(a.Datapoints), Path: a.path}
}

// answers are those who gave each of the answers. The codes of the axis are usable.
func (a *axis) answers(f *audience.Frame) (xs []audience.Expr, err error) {
	invalid := func(member, format string, args ...any) ([]audience.Expr, error) {
		return nil, &audience.InvalidError{Path: a.path + "." + member, Reason: fmt.Sprintf(format, args...)}
	}
	at, _ := f.Question(a.Question)
	question, datapoints := &f.Questions[at], strictjson.Once(a.Datapoints)
	switch {
	case question.Kind == audience.Multi:
		return invalid("question", "question %q can have several answers: an association is of two with one answer each",
			a.Question)
	case question.Grid() && len(datapoints) != 1:
		return invalid("datapoints", "question %q is a grid: name the one datapoint whose suffixes are the answers",
			a.Question)
	case question.Grid():
		for _, s := range question.Suffixes {
			xs = append(xs, audience.Answers{Question: a.Question, Datapoints: datapoints, Suffixes: []int{s.Code}})
		}
		return xs, nil
	case len(datapoints) > 0:
		return invalid("datapoints", "question %q is no grid, all of its answers count: leave some out by the base audience",
			a.Question)
	}
	for _, d := range question.Datapoints {
		xs = append(xs, audience.Answers{Question: a.Question, Datapoints: []string{d.Code}})
	}
	return xs, nil
}

// associationPlan is an AssociationQuery seen in a Frame.
type associationPlan struct {
	query  *AssociationQuery
	covers *audience.Covers // nil unless it is asked for
	// whole is those who answered both, and cells those who gave each two answers. These cover less where an answer was
	// not asked about everywhere: so whole says which fieldwork counts, and how much a weight there stands for.
	whole, cells audience.Spec
}

func (q *AssociationQuery) plan(f *audience.Frame) (*associationPlan, error) {
	axes := q.axes()
	rows, columns := &axes[0], &axes[1]
	err := f.Check(q.Waves, q.Locations, audience.Use{Origin: "rows", Expr: rows.leaf()},
		audience.Use{Origin: "columns", Expr: columns.leaf()},
		audience.Use{Origin: "base_audience", Expr: q.Base.Expr})
	if err != nil {
		return nil, err
	}
	p := &associationPlan{query: q}
	s := audience.Spec{Base: q.Base.Expr, Rows: []audience.Expr{rows.leaf()}, Columns: []audience.Expr{columns.leaf()},
		Waves: strictjson.Once(q.Waves), Locations: strictjson.Once(q.Locations), Measures: audience.Squares}
	// no part settles another: where one of them was not asked, nothing is measured
	p.whole = s
	p.whole.Base = cut(q.Base.Expr, audience.Cut{rows.leaf(), columns.leaf()})
	p.whole.Rows, p.whole.Columns = nil, nil
	p.cells = p.whole
	if p.cells.Rows, err = rows.answers(f); err != nil {
		return nil, err
	}
	if p.cells.Columns, err = columns.answers(f); err != nil {
		return nil, err
	}
	if err := s.Check(f); err != nil {
		return nil, audience.Renamed(err, "base", "base_audience", "rows[0]", "rows", "columns[0]", "columns")
	}
	if q.Coverage {
		if p.covers, err = audience.NewCovers(f, p.whole); err != nil {
			return nil, err
		}
	}
	return p, p.cost(f)
}

// cost is an error if the table is too large.
func (p *associationPlan) cost(f *audience.Frame) error {
	rows, columns := len(p.cells.Rows), len(p.cells.Columns)
	tooMany := func(format string, args ...any) error {
		return &audience.ComplexError{Reason: fmt.Sprintf(format, args...)}
	}
	switch limit := p.query.MostCells; {
	case limit > 0 && rows*columns > limit:
		return tooMany("%d × %d answers are more than the %d cells that one request may ask for", rows, columns, limit)
	case rows+columns > mostAssociationAnswers:
		return tooMany("the two questions have %d answers, more than the %d that an association may have together",
			rows+columns, mostAssociationAnswers)
	}
	planned, err := audience.Plan(f, p.whole)
	if err != nil {
		return err
	}
	fieldworks := planned.Cell(0, 0).Cover.Len()
	if n := (rows + 1) * (columns + 1) * fieldworks; n > mostAssociationCounts {
		return tooMany("%d × %d answers in %d waves and locations are %d counts, more than the %d that an association may "+
			"have: ask for fewer waves or locations", rows, columns, fieldworks, n, mostAssociationCounts)
	}
	return nil
}

// result forms the figures of what was counted.
func (p *associationPlan) result(whole, cells *audience.Crosstab) (*Association, error) {
	crossed, err := p.crossed(whole, cells)
	if err != nil {
		return nil, err
	}
	out := &Association{Withheld: p.withheld(whole, crossed)}
	if !out.Withheld {
		out.take(inference.Associate(crossed))
	}
	if p.covers != nil {
		covered := p.covers.Of(0, 0, whole.Cell(0, 0))
		out.Coverage = &covered
	}
	return out, nil
}

// take takes what was computed.
func (a *Association) take(from inference.Association) {
	a.Sample, a.EffectiveSample, a.CramersV = from.Sample, from.Effective, from.CramersV
	if test := from.Independence; test != nil {
		a.Independence = &Independence{test.F, test.DF, test.DFDenominator, test.P}
	}
}

// withheld tells whether the caller may not be told. Of a small table the figures tell each cell: with the margins,
// which can be asked for, Cramér's V of two answers × two is all there is to know.
func (p *associationPlan) withheld(whole *audience.Crosstab, fieldworks []inference.Crossed) bool {
	if whole.Cell(0, 0).Withheld {
		return true
	}
	samples := map[[2]int]int64{}
	for i := range fieldworks {
		for _, c := range fieldworks[i].Cells {
			samples[[2]int{c.Row, c.Column}] += c.Sample
		}
	}
	return whole.Frame.TooFew(slices.Collect(maps.Values(samples))...)
}

// crossed are the tables of the fieldworks.
func (p *associationPlan) crossed(whole, cells *audience.Crosstab) ([]inference.Crossed, error) {
	var out []inference.Crossed
	at := map[int]int{} // by fieldwork
	var answered []int64
	for s := range whole.Sections() {
		for i := range s.Strata {
			h := &s.Strata[i]
			at[h.Fieldwork] = len(out)
			out = append(out, inference.Crossed{Respondents: h.Respondents, Person: h.Person})
			answered = append(answered, h.Table.At(0, 0).Sample)
		}
	}
	rows, columns := newGiven(p.query.Rows, "rows"), newGiven(p.query.Columns, "columns")
	for s := range cells.Sections() {
		for k := range s.Strata {
			h := &s.Strata[k]
			for i, row := range s.RowPlaces {
				rows.note(s.Rows[i], h, row, 0)
			}
			for j, column := range s.ColumnPlaces {
				columns.note(s.Columns[j], h, 0, column)
			}
			for i, row := range s.RowPlaces {
				for j, column := range s.ColumnPlaces {
					if _, _, _, both := h.Moments(row, column); both.Sample > 0 {
						to := &out[at[h.Fieldwork]]
						to.Cells = append(to.Cells, inference.CrossCell{Row: s.Rows[i], Column: s.Columns[j],
							Moments: inference.Moments{Sample: both.Sample, Weight: both.Weight, High: both.Squares.High,
								Low: both.Squares.Low}})
					}
				}
			}
		}
	}
	for i := range out {
		slices.SortFunc(out[i].Cells, func(a, b inference.CrossCell) int {
			return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Column, b.Column))
		})
	}
	for _, g := range []*given{rows, columns} {
		for h, i := range at {
			if g.answers[h] > answered[i] {
				return nil, g.several()
			}
		}
	}
	return out, nil
}

// given counts the answers that were given to a question, so that it is found out if anybody gave several.
type given struct {
	AssociationAxis
	path    string
	seen    map[[2]int]bool // fieldwork and answer
	answers map[int]int64   // by fieldwork
}

func newGiven(a AssociationAxis, path string) *given {
	return &given{a, path, map[[2]int]bool{}, map[int]int64{}}
}

// note counts those who gave an answer, which is in a row or a column of the tables. Answers stand in several sections.
func (g *given) note(answer int, h *audience.Stratum, row, column int) {
	if key := [2]int{h.Fieldwork, answer}; !g.seen[key] && row >= 0 && column >= 0 {
		g.seen[key] = true
		g.answers[h.Fieldwork] += h.Table.At(row, column).Sample
	}
}

// several is the error where somebody gave several answers.
func (g *given) several() error {
	what := fmt.Sprintf("question %q", g.Question)
	if len(g.Datapoints) > 0 {
		what += fmt.Sprintf(", datapoint %q,", g.Datapoints[0])
	}
	return &audience.InvalidError{Path: g.path + ".question",
		Reason: what + " has respondents with several answers: an association is of two with one answer each"}
}

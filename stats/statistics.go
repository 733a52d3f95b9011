package stats

import (
	"context"
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
)

// MaxCompared is how many audiences, or segments, a Request may have compared with each other: each pair that overlaps
// is counted for itself, for every datapoint.
const MaxCompared = 60

// Statistics says how sure the Metrics of an Entry are. An interval that could not be had is nil: of a percentage of no
// one, or of the index of no one. So is a difference where either side was not measured or is a share of no one, or
// where there is nothing that could vary.
type Statistics struct {
	// How many respondents a sample with equal weights would need to be as sure (Kish), of the figures of those names.
	BaseEffectiveSample, PositiveEffectiveSample, AudienceEffectiveSample, DatapointEffectiveSample float64

	AudiencePercentage, DatapointPercentage, AudienceIndex *estimate.Interval

	// Rest compares the audience within its segment with the rest of the base, and Previous with the same audience in the
	// segment before, both by AudiencePercentage, the share that is positive. nil unless asked for.
	Rest, Previous      *estimate.Difference
	Audiences, Segments *Comparisons // nil unless asked for
}

// Comparisons compares an Entry with those of the other audiences in its segment, or of the same audience in the other
// segments, by AudiencePercentage. What they name are IDs of audiences, or codes of segments, in the order of the
// entries.
type Comparisons struct {
	HigherThan, LowerThan []string // those that it is significantly above and below
	Pairs                 []Pair   // with every other that it can be compared with; nil unless asked for
}

// Pair is the difference from another audience or segment.
type Pair struct {
	Other string
	estimate.Difference
}

// WaveStatistics says how sure the percentage of a WaveCount is.
type WaveStatistics struct {
	EffectiveSample float64 // of the audience in the wave (Kish)
	Percentage      *estimate.Interval
	// from the wave before that was measured; nil for the first, and where it could not be had
	Previous *estimate.Difference
}

// comparable is an error if more audiences or segments than MaxCompared are to be compared with each other.
func (p *plan) comparable() error {
	o := p.request.Statistics
	if o == nil {
		return nil
	}
	for _, c := range []struct {
		what    string
		compare estimate.Compare
		n       int
	}{
		{"audiences", estimate.Audiences, len(p.request.Audiences)},
		{"segments", estimate.Segments, len(p.extent.Segments)},
	} {
		if o.Compares(c.compare) && c.n > MaxCompared {
			return &audience.ComplexError{Reason: fmt.Sprintf("%d %s are more than the %d that can be compared with each "+
				"other", c.n, c.what, MaxCompared)}
		}
	}
	return nil
}

// sure is how sure the figures of a request are.
type sure struct {
	*estimate.Estimator
	tables []*estimate.Table // of the specs
	pairs  []pair
	// what was found of each entry
	previous            map[place]*estimate.Difference
	audiences, segments map[place]*Comparisons
}

// pair is two entries of every datapoint that are compared.
type pair struct {
	estimate.Pair
	compare estimate.Compare
	a, b    string // what they are called there
}

// estimate counts the specs and how sure their figures are.
func (r *Result) estimate(ctx context.Context, reading *audience.Reading) error {
	s := newSure(r)
	q := estimate.Question{Specs: r.plan.specs, Compared: s.take, Pairs: s.estimated()}
	var err error
	if s.tables, err = s.Tabulate(ctx, reading, q); err != nil {
		return err
	}
	r.tabs = nil
	for _, t := range s.tables {
		r.tabs = append(r.tabs, t.Crosstab)
	}
	s.adjustPrevious()
	r.sure = s
	return nil
}

// newSure lists what is compared in a request that asks for statistics.
func newSure(r *Result) *sure {
	s := &sure{Estimator: estimate.New(*r.request.Statistics), previous: map[place]*estimate.Difference{},
		audiences: map[place]*Comparisons{}, segments: map[place]*Comparisons{}}
	s.pair(r)
	return s
}

// estimated are the pairs as an estimator has them.
func (s *sure) estimated() (pairs []estimate.Pair) {
	for _, p := range s.pairs {
		pairs = append(pairs, p.Pair)
	}
	return pairs
}

// adjustPrevious corrects the tests against the segment before: all of them are one family.
func (s *sure) adjustPrevious() {
	var family []*estimate.Difference
	for _, d := range s.previous {
		family = append(family, d)
	}
	s.Adjust(family)
}

// pair lists what is compared: the audiences within each segment, the segments within each audience, and each segment
// with the one before it.
func (s *sure) pair(r *Result) {
	if len(r.plan.specs) == 0 {
		return
	}
	segments, audiences := max(1, len(r.plan.extent.Segments)), max(1, len(r.request.Audiences))
	add := func(c estimate.Compare, a, b place, nameA, nameB string) {
		if s.Compares(c) {
			at := func(p place) estimate.Place { return estimate.Place{Spec: p.spec, Column: p.column} }
			s.pairs = append(s.pairs, pair{estimate.Pair{A: at(a), B: at(b)}, c, nameA, nameB})
		}
	}
	for i := range segments {
		for a := range r.request.Audiences {
			for b := a + 1; b < len(r.request.Audiences); b++ {
				add(estimate.Audiences, r.at(0, i, a), r.at(0, i, b), r.request.Audiences[a].ID, r.request.Audiences[b].ID)
			}
		}
	}
	codes := r.plan.extent.Segments
	for a := range audiences {
		for i := range codes {
			for j := i + 1; j < len(codes); j++ {
				add(estimate.Segments, r.at(0, i, a), r.at(0, j, a), codes[i], codes[j])
			}
			if i > 0 {
				add(estimate.Previous, r.at(0, i, a), r.at(0, i-1, a), "", "")
			}
		}
	}
}

// take takes what was found for a datapoint. Its pairs of audiences are a family, and so are its pairs of segments.
func (s *sure) take(row int, found []*estimate.Difference) {
	families := map[estimate.Compare][]*estimate.Difference{}
	for i, p := range s.pairs {
		switch d := found[i]; {
		case d == nil:
		case p.compare == estimate.Previous:
			s.previous[place{p.A.Spec, row, p.A.Column}] = d
		default:
			families[p.compare] = append(families[p.compare], d)
		}
	}
	for _, family := range families {
		s.Adjust(family)
	}
	for i, p := range s.pairs {
		to := s.audiences
		if p.compare == estimate.Segments {
			to = s.segments
		}
		if d := found[i]; d != nil && p.compare != estimate.Previous {
			s.enter(to, place{p.A.Spec, row, p.A.Column}, p.b, *d)
			d.Difference, d.T = -d.Difference, -d.T
			s.enter(to, place{p.B.Spec, row, p.B.Column}, p.a, *d)
		}
	}
}

// incomparable are the comparisons of an entry that can be compared with no other.
func (s *sure) incomparable() *Comparisons {
	if s.Pairs {
		return &Comparisons{Pairs: []Pair{}}
	}
	return &Comparisons{}
}

// enter notes the difference of an entry from another.
func (s *sure) enter(to map[place]*Comparisons, at place, other string, d estimate.Difference) {
	c := to[at]
	if c == nil {
		c = s.incomparable()
		to[at] = c
	}
	switch significant := d.Significant(s.Level); {
	case significant && d.Difference > 0:
		c.HigherThan = append(c.HigherThan, other)
	case significant:
		c.LowerThan = append(c.LowerThan, other)
	}
	if s.Pairs {
		c.Pairs = append(c.Pairs, Pair{other, d})
	}
}

// statistics say how sure the metrics of the entry at a place are; nil unless that is asked for.
func (r *Result) statistics(at place, cell *audience.Cell) *Statistics {
	if r.sure == nil {
		return nil
	}
	out := &Statistics{}
	out.Audiences, out.Segments = r.sure.comparisons(at)
	if cell.Cover.Empty() {
		return out
	}
	e := r.sure.tables[at.spec].Estimates(at.row, at.column, cell)
	out.BaseEffectiveSample, out.PositiveEffectiveSample = e.Base, e.Both
	out.AudienceEffectiveSample, out.DatapointEffectiveSample = e.Column, e.Row
	out.AudiencePercentage, out.DatapointPercentage, out.AudienceIndex = e.OfColumn, e.OfRow, e.Index
	out.Rest, out.Previous = e.Rest, r.sure.previous[at]
	return out
}

// comparisons are those of the entry at a place with other audiences and segments; nil unless asked for.
func (s *sure) comparisons(at place) (audiences, segments *Comparisons) {
	find := func(c estimate.Compare, found map[place]*Comparisons) *Comparisons {
		if !s.Compares(c) {
			return nil
		}
		if known := found[at]; known != nil {
			return known
		}
		return s.incomparable()
	}
	return find(estimate.Audiences, s.audiences), find(estimate.Segments, s.segments)
}

// statistics are those of a wave, by its column; nil unless they are asked for.
func (t *trend) statistics(column int, cell *audience.Cell) *WaveStatistics {
	if t.table == nil {
		return nil
	}
	e := t.table.Estimates(1, column, cell)
	return &WaveStatistics{EffectiveSample: e.Both, Percentage: e.OfColumn, Previous: t.previous[column]}
}

// estimate counts the specs of a trend, how sure its waves are, and how they differ from the one before.
func (t *trend) estimate(ctx context.Context, reading *audience.Reading, o estimate.Options) ([]*audience.Crosstab,
	error) {
	e := estimate.New(o)
	planned, err := audience.Plan(reading.Frame, t.specs[1])
	if err != nil {
		return nil, err
	}
	q := estimate.Question{Specs: t.specs[1:]}
	before := 0
	for column := 1; column <= len(t.waves); column++ {
		if planned.Cell(1, column).Cover.Empty() {
			continue
		}
		if before > 0 {
			q.Pairs = append(q.Pairs, estimate.Pair{A: estimate.Place{Column: column}, B: estimate.Place{Column: before}})
		}
		before = column
	}
	t.previous = make([]*estimate.Difference, len(t.waves)+1)
	q.Compared = func(_ int, found []*estimate.Difference) {
		for i, d := range found {
			t.previous[q.Pairs[i].A.Column] = d
		}
	}
	tables, err := e.Tabulate(ctx, reading, q)
	if err != nil {
		return nil, err
	}
	t.table = tables[0]
	e.Adjust(slices.DeleteFunc(slices.Clone(t.previous), func(d *estimate.Difference) bool { return d == nil }))
	whole, err := reading.Tabulate(ctx, t.specs[0])
	if err != nil {
		return nil, err
	}
	return []*audience.Crosstab{whole[0], t.table.Crosstab}, nil
}

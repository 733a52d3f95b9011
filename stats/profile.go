package stats

import (
	"context"
	"fmt"
	"iter"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/internal/inference"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// ProfileQuery asks what sets an audience apart from the rest of its base, over every attribute that the caller may
// use.
type ProfileQuery struct {
	Audience         audience.Audience // required
	Base             audience.Audience // without an expression: everyone
	Questions        []string          // whose attributes are looked at; none: all that may be used
	Waves, Locations []string          // codes; none: all that may be used

	// MinSample is how many respondents the audience, and the rest of the base, must have where an attribute is measured
	// for it to be tested; 0: 30.
	MinSample int64
	// FalseDiscovery is how many percent of the attributes that stand may be expected to stand by chance, above 0 and
	// below 100; 0: 5.
	FalseDiscovery float64

	OrderBy       ProfileOrder
	Direction     Direction
	Limit, Offset int // how many attributes are told, all if it is 0, and how many are passed over before

	Coverage bool             // ProfileEntry.Coverage is filled in
	Level    float64          // of the intervals, in percent, above 50 and below 100; 0: 95
	LowBase  estimate.LowBase // how percentages of few respondents are marked

	Limits ProfileLimits
}

// ProfileOrder is what attributes are ranked by, the farthest first. Indexes are compared by their ratio to 100, so
// that 50 is as far as 200; ties go by the index, and then they are in the order of the survey.
type ProfileOrder string

const (
	// Certain goes by the end of the index's interval that is nearer to 100, which is how far the index is from 100 at the
	// least; one whose interval holds 100, or that has none, is at 100. "" is the same.
	Certain ProfileOrder = "certain"
	// ByIndex goes by the index, and ByDifference by the audience's percentage less that of the rest, in points. An index
	// is at 100 where it has nothing to compare, as nobody in the base is positive.
	ByIndex      ProfileOrder = "index"
	ByDifference ProfileOrder = "difference"
)

// Direction limits a profile to attributes that the audience has more, or less, than its base.
type Direction string

const (
	Over  Direction = "over"  // of an index above 100
	Under Direction = "under" // of an index below 100
	Both  Direction = "both"  // all, "" is the same
)

// Defaults of a ProfileQuery.
const (
	DefaultMinSample      = 30
	DefaultFalseDiscovery = 5
)

// ProfileLimits bound what one ProfileQuery may ask. They are looked at after everything else but before anything is
// counted.
type ProfileLimits struct {
	Attributes int                       // 0 is no bound
	Cost       func(ProfileExtent) error // a limit of the caller's own; its error is returned in its turn
}

// ProfileExtent is what a ProfileQuery amounts to in a store.
type ProfileExtent struct {
	Attributes []AttributeKey // that are counted, in the survey's order
	Entries    int            // that are told at the most
	Waves      []string       // that an entry may cover, oldest first
	// Coverage is how many bytes ProfileEntry.Coverage may take at the most, written as JSON; 0 unless it is asked for.
	Coverage int64
}

// AttributeKey names an attribute: the finest thing that a respondent can be positive on.
type AttributeKey struct {
	Namespace, Question, Datapoint string
	Grid                           bool // it has a suffix
	Suffix                         int
}

// ProfileEntry is one attribute, with how it sets the audience apart. Statistics has no comparisons.
type ProfileEntry struct {
	AttributeKey
	Waves      []string // in which all of it was asked, oldest first
	Metrics    Metrics
	Statistics Statistics

	RestPercentage      float64 // of the rest of the base that is positive, 0–100
	RestEffectiveSample float64 // of the rest of the base (Kish)
	Difference          float64 // AudiencePercentage − RestPercentage, in points

	Tested       bool
	P, AdjustedP float64 // of the likelihood ratio test, by itself and after Benjamini and Hochberg; 1 if not tested
	Stands       bool    // AdjustedP is at most FalseDiscovery percent

	Coverage *audience.Covered // what it covers, in codes; nil unless ProfileQuery.Coverage
	// Withheld tells that it was measured, but tells of fewer respondents than the caller may be told of: it is not
	// tested, its figures are 0, and it is ranked as one that has no index. See audience.Grant.
	Withheld bool
}

// ProfileResult is a ProfileQuery, counted and ranked.
type ProfileResult struct {
	Measured int // attributes that were measured where the audience was
	Tested   int // of these, those that were tested
	Standing int // of these, those that stand
	Ranked   int // of the measured ones, those in the Direction that was asked for, before Limit and Offset

	Incompatible int // attributes left out, as their namespace has no respondents in common with the audience's
	Unmeasured   int // attributes left out, as they were never asked where the audience was

	query     ProfileQuery
	plan      *profilePlan
	contrasts *estimate.Contrasts
	adjusted  []float64 // by row; 1 where not tested
	order     []int     // rows, the first ranked first, of Limit and Offset
}

// Profile counts every attribute within an audience and ranks them. Once it returns nothing can fail.
//
// Whether an attribute differs between the audience and the rest of its base is told by a likelihood ratio test at
// their effective samples, within what the attribute covers; all that were tested are one family, corrected after
// Benjamini and Hochberg. FIGURES.md has an example.
//
// Errors are those of audience.Frame.Check, with the origins audience, base_audience and questions[i],
// *audience.InvalidError, *audience.EmptyError, *audience.IncompatibleError and, last, *audience.ComplexError.
func Profile(ctx context.Context, st audience.Store, q ProfileQuery) (*ProfileResult, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	var out *ProfileResult
	err := audience.Read(ctx, st, func(reading *audience.Reading) error {
		p, err := q.plan(reading.Frame)
		if err != nil {
			return err
		}
		e := estimate.New(estimate.Options{Level: q.Level, LowBase: q.LowBase})
		out = &ProfileResult{query: q, plan: p, Incompatible: p.incompatible}
		if out.contrasts, err = e.Contrasts(ctx, reading, p.spec, q.MinSample); err != nil {
			return err
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out.judge()
	out.rank()
	return out, nil
}

// check finds what is wrong with a query whatever the store, and fills in what was left out.
func (q *ProfileQuery) check() error {
	invalid := func(path, reason string) error { return &audience.InvalidError{Path: path, Reason: reason} }
	if q.MinSample == 0 {
		q.MinSample = DefaultMinSample
	}
	if q.FalseDiscovery == 0 {
		q.FalseDiscovery = DefaultFalseDiscovery
	}
	switch {
	case q.Audience.Expr == nil:
		return &audience.EmptyError{Path: "audience.expression"}
	case q.MinSample < 0:
		return invalid("min_sample", "a number of respondents is 1 or more")
	case !(q.FalseDiscovery > 0 && q.FalseDiscovery < 100):
		return invalid("false_discovery", "a share of false discoveries is in percent, above 0 and below 100, as 5 is")
	case q.Limit < 0:
		return invalid("limit", "a number of attributes is 0 or more; 0 is all")
	case q.Offset < 0:
		return invalid("offset", "a number of attributes is 0 or more")
	}
	switch q.OrderBy {
	case "", Certain, ByIndex, ByDifference:
	default:
		return invalid("order_by", fmt.Sprintf("%q is no order: certain, index and difference are", string(q.OrderBy)))
	}
	switch q.Direction {
	case "", Over, Under, Both:
	default:
		return invalid("direction", fmt.Sprintf("%q is no direction: over, under and both are", string(q.Direction)))
	}
	options := estimate.Options{Level: q.Level, LowBase: q.LowBase}
	return options.Check()
}

// judge tells which of the attributes that were tested stand. All of them are one family, whatever is told of them.
func (r *ProfileResult) judge() {
	var ps []float64
	var rows []int
	r.adjusted = make([]float64, len(r.plan.attributes))
	for i := range r.adjusted {
		c := r.contrasts.Row(i)
		r.adjusted[i] = 1
		if c.Cell.Cover.Empty() {
			r.Unmeasured++
			continue
		}
		r.Measured++
		if c.Tested {
			ps, rows = append(ps, c.P), append(rows, i)
		}
	}
	r.Tested = len(rows)
	for i, p := range inference.FDR.Adjust(ps) {
		r.adjusted[rows[i]] = p
		if r.stands(rows[i]) {
			r.Standing++
		}
	}
}

func (r *ProfileResult) stands(row int) bool {
	return r.contrasts.Row(row).Tested && r.adjusted[row] <= r.query.FalseDiscovery/100
}

// Len is the number of entries that are told.
func (r *ProfileResult) Len() int { return len(r.order) }

// Entries ranges over the attributes that were measured, as they were ranked. Their lists are shared and must not be
// changed.
func (r *ProfileResult) Entries() iter.Seq[ProfileEntry] {
	return func(yield func(ProfileEntry) bool) {
		for _, row := range r.order {
			if !yield(r.entry(row)) {
				return
			}
		}
	}
}

// entry forms what is told of an attribute.
func (r *ProfileResult) entry(row int) ProfileEntry {
	c, e := r.contrasts.Row(row), r.contrasts.Estimates(row)
	out := ProfileEntry{AttributeKey: r.plan.attributes[row].key, Waves: r.plan.frame.WaveCodes(c.Cell.Cover),
		Metrics: metrics(&c.Cell), RestPercentage: c.RestPercentage, RestEffectiveSample: c.RestEffective,
		Difference: c.Difference, Tested: c.Tested, P: c.P, AdjustedP: r.adjusted[row], Stands: r.stands(row),
		Withheld: c.Cell.Withheld}
	out.Statistics = Statistics{BaseEffectiveSample: e.Base, PositiveEffectiveSample: e.Both,
		AudienceEffectiveSample: e.Column, DatapointEffectiveSample: e.Row, AudiencePercentage: e.OfColumn,
		DatapointPercentage: e.OfRow, AudienceIndex: e.Index}
	if r.query.Coverage {
		covered := r.plan.covers[row].Of(1, 1, c.Cell)
		out.Coverage = &covered
	}
	return out
}

// Extent tells what the query amounted to.
func (r *ProfileResult) Extent() ProfileExtent { return r.plan.extent }

// specOf is what a query asks of some attributes.
func (q *ProfileQuery) specOf(attributes []attribute) audience.Spec {
	s := audience.Spec{Base: q.Base.Expr, Columns: []audience.Expr{q.Audience.Expr}, Waves: strictjson.Once(q.Waves),
		Locations: strictjson.Once(q.Locations)}
	for i := range attributes {
		s.Rows = append(s.Rows, attributes[i].expr)
	}
	return s
}

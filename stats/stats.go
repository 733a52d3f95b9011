package stats

import (
	"context"
	"fmt"
	"iter"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// Request is what to tell about one question. Audiences must say who they are; the base may be empty, which is
// everyone.
type Request struct {
	Question   string   // required
	Datapoints []string // none: all of the question's, in its order
	Suffixes   []int    // of a grid: a datapoint is positive with any of these; none: with any at all

	Splitter      string   // Waves, Locations or a question code; "": no segments
	Segments      []string // which of the splitter's segments are made; none: all
	SegmentedBase bool     // each segment cuts the base, too

	Audiences        []audience.Audience // none: everyone
	Base             audience.Audience
	Waves, Locations []string // codes; none: all that may be used
	Coverage         bool     // Entry.Coverage is filled in
	// Statistics asks how sure the figures are: Entry.Statistics is filled in. At most MaxCompared audiences, or segments,
	// can be compared with each other.
	Statistics *estimate.Options

	Limits Limits
}

// Limits bound what one Request may ask. They are looked at after everything else, so that a request is told its other
// faults first.
type Limits struct {
	Cells int                // datapoints × segments × audiences; 0 is no bound
	Cost  func(Extent) error // a limit of the caller's own; its error is returned in its turn
}

// Extent is what a Request amounts to in a store.
type Extent struct {
	Datapoints []string // in the request's order, each once
	Segments   []string // in the catalogue's order; none without a splitter
	Waves      []string // that an entry may cover, oldest first
	// Coverage is how many bytes Entry.Coverage of all entries may take together, written as JSON; 0 unless it is asked
	// for.
	Coverage int64
}

// Entry is one datapoint × segment × audience.
type Entry struct {
	Datapoint string
	Suffixes  []int    // as requested, each once
	Segment   string   // a code; "" without a splitter
	Audience  string   // the audience's ID; "" without audiences
	Waves     []string // in which all of it was asked, oldest first; none: not measured
	Metrics   Metrics
	Coverage  *audience.Covered // what it covers, in codes; nil unless Request.Coverage
	// Statistics says how sure the metrics are; nil unless Request.Statistics.
	Statistics *Statistics
	// Withheld tells that it was measured, but tells of fewer respondents than the caller may be told of: all metrics are
	// 0, and Statistics has no intervals and no differences. See audience.Grant.
	Withheld bool
}

// Metrics are the figures of an Entry. All are counted over the same fieldwork.
type Metrics struct {
	Positive           audience.Figure // base ∩ audience ∩ segment ∩ datapoint
	Audience           audience.Figure // base ∩ audience ∩ segment
	Datapoint          audience.Figure // base ∩ datapoint
	AudiencePercentage float64         // of the audience that is positive, 0–100: 100·positive/audience
	// DatapointPercentage is the share of those positive who are in the audience, 0–100: 100·positive/datapoint.
	DatapointPercentage float64
	// AudienceIndex is 100·(positive/audience)/(datapoint/base); 100 is as in the base.
	AudienceIndex float64
}

// Result is a Request, counted.
type Result struct {
	request Request
	plan    *plan
	tabs    []*audience.Crosstab // one; or, with a base cut by segments, one a segment
	sure    *sure                // how sure they are; nil unless that is asked for
}

// Run counts. Once it returns nothing can fail.
//
// Errors are those of audience.Frame.Check, with the origins question, splitter, segments, audiences[i] and
// base_audience, *audience.InvalidError for what cannot be meant (segments without a splitter, or of another one),
// *audience.EmptyError, *audience.IncompatibleError and, last, *audience.ComplexError.
func Run(ctx context.Context, st audience.Store, r Request) (*Result, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	res := &Result{request: r}
	err := audience.Read(ctx, st, func(reading *audience.Reading) error {
		var err error
		if res.plan, err = r.plan(reading.Frame); err != nil {
			return err
		}
		if r.Statistics != nil {
			return res.estimate(ctx, reading)
		}
		res.tabs, err = reading.Tabulate(ctx, res.plan.specs...)
		return err
	})
	if err != nil {
		return nil, err
	}
	return res, nil
}

// check finds what is wrong with a request whatever the store.
func (r *Request) check() error {
	switch {
	case r.Question == "":
		return &audience.InvalidError{Path: "question", Reason: "a question code is required"}
	case r.Question == Waves || r.Question == Locations:
		return &audience.InvalidError{Path: "question",
			Reason: fmt.Sprintf("%q is no question of the survey: send it as the splitter, or in an expression", r.Question)}
	case r.Splitter == "" && len(r.Segments) > 0:
		return &audience.InvalidError{Path: "segments", Reason: "segments without a splitter: name what they are segments of"}
	}
	for i, a := range r.Audiences {
		if a.Expr == nil {
			return &audience.EmptyError{Path: fmt.Sprintf("audiences[%d].expression", i)}
		}
	}
	if r.Statistics != nil {
		return r.Statistics.Check(estimate.Rest, estimate.Previous, estimate.Audiences, estimate.Segments)
	}
	return nil
}

// plan is a Request seen in a Frame.
type plan struct {
	request *Request
	extent  Extent
	split   splitter
	specs   []audience.Spec
	covers  []*audience.Covers // of the specs; none unless Request.Coverage
	// planned is the first of the specs, not counted, where segments are waves whose coverage is asked for
	planned *audience.Crosstab
}

// plan looks the request up. Its errors come in the order of their classes: unavailable codes, other faults,
// namespaces, cost.
func (r *Request) plan(f *audience.Frame) (*plan, error) {
	split := r.split(f)
	question := r.leaf(r.Datapoints...)
	if err := f.Check(r.Waves, r.Locations, r.uses(question, split)...); err != nil {
		return nil, err
	}
	if split.fault != nil {
		return nil, split.fault
	}
	p := &plan{request: r, split: split, extent: Extent{Segments: split.codes, Waves: made(wavesOf(f, r.Waves), nil)}}
	if p.extent.Datapoints = strictjson.Once(r.Datapoints); len(r.Datapoints) == 0 {
		q, _ := f.Question(r.Question) // Check: it is there
		for _, d := range f.Questions[q].Datapoints {
			p.extent.Datapoints = append(p.extent.Datapoints, d.Code)
		}
	}
	if err := p.compatible(f, question); err != nil {
		return nil, err
	}
	suffixes := strictjson.Once(r.Suffixes)
	var rows []audience.Expr
	for _, d := range p.extent.Datapoints {
		rows = append(rows, audience.Answers{Question: r.Question, Datapoints: []string{d}, Suffixes: suffixes})
	}
	p.specs = p.form(rows)
	if err := p.cover(f); err != nil {
		return nil, err
	}
	return p, p.cost()
}

// uses are the codes of a request that are to be checked, where the question is used like this.
func (r *Request) uses(question audience.Expr, split splitter) []audience.Use {
	uses := append([]audience.Use{{Origin: "question", Expr: question}}, split.uses...)
	for i, a := range r.Audiences {
		uses = append(uses, audience.Use{Origin: fmt.Sprintf("audiences[%d]", i), Expr: a.Expr})
	}
	return append(uses, audience.Use{Origin: "base_audience", Expr: r.Base.Expr})
}

// cover finds out what tells what entries cover, if that is asked for and the request is not too large.
func (p *plan) cover(f *audience.Frame) error {
	if !p.request.Coverage || p.tooMany() {
		return nil
	}
	for i, s := range p.specs {
		covers, err := audience.NewCovers(f, s)
		if err != nil {
			return err
		}
		p.covers = append(p.covers, covers)
		p.extent.Coverage += covers.MostBytes()
		if i == 0 && p.request.Splitter == Waves {
			if p.planned, err = audience.Plan(f, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// leaf is who is positive on any of the datapoints with any of the requested suffixes.
func (r *Request) leaf(datapoints ...string) audience.Expr {
	return audience.Answers{Question: r.Question, Datapoints: datapoints, Suffixes: r.Suffixes}
}

// compatible tells whether namespaces without common respondents meet. One use of the question and one segment stand
// for all: a question has one namespace.
func (p *plan) compatible(f *audience.Frame, question audience.Expr) error {
	s := audience.Spec{Base: p.request.Base.Expr, Rows: []audience.Expr{question}}
	var segment audience.Expr
	if len(p.split.codes) > 0 {
		segment = p.split.leaf(p.split.codes[:1]...)
	}
	s.Columns = p.columns(segment)
	return audience.Renamed(s.Check(f), "base", "base_audience", "columns", "audiences")
}

// CheckSize is the error of Run for a request with more audiences than its Limits allow entries. Run looks at its
// limits last; whoever has to find something for each audience first, asks here before.
func (r *Request) CheckSize() error {
	if n := len(r.Audiences); r.Limits.Cells > 0 && n > r.Limits.Cells {
		return &audience.ComplexError{Reason: fmt.Sprintf("%d audiences are more than the %d datapoints × segments × "+
			"audiences that one request may ask for", n, r.Limits.Cells)}
	}
	return nil
}

func (p *plan) cost() error {
	l := p.request.Limits
	if p.tooMany() {
		return &audience.ComplexError{Reason: fmt.Sprintf("%d datapoints × segments × audiences are more than the "+
			"%d that one request may ask for", p.entries(), l.Cells)}
	}
	if err := p.comparable(); err != nil {
		return err
	}
	if l.Cost != nil {
		return l.Cost(p.extent)
	}
	return nil
}

func (p *plan) tooMany() bool {
	limit := p.request.Limits.Cells
	return limit > 0 && p.entries() > limit
}

// entries is the number of entries.
func (p *plan) entries() int {
	n := len(p.extent.Datapoints) * max(1, len(p.request.Audiences))
	if p.request.Splitter != "" {
		n *= len(p.extent.Segments)
	}
	return n
}

// cutsBase tells whether segments cut the base. A wave need not: what is cut by it is measured within it.
func (p *plan) cutsBase() bool {
	return p.request.SegmentedBase && p.request.Splitter != "" && p.request.Splitter != Waves
}

// form asks for rows × (segments × audiences), segment by segment if they cut the base. The splitter is a part of a
// figure in its own right: it is measured where audience and segment both were asked.
func (p *plan) form(rows []audience.Expr) []audience.Spec {
	r := p.request
	if p.entries() == 0 || p.tooMany() {
		return nil
	}
	s := audience.Spec{Base: r.Base.Expr, Rows: rows, Waves: strictjson.Once(r.Waves),
		Locations: strictjson.Once(r.Locations)}
	if r.Splitter == "" {
		s.Columns = p.columns(nil)
		return []audience.Spec{s}
	}
	if !p.cutsBase() {
		for _, code := range p.split.codes {
			s.Columns = append(s.Columns, p.columns(p.split.leaf(code))...)
		}
		return []audience.Spec{s}
	}
	var specs []audience.Spec
	for _, code := range p.split.codes {
		segment := p.split.leaf(code)
		s.Base, s.Columns = cut(r.Base.Expr, segment), p.columns(nil)
		specs = append(specs, s)
	}
	return specs
}

// columns are the audiences, each cut by the segment, if there is one; or the segment alone.
func (p *plan) columns(segment audience.Expr) []audience.Expr {
	var xs []audience.Expr
	for _, a := range p.request.Audiences {
		xs = append(xs, cut(a.Expr, segment))
	}
	if len(xs) == 0 && segment != nil {
		xs = []audience.Expr{segment}
	}
	return xs
}

// cut is x within a segment; either may be nil.
func cut(x, segment audience.Expr) audience.Expr {
	switch {
	case segment == nil:
		return x
	case x == nil:
		return segment
	}
	return audience.Cut{x, segment}
}

// Extent tells what the request amounted to.
func (r *Result) Extent() Extent { return r.plan.extent }

// Len is the number of entries.
func (r *Result) Len() int { return r.plan.entries() }

// Entries ranges over the entries: by datapoint, then by segment, then by audience, those included that were not
// measured. Their lists are shared and must not be changed.
func (r *Result) Entries() iter.Seq[Entry] {
	segments, audiences, suffixes := r.plan.extent.Segments, r.request.Audiences, strictjson.Once(r.request.Suffixes)
	if r.request.Splitter == "" {
		segments = []string{""}
	}
	if len(audiences) == 0 {
		audiences = []audience.Audience{{}}
	}
	return func(yield func(Entry) bool) {
		var waves []string
		var cover audience.Cover // that waves are of
		for d, datapoint := range r.plan.extent.Datapoints {
			differ := r.differ(d, len(segments), len(audiences))
			for s, segment := range segments {
				for a := range audiences {
					at := r.at(d, s, a)
					cell := r.tabs[at.spec].Cell(at.row, at.column)
					if cover == nil || !cover.Equal(cell.Cover) {
						cover, waves = cell.Cover, r.tabs[0].Frame.WaveCodes(cell.Cover)
					}
					e := Entry{datapoint, suffixes, segment, audiences[a].ID, waves, metrics(&cell), nil,
						r.statistics(at, &cell), cell.Withheld}
					if r.request.Coverage {
						covered := r.plan.covers[at.spec].Of(at.row, at.column, cell)
						covered.LocationsDiffer = differ[a]
						e.Coverage = &covered
					}
					if !yield(e) {
						return
					}
				}
			}
		}
	}
}

// differ tells of each audience whether a datapoint's segments are a trend whose waves cover different locations.
func (r *Result) differ(datapoint, segments, audiences int) []bool {
	out := make([]bool, audiences)
	if r.plan.planned == nil {
		return out
	}
	f := r.plan.planned.Frame
	for a := range out {
		union := audience.NewCover(f.Size())
		for s := range segments {
			at := r.at(datapoint, s, a)
			union = union.Or(r.plan.planned.Cell(at.row, at.column).Cover)
		}
		out[a] = f.LocationsDiffer(union)
	}
	return out
}

// place is where an entry is counted: a Spec, and the row and column of a cell there.
type place struct{ spec, row, column int }

// at finds the place of a datapoint, a segment and an audience, by their places in the request.
func (r *Result) at(datapoint, segment, a int) place {
	p := place{0, datapoint + 1, segment*max(1, len(r.request.Audiences)) + a}
	if r.plan.cutsBase() {
		p.spec, p.column = segment, a
	}
	if len(r.plan.specs[p.spec].Columns) > 0 { // else it is everyone
		p.column++
	}
	return p
}

func metrics(c *audience.Cell) Metrics {
	return Metrics{
		Positive: c.Both, Audience: c.Column, Datapoint: c.Row,
		AudiencePercentage:  c.Both.Percentage(c.Column),
		DatapointPercentage: c.Both.Percentage(c.Row),
		AudienceIndex:       audience.Index(c.Both, c.Base, c.Column, c.Row),
	}
}

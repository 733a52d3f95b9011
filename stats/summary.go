package stats

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// MaxQuantiles is how many quantiles a SummaryRequest may ask for.
const MaxQuantiles = 100

// SummaryRequest is whose numbers of one question to summarise. The numbers are those that respondents gave, where the
// question is of the kind audience.Number, and else the midpoints of its answers. Datapoints without a midpoint, and
// respondents without a number, are in no part.
type SummaryRequest struct {
	Question string // required; with one answer a respondent
	// Datapoints is, of a grid, the one whose suffixes are the answers, and Suffixes which of them are; none: all. Other
	// questions have neither.
	Datapoints []string
	Suffixes   []int
	// Quantiles are in percent, 0–100, each once: 50 is the median. One counts as the shortest decimal that reads back as
	// it.
	Quantiles []float64
	// Brief leaves standard deviations, effective samples, least and largest numbers out, which are nil or 0 then: means
	// and quantiles alone take a fraction of the time. It does not go with Statistics.
	Brief bool

	Splitter      string   // as in Request
	Segments      []string // as in Request
	SegmentedBase bool     // as in Request

	Audiences        []audience.Audience // none: everyone
	Base             audience.Audience
	Waves, Locations []string // codes; none: all that may be used
	Coverage         bool     // SummaryEntry.Coverage is filled in
	// Statistics asks how sure the means are: SummaryEntry.Statistics is filled in. At most MaxCompared audiences, or
	// segments, can be compared with each other.
	Statistics *estimate.Options

	// Limits bound what is counted: Limits.Cells the counts that the sums of numbers are made of, for all segments ×
	// audiences. For Limits.Cost, Extent.Datapoints is a single empty code.
	Limits Limits
}

// SummaryEntry is one segment × audience.
type SummaryEntry struct {
	Segment  string   // a code; "" without a splitter
	Audience string   // the audience's ID; "" without audiences
	Waves    []string // in which all of it was asked, oldest first; none: not measured
	Metrics  SummaryMetrics
	Coverage *audience.Covered // what it covers, in codes; nil unless SummaryRequest.Coverage
	// Statistics says how sure the mean is; nil unless SummaryRequest.Statistics.
	Statistics *SummaryStatistics
	// Withheld tells that it was measured, but tells of fewer respondents than the caller may be told of: its metrics are
	// 0 or nil. See audience.Grant.
	Withheld bool
}

// SummaryMetrics are the figures of a SummaryEntry, of those who have a number: in the base, the audience and the
// segment. Those in the question's unit are nil where nobody has a number; the standard deviation of one respondent is,
// too. To a caller who may not be told of single respondents (audience.Grant), Min and Max are nil, and a quantile is
// left out that fewer than they may be told of would be beyond if all weighed the same.
type SummaryMetrics struct {
	Respondents     audience.Figure
	EffectiveSample float64 // respondents of equal weight that would be as sure (Kish)
	Mean            *float64
	// StandardDeviation is how far the numbers of people are from their mean: √(Σ T(x−m)²/ΣT · n/(n−1)), n being the
	// respondents.
	StandardDeviation *float64
	Min, Max          *float64
	// Quantiles are the smallest numbers that at least so many percent of people do not exceed, as they are asked for;
	// none where nobody has a number.
	Quantiles []Quantile
}

// Quantile is the smallest number that at least Percent of people do not exceed.
type Quantile struct{ Percent, Value float64 }

// SummaryStatistics say how sure the mean of a SummaryEntry is. An interval or a difference that could not be had is
// nil: nobody has a number, or there is nothing that could vary.
type SummaryStatistics struct {
	Mean *estimate.Interval
	// Rest compares the mean of the audience within its segment with that of the rest of the base, and Previous with the
	// same audience in the segment before; nil unless asked for.
	Rest, Previous      *estimate.Difference
	Audiences, Segments *Comparisons // of means; nil unless asked for
}

// SummaryResult is a SummaryRequest, counted.
type SummaryResult struct {
	Unit string // of the numbers: years, EUR; "" if the survey doesn't tell

	result    *Result // of the places of entries, and what was compared
	table     *estimate.NumberTable
	quantiles []float64
}

// Summary counts. Once it returns nothing can fail.
//
// Errors are those of Run, and *audience.InvalidError for a question that has no numbers, or several for a respondent,
// with the paths question, datapoints and suffixes, and for quantiles that can't be meant.
func Summary(ctx context.Context, st audience.Store, r SummaryRequest) (*SummaryResult, error) {
	request := r.request()
	if err := request.check(); err != nil {
		return nil, err
	}
	if err := checkQuantiles(r.Quantiles); err != nil {
		return nil, err
	}
	if r.Brief && r.Statistics != nil {
		return nil, &audience.InvalidError{Path: "statistics", Reason: "a brief summary has none: ask for the whole one"}
	}
	out := &SummaryResult{result: &Result{request: *request}, quantiles: r.Quantiles}
	err := audience.Read(ctx, st, func(reading *audience.Reading) error { return out.count(ctx, reading, &r) })
	if err != nil {
		return nil, err
	}
	return out, nil
}

// request is what a summary has in common with other statistics.
func (r *SummaryRequest) request() *Request {
	return &Request{Question: r.Question, Splitter: r.Splitter, Segments: r.Segments, SegmentedBase: r.SegmentedBase,
		Audiences: r.Audiences, Base: r.Base, Waves: r.Waves, Locations: r.Locations, Coverage: r.Coverage,
		Statistics: r.Statistics, Limits: r.Limits}
}

// CheckSize is Request.CheckSize for a summary.
func (r *SummaryRequest) CheckSize() error { return r.request().CheckSize() }

func checkQuantiles(percents []float64) error {
	if n := len(percents); n > MaxQuantiles {
		return &audience.InvalidError{Path: "quantiles", Reason: fmt.Sprintf("%d quantiles are more than the %d that one "+
			"request may ask for", n, MaxQuantiles)}
	}
	for i, p := range percents {
		path := fmt.Sprintf("quantiles[%d]", i)
		switch {
		case !(p >= 0 && p <= 100):
			return &audience.InvalidError{Path: path, Reason: "a quantile is in percent, from 0 to 100, as 50 is the median"}
		case slices.Contains(percents[:i], p):
			return &audience.InvalidError{Path: path, Reason: "the quantile is listed twice"}
		}
	}
	return nil
}

// count counts one version of a store.
func (s *SummaryResult) count(ctx context.Context, reading *audience.Reading, r *SummaryRequest) error {
	asked, err := r.plan(&s.result.request, reading.Frame, len(s.quantiles))
	if err != nil {
		return err
	}
	s.Unit, s.result.plan = asked.unit, asked.plan
	q := estimate.NumberQuestion{Specs: asked.plan.specs, Numbers: asked.numbers, Several: asked.several,
		Brief: r.Brief}
	for _, p := range s.quantiles {
		q.Quantiles = append(q.Quantiles, estimate.Decimal(p))
	}
	if r.Statistics == nil {
		s.table, err = estimate.TabulateNumbers(ctx, reading, nil, q)
		return err
	}
	sure := newSure(s.result)
	q.Pairs = sure.estimated()
	if s.table, err = estimate.TabulateNumbers(ctx, reading, sure.Estimator, q); err != nil {
		return err
	}
	sure.take(1, s.table.Pairs)
	sure.adjustPrevious()
	s.result.sure = sure
	return nil
}

// summaryPlan is a SummaryRequest seen in a Frame.
type summaryPlan struct {
	*plan
	unit    string
	numbers *estimate.Numbers
	several error // of a respondent with more than one number
}

// plan looks the request up. Its errors come in the order of their classes, as those of Request.plan.
func (r *SummaryRequest) plan(request *Request, f *audience.Frame, quantiles int) (*summaryPlan, error) {
	split := request.split(f)
	found := r.numbers(f)
	if err := f.Check(r.Waves, r.Locations, request.uses(found.use, split)...); err != nil {
		return nil, err
	}
	switch {
	case found.fault != nil:
		return nil, found.fault
	case split.fault != nil:
		return nil, split.fault
	}
	p := &plan{request: request, split: split, extent: Extent{Datapoints: []string{""}, Segments: split.codes,
		Waves: made(wavesOf(f, r.Waves), nil)}}
	if err := p.compatible(f, found.numbers.Any()); err != nil {
		return nil, err
	}
	p.specs = p.form([]audience.Expr{found.numbers.Any()})
	if err := p.cover(f); err != nil {
		return nil, err
	}
	if counts := p.entries() * (found.numbers.Rows() + quantiles); r.Limits.Cells > 0 && counts > r.Limits.Cells {
		return nil, &audience.ComplexError{Reason: fmt.Sprintf("%d counts, for the sums and quantiles of the numbers in all "+
			"segments × audiences, are more than the %d that one request may ask for", counts, r.Limits.Cells)}
	}
	return &summaryPlan{p, found.unit, found.numbers, found.several}, p.cost()
}

// foundNumbers is what a frame knows of a question's numbers.
type foundNumbers struct {
	unit    string
	use     audience.Expr // what is used of the question
	numbers *estimate.Numbers
	fault   error // what is wrong with the request if all its codes can be used
	several error
}

// numbers finds the numbers of the question.
func (r *SummaryRequest) numbers(f *audience.Frame) foundNumbers {
	out := foundNumbers{use: audience.Answers{Question: r.Question, Datapoints: r.Datapoints, Suffixes: r.Suffixes}}
	i, err := f.Question(r.Question)
	if err != nil || i < 0 || f.HidesQuestion(i) {
		out.fault = err
		return out
	}
	q := &f.Questions[i]
	out.unit = q.Unit
	if out.fault = r.fitting(q); out.fault != nil {
		return out
	}
	if q.Kind == audience.Number {
		kept := f.Numbers(i)
		if kept.Bits == 0 {
			out.fault = &audience.InvalidError{Path: "question", Reason: fmt.Sprintf("the store keeps no numbers of %q, but "+
				"the bands they are in: import its file again, and they are kept, too", r.Question)}
			return out
		}
		out.numbers = estimate.NumbersOf(r.Question, kept)
		out.use = out.numbers.Any()
		return out
	}
	anyone, parts := r.midpoints(q)
	if len(parts) == 0 {
		out.fault = &audience.InvalidError{Path: "question", Reason: fmt.Sprintf("question %q has no numbers: its answers "+
			"have no midpoints in the survey", r.Question)}
		return out
	}
	out.numbers = estimate.PartsOf(anyone, parts)
	out.several = &audience.InvalidError{Path: "question", Reason: fmt.Sprintf("respondents gave several answers to %q, "+
		"so that they have no one number", r.Question)}
	return out
}

// fitting finds what is wrong with asking for the numbers of a question.
func (r *SummaryRequest) fitting(q *audience.Question) error {
	invalid := func(path, format string, args ...any) error {
		return &audience.InvalidError{Path: path, Reason: fmt.Sprintf(format, args...)}
	}
	switch datapoints := strictjson.Once(r.Datapoints); {
	case q.Grid() && len(datapoints) != 1:
		return invalid("datapoints", "%q is a grid, with an answer for each datapoint: name the one whose answers are to be "+
			"summarised", r.Question)
	case q.Grid():
		return nil
	case q.Kind == audience.Multi:
		return invalid("question", "respondents may give several answers to %q, so that they have no one number", r.Question)
	case len(datapoints) > 0:
		return invalid("datapoints", "%q is no grid: all of its answers are summarised", r.Question)
	}
	return nil
}

// midpoints are the answers to a question that stand for a number: its datapoints, or the suffixes of the one that is
// asked for.
func (r *SummaryRequest) midpoints(q *audience.Question) (anyone audience.Expr, parts []estimate.Part) {
	leaf := audience.Answers{Question: r.Question}
	if !q.Grid() {
		for _, d := range q.Datapoints {
			if d.Midpoint != nil {
				leaf.Datapoints = append(leaf.Datapoints, d.Code)
				parts = append(parts, estimate.Part{Value: *d.Midpoint,
					Expr: audience.Answers{Question: r.Question, Datapoints: []string{d.Code}}})
			}
		}
		return leaf, parts
	}
	leaf.Datapoints = strictjson.Once(r.Datapoints)
	for _, s := range q.Suffixes {
		if s.Midpoint != nil && (len(r.Suffixes) == 0 || slices.Contains(r.Suffixes, s.Code)) {
			leaf.Suffixes = append(leaf.Suffixes, s.Code)
			parts = append(parts, estimate.Part{Value: *s.Midpoint,
				Expr: audience.Answers{Question: r.Question, Datapoints: leaf.Datapoints, Suffixes: []int{s.Code}}})
		}
	}
	return leaf, parts
}

// Extent tells what the request amounted to. Its Datapoints are a single empty code.
func (s *SummaryResult) Extent() Extent { return s.result.Extent() }

// Len is the number of entries.
func (s *SummaryResult) Len() int { return s.result.Len() }

// Frame is that of the version that was counted.
func (s *SummaryResult) Frame() *audience.Frame { return s.table.Frame }

// Entries ranges over the entries: by segment, then by audience, those included that were not measured. Their lists are
// shared and must not be changed.
func (s *SummaryResult) Entries() iter.Seq[SummaryEntry] {
	r := s.result
	segments, audiences := r.plan.extent.Segments, r.request.Audiences
	if r.request.Splitter == "" {
		segments = []string{""}
	}
	if len(audiences) == 0 {
		audiences = []audience.Audience{{}}
	}
	return func(yield func(SummaryEntry) bool) {
		differ := r.differ(0, len(segments), len(audiences))
		for i, segment := range segments {
			for a := range audiences {
				at := r.at(0, i, a)
				column := &s.table.Columns[at.spec][at.column]
				e := SummaryEntry{Segment: segment, Audience: audiences[a].ID,
					Waves: s.table.Frame.WaveCodes(column.Cell.Cover), Metrics: s.metrics(column),
					Withheld: column.Withheld}
				if r.request.Coverage {
					covered := r.plan.covers[at.spec].Of(at.row, at.column, column.Cell)
					covered.LocationsDiffer = differ[a]
					e.Coverage = &covered
				}
				if r.sure != nil {
					e.Statistics = &SummaryStatistics{Mean: column.Interval, Rest: column.Rest, Previous: r.sure.previous[at]}
					e.Statistics.Audiences, e.Statistics.Segments = r.sure.comparisons(at)
				}
				if !yield(e) {
					return
				}
			}
		}
	}
}

func (s *SummaryResult) metrics(c *estimate.NumberColumn) SummaryMetrics {
	out := SummaryMetrics{Respondents: c.Respondents, EffectiveSample: c.EffectiveSample, Mean: c.Mean,
		StandardDeviation: c.StandardDeviation, Min: c.Min, Max: c.Max}
	for i, x := range c.Quantiles {
		if math.IsNaN(x) {
			continue
		}
		out.Quantiles = append(out.Quantiles, Quantile{s.quantiles[i], x})
	}
	return out
}

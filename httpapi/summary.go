package httpapi

import (
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/internal/strictjson"
	"github.com/crosswave/crosswave/stats"
)

// summary answers POST /v2/query/summary, as stats answers its endpoint.
func (c *call) summary() error {
	body, err := c.body("question", "datapoints", "suffixes", "quantiles", "splitter", "segments", "segmented_base",
		"audiences", "locations", "waves", "base_audience", "coverage", "statistics")
	if err != nil {
		return err
	}
	req := stats.SummaryRequest{Question: body.Text("question"), Datapoints: body.Texts("datapoints")}
	if req.Suffixes, err = audience.Suffixes(body.Get("suffixes")); err != nil {
		return err
	}
	for _, item := range body.Get("quantiles").Items() {
		req.Quantiles = append(req.Quantiles, item.Float())
	}
	if len(req.Quantiles) == 0 {
		req.Quantiles = []float64{50}
	}
	req.Splitter, req.Segments, req.SegmentedBase = body.Text("splitter"), body.Texts("segments"),
		body.Bool("segmented_base")
	req.Waves, req.Locations, req.Coverage = body.Texts("waves"), body.Texts("locations"), body.Bool("coverage")
	req.Statistics = readStatistics(body.Get("statistics"))
	if err := body.Err(); err != nil {
		return err
	}
	if req.Audiences, _, err = c.wrappers(body.Get("audiences")); err != nil {
		return err
	}
	if req.Base, _, err = c.wrapper(body.Get("base_audience")); err != nil {
		return err
	}
	req.Limits = stats.Limits{Cells: c.Limits.Cells, Cost: func(e stats.Extent) error { return c.summaryCost(&req, e) }}
	if err := c.lookup(req.CheckSize, wantedAll("audiences", req.Audiences), wantedBase(&req.Base)); err != nil {
		return err
	}
	result, err := stats.Summary(c.ctx(), c.restricted, req)
	if err != nil {
		return err
	}
	return c.writeSummary(&req, result)
}

// What a summary takes on the wire with long figures: an entry without its codes and quantiles, one quantile, and the
// statistics of an entry without comparisons.
const (
	summaryBytes           = 330
	quantileBytes          = 54
	summaryStatisticsBytes = 110
)

// summaryCost is an error if the response would be too large. Every entry repeats the codes it is about.
func (c *call) summaryCost(req *stats.SummaryRequest, e stats.Extent) error {
	segments, audiences := int64(max(1, len(e.Segments))), int64(max(1, len(req.Audiences)))
	perEntry := summaryBytes + int64(len(req.Quantiles))*quantileBytes
	if req.Splitter == stats.Waves { // an entry covers one
		perEntry += quoted(e.Waves...) / int64(max(1, len(e.Waves)))
	} else {
		perEntry += quoted(e.Waves...)
	}
	var ids []string
	for _, a := range req.Audiences {
		ids = append(ids, a.ID)
	}
	if o := req.Statistics; o != nil {
		perEntry += summaryStatisticsBytes + differencesBytes(o)
		if o.Compares(estimate.Audiences) {
			perEntry += comparisonsBytes(o, audiences-1, quoted(ids...))
		}
		if o.Compares(estimate.Segments) {
			perEntry += comparisonsBytes(o, segments-1, quoted(e.Segments...))
		}
	}
	estimate := segments*audiences*perEntry + quoted(e.Segments...)*audiences + quoted(ids...)*segments + e.Coverage
	return c.fits(estimate, "ask for fewer segments, audiences or quantiles at a time")
}

// writeSummary writes the response, a piece at a time.
func (c *call) writeSummary(req *stats.SummaryRequest, result *stats.SummaryResult) error {
	b := strictjson.AppendString(append(c.begin("application/json"), `{"meta":{"type":"SUMMARY","question":`...),
		req.Question)
	b = strictjson.AppendString(append(b, `,"splitter":`...), req.Splitter)
	b = strictjson.AppendString(append(b, `,"unit":`...), result.Unit)
	b = append(b, `},"data":[`...)
	first := true
	for e := range result.Entries() {
		if !first {
			b = append(b, ',')
		}
		first = false
		var err error
		if b, err = c.flush(appendSummary(b, &e)); err != nil {
			return err
		}
	}
	_, err := c.w.Write(append(b, "]}\n"...))
	return err
}

// appendSummary appends an entry.
func appendSummary(b []byte, e *stats.SummaryEntry) []byte {
	b = strictjson.AppendString(append(b, `{"segment":`...), e.Segment)
	b = strictjson.AppendString(append(b, `,"audience":`...), e.Audience)
	b = appendList(append(b, `,"waves":`...), e.Waves, strictjson.AppendString)
	m := &e.Metrics
	b = strconv.AppendInt(append(b, `,"metrics":{"sample":`...), m.Respondents.Sample, 10)
	b = appendNumber(append(b, `,"size":`...), m.Respondents.Size)
	b = appendEstimate(append(b, `,"effective_sample":`...), m.EffectiveSample)
	b = appendKnown(b, "mean", m.Mean)
	b = appendKnown(b, "standard_deviation", m.StandardDeviation)
	b = appendKnown(b, "min", m.Min)
	b = appendKnown(b, "max", m.Max)
	b = append(b, `,"quantiles":{`...)
	for i, q := range m.Quantiles {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(strconv.AppendFloat(append(b, '"'), q.Percent, 'f', -1, 64), `":`...)
		b = appendNumber(b, q.Value)
	}
	b = appendCoverage(append(b, '}', '}'), e.Coverage)
	if s := e.Statistics; s != nil {
		b = append(b, `,"statistics":{`...)
		from := len(b)
		b = appendInterval(b, "mean", s.Mean)
		b = appendDifference(b, "rest", s.Rest)
		b = appendDifference(b, "previous", s.Previous)
		b = appendComparisons(b, "audience", s.Audiences)
		b = appendComparisons(b, "segment", s.Segments)
		if len(b) > from { // the first member has no comma before it
			b = append(b[:from], b[from+1:]...)
		}
		b = append(b, '}')
	}
	return append(appendWithheld(b, e.Withheld), '}')
}

// appendKnown appends a member that follows others, if it is known.
func appendKnown(b []byte, name string, x *float64) []byte {
	if x == nil {
		return b
	}
	return appendNumber(append(append(append(b, `,"`...), name...), `":`...), *x)
}

package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/cmd/crosswave/internal/ask"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/stats"
)

type summaryCommand struct {
	asking
	Question   string    `arg:"" help:"${summaryquestion}"`
	By         string    `placeholder:"WHAT" help:"${by}"`
	Audience   []string  `sep:"none" placeholder:"WHO" help:"${summarywho}"`
	Base       string    `placeholder:"WHO" help:"The base, as one audience (gender:f). Everyone unless given."`
	Waves      []string  `help:"Waves to cover; all unless given."`
	Locations  []string  `help:"Locations to cover; all unless given."`
	Quantiles  []float64 `default:"25,50,75" placeholder:"PERCENT" help:"Quantiles in percent; 25,50,75 unless given."`
	Stats      bool      `help:"Tell how sure the means are: intervals, and what differs significantly."`
	Level      float64   `default:"95" placeholder:"PERCENT" help:"${level}"`
	Compare    []string  `placeholder:"WHAT" help:"${summarycompare}"`
	Correction string    `default:"none" enum:"none,bonferroni,holm,fdr" help:"${correction}"`
	Format     string    `default:"table" enum:"table,markdown,html,csv,json" help:"${tableformat}"`
}

func (c *summaryCommand) Run(ctx context.Context, m Main) error {
	s, err := c.begin(ctx, m)
	if err != nil {
		return err
	}
	defer s.end()
	request, err := c.request(s.frame)
	if err != nil {
		return err
	}
	if c.Format == "json" {
		return writeSummaryJSON(ctx, s.config, request, m)
	}
	result, err := stats.Summary(ctx, s.store, request)
	if err != nil {
		return inSummaryFlags(s.frame, err)
	}
	told := newSummary(request, result)
	switch c.Format {
	case "csv":
		return told.csv(m.Stdout)
	case "table":
		_, err = io.WriteString(m.Stdout, told.text(m.width()))
		return err
	}
	return writeDocument(m.Stdout, told.document(), c.Format)
}

// request is what the flags ask for.
func (c *summaryCommand) request(f *audience.Frame) (r stats.SummaryRequest, err error) {
	asked, err := ask.Question(f, c.Question)
	if err != nil {
		return r, usageError{err}
	}
	r.Question, r.Datapoints, r.Suffixes, r.Quantiles = asked.Question, asked.Datapoints, asked.Suffixes, c.Quantiles
	if c.By != "" {
		by, err := ask.Question(f, c.By)
		if err != nil {
			return r, usage("--by %w", err)
		}
		if len(by.Suffixes) > 0 {
			return r, usage("--by %s: segments are datapoints, and have no suffixes", c.By)
		}
		r.Splitter, r.Segments = by.Question, by.Datapoints
	}
	if r.Waves, err = ask.Waves(f, c.Waves); err != nil {
		return r, usage("--waves: %w", err)
	}
	if r.Locations, err = ask.Locations(f, c.Locations); err != nil {
		return r, usage("--locations: %w", err)
	}
	if r.Audiences, err = audiences(f, "--audience", c.Audience); err != nil {
		return r, err
	}
	if c.Base != "" {
		if r.Base, err = ask.One(f, c.Base); err != nil {
			return r, usage("--base %w", err)
		}
	}
	r.Statistics, err = c.options(&r)
	return r, err
}

// options are what the flags ask for of how sure means are; nil without --stats.
func (c *summaryCommand) options(r *stats.SummaryRequest) (*estimate.Options, error) {
	if !c.Stats {
		if c.Level != usualLevel || len(c.Compare) > 0 || c.Correction != string(estimate.None) {
			return nil, usage("--level, --compare and --correction say how --stats tells how sure means are: give that, too")
		}
		return nil, nil
	}
	if !(c.Level > 50 && c.Level < 100) {
		return nil, usage("--level %s: a level of confidence is in percent, above 50 and below 100, as 95 is",
			percent(c.Level))
	}
	o := &estimate.Options{Level: c.Level, Correction: estimate.Correction(c.Correction)}
	for _, name := range c.Compare {
		if name := estimate.Compare(name); !o.Compares(name) {
			o.Compare = append(o.Compare, name)
		}
	}
	switch {
	case slices.Equal(c.Compare, []string{"none"}):
		o.Compare = nil
	case len(o.Compare) > 0:
	case r.Splitter == stats.Waves:
		o.Compare = []estimate.Compare{estimate.Previous}
	case r.Splitter != "":
		o.Compare = []estimate.Compare{estimate.Segments}
	case len(r.Audiences) > 1:
		o.Compare = []estimate.Compare{estimate.Audiences}
	}
	if err := o.Check(estimate.Segments, estimate.Audiences, estimate.Rest, estimate.Previous); err != nil {
		return nil, inFlags(err)
	}
	return o, nil
}

// inSummaryFlags tells what can't be meant in the words of the command line.
func inSummaryFlags(f *audience.Frame, err error) error {
	var invalid *audience.InvalidError
	if !errors.As(err, &invalid) {
		return ask.Explain(f, err)
	}
	switch path, _, _ := strings.Cut(invalid.Path, "["); path {
	case "quantiles":
		return usage("--quantiles: %s", invalid.Reason)
	case "datapoints":
		return usage("%s, as in QUESTION:DATAPOINT", invalid.Reason)
	case "question":
		return usage("%s", invalid.Reason)
	}
	return err
}

// writeSummaryJSON asks the server's endpoint.
func writeSummaryJSON(ctx context.Context, config httpapi.Config, r stats.SummaryRequest, m Main) error {
	type wrapper struct {
		ID         string          `json:"id"`
		Expression json.RawMessage `json:"expression"`
	}
	var audiences []wrapper
	for _, a := range r.Audiences {
		audiences = append(audiences, wrapper{a.ID, audience.Print(a.Expr)})
	}
	request := map[string]any{"question": r.Question, "datapoints": r.Datapoints, "suffixes": r.Suffixes,
		"quantiles": r.Quantiles, "splitter": r.Splitter, "segments": r.Segments, "audiences": audiences,
		"base_audience": wrapper{Expression: audience.Print(r.Base.Expr)}, "waves": r.Waves, "locations": r.Locations}
	if r.Statistics != nil {
		request["statistics"] = statisticsMember(r.Statistics)
	}
	return asServer(ctx, config, "/v2/query/summary", request, m.Stderr, m.Stdout)
}

// summary is a summary to be written, an entry a line.
type summary struct {
	request stats.SummaryRequest
	unit    string
	frame   *audience.Frame
	entries []stats.SummaryEntry
	names   []string // of the segments, one an entry
	who     []string // of the audiences, likewise
}

func newSummary(r stats.SummaryRequest, result *stats.SummaryResult) *summary {
	s := &summary{request: r, unit: result.Unit, frame: result.Frame()}
	for e := range result.Entries() {
		if n := len(r.Audiences); n > 0 {
			s.who = append(s.who, name(r.Audiences[len(s.entries)%n]))
		}
		s.names = append(s.names, s.segment(e.Segment))
		s.entries = append(s.entries, e)
	}
	return s
}

// segment is the name of a segment.
func (s *summary) segment(code string) string {
	called, f := "", s.frame
	switch s.request.Splitter {
	case "":
	case stats.Waves:
		called = f.Waves[f.Wave(code)].Name
	case stats.Locations:
		called = f.Locations[f.Location(code)].Name
	default:
		i, _ := f.Question(s.request.Splitter)
		called = f.Questions[i].Datapoints[f.Datapoint(i, code)].Name
	}
	if called == "" {
		return code
	}
	return called
}

// csv writes a line an entry.
func (s *summary) csv(out io.Writer) error {
	w := csv.NewWriter(out)
	header := []string{"question", "unit", "segment", "segment_name", "audience", "audience_name", "waves", "sample",
		"size", "effective_sample", "mean", "standard_deviation", "min", "max"}
	for _, q := range s.request.Quantiles {
		header = append(header, "quantile_"+number(q))
	}
	if s.request.Statistics != nil {
		header = append(header, "mean_standard_error", "mean_low", "mean_high")
		for _, with := range []string{"rest", "previous"} {
			for _, field := range []string{"difference", "standard_error", "t", "df", "p", "adjusted_p", "significant"} {
				header = append(header, with+"_"+field)
			}
		}
		header = append(header, "higher_than_segments", "lower_than_segments", "higher_than_audiences",
			"lower_than_audiences")
	}
	w.Write(header)
	for i := range s.entries {
		w.Write(s.fields(i))
	}
	w.Flush()
	return w.Error()
}

// fields are those of a line of CSV.
func (s *summary) fields(i int) []string {
	e := &s.entries[i]
	m := &e.Metrics
	who := ""
	if s.who != nil {
		who = s.who[i]
	}
	fields := []string{s.request.Question, s.unit, e.Segment, s.names[i], e.Audience, who, strings.Join(e.Waves, ";"),
		strconv.FormatInt(m.Respondents.Sample, 10), number(m.Respondents.Size), estimate.Text(m.EffectiveSample),
		known(m.Mean), known(m.StandardDeviation), known(m.Min), known(m.Max)}
	for k := range s.request.Quantiles {
		text := ""
		if k < len(m.Quantiles) {
			text = number(m.Quantiles[k].Value)
		}
		fields = append(fields, text)
	}
	if x := e.Statistics; x != nil {
		fields = append(fields, x.Mean.Fields()...)
		for _, d := range []*estimate.Difference{x.Rest, x.Previous} {
			fields = append(append(fields, d.Fields()...), above[s.direction(d)])
		}
		for _, c := range []*stats.Comparisons{x.Segments, x.Audiences} {
			if c == nil {
				c = &stats.Comparisons{}
			}
			fields = append(fields, strings.Join(c.HigherThan, ";"), strings.Join(c.LowerThan, ";"))
		}
	}
	return fields
}

// known is a number that may not be there.
func known(x *float64) string {
	if x == nil {
		return ""
	}
	return number(*x)
}

// direction is 1 where a mean is significantly above what it is compared with, -1 where it is below, else 0.
func (s *summary) direction(d *estimate.Difference) int {
	switch {
	case d == nil || !d.Significant(s.request.Statistics.Level):
		return 0
	case d.Difference > 0:
		return 1
	}
	return -1
}

package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/cmd/crosswave/internal/ask"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/stats"
)

type associateCommand struct {
	asking
	Rows      string   `arg:"" help:"${associated}"`
	Columns   string   `arg:"" help:"The other question, likewise."`
	Base      string   `placeholder:"WHO" help:"The base, as one audience (gender:f). Everyone unless given."`
	Waves     []string `help:"Waves to cover; all unless given."`
	Locations []string `help:"Locations to cover; all unless given."`
	Format    string   `default:"table" enum:"table,csv,json" help:"table, csv, or json (as the server answers)."`
}

func (c *associateCommand) Run(ctx context.Context, m Main) error {
	s, err := c.begin(ctx, m)
	if err != nil {
		return err
	}
	defer s.end()
	q, err := c.query(s.frame)
	if err != nil {
		return err
	}
	if c.Format == "json" {
		return writeAssociationJSON(ctx, s.config, q, m)
	}
	found, err := stats.Associate(ctx, s.store, q)
	if err != nil {
		return inAssociationWords(s.frame, err)
	}
	if c.Format == "csv" {
		return writeAssociationCSV(q, found, m.Stdout)
	}
	_, err = io.WriteString(m.Stdout, associationText(s.frame, q, found, m.width()))
	return err
}

// query is what the arguments and flags ask for.
func (c *associateCommand) query(f *audience.Frame) (q stats.AssociationQuery, err error) {
	q.Coverage = true
	if q.Rows, err = associated(f, c.Rows); err != nil {
		return q, err
	}
	if q.Columns, err = associated(f, c.Columns); err != nil {
		return q, err
	}
	if q.Waves, err = ask.Waves(f, c.Waves); err != nil {
		return q, usage("--waves: %w", err)
	}
	if q.Locations, err = ask.Locations(f, c.Locations); err != nil {
		return q, usage("--locations: %w", err)
	}
	if c.Base != "" {
		if q.Base, err = ask.One(f, c.Base); err != nil {
			return q, usage("--base %w", err)
		}
	}
	return q, nil
}

// associated is the question that an argument names.
func associated(f *audience.Frame, text string) (a stats.AssociationAxis, err error) {
	listed, err := ask.Question(f, text)
	if err != nil {
		return a, usageError{err}
	}
	if len(listed.Suffixes) > 0 {
		return a, usage("%s: all suffixes of a datapoint count: leave some out by --base", text)
	}
	return stats.AssociationAxis{Question: listed.Question, Datapoints: listed.Datapoints}, nil
}

// inAssociationWords tells what can't be meant in the words of the command line.
func inAssociationWords(f *audience.Frame, err error) error {
	var invalid *audience.InvalidError
	var unavailable *audience.UnavailableError
	switch {
	case errors.As(err, &unavailable):
		return usage("%w", ask.Explain(f, err))
	case !errors.As(err, &invalid):
		return err
	case strings.HasSuffix(invalid.Path, ".datapoints"):
		return usage("%s, as in QUESTION:DATAPOINT", invalid.Reason)
	}
	return usage("%s", invalid.Reason)
}

// writeAssociationJSON asks the server's endpoint.
func writeAssociationJSON(ctx context.Context, config httpapi.Config, q stats.AssociationQuery, m Main) error {
	type axis struct {
		Question   string   `json:"question"`
		Datapoints []string `json:"datapoints,omitempty"`
	}
	type wrapper struct {
		Expression json.RawMessage `json:"expression"`
	}
	request := map[string]any{"rows": axis(q.Rows), "columns": axis(q.Columns), "waves": q.Waves,
		"locations": q.Locations, "coverage": true, "base_audience": wrapper{audience.Print(q.Base.Expr)}}
	return asServer(ctx, config, "/v2/query/association", request, m.Stderr, m.Stdout)
}

// writeAssociationCSV writes a line of names and one of figures. What could not be had is empty.
func writeAssociationCSV(q stats.AssociationQuery, found *stats.Association, out io.Writer) error {
	w := csv.NewWriter(out)
	w.Write([]string{"rows_question", "rows_datapoint", "columns_question", "columns_datapoint", "sample",
		"effective_sample", "cramers_v", "f", "df", "df_denominator", "p", "namespace", "waves", "locations", "complete"})
	codes := func(list []string) string { return strings.Join(list, ";") }
	fields := []string{q.Rows.Question, codes(q.Rows.Datapoints), q.Columns.Question, codes(q.Columns.Datapoints),
		strconv.FormatInt(found.Sample, 10), estimate.Text(found.EffectiveSample)}
	if found.CramersV != nil {
		fields = append(fields, estimate.Text(*found.CramersV))
	} else {
		fields = append(fields, "")
	}
	if test := found.Independence; test != nil {
		fields = append(fields, estimate.Text(test.F), estimate.Text(test.DF), estimate.Text(test.DFDenominator),
			estimate.Text(test.P))
	} else {
		fields = append(fields, "", "", "", "")
	}
	covered := found.Coverage
	w.Write(append(fields, covered.Namespace, codes(covered.Waves), codes(covered.Locations),
		strconv.FormatBool(covered.Complete)))
	w.Flush()
	return w.Error()
}

// significantAssociation is the p-value up to which two questions are said to go together.
const significantAssociation = 0.05

// associationText is an association for reading, in lines of at most width columns.
func associationText(f *audience.Frame, q stats.AssociationQuery, found *stats.Association, width int) string {
	title, covered := axisName(f, q.Rows)+" × "+axisName(f, q.Columns), found.Coverage
	if len(covered.Waves) == 0 {
		return wrapped([]string{title, noted}, width)
	}
	respondents := " respondents answered both, effectively "
	if found.Sample == 1 {
		respondents = " respondent answered both, effectively "
	}
	lines := []string{title, grouped(float64(found.Sample), 0) + respondents + grouped(found.EffectiveSample, 0) + "."}
	if found.CramersV != nil {
		lines = append(lines, "Cramér's V "+digits(*found.CramersV)+
			": it is 0 where one answer says nothing about the other, and 1 where it says all.")
	}
	switch test := found.Independence; {
	case found.CramersV == nil:
		lines = append(lines, "Fewer than two answers to one of the questions occur: there is nothing to compare.")
	case test == nil:
		lines = append(lines, "There is no test: too few respondents or pairs of answers, or nothing that can vary.")
	default:
		said := "that is hardly chance."
		if test.P > significantAssociation {
			said = "that may be chance."
		}
		lines = append(lines, "F "+digits(test.F)+" with "+digits(test.DF)+" and "+digits(test.DFDenominator)+
			" degrees of freedom, p "+digits(test.P)+": "+said)
	}
	if !covered.Complete {
		lines = append(lines, "Both were asked in "+strings.Join(covered.Waves, ", ")+" · "+
			strings.Join(covered.Locations, ", ")+".")
	}
	return wrapped(lines, width)
}

// digits are four that count of a number, and all of a large one before its point.
func digits(x float64) string {
	if x >= 1000 {
		return grouped(x, 0)
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// wrapped are texts, each on lines of its own.
func wrapped(texts []string, width int) string {
	var out strings.Builder
	for _, text := range texts {
		for _, line := range wrap(text, width) {
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}

// axisName is what a question is called, with the datapoint of a grid.
func axisName(f *audience.Frame, a stats.AssociationAxis) string {
	i, err := f.Question(a.Question)
	if err != nil || i < 0 {
		return a.Question
	}
	q := &f.Questions[i]
	called := q.Name
	if called == "" {
		called = a.Question
	}
	for _, code := range a.Datapoints {
		point := q.Datapoints[f.Datapoint(i, code)].Name
		if point == "" {
			point = code
		}
		called += ": " + point
	}
	return called
}

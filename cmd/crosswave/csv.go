package main

import (
	"context"
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
)

// csvHeader names the columns of --format csv. Codes in one field stand with ; between them.
var csvHeader = []string{"row_question", "row", "row_name", "column_question", "column", "column_name",
	"base_size", "base_sample", "row_size", "row_sample", "column_size", "column_sample",
	"size", "sample", "percentage", "column_percentage", "row_percentage", "index",
	"namespace", "waves", "locations", "complete", "left_out_waves", "left_out_locations"}

// csvStatistics name the columns that come after csvHeader with --stats. What could not be had is empty.
var csvStatistics = []string{"base_effective_sample", "row_effective_sample", "column_effective_sample",
	"effective_sample", "size_standard_error", "size_low", "size_high",
	"percentage_standard_error", "percentage_low", "percentage_high", "percentage_quality",
	"column_percentage_standard_error", "column_percentage_low", "column_percentage_high", "column_percentage_quality",
	"row_percentage_standard_error", "row_percentage_low", "row_percentage_high", "row_percentage_quality",
	"index_standard_error", "index_low", "index_high",
	"rest_difference", "rest_standard_error", "rest_t", "rest_df", "rest_p", "rest_adjusted_p", "rest_significant",
	"previous_difference", "previous_standard_error", "previous_t", "previous_df", "previous_p", "previous_adjusted_p",
	"previous_significant",
	"letter", "higher_than", "lower_than", "higher_than_low", "lower_than_low"}

// writeCSV writes a line a cell. Columns are significantly different at a lower level, too, unless that is 0.
func writeCSV(ctx context.Context, st audience.Store, r crosstab.Request, low float64, out io.Writer) error {
	x, err := cross(ctx, st, r)
	if err != nil {
		return err
	}
	w := csv.NewWriter(out)
	header := csvHeader
	if r.Statistics != nil {
		header = append(header[:len(header):len(header)], csvStatistics...)
	}
	w.Write(header)
	for i := range x.rows {
		for j := range x.columns {
			fields := x.fields(i, j)
			if r.Statistics != nil {
				fields = append(fields, x.statisticsFields(i, j, low)...)
			}
			w.Write(fields)
		}
	}
	w.Flush()
	return w.Error()
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// estimated writes what tells how sure a figure is to twelve digits, as replies over HTTP have it; p-values may have
// very many zeros.
func estimated(x float64) string { return strconv.FormatFloat(x, 'g', 12, 64) }

// fields are those of csvHeader for a cell.
func (x *crossed) fields(i, j int) []string {
	c, row, column := &x.cells[i][j], x.rows[i], x.columns[j]
	e := x.extent(c, row.Expr, column.Expr)
	whole := func(n int64) string { return strconv.FormatInt(n, 10) }
	codes := func(list []string) string { return strings.Join(list, ";") }
	return []string{codes(asked(x.frame, row.Expr)), row.ID, name(row),
		codes(asked(x.frame, column.Expr)), column.ID, name(column),
		number(c.Base.Size), whole(c.Base.Sample), number(c.Row.Size), whole(c.Row.Sample),
		number(c.Column.Size), whole(c.Column.Sample), number(c.Intersect.Size), whole(c.Intersect.Sample),
		number(c.Intersect.Percentage),
		number(c.Row.IntersectPercentage), number(c.Column.IntersectPercentage), number(c.Intersect.Index),
		c.Namespace, codes(e.waves), codes(e.locations), strconv.FormatBool(e.complete),
		codes(e.withoutWaves), codes(e.withoutLocations)}
}

// statisticsFields are those of csvStatistics for a cell.
func (x *crossed) statisticsFields(i, j int, low float64) []string {
	s := x.cells[i][j].Statistics
	fields := []string{estimated(s.BaseEffectiveSample), estimated(s.Row.EffectiveSample),
		estimated(s.Column.EffectiveSample), estimated(s.Intersect.EffectiveSample)}
	fields = append(fields, interval(s.Intersect.Size)...)
	for _, p := range []*estimate.Interval{s.Intersect.Percentage, s.Row.IntersectPercentage,
		s.Column.IntersectPercentage} {
		quality := estimate.Withhold
		if p != nil {
			quality = p.Quality
		}
		fields = append(append(fields, interval(p)...), string(quality))
	}
	fields = append(fields, interval(s.Intersect.Index)...)
	fields = append(append(fields, difference(s.Rest)...), above[x.direction(s.Rest)])
	fields = append(append(fields, difference(s.Previous)...), above[x.direction(s.Previous)])
	own := ""
	if x.lettered() {
		own = crosstab.Letter(j)
	}
	d := x.compared(i, j, low)
	return append(fields, own, lettersOf(d.Higher), lettersOf(d.Lower), lettersOf(d.HigherLow), lettersOf(d.LowerLow))
}

// above tells a direction.
var above = map[int]string{1: "higher", -1: "lower"}

func interval(i *estimate.Interval) []string {
	if i == nil {
		return make([]string, 3)
	}
	return []string{estimated(i.StandardError), estimated(i.Low), estimated(i.High)}
}

func difference(d *estimate.Difference) []string {
	if d == nil {
		return make([]string, 6)
	}
	var fields []string
	for _, x := range []float64{d.Difference, d.StandardError, d.T, d.DF, d.P, d.AdjustedP} {
		fields = append(fields, estimated(x))
	}
	return fields
}

package crosstab

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience/estimate"
)

// Header names the fields of a cell's figures, as a line of a CSV file has them.
func Header() []string {
	return []string{"base_size", "base_sample", "row_size", "row_sample", "column_size", "column_sample",
		"size", "sample", "percentage", "column_percentage", "row_percentage", "index"}
}

// Fields are those of Header for a cell: sizes in people, percentages 0–100, each number in the shortest form that
// reads back as it. column_percentage is the share of the column that is in the row.
func (c *Cell) Fields() []string {
	whole := func(n int64) string { return strconv.FormatInt(n, 10) }
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	return []string{number(c.Base.Size), whole(c.Base.Sample), number(c.Row.Size), whole(c.Row.Sample),
		number(c.Column.Size), whole(c.Column.Sample), number(c.Intersect.Size), whole(c.Intersect.Sample),
		number(c.Intersect.Percentage),
		number(c.Row.IntersectPercentage), number(c.Column.IntersectPercentage), number(c.Intersect.Index)}
}

// StatisticsHeader names the fields that tell how sure a cell's figures are.
func StatisticsHeader() []string {
	return []string{"base_effective_sample", "row_effective_sample", "column_effective_sample",
		"effective_sample", "size_standard_error", "size_low", "size_high",
		"percentage_standard_error", "percentage_low", "percentage_high", "percentage_quality",
		"column_percentage_standard_error", "column_percentage_low", "column_percentage_high",
		"column_percentage_quality",
		"row_percentage_standard_error", "row_percentage_low", "row_percentage_high", "row_percentage_quality",
		"index_standard_error", "index_low", "index_high",
		"rest_difference", "rest_standard_error", "rest_t", "rest_df", "rest_p", "rest_adjusted_p", "rest_significant",
		"previous_difference", "previous_standard_error", "previous_t", "previous_df", "previous_p",
		"previous_adjusted_p", "previous_significant",
		"letter", "higher_than", "lower_than", "higher_than_low", "lower_than_low"}
}

// StatisticsFields are those of StatisticsHeader for the column of a cell, which is of so many: as the options have
// them and, where letters differ at a lower level of confidence, at that; 0 is none. Column 0 is no part of
// comparisons. What could not be had is empty.
func (s *Statistics) StatisticsFields(o *estimate.Options, column, columns int, low float64) []string {
	fields := []string{estimate.Text(s.BaseEffectiveSample), estimate.Text(s.Row.EffectiveSample),
		estimate.Text(s.Column.EffectiveSample), estimate.Text(s.Intersect.EffectiveSample)}
	fields = append(fields, s.Intersect.Size.Fields()...)
	for _, p := range []*estimate.Interval{s.Intersect.Percentage, s.Row.IntersectPercentage,
		s.Column.IntersectPercentage} {
		quality := estimate.Withhold
		if p != nil {
			quality = p.Quality
		}
		fields = append(append(fields, p.Fields()...), string(quality))
	}
	fields = append(fields, s.Intersect.Index.Fields()...)
	above, level := map[int]string{1: "higher", -1: "lower"}, cmp.Or(o.Level, 95)
	fields = append(append(fields, s.Rest.Fields()...), above[Direction(s.Rest, level)])
	fields = append(append(fields, s.Previous.Fields()...), above[Direction(s.Previous, level)])
	own := ""
	if Lettered(o, columns) {
		own = Letter(column)
	}
	d := s.Columns.Compared(low)
	return append(fields, own, letters(d.Higher), letters(d.Lower), letters(d.HigherLow), letters(d.LowerLow))
}

// letters are those of columns, as one field.
func letters(columns []int) string {
	names := make([]string, len(columns))
	for i, j := range columns {
		names[i] = Letter(j)
	}
	return strings.Join(names, ";")
}

package storetest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/stats"
)

// How examples of FIGURES.md ask how sure figures are: by a line statistics, and lines level, compare, correction and
// low_base that say more.

// absent is what is told of what could not be had.
const absent = "absent"

// statistics are the options of a question; nil if it does not ask.
func (q *pageQuestion) statistics() (*estimate.Options, error) {
	if !q.has("statistics") {
		return nil, nil
	}
	o := &estimate.Options{Pairs: true, Correction: estimate.Correction(strings.Join(q.words["correction"], ""))}
	for _, c := range q.words["compare"] {
		o.Compare = append(o.Compare, estimate.Compare(c))
	}
	if text := strings.Join(q.words["level"], ""); text != "" {
		level, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, err
		}
		o.Level = level
	}
	switch limits := q.words["low_base"]; len(limits) {
	case 0:
	case 1:
		o.LowBase.Rule = estimate.Rule(limits[0])
	default:
		if _, err := fmt.Sscan(strings.Join(limits, " "), &o.LowBase.Withhold, &o.LowBase.Caution); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// sureOfCell adds how sure the figures of a cell are, by the names that they have in its statistics. A pair has the
// index of the other column in its name.
func sureOfCell(figures map[string]any, s *crosstab.Statistics, columns int) {
	if s == nil {
		return
	}
	figures["base.effective_sample"] = s.BaseEffectiveSample
	figures["row.effective_sample"], figures["column.effective_sample"] = s.Row.EffectiveSample, s.Column.EffectiveSample
	figures["intersect.effective_sample"] = s.Intersect.EffectiveSample
	for name, i := range map[string]*estimate.Interval{
		"row.percentage": s.Row.Percentage, "row.intersect_percentage": s.Row.IntersectPercentage,
		"column.percentage": s.Column.Percentage, "column.intersect_percentage": s.Column.IntersectPercentage,
		"intersect.size": s.Intersect.Size, "intersect.percentage": s.Intersect.Percentage,
		"intersect.index": s.Intersect.Index,
	} {
		sureOfFigure(figures, name, i)
	}
	sureOfDifference(figures, "rest", s.Rest)
	sureOfDifference(figures, "previous", s.Previous)
	if s.Columns == nil {
		return
	}
	figures["columns.higher_than"] = strings.Trim(fmt.Sprint(s.Columns.HigherThan), "[]")
	figures["columns.lower_than"] = strings.Trim(fmt.Sprint(s.Columns.LowerThan), "[]")
	for j := 1; j <= columns; j++ {
		sureOfDifference(figures, fmt.Sprintf("columns.%d", j), nil)
	}
	for _, p := range s.Columns.Pairs {
		sureOfDifference(figures, fmt.Sprintf("columns.%d", p.ColumnIndex), &p.Difference)
	}
}

// sureOfFigure adds an interval.
func sureOfFigure(figures map[string]any, name string, i *estimate.Interval) {
	if i == nil {
		for _, member := range []string{".standard_error", ".low", ".high", ".quality"} {
			figures[name+member] = absent
		}
		return
	}
	figures[name+".standard_error"], figures[name+".low"], figures[name+".high"] = i.StandardError, i.Low, i.High
	figures[name+".quality"] = string(i.Quality)
}

// sureOfDifference adds a comparison.
func sureOfDifference(figures map[string]any, name string, d *estimate.Difference) {
	if d == nil {
		for _, member := range []string{"", ".difference", ".standard_error", ".t", ".df", ".p", ".adjusted_p"} {
			figures[name+member] = absent
		}
		return
	}
	figures[name+".difference"], figures[name+".standard_error"] = d.Difference, d.StandardError
	figures[name+".t"], figures[name+".df"] = d.T, d.DF
	figures[name+".p"], figures[name+".adjusted_p"] = d.P, d.AdjustedP
}

// sureOfWave adds how sure the percentage of a wave is.
func sureOfWave(figures map[string]any, s *stats.WaveStatistics) map[string]any {
	if s != nil {
		figures["effective_sample"] = s.EffectiveSample
		sureOfFigure(figures, "percentage", s.Percentage)
		sureOfDifference(figures, "previous", s.Previous)
	}
	return figures
}

// sureOfEntry adds how sure the figures of statistics by datapoint are.
func sureOfEntry(figures map[string]any, s *stats.Statistics) map[string]any {
	if s != nil {
		figures["positive.effective_sample"], figures["audience.effective_sample"] = s.PositiveEffectiveSample,
			s.AudienceEffectiveSample
		sureOfFigure(figures, "audience_percentage", s.AudiencePercentage)
		sureOfFigure(figures, "datapoint_percentage", s.DatapointPercentage)
		sureOfFigure(figures, "audience_index", s.AudienceIndex)
		sureOfDifference(figures, "rest", s.Rest)
		sureOfDifference(figures, "previous", s.Previous)
	}
	return figures
}

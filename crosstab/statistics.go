package crosstab

import "github.com/crosswave/crosswave/audience/estimate"

// MaxCompared is how many columns a Request may have compared with each other: each pair that overlaps is counted for
// itself, in every row.
const MaxCompared = 60

// Statistics says how sure the figures of a Cell are. An interval that could not be had is nil: of a percentage of no
// one, or of the index of no one. So is a difference where either side was not measured or is a share of no one, or
// where there is nothing that could vary.
type Statistics struct {
	// respondents that a sample with equal weights would need to be as sure (Kish); so are the others
	BaseEffectiveSample float64
	Row, Column         AxisStatistics
	Intersect           IntersectStatistics

	// Rest compares the column with the rest of the base, and Previous with the column before, both by
	// Row.IntersectPercentage, the share of a column that is in the row. nil unless asked for.
	Rest, Previous *estimate.Difference
	Columns        *ColumnStatistics // nil unless asked for
}

// AxisStatistics are those of a row or a column audience.
type AxisStatistics struct {
	EffectiveSample                 float64
	Percentage, IntersectPercentage *estimate.Interval
}

// IntersectStatistics are those of row ∩ column.
type IntersectStatistics struct {
	EffectiveSample         float64
	Size, Percentage, Index *estimate.Interval
}

// ColumnStatistics compares a column with the others, by Row.IntersectPercentage.
type ColumnStatistics struct {
	HigherThan, LowerThan []int // ColumnIndex of those that the column is significantly above and below, ascending
	// with every other column that it can be compared with, ascending; nil unless asked for
	Pairs []ColumnPair
}

// ColumnPair is a column's difference from another.
type ColumnPair struct {
	ColumnIndex int // of the other
	estimate.Difference
}

package httpapi

import (
	"math"
	"net/url"
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/internal/strictjson"
	"github.com/crosswave/crosswave/stats"
)

// readStatistics reads the member statistics, which asks how sure figures are; nil if it is left out. What its values
// mean is for estimate.Options.Check, but that 0, which there stands for what is usual, was not left out here.
func readStatistics(v strictjson.Value) *estimate.Options {
	if !v.Exists() {
		return nil
	}
	o := v.Object("level", "compare", "pairs", "correction", "low_base")
	options := &estimate.Options{Pairs: o.Bool("pairs"), Correction: estimate.Correction(o.Text("correction"))}
	if level := o.Get("level"); level.Exists() {
		if options.Level = level.Float(); options.Level == 0 {
			level.Fail(levelReason)
		}
	}
	for _, name := range o.Texts("compare") {
		options.Compare = append(options.Compare, estimate.Compare(name))
	}
	lowBase := o.Get("low_base").Object("rule", "withhold", "caution")
	options.LowBase = estimate.LowBase{Rule: estimate.Rule(lowBase.Text("rule")),
		Withhold: respondents(lowBase.Get("withhold")), Caution: respondents(lowBase.Get("caution"))}
	return options
}

const levelReason = "a level of confidence is in percent, above 50 and below 100, as 95 is"

// respondents reads a number of respondents below which there are too few; 0 if it is left out.
func respondents(v strictjson.Value) int64 {
	n := v.Int()
	if v.Exists() && n < 1 {
		v.Fail("a number of respondents, 1 or more, is expected, not %d: below 1 there are none", n)
	}
	return n
}

// levelOf reads the parameter statistics of the query: a level of confidence. nil if it is left out.
func levelOf(params url.Values) (*estimate.Options, error) {
	values := params["statistics"]
	if len(values) == 0 {
		return nil, nil
	}
	if v, err := strictjson.Parse([]byte(values[0])); err == nil && len(values) == 1 {
		if level := v.Float(); v.Err() == nil && level > 50 && level < 100 {
			return &estimate.Options{Level: level}, nil
		}
	}
	return nil, &audience.InvalidError{Path: "statistics", Reason: "the parameter is given once: " + levelReason}
}

// What statistics take on the wire with long figures: those of a cell and of an entry, one difference, the lists of
// those that are higher and lower without their elements, and one pair without the name of the other.
const (
	cellStatisticsBytes  = 1070
	entryStatisticsBytes = 602
	differenceBytes      = 194
	comparedBytes        = 60
	pairBytes            = 199
)

// differencesBytes is what the differences from one other take, from the rest and from the one before.
func differencesBytes(o *estimate.Options) (n int64) {
	for _, family := range []estimate.Compare{estimate.Rest, estimate.Previous} {
		if o.Compares(family) {
			n += differenceBytes
		}
	}
	return n
}

// comparisonsBytes is what the comparisons of one with so many others take, whose names take names bytes together: each
// is named as higher, lower or neither, and again where it is told as a pair.
func comparisonsBytes(o *estimate.Options, others, names int64) int64 {
	if o.Pairs {
		return comparedBytes + 2*names + others*pairBytes
	}
	return comparedBytes + names
}

// crosstabStatisticsBytes is what the statistics of each cell take where there are so many columns.
func crosstabStatisticsBytes(o *estimate.Options, columns int64) int64 {
	if o == nil {
		return 0
	}
	n := cellStatisticsBytes + differencesBytes(o)
	if o.Compares(estimate.Columns) {
		index := int64(len(strconv.FormatInt(columns, 10))) + 1
		n += comparisonsBytes(o, columns-1, (columns-1)*index)
	}
	return n
}

// statsStatisticsBytes is what the statistics of all entries of one datapoint take.
func statsStatisticsBytes(o *estimate.Options, segments, audiences int64, codes, ids []string) int64 {
	if o == nil {
		return 0
	}
	each := entryStatisticsBytes + differencesBytes(o)
	if o.Compares(estimate.Audiences) {
		each += comparisonsBytes(o, audiences-1, quoted(ids...))
	}
	if o.Compares(estimate.Segments) {
		each += comparisonsBytes(o, segments-1, quoted(codes...))
	}
	return segments * audiences * each
}

// appendCellStatistics appends the member that tells how sure a cell is, if that was asked for.
func appendCellStatistics(b []byte, s *crosstab.Statistics) []byte {
	if s == nil {
		return b
	}
	b = appendEstimate(append(b, `,"statistics":{"base":{"effective_sample":`...), s.BaseEffectiveSample)
	b = appendAxisStatistics(append(b, `},"row":`...), &s.Row)
	b = appendAxisStatistics(append(b, `,"column":`...), &s.Column)
	b = appendEstimate(append(b, `,"intersect":{"effective_sample":`...), s.Intersect.EffectiveSample)
	b = appendInterval(b, "size", s.Intersect.Size)
	b = appendInterval(b, "percentage", s.Intersect.Percentage)
	b = append(appendInterval(b, "index", s.Intersect.Index), '}')
	b = appendDifference(b, "rest", s.Rest)
	b = appendDifference(b, "previous", s.Previous)
	if c := s.Columns; c != nil {
		index := func(b []byte, i int) []byte { return strconv.AppendInt(b, int64(i), 10) }
		b = appendList(append(b, `,"columns":{"higher_than":`...), c.HigherThan, index)
		b = appendList(append(b, `,"lower_than":`...), c.LowerThan, index)
		if c.Pairs != nil {
			b = appendList(append(b, `,"pairs":`...), c.Pairs, func(b []byte, p crosstab.ColumnPair) []byte {
				b = index(append(b, `{"column_index":`...), p.ColumnIndex)
				return append(appendTest(append(b, ','), &p.Difference), '}')
			})
		}
		b = append(b, '}')
	}
	return append(b, '}')
}

func appendAxisStatistics(b []byte, s *crosstab.AxisStatistics) []byte {
	b = appendEstimate(append(b, `{"effective_sample":`...), s.EffectiveSample)
	b = appendInterval(b, "percentage", s.Percentage)
	return append(appendInterval(b, "intersect_percentage", s.IntersectPercentage), '}')
}

// appendStatistics appends the member that tells how sure an entry is, if that was asked for.
func appendStatistics(b []byte, s *stats.Statistics) []byte {
	if s == nil {
		return b
	}
	b = appendEstimate(append(b, `,"statistics":{"base":{"effective_sample":`...), s.BaseEffectiveSample)
	b = appendEstimate(append(b, `},"positive":{"effective_sample":`...), s.PositiveEffectiveSample)
	b = appendEstimate(append(b, `},"audience":{"effective_sample":`...), s.AudienceEffectiveSample)
	b = appendEstimate(append(b, `},"datapoint":{"effective_sample":`...), s.DatapointEffectiveSample)
	b = appendInterval(append(b, '}'), "audience_percentage", s.AudiencePercentage)
	b = appendInterval(b, "datapoint_percentage", s.DatapointPercentage)
	b = appendInterval(b, "audience_index", s.AudienceIndex)
	b = appendDifference(b, "rest", s.Rest)
	b = appendDifference(b, "previous", s.Previous)
	b = appendComparisons(b, "audience", s.Audiences)
	return append(appendComparisons(b, "segment", s.Segments), '}')
}

// appendComparisons appends the comparisons with the others of a kind: audience or segment.
func appendComparisons(b []byte, kind string, c *stats.Comparisons) []byte {
	if c == nil {
		return b
	}
	b = append(append(append(b, `,"`...), kind...), `s":{"higher_than":`...)
	b = appendList(b, c.HigherThan, strictjson.AppendString)
	b = appendList(append(b, `,"lower_than":`...), c.LowerThan, strictjson.AppendString)
	if c.Pairs != nil {
		b = appendList(append(b, `,"pairs":`...), c.Pairs, func(b []byte, p stats.Pair) []byte {
			b = strictjson.AppendString(append(append(append(b, `{"`...), kind...), `":`...), p.Other)
			return append(appendTest(append(b, ','), &p.Difference), '}')
		})
	}
	return append(b, '}')
}

// appendWaveStatistics appends the member that tells how sure the percentage of a wave is, if that was asked for.
func appendWaveStatistics(b []byte, s *stats.WaveStatistics) []byte {
	if s == nil {
		return b
	}
	b = appendEstimate(append(b, `,"statistics":{"effective_sample":`...), s.EffectiveSample)
	b = appendInterval(b, "percentage", s.Percentage)
	return append(appendDifference(b, "previous", s.Previous), '}')
}

// appendInterval appends a member that follows others, if there is an interval.
func appendInterval(b []byte, name string, i *estimate.Interval) []byte {
	if i == nil {
		return b
	}
	b = append(append(append(b, `,"`...), name...), `":{"standard_error":`...)
	b = appendEstimate(b, i.StandardError)
	b = appendEstimate(append(b, `,"low":`...), i.Low)
	b = appendEstimate(append(b, `,"high":`...), i.High)
	if i.Quality != "" {
		b = strictjson.AppendString(append(b, `,"quality":`...), string(i.Quality))
	}
	return append(b, '}')
}

// appendDifference appends a member that follows others, if there is a difference.
func appendDifference(b []byte, name string, d *estimate.Difference) []byte {
	if d == nil {
		return b
	}
	b = append(append(append(b, `,"`...), name...), `":{`...)
	return append(appendTest(b, d), '}')
}

// appendTest appends the members of a difference.
func appendTest(b []byte, d *estimate.Difference) []byte {
	b = appendEstimate(append(b, `"difference":`...), d.Difference)
	b = appendEstimate(append(b, `,"standard_error":`...), d.StandardError)
	b = appendEstimate(append(b, `,"t":`...), d.T)
	b = appendEstimate(append(b, `,"df":`...), d.DF)
	b = appendEstimate(append(b, `,"p":`...), d.P)
	return appendEstimate(append(b, `,"adjusted_p":`...), d.AdjustedP)
}

// appendEstimate appends a number that tells how sure a figure is, to twelve digits: more than it is worth, and less
// than would show which processor took the logarithms, or in which order sums were formed. Figures have all their
// digits.
func appendEstimate(b []byte, x float64) []byte {
	const digits = 12
	switch abs := math.Abs(x); {
	case x == 0:
		return append(b, '0') // of either sign
	case abs >= 1e-4 && abs < 1e11:
		return strconv.AppendFloat(b, x, 'g', digits, 64)
	}
	var buffer [32]byte
	rounded, err := strconv.ParseFloat(string(strconv.AppendFloat(buffer[:0], x, 'e', digits-1, 64)), 64)
	if err != nil { // beyond the largest number there is
		rounded = x
	}
	return appendNumber(b, rounded)
}

package stats

import "github.com/crosswave/crosswave/audience/estimate"

// MaxCompared is how many audiences, or segments, a Request may have compared with each other: each pair that overlaps
// is counted for itself, for every datapoint.
const MaxCompared = 60

// Statistics says how sure the Metrics of an Entry are. An interval that could not be had is nil: of a percentage of no
// one, or of the index of no one. So is a difference where either side was not measured or is a share of no one, or
// where there is nothing that could vary.
type Statistics struct {
	// How many respondents a sample with equal weights would need to be as sure (Kish), of the figures of those names.
	BaseEffectiveSample, PositiveEffectiveSample, AudienceEffectiveSample, DatapointEffectiveSample float64

	AudiencePercentage, DatapointPercentage, AudienceIndex *estimate.Interval

	// Rest compares the audience within its segment with the rest of the base, and Previous with the same audience in the
	// segment before, both by AudiencePercentage, the share that is positive. nil unless asked for.
	Rest, Previous      *estimate.Difference
	Audiences, Segments *Comparisons // nil unless asked for
}

// Comparisons compares an Entry with those of the other audiences in its segment, or of the same audience in the other
// segments, by AudiencePercentage. What they name are IDs of audiences, or codes of segments, in the order of the
// entries.
type Comparisons struct {
	HigherThan, LowerThan []string // those that it is significantly above and below
	Pairs                 []Pair   // with every other that it can be compared with; nil unless asked for
}

// Pair is the difference from another audience or segment.
type Pair struct {
	Other string
	estimate.Difference
}

// WaveStatistics says how sure the percentage of a WaveCount is.
type WaveStatistics struct {
	EffectiveSample float64 // of the audience in the wave (Kish)
	Percentage      *estimate.Interval
	// from the wave before that was measured; nil for the first, and where it could not be had
	Previous *estimate.Difference
}

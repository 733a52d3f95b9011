package httpapi

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/stats"
)

// What an attribute takes on the wire is no more than the limit of responses reckons with.
func TestProfileBytes(t *testing.T) {
	const longest = -1.23456789012345e-200
	i := &estimate.Interval{StandardError: longest, Low: longest, High: longest, Quality: estimate.Withhold}
	e := stats.ProfileEntry{AttributeKey: stats.AttributeKey{Grid: true, Suffix: math.MaxInt32}, Tested: true,
		RestPercentage: longest, RestEffectiveSample: longest, Difference: longest, P: longest, AdjustedP: longest}
	e.Statistics = stats.Statistics{BaseEffectiveSample: longest, PositiveEffectiveSample: longest,
		AudienceEffectiveSample: longest, DatapointEffectiveSample: longest, AudiencePercentage: i, DatapointPercentage: i,
		AudienceIndex: i}
	e.Metrics.AudienceIndex, e.Metrics.AudiencePercentage, e.Metrics.DatapointPercentage = longest, longest, longest
	e.Metrics.Positive.Size, e.Metrics.Audience.Size, e.Metrics.Datapoint.Size = longest, longest, longest
	e.Metrics.Positive.Sample, e.Metrics.Audience.Sample = math.MaxInt64, math.MaxInt64
	e.Metrics.Datapoint.Sample = math.MaxInt64
	text := appendProfileEntry(nil, &e)
	if !json.Valid(text) {
		t.Errorf("%s is no JSON", text)
	}
	if n := len(text); n > profileBytes || n < profileBytes*3/4 {
		t.Errorf("an attribute takes %d bytes, and %d are reckoned with", n, profileBytes)
	}
}

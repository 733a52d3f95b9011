package storetest

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/stats"
)

// profile answers a step profile of an example of FIGURES.md: the attributes in their order, named as
// question:datapoint, or question:datapoint:suffix in a grid. What was not tested has the p-value absent.
func (q *pageQuestion) profile(ctx context.Context, store audience.Store) (got []pageAnswer, err error) {
	if len(q.expressions["audience"]) != 1 {
		return nil, errors.New("a profile is of one audience")
	}
	word := func(name string) string { return strings.Join(q.words[name], "") }
	query := stats.ProfileQuery{Audience: q.expressions["audience"][0], Base: q.base(), Questions: q.words["questions"],
		Waves: q.words["waves"], Locations: q.words["locations"], OrderBy: stats.ProfileOrder(word("order_by")),
		Direction: stats.Direction(word("direction")), Coverage: true}
	if query.MinSample, err = strconv.ParseInt(word("min_sample"), 10, 64); err != nil {
		return nil, err
	}
	if text := word("limit"); text != "" {
		if query.Limit, err = strconv.Atoi(text); err != nil {
			return nil, err
		}
	}
	result, err := stats.Profile(ctx, store, query)
	if err != nil {
		return nil, err
	}
	for e := range result.Entries() {
		name := e.Question + ":" + e.Datapoint
		if e.Grid {
			name += ":" + strconv.Itoa(e.Suffix)
		}
		m := e.Metrics
		figures := sureOfEntry(map[string]any{
			"waves": strings.Join(e.Waves, " "), "positive_size": m.Positive.Size, "positive_sample": m.Positive.Sample,
			"audience_size": m.Audience.Size, "audience_sample": m.Audience.Sample, "datapoint_size": m.Datapoint.Size,
			"datapoint_sample": m.Datapoint.Sample, "audience_percentage": m.AudiencePercentage,
			"datapoint_percentage": m.DatapointPercentage, "audience_index": m.AudienceIndex,
			"rest.percentage": e.RestPercentage, "rest.effective_sample": e.RestEffectiveSample,
			"difference": e.Difference, "p": absent, "adjusted_p": absent, "stands": strconv.FormatBool(e.Stands),
		}, &e.Statistics)
		if e.Tested {
			figures["p"], figures["adjusted_p"] = e.P, e.AdjustedP
		}
		got = append(got, pageAnswer{name, covering(figures, e.Coverage)})
	}
	return got, nil
}

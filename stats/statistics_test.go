package stats_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/stats"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// sampled is every 20th respondent of a real survey.
func sampled(t *testing.T) audience.Store {
	st, err := storetest.SampleExampleA(t.Context(), 20)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// same compares figures to 1e-9.
var same = cmp.Options{cmpopts.EquateApprox(1e-9, 0)}

// Metrics are as sure as the same figures of a crosstab of datapoints × audiences.
func TestStatisticsAreThoseOfACrosstab(t *testing.T) {
	st, ctx := sampled(t), context.Background()
	f, err := st.Frame(ctx)
	if err != nil {
		t.Fatal(err)
	}
	question, splitter := f.Questions[2], f.Questions[0]
	var audiences []audience.Audience
	for _, q := range f.Questions[4:7] {
		audiences = append(audiences, audience.Audience{ID: q.Code,
			Expr: audience.Answers{Question: q.Key(), Datapoints: []string{q.Datapoints[0].Code}}})
	}
	options := &estimate.Options{Compare: []estimate.Compare{estimate.Rest, estimate.Audiences}, Pairs: true,
		Correction: estimate.Holm}
	r := stats.Request{Question: question.Key(), Audiences: audiences, Statistics: options}
	table := crosstab.Request{Columns: audiences, LastWaves: crosstab.AllWaves, Statistics: &estimate.Options{Pairs: true,
		Compare: []estimate.Compare{estimate.Rest, estimate.Columns}, Correction: estimate.Holm}}
	for _, d := range question.Datapoints {
		table.Rows = append(table.Rows, audience.Audience{ID: d.Code,
			Expr: audience.Answers{Question: question.Key(), Datapoints: []string{d.Code}}})
	}
	t.Run("audiences", func(t *testing.T) { compare(t, st, r, table) })

	// Within a segment they are those of audiences that are cut by it.
	r.Splitter, r.Segments = splitter.Key(), []string{splitter.Datapoints[0].Code}
	segment := audience.Answers{Question: splitter.Key(), Datapoints: r.Segments}
	table.Columns = nil
	for _, a := range audiences {
		a.Expr = audience.Cut{a.Expr, segment}
		table.Columns = append(table.Columns, a)
	}
	t.Run("segment", func(t *testing.T) { compare(t, st, r, table) })
}

func compare(t *testing.T, st audience.Store, r stats.Request, table crosstab.Request) {
	result, err := stats.Run(t.Context(), st, r)
	if err != nil {
		t.Fatal(err)
	}
	cells, err := crosstab.Run(t.Context(), st, table)
	if err != nil {
		t.Fatal(err)
	}
	var want, got []stats.Statistics
	ids := func(columns []int) (ids []string) {
		for _, c := range columns {
			ids = append(ids, table.Columns[c-1].ID)
		}
		return ids
	}
	pairs := 0
	for c := range cells.Cells() {
		s := c.Statistics
		x := stats.Statistics{
			BaseEffectiveSample: s.BaseEffectiveSample, PositiveEffectiveSample: s.Intersect.EffectiveSample,
			AudienceEffectiveSample: s.Column.EffectiveSample, DatapointEffectiveSample: s.Row.EffectiveSample,
			AudiencePercentage: s.Row.IntersectPercentage, DatapointPercentage: s.Column.IntersectPercentage,
			AudienceIndex: s.Intersect.Index, Rest: s.Rest,
			Audiences: &stats.Comparisons{HigherThan: ids(s.Columns.HigherThan), LowerThan: ids(s.Columns.LowerThan),
				Pairs: []stats.Pair{}}}
		for _, p := range s.Columns.Pairs {
			x.Audiences.Pairs = append(x.Audiences.Pairs, stats.Pair{Other: table.Columns[p.ColumnIndex-1].ID,
				Difference: p.Difference})
			pairs++
		}
		want = append(want, x)
	}
	for e := range result.Entries() {
		got = append(got, *e.Statistics)
	}
	if diff := cmp.Diff(want, got, same); diff != "" || pairs == 0 {
		t.Errorf("%d pairs: (-crosstab +stats)\n%s", pairs, diff)
	}
}

// Segments are compared by shares of who is in them, whether they cut the base or not.
func TestComparisonsOfSegments(t *testing.T) {
	st := sampled(t)
	f, err := st.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, splitter := range []string{f.Questions[0].Key(), f.Questions[5].Key(), stats.Locations, stats.Waves} {
		r := stats.Request{Question: f.Questions[2].Key(), Splitter: splitter, Statistics: &estimate.Options{Pairs: true,
			Compare: []estimate.Compare{estimate.Previous, estimate.Segments}}}
		found := [2][]string{}
		for i, cut := range []bool{false, true} {
			r.SegmentedBase = cut
			result, err := stats.Run(t.Context(), st, r)
			if err != nil {
				t.Fatal(err)
			}
			for e := range result.Entries() {
				line := fmt.Sprint(e.Datapoint, e.Segment, e.Statistics.Segments.HigherThan)
				if p := e.Statistics.Previous; p != nil {
					line += fmt.Sprintf(" %.9g %.9g %.9g %.9g", p.Difference, p.StandardError, p.DF, p.AdjustedP)
				}
				for _, p := range e.Statistics.Segments.Pairs {
					line += fmt.Sprintf(" %s %.9g %.9g %.9g", p.Other, p.Difference.Difference, p.StandardError, p.DF)
				}
				found[i] = append(found[i], line)
			}
		}
		if diff := cmp.Diff(found[0], found[1]); diff != "" || len(found[0]) == 0 {
			t.Errorf("%s: (-whole base +cut base)\n%s", splitter, diff)
		}
	}
}

// The waves of a trend are compared with the one before, as the columns of a crosstab are.
func TestWavesArePrevious(t *testing.T) {
	st := sampled(t)
	f, err := st.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	x := audience.Answers{Question: f.Questions[2].Key(), Datapoints: []string{f.Questions[2].Datapoints[0].Code}}
	result, err := stats.WaveCounts(t.Context(), st, stats.WaveRequest{Expression: x, Statistics: &estimate.Options{}})
	if err != nil {
		t.Fatal(err)
	}
	table := crosstab.Request{Rows: []audience.Audience{{ID: "x", Expr: x}}, LastWaves: crosstab.AllWaves,
		Statistics: &estimate.Options{Compare: []estimate.Compare{estimate.Previous}}}
	for _, w := range f.Waves {
		table.Columns = append(table.Columns, audience.Audience{ID: w.Code, Expr: audience.Waves{Codes: []string{w.Code}}})
	}
	cells, err := crosstab.Run(t.Context(), st, table)
	if err != nil {
		t.Fatal(err)
	}
	var want, got []stats.WaveStatistics
	for c := range cells.Cells() {
		want = append(want, stats.WaveStatistics{EffectiveSample: c.Statistics.Intersect.EffectiveSample,
			Percentage: c.Statistics.Row.IntersectPercentage, Previous: c.Statistics.Previous})
	}
	for _, w := range result.Waves {
		got = append(got, *w.Statistics)
	}
	if diff := cmp.Diff(want, got, same); diff != "" || len(got) < 2 || got[1].Previous == nil {
		t.Errorf("(-crosstab +waves)\n%s", diff)
	}
}

// What can't be meant is refused with the path of the member.
func TestStatisticsThatCannotBeMeant(t *testing.T) {
	st := sampled(t)
	f, err := st.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for path, o := range map[string]estimate.Options{
		"statistics.level":            {Level: 50},
		"statistics.compare[1]":       {Compare: []estimate.Compare{estimate.Rest, estimate.Columns}},
		"statistics.correction":       {Correction: "sidak"},
		"statistics.low_base":         {LowBase: estimate.LowBase{Rule: estimate.NCHS, Withhold: 20}},
		"statistics.low_base.rule":    {LowBase: estimate.LowBase{Rule: "mine"}},
		"statistics.low_base.caution": {LowBase: estimate.LowBase{Caution: -1}},
	} {
		_, err := stats.Run(t.Context(), st, stats.Request{Question: f.Questions[2].Key(), Statistics: &o})
		var invalid *audience.InvalidError
		if !errors.As(err, &invalid) || invalid.Path != path {
			t.Errorf("%s: %v", path, err)
		}
	}
}

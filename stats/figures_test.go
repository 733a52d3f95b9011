package stats_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/stats"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/google/go-cmp/cmp"
)

// exampleA is the survey of 8,255 respondents whose figures were computed row by row with exact fractions.
const exampleA = "../store/storetest/testdata/example-a"

func openExampleA(t testing.TB) audience.Store {
	source, err := storetest.OpenExampleA()
	if err != nil {
		t.Fatal(err)
	}
	st, err := naive.Load(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// published is a case of figures.json.
type published struct {
	Name, Endpoint      string
	Question, Datapoint string
	Suffixes            []string
	Audience            json.RawMessage
	Splitter            string
	SegmentedBase       bool `json:"segmented_base"`
	Segments            map[string]publishedMetrics
	Expression          json.RawMessage
	Waves, Locations    []string
	Result              publishedCounts
}

type publishedMetrics struct {
	Waves              []string
	PositiveSize       float64 `json:"positive_size"`
	PositiveSample     int64   `json:"positive_sample"`
	AudienceSize       float64 `json:"audience_size"`
	AudienceSample     int64   `json:"audience_sample"`
	DatapointSize      float64 `json:"datapoint_size"`
	DatapointSample    int64   `json:"datapoint_sample"`
	AudiencePercentage float64 `json:"audience_percentage"`
	Percentage         float64 `json:"datapoint_percentage"`
	Index              float64 `json:"audience_index"`
}

type publishedCounts struct {
	BaseSize       float64 `json:"base_size"`
	BaseSample     int64   `json:"base_sample"`
	AudienceSize   float64 `json:"audience_size"`
	AudienceSample int64   `json:"audience_sample"`
	Percentage     float64 `json:"audience_percentage"`
	Waves          []struct {
		Code       string
		Sample     int64
		Percentage float64
	} `json:"per_wave_count"`
}

// nearly compares numbers within 1e-9: the published ones come of exact fractions.
var nearly = cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) })

func TestFigures(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(exampleA, "figures.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []published }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	st := openExampleA(t)
	compared := map[string]int{}
	for _, c := range file.Cases {
		switch c.Endpoint {
		case "stats":
			t.Run(c.Name, func(t *testing.T) { c.compareStats(t, st) })
		case "audience_wave_counts":
			t.Run(c.Name, func(t *testing.T) { c.compareWaves(t, st) })
		}
		compared[c.Endpoint]++
	}
	if compared["stats"] < 3 || compared["audience_wave_counts"] < 1 {
		t.Errorf("too few cases: %v", compared)
	}
}

func expression(t *testing.T, data []byte) audience.Expr {
	x, err := audience.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func (c *published) compareStats(t *testing.T, st audience.Store) {
	r := stats.Request{
		Question: c.Question, Datapoints: []string{c.Datapoint}, Splitter: c.Splitter, SegmentedBase: c.SegmentedBase,
		Waves: c.Waves, Locations: c.Locations,
	}
	for _, s := range c.Suffixes {
		code, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		r.Suffixes = append(r.Suffixes, code)
	}
	if len(c.Audience) > 0 && string(c.Audience) != "null" {
		r.Audiences = []audience.Audience{{Expr: expression(t, c.Audience)}}
	}
	res, err := stats.Run(t.Context(), st, r)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]publishedMetrics{}
	for e := range res.Entries() {
		m := e.Metrics
		got[e.Segment] = publishedMetrics{
			Waves:        e.Waves,
			PositiveSize: m.Positive.Size, PositiveSample: m.Positive.Sample, AudienceSize: m.Audience.Size,
			AudienceSample: m.Audience.Sample,
			DatapointSize:  m.Datapoint.Size, DatapointSample: m.Datapoint.Sample,
			AudiencePercentage: m.AudiencePercentage, Percentage: m.DatapointPercentage, Index: m.AudienceIndex,
		}
	}
	if d := cmp.Diff(c.Segments, got, nearly); d != "" {
		t.Error(d)
	}
}

func (c *published) compareWaves(t *testing.T, st audience.Store) {
	res, err := stats.WaveCounts(t.Context(), st, stats.WaveRequest{Expression: expression(t, c.Expression),
		Waves: c.Waves, Locations: c.Locations})
	if err != nil {
		t.Fatal(err)
	}
	got := publishedCounts{
		BaseSize: res.Base.Size, BaseSample: res.Base.Sample, AudienceSize: res.Audience.Size,
		AudienceSample: res.Audience.Sample, Percentage: res.Percentage,
	}
	for _, w := range res.Waves {
		got.Waves = append(got.Waves, struct {
			Code       string
			Sample     int64
			Percentage float64
		}{w.Code, w.Sample, w.Percentage})
	}
	if d := cmp.Diff(c.Result, got, nearly); d != "" {
		t.Error(d)
	}
}

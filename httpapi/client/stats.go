package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
)

// StatsRequest asks for the datapoints of a question, by segment and audience.
type StatsRequest struct {
	Question      string      `json:"question"`
	Datapoints    []string    `json:"datapoints,omitempty"` // none: all
	Suffixes      []int       `json:"suffixes,omitempty"`
	Splitter      string      `json:"splitter,omitempty"` // waves, locations or a question
	Segments      []string    `json:"segments,omitempty"`
	SegmentedBase bool        `json:"segmented_base,omitempty"`
	Audiences     []Audience  `json:"audiences,omitempty"`
	Base          *Audience   `json:"base_audience,omitempty"`
	Coverage      bool        `json:"coverage,omitempty"`
	Statistics    *Statistics `json:"statistics,omitempty"`
	Scope
}

// StatsMeta is what statistics are of.
type StatsMeta struct {
	Kind
	Question string `json:"question"`
	Splitter string `json:"splitter"`
}

// StatsEntry is a datapoint in a segment of an audience.
type StatsEntry struct {
	Datapoint  string           `json:"datapoint"`
	Waves      []string         `json:"waves"` // none: not measured
	Segment    string           `json:"segment"`
	Audience   string           `json:"audience"`
	Suffixes   []int            `json:"suffixes"`
	Metrics    Metrics          `json:"metrics"`
	Coverage   *Coverage        `json:"coverage,omitempty"`
	Statistics *EntryStatistics `json:"statistics,omitempty"`
	Withheld   bool             `json:"withheld,omitempty"` // the key may not be told: all figures are 0
}

// Metrics are people, respondents and percentages (0–100) of an audience and those who are positive.
type Metrics struct {
	PositiveSize        float64 `json:"positive_size"`
	PositiveSample      int64   `json:"positive_sample"`
	AudienceIndex       float64 `json:"audience_index"`
	AudiencePercentage  float64 `json:"audience_percentage"` // of the audience that is positive
	AudienceSample      int64   `json:"audience_sample"`
	AudienceSize        float64 `json:"audience_size"`
	DatapointPercentage float64 `json:"datapoint_percentage"` // of the positive that is in the audience
	DatapointSample     int64   `json:"datapoint_sample"`
	DatapointSize       float64 `json:"datapoint_size"`
}

// EntryStatistics is how sure the figures of an entry are.
type EntryStatistics struct {
	Base                Effective   `json:"base"`
	Positive            Effective   `json:"positive"`
	Audience            Effective   `json:"audience"`
	Datapoint           Effective   `json:"datapoint"`
	AudiencePercentage  *Interval   `json:"audience_percentage,omitempty"`
	DatapointPercentage *Interval   `json:"datapoint_percentage,omitempty"`
	AudienceIndex       *Interval   `json:"audience_index,omitempty"`
	Rest                *Difference `json:"rest,omitempty"`
	Previous            *Difference `json:"previous,omitempty"`
	Audiences           *Compared   `json:"audiences,omitempty"`
	Segments            *Compared   `json:"segments,omitempty"`
}

// Compared is which other audiences, or segments, differ significantly, by their ids or codes.
type Compared struct {
	HigherThan []string `json:"higher_than"`
	LowerThan  []string `json:"lower_than"`
	Pairs      []Pair   `json:"pairs,omitzero"`
}

// Pair is the difference from another audience or segment, of which one is named.
type Pair struct {
	Audience *string `json:"audience,omitempty"`
	Segment  *string `json:"segment,omitempty"`
	Difference
}

// Stats asks for statistics: an entry for each datapoint × segment × audience, in that order.
func (c *Client) Stats(ctx context.Context, r StatsRequest) (*Answer[StatsMeta, []StatsEntry], error) {
	return call[Answer[StatsMeta, []StatsEntry]](ctx, c, http.MethodPost, "/v2/query/stats", r)
}

// WaveCountsRequest asks how an audience's sample changes from wave to wave.
type WaveCountsRequest struct {
	Expression json.RawMessage `json:"expression,omitempty"`
	Coverage   bool            `json:"coverage,omitempty"`
	Matched    bool            `json:"matched,omitempty"`
	Scope
}

// WaveCounts is an audience in all waves, and in each.
type WaveCounts struct {
	BaseSize           float64 `json:"base_size"`
	BaseSample         int64   `json:"base_sample"`
	AudienceSample     int64   `json:"audience_sample"`
	AudienceSize       float64 `json:"audience_size"`
	AudiencePercentage float64 `json:"audience_percentage"`
	PerWave            []struct {
		Code       string    `json:"code"`
		Name       string    `json:"name"`
		Sample     int64     `json:"sample"`
		Percentage float64   `json:"percentage"`
		Coverage   *Coverage `json:"coverage,omitempty"`
		Withheld   bool      `json:"withheld,omitempty"`
	} `json:"per_wave_count"`
	Coverage *Coverage `json:"coverage,omitempty"`
	Withheld bool      `json:"withheld,omitempty"` // the key may not be told of all waves together: those figures are 0
}

// WaveCounts asks for wave counts (version 3 of the endpoint).
func (c *Client) WaveCounts(ctx context.Context, r WaveCountsRequest) (*WaveCounts, error) {
	return call[WaveCounts](ctx, c, http.MethodPost, "/v3/query/audience_wave_counts", r)
}

// Trend is an audience by wave, with how sure each percentage is.
type Trend struct {
	Data []struct {
		Wave       string    `json:"wave_code"`
		Total      int64     `json:"total"`
		Percentage float64   `json:"percentage"`
		Coverage   *Coverage `json:"coverage,omitempty"`
		Statistics *struct {
			Effective
			Percentage *Interval   `json:"percentage,omitempty"`
			Previous   *Difference `json:"previous,omitempty"`
		} `json:"statistics,omitempty"`
		Withheld bool `json:"withheld,omitempty"` // the key may not be told: all figures are 0
	} `json:"data"`
	Coverage *Coverage `json:"coverage,omitempty"`
}

// TrendOptions are what else a Trend tells.
type TrendOptions struct {
	Coverage, Matched bool
	Level             float64 // of confidence, in percent; 0: nothing is said of how sure it is
}

// Trend asks for wave counts (version 2 of the endpoint).
func (c *Client) Trend(ctx context.Context, expression json.RawMessage, o TrendOptions) (*Trend, error) {
	params := url.Values{}
	if o.Coverage {
		params.Set("coverage", "true")
	}
	if o.Matched {
		params.Set("matched", "true")
	}
	if o.Level != 0 {
		params.Set("statistics", strconv.FormatFloat(o.Level, 'g', -1, 64))
	}
	path := "/v2/query/audience_wave_counts"
	if len(params) > 0 {
		path += "?" + params.Encode()
	}
	return call[Trend](ctx, c, http.MethodPost, path, expression)
}

// SummaryRequest asks for the numbers of a question, by segment and audience.
type SummaryRequest struct {
	StatsRequest
	Quantiles []float64 `json:"quantiles,omitempty"` // in percent; none: the median
}

// SummaryMeta is what a summary is of.
type SummaryMeta struct {
	StatsMeta
	Unit string `json:"unit"`
}

// SummaryEntry is a segment of an audience. Of nobody with a number there is no mean.
type SummaryEntry struct {
	Segment  string   `json:"segment"`
	Audience string   `json:"audience"`
	Waves    []string `json:"waves"`
	Metrics  struct {
		Figure
		Effective         float64            `json:"effective_sample"`
		Mean              *float64           `json:"mean,omitempty"`
		StandardDeviation *float64           `json:"standard_deviation,omitempty"`
		Min               *float64           `json:"min,omitempty"`
		Max               *float64           `json:"max,omitempty"`
		Quantiles         map[string]float64 `json:"quantiles"`
	} `json:"metrics"`
	Coverage   *Coverage `json:"coverage,omitempty"`
	Statistics *struct {
		Mean      *Interval   `json:"mean,omitempty"`
		Rest      *Difference `json:"rest,omitempty"`
		Previous  *Difference `json:"previous,omitempty"`
		Audiences *Compared   `json:"audiences,omitempty"`
		Segments  *Compared   `json:"segments,omitempty"`
	} `json:"statistics,omitempty"`
	Withheld bool `json:"withheld,omitempty"` // the key may not be told: all figures are 0
}

// Summary asks for means, standard deviations and quantiles.
func (c *Client) Summary(ctx context.Context, r SummaryRequest) (*Answer[SummaryMeta, []SummaryEntry], error) {
	return call[Answer[SummaryMeta, []SummaryEntry]](ctx, c, http.MethodPost, "/v2/query/summary", r)
}

// ProfileRequest asks what sets an audience apart.
type ProfileRequest struct {
	Audience       Audience  `json:"audience"`
	Base           *Audience `json:"base_audience,omitempty"`
	Questions      []string  `json:"questions,omitempty"`       // none: all
	MinSample      int64     `json:"min_sample,omitempty"`      // 0: 30
	FalseDiscovery float64   `json:"false_discovery,omitempty"` // in percent; 0: 5
	OrderBy        string    `json:"order_by,omitempty"`        // certain, index, difference
	Direction      string    `json:"direction,omitempty"`       // over, under, both
	Limit          int       `json:"limit,omitempty"`
	Offset         int       `json:"offset,omitempty"`
	Coverage       bool      `json:"coverage,omitempty"`
	Statistics     *struct {
		Level   float64  `json:"level,omitempty"`
		LowBase *LowBase `json:"low_base,omitempty"`
	} `json:"statistics,omitempty"`
	Scope
}

// ProfileMeta is how many attributes were looked at.
type ProfileMeta struct {
	Kind
	Measured     int64 `json:"measured"`
	Tested       int64 `json:"tested"`
	Standing     int64 `json:"standing"`
	Ranked       int64 `json:"ranked"`
	Unmeasured   int64 `json:"unmeasured"`
	Incompatible int64 `json:"incompatible"`
}

// ProfileEntry is an attribute, the first that which is ranked first.
type ProfileEntry struct {
	Namespace string    `json:"namespace"`
	Question  string    `json:"question"`
	Datapoint string    `json:"datapoint"`
	Suffixes  []int     `json:"suffixes"`
	Waves     []string  `json:"waves"`
	Metrics   Metrics   `json:"metrics"`
	Coverage  *Coverage `json:"coverage,omitempty"`
	Rest      struct {
		Effective
		Percentage float64 `json:"percentage"`
	} `json:"rest"`
	Difference float64         `json:"difference"`
	P          *float64        `json:"p,omitempty"` // nil: not tested
	AdjustedP  *float64        `json:"adjusted_p,omitempty"`
	Stands     bool            `json:"stands"`
	Statistics EntryStatistics `json:"statistics"`
	Withheld   bool            `json:"withheld,omitempty"` // the key may not be told: all figures are 0
}

// Profile asks for the attributes of an audience, ranked.
func (c *Client) Profile(ctx context.Context, r ProfileRequest) (*Answer[ProfileMeta, []ProfileEntry], error) {
	return call[Answer[ProfileMeta, []ProfileEntry]](ctx, c, http.MethodPost, "/v2/query/profile", r)
}

// AssociationAxis is a question with one answer, or of a grid one of its datapoints.
type AssociationAxis struct {
	Question   string   `json:"question"`
	Datapoints []string `json:"datapoints,omitempty"`
}

// AssociationRequest asks how far two questions go together.
type AssociationRequest struct {
	Rows     AssociationAxis `json:"rows"`
	Columns  AssociationAxis `json:"columns"`
	Base     *Audience       `json:"base_audience,omitempty"`
	Coverage bool            `json:"coverage,omitempty"`
	Scope
}

// AssociationMeta is what an association is of.
type AssociationMeta struct {
	Kind
	Rows    AssociationAxis `json:"rows"`
	Columns AssociationAxis `json:"columns"`
}

// Association is Cramér's V and the test of independence, which is not there where nothing can be tested.
type Association struct {
	F             *float64  `json:"f,omitempty"`
	DF            *float64  `json:"df,omitempty"`
	DFDenominator *float64  `json:"df_denominator,omitempty"`
	P             *float64  `json:"p,omitempty"`
	CramersV      *float64  `json:"cramers_v,omitempty"`
	Withheld      bool      `json:"withheld,omitempty"` // the key may not be told: all figures are 0
	Sample        int64     `json:"sample"`
	Effective     float64   `json:"effective_sample"`
	Coverage      *Coverage `json:"coverage,omitempty"`
}

// Association asks how far two questions go together.
func (c *Client) Association(ctx context.Context, r AssociationRequest) (*Answer[AssociationMeta, Association], error) {
	return call[Answer[AssociationMeta, Association]](ctx, c, http.MethodPost, "/v2/query/association", r)
}

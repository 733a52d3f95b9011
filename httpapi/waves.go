package httpapi

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/strictjson"
	"github.com/crosswave/crosswave/stats"
)

// waveCountsV2 answers POST /v2/query/audience_wave_counts, whose body is the expression itself; what version 3 has as
// members beside it are parameters of the query.
func (c *call) waveCountsV2() error {
	var req stats.WaveRequest
	params, err := url.ParseQuery(c.r.URL.RawQuery)
	if err != nil {
		return &audience.InvalidError{Path: "the query", Reason: err.Error()}
	}
	if err := readFlags(params, map[string]*bool{"coverage": &req.Coverage, "matched": &req.Matched}); err != nil {
		return err
	}
	if req.Statistics, err = levelOf(params); err != nil {
		return err
	}
	data, err := c.read()
	if err != nil {
		return err
	}
	v, err := strictjson.Parse(data)
	if err != nil {
		return err
	}
	if err := v.Object().Err(); err != nil { // said of the body, which is no member of anything
		return err
	}
	if req.Expression, err = c.parser.Expr(v); err != nil {
		return err
	}
	if req.Expression == nil {
		return &audience.EmptyError{}
	}
	counts, err := stats.WaveCounts(c.ctx(), c.restricted, req)
	if err != nil {
		return err
	}
	b := appendList([]byte(`{"data":`), counts.Waves, func(b []byte, w stats.WaveCount) []byte {
		b = strictjson.AppendString(append(b, `{"wave_code":`...), w.Code)
		b = strconv.AppendInt(append(b, `,"total":`...), w.Sample, 10)
		b = appendNumber(append(b, `,"percentage":`...), w.Percentage)
		b = appendWaveStatistics(appendCoverage(b, w.Coverage), w.Statistics)
		return append(appendWithheld(b, w.Withheld), '}')
	})
	return c.reply(http.StatusOK, append(appendCoverage(b, counts.Coverage), "}\n"...))
}

// readFlags reads parameters of the query that are true or false; those left out are false.
func readFlags(params url.Values, known map[string]*bool) error {
	for _, name := range slices.Sorted(maps.Keys(known)) {
		values := params[name]
		switch {
		case len(values) == 0:
		case len(values) == 1 && (values[0] == "true" || values[0] == "false"):
			*known[name] = values[0] == "true"
		default:
			return &audience.InvalidError{Path: name, Reason: "the parameter is given once, as true or false"}
		}
	}
	return nil
}

// waveCountsV3 answers POST /v3/query/audience_wave_counts.
func (c *call) waveCountsV3() error {
	body, err := c.body("expression", "locations", "waves", "coverage", "matched")
	if err != nil {
		return err
	}
	req := stats.WaveRequest{Waves: body.Texts("waves"), Locations: body.Texts("locations"),
		Coverage: body.Bool("coverage"), Matched: body.Bool("matched")}
	if err := body.Err(); err != nil {
		return err
	}
	if req.Expression, err = c.parser.Expr(body.Get("expression")); err != nil {
		return err
	}
	counts, err := stats.WaveCounts(c.ctx(), c.restricted, req)
	if err != nil {
		return err
	}
	b := appendNumber([]byte(`{"base_size":`), counts.Base.Size)
	b = strconv.AppendInt(append(b, `,"base_sample":`...), counts.Base.Sample, 10)
	b = strconv.AppendInt(append(b, `,"audience_sample":`...), counts.Audience.Sample, 10)
	b = appendNumber(append(b, `,"audience_size":`...), counts.Audience.Size)
	b = appendNumber(append(b, `,"audience_percentage":`...), counts.Percentage)
	b = appendList(append(b, `,"per_wave_count":`...), counts.Waves, func(b []byte, w stats.WaveCount) []byte {
		b = strictjson.AppendString(append(b, `{"code":`...), w.Code)
		b = strictjson.AppendString(append(b, `,"name":`...), w.Name)
		b = strconv.AppendInt(append(b, `,"sample":`...), w.Sample, 10)
		b = appendNumber(append(b, `,"percentage":`...), w.Percentage)
		return append(appendWithheld(appendCoverage(b, w.Coverage), w.Withheld), '}')
	})
	b = appendWithheld(appendCoverage(b, counts.Coverage), counts.Withheld)
	return c.reply(http.StatusOK, append(b, "}\n"...))
}

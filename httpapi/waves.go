package httpapi

import (
	"net/http"
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/strictjson"
	"github.com/crosswave/crosswave/stats"
)

// waveCountsV2 answers POST /v2/query/audience_wave_counts, whose body is the expression itself.
func (c *call) waveCountsV2() error {
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
	x, err := c.parser.Expr(v)
	if err != nil {
		return err
	}
	if x == nil {
		return &audience.EmptyError{}
	}
	counts, err := stats.WaveCounts(c.ctx(), c.restricted, stats.WaveRequest{Expression: x})
	if err != nil {
		return err
	}
	b := appendList([]byte(`{"data":`), counts.Waves, func(b []byte, w stats.WaveCount) []byte {
		b = strictjson.AppendString(append(b, `{"wave_code":`...), w.Code)
		b = strconv.AppendInt(append(b, `,"total":`...), w.Sample, 10)
		return append(appendNumber(append(b, `,"percentage":`...), w.Percentage), '}')
	})
	return c.reply(http.StatusOK, append(b, "}\n"...))
}

// waveCountsV3 answers POST /v3/query/audience_wave_counts.
func (c *call) waveCountsV3() error {
	body, err := c.body("expression", "locations", "waves")
	if err != nil {
		return err
	}
	req := stats.WaveRequest{Waves: body.Texts("waves"), Locations: body.Texts("locations")}
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
		return append(appendNumber(append(b, `,"percentage":`...), w.Percentage), '}')
	})
	return c.reply(http.StatusOK, append(b, "}\n"...))
}

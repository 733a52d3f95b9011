package httpapi

import (
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/strictjson"
	"github.com/crosswave/crosswave/stats"
)

// stats answers POST /v2/query/stats. Everything that can fail is done before the first byte; a long answer goes out as
// it is written.
func (c *call) stats() error {
	body, err := c.body("question", "datapoints", "suffixes", "splitter", "segments", "segmented_base", "audiences",
		"locations", "waves", "base_audience", "coverage", "statistics")
	if err != nil {
		return err
	}
	req := stats.Request{
		Question: body.Text("question"), Datapoints: body.Texts("datapoints"),
	}
	if req.Suffixes, err = audience.Suffixes(body.Get("suffixes")); err != nil {
		return err
	}
	req.Splitter, req.Segments, req.SegmentedBase = body.Text("splitter"), body.Texts("segments"),
		body.Bool("segmented_base")
	req.Waves, req.Locations, req.Coverage = body.Texts("waves"), body.Texts("locations"), body.Bool("coverage")
	req.Statistics = readStatistics(body.Get("statistics"))
	if err := body.Err(); err != nil {
		return err
	}
	if req.Audiences, _, err = c.wrappers(body.Get("audiences")); err != nil {
		return err
	}
	if req.Base, _, err = c.wrapper(body.Get("base_audience")); err != nil {
		return err
	}
	req.Limits = stats.Limits{Cells: c.Limits.Cells, Cost: func(e stats.Extent) error { return c.statsCost(&req, e) }}
	if err := c.lookup(req.CheckSize, wantedAll("audiences", req.Audiences), wantedBase(&req.Base)); err != nil {
		return err
	}
	result, err := stats.Run(c.ctx(), c.restricted, req)
	if err != nil {
		return err
	}
	return c.writeStats(&req, result)
}

// entryBytes is what an entry takes on the wire without its codes, with long figures.
const entryBytes = 460

// statsCost is an error if the response would be too large. Every entry repeats the codes it is about.
func (c *call) statsCost(req *stats.Request, e stats.Extent) error {
	datapoints, segments, audiences := int64(len(e.Datapoints)), int64(max(1, len(e.Segments))),
		int64(max(1, len(req.Audiences)))
	perEntry := entryBytes + int64(len(appendSuffixes(nil, strictjson.Once(req.Suffixes))))
	if req.Splitter == stats.Waves { // an entry covers one
		perEntry += quoted(e.Waves...) / int64(max(1, len(e.Waves)))
	} else {
		perEntry += quoted(e.Waves...)
	}
	estimate := datapoints*segments*audiences*perEntry + quoted(e.Datapoints...)*segments*audiences +
		quoted(e.Segments...)*datapoints*audiences
	estimate += e.Coverage
	var ids []string
	for _, a := range req.Audiences {
		ids = append(ids, a.ID)
	}
	estimate += quoted(ids...) * datapoints * segments
	estimate += datapoints * statsStatisticsBytes(req.Statistics, segments, audiences, e.Segments, ids)
	return c.fits(estimate, "ask for fewer datapoints, segments or audiences at a time")
}

// quoted is how many bytes the texts take in a list.
func quoted(texts ...string) (n int64) {
	for _, t := range texts {
		n += int64(len(strictjson.AppendString(nil, t))) + 1
	}
	return n
}

// writeStats writes the response, a piece at a time.
func (c *call) writeStats(req *stats.Request, result *stats.Result) error {
	kind := "DATAPOINTS"
	if req.Splitter != "" {
		kind = "DATAPOINTS-SEGMENTS"
	}
	b := c.begin("application/json")
	b = strictjson.AppendString(append(b, `{"meta":{"type":`...), kind)
	b = strictjson.AppendString(append(b, `,"question":`...), req.Question)
	b = strictjson.AppendString(append(b, `,"splitter":`...), req.Splitter)
	b = append(b, `},"data":[`...)
	first := true
	for e := range result.Entries() {
		if !first {
			b = append(b, ',')
		}
		first = false
		var err error
		if b, err = c.flush(appendEntry(b, &e)); err != nil {
			return err
		}
	}
	_, err := c.w.Write(append(b, "]}\n"...))
	return err
}

// appendEntry appends an entry.
func appendEntry(b []byte, e *stats.Entry) []byte {
	b = strictjson.AppendString(append(b, `{"datapoint":`...), e.Datapoint)
	b = appendList(append(b, `,"waves":`...), e.Waves, strictjson.AppendString)
	b = strictjson.AppendString(append(b, `,"segment":`...), e.Segment)
	b = strictjson.AppendString(append(b, `,"audience":`...), e.Audience)
	b = appendSuffixes(append(b, `,"suffixes":`...), e.Suffixes)
	b = appendCoverage(appendMetrics(b, &e.Metrics), e.Coverage)
	return append(appendWithheld(appendStatistics(b, e.Statistics), e.Withheld), '}')
}

func appendSuffixes(b []byte, codes []int) []byte {
	return appendList(b, codes, func(b []byte, code int) []byte { return strconv.AppendInt(b, int64(code), 10) })
}

func appendMetrics(b []byte, m *stats.Metrics) []byte {
	b = appendNumber(append(b, `,"metrics":{"positive_size":`...), m.Positive.Size)
	b = strconv.AppendInt(append(b, `,"positive_sample":`...), m.Positive.Sample, 10)
	b = appendNumber(append(b, `,"audience_index":`...), m.AudienceIndex)
	b = appendNumber(append(b, `,"audience_percentage":`...), m.AudiencePercentage)
	b = strconv.AppendInt(append(b, `,"audience_sample":`...), m.Audience.Sample, 10)
	b = appendNumber(append(b, `,"audience_size":`...), m.Audience.Size)
	b = appendNumber(append(b, `,"datapoint_percentage":`...), m.DatapointPercentage)
	b = strconv.AppendInt(append(b, `,"datapoint_sample":`...), m.Datapoint.Sample, 10)
	b = appendNumber(append(b, `,"datapoint_size":`...), m.Datapoint.Size)
	return append(b, '}')
}

package httpapi

import (
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/strictjson"
	"github.com/crosswave/crosswave/stats"
)

// profile answers POST /v2/query/profile. Everything that can fail is done before the first byte; a long answer goes
// out as it is written.
func (c *call) profile() error {
	body, err := c.body("audience", "base_audience", "questions", "waves", "locations", "min_sample", "false_discovery",
		"order_by", "direction", "limit", "offset", "coverage", "statistics")
	if err != nil {
		return err
	}
	q := stats.ProfileQuery{Questions: body.Texts("questions"), Waves: body.Texts("waves"),
		Locations: body.Texts("locations"), MinSample: respondents(body.Get("min_sample")),
		OrderBy:   stats.ProfileOrder(body.Text("order_by")),
		Direction: stats.Direction(body.Text("direction")), Limit: atLeast(body.Get("limit"), 1),
		Offset: atLeast(body.Get("offset"), 0), Coverage: body.Bool("coverage")}
	if share := body.Get("false_discovery"); share.Exists() {
		if q.FalseDiscovery = share.Float(); q.FalseDiscovery == 0 {
			share.Fail("a share of false discoveries is in percent, above 0 and below 100, as 5 is")
		}
	}
	sure := body.Get("statistics")
	sure.Object("level", "low_base") // no comparison: each attribute is compared with the rest of the base
	if o := readStatistics(sure); o != nil {
		q.Level, q.LowBase = o.Level, o.LowBase
	}
	if err := body.Err(); err != nil {
		return err
	}
	if q.Audience, _, err = c.wrapper(body.Get("audience")); err != nil {
		return err
	}
	if q.Base, _, err = c.wrapper(body.Get("base_audience")); err != nil {
		return err
	}
	of := wanted{name: "audience", list: []*audience.Audience{&q.Audience}, one: true}
	if err := c.lookup(func() error { return nil }, of, wantedBase(&q.Base)); err != nil {
		return err
	}
	q.Limits = stats.ProfileLimits{Attributes: max(0, c.Limits.Cells), Cost: c.profileCost}
	result, err := stats.Profile(c.ctx(), c.restricted, q)
	if err != nil {
		return err
	}
	if encoder := c.encoder(); encoder != nil {
		return c.encode(encoder, 0, func(w io.Writer) error { return encoder.Profile(c.ctx(), w, q, result) })
	}
	return c.writeProfile(result)
}

// atLeast reads a number of entries; 0 if it is left out.
func atLeast(v strictjson.Value, least int64) int {
	n := v.Int()
	if v.Exists() && n < least {
		v.Fail("a number of attributes, %d or more, is expected, not %d", least, n)
	}
	return int(min(n, math.MaxInt32))
}

// profileBytes is what an attribute takes on the wire without its codes, with long figures.
const profileBytes = entryBytes + entryStatisticsBytes + 240

// profileCost is an error if the response would be too large: if the attributes with the longest codes were told.
func (c *call) profileCost(e stats.ProfileExtent) error {
	var codes []int64
	for i := range e.Attributes {
		a := &e.Attributes[i]
		codes = append(codes, quoted(a.Namespace, a.Question, a.Datapoint))
	}
	slices.SortFunc(codes, func(a, b int64) int { return int(b - a) })
	bytes := int64(e.Entries)*(profileBytes+quoted(e.Waves...)) + e.Coverage
	for _, n := range codes[:e.Entries] {
		bytes += n
	}
	if c.encoder() != nil { // which may hold it whole
		c.weight += bytes
	}
	return c.fits(bytes, "send a limit, or name some questions")
}

// writeProfile writes the response, a piece at a time.
func (c *call) writeProfile(result *stats.ProfileResult) error {
	b := c.begin("application/json")
	b = append(b, `{"meta":{"type":"PROFILE"`...)
	for _, m := range []struct {
		name string
		n    int
	}{
		{"measured", result.Measured}, {"tested", result.Tested}, {"standing", result.Standing}, {"ranked", result.Ranked},
		{"unmeasured", result.Unmeasured}, {"incompatible", result.Incompatible},
	} {
		b = append(append(append(b, `,"`...), m.name...), `":`...)
		b = strconv.AppendInt(b, int64(m.n), 10)
	}
	b = append(b, `},"data":[`...)
	first := true
	for e := range result.Entries() {
		if !first {
			b = append(b, ',')
		}
		first = false
		var err error
		if b, err = c.flush(appendProfileEntry(b, &e)); err != nil {
			return err
		}
	}
	_, err := c.w.Write(append(b, "]}\n"...))
	return err
}

// appendProfileEntry appends an attribute. What was not tested has no p-values.
func appendProfileEntry(b []byte, e *stats.ProfileEntry) []byte {
	b = strictjson.AppendString(append(b, `{"namespace":`...), e.Namespace)
	b = strictjson.AppendString(append(b, `,"question":`...), e.Question)
	b = strictjson.AppendString(append(b, `,"datapoint":`...), e.Datapoint)
	var suffixes []int
	if e.Grid {
		suffixes = []int{e.Suffix}
	}
	b = appendSuffixes(append(b, `,"suffixes":`...), suffixes)
	b = appendList(append(b, `,"waves":`...), e.Waves, strictjson.AppendString)
	b = appendCoverage(appendMetrics(b, &e.Metrics), e.Coverage)
	b = appendNumber(append(b, `,"rest":{"percentage":`...), e.RestPercentage)
	b = appendEstimate(append(b, `,"effective_sample":`...), e.RestEffectiveSample)
	b = appendEstimate(append(b, `},"difference":`...), e.Difference)
	if e.Tested {
		b = appendEstimate(append(b, `,"p":`...), e.P)
		b = appendEstimate(append(b, `,"adjusted_p":`...), e.AdjustedP)
	}
	b = strconv.AppendBool(append(b, `,"stands":`...), e.Stands)
	return append(appendWithheld(appendStatistics(b, &e.Statistics), e.Withheld), '}')
}

package httpapi

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// crosstab answers POST /v2/query/crosstab with a stream of cells, row-major, or with one document of them. Everything
// that can fail is done before the first byte.
func (c *call) crosstab() error {
	framing, err := c.framing()
	if err != nil {
		return err
	}
	var encoder Encoder
	if !framing.whole {
		encoder = c.encoder()
	}
	body, err := c.body("rows", "columns", "base_audience", "waves", "locations", "coverage", "matched", "statistics",
		"echo")
	if err != nil {
		return err
	}
	var req crosstab.Request
	var echo echoes
	if req.Rows, echo.rows, err = c.wrappers(body.Get("rows")); err != nil {
		return err
	}
	if req.Columns, echo.columns, err = c.wrappers(body.Get("columns")); err != nil {
		return err
	}
	if req.Base, echo.base, err = c.wrapper(body.Get("base_audience")); err != nil {
		return err
	}
	req.Waves, req.Locations = body.Texts("waves"), body.Texts("locations")
	req.Coverage, req.Matched = body.Bool("coverage"), body.Bool("matched")
	req.Statistics = readStatistics(body.Get("statistics"))
	if v := body.Get("echo"); v.Exists() && !v.Null() {
		echo.none = !v.Bool()
	}
	if err := body.Err(); err != nil {
		return err
	}
	req.Limits = crosstab.Limits{Rows: c.Limits.Rows, Columns: c.Limits.Columns, Cells: c.Limits.Cells,
		Cost: func(e crosstab.Extent) error { return c.crosstabCost(&req, echo, e, encoder != nil) }}
	if err := c.lookup(req.CheckSize, wantedAll("rows", req.Rows), wantedAll("columns", req.Columns),
		wantedBase(&req.Base)); err != nil {
		return err
	}
	result, err := crosstab.Run(c.ctx(), c.restricted, req)
	if err != nil {
		return err
	}
	if encoder != nil {
		return c.encode(encoder, result.Len(), func(w io.Writer) error {
			return encoder.Crosstab(c.ctx(), w, req, result)
		})
	}
	return c.stream(result, framing, echo)
}

// intersection answers POST /v2/query/intersection: one cell.
func (c *call) intersection() error {
	body, err := c.body("audiences", "base_audience", "waves", "locations", "coverage", "statistics")
	if err != nil {
		return err
	}
	pair := body.Get("audiences")
	if !pair.Exists() {
		pair.Fail(`audiences is required: {"row": …, "column": …}, each of which may be left out`)
	}
	axes := pair.Object("row", "column")
	var req crosstab.Request
	in := []wanted{}
	for _, axis := range []struct {
		name string
		to   *[]audience.Audience
	}{{"row", &req.Rows}, {"column", &req.Columns}} {
		if v := axes.Get(axis.name); v.Exists() {
			a, _, err := c.wrapper(v)
			if err != nil {
				return err
			}
			*axis.to = []audience.Audience{a}
			in = append(in, wanted{name: "audiences." + axis.name, list: []*audience.Audience{&(*axis.to)[0]}, one: true})
		}
	}
	if req.Base, _, err = c.wrapper(body.Get("base_audience")); err != nil {
		return err
	}
	req.Waves, req.Locations, req.Coverage = body.Texts("waves"), body.Texts("locations"), body.Bool("coverage")
	req.Statistics = readStatistics(body.Get("statistics"))
	if err := body.Err(); err != nil {
		return err
	}
	if err := c.lookup(req.CheckSize, append(in, wantedBase(&req.Base))...); err != nil {
		return err
	}
	cell, err := crosstab.Intersect(c.ctx(), c.restricted, req)
	if err != nil {
		return err
	}
	b := append([]byte(nil), `{"meta":{"type":"INTERSECTION"},"data":{`...)
	b = new(numbers).cell(b, &cell)
	return c.reply(http.StatusOK, append(b, "}}\n"...))
}

// echoes are the wrappers of a request as it wrote them, member for member, on one line.
type echoes struct {
	rows, columns [][]byte
	base          []byte // {} if none was sent
	none          bool   // are wanted: cells tell their audiences by row_index and column_index alone
}

func (e *echoes) row(i int) []byte    { return e.at(e.rows, i) }
func (e *echoes) column(i int) []byte { return e.at(e.columns, i) }

func (e *echoes) at(axis [][]byte, i int) []byte {
	if i == 0 {
		return e.base
	}
	return axis[i-1]
}

// wrapper reads an audience wrapper and keeps it for the echo.
func (c *call) wrapper(v strictjson.Value) (audience.Audience, []byte, error) {
	a, err := c.parser.Audience(v)
	if err != nil {
		return a, nil, err
	}
	if !v.Exists() {
		return a, []byte("{}"), nil
	}
	return a, v.Compact(), nil
}

func (c *call) wrappers(v strictjson.Value) (as []audience.Audience, echo [][]byte, err error) {
	for _, item := range v.Items() {
		a, e, err := c.wrapper(item)
		if err != nil {
			return nil, nil, err
		}
		as, echo = append(as, a), append(echo, e)
	}
	return as, echo, v.Err()
}

// cellBytes is what a cell takes on the wire without its echoes, with long figures.
const cellBytes = 640

// crosstabCost is an error if the response would be too large. Every cell repeats the wrappers it is about, and their
// ids once more. What an encoder writes is about as long, and may be held whole.
func (c *call) crosstabCost(req *crosstab.Request, echo echoes, e crosstab.Extent, encoded bool) error {
	baseBytes := quoted(req.Base.ID)
	if !echo.none {
		baseBytes += int64(len(echo.base))
	}
	rowBytes, columnBytes := baseBytes, baseBytes
	if len(req.Rows) > 0 {
		rowBytes = echo.total(req.Rows, echo.rows)
	}
	if len(req.Columns) > 0 {
		columnBytes = echo.total(req.Columns, echo.columns)
	}
	rows, columns := int64(e.Rows), int64(e.Columns)
	perCell := cellBytes + crosstabStatisticsBytes(req.Statistics, columns)
	if encoded {
		c.weight += rows * columns * perCell
	}
	return c.fits(rows*columns*perCell+rowBytes*columns+columnBytes*rows+e.Coverage,
		`send fewer rows and columns, or shorter ones, as each cell repeats its own unless "echo" is false`)
}

// total is how many bytes the audiences of an axis take, each once.
func (e *echoes) total(as []audience.Audience, echo [][]byte) (n int64) {
	for i := range as {
		n += quoted(as[i].ID)
		if !e.none {
			n += int64(len(echo[i]))
		}
	}
	return n
}

// accepts tells whether a media type is among those that a client names in Accept, in whatever number of lines, and
// does not decline with q=0.
func accepts(h http.Header, mediaType string) bool {
	for named := range strings.SplitSeq(strings.Join(h.Values("Accept"), ","), ",") {
		name, params, err := mime.ParseMediaType(named) // the name comes in lower case
		if q, qErr := strconv.ParseFloat(params["q"], 64); err == nil && name == mediaType && (qErr != nil || q > 0) {
			return true
		}
	}
	return false
}

// framing is what stands around the cells of a crosstab.
type framing struct {
	contentType       string
	begin, end        string // of the whole; begin tells the number of cells where it has a %d
	before, separator string // before each cell, and between two
	after             string // each cell
	whole             bool   // it is one document, whatever Accept names
}

// framing is how the client wants the cells: newline-delimited JSON, an RFC 7464 sequence if its Accept names that, or
// with stream=false one JSON document. That Accept names JSON changes nothing, as clients of the stream say so, too;
// nor do types that nobody here writes.
func (c *call) framing() (framing, error) {
	params, err := url.ParseQuery(c.r.URL.RawQuery)
	if err != nil {
		return framing{}, &audience.InvalidError{Path: "the query", Reason: err.Error()}
	}
	stream := true
	if err := readFlags(params, map[string]*bool{"stream": &stream}); err != nil {
		return framing{}, err
	}
	switch {
	case !stream:
		return framing{contentType: "application/json", begin: `{"meta":{"type":"CROSSTAB","cells":%d},"data":[`,
			separator: ",", end: "]}\n", whole: true}, nil
	case accepts(c.r.Header, "application/json-seq"):
		return framing{contentType: "application/json-seq", before: "\x1e", after: "\n"}, nil
	}
	return framing{contentType: "application/x-ndjson", after: "\n"}, nil
}

// stream writes the cells as they are formed.
func (c *call) stream(result *crosstab.Result, f framing, echo echoes) error {
	c.w.Header().Set("X-Cell-Count", strconv.Itoa(result.Len()))
	b, written := c.begin(f.contentType), new(numbers)
	if f.begin != "" {
		b = fmt.Appendf(b, f.begin, result.Len())
	}
	separator := ""
	for cell := range result.Cells() {
		b = append(append(append(b, separator...), f.before...), '{')
		separator = f.separator
		b = written.cell(b, &cell)
		if !echo.none {
			b = append(append(b, `,"row":`...), echo.row(cell.RowIndex)...)
			b = append(append(b, `,"column":`...), echo.column(cell.ColumnIndex)...)
		}
		b = strconv.AppendInt(append(b, `,"row_index":`...), int64(cell.RowIndex), 10)
		b = strconv.AppendInt(append(b, `,"column_index":`...), int64(cell.ColumnIndex), 10)
		var err error
		if b, err = c.flush(append(append(b, '}'), f.after...)); err != nil {
			return err
		}
	}
	_, err := c.w.Write(append(b, f.end...))
	return err
}

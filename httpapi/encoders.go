package httpapi

import (
	"bufio"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"mime"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/stats"
)

// Encoder writes crosstabs and profiles in a form of its own for clients whose Accept names its media type. The request
// is as it was asked, with the saved audiences that it names; r.Limits are not for an Encoder. What it returns before
// it has written anything is answered as an error is; after that the answer is cut short.
type Encoder interface {
	MediaType() string // as Content-Type has it, in lower case; parameters may follow the type
	Crosstab(ctx context.Context, w io.Writer, r crosstab.Request, result *crosstab.Result) error
	Profile(ctx context.Context, w io.Writer, q stats.ProfileQuery, result *stats.ProfileResult) error
}

// checkEncoders finds encoders that no client could ask for, or of a type that is taken.
func checkEncoders(encoders []Encoder) error {
	taken := []string{"application/json", "application/x-ndjson", "application/json-seq", "text/csv"}
	for i, e := range encoders {
		name, _, err := mime.ParseMediaType(e.MediaType())
		switch {
		case err != nil:
			return fmt.Errorf("httpapi: Config.Encoders[%d] has no media type: %w", i, err)
		case slices.Contains(taken, name):
			return fmt.Errorf("httpapi: Config.Encoders[%d] is of the type %s, which is taken", i, name)
		}
		taken = append(taken, name)
	}
	return nil
}

// encoder is the first of those that Accept names: those of the Config, then CSV; nil if it names none of them.
func (c *call) encoder() Encoder {
	for _, e := range append(slices.Clone(c.Encoders), Encoder(csvEncoder{})) {
		if name, _, err := mime.ParseMediaType(e.MediaType()); err == nil && accepts(c.r.Header, name) {
			return e
		}
	}
	return nil
}

// encode answers with what an encoder writes of so many cells; 0: it is not told how many.
func (c *call) encode(e Encoder, cells int, write func(w io.Writer) error) error {
	c.counted()
	c.takePen()
	w := bufio.NewWriterSize(&answerWriter{c, e.MediaType(), cells}, flushBytes)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}

// answerWriter begins an answer with the first bytes that are written to it. Nobody has a pen while they are sent.
type answerWriter struct {
	*call
	contentType string
	cells       int
}

func (w *answerWriter) Write(b []byte) (int, error) {
	if !w.started {
		if w.cells > 0 {
			w.w.Header().Set("X-Cell-Count", strconv.Itoa(w.cells))
		}
		w.begin(w.contentType)
	}
	w.putPen()
	n, err := w.w.Write(b)
	w.takePen()
	return n, err
}

// csvEncoder writes a line a cell, or an attribute, after a header that names the fields. Texts are as they are: a
// program that takes one that begins with = for a formula is to be told not to.
type csvEncoder struct{}

func (csvEncoder) MediaType() string { return "text/csv; charset=utf-8" }

// Crosstab looks at no deadline between lines, as a stream of JSON does not: a slow client is none of its faults.
func (csvEncoder) Crosstab(_ context.Context, w io.Writer, r crosstab.Request, result *crosstab.Result) error {
	out, f := csv.NewWriter(w), result.Frame()
	header := slices.Concat([]string{"row_index", "row", "row_name", "column_index", "column", "column_name"},
		crosstab.Header(), []string{"namespace", "waves", "locations", "withheld"})
	if r.Statistics != nil {
		header = append(header, crosstab.StatisticsHeader()...)
	}
	out.Write(header)
	for c := range result.Cells() {
		row, column := at(r.Rows, c.RowIndex, r.Base), at(r.Columns, c.ColumnIndex, r.Base)
		fields := slices.Concat([]string{strconv.Itoa(c.RowIndex), row.ID, row.Name,
			strconv.Itoa(c.ColumnIndex), column.ID, column.Name}, c.Fields(),
			[]string{c.Namespace, strings.Join(f.WaveCodes(c.Cover), ";"), strings.Join(f.LocationCodes(c.Cover), ";"),
				strconv.FormatBool(c.Withheld)})
		if r.Statistics != nil {
			fields = append(fields, c.Statistics.StatisticsFields(r.Statistics, c.ColumnIndex, len(r.Columns), 0)...)
		}
		if err := out.Write(fields); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// at is an audience of an axis as a cell counts them; 0 is the base.
func at(as []audience.Audience, i int, base audience.Audience) audience.Audience {
	if i == 0 {
		return base
	}
	return as[i-1]
}

func (csvEncoder) Profile(_ context.Context, w io.Writer, _ stats.ProfileQuery, result *stats.ProfileResult) error {
	out, f := csv.NewWriter(w), result.Frame()
	out.Write(append(stats.ProfileHeader(), "withheld"))
	for e := range result.Entries() {
		if err := out.Write(append(e.Fields(f), strconv.FormatBool(e.Withheld))); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

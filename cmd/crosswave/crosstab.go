package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/httpapi"
)

type crosstabCommand struct {
	database
	distributed
	readOnly
	Rows      []string `sep:"none" placeholder:"WHO" help:"${rows}"`
	Columns   []string `sep:"none" placeholder:"WHO" help:"Likewise for columns."`
	Base      string   `placeholder:"JSON" help:"The base audience as an expression; everyone unless given."`
	Waves     []string `help:"Wave codes; the last four unless given."`
	Locations []string `help:"Location codes; all unless given."`
	Format    string   `default:"table" enum:"table,csv,ndjson,json" help:"${format}"`
}

func (c *crosstabCommand) Run(ctx context.Context, m Main) error {
	db, err := c.openStore(ctx, c.DB, m)
	if err != nil {
		return err
	}
	defer db.Close()
	shards, err := c.with(ctx, db)
	if err != nil {
		return err
	}
	var store audience.Store = db
	config := httpapi.Config{Store: db}
	if shards != nil {
		defer shards.Close()
		store, config.Counter = audience.Pair(db, shards), shards
	}
	frame, err := db.Frame(ctx)
	if err != nil {
		return err
	}
	request := crosstab.Request{Waves: c.Waves, Locations: c.Locations}
	if request.Rows, err = audiences(frame, "--rows", c.Rows); err != nil {
		return err
	}
	if request.Columns, err = audiences(frame, "--columns", c.Columns); err != nil {
		return err
	}
	if c.Base != "" {
		if request.Base.Expr, err = audience.Parse([]byte(c.Base)); err != nil {
			return usage("--base: %v", err)
		}
	}
	switch c.Format {
	case "csv":
		return writeCSV(ctx, store, request, m.Stdout)
	case "ndjson":
		return writeNDJSON(ctx, config, request, m, m.Stdout)
	case "json":
		return writeJSON(ctx, config, request, m)
	}
	return writeTable(ctx, store, request, m.Stdout)
}

// audiences makes audiences of what a flag names: an expression is one, a question one for each datapoint.
func audiences(f *audience.Frame, flag string, specs []string) ([]audience.Audience, error) {
	var out []audience.Audience
	for _, s := range specs {
		switch s = strings.TrimSpace(s); {
		case strings.HasPrefix(s, "{"):
			x, err := audience.Parse([]byte(s))
			if err != nil {
				return nil, usage("%s %s: %v", flag, s, err)
			}
			if x == nil {
				return nil, usage("%s %s: the expression is empty", flag, s)
			}
			out = append(out, audience.Audience{ID: s, Name: audience.Describe(x, f), Expr: x})
		case s == "waves":
			for _, w := range f.Waves {
				out = append(out, audience.Audience{ID: w.Code, Name: w.Name, Expr: audience.Waves{Codes: []string{w.Code}}})
			}
		case s == "locations":
			for _, l := range f.Locations {
				out = append(out, audience.Audience{ID: l.Code, Name: l.Name, Expr: audience.Locations{Codes: []string{l.Code}}})
			}
		default:
			i, err := f.Question(s)
			if err != nil {
				return nil, usage("%s: %v", flag, err)
			}
			if i < 0 {
				return nil, usage("%s: there is no question %q: crosswave inspect lists them", flag, s)
			}
			out = append(out, f.PerDatapoint(i)...)
		}
	}
	return out, nil
}

// everyone is the total that a table shows beside the audiences.
var everyone = audience.Audience{Name: "Total", Expr: audience.Everyone{}}

func writeTable(ctx context.Context, st audience.Store, r crosstab.Request, out io.Writer) error {
	r.Rows = append([]audience.Audience{everyone}, r.Rows...)
	r.Columns = append([]audience.Audience{everyone}, r.Columns...)
	result, err := crosstab.Run(ctx, st, r)
	if err != nil {
		return err
	}
	t := table{frame: result.Frame(), names: names(r.Columns)}
	row := tableRow{}
	for cell := range result.Cells() {
		row.name = name(r.Rows[cell.RowIndex-1])
		row.cells = append(row.cells, cell)
		if cell.ColumnIndex == len(r.Columns) {
			t.rows = append(t.rows, row)
			row = tableRow{}
		}
	}
	return t.write(out)
}

func names(as []audience.Audience) []string {
	var out []string
	for _, a := range as {
		out = append(out, name(a))
	}
	return out
}

func name(a audience.Audience) string {
	if a.Name != "" {
		return a.Name
	}
	return a.ID
}

func writeCSV(ctx context.Context, st audience.Store, r crosstab.Request, out io.Writer) error {
	result, err := crosstab.Run(ctx, st, r)
	if err != nil {
		return err
	}
	w := csv.NewWriter(out)
	w.Write([]string{"row", "row_name", "column", "column_name", "base_size", "base_sample", "row_size", "row_sample",
		"column_size", "column_sample",
		"size", "sample", "percentage", "column_percentage", "row_percentage", "index"})
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	whole := func(n int64) string { return strconv.FormatInt(n, 10) }
	for c := range result.Cells() {
		row, column := axisNames(r.Rows, c.RowIndex), axisNames(r.Columns, c.ColumnIndex)
		w.Write([]string{row[0], row[1], column[0], column[1], number(c.Base.Size), whole(c.Base.Sample),
			number(c.Row.Size), whole(c.Row.Sample),
			number(c.Column.Size), whole(c.Column.Sample), number(c.Intersect.Size), whole(c.Intersect.Sample),
			number(c.Intersect.Percentage),
			number(c.Row.IntersectPercentage), number(c.Column.IntersectPercentage), number(c.Intersect.Index)})
	}
	w.Flush()
	return w.Error()
}

func axisNames(as []audience.Audience, i int) [2]string {
	if i == 0 {
		return [2]string{"", "Total"}
	}
	return [2]string{as[i-1].ID, name(as[i-1])}
}

// writeNDJSON asks the server's endpoint, of the stores in config, so that its stream is what comes out.
func writeNDJSON(ctx context.Context, config httpapi.Config, r crosstab.Request, m Main, out io.Writer) error {
	type wrapper struct {
		ID         string          `json:"id"`
		Name       string          `json:"name,omitempty"`
		Expression json.RawMessage `json:"expression"`
	}
	wrap := func(as []audience.Audience) []wrapper {
		var ws []wrapper
		for _, a := range as {
			ws = append(ws, wrapper{a.ID, a.Name, audience.Print(a.Expr)})
		}
		return ws
	}
	body, err := json.Marshal(map[string]any{"rows": wrap(r.Rows), "columns": wrap(r.Columns), "waves": r.Waves,
		"locations":     r.Locations,
		"base_audience": wrapper{Expression: audience.Print(r.Base.Expr)}})
	if err != nil {
		return err
	}
	config.Authorize, config.Log = fullAccess(1), slog.New(slog.NewTextHandler(m.Stderr, nil))
	config.Limits = httpapi.Limits{Body: -1, Rows: -1, Columns: -1, Cells: -1, Response: -1, QueryTime: -1}
	api, err := httpapi.New(config)
	if err != nil {
		return err
	}
	status, err := ask(ctx, api, http.MethodPost, "/v2/query/crosstab", body, out)
	if err == nil && status != http.StatusOK {
		err = errAnswered
	}
	return err
}

func writeJSON(ctx context.Context, config httpapi.Config, r crosstab.Request, m Main) error {
	var lines bytes.Buffer
	if err := writeNDJSON(ctx, config, r, m, &lines); err != nil {
		m.Stdout.Write(lines.Bytes())
		return err
	}
	_, err := fmt.Fprintf(m.Stdout, "[%s]\n", bytes.ReplaceAll(bytes.TrimSpace(lines.Bytes()), []byte("\n"),
		[]byte(",\n")))
	return err
}

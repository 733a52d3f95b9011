package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/cmd/crosswave/internal/ask"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/httpapi"
)

type crosstabCommand struct {
	asking
	Rows      []string `sep:"none" placeholder:"WHO" help:"${rows}"`
	Columns   []string `sep:"none" placeholder:"WHO" help:"Likewise for columns."`
	Base      string   `placeholder:"WHO" help:"${base}"`
	Waves     []string `help:"Waves to cover; all unless given."`
	Locations []string `help:"Locations to cover; all unless given."`
	statistics
	shading
	Format string `default:"table" enum:"table,markdown,html,csv,ndjson,json" help:"${format}"`
	workbook
}

func (c *crosstabCommand) Run(ctx context.Context, m Main) error {
	if err := c.checkOut(c.Format); err != nil {
		return err
	}
	s, err := c.begin(ctx, m)
	if err != nil {
		return err
	}
	defer s.end()
	request, err := c.request(s.frame)
	if err != nil {
		return err
	}
	if c.Out != "" {
		return c.writeTable(ctx, s.store, request, c.LevelLow)
	}
	switch c.Format {
	case "csv":
		return writeCSV(ctx, s.store, request, c.LevelLow, m.Stdout)
	case "ndjson":
		return writeNDJSON(ctx, s.config, everyWave(s.frame, request), m, m.Stdout)
	case "json":
		return writeJSON(ctx, s.config, everyWave(s.frame, request), m)
	}
	return writeTable(ctx, s.store, request, c.LevelLow, c.Format, c.shading, m)
}

// request is what the flags ask for. All of its codes exist.
func (c *crosstabCommand) request(f *audience.Frame) (r crosstab.Request, err error) {
	r.LastWaves = crosstab.AllWaves
	if r.Waves, err = ask.Waves(f, c.Waves); err != nil {
		return r, usage("--waves: %w", err)
	}
	if r.Locations, err = ask.Locations(f, c.Locations); err != nil {
		return r, usage("--locations: %w", err)
	}
	if r.Rows, err = audiences(f, "--rows", c.Rows); err != nil {
		return r, err
	}
	if r.Columns, err = audiences(f, "--columns", c.Columns); err != nil {
		return r, err
	}
	if r.Base, err = base(f, c.Base, r.Rows); err != nil {
		return r, err
	}
	if r.Statistics, err = c.options(len(r.Columns)); err != nil {
		return r, err
	}
	return r, checkCodes(f, r)
}

// audiences are those that a flag names.
func audiences(f *audience.Frame, flag string, texts []string) ([]audience.Audience, error) {
	var out []audience.Audience
	for _, text := range texts {
		as, err := ask.Audiences(f, text)
		if err != nil {
			return nil, usage("%s %w", flag, err)
		}
		out = append(out, as...)
	}
	return out, nil
}

// base is the audience that --base names; everyone if it names none.
func base(f *audience.Frame, text string, rows []audience.Audience) (audience.Audience, error) {
	a, err := ask.Base(f, text, rows, "--rows")
	if err != nil {
		return a, usage("--base %w", err)
	}
	return a, nil
}

// checkCodes finds codes in expressions that do not exist, so that they are told in the same words in every format.
func checkCodes(f *audience.Frame, r crosstab.Request) error {
	uses := []audience.Use{{Origin: "base_audience", Expr: r.Base.Expr}}
	for i, a := range r.Rows {
		uses = append(uses, audience.Use{Origin: fmt.Sprintf("rows[%d]", i), Expr: a.Expr})
	}
	for i, a := range r.Columns {
		uses = append(uses, audience.Use{Origin: fmt.Sprintf("columns[%d]", i), Expr: a.Expr})
	}
	for _, u := range uses {
		if err := f.Check(nil, nil, u); err != nil {
			return usage("%s: %w", u.Origin, ask.Explain(f, err))
		}
	}
	return nil
}

// everyWave has a request name the waves that it covers, as the server covers the last four where none are named.
func everyWave(f *audience.Frame, r crosstab.Request) crosstab.Request {
	if len(r.Waves) == 0 {
		for _, w := range f.Waves {
			r.Waves = append(r.Waves, w.Code)
		}
	}
	return r
}

// writeTable prints a table for people in a format. Its letters tell what is significant at a lower level, too, unless
// that is 0.
func writeTable(ctx context.Context, st audience.Store, r crosstab.Request, low float64, format string, s shading,
	m Main) error {
	x, err := cross(ctx, st, r)
	if err != nil {
		return err
	}
	t := newTable(x, low, m.width(), s.shades(m))
	if format != "table" {
		return writeDocument(m.Stdout, t.document(), format)
	}
	_, err = io.WriteString(m.Stdout, t.text())
	return err
}

// asked are the questions of an expression, waves and locations included.
func asked(f *audience.Frame, x audience.Expr) []string {
	codes := ask.Questions(f, x)
	audience.Walk(x, func(x audience.Expr) bool {
		code := ""
		switch x.(type) {
		case audience.Waves:
			code = "waves"
		case audience.Locations:
			code = "locations"
		}
		if code != "" && !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
		return true
	})
	return codes
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
	request := map[string]any{"rows": wrap(r.Rows), "columns": wrap(r.Columns), "waves": r.Waves,
		"locations":     r.Locations,
		"base_audience": wrapper{Expression: audience.Print(r.Base.Expr)}}
	if r.Statistics != nil {
		request["statistics"] = statisticsMember(r.Statistics)
	}
	return asServer(ctx, config, "/v2/query/crosstab", request, m.Stderr, out)
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

package storetest

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/formats/csv"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/survey"
)

//go:embed testdata/example-a
var exampleA embed.FS

// ExampleA is the example survey: 8,255 respondents in 5 waves and 6 locations, two namespaces, every kind of question.
// It holds data.csv, codebook.json, figures.json (figures worked out row by row with exact fractions) and LICENSE.txt.
func ExampleA() fs.FS {
	sub, err := fs.Sub(exampleA, "testdata/example-a")
	if err != nil {
		panic(err) // the embedded folder is there
	}
	return sub
}

// OpenExampleA opens the example survey as a survey file.
func OpenExampleA() (survey.Source, error) {
	text, err := fs.ReadFile(ExampleA(), "codebook.json")
	if err != nil {
		return nil, err
	}
	codebook, err := survey.ReadCodebook(text)
	if err != nil {
		return nil, err
	}
	data, err := fs.ReadFile(ExampleA(), "data.csv")
	if err != nil {
		return nil, err
	}
	table, err := csv.New(bytes.NewReader(data), csv.Options{})
	if err != nil {
		return nil, err
	}
	return survey.NewSource(table, codebook, 0)
}

// SampleExampleA is a store of every nth respondent of the example survey, the first of them included, with the frame
// of the whole: few enough to be looked at one by one, and yet as real.
func SampleExampleA(ctx context.Context, n int) (*naive.Store, error) {
	source, err := OpenExampleA()
	if err != nil {
		return nil, err
	}
	whole, err := naive.Load(ctx, source)
	if err != nil {
		return nil, err
	}
	release, err := whole.Release(ctx)
	if err != nil {
		return nil, err
	}
	var some []naive.Respondent
	for i, r := range whole.Respondents() {
		if i%n == 0 {
			some = append(some, r)
		}
	}
	return naive.New(release, some)
}

// ExampleCase is one of the crosstab cases of figures.json.
type ExampleCase struct {
	Name      string
	Endpoint  string
	Rows      []json.RawMessage
	Columns   []json.RawMessage
	Base      json.RawMessage
	Waves     []string
	Locations []string
	Cells     [][]ExampleCell
}

// ExampleCell is what a case expects of a row and a column. Percentages are 0–100.
type ExampleCell struct {
	Audiences struct{ Row, Column ExampleAudience }
	Base      ExampleFigure
	Intersect struct {
		ExampleFigure
		Percentage, Index float64
	}
}

// ExampleFigure is an expected sample (respondents) and size (people).
type ExampleFigure struct {
	Size   float64
	Sample int64
}

// ExampleAudience is what is expected of an audience within the base.
type ExampleAudience struct {
	ExampleFigure
	Percentage float64
	Share      float64 `json:"intersect_percentage"` // of the other audience that is in this one
}

// ExampleCrosstabs reads the crosstab cases of figures.json.
func ExampleCrosstabs() ([]ExampleCase, error) {
	text, err := fs.ReadFile(ExampleA(), "figures.json")
	if err != nil {
		return nil, err
	}
	var all struct{ Cases []ExampleCase }
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	var crosstabs []ExampleCase
	for _, c := range all.Cases {
		if c.Endpoint == "crosstab" {
			crosstabs = append(crosstabs, c)
		}
	}
	return crosstabs, nil
}

// Spec is the case as a question to Tabulate.
func (c *ExampleCase) Spec() (s audience.Spec, err error) {
	s = audience.Spec{Waves: c.Waves, Locations: c.Locations}
	if len(c.Base) > 0 {
		if s.Base, err = audience.Parse(c.Base); err != nil {
			return s, err
		}
	}
	axis := func(texts []json.RawMessage) (xs []audience.Expr) {
		for _, text := range texts {
			x, e := audience.Parse(text)
			if e != nil {
				err = e
			}
			xs = append(xs, x)
		}
		return xs
	}
	s.Rows, s.Columns = axis(c.Rows), axis(c.Columns)
	return s, err
}

// CompareExampleA asks st, which holds the example survey, for all crosstab cases of figures.json: samples must be
// equal, sizes and percentages within 1e-9 of what is expected.
func CompareExampleA(ctx context.Context, st audience.Store) error {
	cases, err := ExampleCrosstabs()
	if err != nil {
		return err
	}
	var specs []audience.Spec
	for _, c := range cases {
		s, err := c.Spec()
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		specs = append(specs, s)
	}
	tabs, err := audience.Tabulate(ctx, st, func(*audience.Frame) ([]audience.Spec, error) { return specs, nil })
	if err != nil {
		return err
	}
	for k, c := range cases {
		for i := range c.Cells {
			for j, want := range c.Cells[i] {
				if err := want.compare(tabs[k].Cell(min(i+1, len(c.Rows)), min(j+1, len(c.Columns)))); err != nil {
					return fmt.Errorf("%s, row %d, column %d: %w", c.Name, i+1, j+1, err)
				}
			}
		}
	}
	return nil
}

// compare works the percentages and the index out from the sizes.
func (want *ExampleCell) compare(got audience.Cell) error {
	percent := func(x, y audience.Figure) float64 {
		if y.Size == 0 {
			return 0
		}
		return 100 * x.Size / y.Size
	}
	index := 0.0
	if expected := got.Row.Size * got.Column.Size; expected != 0 {
		index = 100 * got.Both.Size * got.Base.Size / expected
	}
	for _, f := range []struct {
		name string
		got  audience.Figure
		want ExampleFigure
	}{
		{"base", got.Base, want.Base},
		{"row", got.Row, want.Audiences.Row.ExampleFigure},
		{"column", got.Column, want.Audiences.Column.ExampleFigure},
		{"intersect", got.Both, want.Intersect.ExampleFigure},
	} {
		if f.got.Sample != f.want.Sample || !close9(f.got.Size, f.want.Size) {
			return fmt.Errorf("%s is %d %v instead of %d %v", f.name, f.got.Sample, f.got.Size, f.want.Sample, f.want.Size)
		}
	}
	for _, p := range []struct {
		name      string
		got, want float64
	}{
		{"row percentage", percent(got.Row, got.Base), want.Audiences.Row.Percentage},
		{"row intersect percentage", percent(got.Both, got.Column), want.Audiences.Row.Share},
		{"column percentage", percent(got.Column, got.Base), want.Audiences.Column.Percentage},
		{"column intersect percentage", percent(got.Both, got.Row), want.Audiences.Column.Share},
		{"intersect percentage", percent(got.Both, got.Base), want.Intersect.Percentage},
		{"intersect index", index, want.Intersect.Index},
	} {
		if !close9(p.got, p.want) {
			return fmt.Errorf("%s is %v instead of %v", p.name, p.got, p.want)
		}
	}
	return nil
}

// close9 tells whether a figure is within 1e-9 of what is expected, relative to it.
func close9(got, want float64) bool { return math.Abs(got-want) <= 1e-9*math.Abs(want) }

// exampleChecks import the example survey and compare its figures.
func exampleChecks() []check {
	return []check{{"example-a", func(ctx context.Context, open func() Engine) error {
		file, err := OpenExampleA()
		if err != nil {
			return err
		}
		engine := open()
		if _, err := survey.Import(ctx, file, engine, survey.Options{}); err != nil {
			return err
		}
		return CompareExampleA(ctx, engine)
	}}}
}

package crosstab_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/store/formats/csv"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
)

// drinks is the survey of examples/embed: eight respondents in two waves and two locations, small enough to add up by
// hand.
func drinks(ctx context.Context) (audience.Store, error) {
	text, err := os.ReadFile("../examples/embed/codebook.json")
	if err != nil {
		return nil, err
	}
	book, err := survey.ReadCodebook(text)
	if err != nil {
		return nil, err
	}
	table, err := csv.Open("../examples/embed/survey.csv", csv.Options{})
	if err != nil {
		return nil, err
	}
	defer table.Close()
	source, err := survey.NewSource(table, book, 0)
	if err != nil {
		return nil, err
	}
	st := &naive.Store{}
	_, err = survey.Import(ctx, source, st, survey.Options{})
	return st, err
}

func open(t *testing.T) audience.Store {
	st, err := drinks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return st
}

var (
	women  = audience.Audience{ID: "women", Expr: audience.Answers{Question: "gender", Datapoints: []string{"f"}}}
	tea    = audience.Audience{ID: "tea", Expr: audience.Answers{Question: "bought", Datapoints: []string{"tea"}}}
	coffee = audience.Audience{Name: "no id", Expr: audience.Answers{Question: "bought", Datapoints: []string{"coffee"}}}
)

func ExampleRun() {
	ctx := context.Background()
	store, err := drinks(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	table, err := crosstab.Run(ctx, store, crosstab.Request{Rows: []audience.Audience{tea, coffee},
		Columns: []audience.Audience{women}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for c := range table.Cells() {
		fmt.Printf("%d × %d: %.1f people, %.1f %% of the women, index %.1f\n", c.RowIndex, c.ColumnIndex,
			c.Intersect.Size, c.Row.IntersectPercentage, c.Intersect.Index)
	}
	// Output:
	// 1 × 1: 2615.4 people, 71.4 % of the women, index 140.2
	// 2 × 1: 1810.2 people, 49.4 % of the women, index 107.8
}

// In the north tea is 1,520.5 and 1,500 people in two waves, so 1,510.25; in the south 2,210.25 and 2,100, so
// 2,155.125. Women are 1,520.5 and 1,500 in the north, 2,210.25 and 2,100 in the south. The women with tea are all of
// the north and the 2,210.25 of the south's first wave.
func TestCell(t *testing.T) {
	st := open(t)
	want := crosstab.Cell{
		RowIndex: 1, ColumnIndex: 1, Namespace: "core", Cover: audience.Cover{0b1111},
		Base: audience.Figure{Sample: 8, Size: 3000.25 + 4200.125},
		Row: crosstab.Axis{Audience: "tea", Figure: audience.Figure{Sample: 4, Size: 1510.25 + 2155.125},
			Percentage: 100 * 3665.375 / 7200.375, IntersectPercentage: 100 * 2615.375 / 3665.375},
		Column: crosstab.Axis{Audience: "women", Figure: audience.Figure{Sample: 4, Size: 1510.25 + 2155.125},
			Percentage: 100 * 3665.375 / 7200.375, IntersectPercentage: 100 * 2615.375 / 3665.375},
		Intersect: crosstab.Intersection{Figure: audience.Figure{Sample: 3, Size: 1510.25 + 1105.125},
			Percentage: 100 * 2615.375 / 7200.375,
			Index:      100 * 2615.375 * 7200.375 / (3665.375 * 3665.375)},
	}
	r := crosstab.Request{Rows: []audience.Audience{tea}, Columns: []audience.Audience{women}}
	got, err := crosstab.Intersect(t.Context(), st, r)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	table, err := crosstab.Run(t.Context(), st, r)
	if err != nil {
		t.Fatal(err)
	}
	for c := range table.Cells() {
		if d := cmp.Diff(want, c); d != "" {
			t.Error(d)
		}
	}
}

// A row has the share of the column that is in the row, a column the share of the row that is in the column.
func TestIntersectPercentagesAreCrossed(t *testing.T) {
	c, err := crosstab.Intersect(t.Context(), open(t), crosstab.Request{Rows: []audience.Audience{coffee},
		Columns: []audience.Audience{women}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.Row.IntersectPercentage, 100*c.Intersect.Size/c.Column.Size; got != want {
		t.Errorf("row: %v, want %v", got, want)
	}
	if got, want := c.Column.IntersectPercentage, 100*c.Intersect.Size/c.Row.Size; got != want ||
		got == c.Row.IntersectPercentage {
		t.Errorf("column: %v, want %v", got, want)
	}
}

func TestEmptyAxes(t *testing.T) {
	st := open(t)
	base := audience.Audience{ID: "base", Expr: women.Expr}
	for _, c := range []struct {
		name          string
		rows, columns []audience.Audience
		want          [][2]int
		ids           [2]string
	}{
		{"rows only", []audience.Audience{tea, coffee}, nil, [][2]int{{1, 0}, {2, 0}}, [2]string{"tea", "base"}},
		{"columns only", nil, []audience.Audience{tea}, [][2]int{{0, 1}}, [2]string{"base", "tea"}},
		{"neither", nil, nil, [][2]int{{0, 0}}, [2]string{"base", "base"}},
		{"both, row-major", []audience.Audience{tea, coffee}, []audience.Audience{women, tea}, [][2]int{{1, 1}, {1, 2},
			{2, 1}, {2, 2}}, [2]string{"tea", "women"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			table, err := crosstab.Run(t.Context(), st, crosstab.Request{Rows: c.rows, Columns: c.columns, Base: base})
			if err != nil {
				t.Fatal(err)
			}
			var got [][2]int
			for cell := range table.Cells() {
				if len(got) == 0 && [2]string{cell.Row.Audience, cell.Column.Audience} != c.ids {
					t.Errorf("ids %s and %s, want %v", cell.Row.Audience, cell.Column.Audience, c.ids)
				}
				if cell.Base.Sample != 4 {
					t.Errorf("the base is not cut: %d respondents", cell.Base.Sample)
				}
				got = append(got, [2]int{cell.RowIndex, cell.ColumnIndex})
			}
			if d := cmp.Diff(c.want, got); d != "" || len(got) != table.Len() {
				t.Error(table.Len(), d)
			}
		})
	}
}

// years is a store of six waves with one respondent each, who stand for 1, 2, 4 … 32 people.
const years = `survey
  namespace core
  wave y1
  wave y2
  wave y3
  wave y4
  wave y5
  wave y6
  location uk
  question q single a b

respondents
  wave | location | core | q
  y1   | uk       | 1    | a
  y2   | uk       | 2    | a
  y3   | uk       | 4    | a
  y4   | uk       | 8    | a
  y5   | uk       | 16   | a
  y6   | uk       | 32   | a
`

// Without waves a crosstab covers the last four, a cell all of them; either can be told otherwise.
func TestLastWaves(t *testing.T) {
	st := new(naive.Store)
	if err := storetest.RunScript(t.Context(), "years.txt", years, func() storetest.Engine { return st }); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name           string
		r              crosstab.Request
		table, cell    []string
		people, inCell float64
	}{
		{"nothing said", crosstab.Request{}, years4, years6, (4 + 8 + 16 + 32) / 4., 63 / 6.},
		{"all", crosstab.Request{LastWaves: crosstab.AllWaves}, years6, years6, 63 / 6., 63 / 6.},
		{"the last", crosstab.Request{LastWaves: 1}, []string{"y6"}, []string{"y6"}, 32, 32},
		{"named waves go before", crosstab.Request{LastWaves: 1, Waves: []string{"y1", "y2"}}, []string{"y1", "y2"},
			[]string{"y1", "y2"}, 1.5, 1.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			table, err := crosstab.Run(t.Context(), st, c.r)
			if err != nil {
				t.Fatal(err)
			}
			for cell := range table.Cells() {
				if d := cmp.Diff(c.table, table.Frame().WaveCodes(cell.Cover)); d != "" || cell.Base.Size != c.people {
					t.Errorf("a table has %v people, want %v\n%s", cell.Base.Size, c.people, d)
				}
			}
			cell, err := crosstab.Intersect(t.Context(), st, c.r)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.cell, table.Frame().WaveCodes(cell.Cover)); d != "" || cell.Base.Size != c.inCell {
				t.Errorf("a cell has %v people, want %v\n%s", cell.Base.Size, c.inCell, d)
			}
		})
	}
}

var (
	years6 = []string{"y1", "y2", "y3", "y4", "y5", "y6"}
	years4 = years6[2:]
)

// Faults are told in order: emptiness, codes, cost.
func TestFaults(t *testing.T) {
	st := open(t)
	unknown := audience.Audience{Expr: audience.Answers{Question: "nothing"}}
	ownLimit := func(e crosstab.Extent) error { return fmt.Errorf("too dear for us: %v", e) }
	for _, c := range []struct {
		name, want string
		r          crosstab.Request
		intersect  bool
	}{
		{"emptiness first", `columns[1].expression: the expression is empty: say who the audience is, or ask for ` +
			`everyone with {"question": "waves"}`,
			crosstab.Request{Rows: []audience.Audience{unknown}, Columns: []audience.Audience{tea, {ID: "x"}}}, false},
		{"codes with their origins", `not available: question "nothing" (in rows[1]); waves w9`,
			crosstab.Request{Rows: []audience.Audience{tea, unknown}, Base: unknown, Waves: []string{"w9"},
				Limits: crosstab.Limits{Rows: 1}}, false},
		{"codes of a cell", `not available: question "nothing" (in audiences.row)`,
			crosstab.Request{Rows: []audience.Audience{unknown}}, true},
		{"codes of the base", `not available: question "nothing" (in base_audience)`, crosstab.Request{Base: unknown}, true},
		{"rows", `2 rows are more than the 1 that one request may ask for`,
			crosstab.Request{Rows: []audience.Audience{tea, tea}, Limits: crosstab.Limits{Rows: 1}}, false},
		{"cells", `4 cells are more than the 3 that one request may ask for`,
			crosstab.Request{Rows: []audience.Audience{tea, tea}, Columns: []audience.Audience{tea, tea},
				Limits: crosstab.Limits{Cells: 3}}, false},
		{"a limit of the caller's own", "too dear for us: {2 1 0}", crosstab.Request{Rows: []audience.Audience{tea, tea},
			Limits: crosstab.Limits{Cost: ownLimit}}, false},
		{"codes before it", `not available: waves w9`,
			crosstab.Request{Waves: []string{"w9"}, Limits: crosstab.Limits{Cost: ownLimit}}, false},
		{"two rows in one cell", "audiences: one row and one column at the most",
			crosstab.Request{Rows: []audience.Audience{tea, tea}}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var err error
			if c.intersect {
				_, err = crosstab.Intersect(t.Context(), st, c.r)
			} else {
				_, err = crosstab.Run(t.Context(), st, c.r)
			}
			if err == nil || err.Error() != c.want {
				t.Errorf("%v\nwant %s", err, c.want)
			}
		})
	}
}

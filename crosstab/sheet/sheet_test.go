package sheet_test

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/crosstab/sheet"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
)

// written is a workbook of tables, read again.
func written(t testing.TB, tables ...sheet.Table) *excelize.File {
	t.Helper()
	return reread(t, bytesOf(t, tables...))
}

func bytesOf(t testing.TB, tables ...sheet.Table) []byte {
	t.Helper()
	b, err := sheet.New()
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for _, table := range tables {
		if err := b.Add(t.Context(), table); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := b.Write(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func reread(t testing.TB, workbook []byte) *excelize.File {
	t.Helper()
	f, err := excelize.OpenReader(bytes.NewReader(workbook))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// rawRows are the values of a sheet as they are stored.
func rawRows(t testing.TB, f *excelize.File, name string) [][]string {
	t.Helper()
	rows, err := f.GetRows(name, excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// at is a field of a row, "" beyond its end, which empty cells do not count for.
func at(row []string, i int) string {
	if i < len(row) {
		return row[i]
	}
	return ""
}

// blocks are the rows of a table's sheet by the name in their first column: of each row of the table its lines, by
// their names.
func blocks(rows [][]string) (list []map[string][]string) {
	for _, row := range rows[3:] {
		switch name := at(row, 1); {
		case name == "": // banner, questions, notes
		case at(row, 0) != "":
			list = append(list, map[string][]string{name: row})
		default:
			list[len(list)-1][name] = row
		}
	}
	return list
}

// shown is what stands in a column of a line.
func shown(block map[string][]string, line string, column int) string {
	return at(block[line], 2+column)
}

// twelve is a number to twelve digits.
func twelve(x float64) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64)
	return y
}

// same compares a stored number with the one it has to be, as float64s.
func same(stored string, want float64) bool {
	got, err := strconv.ParseFloat(stored, 64)
	return err == nil && got == want
}

// ragged asks for a crosstab of a random survey of two or more namespaces, late locations and items that were asked in
// some places only; with all that tells how sure it is for two seeds of three.
func ragged(t *testing.T, seed uint64) (audience.Store, crosstab.Request, *crosstab.Result) {
	t.Helper()
	g := storetest.NewRandom(seed)
	study := g.Study()
	for len(study.Respondents) == 0 {
		study = g.Study()
	}
	var st audience.Store
	st, err := naive.Load(t.Context(), study.Source())
	if err != nil {
		t.Fatal(err)
	}
	f, err := st.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if seed%4 == 1 {
		grant := audience.All()
		grant.MinSample = int64(2 + seed%5)
		st = audience.Restrict(st, grant)
	}
	for {
		s := g.Spec(f)
		r := crosstab.Request{Base: audience.Audience{Expr: s.Base}, Waves: s.Waves, Locations: s.Locations,
			LastWaves: crosstab.AllWaves}
		for _, x := range s.Rows {
			r.Rows = append(r.Rows, audience.Audience{Expr: x})
		}
		for _, x := range s.Columns {
			r.Columns = append(r.Columns, audience.Audience{Expr: x})
		}
		if seed%3 > 0 {
			r.Statistics = &estimate.Options{Level: 60, Compare: []estimate.Compare{estimate.Rest, estimate.Columns,
				estimate.Previous}, LowBase: estimate.LowBase{Withhold: 2, Caution: 6}}
		}
		result, err := crosstab.Run(t.Context(), st, r)
		var incompatible *audience.IncompatibleError
		switch {
		case errors.As(err, &incompatible):
		case err != nil:
			t.Fatalf("seed %d: %v", seed, err)
		default:
			return st, r, result
		}
	}
}

// TestFiguresAreTheCells reads workbooks of ragged surveys again, also those of a caller with a floor: every figure is
// that of the cell, to the last bit, what was not measured is a dash, and what is withheld says so.
func TestFiguresAreTheCells(t *testing.T) {
	var seen struct{ told, unmeasured, withheld, otherBases, letters, intervals int }
	for seed := range uint64(testsize.Of(12, 60, 400)) {
		_, r, result := ragged(t, seed)
		f := written(t, sheet.Of("Ragged", r, result))
		list := blocks(rawRows(t, f, "Ragged"))
		columns := max(1, len(r.Columns))
		if want := 1 + result.Len()/columns; len(list) != want {
			t.Fatalf("seed %d: %d blocks, want %d", seed, len(list), want)
		}
		n := 0
		for c := range result.Cells() {
			block, j := list[1+n/columns], n%columns
			n++
			check := func(line string, want float64) {
				if got := shown(block, line, j); !same(got, want) {
					t.Fatalf("seed %d, cell %d %d: %s is %s, want %v", seed, c.RowIndex, c.ColumnIndex, line, got, want)
				}
			}
			switch {
			case c.Withheld || c.Base.Sample == 0:
				want := "–"
				if seen.unmeasured++; c.Withheld {
					want = "withheld"
					seen.withheld++
				}
				for _, line := range []string{"size", "sample", "column %", "row %", "index"} {
					if got := shown(block, line, j); got != want {
						t.Fatalf("seed %d, cell %d %d: %s is %q, want %s", seed, c.RowIndex, c.ColumnIndex, line, got, want)
					}
				}
				continue
			}
			seen.told++
			check("size", c.Intersect.Size)
			check("sample", float64(c.Intersect.Sample))
			check("column %", c.Row.IntersectPercentage)
			check("row %", c.Column.IntersectPercentage)
			check("index", c.Intersect.Index)
			base := list[0]
			if _, own := block["base sample"]; own {
				base = block
				seen.otherBases++
			}
			if !same(shown(base, "base sample", j), float64(c.Column.Sample)) ||
				!same(shown(base, "base size", j), c.Column.Size) {
				t.Fatalf("seed %d, cell %d %d: the base is %s of %s people, want %d of %v", seed, c.RowIndex, c.ColumnIndex,
					shown(base, "base sample", j), shown(base, "base size", j), c.Column.Sample, c.Column.Size)
			}
			if s := c.Statistics; s != nil {
				if block["base sample"] != nil {
					check("base effective", twelve(s.Column.EffectiveSample))
				}
				if i := s.Row.IntersectPercentage; i != nil {
					seen.intervals++
					check("interval from", twelve(i.Low))
					check("interval to", twelve(i.High))
				}
				if s.Columns != nil && columns > 1 {
					want := s.Columns.Compared(0).Letters()
					if got := shown(block, "above", j); got != want {
						t.Fatalf("seed %d, cell %d %d: letters %q, want %q", seed, c.RowIndex, c.ColumnIndex, got, want)
					}
					if want != "" {
						seen.letters++
					}
				}
			}
		}
	}
	t.Logf("%+v", seen)
	if seen.told == 0 || seen.unmeasured == 0 || seen.withheld == 0 || seen.otherBases == 0 || seen.letters == 0 &&
		!testing.Short() {
		t.Errorf("something was never there: %+v", seen)
	}
}

// small is a crosstab by hand: two columns of one question, one of another, one of two questions.
func small(t *testing.T, title string, rowName string) sheet.Table {
	t.Helper()
	g := storetest.NewRandom(7)
	study := g.Study()
	for len(study.Respondents) == 0 {
		study = g.Study()
	}
	st, err := naive.Load(t.Context(), study.Source())
	if err != nil {
		t.Fatal(err)
	}
	f, err := st.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	q := f.Questions[0]
	leaf := func(i int) audience.Expr {
		return audience.Answers{Question: q.Key(), Datapoints: []string{q.Datapoints[i%len(q.Datapoints)].Code}}
	}
	r := crosstab.Request{LastWaves: crosstab.AllWaves, Rows: []audience.Audience{{Name: rowName, Expr: leaf(0)}},
		Columns: []audience.Audience{{Name: "One", Expr: leaf(0)}, {Name: "Two", Expr: leaf(1)},
			{Name: "Wave", Expr: audience.Waves{Codes: []string{f.Waves[0].Code}}}},
		Statistics: &estimate.Options{Compare: []estimate.Compare{estimate.Columns}}}
	result, err := crosstab.Run(t.Context(), st, r)
	if err != nil {
		t.Fatal(err)
	}
	return sheet.Of(title, r, result)
}

// Texts that spreadsheets would take for formulas are texts, wherever they stand.
func TestNoFormulas(t *testing.T) {
	for _, text := range []string{"=1+1", "+1", "-1", "@SUM(A1)", `=HYPERLINK("x")`, "\t=1", "_x0041_",
		`<b>&"'`, "a\x00b\x1fc"} {
		table := small(t, text, text)
		table.Columns[0].Name = text
		f := written(t, table)
		for _, name := range f.GetSheetList() {
			for i, row := range rawRows(t, f, name) {
				for j := range row {
					cell, err := excelize.CoordinatesToCellName(j+1, i+1)
					if err != nil {
						t.Fatal(err)
					}
					formula, err := f.GetCellFormula(name, cell)
					if formula != "" || err != nil {
						t.Errorf("%q: %s!%s is the formula %s (%v)", text, name, cell, formula, err)
					}
				}
			}
		}
		name := f.GetSheetList()[1]
		want := strings.NewReplacer("\t", "", "\x00", "", "\x1f", "").Replace(text)
		if got, err := f.GetCellValue(name, "C5"); got != want || err != nil {
			t.Errorf("%q is %q (%v)", text, got, err)
		}
		if kind, err := f.GetCellType(name, "C5"); kind != excelize.CellTypeInlineString || err != nil {
			t.Errorf("%q is of type %v (%v)", text, kind, err)
		}
	}
}

// Names of sheets have at most 31 characters, none that is forbidden, and no two are the same, whatever their capitals.
func TestSheetNames(t *testing.T) {
	long := strings.Repeat("ä", 40)
	titles := []string{"Brands", "brands", "a/b\\c?d*e[f]g:h", "'quoted'", long, long, "", "History", "Contents", "Notes",
		"  ", strings.Repeat("😀", 20), "it's"}
	var tables []sheet.Table
	for _, title := range titles {
		tables = append(tables, small(t, title, "Row"))
	}
	f := written(t, tables...)
	want := []string{"Contents", "Brands", "brands (2)", "a b c d e f g h", "quoted", strings.Repeat("ä", 31),
		strings.Repeat("ä", 27) + " (2)", "Table 7", "Table", "Contents (2)", "Notes (2)", "Table (2)",
		strings.Repeat("😀", 15), "it's", "Notes"}
	if d := cmp.Diff(want, f.GetSheetList()); d != "" {
		t.Error(d)
	}
	for i, name := range f.GetSheetList()[1 : len(titles)+1] {
		cell, err := excelize.CoordinatesToCellName(2, 4+i)
		if err != nil {
			t.Fatal(err)
		}
		there, target, err := f.GetCellHyperLink("Contents", cell)
		if want := "'" + strings.ReplaceAll(name, "'", "''") + "'!A1"; !there || target != want || err != nil {
			t.Errorf("%s leads to %q, want %s (%v)", cell, target, want, err)
		}
	}
}

// A sheet is ready to be read and printed: the banner, what stays while one scrolls, titles on each page, the heat map.
func TestLayout(t *testing.T) {
	table := small(t, "Layout", "Row")
	f := written(t, table)
	merged, err := f.GetMergeCells("Layout")
	if err != nil || len(merged) != 1 || merged[0].GetStartAxis() != "C4" || merged[0].GetEndAxis() != "D4" {
		t.Errorf("merged: %v (%v)", merged, err)
	}
	if v, err := f.GetCellValue("Layout", "E4"); v != "Waves" || err != nil {
		t.Errorf("the banner of the third column is %q (%v)", v, err)
	}
	panes, err := f.GetPanes("Layout")
	if err != nil || !panes.Freeze || panes.XSplit != 2 || panes.YSplit != 6 {
		t.Errorf("panes: %+v (%v)", panes, err)
	}
	var titles string
	for _, n := range f.GetDefinedName() {
		if n.Name == "_xlnm.Print_Titles" && n.Scope == "Layout" {
			titles = n.RefersTo
		}
	}
	if titles != "'Layout'!$A:$B,'Layout'!$4:$6" {
		t.Errorf("print titles: %q", titles)
	}
	layout, err := f.GetPageLayout("Layout")
	if err != nil || *layout.Orientation != "landscape" || *layout.FitToWidth != 1 {
		t.Errorf("page: %+v (%v)", layout, err)
	}
	formats, err := f.GetConditionalFormats("Layout")
	if err != nil || len(formats) != 1 {
		t.Fatalf("conditional formats: %v (%v)", formats, err)
	}
	for where, rules := range formats {
		row := strings.TrimLeft(strings.Split(where, ":")[0], "C")
		if v, _ := f.GetCellValue("Layout", "B"+row); v != "index" || rules[0].MidValue != "100" {
			t.Errorf("%s (%s): %+v", where, v, rules)
		}
	}
	var notes []string
	for _, row := range rawRows(t, f, "Notes") {
		notes = append(notes, at(row, 0))
	}
	text := strings.Join(notes, "\n")
	for _, what := range []string{"Base", "Waves", "Locations", "Weights", "Version of the survey", "How sure"} {
		if !strings.Contains(text, what) {
			t.Errorf("the notes do not tell of %s:\n%s", what, text)
		}
	}
}

// A book without tables, and tables too large for a sheet, are refused.
func TestRefused(t *testing.T) {
	b, err := sheet.New()
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Write(t.Context(), new(bytes.Buffer)); err == nil {
		t.Error("an empty book was written")
	}
	table := small(t, "Wide", "Row")
	table.Columns = make([]audience.Audience, excelize.MaxColumns)
	var complex *audience.ComplexError
	if err := b.Add(t.Context(), table); !errors.As(err, &complex) {
		t.Errorf("%d columns: %v", len(table.Columns), err)
	}
}

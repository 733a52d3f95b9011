package sheet

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"github.com/xuri/excelize/v2"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
)

// Table is a crosstab as it is to be written.
type Table struct {
	Title         string              // of the table, and of its sheet as far as it goes; "": Table 1 and so on
	Frame         *audience.Frame     // of the version that was counted
	Request       crosstab.Request    // base, waves, locations and Statistics are told
	Rows, Columns []audience.Audience // in the order of the cells
	// Cells are those of each row, column by column. They are ranged over twice; their indexes are not looked at.
	Cells iter.Seq[crosstab.Cell]
	// Totals tells that the first row and the first column are everyone in the base: they are in no test. The row becomes
	// the base rows. Without, these are of the first cell of each column that was measured.
	Totals bool
	// LevelLow is the lower level of confidence, in percent, at which letters are small; 0: none are.
	LevelLow float64
}

// Of is a result as a table, with the request that it answers. Where an axis was empty the base stands in.
func Of(title string, r crosstab.Request, result *crosstab.Result) Table {
	base := []audience.Audience{{ID: r.Base.ID, Name: cmp.Or(r.Base.Name, "Base"), Expr: r.Base.Expr}}
	t := Table{Title: title, Frame: result.Frame(), Request: r, Rows: base, Columns: base, Cells: result.Cells()}
	if len(r.Rows) > 0 {
		t.Rows = r.Rows
	}
	if len(r.Columns) > 0 {
		t.Columns = r.Columns
	}
	return t
}

// before is how many columns of a sheet stand before those of the table: the rows' names, and those of their lines.
const before = 2

// unmeasured and withheld are what a cell without figures says.
const (
	unmeasured = "–"
	withheld   = "withheld"
)

// Add writes a table on a sheet of its own. A table that a sheet has no room for is an *audience.ComplexError.
func (b *Book) Add(ctx context.Context, t Table) error {
	if t.Title == "" {
		t.Title = fmt.Sprintf("Table %d", len(b.entries)+1)
	}
	if most := excelize.MaxColumns - before; len(t.Columns) > most {
		return &audience.ComplexError{Reason: fmt.Sprintf("%d columns are more than the %d that a sheet has room for",
			len(t.Columns), most)}
	}
	if most := excelize.TotalRows/mostLines - 1; len(t.Rows) > most {
		return &audience.ComplexError{Reason: fmt.Sprintf("%d rows are more than the %d that a sheet has room for",
			len(t.Rows), most)}
	}
	name := b.names.take(t.Title)
	p, err := b.newPage(name)
	if err != nil {
		return err
	}
	defer p.drop()
	w := &writer{Table: t, page: p, survey: newSurvey(&t)}
	if w.Request.Statistics != nil {
		o := *w.Request.Statistics
		o.Level = cmp.Or(o.Level, 95)
		w.options = &o
	}
	if err := w.write(ctx); err != nil {
		return err
	}
	b.entries = append(b.entries, entry{sheet: name, title: t.Title, base: w.base(), notes: w.notes(),
		size: fmt.Sprintf("%d × %d", len(t.Rows)-w.first(), len(t.Columns)-w.first())})
	return nil
}

// writer writes a table.
type writer struct {
	Table
	*page
	survey  *survey
	options *estimate.Options // Request.Statistics, with its level; nil without
	heated  []string          // the ranges of the index
}

// first is the place of the first row that is no total.
func (w *writer) first() int {
	if w.Totals {
		return 1
	}
	return 0
}

// columns is how many may be compared with each other, and index what comparisons call a column.
func (w *writer) columns() int { return len(w.Columns) - w.first() }

func (w *writer) index(column int) int { return column + 1 - w.first() }

func (w *writer) lettered() bool { return crosstab.Lettered(w.options, w.columns()) }

func (w *writer) write(ctx context.Context) error {
	w.page.widths(append([]float64{34, 14}, slices.Repeat([]float64{13}, len(w.Columns))...)...)
	w.freeze(w.headerRows())
	w.titles("$A:$B", aboveBanner+1, w.headerRows())
	w.header()
	w.bases()
	row, group := 0, ""
	for cells := range slicesOf(w.Cells, len(w.Columns)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if row >= w.first() {
			if named := questionOf(w.Frame, w.Rows[row].Expr); named != group {
				if group = named; group != "" {
					w.row(w.text(group, style{bold: true, shaded: true}))
				}
			}
			w.block(row, cells)
		}
		row++
	}
	w.skip()
	for _, n := range w.notes() {
		w.row(w.text(n.what+": "+n.text, style{faint: true}))
	}
	w.shade(w.heated)
	return w.end()
}

// slicesOf gathers so many elements of a sequence at a time.
func slicesOf[T any](seq iter.Seq[T], n int) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		lot := make([]T, 0, n)
		for x := range seq {
			if lot = append(lot, x); len(lot) == n {
				if !yield(lot) {
					return
				}
				lot = lot[:0]
			}
		}
	}
}

// What stands above the banner: the title, the base, the way back. The banner has the questions and the columns.
const aboveBanner = 3

// headerRows is how many rows are there before the base rows.
func (w *writer) headerRows() int {
	if w.lettered() {
		return aboveBanner + 3
	}
	return aboveBanner + 2
}

// header writes the title and the banner: questions above the columns that come from them, names, letters.
func (w *writer) header() {
	w.row(w.text(w.Title, style{bold: true, large: true}))
	w.row(w.text("Base: "+w.base(), style{}))
	w.row(w.text(contentsName, style{link: true}))
	w.link(1, contentsName)

	groups := make([]any, before, before+len(w.Columns))
	merged := [][2]int{}
	last := ""
	for j, a := range w.Columns {
		group := questionOf(w.Frame, a.Expr)
		switch {
		case j > 0 && group != "" && group == last:
			merged[len(merged)-1][1] = j
			groups = append(groups, w.text("", style{shaded: true}))
		default:
			merged = append(merged, [2]int{j, j})
			groups = append(groups, w.text(group, style{bold: true, centre: true, wrap: true, shaded: true}))
		}
		last = group
	}
	w.row(groups...)
	for _, m := range merged {
		if m[0] < m[1] {
			w.try(func() error {
				return w.stream.MergeCell(cellName(before+1+m[0], w.at), cellName(before+1+m[1], w.at))
			})
		}
	}
	names := []any{nil, nil}
	lines := 1
	for _, a := range w.Columns {
		text := nameOf(w.Frame, a)
		lines = max(lines, min(6, 1+len([]rune(text))/11))
		names = append(names, w.text(text, style{bold: true, centre: true, wrap: true, top: true, below: !w.lettered()}))
	}
	w.high(lines, names...)
	if w.lettered() {
		letters := []any{nil, nil}
		for j := range w.Columns {
			text := ""
			if i := w.index(j); i > 0 {
				text = crosstab.Letter(i)
			}
			letters = append(letters, w.text(text, style{centre: true, below: true}))
		}
		w.row(letters...)
	}
}

// nameOf is what an audience is called: by its name, its id, or in words.
func nameOf(f *audience.Frame, a audience.Audience) string {
	if name := cmp.Or(a.Name, a.ID); name != "" {
		return name
	}
	return audience.Describe(a.Expr, f)
}

// questionOf is the name of the one question that an expression asks, waves and locations included; "" where it asks
// none or several.
func questionOf(f *audience.Frame, x audience.Expr) string {
	name, several := "", false
	note := func(text string) {
		several = several || name != "" && name != text
		name = text
	}
	audience.Walk(x, func(x audience.Expr) bool {
		switch x := x.(type) {
		case audience.Waves:
			note("Waves")
		case audience.Locations:
			note("Locations")
		case audience.Answers:
			i, err := f.Question(x.Question)
			if err != nil || i < 0 {
				note(x.Question)
				break
			}
			note(cmp.Or(f.Questions[i].Name, f.Questions[i].Code))
		}
		return true
	})
	if several {
		return ""
	}
	return name
}

// estimated rounds what tells how sure a figure is to twelve digits, as answers over HTTP have it.
func estimated(x float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64)
	if err != nil { // beyond the largest number there is
		return x
	}
	return rounded
}

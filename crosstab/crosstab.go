// Package crosstab crosses audiences: row audiences × column audiences inside a base, with samples, sizes, percentages
// and indexes.
//
// Run answers for whole tables and Intersect for one cell. Both need only an audience.Store. FIGURES.md has an example
// of each figure that can be added up by hand.
package crosstab

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/internal/background"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// How many waves a Request covers that names none: what Run takes by itself, and what to ask for to have all.
const (
	DefaultWaves = 4
	AllWaves     = -1
)

// Request is what to cross. Audiences must say who they are; the base may be empty, which is everyone.
type Request struct {
	Rows, Columns    []audience.Audience // an empty axis: the base takes its place
	Base             audience.Audience
	Waves, Locations []string // codes; none: see LastWaves for waves, all that may be used for locations
	// LastWaves is how many waves are covered where Waves names none: figure by figure the last so many of those that
	// the caller may use and in which the figure's namespace has respondents. AllWaves, or anything below 0, is all of
	// them; 0 is DefaultWaves for Run and AllWaves for Intersect.
	LastWaves int

	// Matched cuts, row by row, every wave to the locations that are covered in all of them, so that waves compare. The
	// columns must all be waves.
	Matched  bool
	Coverage bool // Cell.Coverage is filled in
	// Statistics asks how sure the figures are: Cell.Statistics is filled in. At most MaxCompared columns can be compared
	// with each other.
	Statistics *estimate.Options

	Limits Limits
}

// Limits bound what one Request may ask; 0 is no bound. They are looked at after everything else, so that a request is
// told its other faults first.
type Limits struct {
	Rows, Columns, Cells int
	Cost                 func(Extent) error // a limit of the caller's own; its error is returned in its turn
}

// Extent is what a Request amounts to. An empty axis counts as one, as the base takes its place.
type Extent struct {
	Rows, Columns int
	// Coverage is how many bytes Cell.Coverage of all cells may take together, written as JSON; 0 unless it is asked for.
	Coverage int64
}

// Axis is what a cell says of its row or its column audience.
type Axis struct {
	Audience        string  // the audience's ID
	audience.Figure         // base ∩ audience
	Percentage      float64 // of the base, 0–100
	// IntersectPercentage is crossed: a row has the share of the *column* that is in the row, 100·both/column, and a
	// column the share of the row that is in the column, 100·both/row.
	IntersectPercentage float64
}

// Intersection is row ∩ column.
type Intersection struct {
	audience.Figure         // base ∩ row ∩ column
	Percentage      float64 // of the base, 0–100
	Index           float64 // 100·both·base/(row·column); 100 is as expected by chance
}

// Cell is one row × column. A Base.Sample of 0 means that it was not measured, as its parts were never asked together,
// or that it is withheld.
type Cell struct {
	RowIndex, ColumnIndex int // 0: the base stands in; request audience i has index i+1
	Row, Column           Axis
	Base                  audience.Figure
	Intersect             Intersection
	Namespace             string            // whose respondents and weights all of it is counted with
	Cover                 audience.Cover    // the fieldwork it covers, in the terms of Result.Frame
	Coverage              *audience.Covered // the same in codes; nil unless Request.Coverage
	Statistics            *Statistics       // how sure it all is; nil unless Request.Statistics
	// Withheld tells that it was measured, but tells of fewer respondents than the caller may be told of: all figures are
	// 0, and Statistics has no intervals and no differences. See audience.Grant.
	Withheld bool
}

// Result is a crosstab, counted.
type Result struct {
	request Request
	counted *counted
	ctx     context.Context // of the work that it is a part of: where that stands back, so do threads that form cells
	threads int             // that may form cells, all of them those of this program
}

// Run crosses all rows with all columns, over the last DefaultWaves waves unless the request says otherwise. Once it
// returns nothing can fail.
func Run(ctx context.Context, st audience.Store, r Request) (*Result, error) {
	return run(ctx, st, r, DefaultWaves, []estimate.Compare{estimate.Rest, estimate.Columns, estimate.Previous},
		func(axis string, i int) string { return fmt.Sprintf("%s[%d]", axis, i) })
}

// Intersect crosses one row with one column, over all waves unless the request says otherwise. An empty axis has the
// base stand in.
func Intersect(ctx context.Context, st audience.Store, r Request) (Cell, error) {
	if len(r.Rows) > 1 || len(r.Columns) > 1 {
		return Cell{}, &audience.InvalidError{Path: "audiences", Reason: "one row and one column at the most"}
	}
	names := map[string]string{"rows": "audiences.row", "columns": "audiences.column"}
	res, err := run(ctx, st, r, AllWaves, []estimate.Compare{estimate.Rest},
		func(axis string, _ int) string { return names[axis] })
	if err != nil {
		return Cell{}, err
	}
	return res.cell(first(r.Rows), first(r.Columns)), nil
}

// origin names a row or a column as the request writes it.
type origin func(axis string, i int) string

func run(ctx context.Context, st audience.Store, r Request, lastWaves int, compare []estimate.Compare, name origin) (
	*Result, error) {
	uses, err := r.uses(name)
	if err != nil {
		return nil, err
	}
	spec := audience.Spec{
		Base: r.Base.Expr, Rows: exprs(r.Rows), Columns: exprs(r.Columns),
		Waves: strictjson.Once(r.Waves), Locations: strictjson.Once(r.Locations), LastWaves: cmp.Or(r.LastWaves, lastWaves),
	}
	if r.Statistics != nil {
		if err := r.Statistics.Check(compare...); err != nil {
			return nil, err
		}
	}
	res := &Result{request: r, ctx: context.WithoutCancel(ctx), threads: audience.Threads(st)}
	err = audience.Read(ctx, st, func(reading *audience.Reading) error {
		f := reading.Frame
		if err := f.Check(r.Waves, r.Locations, uses...); err != nil {
			return err
		}
		if err := spec.Check(f); err != nil {
			// the others are called so
			return audience.Renamed(err, "base", "base_audience", "rows[0]", name("rows", 0), "columns[0]",
				name("columns", 0))
		}
		err := r.CheckSize()
		if err == nil {
			res.counted, err = r.plan(f, spec)
		}
		if err == nil {
			err = r.cost(res.counted)
		}
		if err != nil {
			return err
		}
		if r.Statistics != nil {
			return res.counted.estimate(ctx, reading, &r)
		}
		res.counted.tabs, err = reading.Tabulate(ctx, res.counted.specs...)
		return err
	})
	if err != nil {
		return nil, err
	}
	return res, nil
}

// uses lists the request's expressions with their origins; an audience that says nothing is an error.
func (r *Request) uses(name origin) ([]audience.Use, error) {
	var uses []audience.Use
	for _, axis := range []struct {
		name string
		as   []audience.Audience
	}{{"rows", r.Rows}, {"columns", r.Columns}} {
		for i, a := range axis.as {
			if a.Expr == nil {
				return nil, &audience.EmptyError{Path: name(axis.name, i) + ".expression"}
			}
			uses = append(uses, audience.Use{Origin: name(axis.name, i), Expr: a.Expr})
		}
	}
	if r.Matched && !r.trend() {
		return nil, &audience.InvalidError{Path: "matched",
			Reason: `it compares waves: all columns have to be waves, as in ` +
				`{"question": "waves", "datapoints": ["w1"]}`}
	}
	return append(uses, audience.Use{Origin: "base_audience", Expr: r.Base.Expr}), nil
}

func (r *Request) cost(c *counted) error {
	if r.Limits.Cost == nil {
		return nil
	}
	e := Extent{Rows: max(1, len(r.Rows)), Columns: max(1, len(r.Columns))}
	if c.covers != nil {
		e.Coverage = c.covers.MostBytes()
	}
	return r.Limits.Cost(e)
}

// CheckSize is the error of Run for a request with more rows, columns or cells than its Limits allow. Run looks at its
// limits last; whoever has to find something for each audience first, asks here before.
func (r *Request) CheckSize() error {
	l := r.Limits
	for _, c := range []struct {
		what       string
		got, limit int
	}{
		{"rows", len(r.Rows), l.Rows},
		{"columns", len(r.Columns), l.Columns},
		{"cells", r.cells(), l.Cells},
	} {
		if c.limit > 0 && c.got > c.limit {
			return &audience.ComplexError{Reason: fmt.Sprintf("%d %s are more than the %d that one request may ask for",
				c.got, c.what, c.limit)}
		}
	}
	if n := len(r.Columns); r.Statistics != nil && r.Statistics.Compares(estimate.Columns) && n > MaxCompared {
		return &audience.ComplexError{Reason: fmt.Sprintf("%d columns are more than the %d that can be compared with each "+
			"other", n, MaxCompared)}
	}
	return nil
}

func (r *Request) cells() int { return max(1, len(r.Rows)) * max(1, len(r.Columns)) }

func exprs(as []audience.Audience) []audience.Expr {
	var xs []audience.Expr
	for _, a := range as {
		xs = append(xs, a.Expr)
	}
	return xs
}

// first is the index of the first audience of an axis: 0, for the base, if it has none.
func first(as []audience.Audience) int { return min(1, len(as)) }

// Frame is the frame of the version of the store that was counted.
func (r *Result) Frame() *audience.Frame { return r.counted.frame }

// Len is the number of cells.
func (r *Result) Len() int { return r.request.cells() }

// Cells ranges over the cells, row-major. Those of a large table are formed some at a time, by as many threads as the
// store counts with.
func (r *Result) Cells() iter.Seq[Cell] {
	const some, most = 32, 4096 // cells that a thread forms in one go, and those that are held
	return func(yield func(Cell) bool) {
		if r.threads <= 1 || r.Len() <= some {
			form := r.former()
			for at := range r.Len() {
				if !yield(form(at)) {
					return
				}
			}
			return
		}
		cells := make([]Cell, min(r.Len(), most))
		for from := 0; from < r.Len(); from += len(cells) {
			cells := cells[:min(len(cells), r.Len()-from)]
			background.Each(r.ctx, r.threads, (len(cells)+some-1)/some, func(part int) {
				form := r.former()
				for at := part * some; at < min(len(cells), (part+1)*some); at++ {
					cells[at] = form(from + at)
				}
			})
			for _, cell := range cells {
				if !yield(cell) {
					return
				}
			}
		}
	}
}

// former returns what forms one cell after the other, counted row by row from 0, for one goroutine.
func (r *Result) former() func(at int) Cell {
	width := max(1, len(r.request.Columns))
	row, differ := -1, false
	return func(at int) Cell {
		i, j := first(r.request.Rows)+at/width, first(r.request.Columns)+at%width
		cell := r.cell(i, j)
		if cell.Coverage != nil {
			if row != i {
				row, differ = i, r.counted.differ(i)
			}
			cell.Coverage.LocationsDiffer = differ
		}
		return cell
	}
}

// cell forms the figures of one cell from what was counted.
func (r *Result) cell(i, j int) Cell {
	c := r.counted.cell(i, j)
	return Cell{
		Statistics: r.counted.statistics(i, j, &c),
		RowIndex:   i, ColumnIndex: j,
		Withheld: c.Withheld, Base: c.Base, Namespace: c.Namespace, Cover: c.Cover, Coverage: r.counted.covered(i, j, c),
		Row: Axis{
			Audience: id(r.request.Rows, i, r.request.Base), Figure: c.Row,
			Percentage:          c.Row.Percentage(c.Base),
			IntersectPercentage: c.Both.Percentage(c.Column),
		},
		Column: Axis{
			Audience: id(r.request.Columns, j, r.request.Base), Figure: c.Column,
			Percentage:          c.Column.Percentage(c.Base),
			IntersectPercentage: c.Both.Percentage(c.Row),
		},
		Intersect: Intersection{
			Figure:     c.Both,
			Percentage: c.Both.Percentage(c.Base),
			Index:      audience.Index(c.Both, c.Base, c.Row, c.Column),
		},
	}
}

func id(as []audience.Audience, i int, base audience.Audience) string {
	if i == 0 {
		return base.ID
	}
	return as[i-1].ID
}

package sheet

import (
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
)

// mostLines is how many lines a row of a table has at the most, its question included.
const mostLines = 13

// line is what a sheet says of each cell of a row in one line. A nil is an empty cell.
type line struct {
	name  string
	value func(column int, c *crosstab.Cell) any
}

// bases writes the base rows: how many respondents and people each column is of.
func (w *writer) bases() {
	lines := append(w.columnLines(), line{"row %", func(_ int, c *crosstab.Cell) any {
		return w.cell(c.Column.Percentage, style{format: percentFormat("")})
	}})
	w.lines("Base", w.survey.columns, lines, style{bold: true, above: true})
}

// columnLines tell of the base of each column.
func (w *writer) columnLines() []line {
	lines := []line{
		{"base sample", func(_ int, c *crosstab.Cell) any {
			return w.cell(c.Column.Sample, style{format: wholeFormat, bold: true})
		}},
		{"base effective", func(_ int, c *crosstab.Cell) any {
			return w.cell(estimated(c.Statistics.Column.EffectiveSample), style{format: tenthsFormat})
		}},
		{"base size", func(_ int, c *crosstab.Cell) any {
			return w.cell(c.Column.Size, style{format: peopleFormat(c.Column.Size)})
		}},
	}
	if w.options == nil {
		lines = append(lines[:1], lines[2])
	}
	return lines
}

// block writes the lines of a row. Where a column is of others there than in the base rows, as it was not asked about
// in all that these cover, the row has base rows of its own.
func (w *writer) block(row int, cells []crosstab.Cell) {
	lines := []line{
		{"size", func(_ int, c *crosstab.Cell) any {
			return w.cell(c.Intersect.Size, style{format: peopleFormat(c.Intersect.Size)})
		}},
		{"sample", func(_ int, c *crosstab.Cell) any { return w.cell(c.Intersect.Sample, style{format: wholeFormat}) }},
		{"column %", func(_ int, c *crosstab.Cell) any {
			return w.cell(c.Row.IntersectPercentage, style{format: percentFormat(w.marks(c)), bold: true})
		}},
		{"row %", func(_ int, c *crosstab.Cell) any {
			return w.cell(c.Column.IntersectPercentage, style{format: percentFormat(w.rowMark(c))})
		}},
		{"index", func(_ int, c *crosstab.Cell) any {
			return w.cell(c.Intersect.Index, style{format: tenthsFormat})
		}},
	}
	if w.options != nil {
		lines = append(lines,
			line{"interval from", func(_ int, c *crosstab.Cell) any {
				return w.bound(c.Statistics.Row.IntersectPercentage, func(i *estimate.Interval) float64 { return i.Low })
			}},
			line{"interval to", func(_ int, c *crosstab.Cell) any {
				return w.bound(c.Statistics.Row.IntersectPercentage, func(i *estimate.Interval) float64 { return i.High })
			}})
	}
	if w.lettered() {
		lines = append(lines, line{"above", w.above})
	}
	for j := range cells {
		if c := &cells[j]; told(c) && !c.Column.Equal(w.survey.columns[j].Column.Figure) {
			lines = append(w.columnLines(), lines...)
			break
		}
	}
	w.lines(nameOf(w.Frame, w.Rows[row]), cells, lines, style{wrap: true, top: true, above: true})
}

// lines writes lines of cells, with a name before the first.
func (w *writer) lines(name string, cells []crosstab.Cell, lines []line, named style) {
	for k, l := range lines {
		row := make([]any, 0, before+len(cells))
		if k == 0 {
			row = append(row, w.text(name, named))
		} else {
			row = append(row, nil)
		}
		row = append(row, w.text(l.name, style{faint: true}))
		for j := range cells {
			row = append(row, w.value(l, j, &cells[j]))
		}
		w.row(row...)
		if l.name == "index" && len(cells) > 0 {
			w.heated = append(w.heated, cellName(before+1, w.at)+":"+cellName(before+len(cells), w.at))
		}
	}
}

// value is what a line says of a cell, or why there is nothing to be said.
func (w *writer) value(l line, column int, c *crosstab.Cell) any {
	switch {
	case told(c):
		return l.value(column, c)
	case l.name == "above":
		return nil
	case c.Withheld:
		return w.text(withheld, style{faint: true, right: true})
	}
	return w.text(unmeasured, style{faint: true, right: true})
}

// told tells whether a cell was measured and is not withheld.
func told(c *crosstab.Cell) bool { return c.Base.Sample > 0 }

// bound is an end of an interval, if there is one.
func (w *writer) bound(i *estimate.Interval, end func(*estimate.Interval) float64) any {
	if i == nil {
		return nil
	}
	return w.cell(estimated(end(i)), style{format: percentFormat(""), faint: true})
}

// marks are those of a column %: of its differences from the rest of the base and from the column before, and of its
// base.
func (w *writer) marks(c *crosstab.Cell) string {
	if w.options == nil {
		return ""
	}
	s := c.Statistics
	return crosstab.RestMarks()[crosstab.Direction(s.Rest, w.options.Level)] +
		crosstab.PreviousMarks(w.options)[crosstab.Direction(s.Previous, w.options.Level)] +
		crosstab.BaseMark(s.Row.IntersectPercentage)
}

func (w *writer) rowMark(c *crosstab.Cell) string {
	if w.options == nil {
		return ""
	}
	return crosstab.BaseMark(c.Statistics.Column.IntersectPercentage)
}

// above names the columns that a cell is significantly above.
func (w *writer) above(column int, c *crosstab.Cell) any {
	letters := c.Statistics.Columns.Compared(w.LevelLow).Letters()
	if w.index(column) == 0 || letters == "" {
		return nil
	}
	return w.text(letters, style{right: true})
}

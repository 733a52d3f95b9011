package main

import "github.com/crosswave/crosswave/crosstab"

// How a table tells how sure its figures are.

// sure adds to the lines of a row how sure they are: marks behind percentages, below the column % its interval and the
// letters of the columns that it is significantly above, and in the row of the total the effective sample of each
// column. The 100 % of the total in itself have none of it.
func (t *table) sure(row int, lines []line) []line {
	var out []line
	for _, l := range lines {
		switch {
		case l.name == columnShare && row > 0:
			l.marks = t.each(row, t.marks)
			out = append(out, l, line{name: "interval", cells: t.each(row, t.interval)})
			out = append(out, t.above(row)...)
			continue
		case l.name == rowShare:
			l.marks = t.each(row, t.rowMark)
		}
		out = append(out, l)
		if l.name == "sample" && row == 0 {
			out = append(out, line{name: "effective", cells: t.each(row, t.effective)})
		}
	}
	return out
}

// each is what is said of each cell of a row that was measured.
func (t *table) each(row int, say func(row, column int) string) []string {
	cells := make([]string, len(t.columns))
	for j := range cells {
		if t.cells[row][j].Base.Sample > 0 {
			cells[j] = say(row, j)
		}
	}
	return cells
}

// marks are those of a column %: of its differences from the rest of the base and from the column before, and of its
// base.
func (t *table) marks(row, column int) string {
	s := t.cells[row][column].Statistics
	return crosstab.RestMarks()[t.direction(s.Rest)] +
		crosstab.PreviousMarks(t.request.Statistics)[t.direction(s.Previous)] + crosstab.BaseMark(s.Row.IntersectPercentage)
}

func (t *table) rowMark(row, column int) string {
	if column == 0 {
		return ""
	}
	return crosstab.BaseMark(t.cells[row][column].Statistics.Column.IntersectPercentage)
}

// interval is that of a column %.
func (t *table) interval(row, column int) string {
	i := t.cells[row][column].Statistics.Row.IntersectPercentage
	if i == nil {
		return ""
	}
	return grouped(i.Low, 1) + "–" + grouped(i.High, 1)
}

func (t *table) effective(row, column int) string {
	return grouped(t.cells[row][column].Statistics.Intersect.EffectiveSample, 0)
}

// above are the lines with the letters of the columns that the cells of a row are significantly above; none where there
// are no letters.
func (t *table) above(row int) (lines []line) {
	if !t.lettered() {
		return nil
	}
	broken := make([][]string, len(t.columns))
	height := 0
	for j := range t.columns {
		if letters := t.compared(row, j, t.low).Letters(); letters != "" {
			broken[j] = wrap(letters, leastColumn)
			height = max(height, len(broken[j]))
		}
	}
	for k := range height {
		l := line{cells: make([]string, len(t.columns))}
		if k == 0 {
			l.name = "above"
		}
		for j, parts := range broken {
			if k < len(parts) {
				l.cells[j] = parts[k]
			}
		}
		lines = append(lines, l)
	}
	return lines
}

// legend says what the marks and letters of a table mean, and by which test and rule they are there.
func (t *table) legend() []string {
	return crosstab.Legend(t.request.Statistics, len(t.columns)-1, t.low)
}

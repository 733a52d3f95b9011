package main

import (
	"cmp"
	"fmt"

	"github.com/crosswave/crosswave/audience/estimate"
)

// How a table tells how sure its figures are.

// Marks of percentages that are significantly above and below another.
var (
	filled = map[int]string{1: "▲", -1: "▼"}
	hollow = map[int]string{1: "△", -1: "▽"} // where two things are compared
)

// Marks of percentages of few respondents.
const (
	cautionMark  = "*"
	withholdMark = "**"
)

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
	return filled[t.direction(s.Rest)] + t.previousMarks()[t.direction(s.Previous)] +
		baseMark(s.Row.IntersectPercentage)
}

// previousMarks are those of differences from the column before.
func (t *table) previousMarks() map[int]string {
	if t.request.Statistics.Compares(estimate.Rest) {
		return hollow
	}
	return filled
}

func (t *table) rowMark(row, column int) string {
	if column == 0 {
		return ""
	}
	return baseMark(t.cells[row][column].Statistics.Column.IntersectPercentage)
}

// baseMark is the mark of a percentage of few respondents.
func baseMark(i *estimate.Interval) string {
	switch {
	case i == nil || i.Quality == estimate.Withhold:
		return withholdMark
	case i.Quality == estimate.Caution:
		return cautionMark
	}
	return ""
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
		if letters := t.letters(row, j, t.low); letters != "" {
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
func (t *table) legend() (lines []string) {
	o := t.request.Statistics
	if o == nil {
		return nil
	}
	level := percent(o.Level)
	if t.lettered() {
		text := "Letters: the column % is significantly above that of the columns they name, at " + level
		if t.low != 0 {
			text += "; small letters: at " + percent(t.low)
		}
		lines = append(lines, text+".")
	}
	columns := len(t.columns) > 1
	if o.Compares(estimate.Rest) && columns {
		lines = append(lines, filled[1]+filled[-1]+" the column % is significantly above or below that of the rest of "+
			"the base, at "+level+".")
	}
	if marks := t.previousMarks(); o.Compares(estimate.Previous) && columns {
		lines = append(lines, marks[1]+marks[-1]+" the column % is significantly above or below that of the column "+
			"before, at "+level+".")
	}
	if len(lines) > 0 {
		lines = append(lines, t.test())
	}
	lines = append(lines, "effective: how many respondents of equal weight would be as sure (Kish). interval: that "+
		"of the "+
		"column %, at "+level+" (Korn–Graubard).")
	return append(lines, baseRule(o.LowBase))
}

// test says which test is behind what is significant, and how it is corrected.
func (t *table) test() string {
	text := "Test: two-sided design-based t-test on column proportions (linearised variance; each wave in a " +
		"location is a " +
		"sample of its own), not where nobody is in one of the two, or one is to be withheld; "
	o := t.request.Statistics
	named, ok := corrections[o.Correction]
	if !ok {
		return text + "not corrected for the number of tests."
	}
	text += "corrected for the number of tests (" + named + "): "
	letters, marks := t.lettered(), o.Compares(estimate.Rest) || o.Compares(estimate.Previous)
	switch {
	case letters && marks:
		return text + "for letters of those in a row, for marks of those in the table."
	case letters:
		return text + "of those in a row."
	case o.Compares(estimate.Rest) && o.Compares(estimate.Previous):
		return text + "of those with the same marks in the table."
	}
	return text + "of those in the table."
}

// corrections are those that change a p-value, by their names.
var corrections = map[estimate.Correction]string{estimate.Bonferroni: "Bonferroni", estimate.Holm: "Holm",
	estimate.FDR: "false discovery rate, Benjamini–Hochberg"}

// baseRule says which percentages are marked as those of few respondents.
func baseRule(rule estimate.LowBase) string {
	if rule.Rule == estimate.NCHS {
		return fmt.Sprintf("%s read with caution; %s better withheld: by NCHS Data Presentation Standards for "+
			"Proportions (2017).", cautionMark, withholdMark)
	}
	return fmt.Sprintf("%s read with caution: fewer than %s respondents in the base of the percentage; %s better "+
		"withheld: fewer than %s.", cautionMark, grouped(float64(cmp.Or(rule.Caution, 100)), 0), withholdMark,
		grouped(float64(cmp.Or(rule.Withhold, 30)), 0))
}

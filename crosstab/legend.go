package crosstab

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/crosswave/crosswave/audience/estimate"
)

// Marks of percentages of few respondents.
const (
	CautionMark  = "*"
	WithholdMark = "**"
)

// RestMarks are those of a column % that is significantly above or below that of the rest of the base, by Direction.
func RestMarks() map[int]string { return map[int]string{1: "▲", -1: "▼"} }

// PreviousMarks are those of a column % that is significantly above or below that of the column before, by Direction:
// hollow ones where options compare with the rest of the base, too.
func PreviousMarks(o *estimate.Options) map[int]string {
	if o.Compares(estimate.Rest) {
		return map[int]string{1: "△", -1: "▽"}
	}
	return RestMarks()
}

// BaseMark is the mark of a percentage of few respondents; "" where there are enough. One without an interval is of
// nobody.
func BaseMark(i *estimate.Interval) string {
	switch {
	case i == nil || i.Quality == estimate.Withhold:
		return WithholdMark
	case i.Quality == estimate.Caution:
		return CautionMark
	}
	return ""
}

// Lettered tells whether so many columns are compared with each other, so that they need letters.
func Lettered(o *estimate.Options, columns int) bool {
	return o != nil && o.Compares(estimate.Columns) && columns > 1
}

// Legend says what the marks and letters of a table with so many columns mean, and by which test and rule they are
// there: a sentence or two each. Small letters are those of a lower level of confidence, in percent; 0 is none. Without
// options there is nothing to be said.
func Legend(o *estimate.Options, columns int, low float64) (lines []string) {
	if o == nil {
		return nil
	}
	level := percent(cmp.Or(o.Level, 95))
	if Lettered(o, columns) {
		text := "Letters: the column % is significantly above that of the columns they name, at " + level
		if low != 0 {
			text += "; small letters: at " + percent(low)
		}
		lines = append(lines, text+".")
	}
	if marks := RestMarks(); o.Compares(estimate.Rest) && columns > 0 {
		lines = append(lines, marks[1]+marks[-1]+" the column % is significantly above or below that of the rest of "+
			"the base, at "+level+".")
	}
	if marks := PreviousMarks(o); o.Compares(estimate.Previous) && columns > 0 {
		lines = append(lines, marks[1]+marks[-1]+" the column % is significantly above or below that of the column "+
			"before, at "+level+".")
	}
	if len(lines) > 0 {
		lines = append(lines, test(o, columns))
	}
	lines = append(lines, "effective: how many respondents of equal weight would be as sure (Kish). interval: that "+
		"of the column %, at "+level+" (Korn–Graubard).")
	return append(lines, BaseRule(o.LowBase))
}

func percent(level float64) string { return strconv.FormatFloat(level, 'f', -1, 64) + " %" }

// test says which test is behind what is significant, and how it is corrected.
func test(o *estimate.Options, columns int) string {
	text := "Test: two-sided design-based t-test on column proportions (linearised variance; each wave in a location " +
		"is a sample of its own), not where nobody is in one of the two, or one is to be withheld; "
	named := CorrectionName(o.Correction)
	if named == "" {
		return text + "not corrected for the number of tests."
	}
	text += "corrected for the number of tests (" + named + "): "
	letters, marks := Lettered(o, columns), o.Compares(estimate.Rest) || o.Compares(estimate.Previous)
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

// CorrectionName is what a correction that changes p-values is called; "" for none.
func CorrectionName(c estimate.Correction) string {
	switch c {
	case estimate.Bonferroni:
		return "Bonferroni"
	case estimate.Holm:
		return "Holm"
	case estimate.FDR:
		return "false discovery rate, Benjamini–Hochberg"
	}
	return ""
}

// BaseRule says which percentages are marked as those of few respondents.
func BaseRule(rule estimate.LowBase) string {
	if rule.Rule == estimate.NCHS {
		return fmt.Sprintf("%s read with caution; %s better withheld: by NCHS Data Presentation Standards for "+
			"Proportions (2017).", CautionMark, WithholdMark)
	}
	return fmt.Sprintf("%s read with caution: fewer than %s respondents in the base of the percentage; %s better "+
		"withheld: fewer than %s.", CautionMark, thousands(cmp.Or(rule.Caution, 100)), WithholdMark,
		thousands(cmp.Or(rule.Withhold, 30)))
}

// thousands writes a whole number with its thousands apart.
func thousands(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

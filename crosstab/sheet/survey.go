package sheet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
)

// survey is what is known of a table once its cells were looked through.
type survey struct {
	columns              []crosstab.Cell  // of each column the cell that its base rows are of
	all                  audience.Cover   // of all cells
	rows, columnCovers   []audience.Cover // of all cells of each row and column
	namespaces           []string
	unmeasured, withheld bool // there are such cells
}

// newSurvey looks through the cells of a table.
func newSurvey(t *Table) *survey {
	n, size := len(t.Columns), t.Frame.Size()
	s := &survey{columns: make([]crosstab.Cell, n), all: audience.NewCover(size),
		columnCovers: make([]audience.Cover, n)}
	for j := range s.columnCovers {
		s.columnCovers[j] = audience.NewCover(size)
	}
	for cells := range slicesOf(t.Cells, n) {
		row := audience.NewCover(size)
		for j := range cells {
			c := &cells[j]
			if len(s.rows) == 0 || !t.Totals && !told(&s.columns[j]) && told(c) {
				s.columns[j] = *c
			}
			row, s.columnCovers[j] = row.Or(c.Cover), s.columnCovers[j].Or(c.Cover)
			switch {
			case c.Withheld:
				s.withheld = true
			case !told(c):
				s.unmeasured = true
			}
			if !c.Cover.Empty() && !slices.Contains(s.namespaces, c.Namespace) {
				s.namespaces = append(s.namespaces, c.Namespace)
			}
		}
		s.rows, s.all = append(s.rows, row), s.all.Or(row)
	}
	return s
}

// base says who the base is.
func (w *writer) base() string {
	b := w.Request.Base
	if b.Expr == nil {
		return "everyone"
	}
	text := audience.Describe(b.Expr, w.Frame)
	if b.Name != "" && b.Name != text {
		text = b.Name + " (" + text + ")"
	}
	return text
}

// notes say what a table is of and by which rules: base, waves, locations, weights, the version of the survey, what is
// not told, and what marks and letters mean.
func (w *writer) notes() []note {
	s := w.survey
	notes := []note{{"Base", w.base()}, {"Waves", w.waves(s.all)}, {"Locations", w.locations(s.all)}}
	for _, code := range s.namespaces {
		notes = append(notes, note{"Weights", w.weights(code)})
	}
	notes = append(notes, note{"Version of the survey", fmt.Sprint(w.Frame.Version)})
	notes = append(notes, w.differing("Row", w.Rows, s.rows)...)
	notes = append(notes, w.differing("Column", w.Columns, s.columnCovers)...)
	if w.Request.Matched {
		notes = append(notes, note{"Matched", "in each row, waves are cut to the locations that they have in common"})
	}
	notes = append(notes, note{"Figures", "size: people, by weights. sample: respondents. column %: the share of the " +
		"column that is in the row. row %: the share of the row that is in the column. index: 100 is as in the base; " +
		"its colours go from 50 to 200."})
	if s.unmeasured {
		notes = append(notes, note{unmeasured, "not measured: these were never asked together"})
	}
	if s.withheld {
		notes = append(notes, note{withheld, fmt.Sprintf("it tells of fewer than %d respondents", w.Frame.Floor())})
	}
	for _, text := range crosstab.Legend(w.options, w.columns(), w.LevelLow) {
		notes = append(notes, note{"How sure", text})
	}
	return notes
}

// fewCodes are named one by one.
const fewCodes = 24

func (w *writer) waves(c audience.Cover) string {
	codes := w.Frame.WaveCodes(c)
	return named(codes, func(code string) string { return w.Frame.Waves[w.Frame.Wave(code)].Name })
}

func (w *writer) locations(c audience.Cover) string {
	codes := w.Frame.LocationCodes(c)
	return named(codes, func(code string) string { return w.Frame.Locations[w.Frame.Location(code)].Name })
}

// named lists codes with their names.
func named(codes []string, name func(code string) string) string {
	if len(codes) == 0 {
		return "none"
	}
	var list []string
	for i, code := range codes {
		if i == fewCodes && len(codes) > fewCodes+1 {
			list = append(list, fmt.Sprintf("%d more, the last %s", len(codes)-i, codes[len(codes)-1]))
			break
		}
		if n := name(code); n != "" && n != code {
			code += " (" + n + ")"
		}
		list = append(list, code)
	}
	return strings.Join(list, ", ")
}

// weights says whose respondents are weighted, and to what.
func (w *writer) weights(code string) string {
	i := w.Frame.Namespace(code)
	if i < 0 {
		return code
	}
	text := code
	if n := w.Frame.Namespaces[i].Name; n != "" && n != code {
		text += " (" + n + ")"
	}
	if w.Frame.Namespaces[i].Universe == audience.Sum {
		return text + ": respondents by its weights, which are divided over the waves: waves and locations are added up"
	}
	return text + ": respondents by its weights; of several waves in a location the average, locations added up"
}

// differing are notes of the audiences of an axis that cover less than the whole table; those that cover the same share
// one.
func (w *writer) differing(what string, as []audience.Audience, covers []audience.Cover) (notes []note) {
	at := map[string]int{}
	var lists [][]string
	for i, c := range covers {
		if c.Equal(w.survey.all) {
			continue
		}
		text := "nothing of this"
		if !c.Empty() {
			text = "waves " + w.waves(c) + "; locations " + w.locations(c)
		}
		k, there := at[text]
		if !there {
			k = len(notes)
			at[text] = k
			notes, lists = append(notes, note{what, text}), append(lists, nil)
		}
		lists[k] = append(lists[k], fmt.Sprintf("%q", clean(nameOf(w.Frame, as[i]))))
	}
	for k, list := range lists {
		if n := len(list) - fewCodes; n > 0 {
			list = append(list[:fewCodes:fewCodes], fmt.Sprintf("%d more", n))
		}
		verb := " covers "
		if len(list) > 1 {
			notes[k].what += "s"
			verb = " cover "
		}
		notes[k].text = strings.Join(list, ", ") + verb + notes[k].text
	}
	return notes
}

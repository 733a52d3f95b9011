package formats

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/crosswave/crosswave/store/guess"
)

// Many workbooks have a sheet that describes the columns of another: the name of each and what was asked, and often
// the codes of its answers with what they stand for, in the rows from a name to the next. Those are the labels that a
// file of SPSS would hold itself: they change no value.

// dictionary is what a sheet says of the columns of another, by their index.
type dictionary struct {
	labels map[int]string
	values map[int][]guess.Label
}

// The bounds of a dictionary: sheets that are looked at, and of each the rows, the columns and the text of a cell.
const (
	dictionarySheets  = 8
	dictionaryRows    = 1 << 15
	dictionaryColumns = 12
	dictionaryText    = 1 << 12
	dictionaryBytes   = 16 << 20
)

// describe takes labels from the other sheets of a workbook, for columns that have none. first are rows of the sheet
// that is read.
func (f *File) describe(book workbook, sheet int, first [][]string, note func(string, ...any)) {
	var names []string
	for _, c := range f.Columns {
		names = append(names, c.Name)
	}
	index, looked := indexed(names), 0
	for i, s := range book.sheets {
		if i == sheet {
			continue
		}
		if looked++; looked > dictionarySheets {
			return
		}
		d := dictionaryOf(textsOf(book, i, index), index)
		labels, values := 0, 0
		for at := range f.Columns {
			c := &f.Columns[at]
			if c.Label == "" && d.labels[at] != "" {
				c.Label = d.labels[at]
				labels++
			}
			if len(c.Labels) == 0 && len(d.values[at]) > 0 && holdsCodes(first, at, d.values[at]) {
				c.Labels = d.values[at]
				values++
			}
		}
		switch {
		case labels > 0 && values > 0:
			note("the sheet %q describes columns: the labels of %d are taken from it, and those of the values of %d", s.Name,
				labels, values)
		case labels > 0:
			note("the sheet %q describes columns: the labels of %d are taken from it", s.Name, labels)
		case values > 0:
			note("the sheet %q describes columns: the labels of the values of %d are taken from it", s.Name, values)
		}
	}
}

// indexed is where columns stand, by what they are called in any letters.
func indexed(names []string) map[string]int {
	index := make(map[string]int, len(names))
	for i, name := range names {
		index[strings.ToLower(inOneLine(name))] = i
	}
	return index
}

// inOneLine is a text without lines and with one space between words.
func inOneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// textsOf are the texts of a sheet by row and column; nil if it cannot be read, is no dictionary for its size, or none
// of the columns is named in its first rows.
func textsOf(book workbook, sheet int, index map[string]int) (rows [][dictionaryColumns]string) {
	const soon = 256
	size, found := 0, false
	for row, err := range book.Rows(sheet, nil) {
		if err != nil || len(rows) == dictionaryRows || len(rows) == soon && !found {
			return nil
		}
		var texts [dictionaryColumns]string
		for _, c := range row.Cells {
			text := row.Text(c)
			if c.Column >= dictionaryColumns || len(text) > dictionaryText {
				continue
			}
			if size += len(text); size > dictionaryBytes {
				return nil
			}
			texts[c.Column] = inOneLine(string(text))
			if _, named := index[strings.ToLower(texts[c.Column])]; named {
				found = true
			}
		}
		rows = append(rows, texts)
	}
	return rows
}

// named is where a sheet names a column: the column, and the row of the name.
type named struct{ column, row int }

// dictionaryOf is what the rows of a sheet say of columns, four or more of which are named in one of its columns: the
// codes of their answers in the rows from each name on, and their words, if half of all columns are named.
func dictionaryOf(rows [][dictionaryColumns]string, index map[string]int) (d dictionary) {
	const fewest = 4
	most, coded := 0, 0
	for in := range dictionaryColumns {
		names := namedIn(rows, in, index)
		if len(names) < fewest {
			continue
		}
		code := codesIn(rows, names, in)
		if code >= 0 && len(names) > coded {
			d.values, coded = valuesOf(rows, names, code), len(names)
		}
		if 2*len(names) >= len(index) && len(names) > most {
			d.labels, most = labelsOf(rows, names, in, code), len(names)
		}
	}
	return d
}

// namedIn lists the columns that a column of a sheet names, in the order of its rows, each where it is named first;
// none if one in ten or more is named again, as in data.
func namedIn(rows [][dictionaryColumns]string, at int, index map[string]int) (list []named) {
	const seldom = 10
	again, seen := 0, map[int]bool{}
	for row := range rows {
		column, there := index[strings.ToLower(rows[row][at])]
		if !there {
			continue
		}
		if seen[column] {
			again++
			continue
		}
		seen[column] = true
		list = append(list, named{column, row})
	}
	if seldom*again >= len(list) {
		return nil
	}
	return list
}

// block is the rows from a name to before the next one.
func block(rows [][dictionaryColumns]string, names []named, k int) [][dictionaryColumns]string {
	if k+1 < len(names) {
		return rows[names[k].row:names[k+1].row]
	}
	return rows[names[k].row:]
}

// aCode is what answers are coded as.
var aCode = regexp.MustCompile(`^-?\d{1,6}(?:\.0+)?$`)

// isCode tells whether a cell holds a code and the one behind it what that stands for.
func isCode(row *[dictionaryColumns]string, at int) bool {
	return at >= 0 && at+1 < dictionaryColumns && aCode.MatchString(row[at]) && hasLetter(row[at+1])
}

// hasLetter tells whether a text has a letter.
func hasLetter(text string) bool { return strings.ContainsFunc(text, unicode.IsLetter) }

// codesIn is the column of a sheet in which the codes of answers stand, in front of what they stand for: the first or
// the second behind that of the names, in rows without one, below a third of them and two or more. It is -1 if there
// is none.
func codesIn(rows [][dictionaryColumns]string, names []named, in int) int {
	const least, share = 2, 3
	for at := in + 1; at <= in+2; at++ {
		blocks := 0
		for k := range names {
			if slices.ContainsFunc(block(rows, names, k)[1:], func(row [dictionaryColumns]string) bool {
				return row[in] == "" && isCode(&row, at)
			}) {
				blocks++
			}
		}
		if blocks >= least && share*blocks >= len(names) {
			return at
		}
	}
	return -1
}

// valuesOf are what the codes of each column stand for, but for those that are there twice.
func valuesOf(rows [][dictionaryColumns]string, names []named, code int) map[int][]guess.Label {
	const least = 2
	all := map[int][]guess.Label{}
	for k, n := range names {
		var list []guess.Label
		times := map[string]int{}
		for _, row := range block(rows, names, k) {
			if isCode(&row, code) {
				value, _, _ := strings.Cut(row[code], ".")
				times[value]++
				list = append(list, guess.Label{Value: value, Text: row[code+1]})
			}
		}
		list = slices.DeleteFunc(list, func(l guess.Label) bool { return times[l.Value] > 1 })
		if len(list) >= least {
			all[n.column] = list
		}
	}
	return all
}

// wordForLabel stands in front of a question's words where each column has several rows, as SPSS writes codebooks.
var wordForLabel = regexp.MustCompile(`^(?i:label|etiqueta|rótulo|libellé|étiquette|beschriftung|etichetta|` +
	`etykieta|метка|label naam|etikett|etiket)$`)

// labelsOf are the words of each column: behind a word for them in the rows from its name on, or in the column of the
// sheet that has the most of different words beside the names, and of these the longest.
func labelsOf(rows [][dictionaryColumns]string, names []named, in, code int) map[int]string {
	all := map[int]string{}
	for k, n := range names {
		for _, row := range block(rows, names, k) {
			for at := range dictionaryColumns - 1 {
				if wordForLabel.MatchString(row[at]) && hasLetter(row[at+1]) && all[n.column] == "" {
					all[n.column] = row[at+1]
				}
			}
		}
	}
	if 2*len(all) >= len(names) {
		return all
	}
	at := wordsIn(rows, names, in, code)
	if at < 0 {
		return nil
	}
	clear(all)
	for _, n := range names {
		if text := rows[n.row][at]; hasLetter(text) && !strings.EqualFold(text, rows[n.row][in]) {
			all[n.column] = text
		}
	}
	return all
}

// wordsIn is the column of a sheet with the words of columns beside their names, for a quarter of them or more; -1 if
// there is none. Where a code stands in front it is what that stands for. Where names say more they are the words
// themselves.
func wordsIn(rows [][dictionaryColumns]string, names []named, in, code int) int {
	best, most, longest := -1, 0, 0
	for at := range dictionaryColumns {
		different, filled, size, called := map[string]bool{}, 0, 0, 0
		for _, n := range names {
			row := &rows[n.row]
			if text := row[at]; at != in && hasLetter(text) && !strings.EqualFold(text, row[in]) &&
				!(code >= 0 && at == code+1 && isCode(row, code)) {
				different[text] = true
				filled++
				size += len(text)
				called += len(row[in])
			}
		}
		if 4*filled < len(names) || 2*len(different) < filled || size <= called {
			continue
		}
		few, many := min(len(different), most), max(len(different), most)
		if best < 0 || 5*few < 4*many && len(different) == many || 5*few >= 4*many && size > longest {
			best, most, longest = at, len(different), size
		}
	}
	return best
}

// describes tells whether a sheet has the words of half of the columns that the first row of another names, four or
// more: then it is about the other, and holds no respondents.
func describes(book workbook, sheet, other int) bool {
	for row, err := range book.Rows(other, nil) {
		if err != nil {
			return false
		}
		var names []string
		for _, c := range row.Cells {
			names = append(names, strings.TrimSpace(string(row.Text(c))))
		}
		index := indexed(names)
		return 2*len(dictionaryOf(textsOf(book, sheet, index), index).labels) >= len(index)
	}
	return false
}

// holdsCodes tells whether the first rows hold no words in a column, and a code with a label for every four other
// numbers: labels of codes are of no use where the answers stand in words.
func holdsCodes(first [][]string, column int, labels []guess.Label) bool {
	codes := map[string]bool{}
	for _, l := range labels {
		codes[l.Value] = true
	}
	coded, other := 0, 0
	for _, row := range first {
		if column >= len(row) || strings.TrimSpace(row[column]) == "" {
			continue
		}
		if _, _, number := plainNumber(row[column]); !number {
			return false
		}
		if codes[strings.TrimSpace(row[column])] {
			coded++
		} else {
			other++
		}
	}
	return 4*coded >= other
}

package guess_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/survey"
)

var rewrite = flag.Bool("rewrite", false, "tell how many options and rows of the files that CROSSWAVE_CORPUS holds "+
	"are found when they are written otherwise; takes hours for a thousand files")

var (
	rewriteOnly = flag.String("rewrite-only", "", "of -rewrite: a pattern of the ways to try, such as \"grid codes\"")
	rewriteLost = flag.Bool("rewrite-lost", false, "of -rewrite: name each question that is lost, if only in part")
)

// rewritten is a file of the corpus in memory, whose multiple choices and grids can be written otherwise than it does:
// what respondents answered stays as it is, and so do all other columns.
type rewritten struct {
	name      string
	columns   []guess.Column
	rows      [][]string
	want      *known
	questions []found
}

// found is a multiple choice or a grid of a file.
type found struct {
	choice
	as      string // "multi" or "grid"
	columns []int
	scale   []string // what a step is called
	given   [][]int  // of each column, the step by row; of an option that was chosen 1, else 0; nothing: -1
}

// writing is how the answers of the questions of a kind are written.
type writing struct {
	name, as string
	labels   func(q *found, n int) []guess.Label // of its column n
	cell     func(q *found, n, step int) string  // of a step, or of nothing
}

// What would be found of the options and the rows in the corpus if files wrote them, or called their columns, in other
// of the usual ways: where that is less than as they are, a rule knows only what it has seen. Without -rewrite it does
// nothing.
func TestRewritten(t *testing.T) {
	if !*rewrite {
		t.Skip("-rewrite tells it")
	}
	only := regexp.MustCompile(*rewriteOnly)
	list := corpusList(t)
	paths := corpusPaths(t, list)
	var files []*rewritten
	for i := range list {
		f := &list[i]
		if path := paths[f.SHA256]; path != "" && !slices.Contains(hidden, f.part()) {
			if r := rewritable(t, path, f); r != nil {
				files = append(files, r)
			}
		}
	}
	for _, as := range []string{"multi", "grid"} {
		told := func(what string, writing *writing, naming *namedAs) {
			if !only.MatchString(as + " " + what) {
				return
			}
			right, all, worst, of := 0, 0, 0, "none"
			for _, f := range files {
				r, n := f.score(t, as, writing, naming)
				right, all = right+r, all+n
				if n-r > worst {
					worst, of = n-r, f.name
				}
			}
			t.Logf("%-5s %-45s %5.1f %% of %d columns; most of them, %d, are lost in %s",
				as, what, percent(right, all), all, worst, of)
		}
		told("as they are", nil, nil)
		for _, writing := range writings() {
			if writing.as == as {
				told(writing.name, &writing, nil)
			}
		}
		for _, naming := range waysToName() {
			told(naming.name, nil, &naming)
		}
	}
}

// writings are the usual ways to write options and scales.
func writings() (list []writing) {
	for _, w := range waysToWrite() {
		list = append(list, writing{w.name, "multi",
			func(q *found, n int) []guess.Label { return w.labels(q.options[n], n+1) },
			func(q *found, n, step int) string {
				switch step {
				case 1:
					return w.yes(q.options[n], n+1)
				case 0:
					return w.no(q.options[n], n+1)
				}
				return ""
			}})
	}
	for _, w := range waysToScale() {
		list = append(list, writing{w.name, "grid",
			func(q *found, _ int) []guess.Label { return w.labels(q.scale) },
			func(q *found, _, step int) string {
				if step < 0 {
					return ""
				}
				return w.cell(q.scale, step)
			}})
	}
	return list
}

// rewritable reads a file; nil if it has no multiple choice of three columns or more that each say yes or no, and no
// grid of as many on one scale.
func rewritable(t *testing.T, path string, c *corpusFile) *rewritten {
	const mostColumns, mostRows, least = 700, 500, 3
	f, err := formats.Open(path, formats.Options{})
	if err != nil {
		return nil
	}
	defer f.Close()
	names := columnNames(f)
	want, err := truthOf(t, c).resolve(names)
	if err != nil {
		t.Fatal(err)
	}
	if len(names) > mostColumns {
		return nil
	}
	r := &rewritten{name: c.Name, want: want}
	for _, c := range f.Columns {
		if !c.Virtual {
			r.columns = append(r.columns, c)
		}
	}
	for row, err := range survey.Rows(t.Context(), f.Table) {
		if err != nil || len(r.rows) == mostRows {
			break
		}
		var cells []string
		for _, name := range names {
			cells = append(cells, string(row.Field(slices.Index(f.Table.Header(), name))))
		}
		r.rows = append(r.rows, cells)
	}
	for _, g := range want.groups {
		if len(g.columns) < least {
			continue
		}
		switch g.as {
		case "multi":
			r.findChoice(g)
		case "grid":
			r.findGrid(g)
		}
	}
	if len(r.questions) == 0 {
		return nil
	}
	return r
}

// negative is what files write for what was not chosen.
var negative = regexp.MustCompile(`(?i)^(?:0|no|n|false|none|not .*|un\w+|no .*|non|nein|não|não .*|-1|nicht .*|нет)$`)

// spoken is what the file says of a value: its label, or itself; "" for nothing.
func spoken(c *guess.Column, text string) string {
	text = strings.TrimSpace(text)
	if text == "" || c.Missing != nil && c.Missing(text) {
		return ""
	}
	for _, l := range c.Labels {
		if l.Value == text && strings.TrimSpace(l.Text) != "" {
			return strings.TrimSpace(l.Text)
		}
	}
	return text
}

// findChoice adds a multiple choice, unless a column of it says anything but one answer and a no.
func (r *rewritten) findChoice(g group) {
	out := found{as: "multi", columns: g.columns}
	asked := make([]bool, len(r.rows))
	for _, at := range g.columns {
		c, seen := &r.columns[at], map[string]bool{}
		yes, several := "", false
		for i, row := range r.rows {
			text, label := strings.TrimSpace(row[at]), spoken(c, row[at])
			if label == "" {
				continue
			}
			asked[i], seen[text] = true, true
			if !negative.MatchString(text) && !negative.MatchString(label) {
				several = several || yes != "" && yes != text
				yes = text
			}
		}
		if yes == "" || several || len(seen) > 2 {
			return
		}
		given := make([]int, len(r.rows))
		for i, row := range r.rows {
			given[i] = btoi(strings.TrimSpace(row[at]) == yes)
		}
		out.given = append(out.given, given)
	}
	for i := range asked {
		for _, given := range out.given {
			if !asked[i] {
				given[i] = -1
			}
		}
	}
	r.add(out)
}

// findGrid adds a grid, unless it has more steps than a scale has, or fewer. Those that are numbers come in their
// order, others as they are met.
func (r *rewritten) findGrid(g group) {
	const least, most = 3, 11 // steps
	out := found{as: "grid", columns: g.columns}
	var values []float64
	numbers := true
	for _, at := range g.columns {
		for _, row := range r.rows {
			text := spoken(&r.columns[at], row[at])
			if text == "" || slices.Contains(out.scale, text) {
				continue
			}
			out.scale = append(out.scale, text)
			n, err := strconv.ParseFloat(strings.TrimSpace(row[at]), 64)
			values, numbers = append(values, n), numbers && err == nil
		}
	}
	if len(out.scale) < least || len(out.scale) > most {
		return
	}
	if numbers {
		order := make([]int, len(values))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
		scale := slices.Clone(out.scale)
		for i, at := range order {
			out.scale[i] = scale[at]
		}
	}
	for _, at := range g.columns {
		given := make([]int, len(r.rows))
		for i, row := range r.rows {
			given[i] = slices.Index(out.scale, spoken(&r.columns[at], row[at]))
		}
		out.given = append(out.given, given)
	}
	for i, text := range out.scale {
		if _, err := strconv.ParseFloat(text, 64); err == nil {
			out.scale[i] = "Step " + text
		}
	}
	r.add(out)
}

// add adds a question, with words for it and for its columns.
func (r *rewritten) add(q found) {
	q.number = len(r.questions) + 1
	q.asks, q.options = r.words(q.columns, q.number)
	r.questions = append(r.questions, q)
}

// words divides the labels of columns, or their names, into what they have in common and the rest of each.
func (r *rewritten) words(columns []int, number int) (asks string, options []string) {
	var texts []string
	for _, at := range columns {
		text := r.columns[at].Label
		if strings.TrimSpace(text) == "" {
			text = r.columns[at].Name
		}
		texts = append(texts, text)
	}
	begin := texts[0]
	for _, text := range texts {
		for !strings.HasPrefix(text, begin) {
			begin = begin[:len(begin)-1]
		}
	}
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == unicode.ReplacementChar }
	begin = strings.TrimRightFunc(begin, inWord)
	seen := map[string]bool{}
	for i, text := range texts {
		option := strings.TrimFunc(text[len(begin):], func(r rune) bool { return !inWord(r) })
		if option == "" || seen[option] {
			option = fmt.Sprintf("Option %d", i+1)
		}
		seen[option], options = true, append(options, option)
	}
	const few = 8 // bytes
	if asks = strings.TrimFunc(begin, func(r rune) bool { return !inWord(r) }); len(asks) < few {
		asks = fmt.Sprintf("Which of these apply to you in matter %d", number)
	}
	return asks, options
}

// score has the file guessed, with its questions of a kind written and named so unless that is nil, and tells how many
// of their columns are read as such.
func (r *rewritten) score(t *testing.T, as string, writing *writing, naming *namedAs) (right, all int) {
	columns, rows := slices.Clone(r.columns), make([][]string, len(r.rows))
	for i := range rows {
		rows[i] = slices.Clone(r.rows[i])
	}
	for k := range r.questions {
		q := &r.questions[k]
		if q.as != as {
			continue
		}
		for n, at := range q.columns {
			all++
			if naming != nil {
				columns[at].Name, columns[at].Label = naming.of(&q.choice, q.options[n], n+1)
			}
			if writing == nil {
				continue
			}
			columns[at].Labels, columns[at].Missing = writing.labels(q, n), nil
			columns[at].Kind = guess.Unknown
			for i := range rows {
				rows[i][at] = writing.cell(q, n, q.given[n][i])
			}
		}
	}
	if all == 0 {
		return 0, 0
	}
	table, seen := &table{rows: rows}, map[string]bool{}
	for at := range columns {
		for seen[columns[at].Name] {
			columns[at].Name += "_"
		}
		seen[columns[at].Name] = true
		table.header = append(table.header, columns[at].Name)
	}
	m, err := guess.Codebook(context.Background(), &guess.File{Columns: columns, Table: table}, guess.Options{})
	if err != nil {
		t.Logf("%s: %v", r.name, err)
		return 0, all
	}
	for k := range r.questions {
		q := &r.questions[k]
		if q.as != as {
			continue
		}
		var lost []string
		for _, at := range q.columns {
			if c := &m.Columns[at]; c.As != as {
				lost = append(lost, fmt.Sprintf("%q is %s", columns[at].Name, c.As))
			}
		}
		right += len(q.columns) - len(lost)
		if *rewriteLost && len(lost) > 0 {
			few := strings.Join(lost[:min(len(lost), 3)], ", ")
			t.Logf("  %s, %d of %d: %s (%s)", r.name, len(lost), len(q.columns), few, q.asks)
		}
	}
	return right, all
}

package guess_test

import (
	"context"
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/survey"
)

var rewrite = flag.Bool("rewrite", false, "tell how many options of the files that CROSSWAVE_CORPUS holds are found "+
	"when they are written otherwise; takes a quarter of an hour")

// rewritten is a file of the corpus in memory, whose multiple choices can be written otherwise than it does: what
// respondents chose stays as it is, and so do all other columns.
type rewritten struct {
	name    string
	columns []guess.Column
	rows    [][]string
	want    *known
	choices []found
}

// found is a multiple choice of a file.
type found struct {
	choice
	columns []int
	chosen  [][]bool // of each column, by row
	asked   []bool
}

// What would be found of the options in the corpus if files wrote them, or called their columns, in other of the usual
// ways: where that is less than as they are, a rule knows only what it has seen. Without -rewrite it does nothing.
func TestRewritten(t *testing.T) {
	if !*rewrite {
		t.Skip("-rewrite tells it")
	}
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
	told := func(what string, writing *writtenAs, naming *namedAs) {
		right, all, worst, of := 0, 0, 0, ""
		for _, f := range files {
			r, n := f.score(t, writing, naming)
			right, all = right+r, all+n
			if n-r > worst {
				worst, of = n-r, f.name
			}
		}
		t.Logf("%-45s %5.1f %% of %d columns; most of them, %d, are lost in %s", what, percent(right, all), all, worst, of)
	}
	told("as they are", nil, nil)
	for _, writing := range waysToWrite() {
		told(writing.name, &writing, nil)
	}
	for _, naming := range waysToName() {
		told(naming.name, nil, &naming)
	}
}

// rewritable reads a file; nil if it has no multiple choice of three columns or more that each say yes or no.
func rewritable(t *testing.T, path string, c *corpusFile) *rewritten {
	const mostColumns, mostRows, least = 1500, 1500, 3
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
	if len(names) > mostColumns || !slices.ContainsFunc(want.groups, func(g group) bool { return g.as == "multi" }) {
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
		if g.as == "multi" && len(g.columns) >= least {
			r.find(g)
		}
	}
	if len(r.choices) == 0 {
		return nil
	}
	return r
}

// negative is what files write for what was not chosen.
var negative = regexp.MustCompile(`(?i)^(?:0|no|n|false|none|not .*|un\w+|no .*|non|nein|não|não .*|-1|nicht .*|нет)$`)

// find adds a multiple choice, unless a column of it says anything but one answer and a no.
func (r *rewritten) find(g group) {
	out := found{columns: g.columns, asked: make([]bool, len(r.rows))}
	for _, at := range g.columns {
		c, seen := &r.columns[at], map[string]bool{}
		yes, several := "", false
		for i, row := range r.rows {
			text := strings.TrimSpace(row[at])
			if text == "" || c.Missing != nil && c.Missing(text) {
				continue
			}
			out.asked[i], seen[text] = true, true
			label := text
			for _, l := range c.Labels {
				if l.Value == text {
					label = strings.TrimSpace(l.Text)
				}
			}
			if !negative.MatchString(text) && !negative.MatchString(label) {
				several = several || yes != "" && yes != text
				yes = text
			}
		}
		if yes == "" || several || len(seen) > 2 {
			return
		}
		chosen := make([]bool, len(r.rows))
		for i, row := range r.rows {
			chosen[i] = strings.TrimSpace(row[at]) == yes
		}
		out.chosen = append(out.chosen, chosen)
	}
	out.number = len(r.choices) + 1
	out.asks, out.options = r.words(g.columns, out.number)
	r.choices = append(r.choices, out)
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

// score has the file guessed, with its multiple choices written and named so unless that is nil, and tells how many of
// their columns are options of one.
func (r *rewritten) score(t *testing.T, writing *writtenAs, naming *namedAs) (right, all int) {
	columns, rows := slices.Clone(r.columns), make([][]string, len(r.rows))
	for i := range rows {
		rows[i] = slices.Clone(r.rows[i])
	}
	for k := range r.choices {
		c := &r.choices[k]
		for n, at := range c.columns {
			if naming != nil {
				columns[at].Name, columns[at].Label = naming.of(&c.choice, c.options[n], n+1)
			}
			if writing == nil {
				continue
			}
			columns[at].Labels, columns[at].Missing = writing.labels(c.options[n], n+1), nil
			columns[at].Kind = guess.Unknown
			for i := range rows {
				rows[i][at] = ""
				if c.chosen[n][i] {
					rows[i][at] = writing.yes(c.options[n], n+1)
				} else if c.asked[i] {
					rows[i][at] = writing.no(c.options[n], n+1)
				}
			}
		}
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
	}
	for k := range r.choices {
		for _, at := range r.choices[k].columns {
			all++
			if m != nil {
				right += btoi(m.Columns[at].As == "multi")
			}
		}
	}
	return right, all
}

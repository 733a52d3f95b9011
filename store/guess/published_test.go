package guess_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/survey"
)

// published is a survey's figures as its makers published them; testdata/corpus/README.md tells how they are written.
type published struct {
	File, Source, Weight string

	Step   float64 // figures are rounded to it; 0: they are not rounded
	Across []*answer
	Tables []struct {
		Title    string
		Base     []answer
		Answered bool
		Rows     []struct {
			answer
			Percent, People []*float64
		}
	}
}

// answer is a value in a column of the file.
type answer struct{ Column, Value string }

// Tables that were published beside the data are reproduced to their last digit: the file is guessed, with no more said
// than which column is the weight, imported and crossed.
func TestPublished(t *testing.T) {
	paths, err := filepath.Glob("testdata/corpus/published/*.json")
	if err != nil || len(paths) < 3 {
		t.Fatalf("%d published surveys, %v", len(paths), err)
	}
	list := corpusList(t)
	at := corpusPaths(t, list)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var p published
		if err := json.Unmarshal(text, &p); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if testing.Short() {
			continue
		}
		t.Run(p.File, func(t *testing.T) {
			for i := range list {
				if file := at[list[i].SHA256]; list[i].Name == p.File && file != "" {
					p.reproduce(t, file)
					return
				}
			}
			t.Skip("CROSSWAVE_CORPUS is not set, or the file is not in the folder that it names")
		})
	}
}

// reproduce compares the figures with those of a file.
func (p *published) reproduce(t *testing.T, path string) {
	f, err := formats.Open(path, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	weight := p.Weight
	if weight == "" {
		weight = guess.None
	}
	m, err := f.Guess(t.Context(), guess.Options{Weight: weight, Wave: guess.None, Location: guess.None})
	if err != nil {
		t.Fatal(err)
	}
	src, err := f.Source(m.Codebook)
	if err != nil {
		t.Fatal(err)
	}
	st := &naive.Store{}
	if _, err := survey.Import(t.Context(), src, st, survey.Options{}); err != nil {
		t.Fatal(err)
	}
	l := &lookup{m.Codebook, f.Table.Header()}
	cells, wrong := 0, 0
	for i := range p.Tables {
		n, bad := p.table(t, st, l, i)
		cells += n
		wrong += bad
	}
	t.Logf("%d of %d figures in %d tables", cells-wrong, cells, len(p.Tables))
}

// table compares the figures of table i, and says how many there are and how many are wrong.
func (p *published) table(t *testing.T, st audience.Store, l *lookup, i int) (cells, wrong int) {
	table := &p.Tables[i]
	r, err := p.request(l, i)
	if err != nil {
		t.Errorf("%s: %v", table.Title, err)
	}
	figures, err := crossed(t.Context(), st, r)
	if err != nil {
		t.Fatalf("%s: %v", table.Title, err)
	}
	for j, row := range table.Rows {
		for k, want := range append(append([]*float64{}, row.Percent...), row.People...) {
			if want == nil {
				continue
			}
			cells++
			both, whole := figures(j+1, k)
			got := both.Size
			if row.Percent != nil {
				got = both.Percentage(whole)
			}
			if math.Abs(got-*want) > max(p.Step/2, 1e-9*math.Abs(*want))*(1+1e-9) {
				if wrong++; wrong <= 3 {
					t.Errorf("%s, %s in %s: %v, published is %v", table.Title, row.Value, p.acrossName(k), got, *want)
				}
			}
		}
	}
	if wrong > 3 {
		t.Errorf("%s: %d of %d figures differ", table.Title, wrong, cells)
	}
	return cells, wrong
}

func (p *published) acrossName(k int) string {
	if p.Across[k] == nil {
		return "the total"
	}
	return p.Across[k].Value
}

// request is table i as a crosstab. An answer that the codebook does not have stands as nobody, and is told.
func (p *published) request(l *lookup, i int) (r crosstab.Request, missing error) {
	find := func(a answer) audience.Expr {
		x, err := l.find(a)
		if err != nil {
			missing = err
			return audience.Or{}
		}
		return x
	}
	table := &p.Tables[i]
	var base audience.Or
	for _, row := range table.Rows {
		x := find(row.answer)
		r.Rows = append(r.Rows, audience.Audience{Expr: x})
		if table.Answered {
			base = append(base, x)
		}
	}
	for _, a := range table.Base {
		base = append(base, find(a))
	}
	if base != nil {
		r.Base.Expr = base
	}
	for _, a := range p.Across {
		var x audience.Expr = audience.Everyone{}
		if a != nil {
			x = find(*a)
		}
		r.Columns = append(r.Columns, audience.Audience{Expr: x})
	}
	return r, missing
}

// crossed runs a crosstab; what it returns gives row i in column k, and column k, both in the base.
func crossed(ctx context.Context, st audience.Store, r crosstab.Request) (
	func(i, k int) (both, column audience.Figure), error) {
	result, err := crosstab.Run(ctx, st, r)
	if err != nil {
		return nil, err
	}
	figures := map[[2]int][2]audience.Figure{}
	for c := range result.Cells() {
		figures[[2]int{c.RowIndex, c.ColumnIndex - 1}] = [2]audience.Figure{c.Intersect.Figure, c.Column.Figure}
	}
	return func(i, k int) (both, column audience.Figure) {
		f := figures[[2]int{i, k}]
		return f[0], f[1]
	}, nil
}

// lookup finds what a codebook makes of a value in a column.
type lookup struct {
	book   *survey.Codebook
	header []string
}

// find is who has the value in the column.
func (l *lookup) find(a answer) (audience.Expr, error) {
	at, err := place(l.header, a.Column)
	if err != nil {
		return nil, err
	}
	column := l.header[at]
	for i := range l.book.Questions {
		q, columns := &l.book.Survey.Questions[i], &l.book.Questions[i]
		for j, d := range columns.Datapoints {
			code := q.Datapoints[j].Code
			switch {
			case columns.Column == column && same(d.Value, code, a.Value),
				d.Column == column && len(q.Suffixes) == 0 && same(d.Value, "1", a.Value):
				return audience.Answers{Question: q.Key(), Datapoints: []string{code}}, nil
			case d.Column == column:
				for k, s := range q.Suffixes {
					if same(columns.Suffixes[k], fmt.Sprint(s.Code), a.Value) {
						return audience.Answers{Question: q.Key(), Datapoints: []string{code}, Suffixes: []int{s.Code}}, nil
					}
				}
			}
		}
	}
	return nil, fmt.Errorf("%q in column %q is no answer to any question", a.Value, column)
}

// same tells whether a value stands for what a file has, the code being meant where there is no value.
func same(value, code, text string) bool {
	if value == "" {
		value = code
	}
	if value = strings.TrimSpace(value); value == strings.TrimSpace(text) {
		return true
	}
	x, errX := strconv.ParseFloat(value, 64)
	y, errY := strconv.ParseFloat(text, 64)
	return errX == nil && errY == nil && x == y
}

package formats

import (
	"context"
	"io"
	"iter"
	"strings"

	"github.com/crosswave/crosswave/store/formats/dta"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/survey"
)

// stataTable is a Stata file as a table.
type stataTable struct {
	file   *dta.File
	header []string
}

func (f *File) openStata(file io.ReaderAt, size int64, o Options) error {
	s, err := dta.Open(file, size, dta.Options{Encoding: o.Encoding})
	if err != nil {
		return err
	}
	if len(s.Variables) > mostColumns {
		return f.tooWide()
	}
	t := &stataTable{file: s}
	f.Format, f.Title, f.Table = Stata, stataTitle(s.Label), t
	f.Notes = func() []string {
		var list []string
		for _, n := range s.Notes() {
			list = append(list, n.String())
		}
		return list
	}
	shared := map[*dta.ValueLabel][]guess.Label{}
	for i := range s.Variables {
		v := &s.Variables[i]
		t.header = append(t.header, v.Name)
		c := guess.Column{Name: v.Name, Label: v.Label, Labels: stataLabels(v, shared)}
		if v.Unit() != dta.NoDate {
			c.Kind = guess.Date
		}
		if v.Numeric() {
			c.Missing = isStataMissing
		}
		f.Columns = append(f.Columns, c)
	}
	return nil
}

// stataTitle is the label of the data, if it is about them: R's foreign writes by what they were written.
func stataTitle(label string) string {
	if strings.HasPrefix(label, "Written by R") {
		return ""
	}
	return label
}

// stataLabels are the labels of a variable. Variables share theirs, and so do columns.
func stataLabels(v *dta.Variable, shared map[*dta.ValueLabel][]guess.Label) []guess.Label {
	if len(v.Labels) == 0 {
		return nil
	}
	list := shared[&v.Labels[0]]
	if list == nil {
		list = make([]guess.Label, 0, len(v.Labels))
		for _, l := range v.Labels {
			list = append(list, guess.Label{Value: l.Value(), Text: l.Label})
		}
		shared[&v.Labels[0]] = list
	}
	return list
}

// isStataMissing tells of a text of a column of numbers whether it is one of the missing values .a to .z, which stand
// for why there is no answer.
func isStataMissing(text string) bool {
	return len(text) == 2 && text[0] == '.' && text[1] >= 'a' && text[1] <= 'z'
}

func (t *stataTable) Header() []string { return t.header }

func (t *stataTable) Size() int64 { return t.file.NumRows }

func (t *stataTable) Blocks(ctx context.Context, columns []int) iter.Seq2[survey.Block, error] {
	return survey.BlocksOf(ctx, columns, len(t.header), func(yield func(survey.Record, error) bool) {
		for r, err := range t.file.Rows() {
			if !yield(stataRow{r}, err) {
				return
			}
		}
	})
}

// stataRow is a row as a record.
type stataRow struct{ *dta.Row }

func (r stataRow) Number() int64 { return r.Row.Row }

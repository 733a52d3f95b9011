package formats

import (
	"context"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/store/formats/sav"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/survey"
)

// spssTable is a system file as a table: its variables, and behind them a column per category set with all that was
// chosen.
type spssTable struct {
	file   *sav.File
	header []string
	sets   [][]int // the variables of each category set
}

func (f *File) openSPSS(file io.ReaderAt, size int64, o Options) error {
	s, err := sav.Open(file, size, sav.Options{Encoding: o.Encoding})
	if err != nil {
		return err
	}
	t := &spssTable{file: s}
	f.Format, f.Title, f.Table = SPSS, s.Label, t
	f.Notes = func() []string {
		var list []string
		for _, n := range s.Notes() {
			list = append(list, n.String())
		}
		return list
	}
	labels := sharedLabels{}
	for i := range s.Variables {
		t.header = append(t.header, s.Variables[i].Name)
		f.Columns = append(f.Columns, spssColumn(s, &s.Variables[i], labels))
	}
	for i := range s.Sets {
		f.spssSet(t, &s.Sets[i])
	}
	f.Codebook = embedded(&s.Dictionary)
	if f.Inside = f.Codebook != nil; f.Inside {
		f.CodebookFrom = "the codebook inside it"
	}
	return nil
}

// sharedLabels are lists of labels by the first of those that they were made of: variables share theirs, and so do
// columns.
type sharedLabels map[*sav.ValueLabel][]guess.Label

func (s sharedLabels) of(v *sav.Variable) []guess.Label {
	if len(v.Labels) == 0 {
		return nil
	}
	list := s[&v.Labels[0]]
	if len(list) != len(v.Labels) {
		list = make([]guess.Label, 0, len(v.Labels))
		for _, l := range v.Labels {
			list = append(list, guess.Label{Value: l.Value.String(), Text: l.Label})
		}
		s[&v.Labels[0]] = list
	}
	return list
}

// spssColumn is what the dictionary says of a variable.
func spssColumn(s *sav.File, v *sav.Variable, labels sharedLabels) guess.Column {
	c := guess.Column{Name: v.Name, Label: v.Label, Weight: s.Weight != "" && strings.EqualFold(v.Name, s.Weight)}
	switch v.Print.Type.Class() {
	case sav.ClassDate, sav.ClassMonth, sav.ClassDateTime, sav.ClassDuration:
		c.Kind = guess.Date
	}
	c.Labels = labels.of(v)
	if m := &v.Missing; !m.Empty() {
		numeric := v.Numeric()
		c.Missing = func(text string) bool {
			if !numeric {
				return m.Has(sav.Text(text))
			}
			n, err := strconv.ParseFloat(text, 64)
			return err == nil && m.Has(sav.Number(n))
		}
	}
	return c
}

// spssSet takes over a multiple-response set.
func (f *File) spssSet(t *spssTable, s *sav.Set) {
	set := guess.Set{Name: s.Name, Label: s.Label}
	var places []int
	for _, name := range s.Variables {
		if i := t.file.Index(name); i >= 0 {
			places = append(places, i)
			set.Columns = append(set.Columns, t.file.Variables[i].Name)
		}
	}
	if len(places) == 0 {
		return
	}
	if s.Kind == sav.Dichotomy {
		for _, i := range places {
			set.Options = append(set.Options, t.file.CategoryLabel(s, t.file.Variables[i].Name))
		}
		set.Value = s.Counted.String()
		f.Sets = append(f.Sets, set)
		return
	}
	if slices.Contains(t.header, s.Name) {
		return
	}
	set.Joined, set.Separator = s.Name, separator
	column := guess.Column{Name: s.Name, Label: s.Label, Virtual: true}
	for _, i := range places {
		for _, l := range f.Columns[i].Labels {
			if missing := f.Columns[i].Missing; !slices.ContainsFunc(set.Labels,
				func(k guess.Label) bool { return k.Value == l.Value }) && (missing == nil || !missing(l.Value)) {
				set.Labels = append(set.Labels, l)
			}
		}
	}
	t.header, t.sets = append(t.header, s.Name), append(t.sets, places)
	f.Columns, f.Sets = append(f.Columns, column), append(f.Sets, set)
}

// separator stands between several answers in one field.
const separator = ";"

func (t *spssTable) Header() []string { return t.header }

func (t *spssTable) Size() int64 { return max(0, t.file.NumCases) }

func (t *spssTable) Blocks(ctx context.Context, columns []int) iter.Seq2[survey.Block, error] {
	return survey.BlocksOf(ctx, columns, len(t.header), func(yield func(survey.Record, error) bool) {
		row := &spssRow{table: t}
		for c, err := range t.file.Cases() {
			row.Case = c
			if !yield(row, err) {
				return
			}
		}
	})
}

// spssRow is a case.
type spssRow struct {
	*sav.Case
	table *spssTable
}

func (r *spssRow) Number() int64 { return r.Row }

func (r *spssRow) Append(dst []byte, column int) []byte {
	n := len(r.table.file.Variables)
	if column < n {
		return r.Case.Append(dst, column)
	}
	var chosen []sav.Value
	for _, i := range r.table.sets[column-n] {
		v := r.Value(i)
		if text, isText := v.Text(); r.Missing(i) || isText && text == "" || slices.Contains(chosen, v) {
			continue
		}
		if len(chosen) > 0 {
			dst = append(dst, separator...)
		}
		chosen = append(chosen, v)
		dst = append(dst, v.String()...)
	}
	return dst
}

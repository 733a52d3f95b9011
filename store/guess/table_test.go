package guess_test

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
)

// table is a table in memory: a header and rows, in columns divided by "|".
type table struct {
	header []string
	rows   [][]string
}

func tableOf(lines ...string) *table {
	t := &table{}
	for i, line := range lines {
		cells := strings.Split(line, "|")
		for k := range cells {
			cells[k] = strings.TrimSpace(cells[k])
		}
		if i == 0 {
			t.header = cells
		} else {
			t.rows = append(t.rows, cells)
		}
	}
	return t
}

func (t *table) Header() []string { return t.header }

func (t *table) Size() int64 { return int64(len(t.rows)) }

func (t *table) Blocks(ctx context.Context, columns []int) iter.Seq2[survey.Block, error] {
	return survey.BlocksOf(ctx, columns, len(t.header), func(yield func(survey.Record, error) bool) {
		for i := range t.rows {
			if !yield(&row{int64(i + 1), t.rows[i]}, nil) {
				return
			}
		}
	})
}

type row struct {
	number int64
	cells  []string
}

func (r *row) Number() int64 { return r.number }

func (r *row) Append(dst []byte, column int) []byte { return append(dst, r.cells[column]...) }

// file is a file with nothing but names.
func (t *table) file() *guess.File {
	f := &guess.File{Table: t}
	for _, name := range t.header {
		f.Columns = append(f.Columns, guess.Column{Name: name})
	}
	return f
}

// repeated is a table of n rows: cell k of a row is made by column k.
func repeated(n int, header string, columns ...func(i int) string) *table {
	t := tableOf(header)
	for i := range n {
		var cells []string
		for _, c := range columns {
			cells = append(cells, c(i))
		}
		t.rows = append(t.rows, cells)
	}
	return t
}

func among(list ...string) func(int) string { return func(i int) string { return list[i%len(list)] } }

func count(from int) func(int) string { return func(i int) string { return fmt.Sprint(from + i) } }

// readings are how columns are read: "single", or "grid q5".
func readings(m *guess.Result) map[string]string {
	out := map[string]string{}
	for _, r := range m.Columns {
		out[r.Column] = strings.TrimSpace(r.As + " " + r.Of)
	}
	return out
}

func guessed(t *testing.T, f *guess.File, o guess.Options) *guess.Result {
	t.Helper()
	m, err := guess.Codebook(t.Context(), f, o)
	if err != nil {
		t.Fatal(err)
	}
	readBack(t, m.Codebook)
	return m
}

// readBack sees to it that a codebook is, to the last detail, the one that is written and read back.
func readBack(t testing.TB, c *survey.Codebook) {
	t.Helper()
	text, err := survey.WriteCodebook(c)
	if err != nil {
		t.Fatal(err)
	}
	back, err := survey.ReadCodebook(text)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(back, c); d != "" {
		t.Errorf("written and read back, the codebook is another (-read back): %s", d)
	}
}

// whole checks that the codebook holds the whole of a table: every row is imported, and no answer is none of the
// datapoints.
func whole(t testing.TB, table survey.Table, m *guess.Result) *naive.Store {
	t.Helper()
	src, err := survey.NewSource(table, m.Codebook, 1)
	if err != nil {
		t.Fatal(err)
	}
	ref := &naive.Store{}
	report, err := survey.Import(t.Context(), src, ref, survey.Options{Strict: survey.StrictAnswers})
	if err != nil {
		t.Fatal(err)
	}
	if report.Respondents != m.Rows {
		t.Errorf("%d respondents of %d are imported", report.Respondents, m.Rows)
	}
	return ref
}

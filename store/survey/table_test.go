package survey_test

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/formats/csv"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
)

// all reads the respondents of a source, and the error that ends it.
func all(t *testing.T, src survey.Source) (rs []survey.Respondent, unlisted []survey.Unlisted, skipped int64,
	err error) {
	t.Helper()
	for b, e := range src.Respondents(t.Context()) {
		if e != nil {
			return rs, unlisted, skipped, e
		}
		for _, r := range b.Respondents {
			r.Weights, r.Attributes, r.Answered = append(r.Weights[:0:0], r.Weights...), append(r.Attributes[:0:0],
				r.Attributes...), append(r.Answered[:0:0], r.Answered...)
			rs = append(rs, r)
		}
		unlisted = append(unlisted, b.Unlisted...)
		skipped += b.Skipped
	}
	return rs, unlisted, skipped, nil
}

func TestMain(m *testing.M) {
	survey.OpenText = func(text string, delimiter rune, block int) (survey.Table, error) {
		return csv.New(strings.NewReader(text), csv.Options{Delimiter: delimiter, Block: block})
	}
	os.Exit(m.Run())
}

// A table whose rows are read one after the other gives the respondents that the same file gives as CSV, but for the
// numbers of its rows, with any number of goroutines.
func TestTableReadsAsCSV(t *testing.T) {
	respondents := testsize.Of(600, 3000, 3000)
	d := demo.New(demo.Config{Respondents: respondents})
	text, err := d.Codebook()
	if err != nil {
		t.Fatal(err)
	}
	codebook, err := survey.ReadCodebook(text)
	if err != nil {
		t.Fatal(err)
	}
	var data bytes.Buffer
	if err := d.WriteCSV(t.Context(), &data); err != nil {
		t.Fatal(err)
	}
	file, err := csv.New(bytes.NewReader(data.Bytes()), csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	copied := &table{header: file.Header()}
	for row, err := range survey.Rows(t.Context(), file) {
		if err != nil {
			t.Fatal(err)
		}
		var cells []string
		for i := range copied.header {
			cells = append(cells, string(row.Field(i)))
		}
		copied.rows = append(copied.rows, cells)
	}
	src, err := survey.NewSource(file, codebook, 0)
	if err != nil {
		t.Fatal(err)
	}
	want, _, _, err := all(t, src)
	if err != nil || len(want) != respondents {
		t.Fatal(len(want), err)
	}
	for i := range want {
		want[i].Row = int64(10 * (i + 1))
	}
	for _, goroutines := range []int{1, 3} {
		src, err := survey.NewSource(copied, codebook, goroutines)
		if err != nil {
			t.Fatal(err)
		}
		got, _, _, err := all(t, src)
		if err != nil || len(got) != len(want) {
			t.Fatal(len(got), err)
		}
		for i := range want {
			if !equal(&want[i], &got[i]) {
				t.Fatalf("respondent %d is %+v, want %+v", i, got[i], want[i])
			}
		}
	}
}

func equal(a, b *survey.Respondent) bool {
	if a.Row != b.Row || a.ID != b.ID || a.Wave != b.Wave || a.Location != b.Location || len(a.Weights) != len(b.Weights) {
		return false
	}
	for i := range a.Weights {
		if a.Weights[i] != b.Weights[i] {
			return false
		}
	}
	return cmp.Equal(a.Attributes, b.Attributes) && cmp.Equal(a.Answered, b.Answered)
}

const tableBook = `{"namespaces": [{"code": "core", "weight": {"column": "w", "missing": "zero"}}], "respondent": {"column": "#row"},
	"wave": {"column": "wave", "missing": "skip", "values": [{"code": "1"}]},
	"questions": [{"code": "q", "type": "multi", "column": "q", "separator": ";", "datapoints": [{"code": "a"}, {"code": "b"}]}]}`

// table is a table in memory that may end in an error.
type table struct {
	header []string
	rows   [][]string
	err    error
}

func (t *table) Header() []string { return t.header }
func (t *table) Size() int64      { return int64(len(t.rows)) }

func (t *table) Blocks(ctx context.Context, columns []int) iter.Seq2[survey.Block, error] {
	return survey.BlocksOf(ctx, columns, len(t.header), func(yield func(survey.Record, error) bool) {
		for i := range t.rows {
			if !yield(&tableRow{int64(10 * (i + 1)), t.rows[i]}, nil) {
				return
			}
		}
		if t.err != nil {
			yield(nil, t.err)
		}
	})
}

type tableRow struct {
	number int64
	cells  []string
}

func (r *tableRow) Number() int64 { return r.number }

func (r *tableRow) Append(dst []byte, column int) []byte { return append(dst, r.cells[column]...) }

// A row that its format takes for empty is no respondent, also where the wave must be there; one with something in a
// column that the codebook does not read is, and so is a case of a format that counts them.
func TestEmptyRowsAreNoRespondents(t *testing.T) {
	codebook, err := survey.ReadCodebook([]byte(strings.Replace(tableBook, `"missing": "skip", `, "", 1)))
	if err != nil {
		t.Fatal(err)
	}
	header := []string{"x", "wave", "q", "w"}
	empty, elsewhere := []string{"", "", "", ""}, []string{"x", "", "", ""}
	rows := [][]string{{"", "1", "a", "1"}, empty, {"\u00a0", "", "  ", ""}, {"", "1", "b", "1"}, empty}
	for _, c := range []struct {
		name        string
		text        bool
		rows        [][]string
		respondents int
		empty       int64
		wrong       bool
	}{
		{"text", true, rows, 2, 3, false},
		{"text with a word elsewhere", true, append(slices.Clone(rows), elsewhere), 2, 3, true},
		{"cases", false, rows, 1, 0, true},
	} {
		var table survey.Table = &table{header: header, rows: c.rows}
		if c.text {
			text := strings.Join(header, ",") + "\n"
			for _, row := range c.rows {
				text += strings.Join(row, ",") + "\n"
			}
			if table, err = survey.OpenText(text, ',', 0); err != nil {
				t.Fatal(err)
			}
		}
		src, err := survey.NewSource(table, codebook, 2)
		if err != nil {
			t.Fatal(err)
		}
		respondents, empty, wrong := 0, int64(0), false
		for b, err := range src.Respondents(t.Context()) {
			if wrong = err != nil; wrong {
				break
			}
			respondents += len(b.Respondents)
			empty += b.Empty
		}
		if respondents != c.respondents || empty != c.empty || wrong != c.wrong {
			t.Errorf("%s: %d respondents, %d empty rows, an error: %t", c.name, respondents, empty, wrong)
		}
	}
}

// Rows without ids are known by their numbers, which are those of the table; what is not read may hold anything.
func TestTableWithoutIDs(t *testing.T) {
	codebook, err := survey.ReadCodebook([]byte(tableBook))
	if err != nil {
		t.Fatal(err)
	}
	bad := errors.New("the file ends too early")
	src, err := survey.NewSource(&table{header: []string{"x", " wave ", "q", "y", "w"},
		rows: [][]string{{"\xff", "1", " b;a ", "", "2"}, {"", "", "a", "", ""}, {"", "1.0", "c", "", ""}}, err: bad},
		codebook, 2)
	if err != nil {
		t.Fatal(err)
	}
	rs, unlisted, skipped, err := all(t, src)
	if !errors.Is(err, bad) || skipped != 1 || len(rs) != 2 {
		t.Fatalf("%d respondents, %d skipped, %v", len(rs), skipped, err)
	}
	if rs[0].ID != "10" || rs[1].ID != "30" || rs[1].Row != 30 || !rs[1].Weights[0].IsZero() ||
		!cmp.Equal(rs[0].Attributes, []int32{1, 0}) {
		t.Errorf("%+v", rs)
	}
	if d := cmp.Diff([]survey.Unlisted{{Question: 0, Column: "q", Value: "c", Row: 30}}, unlisted); d != "" {
		t.Error(d)
	}
}

func TestTableErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		t    *table
		says string
	}{
		{"no such column", &table{header: []string{"wave", "q"}},
			`column "w": namespaces[0].weight.column of the codebook names it, but it is not among the 2 columns of the file`},
		{"an unknown wave", &table{header: []string{"wave", "q", "w"}, rows: [][]string{{"2", "", ""}}},
			`row 10, column "wave": the value "2" is no wave`},
		{"a weight of words", &table{header: []string{"wave", "q", "w"}, rows: [][]string{{"1", "", "heavy"}}},
			`row 10, column "w": the weight "heavy" is no number`},
	} {
		codebook, err := survey.ReadCodebook([]byte(tableBook))
		if err != nil {
			t.Fatal(err)
		}
		src, err := survey.NewSource(c.t, codebook, 1)
		if err == nil {
			_, _, _, err = all(t, src)
		}
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
}

// A loop that ends early leaves nothing running, and a context that ends ends the stream.
func TestTableStops(t *testing.T) {
	codebook, err := survey.ReadCodebook([]byte(tableBook))
	if err != nil {
		t.Fatal(err)
	}
	big := &table{header: []string{"wave", "q", "w"}}
	for range 20_000 {
		big.rows = append(big.rows, []string{"1", "a", "1"})
	}
	src, err := survey.NewSource(big, codebook, 2)
	if err != nil {
		t.Fatal(err)
	}
	for range src.Respondents(t.Context()) {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	for b, err := range src.Respondents(ctx) {
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			break
		}
		n += len(b.Respondents)
		cancel()
	}
	if n == 0 || n == 20_000 {
		t.Errorf("%d respondents were read", n)
	}
	cancel()
}

// brokenTable gives the same block again and again, as it is.
type brokenTable struct {
	table
	row survey.Row
}

func (t *brokenTable) Blocks(context.Context, []int) iter.Seq2[survey.Block, error] {
	return func(yield func(survey.Block, error) bool) { yield(t, nil) }
}

func (t *brokenTable) Next(row *survey.Row) error {
	*row = t.row
	return nil
}

func (t *brokenTable) Done() int64 { return 0 }
func (t *brokenTable) Release()    {}

// A table of another package that does not keep to the rules is told so.
func TestTableRules(t *testing.T) {
	codebook, err := survey.ReadCodebook([]byte(tableBook))
	if err != nil {
		t.Fatal(err)
	}
	header := table{header: []string{"wave", "q", "w"}}
	for name, row := range map[string]survey.Row{
		"too few fields": {Number: 5, Data: []byte("1,a,............"), Ends: []uint32{0, 2, 4}},
		"no padding":     {Number: 5, Data: []byte("1,a,1,"), Ends: []uint32{0, 2, 4, 6}},
	} {
		src, err := survey.NewSource(&brokenTable{header, row}, codebook, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, _, err := all(t, src); err == nil || !strings.HasPrefix(err.Error(), "row 5: the table has 3 columns") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

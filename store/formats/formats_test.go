package formats_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/survey"
	library "github.com/parquet-go/parquet-go"
)

// writeCSV writes rows as a CSV file.
func writeCSV(t *testing.T, rows [][]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := csv.NewWriter(f).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return path
}

// writeParquet writes rows as a Parquet file whose columns are texts; nothing is null.
func writeParquet(t *testing.T, rows [][]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.parquet")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	group := library.Group{}
	for _, name := range rows[0] {
		group[name] = library.Optional(library.String())
	}
	schema := library.NewSchema("survey", group)
	w := library.NewWriter(f, schema)
	at := map[string]int{}
	for i, path := range schema.Columns() {
		at[path[0]] = i
	}
	for _, cells := range rows[1:] {
		row := make(library.Row, len(cells))
		for i, text := range cells {
			k := at[rows[0][i]]
			row[k] = library.ValueOf(nil).Level(0, 0, k)
			if text != "" {
				row[k] = library.ValueOf(text).Level(0, 1, k)
			}
		}
		if _, err := w.WriteRows([]library.Row{row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// by reads a file by a codebook.
func by(t *testing.T, path string, c *survey.Codebook) survey.Source {
	t.Helper()
	f, err := formats.Open(path, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	src, err := f.Source(c)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// A codebook that was made for one format reads the same columns in any other: what stands in a column is the same text
// in all of them.
func TestOneCodebookForAllFormats(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds, and what it exports and imports is also in TestRoundTrip")
	}
	for name, src := range sources(t) {
		for _, ext := range []string{".sav", ".sss"} {
			t.Run(name+ext, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "out"+ext)
				if _, err := formats.Export(t.Context(), src, path, formats.ExportOptions{}); err != nil {
					t.Fatal(err)
				}
				f, err := formats.Open(path, formats.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				m, err := f.Guess(t.Context(), guess.Options{})
				if err != nil {
					t.Fatal(err)
				}
				want, _ := stored(t, by(t, path, m.Codebook))
				rows := cells(t, f)
				for i, other := range []string{writeCSV(t, rows), writeParquet(t, rows)} {
					if i == 1 && ext == ".sss" {
						continue // one is enough
					}
					got, _ := stored(t, by(t, other, m.Codebook))
					same(t, want, got)
				}
			})
		}
	}
}

// The Triple-S samples of a third party: those with data are imported whole.
func TestTripleSSamples(t *testing.T) {
	for name, respondents := range map[string]int64{"sample-1.sss": 3, "sample-2.sss": 1, "sample-3.sss": 98,
		"sample-4.sss": 10, "sample-5.sss": 10} {
		t.Run(name, func(t *testing.T) {
			src, m := open(t, fixture(t, "triple-s", name), true)
			ref, report := stored(t, src)
			if int64(len(ref.Respondents())) != respondents || m.Rows != respondents || len(report.Unlisted) > 0 {
				t.Errorf("%d respondents of %d; unlisted %+v", len(ref.Respondents()), m.Rows, report.Unlisted)
			}
			switch name {
			case "sample-1.sss": // as its definition says: a multiple, a weight, a number with two special values
				text := strings.Join(report.Notes, "\n")
				if !strings.Contains(text, "column Q99: read as the weight") {
					t.Error(text)
				}
				counts := map[string]int{}
				for _, r := range ref.Respondents() {
					for a := range r.Positive {
						counts[a.Question]++
					}
				}
				if counts["core.Q2"] == 0 || counts["core.Q1"] != 3 || counts["core.Q5"] != 3 {
					t.Errorf("%v", counts)
				}
			case "sample-5.sss":
				if text := strings.Join(report.Notes, "\n"); !strings.Contains(text, `typtel: unlisted, 3, first in row 8: "3"`) {
					t.Error(text)
				}
			}
		})
	}
}

// An SPSS file of small size, made here: user-missing values and ranges, both kinds of sets, dates, the case weight.
// What is missing is no answer.
func TestSPSSRules(t *testing.T) {
	path := smallSPSS(t)
	f, err := formats.Open(path, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := f.Guess(t.Context(), guess.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, r := range m.Columns {
		got[r.Column] = strings.TrimSpace(r.As + " " + r.Of)
	}
	for column, want := range map[string]string{"caseid": "respondent", "w": "weight", "q1": "single q1",
		"inc": "number inc", "o1": "multi tools", "o2": "multi tools",
		"m1": "multi media", "m2": "multi media", "$media": "", "day": "not used"} {
		if got[column] != want {
			t.Errorf("%s: read as %q, want %q", column, got[column], want)
		}
	}
	for i, q := range m.Codebook.Survey.Questions {
		missing := strings.Join(m.Codebook.Questions[i].Missing, " ")
		if want := map[string]string{"q1": "8 9", "inc": "-2 -1"}[q.Code]; missing != want {
			t.Errorf("%s: %q are missing, want %q", q.Code, missing, want)
		}
	}
	src, err := f.Source(m.Codebook)
	if err != nil {
		t.Fatal(err)
	}
	ref, report := stored(t, src)
	if len(report.Unlisted) > 0 {
		t.Errorf("%+v", report.Unlisted)
	}
	counts := map[string]int{}
	for _, r := range ref.Respondents() {
		for a := range r.Positive {
			counts[a.Question+"/"+a.Datapoint]++
		}
	}
	for key, want := range map[string]int{"core.q1/q1_1": 2, "core.q1/q1_2": 1, "core.tools/o1": 2, "core.tools/o2": 1,
		"core.media/media_1": 2, "core.media/media_3": 1} {
		if counts[key] != want {
			t.Errorf("%s: %d respondents, want %d (%v)", key, counts[key], want, counts)
		}
	}
}

package formats_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// stored is a survey in the reference store.
func stored(t testing.TB, src survey.Source) (*naive.Store, *survey.Report) {
	t.Helper()
	ref := &naive.Store{}
	report, err := survey.Import(t.Context(), src, ref, survey.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return ref, report
}

// open opens a file and reads it by the codebook that it brings along, or, with guess, by one that is guessed.
func open(t testing.TB, path string, guessing bool) (survey.Source, *guess.Result) {
	t.Helper()
	f, err := formats.Open(path, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if !guessing {
		if f.Codebook == nil {
			t.Fatalf("%s brings no codebook along", path)
		}
		src, err := f.Source(f.Codebook)
		if err != nil {
			t.Fatal(err)
		}
		return src, nil
	}
	m, err := f.Guess(t.Context(), guess.Options{})
	if err != nil {
		t.Fatal(err)
	}
	src, err := f.Source(m.Codebook, m.Notes...)
	if err != nil {
		t.Fatal(err)
	}
	return src, m
}

// same tells where two stores differ: respondent by respondent, and in where each datapoint was asked. With both equal,
// every figure is. Whether the datapoints of a question have a column each is no matter of figures.
func same(t *testing.T, want, got *naive.Store) {
	t.Helper()
	a, err := want.Frame(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	b, err := got.Frame(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(a.Namespaces, b.Namespaces); d != "" {
		t.Error("namespaces:", d)
	}
	if d := cmp.Diff(a.Waves, b.Waves); d != "" {
		t.Error("waves:", d)
	}
	if d := cmp.Diff(a.Questions, b.Questions, cmpopts.IgnoreFields(audience.Question{}, "Separate")); d != "" {
		t.Error("questions:", clip(d))
	}
	for i := range a.Questions {
		if d := cmp.Diff(a.Numbers(i), b.Numbers(i)); d != "" {
			t.Errorf("numbers of question %s: %s", a.Questions[i].Key(), d)
		}
		for j := range a.Questions[i].Datapoints {
			if d := cmp.Diff(a.Asked(i, j), b.Asked(i, j)); d != "" {
				t.Errorf("where %s was asked, datapoint %d: %s", a.Questions[i].Key(), j, d)
			}
		}
	}
	rs, others := want.Respondents(), got.Respondents()
	if len(rs) != len(others) {
		t.Fatalf("%d respondents, want %d", len(others), len(rs))
	}
	opts := cmp.Comparer(func(a, b naive.Respondent) bool {
		if a.Wave != b.Wave || a.Location != b.Location || len(a.Units) != len(b.Units) ||
			len(a.Positive) != len(b.Positive) {
			return false
		}
		for k, v := range a.Units {
			if b.Units[k] != v {
				return false
			}
		}
		for k, v := range a.Positive {
			if b.Positive[k] != v {
				return false
			}
		}
		if len(a.Numbers) != len(b.Numbers) {
			return false
		}
		for k, v := range a.Numbers {
			if b.Numbers[k] == nil || b.Numbers[k].Cmp(v) != 0 {
				return false
			}
		}
		return true
	})
	for i := range rs {
		if !cmp.Equal(rs[i], others[i], opts) {
			t.Fatalf("respondent %d is\n%s\nwant\n%s", i+1, clip(fmt.Sprint(others[i])), clip(fmt.Sprint(rs[i])))
		}
	}
}

func clip(text string) string { return text[:min(len(text), 4000)] }

// sources are the surveys that go there and back.
func sources(t *testing.T) map[string]survey.Source {
	t.Helper()
	all := map[string]survey.Source{"demo": demo.New(demo.Config{Respondents: testsize.Of(300, 1000, 4000)})}
	if testing.Short() {
		return all
	}
	all["example-a"] = exampleA(t)
	return all
}

func exampleA(t *testing.T) survey.Source {
	t.Helper()
	src, err := storetest.OpenExampleA()
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// Every figure survives the way into a file and back, for each format: the same respondents with the same weights and
// answers come back, each datapoint asked where it was.
func TestRoundTrip(t *testing.T) {
	for name, src := range sources(t) {
		want, _ := stored(t, src)
		for _, ext := range []string{".sav", ".zsav", ".sss", ".csv"} {
			t.Run(name+ext, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "out"+ext)
				exported, err := formats.Export(t.Context(), src, path, formats.ExportOptions{})
				if err != nil {
					t.Fatal(err)
				}
				if exported.Respondents != int64(len(want.Respondents())) {
					t.Errorf("%d respondents exported", exported.Respondents)
				}
				back, _ := open(t, path, false)
				got, _ := stored(t, back)
				same(t, want, got)
				sameSurvey(t, src, back)
			})
		}
	}
}

// sameSurvey compares the records of two surveys but for what an export may change: multiple choices have a column per
// datapoint.
func sameSurvey(t *testing.T, want, got survey.Source) {
	t.Helper()
	var s [2]audience.Survey
	for i, src := range []survey.Source{want, got} {
		d, err := src.Describe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s[i] = *d
		s[i].Questions = append([]audience.Question(nil), d.Questions...)
		for k := range s[i].Questions {
			s[i].Questions[k].Separate = false
		}
	}
	if d := cmp.Diff(s[0], s[1]); d != "" {
		t.Error(clip(d))
	}
}

// What was not asked is empty in the file, and no "No", also where the options of a question are answered together: who
// reads the file without its codebook would take that for asked, and with it the report would tell of answers that
// nobody gave.
func TestExportOfOptionsNotAskedEverywhere(t *testing.T) {
	codebook, err := survey.ReadCodebook([]byte(`{"namespaces": [{"code": "core"}], "respondent": {"column": "id"},
		"wave": {"column": "wave", "values": [{"value": "1", "code": "w1"}, {"value": "2", "code": "w2"}]},
		"questions": [{"code": "q", "type": "multi", "column": "q", "separator": ";",
			"datapoints": [{"code": "a", "value": "1"}, {"code": "b", "value": "2", "asked": [{"wave": "w1"}]}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	f, err := formats.Open(put(t, "in.csv", "id,wave,q\n1,1,1;2\n2,1,1\n3,2,1\n4,2,\n"), formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	src, err := f.Source(codebook)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := stored(t, src)
	for _, ext := range []string{".sav", ".sss", ".csv"} {
		path := filepath.Join(t.TempDir(), "out"+ext)
		if _, err := formats.Export(t.Context(), src, path, formats.ExportOptions{}); err != nil {
			t.Fatal(err)
		}
		back, _ := open(t, path, false)
		got, report := stored(t, back)
		same(t, want, got)
		if len(report.Outside) > 0 {
			t.Errorf("%s: answers outside what was asked: %v", ext, report.Outside)
		}
		out, err := formats.Open(path, formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		table := cells(t, out)
		b := slices.Index(table[0], "b")
		if b < 0 {
			t.Errorf("%s: datapoint b has no column of its own: %q", ext, table[0])
			continue
		}
		var column []string
		for _, row := range table[1:] {
			column = append(column, row[b])
		}
		if d := cmp.Diff([]string{"1", "0", "", ""}, column); d != "" {
			t.Errorf("%s: %s", ext, d)
		}
	}
}

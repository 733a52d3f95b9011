package survey_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/formats/csv"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// What a store says of its records is written and read back as it is, of ragged surveys with several namespaces, too.
func TestRecordsComeBack(t *testing.T) {
	for seed := range uint64(200) {
		want := storetest.NewRandom(seed).Study().Survey
		text, err := survey.WriteRecords(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := survey.ReadRecords(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if d := cmp.Diff(want, got, cmpopts.IgnoreFields(audience.Question{}, "Separate")); d != "" {
			t.Fatalf("seed %d: %s", seed, d)
		}
	}
}

// relabelStore is a ragged survey of two namespaces: local was asked in fr alone, and fr starts late.
func relabelStore(t *testing.T) *naive.Store {
	t.Helper()
	text := `id,wave,place,w,v,sex,brand_acme,brand_local,age,g_x
1,w1,uk,1,2,m,1,,30,1
2,w1,uk,2,,f,0,,40,2
3,w2,uk,4,1,f,1,,50,1
4,w2,fr,8,,m,0,1,20,2
5,w2,fr,16,3,f,1,0,70,1
`
	book, err := survey.ReadCodebook([]byte(`{"name": "Drinks",
  "namespaces": [{"code": "core", "weight": {"column": "w"}},
    {"code": "more", "base": "core", "weight": {"column": "v", "missing": "zero"}}],
  "respondent": {"column": "id"},
  "wave": {"column": "wave", "values": [{"code": "w1", "start": "2024-01-01"}, {"code": "w2", "start": "2024-04-01"}]},
  "location": {"column": "place", "values": [{"code": "uk"}, {"code": "fr"}]},
  "questions": [
    {"code": "sex", "type": "single", "column": "sex", "datapoints": [{"code": "m", "midpoint": 1}, {"code": "f"}]},
    {"code": "brand", "type": "multi", "datapoints": [{"code": "acme", "column": "brand_acme"},
      {"code": "local", "column": "brand_local", "asked": [{"location": "fr"}]}]},
    {"code": "age", "type": "number", "column": "age", "unit": "years", "bands": [{"code": "young", "to": 39},
      {"code": "old", "from": 40}]},
    {"code": "g", "namespace": "more", "type": "grid", "suffixes": [{"code": "1", "midpoint": 0}, {"code": "2"}],
      "datapoints": [{"code": "x", "column": "g_x"}]}],
  "categories": [{"id": "c", "name": "All", "questions": ["sex", "more.g"]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	table, err := csv.New(strings.NewReader(text), csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	source, err := survey.NewSource(table, book, 1)
	if err != nil {
		t.Fatal(err)
	}
	st := &naive.Store{}
	if _, err := survey.Import(t.Context(), source, st, survey.Options{}); err != nil {
		t.Fatal(err)
	}
	return st
}

// What would change a figure is refused, with its place, and nothing is published.
func TestRelabelRefuses(t *testing.T) {
	st := relabelStore(t)
	frame, err := st.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	whole, err := survey.WriteRecords(frame.Survey)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, from, to, path string }{
		{"a question's code", `"code": "sex"`, `"code": "gender"`, "questions[0].code"},
		{"a kind", `"type": "single"`, `"type": "multi"`, "questions[0].type"},
		{"a datapoint's code", `"code": "acme"`, `"code": "acne"`, "questions[1].datapoints[0].code"},
		{"a midpoint", `"midpoint": 1`, `"midpoint": 2`, "questions[0].datapoints[0].midpoint"},
		{"a suffix's midpoint", `"midpoint": 0`, `"midpoint": 2`, "questions[3].suffixes[0].midpoint"},
		{"where it was asked", `"location": "fr"`, `"location": "uk"`, "questions[1].datapoints[1].asked"},
		{"a namespace of a question", `"namespace": "more"`, `"namespace": "core"`, "questions[3].code"},
		{"a base", `"base": "core"`, `"base": ""`, "namespaces[1].base"},
		{"a universe", `"base": "core"`, `"base": "core", "universe": "sum"`, "namespaces[1].universe"},
		{"the order of waves", `"start": "2024-04-01"`, `"start": "2023-04-01"`, "wave.values"},
		{"a location's code", `"code": "uk"`, `"code": "gb"`, "location.values[0].code"},
		{"a misspelt member", `"unit": "years"`, `"units": "years"`, "questions[2].units"},
		{"a category of a question that is not there", `"more.g"`, `"more.h"`, "categories[0].questions[1]"},
		{"no JSON", `{`, `[`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(string(whole), c.from, c.to, 1)
			if text == string(whole) {
				t.Fatalf("no %s in\n%s", c.from, whole)
			}
			to, err := survey.ReadRecords([]byte(text))
			if err == nil {
				_, _, err = survey.Relabel(t.Context(), st, to)
			}
			var own *survey.CodebookError
			if !errors.As(err, &own) || own.Path != c.path {
				t.Errorf("%v, want a *CodebookError at %q", err, c.path)
			}
		})
	}
	for _, less := range []func(*audience.Survey){
		func(s *audience.Survey) { s.Questions = s.Questions[1:] },
		func(s *audience.Survey) { s.Questions[0].Datapoints = s.Questions[0].Datapoints[1:] },
		func(s *audience.Survey) { s.Waves = s.Waves[1:] },
		func(s *audience.Survey) { s.Namespaces = s.Namespaces[:1] },
		func(s *audience.Survey) { slices.Reverse(s.Namespaces) },
	} {
		to, err := survey.ReadRecords(whole)
		if err != nil {
			t.Fatal(err)
		}
		less(to)
		if _, _, err := survey.Relabel(t.Context(), st, to); err == nil {
			t.Errorf("%+v was taken", to)
		}
	}
	if now, err := st.Frame(t.Context()); err != nil || now.Version != frame.Version {
		t.Errorf("version %d, %v", now.Version, err)
	}
}

// A question that is hidden can be used by nobody, until it is shown again; its figures are then what they were.
func TestRelabelHides(t *testing.T) {
	st := relabelStore(t)
	ask := func() (*audience.Crosstab, error) {
		tabs, err := audience.Tabulate(t.Context(), st, func(*audience.Frame) ([]audience.Spec, error) {
			local := audience.Answers{Question: "brand", Datapoints: []string{"local"}}
			return []audience.Spec{{Rows: []audience.Expr{local}}}, nil
		})
		if err != nil {
			return nil, err
		}
		return tabs[0], nil
	}
	before, err := ask()
	if err != nil {
		t.Fatal(err)
	}
	for _, hidden := range []bool{true, false} {
		frame, err := st.Frame(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		to := frame.Survey.Clone()
		to.Questions[1].Hidden = hidden
		if _, changes, err := survey.Relabel(t.Context(), st, to); err != nil || !slices.Equal(changes,
			[]string{`question "core.brand"`}) {
			t.Fatal(changes, err)
		}
		if frame, err = st.Frame(t.Context()); err != nil || frame.HidesQuestion(1) != hidden ||
			frame.HidesDatapoint(1, 1) != hidden || frame.HidesQuestion(0) {
			t.Errorf("hidden %v: the frame says otherwise, %v", hidden, err)
		}
		grant := audience.All()
		grant.Locations = []string{"fr"}
		if seen := frame.For(grant); seen.HidesQuestion(1) != hidden {
			t.Errorf("hidden %v: another caller sees it otherwise", hidden)
		}
	}
	after, err := ask()
	if err != nil {
		t.Fatal(err)
	}
	a, b := before.Cell(1, 0).Both, after.Cell(1, 0).Both
	if a.Sample != 1 || a.Sample != b.Sample || a.Size != b.Size {
		t.Errorf("%v, before %v", b, a)
	}
}

// FuzzReadRecords reads any text: what is wrong with it is a *CodebookError, and what is read comes back.
func FuzzReadRecords(f *testing.F) {
	for seed := range uint64(3) {
		text, err := survey.WriteRecords(storetest.NewRandom(seed).Study().Survey)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := survey.ReadRecords(text)
		if own := (*survey.CodebookError)(nil); err != nil {
			if !errors.As(err, &own) {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		again, err := survey.WriteRecords(s)
		if err != nil {
			t.Fatal(err)
		}
		got, err := survey.ReadRecords(again)
		if d := cmp.Diff(s, got, cmpopts.EquateEmpty()); d != "" || err != nil {
			t.Fatal(d, err)
		}
	})
}

package sqlite

import (
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/insights"
	"github.com/crosswave/crosswave/saved"
	"github.com/crosswave/crosswave/store/formats/csv"
	"github.com/crosswave/crosswave/store/survey"
)

// A store that was written in format 4, with a frame of its own beside the survey, opens and is what it was: it holds
// the survey of httpapi/testdata/ragged, its insights, a saved audience and a key, all put in by the program of that
// time.
func TestStoreOfFormat4(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	unpack(t, "testdata/format4.db.gz", path)
	old := openStore(t, path, Config{})
	again := openStore(t, Memory, Config{})
	ragged := "../../httpapi/testdata/ragged/"
	text, err := os.ReadFile(ragged + "codebook.json")
	check(t, err)
	book, err := survey.ReadCodebook(text)
	check(t, err)
	table, err := csv.Open(ragged+"data.csv", csv.Options{})
	check(t, err)
	defer table.Close()
	src, err := survey.NewSource(table, book, 0)
	check(t, err)
	_, err = survey.Import(t.Context(), src, again, survey.Options{})
	check(t, err)

	var format int
	check(t, old.read.QueryRow(`PRAGMA user_version`).Scan(&format))
	if steps, err := migrations(); err != nil || format != len(steps) {
		t.Errorf("the file is of format %d after it was opened, of %d (%v)", format, len(steps), err)
	}
	have, err := old.Frame(t.Context())
	check(t, err)
	want, err := again.Frame(t.Context())
	check(t, err)
	if diff := cmp.Diff(want.Survey, have.Survey); diff != "" {
		t.Error(diff)
	}
	before, after := have.Coverage(), want.Coverage()
	after.Numbers = nil // which were not kept then
	if diff := cmp.Diff(after, before); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(everyMargin(t, again), everyMargin(t, old)); diff != "" {
		t.Error(diff)
	}
	was, err := old.Release(t.Context())
	check(t, err)
	is, err := again.Release(t.Context())
	check(t, err)
	for i := range is.Facts {
		is.Facts[i].Noticed, is.Facts[i].Numbers = nil, nil // likewise
	}
	if diff := cmp.Diff(is.Facts, was.Facts); diff != "" {
		t.Error(diff)
	}

	women, _, err := saved.List(t.Context(), old, "1", saved.Filter{})
	check(t, err)
	if len(women) != 1 || women[0].Name != "Women" || women[0].Description != "Gender: Women" {
		t.Errorf("%+v", women)
	}
	page, err := insights.List(t.Context(), old, insights.Filter{})
	check(t, err)
	if page.Total != 4 {
		t.Errorf("%d insights", page.Total)
	}
	keys, err := old.ListKeys(t.Context())
	check(t, err)
	if len(keys) != 1 || keys[0].Name != "old" {
		t.Errorf("%+v", keys)
	}
	numbersOfFormat8(t, old, again, src)
	_, err = survey.Withdraw(t.Context(), old, []string{"w1"}) // it can be written to
	check(t, err)
	if f, err := old.Frame(t.Context()); err != nil || fmt.Sprint(len(f.Waves), f.Version) != "1 3" {
		t.Error(len(f.Waves), f.Version, err)
	}
}

// numbersOfFormat8: a store that was imported before numbers were kept has bands of them and nobody with a number,
// which its warnings tell. Wave by wave they come with the file imported again, and figures leave out the waves
// without.
func numbersOfFormat8(t *testing.T, old, again *Store, src survey.Source) {
	t.Helper()
	bandsOnly := func() (places []string) {
		r, err := old.Release(t.Context())
		check(t, err)
		for _, w := range r.Warnings() {
			if w.Kind == survey.BandsOnly {
				places = append(places, w.Question+" "+w.Wave+"/"+w.Location)
			}
		}
		return places
	}
	want := []string{"core.age w1/north", "core.age w1/south", "core.age w2/north", "core.age w2/south",
		"core.age w2/east"}
	if diff := cmp.Diff(want, bandsOnly()); diff != "" {
		t.Error(diff)
	}
	everyone := func(s *Store, wave string) []*audience.Table {
		f, err := s.Frame(t.Context())
		check(t, err)
		q := audience.Query{Namespace: "core", Rows: []audience.Expr{
			audience.Slice{Question: "core.age", Bit: audience.AnyNumber},
			audience.Answers{Question: "core.age", Datapoints: []string{"young"}, Min: 1}}}
		all := audience.NewCover(f.Size())
		for l := range f.Locations {
			all.Set(f.At(f.Wave(wave), l))
		}
		q.Strata = []audience.Cover{all}
		tables, err := s.Count(t.Context(), f.Version, []audience.Query{q})
		check(t, err)
		return tables[0]
	}
	if n := everyone(old, "w1")[0].At(1, 0).Sample; n != 0 {
		t.Errorf("%d respondents have a number that was not kept", n)
	}
	_, err := survey.Import(t.Context(), src, old, survey.Options{Mode: survey.Replace, ReplaceWaves: []string{"w1"}})
	if err == nil {
		t.Fatal("the file has other waves, too")
	}
	_, err = survey.Import(t.Context(), oneWave{src, 0}, old, survey.Options{Mode: survey.Replace,
		ReplaceWaves: []string{"w1"}})
	check(t, err)
	if diff := cmp.Diff(want[2:], bandsOnly()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(everyone(again, "w1"), everyone(old, "w1")); diff != "" {
		t.Error(diff)
	}
	f, err := old.Frame(t.Context())
	check(t, err)
	q, err := f.Question("core.age")
	check(t, err)
	if codes := f.WaveCodes(f.Numbers(q).Asked); fmt.Sprint(codes) != "[w1]" {
		t.Errorf("numbers are kept of waves %v", codes)
	}
}

// oneWave is a source cut to one of its waves.
type oneWave struct {
	survey.Source
	wave int
}

func (o oneWave) Respondents(ctx context.Context) iter.Seq2[*survey.Batch, error] {
	return func(yield func(*survey.Batch, error) bool) {
		for b, err := range o.Source.Respondents(ctx) {
			if err == nil {
				cut := *b
				cut.Respondents = slices.DeleteFunc(slices.Clone(b.Respondents), func(r survey.Respondent) bool {
					return r.Wave != o.wave
				})
				b = &cut
			}
			if !yield(b, err) {
				return
			}
		}
	}
}

// Folders of a store that knew no owners of folders go to those who have audiences in them, the numbers to the first;
// nothing else of the audiences changes, and numbers that were given out are not given out again.
func TestFoldersGetTheirUsers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	unpack(t, "testdata/format4.db.gz", path)
	db, err := sql.Open("sqlite", "file:"+path)
	check(t, err)
	for _, statement := range []string{
		`INSERT INTO folder (v1, id) VALUES (1, 'both'), (2, 'second'), (3, 'empty'), (4, 'gone')`,
		`DELETE FROM folder WHERE v1 = 4`,
		`INSERT INTO saved SELECT 12, 'c', 2, 'C', description, expression, '["x"]', 1, '["isP2"]', 1, 1.5, 1, 7, ` +
			`8, 9 FROM saved`,
		`INSERT INTO saved SELECT 11, 'b', 5, 'B', '', expression, '[]', 0, '[]', 1, 2, 0, 7, 8, 9 FROM saved WHERE user = 1`,
		`INSERT INTO saved SELECT 13, 'd', 2, 'D', '', expression, '[]', 0, '[]', 2, 2, 0, 7, 8, 9 FROM saved WHERE user = 1`,
		`INSERT INTO saved SELECT 14, 'e', 2, 'E', '', expression, '[]', 0, '[]', NULL, 2, 0, 7, 8, 9 FROM saved ` +
			`WHERE user = 1`,
		`INSERT INTO saved SELECT 20, 'f', 1, 'F', '', expression, '[]', 0, '[]', NULL, 2, 0, 7, 8, 9 FROM saved ` +
			`WHERE user = 1`,
		`DELETE FROM saved WHERE v1 = 20`,
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(statement, err)
		}
	}
	check(t, db.Close())
	s := openStore(t, path, Config{})
	for id, want := range map[string]saved.Folder{"b": {ID: "both", V1: 1}, "c": {ID: "both", V1: 4},
		"d": {ID: "second", V1: 2}, "e": {ID: saved.NoFolder}} {
		a, err := s.Saved(t.Context(), id)
		check(t, err)
		if got := (saved.Folder{ID: a.FolderID, V1: a.Folder}); got != want || a.Version != 9 || a.Created.UnixNano() != 7 {
			t.Errorf("%s lies in %v, want %v", id, got, want)
		}
		if id == "c" && (a.V1ID != 12 || a.User != "2" || a.UserNumber != 2 || a.Name != "C" || a.Position != 1.5 ||
			!a.Shared || !a.DatasetsSet || fmt.Sprint(a.Datasets, a.Flags) != "[x] [isP2]" || a.Description != "Gender: Women") {
			t.Errorf("%+v", a)
		}
	}
	for user, want := range map[string]string{"2": "[{second 2} {empty 3} {both 4}]", "5": "[{both 1} {empty 3}]",
		"1": "[{empty 3}]"} {
		if list, err := s.Folders(t.Context(), user); err != nil || fmt.Sprint(list) != want {
			t.Errorf("user %s has %v (%v), want %s", user, list, err, want)
		}
	}
	a := audienceOf("new", "7")
	a.FolderID = "empty"
	if a = insert(t, s, a); a.Folder != 3 || a.V1ID != 21 {
		t.Errorf("%+v", a)
	}
	if list, err := s.Folders(t.Context(), "1"); len(list) > 0 || err != nil {
		t.Error(list, err)
	}
	var broken int
	check(t, s.read.QueryRow(`SELECT count(*) FROM pragma_foreign_key_check`).Scan(&broken))
	if broken > 0 {
		t.Errorf("%d references lead nowhere", broken)
	}
}

// A frame that does not go with the survey beside it is damage, not a store with another survey's coverage.
func TestFormat4ThatDoesNotFit(t *testing.T) {
	one := &audience.Survey{Waves: []audience.Wave{{Code: "w2"}, {Code: "w1", Start: "2024-01-01"}},
		Namespaces: []audience.Namespace{{Code: "core"}},
		Questions:  []audience.Question{{Namespace: "core", Code: "q", Datapoints: []audience.Datapoint{{Code: "a"}}}}}
	frame := func() *storedFrame {
		f := &storedFrame{Waves: []audience.Wave{{Code: "w1"}, {Code: "w2"}}, Namespaces: []storedNamespace{{Code: "core"}},
			Covers: [][]uint64{{1}}}
		check(t, json.Unmarshal([]byte(`{"questions": [{"namespace": "core", "code": "q", "datapoints": [{"code": `+
			`"a"}]}]}`), f))
		return f
	}
	if _, err := frame().coverage(one.Clone()); err != nil {
		t.Error("waves as they were listed:", err)
	}
	for name, spoil := range map[string]func(*storedFrame){
		"a wave":      func(f *storedFrame) { f.Waves[1].Code = "w3" },
		"no wave":     func(f *storedFrame) { f.Waves = f.Waves[1:] },
		"a question":  func(f *storedFrame) { f.Questions[0].Code = "p" },
		"no question": func(f *storedFrame) { f.Questions = nil },
		"a datapoint": func(f *storedFrame) { f.Questions[0].Datapoints[0].Code = "b" },
	} {
		f := frame()
		spoil(f)
		if _, err := f.coverage(one.Clone()); err == nil {
			t.Errorf("%s that is another is taken", name)
		}
	}
}

// unpack writes the contents of a compressed file.
func unpack(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	check(t, err)
	defer in.Close()
	z, err := gzip.NewReader(in)
	check(t, err)
	data, err := io.ReadAll(z)
	check(t, err)
	check(t, os.WriteFile(to, data, 0o600))
}

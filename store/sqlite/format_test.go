package sqlite

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
	if diff := cmp.Diff(want.Coverage(), have.Coverage()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(everyMargin(t, again), everyMargin(t, old)); diff != "" {
		t.Error(diff)
	}
	before, err := old.Release(t.Context())
	check(t, err)
	after, err := again.Release(t.Context())
	check(t, err)
	if diff := cmp.Diff(after.Facts, before.Facts); diff != "" {
		t.Error(diff)
	}

	women, err := saved.List(t.Context(), old, 1, saved.Filter{})
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
	_, err = survey.Withdraw(t.Context(), old, []string{"w1"}) // it can be written to
	check(t, err)
	if f, err := old.Frame(t.Context()); err != nil || fmt.Sprint(len(f.Waves), f.Version) != "1 2" {
		t.Error(len(f.Waves), f.Version, err)
	}
}

// A frame that does not go with the survey beside it is damage, not a store with another survey's coverage.
func TestFormat4ThatDoesNotFit(t *testing.T) {
	one := &audience.Survey{Waves: []audience.Wave{{Code: "w2"}, {Code: "w1", Start: "2024-01-01"}},
		Namespaces: []audience.Namespace{{Code: "core"}},
		Questions:  []audience.Question{{Namespace: "core", Code: "q", Datapoints: []audience.Datapoint{{Code: "a"}}}}}
	frame := func() *storedFrame {
		f := &storedFrame{Waves: []storedWave{{"w1"}, {"w2"}}, Namespaces: []storedNamespace{{Code: "core"}},
			Covers: [][]uint64{{1}}}
		check(t, json.Unmarshal([]byte(`{"questions": [{"namespace": "core", "code": "q", "datapoints": [{"code": "a"}]}]}`), f))
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

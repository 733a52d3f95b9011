package guess_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
)

// numberedTable is a table whose columns are called V1, V2 and so on.
type numberedTable struct{ survey.Table }

func (t numberedTable) Header() []string {
	names := slices.Clone(t.Table.Header())
	for i := range names {
		names[i] = fmt.Sprintf("V%d", i+1)
	}
	return names
}

// Files whose columns are called by words are read the same where their columns are numbered and the words are the
// labels, as programs write them for others.
func TestNumberedColumns(t *testing.T) {
	if testing.Short() {
		t.Skip("whole files take a while")
	}
	list := corpusList(t)
	paths := corpusPaths(t, list)
	n := 0
	for i := range list {
		path, ok := paths[list[i].SHA256]
		if !ok || list[i].Bytes > 1<<20 {
			continue
		}
		f, err := formats.Open(path, formats.Options{})
		if err != nil {
			continue // TestCorpus tells which are refused
		}
		defer f.Close()
		worded := 0
		for _, c := range f.Columns {
			worded += btoi(c.Label == "" && !c.Virtual && len(strings.Fields(c.Name)) > 3)
		}
		if len(f.Columns) < 10 || 2*worded < len(f.Columns) || worded == 0 || len(f.Sets) > 0 {
			continue
		}
		n++
		numbered := f.File
		numbered.Table = numberedTable{f.Table}
		numbered.Columns = slices.Clone(f.Columns)
		for k := range numbered.Columns {
			numbered.Columns[k].Name, numbered.Columns[k].Label = fmt.Sprintf("V%d", k+1), f.Columns[k].Name
		}
		want, err := guess.Codebook(t.Context(), &f.File, guess.Options{})
		if err != nil {
			continue
		}
		got, err := guess.Codebook(t.Context(), &numbered, guess.Options{})
		if err != nil {
			t.Errorf("%s: %v", list[i].Name, err)
			continue
		}
		if d := cmp.Diff(kindsOf(want), kindsOf(got)); d != "" {
			t.Errorf("%s: %s", list[i].Name, d)
		}
	}
	if n == 0 {
		t.Skip("no file of the corpus is here whose columns are called by sentences")
	}
	t.Logf("%d files", n)
}

// kindsOf tells of each column how it is read, and which columns are one question.
func kindsOf(m *guess.Result) (kinds []string) {
	first := map[string]int{}
	for i, r := range m.Columns {
		kind := r.As
		if r.Of != "" {
			if _, known := first[r.Of]; !known {
				first[r.Of] = i
			}
			kind += fmt.Sprintf(" of column %d", first[r.Of]+1)
		}
		kinds = append(kinds, kind)
	}
	return kinds
}

// Questions have the words that were asked as their names, where columns are called by these with points or lines in
// place of spaces, and columns keep the names that they have.
func TestSpokenNames(t *testing.T) {
	f := repeated(60, "id|How.satisfied.are.you.with.your.life.|X2..Do.you.live.in.the.town.|"+
		"Where.did.you.live.as.a.child",
		count(1), among("1", "2", "3"), among("yes", "no"), among("here", "elsewhere", "abroad")).file()
	m := guessed(t, f, guess.Options{Location: "Where.did.you.live.as.a.child"})
	var got []string
	for i, q := range m.Codebook.Survey.Questions {
		got = append(got, q.Code+": "+q.Name+" ("+m.Codebook.Questions[i].Column+")")
	}
	want := []string{
		"how_satisfied_are_you_with_your_life: How satisfied are you with your life (How.satisfied.are.you.with.your.life.)",
		"x2_do_you_live_in_the_town: 2, Do you live in the town (X2..Do.you.live.in.the.town.)",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if m.Codebook.Location.Column != "Where.did.you.live.as.a.child" {
		t.Errorf("location: %+v", m.Codebook.Location)
	}
}

// A column without a name is not used, whatever it holds.
func TestUnnamedColumn(t *testing.T) {
	f := repeated(60, "id||sex", count(1), among("0", "1", "9", "1"), among("f", "m")).file()
	got := readings(guessed(t, f, guess.Options{}))
	if got[""] != "not used" || got["sex"] != "single sex" {
		t.Errorf("read as %q", got)
	}
}

// A set that the file declares holds its columns, however they are called by the rules.
func TestSetOfNumberedColumns(t *testing.T) {
	f := repeated(60, "V1|V2|V3|V4|V5|V6|V7|V8", count(1), among("1", "2"), among("1", "0"), among("0", "1", "0"),
		among("0", "0", "1"), among("1", "2", "3"), among("1", "2", "3", "4"), among("3", "2")).file()
	for i, label := range []string{"Number of the respondent here", "What is your sex today?", "Do you drink any tea?",
		"Would you take some coffee?", "Is milk good for you?", "How happy are you today?", "How often do you go out?",
		"How many rooms are there?"} {
		f.Columns[i].Label = label
	}
	f.Sets = []guess.Set{{Name: "$drinks", Label: "Drinks", Columns: []string{"V3", "V4", "V5"},
		Options: []string{"Tea", "Coffee", "Milk"}, Value: "1"}}
	got := readings(guessed(t, f, guess.Options{}))
	for _, column := range []string{"V3", "V4", "V5"} {
		if got[column] != "multi drinks" {
			t.Errorf("%s: read as %q", column, got[column])
		}
	}
}

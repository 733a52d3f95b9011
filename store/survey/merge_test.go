package survey

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestSettleAsked: what two surveys declare differently is written out as the frame has it.
func TestSettleAsked(t *testing.T) {
	book := `{"namespaces": [{"code": "core"}], "respondent": {"column": "id"}, "wave": {"column": "w", "values": [{"code": "1"}, {"code": "2"}]},
	  "questions": [{"code": "q", "type": "single", "column": "q", ASKED "datapoints": [{"code": "1"}, {"code": "2"}]},
	    {"code": "same", "type": "single", "column": "q", "asked": [{}], "datapoints": [{"code": "1"}]},
	    {"code": "found", "type": "single", "column": "q", "datapoints": [{"code": "1"}]},
	    {"code": "ONLY", "type": "single", "column": "q", "asked": [{}], "datapoints": [{"code": "1"}, {"code": "2", "asked": []}]}]}`
	m := &memory{}
	ctx := context.Background()
	one := strings.NewReplacer("ASKED", `"asked": [{"wave": "1"}],`, "ONLY", "first").Replace(book)
	two := strings.NewReplacer("ASKED", `"asked": [{"wave": "2"}],`, "ONLY", "second").Replace(book)
	if _, err := Import(ctx, open(t, one, "id,w,q\n1,1,1\n", csvOptions{}), m, Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := Import(ctx, open(t, two, "id,w,q\n2,2,1\n", csvOptions{}), m, Options{Mode: Append}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range m.release.Frame.Questions {
		got = append(got, fmt.Sprint(q.Code, " ", q.Asked, q.Asked == nil))
		for _, d := range q.Datapoints {
			got = append(got, fmt.Sprint(q.Code, ":", d.Code, " ", d.Asked, d.Asked == nil))
		}
	}
	want := []string{
		"q [{1 all} {2 all}] false", "q:1 [] true", "q:2 [] true", "same [{ }] false", "same:1 [] true",
		"found [] true", "found:1 [] true",
		"second [] true", "second:1 [{2 all}] false", "second:2 [] false", "first [] true", "first:1 [{1 all}] false",
		"first:2 [] false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestCategoriesMerge: categories keep their questions, with a namespace where a code would mean another one.
func TestCategoriesMerge(t *testing.T) {
	book := `{"namespaces": [{"code": "NS"}], "respondent": {"column": "id"}, "wave": {"values": [{"code": "WAVE"}]},
	  "questions": [{"code": "q", "type": "single", "column": "q", "datapoints": [{"code": "1"}]}, {"code": "OWN", "type": "single", "column": "q", "datapoints": [{"code": "1"}]}],
	  "categories": [{"id": "c", "name": "NS", "questions": ["q", "OWN"]}]}`
	m := &memory{}
	ctx := context.Background()
	for i, names := range []*strings.Replacer{strings.NewReplacer("NS", "a", "WAVE", "1", "OWN", "x"),
		strings.NewReplacer("NS", "b", "WAVE", "2", "OWN", "y")} {
		mode := []Mode{Create, Append}[i]
		if _, err := Import(ctx, open(t, names.Replace(book), "id,q\n1,1\n", csvOptions{}), m,
			Options{Mode: mode}); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"q", "x", "b.q", "y"}, m.release.Frame.Categories[0].Questions); diff != "" {
		t.Error(diff)
	}
	if m.release.Frame.Categories[0].Name != "b" || m.release.Frame.Namespaces[0].Code != "a" {
		t.Errorf("%+v", m.release.Frame.Survey)
	}
}

// TestMergeDescriptions: a survey merged with itself is itself, and what a file says of a record replaces what is
// stored.
func TestMergeDescriptions(t *testing.T) {
	text, err := os.ReadFile("testdata/full.json")
	if err != nil {
		t.Fatal(err)
	}
	c, err := ReadCodebook(text)
	if err != nil {
		t.Fatal(err)
	}
	same, changes, err := mergeSurveys(c.Survey, c.Survey)
	if err != nil || len(changes) > 0 {
		t.Fatal(changes, err)
	}
	if diff := cmp.Diff(c.Survey, same, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	// The same with other texts, over a survey of codes alone: what comes out is what the file says.
	bare,
		err := ReadCodebook(
		[]byte(`{"namespaces": [{"code": "core", "universe": "sum"}, {"code": "shop", "base": "core"}], "respondent": {"column": "id"},
	  "wave": {"column": "w", "values": [{"code": "w1"}, {"code": "w2"}]}, "location": {"column": "l", "values": [{"code": "n"}, {"code": "none"}]},
	  "questions": [{"code": "q1", "name": "Old", "type": "single", "column": "q", "datapoints": [{"code": "a"}, {"code": "b"}, {"code": "c"}]},
	    {"code": "q4", "type": "grid", "suffixes": [{"code": 0}, {"code": 2147483647}], "datapoints": [{"code": "g1", "column": "g"}]}],
	  "categories": [{"id": "c1"}, {"id": "c2"}], "datasets": [{"code": "d1"}, {"code": "d2"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	before, err := WriteCodebook(bare)
	if err != nil {
		t.Fatal(err)
	}
	got, changes, err := mergeSurveys(bare.Survey, c.Survey)
	if err != nil {
		t.Fatal(err)
	}
	withoutAsked := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Asked" }, cmp.Ignore())
	// average is as good as none
	withoutUniverse := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Universe" }, cmp.Ignore())
	if diff := cmp.Diff(c.Survey, got, cmpopts.EquateEmpty(), withoutAsked, withoutUniverse); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{`question "core.q1" is now named "One", before "Old"`}, changes); diff != "" {
		t.Error(diff)
	}
	if after, err := WriteCodebook(bare); err != nil || string(after) != string(before) {
		t.Errorf("the stored survey has changed (%v): %s", err, cmp.Diff(string(before), string(after)))
	}
}

// TestMergeLists: what is new stands where the file has it.
func TestMergeLists(t *testing.T) {
	for _, c := range [][3]string{
		{"abc", "abc", "abc"}, {"abc", "cba", "abc"}, {"", "ab", "ab"}, {"ab", "", "ab"}, {"ab", "cd", "abcd"},
		{"abd", "bcd", "abcd"},
		{"ab", "xaybz", "xaybz"}, {"abc", "xycz", "abxycz"}, {"acb", "a1c2b3", "a1c2b3"},
	} {
		split := func(s string) []string { return strings.Split(s, "")[:len(s)] }
		got := strings.Join(mergeLists(split(c[0]), split(c[1]), func(s *string) string { return *s },
			func(to, from *string) {}), "")
		if got != c[2] {
			t.Errorf("%s with %s: %s, want %s", c[0], c[1], got, c[2])
		}
	}
}

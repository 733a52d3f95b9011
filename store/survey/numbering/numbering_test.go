package numbering_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey/numbering"
)

// question is one with the datapoints and suffixes.
func question(datapoints []string, suffixes ...int) *audience.Question {
	q := &audience.Question{Namespace: "core", Code: "q"}
	for _, d := range datapoints {
		q.Datapoints = append(q.Datapoints, audience.Datapoint{Code: d})
	}
	for _, s := range suffixes {
		q.Suffixes = append(q.Suffixes, audience.Suffix{Code: s})
	}
	return q
}

// Numbers stay as they are when a question is listed in another order, grows, loses datapoints and gets them back; and
// who holds the numbers from before does not see the new ones.
func TestExtend(t *testing.T) {
	var n numbering.Numbers
	next := uint32(10)
	take := func() uint32 { next++; return next - 1 }
	for _, c := range []struct {
		question *audience.Question
		want     []uint32 // in the order of survey.Layout
		after    uint32
	}{
		{question([]string{"a", "b"}, 1, 2), []uint32{10, 11, 12, 13}, 14},
		{question([]string{"b", "a"}, 1, 2), []uint32{12, 13, 10, 11}, 14},
		{question([]string{"b"}, 2), []uint32{13}, 14},
		{question([]string{"a", "b", "c"}, 2, 5), []uint32{11, 14, 13, 15, 16, 17}, 18},
		{question([]string{"a"}), []uint32{18}, 19}, // by itself it is another attribute than with any suffix
	} {
		before, err := json.Marshal(n)
		if err != nil {
			t.Fatal(err)
		}
		extended, got := n.Extend(c.question, take)
		if diff := cmp.Diff(c.want, got); diff != "" || extended.After() != c.after {
			t.Errorf("numbers (-want +got), after which comes %d, want %d:\n%s", extended.After(), c.after, diff)
		}
		if still, err := json.Marshal(n); err != nil || string(before) != string(still) {
			t.Errorf("the numbers from before were %s and are %s (%v)", before, still, err)
		}
		text, err := json.Marshal(extended)
		if err != nil {
			t.Fatal(err)
		}
		n = numbering.Numbers{}
		if err := json.Unmarshal(text, &n); err != nil {
			t.Fatal(err)
		}
	}
	want := `[{"code":"a","suffixes":[1,2,5,-1],"numbers":[10,11,14,18]},{"code":"b","suffixes":[1,2,5],"numbers":` +
		`[12,13,15]},{"code":"c","suffixes":[2,5],"numbers":[16,17]}]`
	if got, err := json.Marshal(n); err != nil || string(got) != want {
		t.Errorf("they are written %s, want %s (%v)", got, want, err)
	}
	if err := json.Unmarshal([]byte(`[{"code":"a","suffixes":[1,2],"numbers":[10]}]`), &n); err == nil {
		t.Error("two suffixes with one number were read")
	}
}

// A leaf is looked up by what it names, and where it names nothing by all there is.
func TestFind(t *testing.T) {
	f, err := audience.NewFrame(1, &audience.Survey{
		Waves: []audience.Wave{{Code: "w"}}, Locations: []audience.Location{{Code: "l"}},
		Namespaces: []audience.Namespace{{Code: "core"}},
		Questions: []audience.Question{
			{Namespace: "core", Code: "q", Datapoints: []audience.Datapoint{{Code: "a"}, {Code: "b"}, {Code: "c"}},
				Suffixes: []audience.Suffix{{Code: 1}, {Code: 2}}},
			{Namespace: "core", Code: "p", Datapoints: []audience.Datapoint{{Code: "a"}}},
		},
	}, audience.Coverage{})
	if err != nil {
		t.Fatal(err)
	}
	next := uint32(0)
	take := func() uint32 { next++; return next - 1 }
	grid, _ := numbering.Numbers{}.Extend(question([]string{"a", "b"}, 1, 2), take) // of c nothing is stored
	plain, _ := numbering.Numbers{}.Extend(question([]string{"a"}), take)
	for _, c := range []struct {
		leaf    audience.Answers
		numbers numbering.Numbers
		want    [][]uint32
		fault   string
	}{
		{audience.Answers{Question: "q"}, grid, [][]uint32{{0, 1}, {2, 3}}, ""},
		{audience.Answers{Question: "core.q", Datapoints: []string{"b", "a", "b"}}, grid, [][]uint32{{2, 3}, {0, 1}}, ""},
		{audience.Answers{Question: "q", Suffixes: []int{2, 2}}, grid, [][]uint32{{1}, {3}}, ""},
		{audience.Answers{Question: "q", Datapoints: []string{"c"}}, grid, nil, ""},
		{audience.Answers{Question: "p"}, plain, [][]uint32{{4}}, ""},
		{audience.Answers{Question: "x", Path: "here"}, grid, nil, `here: question "x" is not in the store`},
		{audience.Answers{Question: "q", Suffixes: []int{3}}, grid, nil, `question "q" has no suffix 3`},
		{audience.Answers{Question: "p", Suffixes: []int{1}}, plain, nil, `question "p" has no suffix 1`},
		{audience.Answers{Question: "q", Datapoints: []string{"d"}}, grid, nil, `question "q" has no datapoint "d"`},
	} {
		leaf, err := numbering.Find(f, c.leaf)
		if c.fault != "" {
			if invalid := (*audience.InvalidError)(nil); !errors.As(err, &invalid) || err.Error() != c.fault {
				t.Errorf("%v: the error is %v, want %s", c.leaf, err, c.fault)
			}
			continue
		}
		if err != nil {
			t.Errorf("%v: %v", c.leaf, err)
			continue
		}
		if diff := cmp.Diff(c.want, c.numbers.Of(leaf)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.leaf, diff)
		}
	}
}

package audience

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCheckListsEveryCode(t *testing.T) {
	f := ragged(t).For(Grant{Namespaces: []string{"*"}, Questions: []string{"q", "core.old", "grid", "s"},
		Datapoints: []string{"q:1", "old:*", "grid:*", "s:*"},
		Locations:  []string{"a", "b"}, Waves: []string{"w1", "w2"}})
	err := f.Check([]string{"w3", "w9"}, []string{"a", "c"},
		Use{"rows[0]", And{Answers{Question: "q", Datapoints: []string{"1", "2", "nope"}}, Answers{Question: "q"}}},
		Use{"columns[1]", Or{Answers{Question: "new"}, Answers{Question: "missing", Datapoints: []string{"1"}},
			Waves{Codes: []string{"w3", "w1"}}}},
		Use{"base_audience", And{Locations{Codes: []string{"x"}}, Answers{Question: "new", Datapoints: []string{"1"}},
			Answers{Question: "core.q", Datapoints: []string{"2"}}}},
		Use{"question", Answers{Question: "grid", Suffixes: []int{99}}},
	)
	want := &UnavailableError{
		Questions: []UnavailableQuestion{
			{Code: "q", Datapoints: []string{"2", "nope", "3"}, Origin: "rows[0]"},
			{Code: "new", Origin: "columns[1]"},
			{Code: "missing", Origin: "columns[1]"},
			{Code: "core.q", Datapoints: []string{"2"}, Origin: "base_audience"},
		},
		Waves: []string{"w3", "w9"}, Locations: []string{"c", "x"},
	}
	var got *UnavailableError
	if !errors.As(err, &got) {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestCheckOtherFaults(t *testing.T) {
	f := ragged(t)
	for _, c := range []struct {
		name string
		x    Answers
		want string
	}{
		{"unknown suffix", Answers{Question: "grid", Suffixes: []int{5, 99}, Path: "rows[0].expression"},
			`rows[0].expression.suffixes[1]: question "grid" has no suffix 99`},
		{"no grid", Answers{Question: "q", Suffixes: []int{5}},
			`suffixes: question "q" is no grid and has no suffixes: leave them out`},
		{"several namespaces", Answers{Question: "twice", Path: "expression"},
			`expression.question: question "twice" is in several namespaces: write one of stores.twice, other.twice`},
	} {
		if err := f.Check(nil, nil, Use{"rows[0]", c.x}); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
	if err := f.Check([]string{"w1"}, []string{"a"}, Use{"base", nil},
		Use{"rows[0]", Answers{Question: "other.twice"}}); err != nil {
		t.Error(err)
	}
}

func TestQuestionLookUp(t *testing.T) {
	f, err := NewFrame(1, &Survey{
		Namespaces: []Namespace{{Code: "a"}, {Code: "b"}, {Code: "c"}},
		Questions: []Question{{Namespace: "a", Code: "both"}, {Namespace: "b", Code: "both"}, {Namespace: "b", Code: "x.y"},
			{Namespace: "c", Code: "a"}, {Namespace: "b", Code: "gone"}},
	}, Coverage{})
	if err != nil {
		t.Fatal(err)
	}
	f = f.For(Grant{Namespaces: []string{"*"}, Questions: []string{"both", "x.y", "a"}})
	for code, want := range map[string]int{"both": 0, "b.both": 1, "x.y": 2, "b.x.y": 2, "a": 3, "c.a": 3, "a.a": -1,
		"none": -1, "z.both": -1, "gone": 4} {
		if got, err := f.Question(code); got != want || err != nil {
			t.Errorf("%s is question %d (%v), want %d", code, got, err, want)
		}
	}
}

func TestNewFrameRefuses(t *testing.T) {
	for want, f := range map[string]Survey{
		`namespace "a.b": a namespace code holds no dot`:     {Namespaces: []Namespace{{Code: "a.b"}}},
		`namespace "a" is built on "b", which is not listed`: {Namespaces: []Namespace{{Code: "a", Base: "b"}}},
		`namespace "a" is built on itself`: {Namespaces: []Namespace{{Code: "a", Base: "b"},
			{Code: "b", Base: "a"}}},
		`wave "w" is listed twice`: {Waves: []Wave{{Code: "w"}, {Code: "w"}}},
		`"waves" is reserved and can be no question's code`: {Namespaces: []Namespace{{Code: "a"}},
			Questions: []Question{{Namespace: "a", Code: "waves"}}},
		`question "q": suffix 1 is listed twice`: {Namespaces: []Namespace{{Code: "a"}},
			Questions: []Question{{Namespace: "a", Code: "q", Suffixes: []Suffix{{Code: 1}, {Code: 1}}}}},
		`question "q" is of namespace "b", which is not listed`: {Namespaces: []Namespace{{Code: "a"}},
			Questions: []Question{{Namespace: "b", Code: "q"}}},
		`question "q": suffix code -1 is not within 0 to 2147483647`: {Namespaces: []Namespace{{Code: "a"}},
			Questions: []Question{{Namespace: "a", Code: "q", Suffixes: []Suffix{{Code: -1}}}}},
	} {
		if _, err := NewFrame(1, &f, Coverage{}); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// spy answers nothing and remembers whether it was asked.
type spy struct {
	frame *Frame
	asked bool
}

func (s *spy) Frame(context.Context) (*Frame, error) { return s.frame, nil }
func (s *spy) Count(_ context.Context, _ uint64, qs []Query) ([][]*Table, error) {
	s.asked = true
	out := make([][]*Table, len(qs))
	for i, q := range qs {
		for range q.Strata {
			out[i] = append(out[i], NewTable(len(q.Rows), len(q.Columns)))
		}
	}
	return out, nil
}

// A restricted store refuses hidden codes whoever asks: it is the net below Check.
func TestRestrictFailsClosed(t *testing.T) {
	f := ragged(t)
	stratum := NewCover(f.Size())
	stratum.Set(f.At(1, 1)) // w2, b
	ok := Query{Namespace: "core", Rows: []Expr{Answers{Question: "core.q", Datapoints: []string{"1"}, Min: 1}},
		Strata: []Cover{stratum}}
	grant := Grant{Namespaces: []string{"core"}, Questions: []string{"q"}, Datapoints: []string{"*"},
		Locations: []string{"*"}, Waves: []string{"*"}}
	for name, change := range map[string]func(*Query, *Grant){
		"allowed":          func(*Query, *Grant) {},
		"hidden question":  func(q *Query, _ *Grant) { q.Columns = []Expr{Not{Answers{Question: "core.old", Min: 1}}} },
		"hidden datapoint": func(_ *Query, g *Grant) { g.Datapoints = []string{"q:2"} },
		"hidden namespace": func(_ *Query, g *Grant) { g.Namespaces = []string{"stores"} },
		"hidden wave":      func(_ *Query, g *Grant) { g.Waves = []string{"w1"} },
		"hidden location":  func(_ *Query, g *Grant) { g.Locations = []string{"a"} },
		"in the base": func(q *Query, _ *Grant) {
			q.Base = Or{Answers{Question: "stores.s", Datapoints: []string{"1"}, Min: 1}}
		},
		"nothing granted": func(_ *Query, g *Grant) { *g = Grant{} },
	} {
		s, q, g := &spy{frame: f}, ok, grant
		change(&q, &g)
		_, err := Restrict(s, g).Count(t.Context(), f.Version, []Query{q})
		var unavailable *UnavailableError
		if refused := errors.As(err, &unavailable); refused != (name != "allowed") || s.asked == refused {
			t.Errorf("%s: %v, engine asked: %v", name, err, s.asked)
		}
	}
	if _, err := Restrict(&spy{frame: f}, grant).Count(t.Context(), f.Version+1, []Query{ok}); !errors.Is(err,
		ErrChanged) {
		t.Errorf("another version: %v", err)
	}
}

// Numbers tell of all of a question's bands: who may not use one of them may not use a leaf of numbers, whoever asks.
func TestNumbersAreRefused(t *testing.T) {
	f := ragged(t)
	c := f.Coverage()
	stratum := NewCover(f.Size())
	stratum.Set(f.At(1, 1)) // w2, b
	c.Numbers = []Numbers{{Decimals: 2, Bits: 9, Asked: stratum}}
	f, err := NewFrame(f.Version, f.Survey, c)
	if err != nil {
		t.Fatal(err)
	}
	grant := Grant{Namespaces: []string{"core"}, Questions: []string{"q"}, Datapoints: []string{"q:1", "q:2", "q:3"},
		Locations: []string{"*"}, Waves: []string{"*"}}
	for name, change := range map[string]func(*Grant){
		"allowed":          func(*Grant) {},
		"hidden question":  func(g *Grant) { g.Questions = []string{"old"} },
		"hidden datapoint": func(g *Grant) { g.Datapoints = g.Datapoints[:2] },
		"hidden namespace": func(g *Grant) { g.Namespaces = []string{"stores"} },
	} {
		for _, leaf := range []Expr{Slice{Question: "core.q", Bit: AnyNumber}, Slice{Question: "core.q", Bit: 0},
			Slice{Question: "core.q", Bit: 8}, Value{Question: "core.q", Number: -256}, Value{Question: "core.q"}} {
			s, g := &spy{frame: f}, grant
			change(&g)
			q := Query{Namespace: "core", Base: And{Not{leaf}}, Strata: []Cover{stratum}}
			_, err := Restrict(s, g).Count(t.Context(), f.Version, []Query{q})
			var unavailable *UnavailableError
			if refused := errors.As(err, &unavailable); refused != (name != "allowed") || s.asked == refused {
				t.Errorf("%s, %+v: %v, engine asked: %v", name, leaf, err, s.asked)
			}
		}
	}
	for _, x := range []Slice{{Question: "q", Bit: 9, Path: "rows[0]"}, {Question: "q", Bit: -2, Path: "rows[0]"},
		{Question: "old", Bit: AnyNumber, Path: "rows[0]"}} {
		var invalid *InvalidError
		if err := f.Check(nil, nil, Use{"rows[0]", x}); !errors.As(err, &invalid) || invalid.Path != "rows[0].bit" {
			t.Errorf("%+v: %v", x, err)
		}
	}
	for _, x := range []Value{{Question: "q", Number: 256, Path: "rows[0]"},
		{Question: "q", Number: -257, Path: "rows[0]"}, {Question: "old", Path: "rows[0]"}} {
		var invalid *InvalidError
		if err := f.Check(nil, nil, Use{"rows[0]", x}); !errors.As(err, &invalid) || invalid.Path != "rows[0].number" {
			t.Errorf("%+v: %v", x, err)
		}
	}
}

func TestTabulateTriesAgainWhenTheStoreChanged(t *testing.T) {
	f := ragged(t)
	for changes, want := range map[int]error{0: nil, 3: nil, 100: ErrChanged} {
		s := &changing{spy: spy{frame: f}, left: changes}
		_, err := Tabulate(t.Context(), s, func(*Frame) ([]Spec, error) { return []Spec{{}}, nil })
		if !errors.Is(err, want) {
			t.Errorf("%d changes: %v", changes, err)
		}
	}
}

// What is asked in several counts is asked from the beginning if the store changes before the last of them.
func TestReadBeginsAgain(t *testing.T) {
	s := &between{spy: spy{frame: ragged(t)}}
	began, answered := 0, 0
	err := Read(t.Context(), s, func(r *Reading) error {
		began++
		answered = 0
		for range 3 {
			if _, err := r.Tabulate(t.Context(), Spec{}); err != nil {
				return err
			}
			answered++
		}
		return nil
	})
	if err != nil || began != 2 || answered != 3 || s.counts != 2+3 {
		t.Errorf("%v: began %d times, had %d answers of %d counts at the last", err, began, answered, s.counts)
	}
}

// between is a store that changes before its second count.
type between struct {
	spy
	counts int
}

func (b *between) Count(ctx context.Context, v uint64, qs []Query) ([][]*Table, error) {
	if b.counts++; b.counts == 2 {
		return nil, ErrChanged
	}
	return b.spy.Count(ctx, v, qs)
}

type changing struct {
	spy
	left int
}

func (c *changing) Count(ctx context.Context, v uint64, qs []Query) ([][]*Table, error) {
	if c.left--; c.left >= 0 {
		return nil, ErrChanged
	}
	return c.spy.Count(ctx, v, qs)
}

func TestDescribe(t *testing.T) {
	f := ragged(t)
	for x, want := range map[string]string{
		`{}`:                                  "Everyone",
		`{"question":"q","datapoints":["1"]}`: "Brands: Answer 1",
		`{"question":"q","datapoints":["1","2","3"],"min_count":2}`: "At least 2 of Brands: Answer 1, Answer 2, Answer 3",
		`{"question":"q","datapoints":["1","2","3"]}`:               "Brands: Answer 1, Answer 2 or Answer 3",
		`{"question":"q"}`: "Brands: any answer",
		`{"question":"grid","datapoints":["1"],"suffixes":["5","6"]}`: "Use: Answer 1 (Daily or Weekly)",
		`{"question":"waves","datapoints":["w1","w3"]}`:               "Wave Wave 1 or Wave 3",
		`{"question":"gone","datapoints":["7"]}`:                      "Gone: 7",
		`{"and":[{"question":"locations","datapoints":["a"]},{"or":[{"question":"q","datapoints":["1"]},{"question":"old","datapoints":["2"],"not":true}]}]}`: "Location Aland AND (Brands: Answer 1 OR NOT Old wording: Answer 2)",
		`{"and":[{"question":"q","datapoints":["1"]},{"question":"q","datapoints":["2"]}],"not":true}`:                                                        "NOT (Brands: Answer 1 AND Brands: Answer 2)",
	} {
		if got := Describe(parse(t, x), f); got != want {
			t.Errorf("%s\n got %s\nwant %s", x, got, want)
		}
	}
}

func ExampleDescribe() {
	f, err := NewFrame(1, &Survey{
		Namespaces: []Namespace{{Code: "core"}},
		Questions: []Question{
			{Namespace: "core", Code: "gender", Name: "Gender", Datapoints: []Datapoint{{Code: "f", Name: "Female"},
				{Code: "m", Name: "Male"}}},
			{Namespace: "core", Code: "sport", Name: "Sports tried",
				Datapoints: []Datapoint{{Code: "1", Name: "Surfing"}, {Code: "2", Name: "Skiing"}, {Code: "3", Name: "Sailing"}}},
		},
	}, Coverage{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(Describe(And{
		Answers{Question: "gender", Datapoints: []string{"f"}},
		Answers{Question: "sport", Datapoints: []string{"1", "2", "3"}, Min: 2},
	}, f))
	// Output: Gender: Female AND at least 2 of Sports tried: Surfing, Skiing, Sailing
}

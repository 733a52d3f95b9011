package audience

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// nodes are one node of each kind, as a value, as a pointer and as a pointer to nothing. What is inside them is
// pointers too.
var nodes = []struct {
	name                string
	value, pointer, nil Expr
}{
	{"And", And{Answers{Question: "q", Datapoints: []string{"1"}}, Answers{Question: "s"}},
		&And{&Answers{Question: "q", Datapoints: []string{"1"}}, &Answers{Question: "s"}}, (*And)(nil)},
	{"Or", Or{Answers{Question: "q"}, Waves{Codes: []string{"w1"}}},
		&Or{&Answers{Question: "q"}, &Waves{Codes: []string{"w1"}}}, (*Or)(nil)},
	{"an empty Or", Or{}, &Or{}, (*Or)(nil)},
	{"Not", Not{Answers{Question: "q"}}, &Not{&Answers{Question: "q"}}, (*Not)(nil)},
	{"Not of a Not", Not{Not{Answers{Question: "q"}}}, &Not{&Not{&Answers{Question: "q"}}}, (*Not)(nil)},
	{"Not of an empty Or", Not{Or{}}, &Not{&Or{}}, (*Not)(nil)},
	{"Answers", Answers{Question: "grid", Datapoints: []string{"2", "1"}, Suffixes: []int{6, 5}, Min: 2},
		&Answers{Question: "grid", Datapoints: []string{"2", "1"}, Suffixes: []int{6, 5}, Min: 2}, (*Answers)(nil)},
	{"Answers that are not there", Answers{Question: "gone"}, &Answers{Question: "gone"}, (*Answers)(nil)},
	{"Waves", Waves{Codes: []string{"w2"}}, &Waves{Codes: []string{"w2"}}, (*Waves)(nil)},
	{"Locations", Locations{Codes: []string{"c"}}, &Locations{Codes: []string{"c"}}, (*Locations)(nil)},
	{"Everyone", Everyone{}, &Everyone{}, (*Everyone)(nil)},
	{"Slice", Slice{Question: "q", Bit: AnyNumber}, &Slice{Question: "q", Bit: AnyNumber}, (*Slice)(nil)},
	{"Value", Value{Question: "q", Number: 3}, &Value{Question: "q", Number: 3}, (*Value)(nil)},
	{"Cut", Cut{Answers{Question: "q"}, Answers{Question: "old"}},
		&Cut{&Answers{Question: "q"}, &Answers{Question: "old"}}, (*Cut)(nil)},
	{"Cut in a Cut", Cut{Answers{Question: "q"}, Answers{Question: "old"}, Waves{}},
		&Cut{&Cut{&Answers{Question: "q"}, &Answers{Question: "old"}}, &Waves{}}, (*Cut)(nil)},
}

// functions are all that looks into an expression, each as what it has to say of one.
var functions = []struct {
	name string
	ask  func(*testing.T, *Frame, Expr) any
}{
	{"Frame.Check", func(t *testing.T, f *Frame, x Expr) any { return errorText(f.Check(nil, nil, Use{"rows[0]", x})) }},
	{"Describe", func(t *testing.T, f *Frame, x Expr) any { return Describe(x, f) }},
	{"Print", func(t *testing.T, f *Frame, x Expr) any { return string(Print(x)) }},
	{"Walk", func(t *testing.T, f *Frame, x Expr) any {
		var seen []Expr
		Walk(x, func(x Expr) bool {
			seen = append(seen, leafOf(x))
			return true
		})
		return seen
	}},
	{"Spec.Check of a row", func(t *testing.T, f *Frame, x Expr) any { return errorText(Spec{Rows: []Expr{x}}.Check(f)) }},
	{"Spec.Check of a base", func(t *testing.T, f *Frame, x Expr) any { return errorText(Spec{Base: x}.Check(f)) }},
	{"Tabulate", func(t *testing.T, f *Frame, x Expr) any { return tabulated(t, f, Spec{Base: x, Rows: []Expr{x}}) }},
}

// A pointer to a node means what it points to; the compiler takes both, and they must not differ in silence.
func TestPointersMeanWhatTheyPointTo(t *testing.T) {
	for _, function := range functions {
		t.Run(function.name, func(t *testing.T) {
			for _, n := range nodes {
				if d := cmp.Diff(function.ask(t, ragged(t), n.value), function.ask(t, ragged(t), n.pointer)); d != "" {
					t.Errorf("%s as a value (-) and as a pointer (+):\n%s", n.name, d)
				}
			}
		})
	}
}

// A pointer to nothing is nothing said.
func TestNilPointersAreNil(t *testing.T) {
	for _, function := range functions {
		t.Run(function.name, func(t *testing.T) {
			for _, n := range nodes {
				for what, pair := range map[string][2]Expr{"alone": {nil, n.nil}, "in an And": {And{nil}, And{n.nil}},
					"in a Not": {Not{}, Not{n.nil}}} {
					if d := cmp.Diff(function.ask(t, ragged(t), pair[0]), function.ask(t, ragged(t), pair[1])); d != "" {
						t.Errorf("%s %s as nil (-) and as a pointer to nothing (+):\n%s", n.name, what, d)
					}
				}
			}
		})
	}
}

// leafOf is x without its parts, which Walk comes to in their turn.
func leafOf(x Expr) Expr {
	switch x.(type) {
	case And:
		return And{}
	case Or:
		return Or{}
	case Not:
		return Not{}
	case Cut:
		return Cut{}
	}
	return x
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// tabulated is what the engine is asked for a spec, or the error.
func tabulated(t *testing.T, f *Frame, s Spec) any {
	engine := &asking{frame: f}
	if _, err := Tabulate(t.Context(), engine, func(*Frame) ([]Spec, error) { return []Spec{s}, nil }); err != nil {
		return err.Error()
	}
	return engine.asked
}

// asking keeps what it is asked and counts nobody.
type asking struct {
	frame *Frame
	asked []Query
}

func (a *asking) Frame(context.Context) (*Frame, error) { return a.frame, nil }

func (a *asking) Count(_ context.Context, _ uint64, qs []Query) ([][]*Table, error) {
	a.asked = qs
	out := make([][]*Table, len(qs))
	for i, q := range qs {
		for range q.Strata {
			out[i] = append(out[i], NewTable(len(q.Rows), len(q.Columns)))
		}
	}
	return out, nil
}

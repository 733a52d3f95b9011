package audience

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Rule coverage: a figure covers the waves and locations of its effective fieldwork, is complete if that is all that
// was requested of its namespace, and names the listed datapoints of all its expressions that were not asked in all of
// it.
func TestCovers(t *testing.T) {
	f := ragged(t)
	for _, c := range []struct {
		name, base, row, column string
		waves, locations        string // requested
		want                    string // namespace, waves, locations, + if complete, what was asked in part
	}{
		{"everyone", "", `{"question":"waves"}`, "", "", "", "core w1 w2 w3/a b c+"},
		{"an item of one location", "", `{"question":"q","datapoints":["3"]}`, "", "", "", "core w1 w2 w3/a"},
		{"all of what was requested", "", `{"question":"q","datapoints":["3"]}`, "", "w2 w3 w2", "a", "core w2 w3/a+"},
		{"one of several suffices", "", `{"question":"q","datapoints":["3","1"]}`, "", "", "", "core w1 w2 w3/a b c+ q:3"},
		{"none listed are all", "", `{"question":"q"}`, "", "", "", "core w1 w2 w3/a b c+ q:3"},
		{"each once, in the survey's order, from all expressions", `{"or":[{"question":"q"},{"question":"new"}]}`,
			`{"question":"q","datapoints":["2","3"]}`, `{"and":[{"question":"q","datapoints":["3","1"],"not":true}]}`, "", "",
			"core w2 w3/a b c q:3"},
		{"asked in all of what is covered", "", `{"question":"q"}`, `{"question":"q","datapoints":["3"]}`, "", "",
			"core w1 w2 w3/a"},
		{"a wave column covers its wave", "", `{"question":"waves","datapoints":["w2"]}`, "", "", "", "core w2/a b c"},
		{"reworded", "", `{"or":[{"and":[{"question":"waves","datapoints":["w1"]},{"question":"old","datapoints":["1"]}]},` +
			`{"and":[{"question":"waves","datapoints":["w2","w3"]},{"question":"new","datapoints":["2"]}]}]}`, "", "", "",
			"core w1 w2 w3/a b c+ old:1 new:2"},
		{"a deeper namespace has fieldwork of its own", "", `{"question":"s"}`, "", "", "", "stores w2 w3/a b c+"},
		{"never asked together", "", `{"question":"old"}`, `{"question":"new"}`, "", "", "core /"},
		{"nobody there", "", `{"question":"locations","datapoints":["a"]}`, "", "", "b c", "core /"},
	} {
		s := Spec{Rows: []Expr{parse(t, c.row)}, Waves: strings.Fields(c.waves), Locations: strings.Fields(c.locations)}
		if c.base != "" {
			s.Base = parse(t, c.base)
		}
		if c.column != "" {
			s.Columns = []Expr{parse(t, c.column)}
		}
		covers, err := NewCovers(f, s)
		if err != nil {
			t.Fatal(err)
		}
		j := len(s.Columns)
		tabs, err := Tabulate(t.Context(), &spy{frame: f}, func(*Frame) ([]Spec, error) { return []Spec{s}, nil })
		if err != nil {
			t.Fatal(err)
		}
		planned, err := Plan(f, s)
		if err != nil {
			t.Fatal(err)
		}
		for _, cell := range []Cell{tabs[0].Cell(1, j), planned.Cell(1, j)} {
			if got := written(covers.Of(1, j, cell)); got != c.want {
				t.Errorf("%s: %s, want %s", c.name, got, c.want)
			}
		}
	}
}

func written(c Covered) string {
	text := c.Namespace + " " + strings.Join(c.Waves, " ") + "/" + strings.Join(c.Locations, " ")
	if c.Complete {
		text += "+"
	}
	for _, d := range c.PartlyAsked {
		text += " " + d.Question + ":" + d.Datapoint
	}
	return text
}

// Rule coverage: the waves that a Spec requests by default are the last ones, of each namespace for itself; and what a
// caller may not use is not requested.
func TestCoversOfWhatIsRequested(t *testing.T) {
	f := ragged(t)
	g := All()
	g.Locations, g.Namespaces = []string{"a", "c"}, []string{"core"}
	for _, c := range []struct {
		frame *Frame
		spec  Spec
		x     string
		want  string
	}{
		{f, Spec{LastWaves: 1}, `{"question":"q","datapoints":["1"]}`, "core w3/a b c+"},
		{f, Spec{LastWaves: 1}, `{"question":"s"}`, "stores w3/a b c+"},
		{f, Spec{LastWaves: 2, Locations: []string{"b"}}, `{"question":"new"}`, "core w2 w3/b+"},
		{f, Spec{LastWaves: 3, Locations: []string{"b"}}, `{"question":"new"}`, "core w2 w3/b"},
		{f.For(g), Spec{}, `{"question":"q","datapoints":["1"]}`, "core w1 w2 w3/a c+"},
		{f.For(g), Spec{}, `{"question":"q","datapoints":["1","3"]}`, "core w1 w2 w3/a c+ q:3"},
	} {
		c.spec.Rows = []Expr{parse(t, c.x)}
		covers, err := NewCovers(c.frame, c.spec)
		if err != nil {
			t.Fatal(err)
		}
		planned, err := Plan(c.frame, c.spec)
		if err != nil {
			t.Fatal(err)
		}
		if got := written(covers.Of(1, 0, planned.Cell(1, 0))); got != c.want {
			t.Errorf("%+v: %s, want %s", c.spec, got, c.want)
		}
	}
}

// The locations that the waves of a cover have in common.
func TestCommonLocations(t *testing.T) {
	f := ragged(t)
	for text, want := range map[string]string{"": "[] false", "w1a w1b": "[a b] false", "w1a w1b w2b": "[b] true",
		"w1a w2b": "[] true", "w1a w1c w3c w3a": "[a c] false", "w1a w2a w2b w3a w3c": "[a] true"} {
		c := NewCover(f.Size())
		for _, name := range strings.Fields(text) {
			w := f.Wave(name[:2])
			c.Set(f.At(w, slices.IndexFunc(f.Locations, func(l Location) bool { return l.Code == name[2:] })))
		}
		if got := fmt.Sprint(f.CommonLocations(c), f.LocationsDiffer(c)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

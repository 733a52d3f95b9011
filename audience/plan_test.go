package audience

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ragged is a frame of 3 waves × 3 locations. c joins in w2; the question old was asked in w1 only, new from w2 on; q
// has an item asked in location a only. stores is built on core and was fielded in w2 and w3; other is a branch of its
// own.
func ragged(t testing.TB) *Frame {
	survey := &Survey{
		Waves:     []Wave{{Code: "w1", Name: "Wave 1"}, {Code: "w2", Name: "Wave 2"}, {Code: "w3", Name: "Wave 3"}},
		Locations: []Location{{Code: "a", Name: "Aland"}, {Code: "b", Name: "Bland"}, {Code: "c", Name: "Cland"}},
		Namespaces: []Namespace{{Code: "core"}, {Code: "stores", Base: "core"},
			{Code: "other", Base: "core", Universe: Sum}},
	}
	cover := func(names ...string) Cover {
		c := NewCover(9)
		for _, n := range names {
			c.Set(3*slices.Index([]string{"w1", "w2", "w3"}, n[:2]) + slices.Index([]string{"a", "b", "c"}, n[2:]))
		}
		return c
	}
	all := cover("w1a", "w1b", "w2a", "w2b", "w2c", "w3a", "w3b", "w3c")
	late := cover("w2a", "w2b", "w2c", "w3a", "w3b", "w3c")
	early := cover("w1a", "w1b")
	onlyA := cover("w1a", "w2a", "w3a")
	coverage := Coverage{Fielded: []Cover{all, late, all}, Decimals: []int{1, 0, 0}}
	// Each question has a datapoint for each cover, with codes from 1.
	question := func(namespace, code, name string, asked ...Cover) {
		q := Question{Namespace: namespace, Code: code, Name: name}
		for i := range asked {
			n := fmt.Sprint(i + 1)
			q.Datapoints = append(q.Datapoints, Datapoint{Code: n, Name: "Answer " + n})
		}
		survey.Questions = append(survey.Questions, q)
		coverage.Asked = append(coverage.Asked, asked)
	}
	question("core", "q", "Brands", all, all, onlyA)
	question("core", "old", "Old wording", early, early)
	question("core", "new", "New wording", late, late)
	question("core", "grid", "Use", all, all)
	survey.Questions[3].Suffixes = []Suffix{{Code: 5, Name: "Daily"}, {Code: 6, Name: "Weekly"}}
	question("stores", "s", "", late)
	question("other", "o", "", all)
	question("stores", "twice", "", late)
	question("other", "twice", "", late)
	out, err := NewFrame(7, survey, coverage)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func codes(f *Frame, c Cover) (out []string) {
	for i := range c.All() {
		w, l := f.Fieldwork(i)
		out = append(out, f.Waves[w].Code+f.Locations[l].Code)
	}
	return out
}

func parse(t testing.TB, s string) Expr {
	x, err := Parse([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestEffectiveFieldwork(t *testing.T) {
	f := ragged(t)
	const everywhere = "w1a w1b w2a w2b w2c w3a w3b w3c"
	for _, c := range []struct{ name, x, want string }{
		{"asked everywhere", `{"question":"q","datapoints":["1"]}`, everywhere},
		{"an item asked in one location", `{"question":"q","datapoints":["3"]}`, "w1a w2a w3a"},
		{"one of several suffices", `{"question":"q","datapoints":["1","3"]}`, everywhere},
		{"min_count needs as many covered", `{"question":"q","datapoints":["1","3"],"min_count":2}`, "w1a w2a w3a"},
		{"min_count beyond the list needs all of it", `{"question":"q","datapoints":["3"],"min_count":5}`, "w1a w2a w3a"},
		{"a wave column is measured within its wave", `{"question":"waves","datapoints":["w2"]}`, "w2a w2b w2c"},
		{"a location column against all locations", `{"question":"locations","datapoints":["b"]}`, everywhere},
		{"reworded: wherever one wording was asked",
			`{"or":[{"and":[{"question":"waves","datapoints":["w1"]},{"question":"old"}]},{"and":[{"question":"waves","datapoints":["w2"]},{"question":"new"}]}]}`, "w1a w1b w2a w2b w2c"},
		{"reworded, by location",
			`{"or":[{"and":[{"question":"locations","datapoints":["a"]},{"question":"q","datapoints":["3"]}]},{"and":[{"question":"locations","datapoints":["b"]},{"question":"q","datapoints":["1"]}]}]}`, everywhere},
		{"old or new, never asked together", `{"or":[{"question":"old"},{"question":"new"}]}`, ""},
		{"negation inside a trend",
			`{"or":[{"and":[{"question":"waves","datapoints":["w1"]},{"question":"old","not":true}]},{"and":[{"question":"waves","datapoints":["w2"]},{"question":"new"}]}]}`, "w1a w1b w2a w2b w2c"},
		{"negation around wave leaves is true outside them",
			`{"and":[{"question":"waves","datapoints":["w1"]},{"question":"old"}],"not":true}`, everywhere},
		{"no wave holds two", `{"question":"waves","min_count":2}`, ""},
		{"no location holds two, so nowhere has anybody", `{"question":"locations","min_count":2}`, ""},
		{"none in all of what is covered is not measured: a column of one location, asked in another",
			`{"and":[{"question":"locations","datapoints":["b"]},{"question":"q","datapoints":["3"]}]}`, ""},
		{"a deeper namespace cuts to where it was fielded", `{"question":"s"}`, "w2a w2b w2c w3a w3b w3c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tabs, err := Tabulate(t.Context(), &spy{frame: f}, func(*Frame) ([]Spec, error) {
				return []Spec{{Rows: []Expr{parse(t, c.x)}}}, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			cell := tabs[0].Cell(1, 0) // of tables of zeros
			if got := fmt.Sprint(codes(f, cell.Cover)); got != "["+c.want+"]" {
				t.Errorf("covers %s, want [%s]", got, c.want)
			}
		})
	}
}

func TestStateTable(t *testing.T) {
	// In an And the first of never, none, unknown, maybe, full, always; in an Or the first of always, full, unknown,
	// maybe, none, never.
	and := []state{never, none, unknown, maybe, full, always}
	or := []state{always, full, unknown, maybe, none, never}
	for i, a := range and {
		for _, b := range and[i:] {
			if min(a, b) != a {
				t.Errorf("and of %d and %d is not %d", a, b, a)
			}
		}
	}
	for i, a := range or {
		for _, b := range or[i:] {
			if inOr[a] > inOr[b] {
				t.Errorf("or of %d and %d is not %d", a, b, a)
			}
		}
	}
}

func TestPlan(t *testing.T) {
	f := ragged(t)
	waves := []Expr{parse(t, `{"question":"waves","datapoints":["w1"]}`),
		parse(t, `{"question":"waves","datapoints":["w2"]}`), parse(t, `{"question":"waves","datapoints":["w3"]}`)}
	q1, q3, old := parse(t, `{"question":"q","datapoints":["1"]}`), parse(t, `{"question":"q","datapoints":["3"]}`),
		parse(t, `{"question":"old"}`)
	type shape struct{ Rows, Columns, Strata int }
	for _, c := range []struct {
		name string
		spec Spec
		want []shape
	}{
		{"one cell: a stratum for each number of waves", Spec{Rows: []Expr{q1}}, []shape{{1, 0, 2}}},
		{"a waves splitter is one query with a stratum a wave", Spec{Rows: []Expr{q1}, Columns: waves}, []shape{{1, 0, 3}}},
		{"the same audience twice is counted once", Spec{Rows: []Expr{q1, q1, And{q1}}}, []shape{{1, 0, 2}}},
		{"other coverage, another query", Spec{Rows: []Expr{q1, q3}}, []shape{{1, 0, 2}, {1, 0, 1}}},
		{"what was never asked together is not counted", Spec{Rows: []Expr{old}, Columns: []Expr{waves[1]}}, nil},
		{"everyone is index 0", Spec{Rows: []Expr{Everyone{}}, Columns: []Expr{q1}}, []shape{{0, 1, 2}}},
		{"locations stay columns", Spec{Rows: []Expr{q1}, Columns: []Expr{Locations{Codes: []string{"a"}},
			Locations{Codes: []string{"b", "c"}}}}, []shape{{1, 2, 2}}},
		{"the last two waves", Spec{Rows: []Expr{q1}, LastWaves: 2}, []shape{{1, 0, 1}}},
		{"squares, of each fieldwork and of everyone", Spec{Rows: []Expr{q1}, Measures: Squares},
			[]shape{{1, 0, 8}, {0, 0, 8}}},
		{"pooled squares need no other strata than counts", Spec{Rows: []Expr{q1}, Measures: Squares | Pooled},
			[]shape{{1, 0, 2}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlanner(f)
			if _, err := p.plan(c.spec); err != nil {
				t.Fatal(err)
			}
			var got []shape
			for _, q := range p.queries() {
				got = append(got, shape{len(q.Rows), len(q.Columns), len(q.Strata)})
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// With very many groups one query a namespace is asked, whose strata are the atoms of all covers.
func TestManyGroups(t *testing.T) {
	const n = 40
	survey := &Survey{Locations: []Location{{Code: "l"}}, Namespaces: []Namespace{{Code: "core"}}}
	all := NewCover(n)
	for i := range n {
		survey.Waves = append(survey.Waves, Wave{Code: fmt.Sprint("w", i)})
		all.Set(i)
	}
	coverage := Coverage{Fielded: []Cover{all}}
	var rows, columns []Expr
	for i := range n {
		c := NewCover(n)
		for j := range i + 1 {
			c.Set(j)
		}
		code := fmt.Sprint("q", i)
		survey.Questions = append(survey.Questions, Question{Namespace: "core", Code: code,
			Datapoints: []Datapoint{{Code: "1"}, {Code: "2"}}})
		coverage.Asked = append(coverage.Asked, []Cover{c, c})
		rows = append(rows, Answers{Question: code, Datapoints: []string{"1"}})
		columns = append(columns, Answers{Question: code, Datapoints: []string{"2"}})
	}
	frame, err := NewFrame(1, survey, coverage)
	if err != nil {
		t.Fatal(err)
	}
	p := newPlanner(frame)
	tab, err := p.plan(Spec{Rows: rows, Columns: columns})
	if err != nil {
		t.Fatal(err)
	}
	qs := p.queries()
	if len(qs) != 1 || len(qs[0].Rows) != n || len(qs[0].Columns) != n || len(qs[0].Strata) != n {
		t.Fatalf("%d queries", len(qs))
	}
	pair := tab.pairs[11][4] // covers waves 0 to 4
	if pair.rows[0] != 12 || pair.columns[0] != 5 || len(pair.sum.terms) != 1 || pair.sum.terms[0].n != 5 ||
		len(pair.sum.terms[0].strata) != 5 {
		t.Errorf("row 12 × column 5 reads %+v", pair)
	}
}

// An engine that wants whole queries is asked one a namespace, whatever the rows and columns cover. What is the same
// all over the reach of a row is folded into it.
func TestWholeQueries(t *testing.T) {
	f := ragged(t)
	leaf := func(question, datapoint string) Expr {
		return Answers{Question: question, Datapoints: []string{datapoint}, Min: 1}
	}
	wave := func(code string) Expr { return Waves{Codes: []string{code}} }
	q1, q3, old, later := leaf("q", "1"), leaf("q", "3"), leaf("old", "1"), leaf("new", "1")
	type shape struct{ Rows, Columns, Strata int }
	for _, c := range []struct {
		name         string
		spec         Spec
		whole, apart []shape
	}{
		{"one pair of groups is as ever", Spec{Rows: []Expr{q1}}, []shape{{1, 0, 2}}, []shape{{1, 0, 2}}},
		{"mixed coverage", Spec{Rows: []Expr{q1, q3, old}, Columns: []Expr{q1, later}},
			[]shape{{3, 2, 5}}, []shape{{1, 1, 2}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}},
		{"waves are strata", Spec{Rows: []Expr{q1, q3}, Columns: []Expr{wave("w1"), wave("w2"), wave("w3")}},
			[]shape{{2, 0, 6}}, []shape{{1, 0, 3}, {1, 0, 3}}},
		{"the base's own wave is no condition", Spec{Base: wave("w2"), Rows: []Expr{q1, q3}}, []shape{{2, 0, 2}},
			[]shape{{1, 0, 1}, {1, 0, 1}}},
		{"a query for each namespace", Spec{Rows: []Expr{q1, q3, leaf("s", "1")}, Columns: []Expr{q1, q3}},
			[]shape{{2, 2, 3}, {1, 2, 2}}, nil},
		{"with squares each fieldwork is a stratum, and everyone is counted", Spec{Rows: []Expr{q1, later, wave("w1")},
			Measures: Squares}, []shape{{2, 0, 8}, {0, 0, 8}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			shapes := func(whole bool) (got []shape) {
				p := newPlanner(f)
				if whole {
					p = newPlannerOf(f, ofAnySize)
				}
				if _, err := p.plan(c.spec); err != nil {
					t.Fatal(err)
				}
				for _, q := range p.queries() {
					got = append(got, shape{len(q.Rows), len(q.Columns), len(q.Strata)})
				}
				return got
			}
			if d := cmp.Diff(c.whole, shapes(true)); d != "" {
				t.Error(d)
			}
			if got := shapes(false); c.apart != nil {
				if d := cmp.Diff(c.apart, got); d != "" {
					t.Errorf("folded: %s", d)
				}
			}
		})
	}
}

func ofAnySize(int) bool { return true }

// Values of a question are told at a glance, so that they count as one row of a query that an engine wants whole.
func TestValuesAreOneGlance(t *testing.T) {
	f := ragged(t)
	c := f.Coverage()
	c.Numbers = []Numbers{{Bits: 9, Asked: f.Fielded(0)}}
	f, err := NewFrame(f.Version, f.Survey, c)
	if err != nil {
		t.Fatal(err)
	}
	var rows []Expr
	for n := range int64(100) {
		rows = append(rows, Value{Question: "core.q", Number: n})
	}
	columns := []Expr{parse(t, `{"question":"q","datapoints":["1"]}`), parse(t, `{"question":"q","datapoints":["3"]}`)}
	for most, want := range map[int]int{6: 1, 5: 2} { // everyone and all values × everyone and two columns
		p := newPlannerOf(f, func(cells int) bool { return cells <= most })
		if _, err := p.plan(Spec{Rows: rows, Columns: columns}); err != nil {
			t.Fatal(err)
		}
		if n := len(p.queries()); n != want {
			t.Errorf("an engine that wants %d cells whole is asked %d queries, want %d", most, n, want)
		}
	}
}

// wanting is an engine that wants whole queries of up to 100 cells.
type wanting struct{ spy }

func (w *wanting) WantsWhole(cells int) bool { return cells <= 100 }

// Whoever stands before an engine passes on that it wants whole queries.
func TestWholeQueriesArePassedOn(t *testing.T) {
	f := ragged(t)
	if WantsWhole(&spy{frame: f}, 100) {
		t.Error("an engine that says nothing wants whole queries")
	}
	w := &wanting{spy: spy{frame: f}}
	grant := All()
	grant.Waves = []string{"w1", "w2"}
	for name, st := range map[string]Store{"pair": Pair(w, w), "memory": Remember(w, 1), "grant": Restrict(w, grant),
		"definitions": Extend(w, func(context.Context) (string, []Definition, error) { return "", nil, nil })} {
		if !WantsWhole(st, 100) || WantsWhole(st, 101) {
			t.Errorf("%s: it is not passed on", name)
		}
	}
}

// Whole queries whose tables would be too large to hold are asked folded.
func TestWholeQueriesThatAreTooLarge(t *testing.T) {
	f := ragged(t)
	var leaves []Expr
	for _, points := range [][]string{{"1"}, {"2"}, {"1", "2"}} {
		leaves = append(leaves, Answers{Question: "q", Datapoints: points, Min: 1})
		for _, suffix := range [][]int{nil, {5}, {6}} {
			leaves = append(leaves, Answers{Question: "grid", Datapoints: points, Suffixes: suffix, Min: 1})
		}
	}
	for rows, want := range map[int]int{64: 1, 4096: 4} {
		var list []Expr
		for i := range rows { // each leaf or its opposite, and every other row in one location only
			x := And{Answers{Question: "q", Datapoints: []string{fmt.Sprint(1 + 2*(i%2))}, Min: 1}}
			for bit, leaf := range leaves {
				if i>>bit&1 == 0 {
					leaf = Not{leaf}
				}
				x = append(x, leaf)
			}
			list = append(list, x)
		}
		_, _, queries, err := (&Reading{Frame: f}).plan([]Spec{{Rows: list, Columns: list}}, ofAnySize)
		if err != nil || len(queries) != want {
			t.Errorf("%d × %d: %d queries, want %d; error %v", rows, rows, len(queries), want, err)
		}
	}
}

func TestNamespaceOfAFigure(t *testing.T) {
	f := ragged(t)
	q, s, o := Answers{Question: "q"}, Answers{Question: "s"}, Answers{Question: "o"}
	for _, c := range []struct {
		name string
		spec Spec
		want string
	}{
		{"none used: the default", Spec{Rows: []Expr{Everyone{}}}, "core"},
		{"the deepest", Spec{Rows: []Expr{q}, Columns: []Expr{s}}, "stores"},
		{"the deepest inside an expression", Spec{Rows: []Expr{And{q, s}}}, "stores"},
		{"of the base, too", Spec{Base: o, Rows: []Expr{q}}, "other"},
	} {
		tab, err := newPlanner(f).plan(c.spec)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if got := tab.pairs[0][0].namespace; got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	for name, spec := range map[string]Spec{
		"row × column":         {Rows: []Expr{s}, Columns: []Expr{o}},
		"row × base":           {Base: o, Rows: []Expr{s}},
		"inside an expression": {Rows: []Expr{Or{s, q, o}}},
	} {
		var incompatible *IncompatibleError
		if err := spec.Check(f); !errors.As(err, &incompatible) {
			t.Errorf("%s: %v", name, err)
		} else if got := fmt.Sprint(incompatible.Namespaces); got != "[stores other]" && got != "[other stores]" {
			t.Errorf("%s names %s", name, got)
		}
	}
}

// A weight of so many units of 10^-k people over n waves. Stores made before hold units of more than a person.
func TestPeople(t *testing.T) {
	for _, c := range []struct {
		n, k   int
		weight int64
		want   float64
	}{{1, 0, 7, 7}, {2, 1, 7, 0.35}, {3, -2, 7, 700.0 / 3}, {1, 11, 1, 1e-11}, {5, 30, 10, 10 / 5e30}} {
		sum := newSum([]term{{n: c.n}}, c.k)
		var f Figure
		f.add(sum.scale, sum.terms[0], Count{Weight: c.weight})
		if got := f.exact.people(); got != c.want {
			t.Errorf("%d units of 10^-%d over %d waves: %v, want %v", c.weight, c.k, c.n, got, c.want)
		}
	}
}

// Where squares are measured, pairs of groups ask one query together, unless they are folded for what they cover, or
// cover so different fieldwork that many cells would be counted for nothing.
func TestPairsAreAskedTogether(t *testing.T) {
	f := ragged(t)
	leaf := func(question, datapoint string) Expr {
		return Answers{Question: question, Datapoints: []string{datapoint}, Min: 1}
	}
	all, some, early := leaf("q", "1"), leaf("q", "3"), leaf("old", "1")
	for _, c := range []struct {
		name          string
		rows, columns []Expr
		measures      Measures
		queries       int // beside that of everyone
	}{
		{"groups that cover much the same", []Expr{all, leaf("q", "2"), some}, []Expr{all, some}, Squares, 1},
		{"without squares", []Expr{all, leaf("q", "2"), some}, []Expr{all, some}, 0, 4},
		{"pooled squares", []Expr{all, leaf("q", "2"), some}, []Expr{all, some}, Squares | Pooled, 4},
		{"one pair", []Expr{all}, []Expr{leaf("q", "2")}, Squares, 1},
		{"waves are folded", []Expr{all, some}, []Expr{all, some, Waves{Codes: []string{"w2"}}}, Squares, 3},
		{"fieldwork that is not alike", []Expr{some, early, Not{early}, leaf("old", "2")}, []Expr{some, early}, Squares, 4},
	} {
		p := newPlanner(f)
		tab, err := p.plan(Spec{Rows: c.rows, Columns: c.columns, Measures: c.measures})
		if err != nil {
			t.Fatal(err)
		}
		queries := len(p.queries())
		if c.measures.apart() {
			queries--
		}
		if queries != c.queries {
			t.Errorf("%s: %d queries, want %d", c.name, queries, c.queries)
		}
		for i := range tab.pairs {
			for j := range tab.pairs[i] {
				if pair := &tab.pairs[i][j]; pair.query != nil {
					for k, place := range pair.rows {
						want, rows := tab.rows.groups[i].members[k].x, pair.query.query.Rows
						if place > 0 && cmp.Diff(want, rows[place-1]) != "" {
							t.Errorf("%s: row %d of group %d reads %v", c.name, k, i, rows[place-1])
						}
					}
				}
			}
		}
	}
}

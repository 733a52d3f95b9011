package storetest

import (
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/script"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
)

// TestRandomIsRagged looks whether the random studies and questions have everything in them that the rules speak of.
func TestRandomIsRagged(t *testing.T) {
	if testing.Short() {
		t.Skip("only fifty studies show that nothing is left out of them")
	}
	seen := map[string]int{}
	note := func(what string, is bool) {
		if is {
			seen[what]++
		} else {
			seen[what] += 0
		}
	}
	for seed := range uint64(50) {
		g := NewRandom(seed)
		st := g.Study()
		f, err := st.Frame()
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, st.Text())
		}
		noteStudy(note, st, f)
		reference := new(naive.Store)
		if err := st.Load(t.Context(), reference); err != nil {
			t.Fatal(err)
		}
		oracle := NewOracle(reference)
		for range perStudy {
			noteSpec(note, oracle, g.Spec(f))
		}
	}
	for what, n := range seen {
		t.Logf("%6d %s", n, what)
		if n < 5 {
			t.Errorf("%d times %s in 50 studies", n, what)
		}
	}
}

func noteStudy(note func(string, bool), st *Study, f *audience.Frame) {
	sum, mean := false, false
	for i, n := range f.Namespaces {
		note("a namespace on a branch of its own", n.Base == "" && i > 0)
		note("a namespace on another", n.Base != "")
		note("a namespace on one that is on another", f.Depth(i) > 1)
		note("units of a part of a person", f.Decimals(i) > 0)
		note("weights near the largest", slices.ContainsFunc(st.Respondents, func(r survey.Respondent) bool {
			return !small(rational(r.Weights[i].String()), 1) // ten times it would be too large
		}))
		note("units of 10^-23 people or less", f.Decimals(i) > 22)
		note("units of a person", f.Decimals(i) == 0)
		note("a namespace with fieldwork of its own", i > 0 && !f.Fielded(i).Equal(f.Fielded(0)))
		sum, mean = sum || n.Universe == audience.Sum, mean || n.Universe != audience.Sum
	}
	note("universes summed and averaged", sum && mean)
	note("more than four waves", len(f.Waves) > 4)
	for w := range f.Waves {
		note("a wave without a date", f.Waves[w].Start == "")
		note("waves not listed in their order", st.Survey.Waves[w].Code != f.Waves[w].Code)
	}
	for l := range f.Locations {
		late := len(f.Waves) > 1
		for w := range f.Waves {
			late = late && f.Fielded(0).Has(f.At(w, l)) == (w > 0)
		}
		note("a location that is late by a wave", late)
	}
	for i, q := range st.Survey.Questions {
		note("a grid", len(q.Suffixes) > 0)
		note("an item asked on its own", q.Separate)
		note("a declaration", q.Asked != nil)
		note("asked nowhere", q.Asked != nil && len(q.Asked) == 0)
		ragged := false
		for j := range f.Questions[i].Datapoints {
			ragged = ragged || !f.Asked(i, j).Equal(f.Asked(i, 0))
		}
		note("datapoints of unlike coverage", ragged)
		_, err := f.Question(q.Code)
		note("a code that several namespaces have", err != nil)
		noteNumbers(note, st, f, i)
	}
}

func noteNumbers(note func(string, bool), st *Study, f *audience.Frame, i int) {
	n := f.Numbers(i)
	if n.Bits == 0 {
		return
	}
	asked := f.Asked(i, 0)
	for j := range f.Questions[i].Datapoints {
		asked = asked.Or(f.Asked(i, j))
	}
	note("numbers", true)
	note("numbers with decimals", n.Decimals > 0)
	note("numbers in another than the default namespace", f.Questions[i].Namespace != f.Namespaces[0].Code)
	note("numbers in some of where the question was asked", !asked.And(f.Visible()).Equal(n.Asked))
	note("numbers of all bits that there can be", n.Bits == 41)
	below, without, rounded, waves := false, false, false, map[int]bool{}
	for k := range st.Respondents {
		r := &st.Respondents[k]
		x := st.given(f, r, i)
		if !n.Asked.Has(st.at(f, r)) {
			continue
		}
		without = without || x == nil
		if x != nil {
			below = below || x.Sign() < 0
			rounded = rounded || decimals(x) > n.Decimals
			waves[decimals(x)] = true
		}
	}
	note("numbers below 0", below)
	note("numbers that are rounded", rounded)
	note("numbers of unlike decimals", len(waves) > 1)
	note("people without a number where others gave one", without)
}

func noteSpec(note func(string, bool), o *Oracle, s audience.Spec) {
	cells, err := o.Cells(s)
	note("incompatible namespaces", err != nil)
	for _, row := range cells {
		for _, c := range row {
			note("a figure", true)
			note("a figure of someone", c.Both.Sample > 0)
			note("not measured", c.Cover.Empty())
			note("measured, and no one in it", !c.Cover.Empty() && c.Both.Sample == 0)
			note("a figure that is none of its margins", c.Both.Sample > 0 && c.Both.Sample < min(c.Row.Sample, c.Column.Sample))
			note("a base that is a part", c.Base.Sample > 0 && s.Base != nil)
			note("a figure in another than the default namespace", c.Namespace != o.Frame.Namespaces[0].Code &&
				c.Both.Sample > 0)
			waves := map[int]int{}
			for i := range c.Cover.All() {
				_, l := o.Frame.Fieldwork(i)
				waves[l]++
			}
			kinds := map[int]bool{}
			for _, n := range waves {
				kinds[n] = true
			}
			note("locations of three numbers of waves", len(kinds) > 2)
		}
	}
}

// TestStudyText writes random studies down as scripts do, and reads them again.
func TestStudyText(t *testing.T) {
	for seed := range uint64(20) {
		st := NewRandom(seed).Study()
		again, err := readStudy(st.Text())
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, st.Text())
		}
		if d := cmp.Diff(st.Text(), again.Text()); d != "" {
			t.Errorf("seed %d: %s", seed, d)
		}
		reference, other := new(naive.Store), new(naive.Store)
		if err := st.Load(t.Context(), reference); err != nil {
			t.Fatal(err)
		}
		if err := again.Load(t.Context(), other); err != nil {
			t.Fatal(err)
		}
		if err := same(t.Context(), other, reference); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

// TestScriptErrors gives scripts that say something wrong. The error names the line.
func TestScriptErrors(t *testing.T) {
	const head = "survey\n  namespace core\n  wave w1\n  location uk\n  question q single yes no\n  question g grid " +
		"a / 1\n"
	const data = head + "respondents\n  wave | location | core | q\n  w1 | uk | 1 | yes\n"
	for _, c := range []struct{ name, text, want string }{
		{"unknown step", head + "tabluate\n", `x:7: "tabluate": the steps are survey, respondents, append, replace, ` +
			`withdraw, refused, decimals, fielded, asked, numbers, derived, count, tabulate and unit`},
		{"no survey", "respondents\n", "x:1: a script says what the survey is before anything else"},
		{"unknown survey line", "survey\n  waves w1\n",
			`x:2: "waves": a survey has lines namespace, wave, location, question and asked`},
		{"no code", "survey\n  wave\n", `x:2: "wave" of what? A code follows`},
		{"question without namespace", "survey\n  question q single\n", "x:2: namespaces come before questions"},
		{"no datapoints", "survey\n  namespace core\n  question q single\n", "x:3: a question has datapoints"},
		{"no kind", "survey\n  namespace core\n  question q yes no\n",
			"x:3: after a question's code stands its kind: single, multi, grid or number"},
		{"grid without suffixes", "survey\n  namespace core\n  question q grid yes no\n",
			`x:3: a grid, and nothing else, has suffixes after "/"`},
		{"asked of nothing", head + "append\n", "x:7: a table of respondents is expected"},
		{"unknown column", head + "respondents\n  wave | location | r\n  w1 | uk | 1\n",
			"x:9: r: the column is neither wave nor location, and no namespace or question of the survey"},
		{"unknown wave", head + "respondents\n  wave | location | core\n  w2 | uk | 1\n",
			`x:9: wave: "w2" is not listed in the survey`},
		{"unknown datapoint", head + "respondents\n  wave | location | q\n  w1 | uk | maybe\n",
			`x:9: q: "maybe" is no datapoint of the question`},
		{"no suffix", head + "respondents\n  wave | location | g\n  w1 | uk | a\n",
			`x:9: g: "a": a suffix follows the datapoints of a grid, as in a:1, and of no other question`},
		{"other suffix", head + "respondents\n  wave | location | g\n  w1 | uk | a:2\n",
			`x:9: g: "2" is no suffix of the question`},
		{"no weight", head + "respondents\n  wave | location | core\n  w1 | uk | 1,5\n", `x:9: core: "1,5" is no number`},
		{"nothing expected", data + "tabulate\n", "x:10: nothing is expected: neither a table that begins with cell " +
			"nor an error"},
		{"unknown line", data + "tabulate\n  rows {}\n", `x:11: "rows": the lines are base, row, column, namespace, ` +
			`waves, locations, last, measures, stratum, grant, error and a table that begins with cell`},
		{"no JSON", data + "tabulate\n  row yes\n  cell | both\n",
			"x:11: an expression: invalid character 'y' looking for beginning of value"},
		{"no such cell", data + "tabulate\n  cell | both\n  1 0 | 1 1\n",
			"x:12: there is no such cell: rows and columns count from 1, or are 0 on an axis with nothing on it"},
		{"unknown expectation", data + "tabulate\n  cell | sum\n  0 0 | 1\n",
			"x:12: sum of cell 0 0: the columns are cell, base, row, column, both, percent, namespace and cover"},
		{"another sample", data + "tabulate\n  cell | both\n  0 0 | 2 1\n",
			"x:12: both of cell 0 0: a sample of 1 instead of 2"},
		{"another size", data + "tabulate\n  cell | both\n  0 0 | 1 3/2\n", "x:12: both of cell 0 0: 1 instead of 3/2"},
		{"no number", data + "tabulate\n  cell | both\n  0 0 | 1 x\n", `x:12: both of cell 0 0: "x" is no number`},
		{"no number above a bar", data + "tabulate\n  cell | both\n  0 0 | 1 1/2/3\n",
			`x:12: both of cell 0 0: "1/2/3" is no number`},
		{"another namespace", data + "tabulate\n  cell | namespace\n  0 0 | panel\n",
			"x:12: namespace of cell 0 0: core instead of panel"},
		{"another cover", data + "tabulate\n  cell | cover\n  0 0 | nowhere\n",
			"x:12: cover of cell 0 0: w1/uk instead of nowhere"},
		{"another percentage", data + "tabulate\n  cell | percent\n  0 0 | 50\n",
			"x:12: percent of cell 0 0: 100 instead of 50"},
		{"an error that is none", data + "tabulate\n  error empty\n", "x:11: there is no error"},
		{"another error", data + "tabulate\n  row {\"question\": \"r\"}\n  error empty\n",
			`x:12: the error is unavailable r (not available: question "r" (in rows[0]))`},
		{"another count", data + "count core\n  stratum w1/uk\n  cell | 1\n  0 0 | 1 2\n",
			"x:13: stratum 1: the count is 1 1, not 1 2"},
		{"another square", data + "count core\n  measures squares\n  stratum w1/uk\n  cell | 1\n  0 0 | 1 1 2\n",
			"x:14: stratum 1: the count is 1 1 1, not 1 1 2"},
		{"no measure", data + "count core\n  measures cubes\n", `x:11: "cubes" can't be measured: squares and pooled squares can`},
		{"squares of a wide stratum", data + "count core\n  measures squares\n  stratum\n  cell | 1\n",
			"x:12: the stratum has 0 fieldworks: where squares are measured it has one"},
		{"another number of strata", data + "count core\n  stratum w1/uk\n  cell | 1 | 2\n  0 0 | 1 1 | 0 0\n",
			"x:12: a column for each of the 1 strata is expected beside cell"},
		{"no question", data + "count core\n  row {\"question\": \"r\"}\n  stratum w1/uk\n  cell | 1\n",
			`x:10: not available: question "r" (in rows[0])`},
		{"no namespace", data + "count panel\n  stratum w1/uk\n  cell | 1\n", `x:10: there is no namespace "panel"`},
		{"no fieldwork", data + "count core\n  stratum uk\n  cell | 1\n",
			`x:11: "uk": fieldwork is written wave/location, with codes of the survey or *`},
		{"another unit", data + "decimals core 1\n",
			"x:10: the weights of namespace core are in units of 10^-k with k = 0, not 1"},
		{"asked elsewhere", data + "asked q:yes\n", "x:10: it is w1/uk"},
		{"fielded elsewhere", data + "fielded core\n", "x:10: it is w1/uk"},
		{"taken though refused", head + "refused row\n  wave | location | core\n  w1 | uk | 1\n", "x:7: the error is <nil>"},
		{"another k", "unit\n  decimals | largest | total | k\n  0 | 5 | 5 | 1\n", "x:3: k is 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := script.Parse("x", c.text); err != nil {
				t.Fatal(err)
			}
			err := RunScript(t.Context(), "x", c.text, func() Engine { return new(naive.Store) })
			if err == nil || err.Error() != c.want {
				t.Errorf("the error is\n%v\nwant\n%s", err, c.want)
			}
		})
	}
}

// FuzzRunScript runs any text as a script: it may be wrong, and is told so.
func FuzzRunScript(f *testing.F) {
	for _, name := range scriptNames() {
		f.Add(scriptText(name))
	}
	f.Add(NewRandom(1).Study().Text())
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 10_000 {
			return // long texts are slow and run no other code
		}
		err := RunScript(t.Context(), "x", text, func() Engine { return new(naive.Store) })
		if err != nil && !strings.HasPrefix(err.Error(), "x") {
			t.Errorf("an error that doesn't say where: %v", err)
		}
	})
}

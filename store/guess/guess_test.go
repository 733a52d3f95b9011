package guess_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/formats/csv"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/survey"
)

// Each rule, by columns that show it and others that come near.
func TestReadings(t *testing.T) {
	yes, likert := among("Yes", "No"), among("1", "2", "3", "4", "5")
	for _, c := range []struct {
		name  string
		table *table
		want  map[string]string
	}{
		{"an id has a name and no value twice", repeated(30, "record|respondent_id|q", count(1), count(100), yes),
			map[string]string{"respondent_id": "respondent", "record": "not used"}},
		{"an id that repeats is none", repeated(30, "respondent_id|q", among("1", "2"), yes),
			map[string]string{"respondent_id": "single respondent_id"}},
		{"a first column without repeats is an id", repeated(30, "V1|q", count(7), yes),
			map[string]string{"V1": "respondent"}},
		{"numbers of the respondents' own in other columns are not", repeated(30, "q|V9", yes, count(7)),
			map[string]string{"V9": "not used"}},
		{"weights have decimals", repeated(30, "id|weight", count(1), among("0.5", "1.5", "1")),
			map[string]string{"weight": "weight"}},
		{"or are large", repeated(30, "id|wgt", count(1), among("1500", "2500", "900", "1201")),
			map[string]string{"wgt": "weight"}},
		{"kilograms are no weights", repeated(30, "id|weight_kg", count(1), among("61.5", "80.2", "75")),
			map[string]string{"weight_kg": "number weight_kg"}},
		{"whole numbers as people weigh are not taken for weights", repeated(60, "id|weight", count(1),
			func(i int) string { return fmt.Sprint(50 + i%40) }), map[string]string{"weight": "number weight"}},
		{"negative numbers are no weights", repeated(30, "id|weight", count(1), among("0.5", "-1.5", "1")),
			map[string]string{"weight": "number weight"}},
		{"waves", repeated(30, "id|Wave|q", count(1), among("1", "2"), yes), map[string]string{"Wave": "wave"}},
		{"years as waves", repeated(30, "id|year|q", count(1), among("2021", "2022"), yes),
			map[string]string{"year": "wave"}},
		{"years of birth are no waves", repeated(60, "id|year_of_birth|q", count(1),
			func(i int) string { return fmt.Sprint(1940 + i%40) }, yes),
			map[string]string{"year_of_birth": "number year_of_birth"}},
		{"countries", repeated(30, "id|country|region", count(1), among("UK", "FR"), among("a", "b", "c")),
			map[string]string{"country": "location", "region": "single region"}},
		{"regions where there are no countries", repeated(30, "id|region", count(1), among("a", "b", "c")),
			map[string]string{"region": "location"}},
		{"countries of birth are no locations", repeated(30, "id|country_born", count(1), among("UK", "FR")),
			map[string]string{"country_born": "single country_born"}},
		{"options by prefix", repeated(30, "id|q2_1|q2_2|q2_3", count(1), among("0", "1"), among("1", "0"),
			among("0", "1", "1")),
			map[string]string{"q2_1": "multi q2", "q2_2": "multi q2", "q2_3": "multi q2"}},
		{"options as question[option]", repeated(30, "id|Q3[a]|x|Q3[b]", count(1), among("Y", ""), yes, among("", "Y")),
			map[string]string{"Q3[a]": "multi Q3", "Q3[b]": "multi Q3", "x": "single x"}},
		{"options by their names", repeated(30, "id|q4_1|q4_2", count(1), among("Tea", ""), among("", "Coffee")),
			map[string]string{"q4_1": "multi q4", "q4_2": "multi q4"}},
		{"options by their numbers", repeated(30, "id|q4_1|q4_2", count(1), among("1", ""), among("", "2")),
			map[string]string{"q4_1": "multi q4", "q4_2": "multi q4"}},
		{"an option nobody chose", repeated(30, "id|q4_1|q4_2|q4_3", count(1), among("0", "1"), among("0"),
			among("1", "0")), map[string]string{"q4_2": "multi q4"}},
		{"numbers of questions", repeated(30, "id|q_1|q_2|q_3", count(1), among("0", "1"), among("0", "1"), among("1", "0")),
			map[string]string{"q_1": "single q_1", "q_2": "single q_2"}},
		{"questions with a word in common", repeated(30, "id|b_known_1|b_known_2|b_known_3|b_used_1|b_used_2|b_used_3",
			count(1), among("0", "1"), among("0", "1"), among("0", "1"), among("1", "0"), among("1", "0"), among("1", "0")),
			map[string]string{"b_known_1": "multi b_known", "b_used_1": "multi b_used"}},
		{"questions with a number in common", repeated(30, "id|s_q1_a|s_q1_b|s_q2_a|s_q2_b", count(1), among("0", "1"),
			among("0", "1"), among("1", "0"), among("1", "0")),
			map[string]string{"s_q1_a": "multi s_q1", "s_q2_b": "multi s_q2"}},
		{"options of several words", repeated(30, "id|tool_git_hub|tool_git_lab|tool_make", count(1), among("0", "1"),
			among("0", "1"), among("1", "0")),
			map[string]string{"tool_git_hub": "multi tool", "tool_make": "multi tool"}},
		{"rows behind one of another kind", repeated(30, "id|q4_1|q4_2|q4_3", count(1), among("male", "female", "other"),
			likert, likert), map[string]string{"q4_1": "single q4_1", "q4_2": "grid q4", "q4_3": "grid q4"}},
		{"yes and no the other way round stand apart", repeated(30, "id|q_1|q_2", count(1), among("1", "0"),
			among("yes", "no")), map[string]string{"q_1": "single q_1"}},
		{"grids", repeated(30, "id|q5_1|q5_2", count(1), likert, likert), map[string]string{"q5_1": "grid q5",
			"q5_2": "grid q5"}},
		{"grids of letters", repeated(30, "id|q5a|q5b|q5c", count(1), likert, likert, likert),
			map[string]string{"q5a": "grid q5", "q5c": "grid q5"}},
		{"grids of words", repeated(30, "id|rate_price|rate_taste|rate_look", count(1), among("good", "bad", "fair"),
			among("fair", "bad"), among("bad", "fair", "good")), map[string]string{"rate_price": "grid rate",
			"rate_taste": "grid rate", "rate_look": "grid rate"}},
		{"two with a common word are no grid", repeated(30, "id|do_travel|do_cook", count(1), among("good", "bad", "fair"),
			among("fair", "bad")), map[string]string{"do_travel": "single do_travel"}},
		{"tables", repeated(30, "id|q7r1c1|q7r1c2|q7r2c1|q7r2c2", count(1), likert, likert, likert, likert),
			map[string]string{"q7r1c1": "grid q7c1", "q7r2c1": "grid q7c1", "q7r1c2": "grid q7c2"}},
		{"different answers are no grid", repeated(30, "id|d_sex|d_size", count(1), among("male", "female"),
			among("small", "medium", "large")), map[string]string{"d_sex": "single d_sex", "d_size": "single d_size"}},
		{"several answers in a field", repeated(40, "id|q", count(1), among("a;b", "b", "a;c", "c;b;a")),
			map[string]string{"q": "multi q"}},
		{"with commas", repeated(40, "id|q", count(1), among("a, b", "b", "a, c", "c, b, a", "c")),
			map[string]string{"q": "multi q"}},
		{"commas in answers divide nothing", repeated(40, "id|q", count(1), among("Yes, surely", "Yes, perhaps",
			"No, never", "No, hardly", "Maybe")), map[string]string{"q": "single q"}},
		{"numbers", repeated(40, "id|spend", count(1), func(i int) string { return fmt.Sprint(i * i % 311) }),
			map[string]string{"spend": "number spend"}},
		{"few numbers of a quantity", repeated(40, "id|children", count(1), among("0", "1", "2")),
			map[string]string{"children": "number children"}},
		{"codes", repeated(40, "id|q1", count(1), among("1", "2", "3", "98")), map[string]string{"q1": "single q1"}},
		{"negative codes", repeated(40, "id|q1", count(1), among("1", "2", "-1")), map[string]string{"q1": "single q1"}},
		{"dates", repeated(40, "id|when", count(1), among("2024-01-02", "2024-01-03 10:00")),
			map[string]string{"when": "not used"}},
		{"free text", repeated(40, "id|why", count(1), func(i int) string {
			return fmt.Sprintf("because of reason %d",
				i)
		}), map[string]string{"why": "not used"}},
		{"nothing", repeated(40, "id|empty", count(1), among("")), map[string]string{"empty": "not used"}},
		{"a column without a name", repeated(40, "id||q", count(1), yes, yes), map[string]string{"": "not used",
			"q": "single q"}},
		{"reserved codes", repeated(40, "id|waves|locations", count(1), yes, yes),
			map[string]string{"waves": "single waves_2", "locations": "single locations_2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := guessed(t, c.table.file(), guess.Options{})
			got := readings(m)
			for column, want := range c.want {
				if got[column] != want {
					t.Errorf("%s: read as %q, want %q", column, got[column], want)
				}
			}
			whole(t, c.table, m)
		})
	}
}

// What options say is done, whatever the columns look like.
func TestOptionsOverrule(t *testing.T) {
	table := repeated(40, "id|a|b|w|x|y", count(1), among("1", "2"), among("p", "q"), among("1", "2"),
		among("1", "2", "3"), among("x", "2"))
	m := guessed(t, table.file(), guess.Options{Respondent: guess.None, Wave: "A", Location: "b", Weight: "w",
		Grids: []guess.Grid{{Code: "g", Columns: []string{"x", "y"}}}})
	got := readings(m)
	for column, want := range map[string]string{"a": "wave", "b": "location", "w": "weight", "x": "grid g",
		"y": "grid g", "id": "not used"} {
		if got[column] != want {
			t.Errorf("%s: read as %q, want %q", column, got[column], want)
		}
	}
	if m.Codebook.Respondent != survey.RowNumber {
		t.Errorf("respondents are known by %q", m.Codebook.Respondent)
	}
	whole(t, table, m)

	none := guessed(t, repeated(40, "id|wave|country|weight", count(1), among("1", "2"), among("UK", "FR"),
		among("0.5", "1.5")).file(),
		guess.Options{Wave: guess.None, Location: guess.None, Weight: guess.None})
	c := none.Codebook
	if c.Wave.Column != "" || c.Location.Column != "" || c.Weights[0].Column != "" || len(c.Survey.Waves) != 1 ||
		len(c.Survey.Locations) != 1 {
		t.Errorf("roles that were ruled out are there: %+v", c)
	}
	multi := guessed(t, repeated(40, "id|a|b|c", count(1), among("1", "2"), among("2", "1", "9"), among("2")).file(),
		guess.Options{Multis: []guess.Multi{{Code: "m", Columns: []string{"a", "b"}}}})
	if got := readings(multi); got["a"] != "multi m" || got["b"] != "multi m" ||
		multi.Codebook.Questions[0].Datapoints[0].Value != "" && multi.Codebook.Questions[0].Datapoints[0].Value != "1" {
		t.Errorf("read as %v: %+v", got, multi.Codebook.Questions[0])
	}
	pattern := guessed(t, table.file(), guess.Options{Grids: []guess.Grid{{Columns: []string{"a*", "B"}}}})
	if got := readings(pattern); got["a"] != "grid a" || got["b"] != "grid a" {
		t.Errorf("read as %v", got)
	}
}

func TestOptionsThatLeadNowhere(t *testing.T) {
	table := repeated(600, "id|q|name|Q", count(1), among("a", "b"), func(i int) string {
		return fmt.Sprintf("N%d",
			i)
	}, among("a"))
	for _, c := range []struct {
		name string
		o    guess.Options
		says string
	}{
		{"no such column", guess.Options{Wave: "vawe"}, `wave: there is no column "vawe"; there are "id", "q", "name", "Q"`},
		{"no such column, but one like it", guess.Options{Wave: "am"}, `there are "name"`},
		{"a weight of words", guess.Options{Weight: "q"}, "cannot be the weight"},
		{"too many waves", guess.Options{Wave: "name"}, "cannot be the wave"},
		{"twice", guess.Options{Wave: "q", Location: "q"}, `location: column "q" is the wave already`},
		{"a grid without columns", guess.Options{Grids: []guess.Grid{{Code: "g"}}}, "grid: no column is named"},
		{"a grid of nothing", guess.Options{Grids: []guess.Grid{{Columns: []string{"z*"}}}}, "grid: no column is called z*"},
		{"a row twice", guess.Options{Grids: []guess.Grid{{Columns: []string{"q", "q"}}}}, `"q" is named twice`},
		{"an option that is none", guess.Options{Multis: []guess.Multi{{Columns: []string{"name"}}}},
			"multi: column \"name\" (all different) cannot be an option of a multiple choice"},
		{"options of nothing", guess.Options{Multis: []guess.Multi{{Columns: []string{"z*"}}}},
			"multi: no column is called z*"},
		{"a row that is the id", guess.Options{Respondent: "id", Grids: []guess.Grid{{Columns: []string{"id"}}}},
			`"id" is read as respondent already`},
		{"a row of many answers", guess.Options{Grids: []guess.Grid{{Columns: []string{"name"}}}, Respondent: "id"},
			"cannot be a row of a grid"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := guess.Codebook(t.Context(), table.file(), c.o)
			var option *guess.OptionError
			if !errors.As(err, &option) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %q", err, c.says)
			}
		})
	}
}

// A respondent without a wave or a location is not lost: those are their own. A weight that is said and that not all
// have is 0 where it is missing; one that would be guessed is not used.
func TestMissingRoles(t *testing.T) {
	table := repeated(40, "id|wave|country|weight|q", count(1), among("1", "2", "1", "2", "NA"), among("DE", "FR", "DE",
		"FR", "DE", "FR", "NA", ""), among("1.5", "0.5", "", "NA"), among("a", "b"))
	m := guessed(t, table.file(), guess.Options{})
	if notes := strings.Join(m.Notes, "\n"); m.Codebook.Weights[0].Column != "" || !strings.Contains(notes,
		"but 20 respondents have none. It is not used as such; --weight weight would") {
		t.Errorf("the weight is %q:\n%s", m.Codebook.Weights[0].Column, notes)
	}
	m = guessed(t, table.file(), guess.Options{Weight: "weight"})
	c := m.Codebook
	if c.Wave.Missing != "not_stated" || c.Location.Missing != "not_stated" || c.Weights[0].Missing != "zero" {
		t.Errorf("wave %q, location %q, weight %q", c.Wave.Missing, c.Location.Missing, c.Weights[0].Missing)
	}
	if !slices.Contains(c.Location.Values, "NA") { // of two letters like the others: Namibia
		t.Errorf("locations are %q", c.Location.Values)
	}
	for _, l := range c.Survey.Locations {
		if l.Name != "Not stated" && l.ISOCode != l.Name {
			t.Errorf("location %+v has no ISO code", l)
		}
	}
	ref := whole(t, table, m)
	zero := 0
	for _, r := range ref.Respondents() {
		if r.Units["core"] == 0 {
			zero++
		}
	}
	if zero != 20 {
		t.Errorf("%d respondents weigh 0, want 20", zero)
	}
	for _, want := range []string{"20 respondents have no weight", "respondents have no wave",
		"respondents have no location"} {
		if !strings.Contains(strings.Join(m.Notes, "\n"), want) {
			t.Errorf("no note says %q:\n%s", want, strings.Join(m.Notes, "\n"))
		}
	}
}

// Waves that are called after periods get their dates, so that they stand in order.
func TestWavesWithDates(t *testing.T) {
	for _, c := range []struct{ value, start, end, kind string }{
		{"2024", "2024-01-01", "2024-12-31", "year"}, {"2024 Q2", "2024-04-01", "2024-06-30", "quarter"},
		{"Q2 2024", "2024-04-01", "2024-06-30", "quarter"},
		{"2024q2", "2024-04-01", "2024-06-30", "quarter"}, {"H2 2023", "2023-07-01", "2023-12-31", "half-year"},
		{"2024-02", "2024-02-01", "2024-02-29", "month"},
		{"February 2024", "2024-02-01", "2024-02-29", "month"}, {"feb_2024", "2024-02-01", "2024-02-29", "month"},
		{"2024M11", "2024-11-01", "2024-11-30", "month"},
		{"2024-03-31", "2024-03-31", "2024-03-31", "day"}, {"spring 2024", "", "", ""}, {"1", "", "", ""},
		{"Q5 2024", "", "", ""}, {"2024-13", "", "", ""},
	} {
		m := guessed(t, repeated(20, "id|wave", count(1), among(c.value)).file(), guess.Options{Wave: "wave"})
		w := m.Codebook.Survey.Waves[0]
		if w.Start != c.start || w.End != c.end || w.Kind != c.kind {
			t.Errorf("%s is %s to %s, a %q", c.value, w.Start, w.End, w.Kind)
		}
	}
	mixed := guessed(t, repeated(20, "id|wave", count(1), among("2024 Q1", "pilot")).file(), guess.Options{})
	if w := mixed.Codebook.Survey.Waves; w[0].Start != "" || w[1].Start != "" {
		t.Errorf("waves of which one has no date: %+v", w)
	}
}

// What the file says goes before what the values look like.
func TestDeclared(t *testing.T) {
	table := repeated(40, "serial|v1|v2|v3|m1|m2|$m|v4|v5", count(1), among("1.5", "0.5"), among("1", "2", "9"),
		among("2", "1"), among("1", "2"), among("2", "3"), among("1;2", "2;3"), among("0", "1", "77"), count(3))
	f := table.file()
	f.Columns[0].Serial, f.Columns[1].Weight = true, true
	f.Columns[2].Label, f.Columns[2].Labels = "Do you agree?", []guess.Label{{Value: "1", Text: "Agree"},
		{Value: "2", Text: "Disagree"}, {Value: "3", Text: "Not seen"}, {Value: "9", Text: "Refused"}}
	f.Columns[2].Missing = func(v string) bool { return v == "9" }
	f.Columns[6].Virtual = true
	f.Columns[7].Kind = guess.Quantity
	f.Columns[7].Labels = []guess.Label{{Value: "77", Text: "Do not know"}}
	f.Sets = []guess.Set{{Name: "$m", Label: "All of them", Columns: []string{"m1", "m2"}, Joined: "$m", Separator: ";",
		Labels: []guess.Label{{Value: "1", Text: "One"}, {Value: "2", Text: "Two"}}}}
	m := guessed(t, f, guess.Options{})
	got := readings(m)
	for column, want := range map[string]string{"serial": "respondent", "v1": "weight", "v2": "single v2",
		"m1": "multi m", "m2": "multi m", "$m": "", "v4": "number v4"} {
		if got[column] != want {
			t.Errorf("%s: read as %q, want %q", column, got[column], want)
		}
	}
	// A column that is asked for otherwise is no part of the set's question, which has all that was chosen together.
	got = readings(guessed(t, f, guess.Options{Location: "m2"}))
	for column, want := range map[string]string{"m1": "single m1", "m2": "location", "$m": "multi m"} {
		if got[column] != want {
			t.Errorf("with m2 as the location, %s is read as %q, want %q", column, got[column], want)
		}
	}
	for i, q := range m.Codebook.Survey.Questions {
		var names []string
		for _, d := range q.Datapoints {
			names = append(names, d.Name)
		}
		columns := m.Codebook.Questions[i]
		switch q.Code {
		case "v2":
			if !slices.Equal(names, []string{"Agree", "Disagree", "Not seen"}) ||
				!slices.Equal(columns.Missing, []string{"9"}) || q.Name != "Do you agree?" {
				t.Errorf("v2 %q: %q, missing %q", q.Name, names, columns.Missing)
			}
		case "m":
			if !slices.Equal(names, []string{"One", "Two", "3"}) || q.Name != "All of them" {
				t.Errorf("m %q: %q", q.Name, names)
			}
		case "v4":
			if !slices.Equal(names, []string{"0", "1", "Do not know"}) {
				t.Errorf("v4: %q", names)
			}
		}
	}
	whole(t, table, m)
}

// A codebook that was guessed, written out and read back is the same, and so is one that was edited.
func TestWrittenAndReadBack(t *testing.T) {
	table := repeated(40, "id|wave|q1|q2_1|q2_2|age", count(1), among("1", "2"), among("a", "b"), among("0", "1"),
		among("1", "0"), func(i int) string { return fmt.Sprint(20 + i) })
	m := guessed(t, table.file(), guess.Options{})
	text, err := survey.WriteCodebook(m.Codebook)
	if err != nil {
		t.Fatal(err)
	}
	back, err := survey.ReadCodebook(bytes.ReplaceAll(text, []byte(`"name": "Core study"`), []byte(`"name": "Mine"`)))
	if err != nil {
		t.Fatal(err)
	}
	again, err := survey.WriteCodebook(back)
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(string(text), "Core study", "Mine", 1); string(again) != want {
		t.Errorf("%s\nwant\n%s", again, want)
	}
}

// FuzzGuess guesses for any table of texts: there is a codebook, and it holds the whole of the table.
func FuzzGuess(f *testing.F) {
	f.Add([]byte("id,wave,q_1,q_2,weight\n1,w1,1,0,0.5\n2,w2,0,1,1.5\n"))
	f.Add([]byte("a[x],a[y],b,c\n5,4,p;q,2024-01-01\n4,5,q,\n3,3,p;q;r,NA\n"))
	f.Add([]byte("country,age,x\nDE,20,-1\nNA,30,-2.50\n,99,3e2\n"))
	f.Add([]byte("q7r1c1,q7r1c2,q7r2c1,q7r2c2\n1,2,3,4\n3,3,2,1\n"))
	f.Add([]byte("x\n1e-9\n1e30\n0.1\n5\n7\n8\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := csv.New(bytes.NewReader(data), csv.Options{})
		if err != nil {
			return // it is no table
		}
		file := &guess.File{Table: table}
		for _, name := range table.Header() {
			file.Columns = append(file.Columns, guess.Column{Name: name})
		}
		m, err := guess.Codebook(t.Context(), file, guess.Options{Respondent: guess.None, Weight: guess.None})
		var own *survey.Error
		if errors.As(err, &own) {
			return // a row of it is at fault
		}
		if err != nil {
			t.Fatal(err)
		}
		readBack(t, m.Codebook)
		src, err := survey.NewSource(table, m.Codebook, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := survey.Import(t.Context(), src, &naive.Store{},
			survey.Options{Strict: survey.StrictAnswers}); err != nil {
			t.Fatalf("%v\n%+v", err, m.Columns)
		}
	})
}

// A long list of labelled answers is a choice, too, and not cut into bands.
func TestLongListsOfLabels(t *testing.T) {
	table := repeated(2000, "id|occupation", count(1), func(i int) string { return fmt.Sprint(1000 + i%900) })
	f := table.file()
	for i := range 1200 {
		f.Columns[1].Labels = append(f.Columns[1].Labels, guess.Label{Value: fmt.Sprint(1000 + i),
			Text: fmt.Sprintf("Occupation %d", i)})
	}
	m := guessed(t, f, guess.Options{})
	if got := readings(m)["occupation"]; got != "single occupation" ||
		len(m.Codebook.Survey.Questions[0].Datapoints) != 1200 {
		t.Errorf("read as %q", got)
	}
	whole(t, table, m)
}

// A weight of which some values are declared as missing would count those as weights: it is not used, and the notes say
// so.
func TestWeightWithMissingValues(t *testing.T) {
	table := repeated(40, "id|w", count(1), among("0.5", "1.5", "99"))
	f := table.file()
	f.Columns[1].Weight, f.Columns[1].Missing = true, func(v string) bool { return v == "99" }
	m := guessed(t, f, guess.Options{})
	if m.Codebook.Weights[0].Column != "" || !strings.Contains(strings.Join(m.Notes, "\n"),
		"some of its values are declared as missing") {
		t.Errorf("%+v %q", m.Codebook.Weights, m.Notes)
	}
	if _, err := guess.Codebook(t.Context(), f, guess.Options{Weight: "w"}); err == nil ||
		!strings.Contains(err.Error(), "declares as missing (99)") {
		t.Error(err)
	}
}

// What a quiz of Google Forms writes behind each question is no answer: the points, those of all questions, and what
// somebody said of it.
func TestMarksOfQuiz(t *testing.T) {
	const header = "Total score|Do bees sleep?|Do bees sleep? [Score]|Do bees sleep? [Feedback]|Odds [stated]"
	m := guessed(t, repeated(40, header,
		among("3.00 / 5", "4.00 / 5"), among("Yes", "No", "No"), among("1.00 / 1", "-- / 1"), among("", "well done", "so so"),
		among("1 / 2", "1 / 3", "evens")).file(), guess.Options{})
	got := readings(m)
	for name, want := range map[string]string{"Total score": "not used", "Do bees sleep?": "single do_bees_sleep",
		"Do bees sleep? [Score]": "not used", "Do bees sleep? [Feedback]": "not used",
		"Odds [stated]": "single odds_stated"} {
		if got[name] != want {
			t.Errorf("%s is read as %q, want %q", name, got[name], want)
		}
	}
}

// A word that all names of a short file begin with holds no columns together; one of a battery, which is all there is,
// does.
func TestWholeFileBeginsAlike(t *testing.T) {
	m := guessed(t, repeated(60, "survey_num|survey_gender|survey_age|survey_used|survey_type|survey_sweet_a|"+
		"survey_sweet_b|survey_sweet_c|survey_soda|survey_price", count(1), among("0", "1"), among("20", "25", "30", "35"),
		among("0", "0", "1"), among("1", "2", "3"), among("1", "2", "3", "4", "5"), among("2", "5", "3", "4", "1"),
		among("5", "2", "3", "4", "1"), among("1", "1", "0"), count(3000)).file(), guess.Options{})
	got := readings(m)
	for name, want := range map[string]string{"survey_gender": "single survey_gender", "survey_used": "single survey_used",
		"survey_soda": "single survey_soda", "survey_sweet_b": "grid survey_sweet"} {
		if got[name] != want {
			t.Errorf("%s is read as %q, want %q", name, got[name], want)
		}
	}
	m = guessed(t, repeated(60, "hh_num|hh_sex|hh_age|hh_dept|hh_salary|hh_tv|hh_radio|hh_fridge|hh_car", count(1),
		among("m", "f"), among("20", "25", "30", "35"), among("law", "art", "it"), count(3000), among("yes", "no"),
		among("no", "no", "yes"), among("yes", "yes", "no"), among("no", "yes", "yes")).file(), guess.Options{})
	for _, name := range []string{"hh_tv", "hh_radio", "hh_fridge", "hh_car"} {
		if got := readings(m)[name]; got != "multi hh" {
			t.Errorf("%s is read as %q", name, got)
		}
	}
	ratings := slices.Repeat([]func(int) string{among("1", "2", "3", "4", "5")}, 9)
	m = guessed(t, repeated(60, "item_1|item_2|item_3|item_4|item_5|item_6|item_7|item_8|item_9", ratings...).file(),
		guess.Options{})
	for name, got := range readings(m) {
		if got != "grid item" {
			t.Errorf("%s is read as %q", name, got)
		}
	}
}

// Labels of which no value has one were copied from another column: words that respondents wrote stay free text.
func TestLabelsOfAnotherColumn(t *testing.T) {
	wrote := []string{"Dane", "Finn", "Sami", "Roma", "Dane", "Thai", "Celt and Pict", "Copt", "Kurd", "Lett", "Manx",
		"Serb"}
	f := repeated(80, "id|sex|other", count(1), among("1", "2"), func(i int) string {
		if i%6 == 0 && i/6 < len(wrote) {
			return wrote[i/6]
		}
		return ""
	}).file()
	for i := range f.Columns[1:] {
		f.Columns[i+1].Labels = []guess.Label{{Value: "1", Text: "Male"}, {Value: "2", Text: "Female"}}
	}
	if got := readings(guessed(t, f, guess.Options{})); got["other"] != "not used" || got["sex"] != "single sex" {
		t.Errorf("read as %q and %q", got["other"], got["sex"])
	}
	if len(f.Columns[2].Labels) == 0 {
		t.Error("the caller's column has lost its labels")
	}
}

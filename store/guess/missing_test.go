package guess_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/formats/csv"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/survey"
)

// positives counts the respondents of a file, read by the codebook that is guessed for it, who are positive on each
// answer, as in "core.g g1 9".
func positives(t *testing.T, f *guess.File, o guess.Options) (map[string]int, *guess.Result) {
	t.Helper()
	m := guessed(t, f, o)
	src, err := survey.NewSource(f.Table, m.Codebook, 1)
	if err != nil {
		t.Fatal(err)
	}
	ref := &naive.Store{}
	if _, err := survey.Import(t.Context(), src, ref, survey.Options{}); err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for _, r := range ref.Respondents() {
		for a := range r.Positive {
			n[a.Question+" "+a.Datapoint+strings.Repeat(fmt.Sprint(" ", a.Suffix), min(1, a.Suffix))]++
		}
	}
	return n, m
}

// A word for "no value" that one column has among its labelled answers is not taken for that in another, from where it
// would be missing in both.
func TestLabelledMarkIsAnAnswer(t *testing.T) {
	f := repeated(40, "id|owner|brand", count(1), among("NA", "EU", "EU", "EU"), among("NA", "x", "y", "x")).file()
	f.Columns[1].Labels = []guess.Label{{Value: "NA", Text: "North America"}, {Value: "EU", Text: "Europe"}}
	n, _ := positives(t, f, guess.Options{})
	if n["core.owner owner_na"] != 10 || n["core.owner owner_eu"] != 30 {
		t.Errorf("positive are %v", n)
	}
	f.Columns[1].Missing = func(v string) bool { return v == "NA" }
	n, m := positives(t, f, guess.Options{})
	if n["core.owner owner_eu"] != 30 || n["core.brand brand_na"] != 0 || !slices.Equal(m.Codebook.Missing,
		[]string{"NA"}) {
		t.Errorf("positive are %v, missing %q", n, m.Codebook.Missing)
	}
}

// Columns of which the file declares a value as missing in one, while it is an answer in the next, are no rows of one
// grid, which has one list of missing values. Who says that they are is told.
func TestGridOfOneListOfMissingValues(t *testing.T) {
	steps := []guess.Label{{Value: "1", Text: "Low"}, {Value: "2", Text: "Middle"}, {Value: "3", Text: "High"},
		{Value: "9", Text: "Do not know"}}
	f := repeated(40, "id|g_1|g_2|g_3", count(1), among("1", "2", "3", "9"), among("1", "2", "3", "9"),
		among("9", "2", "3", "1")).file()
	for i := range f.Columns[1:] {
		f.Columns[i+1].Labels = steps
	}
	f.Columns[1].Missing = func(v string) bool { return v == "9" }
	n, _ := positives(t, f, guess.Options{})
	if n["core.g g_2 9"] != 10 || n["core.g g_3 9"] != 10 || n["core.g_1 g_1_9"] != 0 || n["core.g_1 g_1_1"] != 10 {
		t.Errorf("positive are %v", n)
	}
	for i := range f.Columns[1:] { // by their labels
		f.Columns[i+1].Name, f.Table.(*table).header[i+1] = string(rune('x'+i)), string(rune('x'+i))
		f.Columns[i+1].Label = fmt.Sprint("How high? Number ", i)
	}
	n, _ = positives(t, f, guess.Options{})
	if n["core.x x_1"] != 10 || n["core.y y 9"] != 10 {
		t.Errorf("positive are %v", n)
	}
	_, m := positives(t, f, guess.Options{Grids: []guess.Grid{{Code: "all", Columns: []string{"x", "y", "z"}}}})
	if notes := strings.Join(m.Notes, "\n"); strings.Count(notes,
		"question all: values that are missing in some of its columns") != 1 {
		t.Errorf("notes are %s", notes)
	}
}

// A column that the file declares to be in two sets is in two questions; one that is read otherwise is left out of
// them, and that is told.
func TestSetsThatOverlap(t *testing.T) {
	f := repeated(40, "id|a|b|c|w", count(1), among("1", "0"), among("1", "0", "0", "0"), among("0", "1"),
		among("0.5", "1.5")).file()
	f.Columns[4].Weight = true
	f.Sets = []guess.Set{
		{Name: "$all", Columns: []string{"a", "b", "c"}, Value: "1"},
		{Name: "$large", Columns: []string{"a", "b", "w"}, Options: []string{"A", "B", "W"}, Value: "1"},
	}
	n, m := positives(t, f, guess.Options{})
	if n["core.all a"] != 20 || n["core.large a"] != 20 || n["core.large b"] != 10 {
		t.Errorf("positive are %v", n)
	}
	notes := strings.Join(m.Notes, "\n")
	for _, want := range []string{"the set $large, of which columns are in other questions, too: a, b",
		"the set $large, of which columns are left out that are read otherwise: w (weight)"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes lack %q: %s", want, notes)
		}
	}
}

// What is read as no answer, though something stands there, is told.
func TestMarksAreTold(t *testing.T) {
	f := repeated(40, "id|q1|q2", count(1), among("1", "2", "NA"), among("x", "y", "y", ".")).file()
	n, m := positives(t, f, guess.Options{})
	if n["core.q1 q1_1"] != 14 || n["core.q2 q2_x"] != 10 {
		t.Errorf("positive are %v", n)
	}
	want := "., NA: read as no answer, because programs write that where there is none (in q1, q2)"
	if !slices.Contains(m.Notes, want) {
		t.Errorf("notes lack %q: %s", want, strings.Join(m.Notes, "\n"))
	}
}

// Rows in which nothing stands are told. In a text they are no respondents, as a spreadsheet left them behind; where a
// format counts its cases they are.
func TestEmptyRowsAreTold(t *testing.T) {
	const text = "q1,q2\n1,a\n2,b\n,\n1,a\n2,\n , \n\"\",\n"
	table, err := csv.New(strings.NewReader(text), csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := &guess.File{Table: table, Columns: []guess.Column{{Name: "q1"}, {Name: "q2"}}}
	m, err := guess.Codebook(t.Context(), f, guess.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "3 rows with nothing in any column, the first of them row 4: left out"
	if notes := strings.Join(m.Notes, "\n"); !strings.Contains(notes, want) {
		t.Errorf("notes lack %q: %s", want, notes)
	}
	if m.Rows != 4 {
		t.Errorf("there are %d respondents, want 4", m.Rows)
	}
	cases := repeated(40, "p|q", among("1", "2", ""), among("x", "y", "")).file()
	if m, err = guess.Codebook(t.Context(), cases, guess.Options{}); err != nil {
		t.Fatal(err)
	}
	want = "13 rows with nothing in any column, the first of them row 3: each counts as a respondent who answered nothing"
	if !slices.Contains(m.Notes, want) || m.Rows != 40 {
		t.Errorf("%d respondents; notes lack %q: %s", m.Rows, want, strings.Join(m.Notes, "\n"))
	}
	if _, m := positives(t, repeated(40, "id|q", count(1), among("1", "")).file(), guess.Options{}); strings.Contains(
		strings.Join(m.Notes, "\n"), "nothing in any") {
		t.Error("a row with an id is taken for empty")
	}
}

// The flag that would take a column for the weight is named only where it would.
func TestWeightThatNoFlagMakesOne(t *testing.T) {
	for _, c := range []struct {
		values []string
		helps  bool
	}{{[]string{"0.5", "-1"}, true}, {[]string{"0.5", "n.a."}, false}, {[]string{"0,85", "1,2"}, false}} {
		f := repeated(40, "id|weight|q", count(1), among(c.values...), among("1", "2")).file()
		_, m := positives(t, f, guess.Options{})
		_, err := guess.Codebook(t.Context(), f, guess.Options{Weight: "weight"})
		if named := strings.Contains(strings.Join(m.Notes, "\n"), "--weight weight would"); named != c.helps ||
			(err == nil) != c.helps {
			t.Errorf("%q: the flag is named: %t; with it, %v", c.values, named, err)
		}
	}
}

// A space that does not break a line, and a byte order mark, make no other answer.
func TestBlanksOfOtherKinds(t *testing.T) {
	f := repeated(40, "id|q", count(1), among("Strongly\u00a0agree", "Strongly agree",
		"Strongly agree\ufeff", "Disagree")).file()
	n, m := positives(t, f, guess.Options{})
	if n["core.q q_strongly_agree"] != 30 || len(m.Codebook.Survey.Questions[0].Datapoints) != 2 {
		t.Errorf("positive are %v", n)
	}
}

// A set that the file declares of columns in which respondents gave the same answer again and again is no multiple
// choice of mentions, but a grid.
func TestSetsOfGrids(t *testing.T) {
	steps := []guess.Label{{Value: "1", Text: "Never"}, {Value: "2", Text: "Now and then"}, {Value: "3", Text: "Always"}}
	for _, c := range []struct {
		second func(int) string
		want   string
	}{{among("1", "2", "3"), "grid q4"}, {among("2", "3", "1"), "multi both"}} {
		joined := func(i int) string {
			a, b := among("1", "2", "3")(i), c.second(i)
			if a == b {
				return a
			}
			return a + ";" + b
		}
		f := repeated(60, "id|q4_1|q4_2|$both", count(1), among("1", "2", "3"), c.second, joined).file()
		f.Columns[1].Labels, f.Columns[2].Labels, f.Columns[3].Virtual = steps, steps, true
		f.Sets = []guess.Set{{Name: "$both", Columns: []string{"q4_1", "q4_2"}, Joined: "$both",
			Separator: ";", Labels: steps}}
		m := guessed(t, f, guess.Options{})
		if got := readings(m); got["q4_2"] != c.want && got["$both"] != c.want {
			t.Errorf("read as %v, want %s", got, c.want)
		}
	}
}

// A set whose columns together hold every answer for nearly everyone who gave any is a ranking: its columns are the
// rows of a grid with the ranks. One of what came to mind first and second is a multiple choice.
func TestSetsOfRanks(t *testing.T) {
	for _, c := range []struct {
		ranks []string // of the three columns, in the rows over and over
		want  string
	}{
		{[]string{"123", "213", "321", "132"}, "grid rank"},
		{[]string{"12.", "2..", "3..", "13."}, "multi order"},
	} {
		rank := func(place int) func(int) string {
			return func(i int) string { return strings.Trim(c.ranks[i%len(c.ranks)][place:][:1], ".") }
		}
		joined := func(i int) string {
			return strings.Join(strings.Split(strings.Trim(c.ranks[i%len(c.ranks)], "."), ""), ";")
		}
		f := repeated(60, "id|rank_1|rank_2|rank_3|$order", count(1), rank(0), rank(1), rank(2), joined).file()
		f.Columns[4].Virtual = true
		f.Sets = []guess.Set{{Name: "$order", Columns: []string{"rank_1", "rank_2", "rank_3"}, Joined: "$order",
			Separator: ";"}}
		m := guessed(t, f, guess.Options{})
		if got := readings(m); got["rank_2"] != c.want && got["$order"] != c.want {
			t.Errorf("%v: read as %v, want %s", c.ranks, got, c.want)
		}
	}
}

// Numbers below zero that stand in many columns of a file, among numbers and words, are no answers; where one column
// has another number below zero, too, nothing tells that.
func TestCodesOfFileAreNoAnswers(t *testing.T) {
	header, columns := []string{"id"}, []func(int) string{count(1)}
	for k := range 10 {
		header = append(header, fmt.Sprintf("%s_it", []string{"want", "know", "like", "need", "keep", "sell", "rent", "lend",
			"give", "take"}[k]))
		columns = append(columns, among("1", "2", "3", []string{"-8", "-7"}[k%2]))
	}
	header = append(header, "said", "years")
	columns = append(columns, among("-7", "Yes", "No", "No"), among("-8", "0", "12"))
	table := repeated(40, strings.Join(header, "|"), columns...)
	n, m := positives(t, table.file(), guess.Options{})
	for answer := range n {
		if strings.Contains(answer, "_-") || strings.HasSuffix(answer, " -7") || strings.HasSuffix(answer, "_7") ||
			strings.HasSuffix(answer, "_8") {
			t.Errorf("positive are %v", n)
		}
	}
	if notes := strings.Join(m.Notes, "\n"); !strings.Contains(notes, "said, years: codes below zero") {
		t.Errorf("notes are %s", notes)
	}
	table = repeated(40, strings.Join(append(header, "change"), "|"), append(columns, among("-8", "-3", "2", "4"))...)
	if _, m := positives(t, table.file(), guess.Options{}); strings.Contains(strings.Join(m.Notes, "\n"), "below zero") {
		t.Errorf("notes are %s", strings.Join(m.Notes, "\n"))
	}
}

// Nines far from all other numbers are no answers where several columns have them, of which one holds an amount.
func TestNinesFarAwayAreNoAnswers(t *testing.T) {
	years := func(i int) string { return []string{"999", fmt.Sprint(17 + i%25)}[min(1, i%10)] }
	f := repeated(60, "id|age|sex|drinks|score", count(1), years, among("1", "0", "999"), among("0", "1", "2", "999", "5"),
		among("1", "2", "3", "4", "999")).file()
	n, m := positives(t, f, guess.Options{})
	for answer := range n {
		if strings.Contains(answer, "999") {
			t.Errorf("positive are %v", n)
		}
	}
	for _, c := range m.Codebook.Questions {
		if len(c.Missing) == 0 {
			t.Errorf("%+v has no missing value", c)
		}
	}
	f = repeated(60, "id|age|sex|drinks", count(1), years, among("1", "0", "999"), among("0", "1", "2", "999", "5")).file()
	if n, _ = positives(t, f, guess.Options{}); n["core.sex sex_999"] != 20 {
		t.Errorf("positive are %v", n)
	}
}

// What programs write in place of an answer in several columns is none; "No answer" in words is one of those that
// published tables count.
func TestNoAnswerInWords(t *testing.T) {
	f := repeated(40, "id|liked|again|told", count(1), among("Yes", "no_answer", "No", "No"), among("Yes", "no_answer"),
		among("no_answer", "Yes", "No", "No")).file()
	n, _ := positives(t, f, guess.Options{})
	if len(n) != 5 || n["core.liked liked_yes"] != 10 || n["core.again again_yes"] != 20 {
		t.Errorf("positive are %v", n)
	}
	f = repeated(40, "id|liked|again|told", count(1), among("Yes", "No answer", "No", "No"), among("Yes", "No answer"),
		among("No answer", "Yes", "No", "No")).file()
	n, _ = positives(t, f, guess.Options{})
	if n["core.liked liked_no_answer"] != 10 || n["core.told told_no_answer"] != 10 {
		t.Errorf("positive are %v", n)
	}
}

// Codes below zero that tools write for what was left out are no answers, where the columns around them have them, too,
// or a label says so; those of a scale around zero, and who does not know, are.
func TestCodesBelowZeroAreNoAnswers(t *testing.T) {
	f := repeated(40, "id|a|b|c|d|e|f", count(1), among("1", "2", "3", "-1"), among("1", "-2", "3", "2"),
		among("-3", "2", "3", "1"), among("1", "0", "-2", "-2"), among("-1", "2", "1", "-2"),
		among("2", "-1", "-2", "1")).file()
	f.Columns[5].Labels = []guess.Label{{Value: "1", Text: "Yes"}, {Value: "2", Text: "No"},
		{Value: "-1", Text: "Do not know"}, {Value: "-2", Text: "Not answered"}}
	n, m := positives(t, f, guess.Options{})
	for what, want := range map[string]int{"core.a a_1": 10, "core.a a_minus_1": 0, "core.f f_minus_2": 0,
		"core.b b_minus_2": 0,
		"core.c c_minus_3": 0, "core.d d_1": 10, "core.d d_minus_2": 0, "core.e e_minus_1": 10, "core.e e_minus_2": 0} {
		if n[what] != want {
			t.Errorf("%d are positive on %s, want %d", n[what], what, want)
		}
	}
	want := "a, b, c, d, e, f: codes below zero read as no answer"
	if notes := strings.Join(m.Notes, "\n"); !strings.Contains(notes, want) {
		t.Errorf("notes lack %q: %s", want, notes)
	}
	scale := repeated(40, "id|a|b|c", count(1), among("1", "2", "-1", "-2"), among("-2", "1", "2", "-1"),
		among("2", "1", "-2", "-1")).file()
	if n, m = positives(t, scale, guess.Options{}); n["core.a a_minus_2"]+n["core.c c_minus_2"] != 20 {
		t.Errorf("positive are %v: %s", n, strings.Join(m.Notes, "\n"))
	}
}

// Two of a few answers in a field, of hardly anyone among many, are an answer of their own and make no multiple choice.
func TestTwoAnswersOfHardlyAnyone(t *testing.T) {
	for _, c := range []struct {
		two, rows int
		as        string
	}{{6, 120, "single"}, {7, 120, "multi"}, {4, 80, "multi"}} {
		values := make([]string, c.rows)
		for i := range values {
			values[i] = []string{"Agree", "Disagree", "Neither"}[i%3]
			if i < c.two {
				values[i] = []string{"Agree, Neither", "Disagree, Neither"}[i%2]
			}
		}
		_, m := positives(t, repeated(c.rows, "id|q", count(1), among(values...)).file(), guess.Options{})
		if got := m.Columns[1].As; got != c.as {
			t.Errorf("%d of %d gave two: read as %s, want %s", c.two, c.rows, got, c.as)
		}
	}
}

// Several answers in a field, of few among many, make a multiple choice where they were put together in three ways, and
// each was given alone, too.
func TestAnswersGivenApart(t *testing.T) {
	for several, as := range map[string]string{"Reader, Aide": "multi", "Reader, Porter": "single"} {
		field := func(i int) string {
			if i < 6 {
				return []string{several, "Aide, Doctor", "Reader, Aide, Doctor"}[i%3]
			}
			return []string{"None", "None", "Reader", "None", "Aide", "Doctor"}[i%6]
		}
		_, m := positives(t, repeated(300, "id|q", count(1), field).file(), guess.Options{})
		if got := m.Columns[1].As; got != as {
			t.Errorf("%s: read as %s, want %s", several, got, as)
		}
	}
}

// A question that asks which one it is gets one answer, but where a semicolon stands behind each, as forms write what
// several boxes were ticked of.
func TestOneAskedSeveralTicked(t *testing.T) {
	for as, fields := range map[string][]string{
		"multi":  {"Mail;", "News;", "Mail;News;", "News;Mail;", "Maps;", "Mail;Maps;"},
		"single": {"Mail", "News", "Mail; News", "News; Mail", "Maps", "Mail; Maps"},
	} {
		_, m := positives(t, repeated(60, "id|Which one is the one that you use most?", count(1), among(fields...)).file(),
			guess.Options{})
		if got := m.Columns[1].As; got != as {
			t.Errorf("%q: read as %s, want %s", fields, got, as)
		}
	}
}

// Of a column in which some texts are longer than is kept of any, it is not said that many are different.
func TestLongTexts(t *testing.T) {
	essay := strings.Repeat("what I think of it ", 60)
	_, m := positives(t, repeated(60, "id|q", count(1), among("Mail", "News", essay)).file(), guess.Options{})
	if got := m.Columns[1].Values; got != "long texts" {
		t.Errorf("its values are %q", got)
	}
}

// Numbers stay numbers where a few wrote a unit or words; where many did, where codes have letters behind them, and
// where the numbers are few, they are what they were.
func TestNumbersAmongWords(t *testing.T) {
	ages := func(words ...string) []string {
		values := make([]string, 120)
		for i := range values {
			values[i] = strconv.Itoa(18 + i%40)
		}
		copy(values, words)
		return values
	}
	many := ages()
	for i := range 15 {
		many[i] = fmt.Sprintf("about %d", 20+i)
	}
	few := ages()
	for i := range few {
		few[i] = strconv.Itoa(1 + i%5)
	}
	few[0] = "five"
	for what, c := range map[string]struct {
		values []string
		as     string
	}{
		"units":   {ages("42 years", "thirty"), "number"},
		"many":    {many, "not used"},
		"letters": {ages("13A", "20B", "21C"), "not used"},
		"dates":   {ages("1/1/98", "01/02/1967", "3/4/67", "4/5/1966"), "number"},
		"several": {ages("18;20", "19;21;22", "20;25", "30;31"), "multi"},
		"few":     {few, "single"},
	} {
		f := repeated(120, "id|q1", count(1), among(c.values...)).file()
		n, m := positives(t, f, guess.Options{})
		if got := m.Columns[1].As; got != c.as {
			t.Errorf("%s: read as %s, want %s", what, got, c.as)
		}
		if what == "units" {
			told := 0
			for at, positive := range n {
				if strings.HasPrefix(at, "core.q1 ") {
					told += positive
				}
			}
			if notes := strings.Join(m.Notes, "\n"); told != 118 || !strings.Contains(notes, "q1: read as numbers") {
				t.Errorf("%d of 120 gave a number, not 118: %s", told, notes)
			}
		}
	}
}

// A number that is too large to be counted is no answer where one wrote it; where many did, the column is not used.
func TestBeyondCounting(t *testing.T) {
	for times, as := range map[int]string{1: "number", 30: "not used"} {
		f := repeated(150, "id|absences", count(1), func(i int) string {
			if i < times {
				return "111111111111111111111"
			}
			return strconv.Itoa(i * 7 % 41)
		}).file()
		n, m := positives(t, f, guess.Options{})
		if got := m.Columns[1].As; got != as {
			t.Errorf("%d of 150: read as %s", times, got)
		}
		all := 0
		for _, positive := range n {
			all += positive
		}
		if times == 1 && all != 149 {
			t.Errorf("%d numbers, not 149", all)
		}
	}
}

// A letter that stands beside labelled numbers in ten columns, and has no label in any, is no answer; in nine it is. So
// it is beside five numbers or more that have none either.
func TestLettersWithoutLabel(t *testing.T) {
	for _, columns := range []int{9, 10} {
		header, cells := []string{"id"}, []func(int) string{count(1)}
		for i := range columns {
			header = append(header, fmt.Sprintf("%cx", 'a'+i))
			if i%3 == 0 {
				cells = append(cells, among("10", "D", "25", "40", "D", "55", "100", "D"))
			} else {
				cells = append(cells, among("1", "0", "D", "0", "1"))
			}
		}
		f := repeated(40, strings.Join(header, "|"), cells...).file()
		for i := range f.Columns[1:] {
			if i%3 != 0 {
				f.Columns[i+1].Labels = []guess.Label{{Value: "0", Text: "No"}, {Value: "1", Text: "Yes"}}
			}
		}
		m := guessed(t, f, guess.Options{})
		said := slices.ContainsFunc(m.Notes, func(note string) bool { return strings.Contains(note, `"D" read as no answer`) })
		missing := slices.ContainsFunc(m.Codebook.Questions, func(q survey.QuestionColumns) bool {
			return slices.Contains(q.Missing, "D")
		})
		if said != (columns == 10) || missing != said {
			t.Errorf("%d columns: %v, %v; %q", columns, said, missing, m.Notes)
		}
	}
}

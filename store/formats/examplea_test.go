package formats_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
)

// fixture is the path of a file of third parties, which is not part of the project.
func fixture(t testing.TB, path ...string) string {
	t.Helper()
	root := os.Getenv("CROSSWAVE_TESTDATA")
	if root == "" {
		t.Skip("CROSSWAVE_TESTDATA is not set: the files of third parties are not there")
	}
	return filepath.Join(append([]string{root, "fixtures"}, path...)...)
}

// exampleACodebook reads the codebook of example-a.
func exampleACodebook(t *testing.T) *survey.Codebook {
	t.Helper()
	text, err := os.ReadFile("../storetest/testdata/example-a/codebook.json")
	if err != nil {
		t.Fatal(err)
	}
	c, err := survey.ReadCodebook(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// edited makes of the codebook that is guessed for the .sav of example-a the one that its owner would: the second
// weight is that of a namespace with the questions about shops, ages have other bands, and who does not want to tell
// has answered.
func edited(t *testing.T, c, want *survey.Codebook) {
	t.Helper()
	c.Survey.Namespaces = append(c.Survey.Namespaces, audience.Namespace{Code: "stores", Base: "core"})
	c.Weights = append(c.Weights, survey.WeightColumn{Column: "weight_b", Missing: "zero"})
	for i := range c.Survey.Questions {
		q, columns := &c.Survey.Questions[i], &c.Questions[i]
		switch {
		case strings.HasPrefix(q.Code, "q14"):
			q.Namespace = "stores"
		case q.Code == "age":
			k := slices.IndexFunc(want.Survey.Questions, func(q audience.Question) bool { return q.Code == "age" })
			q.Datapoints, columns.Datapoints = want.Survey.Questions[k].Datapoints, want.Questions[k].Datapoints
		case q.Code == "ethnicity" || q.Code == "religion":
			if !slices.Equal(columns.Missing, []string{"16"}) {
				t.Errorf("%s: %q are missing, not 16", q.Code, columns.Missing)
			}
			columns.Missing = nil
			q.Datapoints = append(q.Datapoints, audience.Datapoint{Code: q.Code + "_16"})
			columns.Datapoints = append(columns.Datapoints, survey.AnswerColumn{Value: "16"})
		}
	}
}

// answerPlaces gives each answer of a codebook the name "column=value" that it has in a file. shared names those that
// share a column with the others of their question.
func answerPlaces(c *survey.Codebook, shared func(columns *survey.QuestionColumns,
	a survey.AnswerColumn) string) map[naive.Answer]string {
	out := map[naive.Answer]string{}
	for i, q := range c.Survey.Questions {
		columns, key := &c.Questions[i], q.Key()
		for j, d := range q.Datapoints {
			a := columns.Datapoints[j]
			switch {
			case q.Kind == audience.Grid:
				for k, s := range q.Suffixes {
					out[naive.Answer{Question: key, Datapoint: d.Code, Suffix: s.Code}] = a.Column + "=" + columns.Suffixes[k]
				}
			case q.Kind == audience.Number && a.Column != "": // which has a column of codes
				out[naive.Answer{Question: key, Datapoint: d.Code}] = a.Column + "=" + a.Value
			case a.Column != "":
				out[naive.Answer{Question: key, Datapoint: d.Code}] = a.Column + "=1"
			default:
				out[naive.Answer{Question: key, Datapoint: d.Code}] = shared(columns, a)
			}
		}
	}
	return out
}

// inExampleA names answers as the .sav of example-a has them: the options of its sets are the values of the CSV.
func inExampleA(columns *survey.QuestionColumns, a survey.AnswerColumn) string {
	switch {
	case a.From != "" || a.To != "":
		return columns.Column + "=" + a.From + "-" + a.To
	case columns.Separator != "":
		return columns.Column + "_m" + a.Value + "=1"
	}
	return columns.Column + "=" + a.Value
}

// inExport names answers as an exported file has them: the values of sets are those of their columns.
func inExport(columns *survey.QuestionColumns, a survey.AnswerColumn) string {
	return columns.Column + "=" + a.Value
}

// The generated .sav and .zsav hold the survey of example-a: the same waves, locations, weights and answers, respondent
// by respondent, and the same coverage.
func TestGeneratedIsExampleA(t *testing.T) {
	source, err := storetest.OpenExampleA()
	if err != nil {
		t.Fatal(err)
	}
	want, _ := stored(t, source)
	wantBook := exampleACodebook(t)
	for _, name := range []string{"example_a_mrsets.sav", "example_a_mrsets.zsav"} {
		t.Run(name, func(t *testing.T) {
			f, err := formats.Open(fixture(t, "sav-generated", name), formats.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			m, err := f.Guess(t.Context(), guess.Options{})
			if err != nil {
				t.Fatal(err)
			}
			edited(t, m.Codebook, wantBook)
			src, err := f.Source(m.Codebook)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := stored(t, src)
			compareAnswers(t, want, got, wantBook, m.Codebook)
		})
	}
}

// compareAnswers compares two stores answer by answer, those of questions that both have.
func compareAnswers(t *testing.T, want, got *naive.Store, wantBook, gotBook *survey.Codebook) {
	t.Helper()
	wantPlaces, gotPlaces := answerPlaces(wantBook, inExampleA), answerPlaces(gotBook, inExampleA)
	both := map[string]bool{}
	for _, place := range gotPlaces {
		both[place] = true
	}
	compared := 0
	for a, place := range wantPlaces {
		if !both[place] {
			t.Errorf("nothing in the file is %v (%s)", a, place)
		}
		compared++
	}
	if compared < 200 {
		t.Errorf("only %d answers are compared", compared)
	}
	inWant := map[string]bool{}
	for _, place := range wantPlaces {
		inWant[place] = true
	}
	of := func(positive map[naive.Answer]bool, places map[naive.Answer]string) []string {
		var list []string
		for a := range positive {
			if inWant[places[a]] {
				list = append(list, places[a])
			}
		}
		slices.Sort(list)
		return list
	}
	names := func(b *survey.Codebook) map[string]string {
		m := map[string]string{}
		for i, w := range b.Survey.Waves {
			m["wave "+w.Code] = b.Wave.Values[i]
		}
		for i, l := range b.Survey.Locations {
			m["location "+l.Code] = b.Location.Values[i]
		}
		return m
	}
	wantNames, gotNames := names(wantBook), names(gotBook)
	ws, gs := want.Respondents(), got.Respondents()
	if len(ws) != len(gs) {
		t.Fatalf("%d respondents, want %d", len(gs), len(ws))
	}
	for i := range ws {
		w, g := &ws[i], &gs[i]
		if w.Units["core"] == g.Units["core"] && w.Units["stores"] == g.Units["stores"] &&
			wantNames["wave "+w.Wave] == gotNames["wave "+g.Wave] &&
			wantNames["location "+w.Location] == gotNames["location "+g.Location] &&
			slices.Equal(of(w.Positive, wantPlaces), of(g.Positive, gotPlaces)) {
			continue
		}
		a := []any{wantNames["wave "+w.Wave], wantNames["location "+w.Location], w.Units, of(w.Positive, wantPlaces)}
		b := []any{gotNames["wave "+g.Wave], gotNames["location "+g.Location], g.Units, of(g.Positive, gotPlaces)}
		t.Fatalf("respondent %d: %s", i+1, cmp.Diff(a, b))
	}
	wantFrame, _ := want.Frame(t.Context())
	gotFrame, _ := got.Frame(t.Context())
	covers := map[string]int{}
	for i, q := range wantFrame.Questions {
		for j, d := range q.Datapoints {
			for a, place := range wantPlaces {
				if a.Question == q.Key() && a.Datapoint == d.Code {
					covers[place] = wantFrame.Asked(i, j).Len()
				}
			}
		}
	}
	for i, q := range gotFrame.Questions {
		for j, d := range q.Datapoints {
			asked := gotFrame.Asked(i, j).Len()
			for a, place := range gotPlaces {
				if n, there := covers[place]; there && a.Question == q.Key() && a.Datapoint == d.Code && n != asked {
					t.Errorf("%s is asked in %d fieldworks, want %d", place, asked, n)
				}
			}
		}
	}
}

// The figures of the generated file are those that PSPP prints: weighted counts of a crosstab and of two tables of
// frequencies.
func TestGeneratedGivesPSPPsFigures(t *testing.T) {
	f, err := formats.Open(fixture(t, "sav-generated", "example_a_mrsets.sav"), formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := f.Guess(t.Context(), guess.Options{})
	if err != nil {
		t.Fatal(err)
	}
	src, err := f.Source(m.Codebook)
	if err != nil {
		t.Fatal(err)
	}
	ref, _ := stored(t, src)
	names := map[naive.Answer]string{} // "question label/answer label"
	for _, q := range m.Codebook.Survey.Questions {
		for _, d := range q.Datapoints {
			switch {
			case q.Code == "q1":
				names[naive.Answer{Question: "core.q1", Datapoint: d.Code}] = d.Name
			case q.Code == "q2" && d.Name == "Sky diving":
				names[naive.Answer{Question: "core.q2", Datapoint: d.Code}] = d.Name
			case q.Code == "q5" && d.Name == "Surfing":
				for _, s := range q.Suffixes {
					names[naive.Answer{Question: "core.q5", Datapoint: d.Code, Suffix: s.Code}] = "q5/" + s.Name
				}
			}
		}
	}
	sums := map[string]*big.Rat{}
	add := func(key string, w *big.Rat) {
		if sums[key] == nil {
			sums[key] = new(big.Rat)
		}
		sums[key].Add(sums[key], w)
	}
	for _, r := range ref.Respondents() {
		for a := range r.Positive {
			if name := names[a]; name != "" {
				add(name, r.Weights["core"])
				add(name+"/"+r.Wave, r.Weights["core"])
			}
		}
	}
	checked := 0
	check := func(key, printed string) {
		t.Helper()
		want, err := strconv.ParseFloat(strings.TrimSpace(printed), 64)
		if err != nil {
			t.Fatal(err)
		}
		got := 0.0
		if sums[key] != nil {
			got, _ = sums[key].Float64()
		}
		_, fraction, _ := strings.Cut(printed, ".")
		if math.Abs(got-want) > 0.5000001*math.Pow(10, -float64(len(fraction))) {
			t.Errorf("%s: %v, PSPP prints %s", key, got, printed)
		}
		checked++
	}
	for _, row := range psppRows(t) {
		switch {
		case row.table == "What is your main fitness activity? × Wave" && len(row.cells) == 9 &&
			row.cells[2] == "Count" && row.cells[0] != "Total":
			for w := 1; w <= 5; w++ {
				check(fmt.Sprintf("%s/wave_%d", row.cells[1], w), row.cells[2+w])
			}
			check(row.cells[1], row.cells[8])
		case row.table == "Sky diving" && row.cells[1] == "Mentioned":
			check("Sky diving", row.cells[2])
		case strings.HasPrefix(row.table, "How likely") && row.cells[1] != "" && row.cells[0] != "Total":
			check("q5/"+row.cells[1], row.cells[2])
		}
	}
	if checked != 12*6+1+7 {
		t.Errorf("%d figures were checked", checked)
	}
}

// psppRow is a row of a table that PSPP printed.
type psppRow struct {
	table string
	cells []string
}

func psppRows(t *testing.T) []psppRow {
	t.Helper()
	text, err := os.ReadFile(fixture(t, "sav-generated", "pspp-output.csv"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []psppRow
	table := ""
	r := csv.NewReader(strings.NewReader(string(text)))
	r.FieldsPerRecord = -1
	all, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, cells := range all {
		if name, found := strings.CutPrefix(cells[0], "Table: "); found {
			table = name
			continue
		}
		if len(cells) >= 3 && cells[1] != "Frequency" {
			rows = append(rows, psppRow{table, cells})
		}
	}
	return rows
}

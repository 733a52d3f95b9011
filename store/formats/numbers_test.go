package formats_test

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/formats/sav"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// inMemory is a study as a source.
type inMemory struct{ *storetest.Study }

func (m inMemory) Describe(context.Context) (*audience.Survey, error) { return m.Survey, nil }

func (m inMemory) Respondents(context.Context) iter.Seq2[*survey.Batch, error] {
	return func(yield func(*survey.Batch, error) bool) {
		yield(&survey.Batch{Respondents: m.Study.Respondents}, nil)
	}
}

// numberQuestions are the indices of a study's questions of numbers.
func numberQuestions(study *storetest.Study) (list []int) {
	for i, q := range study.Survey.Questions {
		if q.Kind == audience.Number {
			list = append(list, i)
		}
	}
	return list
}

// cutIntoBands gives the questions of numbers bands with ends, so that who gave a number is in just those that hold it:
// from and to are whole numbers of the spread of the numbers, and so some numbers are in none.
func cutIntoBands(g storetest.Random, study *storetest.Study) {
	layout := survey.NewLayout(study.Survey)
	for _, i := range numberQuestions(study) {
		q := &study.Survey.Questions[i]
		var all []float64
		for _, r := range study.Respondents {
			for _, n := range r.Numbers {
				if n.Question == i {
					all = append(all, n.Value.Float64())
				}
			}
		}
		slices.Sort(all)
		holds := make([]func(float64) bool, len(q.Datapoints))
		for j := range q.Datapoints {
			from, to := 0.0, 0.0
			if len(all) > 0 {
				at := g.IntN(len(all))
				from, to = all[at], all[at+g.IntN(len(all)-at)]
			}
			switch middle := (from + to) / 2; g.IntN(6) {
			case 0:
				holds[j] = func(f float64) bool { return f >= from }
			case 1:
				holds[j] = func(f float64) bool { return f <= to }
			default:
				q.Datapoints[j].Midpoint = &middle
				holds[j] = func(f float64) bool { return f >= from && f <= to }
			}
		}
		for k := range study.Respondents {
			r := &study.Respondents[k]
			first, last := layout.Attribute(i, 0, 0), layout.Attribute(i, len(q.Datapoints)-1, 0)
			r.Attributes = slices.DeleteFunc(r.Attributes, func(a int32) bool { return a >= first && a <= last })
			for _, n := range r.Numbers {
				for j := range holds {
					if n.Question == i && holds[j](n.Value.Float64()) {
						r.Attributes = append(r.Attributes, layout.Attribute(i, j, 0))
					}
				}
			}
		}
	}
}

// forget takes away the numbers of some waves, as if they had been imported before numbers were kept.
func forget(g storetest.Random, study *storetest.Study) {
	for _, i := range numberQuestions(study) {
		for w := range study.Survey.Waves {
			if g.IntN(2) == 0 {
				continue
			}
			for k := range study.Respondents {
				if r := &study.Respondents[k]; r.Wave == w {
					r.Numbers = slices.DeleteFunc(r.Numbers, func(n survey.Given) bool { return n.Question == i })
				}
			}
		}
	}
}

// asFloats cuts weights and numbers to what a float64 holds.
func asFloats(t *testing.T, study *storetest.Study) {
	t.Helper()
	cut := func(d decimal.Decimal) decimal.Decimal {
		d, err := decimal.FromFloat(d.Float64())
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for k := range study.Respondents {
		r := &study.Respondents[k]
		for i := range r.Weights {
			r.Weights[i] = cut(r.Weights[i])
		}
		for i := range r.Numbers {
			r.Numbers[i].Value = cut(r.Numbers[i].Value)
		}
	}
}

// Whatever numbers and bands there are, ragged as surveys are, each format brings back the same frame, the same numbers
// to the last digit, the same bands and the same coverage: where ends of bands tell them, where bands are at random,
// and where of some waves, or of all, no numbers are known.
func TestRoundTripOfNumbers(t *testing.T) {
	shapes := map[string]int{}
	for seed := range uint64(testsize.Of(4, 16, 150)) {
		for _, ext := range []string{".csv", ".sss", ".sav", ".zsav"} {
			if ext == ".zsav" && seed%8 != 0 {
				continue // it is a .sav otherwise packed
			}
			t.Run(fmt.Sprint(seed, ext), func(t *testing.T) {
				g := storetest.NewRandom(seed)
				study := g.Study()
				for k := range study.Respondents {
					r := &study.Respondents[k]
					r.Numbers = slices.DeleteFunc(r.Numbers, func(n survey.Given) bool { return decimal.TooLarge(n.Value) })
				}
				if seed%4 != 3 {
					cutIntoBands(g, study)
				}
				if seed%4 == 2 {
					forget(g, study)
				}
				if seed%8 == 7 {
					for k := range study.Respondents {
						study.Respondents[k].Numbers = nil
					}
				}
				if strings.HasSuffix(ext, "sav") {
					asFloats(t, study)
				}
				if len(study.Respondents) == 0 {
					t.Skip("the study has no respondents, which an import refuses")
				}
				want, _ := stored(t, inMemory{study})
				path := filepath.Join(t.TempDir(), "out"+ext)
				if _, err := formats.Export(t.Context(), inMemory{study}, path, formats.ExportOptions{}); err != nil {
					t.Fatal(err)
				}
				back, _ := open(t, path, false)
				got, _ := stored(t, back)
				same(t, want, got)
				f, err := formats.Open(path, formats.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				for _, i := range numberQuestions(study) {
					shapes[shape(&f.Codebook.Questions[i])]++
				}
			})
		}
	}
	t.Log(shapes)
	for _, name := range []string{"numbers", "numbers and bands", "bands", "numbers and a column a band"} {
		if shapes[name] < testsize.Of(0, 2, 20) {
			t.Errorf("%d questions are written as %s: too little is shown", shapes[name], name)
		}
	}
}

// shape tells how a question of numbers is written.
func shape(c *survey.QuestionColumns) string {
	columns := map[string]bool{}
	for _, a := range c.Datapoints {
		columns[a.Column] = true
	}
	delete(columns, "")
	var parts []string
	if c.Column != "" {
		parts = append(parts, "numbers")
	}
	switch {
	case len(columns) == 0:
	case slices.Equal(slices.Collect(maps.Keys(columns)), []string{c.Datapoints[0].Column}) && c.Datapoints[0].Value != "":
		parts = append(parts, "bands")
	default:
		parts = append(parts, "a column a band")
	}
	return strings.Join(parts, " and ")
}

// people is a small survey of two waves, of which the first was imported before numbers were kept.
func people(t *testing.T) *storetest.Study {
	t.Helper()
	middle := func(f float64) *float64 { return &f }
	sv := &audience.Survey{
		Namespaces: []audience.Namespace{{Code: "core"}},
		Waves:      []audience.Wave{{Code: "w1"}, {Code: "w2"}}, Locations: []audience.Location{{Code: "uk"}},
		Questions: []audience.Question{
			{Namespace: "core", Code: "age", Name: "Age", Kind: audience.Number, Unit: "years", Datapoints: []audience.Datapoint{
				{Code: "young", Name: "16–24", Midpoint: middle(20)}, {Code: "old", Name: "25+"}}},
			{Namespace: "core", Code: "change", Kind: audience.Number, Unit: "EUR", Datapoints: []audience.Datapoint{
				{Code: "less", Midpoint: middle(-10)}, {Code: "more", Midpoint: middle(10)}}},
		},
	}
	layout := survey.NewLayout(sv)
	study := &storetest.Study{Survey: sv}
	for k, who := range []struct {
		wave        int
		age, change string
		bands       []int32
	}{
		{0, "", "-12.5", []int32{0, 2}}, {0, "", "7", []int32{1, 3}}, {1, "17", "0", []int32{0}},
		{1, "24", "-0.25", []int32{0, 2}},
		{1, "25", "1000000", []int32{1}}, {1, "", "", nil},
	} {
		r := survey.Respondent{Row: int64(k + 1), ID: fmt.Sprint(k + 1), Wave: who.wave, Attributes: who.bands,
			Weights: []decimal.Decimal{decimal.FromInt(1)}, Answered: []uint64{1<<layout.Items() - 1}}
		for i, text := range []string{who.age, who.change} {
			if d, err := decimal.Parse(text, true); err == nil {
				r.Numbers = append(r.Numbers, survey.Given{Question: i, Value: d})
			}
		}
		study.Respondents = append(study.Respondents, r)
	}
	return study
}

// Numbers are written as they are, and who has none has an empty field. The codebook has ends for the bands: those of
// change are as far from the midpoints as the numbers that are farthest from them. Where of some the band alone is
// known, a column beside that of the numbers tells it of all, and the export says so.
func TestExportOfNumbers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.csv")
	done, err := formats.Export(t.Context(), inMemory{people(t)}, path, formats.ExportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(`respondent,wave,location,age,age_band,change
1,1,1,,1,-12.5
2,1,1,,2,7
3,2,1,17,1,0
4,2,1,24,1,-0.25
5,2,1,25,2,1000000
6,2,1,,0,
`, string(text)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{
		"question age: of 2 respondents the band is known and no number, so a column beside that of the numbers tells the " +
			"bands of all",
		"change: numbers; where their bands end is not kept, and the codebook has ends that put every number that there is " +
			"where it was",
	}, done.Notes); d != "" {
		t.Error(d)
	}
	f, err := formats.Open(path, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if d := cmp.Diff([]survey.QuestionColumns{
		{Column: "age", Datapoints: []survey.AnswerColumn{{Column: "age_band", Value: "1"},
			{Column: "age_band", Value: "2"}}},
		{Column: "change", Datapoints: []survey.AnswerColumn{{From: "-19.75", To: "-0.25"}, {From: "7", To: "13"}}},
	}, f.Codebook.Questions); d != "" {
		t.Error(d)
	}
}

// SPSS shows a number with all its decimals, as one to calculate with; Triple-S has it as a quantity from the least to
// the greatest.
func TestNumbersInSPSSAndTripleS(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"out.sav", "out.sss"} {
		path := filepath.Join(dir, name)
		if _, err := formats.Export(t.Context(), inMemory{people(t)}, path, formats.ExportOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	definition, err := os.ReadFile(filepath.Join(dir, "out.sss"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<range from="-12.50" to="1000000.00"`, `<range from="17" to="25"`} {
		if !strings.Contains(string(definition), want) {
			t.Errorf("%s is not in\n%s", want, definition)
		}
	}
	if d := cmp.Diff(map[string]string{"age": "F8.0 scale", "age_band": "F8.0 nominal", "change": "F10.2 scale"},
		shown(t, filepath.Join(dir, "out.sav"), "age", "age_band", "change")); d != "" {
		t.Error(d)
	}
}

// Plain scales of files that bring no codebook are numbers: what the file declares as missing is none, nor are codes
// whose label says that there is no answer; dates, ids and weights are no numbers.
func TestGuessedNumbers(t *testing.T) {
	for _, c := range []struct {
		folder, file string
		want         map[string][]string // of each question of numbers, the first of those that differ
	}{
		{"pyreadstat", "sample_missing.sav", map[string][]string{
			"core.mynum": {"11/10", "6/5", "-10003/10", "-7/5", "10003/10"}}},
		{"triple-s", "sample-1.sss", map[string][]string{"core.Q5": {"12", "58"}}},
		{"sav-generated", "example_a_mrsets.sav", map[string][]string{"core.age": {"22", "28", "31", "38", "41"},
			"core.birth_day": {"25", "27", "3", "11", "24"}, "core.birth_month": {"3", "11", "9", "4", "6"},
			"core.birth_year": {"1993", "1987", "1984", "1977", "1974"},
			"core.weight_b": {"111210316227/50000000000", "106209840773/200000000000", "27936193851/25000000000",
				"70038283847/100000000000", "19593524931/40000000000"}}}, // some have none: it is no weight
	} {
		t.Run(c.file, func(t *testing.T) {
			src, _ := open(t, fixture(t, c.folder, c.file), true)
			ref, _ := stored(t, src)
			got := map[string][]string{}
			for _, r := range ref.Respondents() {
				for key, n := range r.Numbers {
					if text := n.RatString(); len(got[key]) < 5 && !slices.Contains(got[key], text) {
						got[key] = append(got[key], text)
					}
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// PSPP reads exported numbers as they are, and none where there is none.
func TestNumbersInPSPP(t *testing.T) {
	convert, err := exec.LookPath("pspp-convert")
	if err != nil {
		t.Skipf("pspp-convert is not installed (Debian: apt-get install pspp): %v", err)
	}
	dir := t.TempDir()
	from, to := filepath.Join(dir, "out.sav"), filepath.Join(dir, "out.csv")
	if _, err := formats.Export(t.Context(), inMemory{people(t)}, from, formats.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(convert, from, to).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(`respondent,wave,location,age,age_band,change
1,1,1, ,1,-12.5
2,1,1, ,2,7
3,2,1,17,1,0
4,2,1,24,1,-0.25
5,2,1,25,2,1000000
6,2,1, ,0, 
`, string(text)); d != "" {
		t.Error(d)
	}
}

// shown tells how SPSS shows variables of a file: their format and measure.
func shown(t *testing.T, path string, names ...string) map[string]string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f, err := sav.Open(file, info.Size(), sav.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, name := range names {
		if v := f.Variable(name); v != nil {
			out[name] = fmt.Sprintf("%v %v", v.Print, v.Measure)
		}
	}
	return out
}

package formats_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
)

// cell is where a column of a sheet holds a text.
type cell struct{ column, text string }

// placed is a row of a number with texts in some columns.
func placed(row string, cells ...cell) string {
	text := `<row r="` + row + `">`
	for _, c := range cells {
		text += `<c r="` + c.column + row + `" t="str"><v>` + c.text + `</v></c>`
	}
	return text + "</row>"
}

// A sheet that describes the columns of another gives them labels: in the ways in which people and SPSS write it.
func TestDictionary(t *testing.T) {
	answers := line("id", "sex", "Q1", "Q2", "Town") + line("1", "1", "2", "4", "Riga") +
		line("2", "2", "3", "5", "Cesis") +
		line("3", "2", "", "1", "Riga")
	sexes := []guess.Label{{Value: "1", Text: "female"}, {Value: "2", Text: "male"}}
	steps := []guess.Label{{Value: "1", Text: "never"}, {Value: "2", Text: "seldom"}, {Value: "3", Text: "often"}}
	labels := []guess.Column{{Name: "id"}, {Name: "sex", Label: "Your sex"}, {Name: "Q1", Label: "How often do you read?"},
		{Name: "Q2", Label: "How do you like it?"}, {Name: "Town", Label: "Where do you live?"}}
	with := func(values map[string][]guess.Label, columns []guess.Column) (list []guess.Column) {
		for _, c := range columns {
			c.Labels = values[c.Name]
			list = append(list, c)
		}
		return list
	}
	plain := []guess.Column{{Name: "id"}, {Name: "sex"}, {Name: "Q1"}, {Name: "Q2"}, {Name: "Town"}}
	variables := line("Variable", "Position", "Label", "Level") + line("id", "1", "id", "Scale") +
		line("SEX", "2", "Your sex", "Nominal") + line("Q1", "3", "How often do you read?", "Ordinal") +
		line("Q2", "4", "How do you like it?", "Ordinal") + line("Town", "5", "Where do you live?", "Nominal")
	values := line("Value", "", "Label") + line("id", "", "") + line("sex", "1", "female") + line("", "2", "male") +
		line("Q1", "1", "never") + line("", "2.0", "seldom") + line("", "3", "often") + line("", "7", "no answer") +
		line("", "7", "not asked") + line("Town", "1", "Riga") +
		line("", "2", "Cesis")
	codebook := placed("1", cell{"B", "id"}) + placed("3", cell{"B", "sex"}) + placed("4", cell{"D", "Value"}) +
		placed("5", cell{"B", "Attributes"}, cell{"C", "Label"}, cell{"D", "Your sex"}) +
		placed("6", cell{"C", "1"}, cell{"D", "female"}) + placed("7", cell{"C", "2"}, cell{"D", "male"}) +
		placed("9", cell{"B", "Q1"}) + placed("10", cell{"C", "Etiqueta"}, cell{"D", "How often do you read?"}) +
		placed("11", cell{"C", "1"}, cell{"D", "never"}) + placed("12", cell{"C", "2"}, cell{"D", "seldom"}) +
		placed("13", cell{"C", "3"}, cell{"D", "often"}) +
		placed("15", cell{"B", "Q2"}) + placed("16", cell{"C", "Label"}, cell{"D", "How do you like it?"}) +
		placed("17", cell{"B", "Town"}) + placed("18", cell{"C", "Label"}, cell{"D", "Where do you live?"})
	wide := line("id", "sex", "Q1", "Q2", "Town", "Q3", "Q4", "Q5", "Q6") +
		line("1", "1", "2", "4", "Riga", "1", "1", "1", "1") +
		line("2", "2", "3", "5", "Cesis", "2", "2", "2", "2")
	long := append(slices.Clone(plain), guess.Column{Name: "Q3"}, guess.Column{Name: "Q4"}, guess.Column{Name: "Q5"},
		guess.Column{Name: "Q6"})
	coded := map[string][]guess.Label{"sex": sexes, "Q1": steps}
	for _, c := range []struct {
		name   string
		sheets []string
		want   []guess.Column
		note   string
	}{
		{"a row for each column", []string{"Answers", answers, "Variables", variables}, labels,
			`the sheet "Variables" describes columns: the labels of 4 are taken from it`},
		{"words in front of the names", []string{"Answers", answers, "Questions",
			line("How often do you read?", "Q1", "1 to 3") + line("How do you like it?", "Q2", "1 to 5") +
				line("Your sex", "sex", "1 or 2") + line("Where do you live?", "town", "a town")}, labels,
			`the sheet "Questions" describes columns: the labels of 4 are taken from it`},
		{"what values stand for", []string{"Answers", answers, "Values", values}, with(coded, plain),
			`the sheet "Values" describes columns: the labels of the values of 2 are taken from it`},
		{"both in two sheets", []string{"Answers", answers, "Values", values, "Variables", variables}, with(coded, labels),
			`the sheet "Variables" describes columns: the labels of 4 are taken from it`},
		{"both in blocks", []string{"Answers", answers, "Codebook", codebook}, with(coded, labels),
			`the sheet "Codebook" describes columns: the labels of 4 are taken from it, and those of the values of 2`},
		{"in front of the answers", []string{"Variables", variables, "Answers", answers}, labels,
			`the sheet "Variables" describes columns: the labels of 4 are taken from it`},
		{"values behind what they are called", []string{"Answers", answers, "Values", line("id") + line("sex") +
			line("", "Valid", "1", "female") + line("", "", "2", "male") + line("Q1") + line("", "Valid", "1", "never") +
			line("", "", "2", "seldom") + line("", "", "3", "often") + line("Town")}, with(coded, plain),
			`the sheet "Values" describes columns: the labels of the values of 2 are taken from it`},
		{"values that are none of a column's", []string{"Answers", answers, "Values", line("id") +
			line("sex", "1", "female") + line("", "2", "male") + line("Q1", "1", "never") + line("", "2", "seldom") +
			line("", "3", "often") + line("Q2", "8", "no answer") +
			line("", "9", "not asked") + line("Town", "1", "Riga") + line("", "2", "Cesis")},
			with(coded, plain), `the sheet "Values" describes columns: the labels of the values of 2 are taken from it`},
		{"codes of a column that holds words, too", []string{"Answers", line("id", "sex", "Q1", "Q2", "Town") +
			line("1", "1", "2", "4", "1") + line("2", "2", "3", "5", "at sea") + line("3", "2", "", "1", "2"), "Values", values},
			with(coded, plain), `the sheet "Values" describes columns: the labels of the values of 2 are taken from it`},
		{"remarks below a few names", []string{"Answers", wide, "Variables", line("id") + line("sex") +
			line("", "1", "as registered") + line("", "2", "as asked") + line("Q1") + line("", "2", "asked of all") +
			line("", "3", "in spring") + line("Q2") + line("Town") + line("Q3") + line("Q4") + line("Q5") + line("Q6")},
			long, ""},
		{"words of less than half", []string{"Answers", wide, "Variables", line("sex", "Your sex") +
			line("Q1", "How often do you read?") + line("Q2", "How do you like it?") + line("Town", "Where do you live?")},
			long, ""},
		{"names that are the words", []string{"Answers", line("What is your sex?", "What do you read?", "Why do you read it?",
			"Where is it?") + line("1", "2", "4", "1"), "Variables", line("sex", "What is your sex?") +
			line("reads", "What do you read?") + line("why", "Why do you read it?") + line("where", "Where is it?")},
			[]guess.Column{{Name: "What is your sex?"}, {Name: "What do you read?"}, {Name: "Why do you read it?"},
				{Name: "Where is it?"}}, ""},
		{"kinds of columns", []string{"Answers", answers, "Variables", line("id", "a number") + line("sex", "a code") +
			line("Q1", "a code") + line("Q2", "a code") + line("Town", "a code")}, plain, ""},
		{"a copy of the answers", []string{"Answers", answers, "Copy", answers}, plain, ""},
		{"names in data", []string{"Answers", answers, "Votes", line("vote", "why") + strings.Repeat(
			line("Q1", "it is good")+line("Q2", "it is so")+line("sex", "no idea")+line("Town", "it is near"), 3)}, plain, ""},
		{"too few of the columns", []string{"Answers", answers, "Variables", line("Q1", "How often?") +
			line("Q2", "And how?")}, plain, ""},
		{"a sheet of something else", []string{"Answers", answers, "Costs", line("paper", "10 euros") +
			line("ink", "5 euros")}, plain, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := formats.Open(put(t, "f.xlsx", workbook(t, c.sheets...)), formats.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if diff := cmp.Diff(c.want, f.Columns); diff != "" {
				t.Error(diff)
			}
			notes := strings.Join(f.Notes(), "\n")
			if c.note == "" && strings.Contains(notes, "describes") || !strings.Contains(notes, c.note) {
				t.Errorf("notes %q, want %q", notes, c.note)
			}
		})
	}
}

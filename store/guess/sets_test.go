package guess_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/guess"
)

// The columns of a set of categories are its question, whatever stands in them, and each once; but not if a code is an
// answer in one of them and missing in another.
func TestCategorySets(t *testing.T) {
	seldom := func(n int) string { return []string{"1", "", "", "", "", "", "", "", "", ""}[n%10] }
	for _, c := range []struct {
		name         string
		columns      []string
		m1, m2, both func(int) string
		missing      string // in m1
		want         []string
	}{
		{"a text in which the separator stands", []string{"m1", "m2"}, among("tea; hot", "milk"), among("milk", "beer"),
			among("tea; hot;milk", "milk;beer"), "", []string{"multi m", "multi m", ""}},
		{"a column that is named twice", []string{"m2", "m1", "m1"}, seldom, among("2", "3"),
			func(n int) string { return strings.TrimPrefix(seldom(n)+";2", ";") }, "", []string{"multi m", "multi m", ""}},
		{"a code that is missing in both, or stands in one", []string{"m1", "m2"}, among("1", "9"), among("2", "3"),
			among("1;2", "3"), "9", []string{"multi m", "multi m", ""}},
		{"a code that is missing in one", []string{"m1", "m2"}, among("1", "9"), among("2", "9"), among("1;2", "9"), "9",
			[]string{"single m1", "single m2", "multi m"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := repeated(40, "serial|m1|m2|$m", count(1), c.m1, c.m2, c.both)
			f := table.file()
			f.Columns[0].Serial, f.Columns[3].Virtual = true, true
			if c.missing != "" {
				f.Columns[1].Missing = func(v string) bool { return v == c.missing }
			}
			f.Sets = []guess.Set{{Name: "$m", Label: "All of them", Columns: c.columns, Joined: "$m", Separator: ";",
				Labels: []guess.Label{{Value: "1", Text: "One"}, {Value: "9", Text: "Nine"}}}}
			m := guessed(t, f, guess.Options{})
			got := readings(m)
			if as := []string{got["m1"], got["m2"], got["$m"]}; !slices.Equal(as, c.want) {
				t.Errorf("read as %q, want %q", as, c.want)
			}
			for _, d := range m.Codebook.Survey.Questions[0].Datapoints {
				if c.want[0] == "multi m" && c.missing != "" && d.Name == "Nine" {
					t.Error("what is missing is an answer")
				}
			}
			whole(t, table, m)
		})
	}
}

// The columns of a set of categories stay what they are where they ask for more than what was mentioned.
func TestCategorySetsOfOtherColumns(t *testing.T) {
	for _, c := range []struct {
		name, first, second string   // names of the columns
		labels              []string // and their labels
		mentions            bool
	}{
		{"mentions by number", "m1", "m2", []string{"", ""}, true},
		{"mentions by letter", "q5a", "q5b", []string{"Worst problem", "Worst problem"}, true},
		{"mentions by number in the label", "x", "y", []string{"Paddy grown_Answer_1", "Paddy grown_Answer_2"}, true},
		{"mentions in words", "x", "y", []string{"First", "Second"}, true},
		{"years", "vote2017", "vote2021", []string{"", ""}, false},
		{"other questions", "main", "last", []string{"Main activity", "Activity before"}, false},
	} {
		f := repeated(40, "serial|"+c.first+"|"+c.second+"|$m", count(1), among("1", "2"), among("2", "3"),
			among("1;2", "2;3")).file()
		f.Columns[0].Serial, f.Columns[3].Virtual = true, true
		f.Columns[1].Label, f.Columns[2].Label = c.labels[0], c.labels[1]
		f.Sets = []guess.Set{{Name: "$m", Label: "All of them", Columns: []string{c.first, c.second}, Joined: "$m",
			Separator: ";", Labels: []guess.Label{{Value: "1", Text: "One"}}}}
		if got := readings(guessed(t, f, guess.Options{})); got[c.first] == "multi m" != c.mentions {
			t.Errorf("%s: read as %q, %q and %q", c.name, got[c.first], got[c.second], got["$m"])
		}
	}
}

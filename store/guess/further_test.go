package guess_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/guess"
)

// An option under a name of its own is one of the multiple choice beside it if its words are those of the question.
func TestOptionUnderAnotherName(t *testing.T) {
	f := repeated(60, "id|Q7_Part_1|Q7_Part_2|Q7_Part_3|Q7_OTHER|Q8|Q9_OTHER", count(1), among("Python", "", "Python"),
		among("", "R"), among("SQL", "", "", "SQL"), among("", "", "", "", "Other"), among("Python", "R", "Go"),
		among("Other", "")).file()
	asks := "Which languages do you use? (Select all that apply) - Selected Choice - "
	for i, label := range []string{"", asks + "Python", asks + "R", asks + "SQL",
		"Which languages do you use?  (Select all that apply) - Selected Choice -  Other",
		"Which language would you recommend?", "Which editors do you use? - Selected Choice - Other"} {
		f.Columns[i].Label = label
	}
	got := readings(guessed(t, f, guess.Options{}))
	for name, want := range map[string]string{"Q7_Part_1": "multi Q7_Part", "Q7_OTHER": "multi Q7_Part", "Q8": "single Q8",
		"Q9_OTHER": "single Q9_OTHER"} {
		if got[name] != want {
			t.Errorf("%s: read as %q, want %q", name, got[name], want)
		}
	}
}

// A column of refusals and the like under the name of a multiple choice is one of its options, if it says yes as these.
func TestRefusalsAreAnOption(t *testing.T) {
	f := repeated(60, "id|W1_P16A|W1_P16B|W1_P16C|W1_P16_REFUSED|W1_P17|W1_P17_DK", count(1), among("1", "0", "1"),
		among("0", "1"), among("1", "0", "0", "1"), among("0", "0", "0", "0", "1"), among("1", "2", "3"),
		among("0", "0", "1")).file()
	for _, i := range []int{1, 2, 3, 4, 6} {
		f.Columns[i].Labels = []guess.Label{{"0", "No"}, {"1", "Yes"}}
	}
	got := readings(guessed(t, f, guess.Options{}))
	for name, want := range map[string]string{"W1_P16A": "multi W1_P16", "W1_P16_REFUSED": "multi W1_P16",
		"W1_P17": "single W1_P17", "W1_P17_DK": "single W1_P17_DK"} {
		if got[name] != want {
			t.Errorf("%s: read as %q, want %q", name, got[name], want)
		}
	}
}

// Items of several constructs in the order in which they were asked are one grid; questions that are sorted by the
// letters of their sections are not.
func TestConstructsInTurn(t *testing.T) {
	for _, c := range []struct {
		names string
		grid  bool
	}{
		{"a1|a2|b1|b2|k1|k2|c2|c3|k3|c1|a3|b3|a4|c4", true},
		{"a1|a2|a3|a4|b1|b2|b3|b4|k1|k2|k3|c1|c2|c3", false},
		{"a1|c1|a2|c2|a3|c3|a4|c4|a5|c5|a6|c6|a7|c7", false},
	} {
		columns := []func(int) string{count(1)}
		for k := range strings.Split(c.names, "|") {
			columns = append(columns, func(i int) string { return fmt.Sprint((i*(k+3)+i/7+k)%(6+k%3) + 1) })
		}
		f := repeated(210, "id|"+c.names, columns...).file()
		for i, says := range []string{"Defence comes first", "I want to earn money that helps my family in years to come",
			"Missions abroad are what a soldier is for, whoever sends him", "Fear?", "My unit", "Parents understood at once",
			"Nobody told us what peace would be like when we enlisted", "Medals matter", "Pay is fair",
			"An officer has to be an example in all that he does", "Books", "War will come", "We are ready for it",
			"Comrades last longer than wages do"} {
			f.Columns[i+1].Label = says
		}
		read := readings(guessed(t, f, guess.Options{}))
		for name := range strings.SplitSeq(c.names, "|") {
			if c.grid && read[name] != "grid a1" {
				t.Errorf("%s in turn: %s is read as %q", c.names, name, read[name])
			}
		}
		if !c.grid && read["a1"] == read["c3"] {
			t.Errorf("%s: all are read as %q", c.names, read["a1"])
		}
	}
}

// Whole questions that are numbered from 1 on are one grid if they are many and answered by the words of one scale.
func TestNumberedQuestionsInWords(t *testing.T) {
	header, columns := []string{"id"}, []func(int) string{count(1)}
	for k, asks := range []string{"Do you look at calories when eating", "In a supermarket, are you confused",
		"Has food worried you lately", "Does health decide what ends up on a plate", "Is taste what matters most",
		"Would you pay more for organic bread", "Are meals planned a day ahead", "When alone, who cooks",
		"Did mood ever spoil dinner", "Can a diet change how one looks", "Must friends eat likewise",
		"Should canteens serve less meat"} {
		header = append(header, fmt.Sprintf("%d) %s?", k+1, asks))
		columns = append(columns, func(i int) string {
			return []string{"Never", "Sometimes", "Often", "Always"}[(i*(k+3)+i/(k+2))%4]
		})
	}
	got := readings(guessed(t, repeated(100, strings.Join(header, "|"), columns...).file(), guess.Options{}))
	for _, name := range header[1:] {
		if got[name] != got[header[1]] || !strings.HasPrefix(got[name], "grid ") {
			t.Errorf("%q is read as %q", name, got[name])
		}
	}
}

// What stands before colons in names without spaces are the groups of a form, which hold no questions together.
func TestColonsOfForms(t *testing.T) {
	got := readings(guessed(t, repeated(60, "id|s1:diet:D1|s1:diet:D5|s1:diet:D6|s1:diet:D10|s1:diet:D12|s1:diet:often_a|"+
		"s1:diet:often_b|s1:diet:often_c", count(1), among("0", "3", "7", "5"), among("1", "2", "5"), among("2", "3", "1"),
		among("1", "2", "77"), count(1000), among("1", "2", "3", "4"), among("4", "2", "3", "1"),
		among("3", "4", "1", "2")).file(), guess.Options{}))
	for name, want := range map[string]string{"s1:diet:D1": "single", "s1:diet:D10": "single", "s1:diet:often_a": "grid",
		"s1:diet:often_c": "grid"} {
		if as, _, _ := strings.Cut(got[name], " "); as != want {
			t.Errorf("%s: read as %q, want %s", name, got[name], want)
		}
	}
}

// Of options of 0 and 1 that nothing but that holds together, one may be what everybody chose.
func TestOptionOfEverybody(t *testing.T) {
	got := readings(guessed(t, repeated(60, "id|sex|Wiki|Email|Slack|Teams|Jira|Forum|age", count(1), among("1", "2"),
		among("0", "1", "0"), among("1", "0", "1", "1"), among("1"), among("1", "0"), among("0", "0", "0", "1"),
		among("1", "0", "0", "1", "1"), count(18)).file(), guess.Options{}))
	for name := range strings.SplitSeq("Wiki|Email|Slack|Teams|Jira|Forum", "|") {
		if got[name] != "multi Wiki" {
			t.Errorf("%s: read as %q", name, got[name])
		}
	}
}

// Where rows of grids are numbered behind the number of their question, columns with no number but that are questions.
func TestQuestionsBesideNumberedRows(t *testing.T) {
	var header []string
	var columns []func(int) string
	add := func(name string, k int) {
		header = append(header, name)
		columns = append(columns, func(i int) string { return fmt.Sprint((i*(k+2)+i/(k+1))%5 + 1) })
	}
	for q, rows := range []int{4, 5, 4} {
		for r := range rows {
			add(fmt.Sprintf("C_Q%d_%d", q+3, r+1), q+r)
		}
	}
	for q := 8; q <= 13; q++ {
		add(fmt.Sprintf("C_Q%d", q), q)
	}
	f := repeated(300, "id|"+strings.Join(header, "|"), append([]func(int) string{count(1)}, columns...)...).file()
	got := readings(guessed(t, f, guess.Options{}))
	for _, name := range header {
		want := "grid"
		if strings.Count(name, "_") == 1 {
			want = "single"
		}
		if as, _, _ := strings.Cut(got[name], " "); as != want {
			t.Errorf("%s: read as %q, want %s", name, got[name], want)
		}
	}
}

// What is asked of each of many things is one question, also where something else stands between the things.
func TestThingsWithOthersBetween(t *testing.T) {
	header, columns := []string{"id"}, []func(int) string{count(1)}
	asked := []string{"Loudness", "Clearness", "Cadence"}
	for thing := range 6 {
		if thing%2 == 0 {
			header, columns = append(header, fmt.Sprintf("audio%d_known", thing)), append(columns, among("No", "Yes", "No"))
		}
		for k, what := range asked {
			header = append(header, fmt.Sprintf("%s_of_voice%d", what, thing))
			columns = append(columns, func(i int) string { return fmt.Sprint((i*(k+2)+i/(thing+3))%(5-thing%2) + 1) })
		}
	}
	got := readings(guessed(t, repeated(60, strings.Join(header, "|"), columns...).file(), guess.Options{}))
	for _, name := range header[1:] {
		if what, _, of := strings.Cut(name, "_of_"); of && got[name] != "grid "+what {
			t.Errorf("%s: read as %q", name, got[name])
		}
	}
}

// A row among others of which few respondents gave two neighbouring answers alone is one of them where it stands
// between them, and not in front of them, where it may be what was asked first.
func TestRowOfTwoStepsAmongFew(t *testing.T) {
	for _, c := range []struct {
		at   int
		want string
	}{{5, "grid q2"}, {0, "single q2_1"}} {
		header, columns := []string{"id"}, []func(int) string{count(1)}
		for k := range 12 {
			header = append(header, fmt.Sprintf("q2_%d", k+1))
			columns = append(columns, func(i int) string {
				if k == c.at {
					return fmt.Sprint(i/2%2 + 1)
				}
				return fmt.Sprint((i*(k+3)+i/7+k)%5 + 1)
			})
		}
		got := readings(guessed(t, repeated(24, strings.Join(header, "|"), columns...).file(), guess.Options{}))
		if name := header[c.at+1]; got[name] != c.want {
			t.Errorf("%s: read as %q, want %q", name, got[name], c.want)
		}
	}
}

// Columns that are one question by what the tool says are its rows, or its options, whatever they are called.
func TestQuestionsOfTheTool(t *testing.T) {
	f := repeated(40, "id|soon|later|never|tea|milk|rum|age", count(1), among("1", "3", "5", "2"), among("2", "2", "4"),
		among("", "3", "3"), among("1", ""), among("", "", "1"), among("", "1", "1", "1", ""), count(20)).file()
	for i, question := range []string{"", "QID1", "QID1", "QID1", "QID2", "QID2", "QID2", ""} {
		f.Columns[i].Question = question
	}
	m := guessed(t, f, guess.Options{})
	got := readings(m)
	for name, want := range map[string]string{"soon": "grid soon", "later": "grid soon", "never": "grid soon",
		"tea": "multi tea", "milk": "multi tea", "rum": "multi tea", "age": "number age"} {
		if got[name] != want {
			t.Errorf("%s: read as %q, want %q", name, got[name], want)
		}
	}
	if why := m.Columns[1].Why.String(); !strings.HasPrefix(why, "the tool that wrote the file says") {
		t.Errorf("because %s", why)
	}
}

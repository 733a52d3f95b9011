package guess_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/guess"
)

// choice is a question of which several answers could be given, as a survey has it before it is written into a file.
type choice struct {
	number  int
	asks    string
	options []string
	asked   func(i int) bool // of a respondent
}

var choices = []choice{
	{7, "Which of these do you drink in the morning", []string{"Black tea", "Green tea", "Coffee", "Cocoa", "Orange juice",
		"Water", "Lemonade", "None of these"}, func(int) bool { return true }},
	{9, "Where do you buy coffee beans", []string{"Supermarket", "Roastery", "Market stall", "Web shop", "Somewhere else"},
		func(i int) bool { return i%3 > 0 }},
}

// chosen tells whether a respondent chose an option, each of which another share of them did.
func (c *choice) chosen(i, option int) bool {
	rnd := rand.New(rand.NewPCG(uint64(i), uint64(100*c.number+option)))
	return c.asked(i) && rnd.IntN(option%4+3) == 0
}

// writtenAs is how files say whether an option was chosen.
type writtenAs struct {
	name    string
	yes, no func(option string, number int) string
	labels  func(option string, number int) []guess.Label
}

func always(text string) func(string, int) string { return func(string, int) string { return text } }

func itself(option string, _ int) string { return option }

func itsNumber(_ string, number int) string { return fmt.Sprint(number) }

// labelled gives labels to what stands for yes and for no; of those that are "" there is none.
func labelled(yes, no, yesLabel, noLabel func(string, int) string) func(string, int) []guess.Label {
	return func(option string, number int) (list []guess.Label) {
		if text := noLabel(option, number); text != "" {
			list = append(list, guess.Label{Value: no(option, number), Text: text})
		}
		return append(list, guess.Label{Value: yes(option, number), Text: yesLabel(option, number)})
	}
}

func noLabels(string, int) []guess.Label { return nil }

func waysToWrite() []writtenAs {
	one, zero, two, nothing := always("1"), always("0"), always("2"), always("")
	return []writtenAs{
		{"1 or 0", one, zero, noLabels},
		{"1 or nothing", one, nothing, noLabels},
		{"1.0 or 0.0", always("1.0"), always("0.0"), noLabels},
		{"1 or -1", one, always("-1"), noLabels},
		{"1 Yes, or nothing", one, nothing, labelled(one, nothing, always("Yes"), nothing)},
		{"1 Checked, 0 Unchecked", one, zero, labelled(one, zero, always("Checked"), always("Unchecked"))},
		{"1 Mentioned, 2 Not mentioned", one, two, labelled(one, two, always("Mentioned"), always("Not mentioned"))},
		{"1 and the option, or nothing", one, nothing, labelled(one, nothing, itself, nothing)},
		{"1 and the option, 0 Not selected", one, zero, labelled(one, zero, itself, always("Not selected"))},
		{"its number, or nothing", itsNumber, nothing, noLabels},
		{"its number, or 0", itsNumber, zero, noLabels},
		{"its number and the option, or nothing", itsNumber, nothing, labelled(itsNumber, nothing, itself, nothing)},
		{"its number and the option, 0 No", itsNumber, zero, labelled(itsNumber, zero, itself, always("No"))},
		{"the option, or nothing", itself, nothing, noLabels},
		{"the option, or 0", itself, zero, noLabels},
		{"TRUE or FALSE", always("TRUE"), always("FALSE"), noLabels},
		{"Selected or Not Selected", always("Selected"), always("Not Selected"), noLabels},
		{"Yes or nothing", always("Yes"), nothing, noLabels},
		{"x or nothing", always("x"), nothing, noLabels},
		{"Y or N", always("Y"), always("N"), noLabels},
		{"Sí or No", always("Sí"), always("No"), noLabels},
		{"O or N", always("O"), always("N"), noLabels},
		{"Iya or Tidak", always("Iya"), always("Tidak"), noLabels},
		{"○ or ×", always("○"), always("×"), noLabels},
		{"1 or NA", one, always("NA"), noLabels},
		{"1 Ja, 2 Nein", one, two, labelled(one, two, always("Ja"), always("Nein"))},
		{"1 Vald, 0 Ej vald", one, zero, labelled(one, zero, always("Vald"), always("Ej vald"))},
		{"1 wybrane, 0 niewybrane", one, zero, labelled(one, zero, always("wybrane"), always("niewybrane"))},
		{"the option, or No", itself, always("No"), noLabels},
		{"the option, or Not the option", itself, func(option string, _ int) string { return "Not " + option }, noLabels},
	}
}

// namedAs is how files call the column of an option.
type namedAs struct {
	name string
	of   func(c *choice, option string, number int) (name, label string)
}

func snake(text string) string { return strings.ReplaceAll(strings.ToLower(text), " ", "_") }

func waysToName() []namedAs {
	return []namedAs{
		{"q7_1", func(c *choice, _ string, n int) (string, string) { return fmt.Sprintf("q%d_%d", c.number, n), "" }},
		{"q7_1: the option", func(c *choice, option string, n int) (string, string) {
			return fmt.Sprintf("q%d_%d", c.number, n), option
		}},
		{"q7_1: the question - the option", func(c *choice, option string, n int) (string, string) {
			return fmt.Sprintf("q%d_%d", c.number, n), c.asks + " - " + option
		}},
		{"Q7M1: the question", func(c *choice, _ string, n int) (string, string) {
			return fmt.Sprintf("Q%dM%d", c.number, n), c.asks
		}},
		{"q7a: the option: the question", func(c *choice, option string, n int) (string, string) {
			return fmt.Sprintf("q%d%c", c.number, 'a'+n-1), option + ": " + c.asks
		}},
		{"MORNING_1: the option", func(c *choice, option string, n int) (string, string) {
			words := strings.Fields(strings.ToUpper(c.asks))
			return fmt.Sprintf("%s_%d", words[len(words)-1], n), option
		}},
		{"V701: the question: the option", func(c *choice, option string, n int) (string, string) {
			return fmt.Sprintf("V%d", 100*c.number+n), c.asks + ": " + option
		}},
		{"q7___1: the question (choice=the option)", func(c *choice, option string, n int) (string, string) {
			return fmt.Sprintf("q%d___%d", c.number, n), c.asks + " (choice=" + option + ")"
		}},
		{"The question [the option]", func(c *choice, option string, _ int) (string, string) {
			return c.asks + "? [" + option + "]", ""
		}},
		{"The question - the option", func(c *choice, option string, _ int) (string, string) {
			return c.asks + "? - " + option, ""
		}},
		{"q7/the_option", func(c *choice, option string, _ int) (string, string) {
			return fmt.Sprintf("q%d/", c.number) + snake(option), ""
		}},
		{"the_question_the_option", func(c *choice, option string, _ int) (string, string) {
			return snake(c.asks) + "_" + snake(option), ""
		}},
		{"The.question..the.option", func(c *choice, option string, _ int) (string, string) {
			return strings.ReplaceAll(c.asks+". "+option, " ", "."), ""
		}},
	}
}

// Options are one question in whatever of the usual ways a file says that they were chosen and calls their columns, and
// what stands beside them is none of it.
func TestOptionsInEveryForm(t *testing.T) {
	for _, naming := range waysToName() {
		for _, writing := range waysToWrite() {
			t.Run(naming.name+"/"+writing.name, func(t *testing.T) {
				inForm(t, "multi", choices, naming, func(_, n int, c *choice) ([]guess.Label, func(int) string) {
					option := c.options[n]
					return writing.labels(option, n+1), func(i int) string {
						switch {
						case c.chosen(i, n):
							return writing.yes(option, n+1)
						case c.asked(i):
							return writing.no(option, n+1)
						}
						return ""
					}
				})
			})
		}
	}
}

// batteries are questions of several rows on a scale each.
var batteries = []choice{
	{7, "How far do you agree with the following statements", []string{"I like the taste of tea", "Tea calms me down",
		"Tea is too expensive", "I drink tea with friends", "Tea keeps me awake", "I know a lot about tea"},
		func(int) bool { return true }},
	{9, "How often do you drink coffee", []string{"at home", "at work", "in a restaurant", "on the way", "with friends"},
		func(int) bool { return true }},
}

// steps are the scales of the batteries.
var steps = [][]string{
	{"Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree"},
	{"Never", "Rarely", "Sometimes", "Often", "Always"},
}

// onScale is how files write steps of a scale, the first of which is 0, and what they say of it.
type onScale struct {
	name   string
	cell   func(scale []string, step int) string
	labels func(scale []string) []guess.Label
}

func waysToScale() []onScale {
	code := func(_ []string, step int) string { return fmt.Sprint(step + 1) }
	none := func([]string) []guess.Label { return nil }
	all := func(scale []string) (list []guess.Label) {
		for step, text := range scale {
			list = append(list, guess.Label{Value: fmt.Sprint(step + 1), Text: text})
		}
		return list
	}
	return []onScale{
		{"codes", code, none},
		{"codes from 0", func(_ []string, step int) string { return fmt.Sprint(step) }, none},
		{"codes as 1.0", func(_ []string, step int) string { return fmt.Sprintf("%d.0", step+1) }, none},
		{"codes with labels", code, all},
		{"codes with labels at the ends", code, func(scale []string) []guess.Label {
			return []guess.Label{all(scale)[0], all(scale)[len(scale)-1]}
		}},
		{"codes with labels and one nobody gave", code, func(scale []string) []guess.Label {
			return append(all(scale), guess.Label{Value: "9", Text: "Don't know"})
		}},
		{"codes backwards", func(scale []string, step int) string { return fmt.Sprint(len(scale) - step) },
			func(scale []string) (list []guess.Label) {
				for step := range scale {
					list = append(list, guess.Label{Value: fmt.Sprint(step + 1), Text: scale[len(scale)-1-step]})
				}
				return list
			}},
		{"words", func(scale []string, step int) string { return scale[step] }, none},
		{"codes and words", func(scale []string, step int) string { return fmt.Sprintf("%d - %s", step+1, scale[step]) },
			none},
		{"words and codes", func(scale []string, step int) string { return fmt.Sprintf("%s (%d)", scale[step], step+1) },
			none},
	}
}

// Rows are one grid in whatever of the usual ways a file writes their scale and calls their columns.
func TestGridsInEveryForm(t *testing.T) {
	for _, naming := range waysToName() {
		for _, scale := range waysToScale() {
			t.Run(naming.name+"/"+scale.name, func(t *testing.T) {
				inForm(t, "grid", batteries, naming, func(k, n int, _ *choice) ([]guess.Label, func(int) string) {
					return scale.labels(steps[k]), func(i int) string {
						leaning := rand.New(rand.NewPCG(uint64(i), uint64(k))).IntN(5)
						own := rand.New(rand.NewPCG(uint64(i), uint64(100*k+n+2))).IntN(3) - 1
						return scale.cell(steps[k], max(0, min(4, leaning+own)))
					}
				})
			})
		}
	}
}

// inForm has a survey guessed in which two questions stand among others, and compares as what their columns are read.
// column gives what the file says of the values of the n-th column of the k-th question, and its cells.
func inForm(t *testing.T, as string, questions []choice, naming namedAs,
	column func(k, n int, c *choice) ([]guess.Label, func(i int) string)) {
	const respondents = 240
	file, table := &guess.File{}, &table{rows: make([][]string, respondents)}
	file.Table = table
	add := func(c guess.Column, cell func(int) string) {
		file.Columns, table.header = append(file.Columns, c), append(table.header, c.Name)
		for i := range table.rows {
			table.rows[i] = append(table.rows[i], cell(i))
		}
	}
	var beside []string
	other := func(name, label string, codes int) {
		beside = append(beside, name)
		add(guess.Column{Name: name, Label: label}, func(i int) string { return fmt.Sprint(1 + (i*7+i/5)%codes) })
	}
	names := make([][]string, len(questions))
	question := func(k int) {
		c := &questions[k]
		for n, option := range c.options {
			name, label := naming.of(c, option, n+1)
			names[k] = append(names[k], name)
			labels, cell := column(k, n, c)
			add(guess.Column{Name: name, Label: label, Labels: labels}, cell)
		}
	}
	add(guess.Column{Name: "id"}, count(1))
	other("sex", "Sex", 2)
	other("region", "Region of the country", 6)
	question(0)
	other("satisfied", "How satisfied are you with your breakfast?", 5)
	question(1)
	other("household", "People in the household", 4)

	got := readings(guessed(t, file, guess.Options{}))
	for k := range names {
		want := got[names[k][0]]
		if !strings.HasPrefix(want, as+" ") || k > 0 && want == got[names[0][0]] {
			t.Fatalf("%s is read as %q", names[k][0], want)
		}
		for _, name := range names[k] {
			if got[name] != want {
				t.Errorf("%s is read as %q, want %q", name, got[name], want)
			}
		}
	}
	for _, name := range beside {
		if strings.HasPrefix(got[name], "multi") || strings.HasPrefix(got[name], "grid") {
			t.Errorf("%s is read as %q", name, got[name])
		}
	}
}

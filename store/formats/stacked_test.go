package formats_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/store/formats"
)

// Headers of up to four rows are what nobody answered, in whatever order codes, questions and their options stand, with
// titles of sections, numbers of columns and kinds of variables among them: over answers in numbers and in words.
func TestStackedHeaders(t *testing.T) {
	const (
		codes    = "id,Q1,Q2_1,Q2_2,Q2_3,Q2_4,Q3_1,Q3_2,Q3_3,Q4"
		repeated = ",Sex,Drinks?,Drinks?,Drinks?,Drinks?,Agree?,Agree?,Agree?,Age"
		sparse   = ",Sex,Drinks?,,,,Agree?,,,Age"
		options  = ",,Tea,Coffee,Milk,Water,It is cheap,It is good,It is near,"
		every    = "id,Sex,Tea,Coffee,Milk,Water,It is cheap,It is good,It is near,Age"
		sections = "You,,Drinks,,,,Opinions,,,You"
		numbers  = "1,2,3,4,5,6,7,8,9,10"
		kinds    = "id,single,multi,multi,multi,multi,scale,scale,scale,numeric"
		whole    = "id,What is your sex?,Do you drink tea?,Do you drink coffee?,Do you drink milk?,Do you drink water?," +
			"Is it quite cheap?,Is it quite good?,Is it quite near?,How old are you?"
	)
	joined := []string{"", "Sex", "Drinks?[Tea]", "Drinks?[Coffee]", "Drinks?[Milk]", "Drinks?[Water]",
		"Agree?[It is cheap]", "Agree?[It is good]", "Agree?[It is near]", "Age"}
	named := strings.Split(codes, ",")
	asked := strings.Split(whole, ",")
	asked[0] = "" // as it is the name
	inWords := func(i int) string {
		tick := func(word string, n int) string { return []string{"", word}[i/n%2] }
		steps := []string{"agree", "disagree", "neither"}
		return fmt.Sprintf("%d,%s,%s,%s,%s,%s,%s,%s,%s,%d", i+1, []string{"m", "f"}[i%2], tick("Tea", 1), tick("Coffee", 2),
			tick("Milk", 3), tick("Water", 4), steps[i%3], steps[i/2%3], steps[i/3%3], 20+i%30)
	}
	inNumbers := func(i int) string {
		return fmt.Sprintf("%d,%d,%d,%d,%d,%d,%d,%d,%d,%d", i+1, 1+i%2, i%2, i/2%2, i/3%2, i/4%2, 1+i%5, 1+i/2%5, 1+i/3%5,
			20+i%30)
	}
	for _, c := range []struct {
		name   string
		rows   []string
		names  []string // nil: the questions, and their options behind them
		labels []string
	}{
		{"codes, questions, options", []string{codes, repeated, options}, named, joined},
		{"codes, questions over the first of their columns, options", []string{codes, sparse, options}, named, joined},
		{"questions, options, codes", []string{repeated, options, codes}, named, joined},
		{"questions over the first of their columns, options, codes", []string{sparse, options, codes}, named, joined},
		{"codes, sections, questions, options", []string{codes, sections, sparse, options}, named, joined},
		{"codes, sections, whole questions", []string{codes, sections, whole}, named, asked},
		{"sections, codes", []string{sections, codes}, named, nil},
		{"codes, numbers", []string{codes, numbers}, named, nil},
		{"numbers, codes", []string{numbers, codes}, named, nil},
		{"codes, kinds", []string{codes, kinds}, named, nil},
		{"codes, kinds, whole questions", []string{codes, kinds, whole}, named, asked},
		{"codes, whole questions, kinds", []string{codes, whole, kinds}, named, asked},
		{"whole questions, codes", []string{whole, codes}, named, asked},
		{"codes, options of each column", []string{codes, every}, named,
			slices.Concat([]string{""}, strings.Split(every, ",")[1:])},
	} {
		for how, respondent := range map[string]func(int) string{"words": inWords, "numbers": inNumbers} {
			t.Run(c.name+", in "+how, func(t *testing.T) {
				text := strings.Join(c.rows, "\n") + "\n"
				for i := range 48 {
					text += respondent(i) + "\n"
				}
				f, err := formats.Open(put(t, "f.csv", text), formats.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				var names, labels []string
				for _, column := range f.Columns {
					names, labels = append(names, column.Name), append(labels, column.Label)
				}
				if diff := cmp.Diff(c.names, names); diff != "" {
					t.Errorf("names: -want +got\n%s", diff)
				}
				if !slices.ContainsFunc(labels, func(label string) bool { return label != "" }) {
					labels = nil
				}
				if diff := cmp.Diff(c.labels, labels); diff != "" {
					t.Errorf("labels: -want +got\n%s", diff)
				}
				second := strings.Contains(strings.Join(f.Notes(), "\n"), "the second row holds the questions")
				if second && c.rows[0] != codes {
					t.Error("the second row is said to hold the questions, which stand in another or nowhere")
				}
				if got := len(cells(t, f)) - 1; got != 48 {
					t.Errorf("%d respondents, want 48", got)
				}
			})
		}
	}
}

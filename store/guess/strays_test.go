package guess_test

import (
	"context"
	"testing"

	"github.com/crosswave/crosswave/store/guess"
)

// Few answers that are on no scale do not hide that of the others: means in place of what was lacking, and words in
// place of a step. Where they are many, or are whole numbers, which may be what they seem, they do.
func TestStrays(t *testing.T) {
	const rows = 300
	rare := func(stray string, every int, list ...string) func(int) string {
		return func(i int) string {
			if i%every == 7 {
				return stray
			}
			return list[i%len(list)]
		}
	}
	steps := []string{"1", "2", "3", "4", "5", "6", "7"}
	words := []string{"Agree", "Disagree", "Strongly agree", "Strongly disagree", "Neither agree nor disagree"}
	for _, c := range []struct {
		name   string
		column func(int) string
		want   string
	}{
		{"a mean", rare("3.9", rows, steps...), "grid val"},
		{"one mean for six in a hundred", rare("3.9", 17, steps...), "grid val"},
		{"a mean, and nobody at the first step", rare("3.9", rows, "2", "3", "4", "5", "6", "7"), "grid val"},
		{"a mean, and nobody at one in the middle", rare("4.43", rows, "1", "2", "3", "5", "6", "7", "7"), "grid val"},
		{"a number that is no mean, and nobody at one", rare("2.5", rows, "1", "2", "3", "5", "6", "7"), "number val2"},
		{"a mean, and nobody at two in the middle", rare("3.9", rows, "1", "2", "5", "6", "7"), "number val2"},
		{"a mean, and nobody at the first two", rare("3.9", rows, "3", "4", "5", "6", "7"), "number val2"},
		{"two means", rare("3.25", rows/2, steps...), "grid val"},
		{"a number far beyond", rare("67", rows, steps...), "single val2"},
		{"many means", rare("3.9", 10, steps...), "number val2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := repeated(rows, "id|val1|val2|val3|val4", count(1), among(steps...), c.column,
				among("7", "6", "5", "4", "3", "2", "1"), among("2", "1", "3", "4", "5", "7", "6")).file()
			m, err := guess.Codebook(context.Background(), f, guess.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := readings(m)["val2"]; got != c.want {
				t.Errorf("read as %q, want %q", got, c.want)
			}
		})
	}
	t.Run("words", func(t *testing.T) {
		header := "id|I like the bus|I trust the card|I go by night|I know the way|I would go again"
		f := repeated(rows, header, count(1), among(words...), rare("Cash payment", rows, words...), among(words...),
			among(words...), among(words...)).file()
		got := readings(guessed(t, f, guess.Options{}))
		if want := got["I like the bus"]; got["I trust the card"] != want || want == "single I_like_the_bus" {
			t.Errorf("read as %q beside %q", got["I trust the card"], want)
		}
	})
}

// A number that was mistyped is a row's of a grid where many rows tell what the scale is.
func TestMistyped(t *testing.T) {
	const rows = 300
	steps := []string{"1", "2", "3", "4", "5"}
	for _, c := range []struct {
		name, typed string
		every       int
		want        string
	}{
		{"one", "23", rows, "grid val"},
		{"many", "23", 10, "single val9"},
		{"a code beside the scale", "99", 10, "grid val"},
	} {
		t.Run(c.name, func(t *testing.T) {
			columns := []func(int) string{count(1)}
			for range 8 {
				columns = append(columns, among(steps...))
			}
			columns = append(columns, func(i int) string {
				if i%c.every == 7 {
					return c.typed
				}
				return steps[i%len(steps)]
			})
			f := repeated(rows, "id|val1|val2|val3|val4|val5|val6|val7|val8|val9", columns...).file()
			if got := readings(guessed(t, f, guess.Options{}))["val9"]; got != c.want {
				t.Errorf("read as %q, want %q", got, c.want)
			}
		})
	}
}

// A key that was pressed twice, as for 1, says nothing against yes and no in the columns of one question.
func TestKeyedTwice(t *testing.T) {
	const rows = 300
	for _, c := range []struct {
		name, keyed string
		every       int
		want        string
	}{
		{"once", "11", rows, "multi q5"},
		{"by one in ten", "11", 10, "grid q5"},
		{"a digit that is no answer", "33", rows, "grid q5"},
		{"two digits", "12", rows, "grid q5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := repeated(rows, "id|q5_1|q5_2|q5_3|q5_4|q6", count(1), among("1", "2", "2"), func(i int) string {
				if i%c.every == 7 {
					return c.keyed
				}
				return []string{"1", "2"}[i%2]
			}, among("2", "1", "1", "2", "1"), among("2", "2", "1", "2", "2", "2", "1"), among("1", "2", "3")).file()
			for i := 1; i < 5; i++ {
				f.Columns[i].Labels = []guess.Label{{Value: "1", Text: "Yes"}, {Value: "2", Text: "No"}}
			}
			if got := readings(guessed(t, f, guess.Options{}))["q5_2"]; got != c.want {
				t.Errorf("read as %q, want %q", got, c.want)
			}
		})
	}
}

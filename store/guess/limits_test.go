package guess_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/survey"
)

// A column that is in a question is in no other, though its name begins as those of a second group do.
func TestColumnsAreTakenOnce(t *testing.T) {
	table := repeated(40, "id|x_a_1|x_a_b|x_a_2|x_a_3|x_c_1|x_c_2", count(1), count(100), among("red", "green", "blue"),
		among("0", "1"), among("1", "0"), among("0", "1"), among("1", "0"))
	m := guessed(t, table.file(), guess.Options{})
	in := map[string]string{}
	for i, q := range m.Codebook.Questions {
		code := m.Codebook.Survey.Questions[i].Code
		for _, column := range append([]survey.AnswerColumn{{Column: q.Column}}, q.Datapoints...) {
			if other := in[column.Column]; other != "" && column.Column != "" {
				t.Errorf("column %s is in %s and in %s", column.Column, other, code)
			}
			in[column.Column] = code
		}
	}
}

// Limits: a file with next to nothing in its many columns, or for its many answers, gets no codebook, and one of a
// usual size does.
func TestLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("with the race detector, which is run with -short, so many columns take long")
	}
	wide := func(columns int) *guess.File {
		header, cells := []string{"id"}, []func(int) string{count(1)}
		for i := range columns - 1 {
			header = append(header, fmt.Sprintf("q%dx", i))
			cells = append(cells, func(row int) string { return fmt.Sprintf("%x of %x", row%8, i) }) // no other has them
		}
		return repeated(16, strings.Join(header, "|"), cells...).file()
	}
	type limit struct {
		columns int
		size    int64
		says    string
	}
	limits := []limit{
		{2000, 1000, ""},
		{16_385, 1 << 20, "the file has 16385 columns; a codebook is guessed for up to 16384 in a file of its size"},
		{15_000, 1 << 19, "its codebook would have more than 100000 answers, which is too many for a file of its size"},
	}
	if !testsize.Quick() {
		limits = append(limits, limit{16_385, 10 << 20, ""})
	}
	for _, c := range limits {
		f := wide(c.columns)
		f.Size = c.size
		_, err := guess.Codebook(t.Context(), f, guess.Options{})
		if c.says == "" && err != nil || c.says != "" && (err == nil || err.Error() != c.says) {
			t.Errorf("%d columns in %d bytes: %v, want %q", c.columns, c.size, err, c.says)
		}
	}
}

// Numbers of many zeros are answers like others: the value in the codebook is the number in plain digits.
func TestLongNumbers(t *testing.T) {
	large, small := "9"+strings.Repeat("0", 26), "0."+strings.Repeat("0", 30)+"25"
	table := repeated(40, "id|q|r", count(1), among("00"+large, large+".0", "-"+large), func(int) string { return small })
	m := guessed(t, table.file(), guess.Options{})
	var values []string
	for _, q := range m.Codebook.Questions {
		for _, d := range q.Datapoints {
			values = append(values, d.Value+d.From+d.To)
		}
	}
	if !slices.Contains(values, small) {
		t.Errorf("%q is not among %q", small, values)
	}
	whole(t, table, m)
}

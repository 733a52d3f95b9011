package guess_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/crosswave/crosswave/store/guess"
)

// Bands have round edges, are four at least, and are named by where the next begins, whatever noise the numbers have.
func TestBands(t *testing.T) {
	for _, c := range []struct {
		name   string
		values func(i int) string
		want   []string
	}{
		{"spend", func(i int) string { return fmt.Sprint(i * 37 % 100) },
			[]string{"0 to under 20", "20 to under 30", "30 to under 50", "50 to under 70", "70 to under 80",
				"80 to under 100"}},
		{"share", func(i int) string { return fmt.Sprint(float64(i*7%100)/10 + 0.1 + 0.2) },
			[]string{"0 to under 2", "2 to under 4", "4 to under 5", "5 to under 7", "7 to under 9", "9 to under 11"}},
		{"age", func(i int) string { return fmt.Sprint(18 + i%60) },
			[]string{"18–24", "25–34", "35–44", "45–54", "55–64", "65–77"}},
		{"cars", func(i int) string { return fmt.Sprint(i % 4) }, []string{"0", "1", "2", "3"}},
		{"visits", func(i int) string { // most never came
			if i%10 < 8 {
				return "0"
			}
			return fmt.Sprint(1 + i%200)
		}, []string{"0", "1 to under 40", "40 to under 80", "80 to under 120", "120 to under 160", "160 to under 220"}},
		{"staff", func(i int) string { // one firm is far larger than all others
			return fmt.Sprint([]int{1 + i%20, 3 + i%7, 20 + i%40, 100 + i%400}[i%4] + 29000*(1-min(i, 1)))
		}, []string{"0 to under 20", "20 to under 40", "40 to under 200", "200 to under 30000"}},
		{"debt", func(i int) string { return fmt.Sprint(i%450 - 225) }, nil},
	} {
		table := repeated(900, "id|"+c.name+"|q", count(1), c.values, among("a", "b"))
		m := guessed(t, table.file(), guess.Options{})
		var got []string
		for _, q := range m.Codebook.Survey.Questions {
			if q.Code == c.name {
				for _, d := range q.Datapoints {
					got = append(got, d.Name)
				}
			}
		}
		if c.want != nil && !slices.Equal(got, c.want) || len(got) < 4 {
			t.Errorf("%s: %q", c.name, got)
		}
		whole(t, table, m)
	}
}

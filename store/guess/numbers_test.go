package guess_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/survey/decimal"
	"github.com/google/go-cmp/cmp"
)

// Every number of a column is in exactly one band, whatever the numbers.
func TestBandsHoldEveryNumberOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range testsize.Of(30, 100, 1000) {
		places, width, n := r.IntN(4), r.IntN(6)+1, r.IntN(900)+15
		numbers := make([]string, n)
		for i := range numbers {
			numbers[i] = strings.TrimSuffix(fmt.Sprintf("%.*f", places, (r.Float64()-0.3*float64(r.IntN(2)))*pow10(width)), "-")
		}
		table := repeated(n, "id|amount", count(1), func(i int) string { return numbers[i] })
		f := table.file()
		if r.IntN(3) == 0 {
			f.Columns[1].Labels = []guess.Label{{Value: numbers[0], Text: "Special"}, {Value: "999", Text: "Refused"}}
			f.Columns[1].Kind = guess.Quantity
		}
		m := guessed(t, f, guess.Options{Respondent: "id"})
		at := slices.IndexFunc(m.Codebook.Survey.Questions,
			func(q audience.Question) bool { return q.Kind == audience.Number })
		if at < 0 {
			continue // few enough to be codes
		}
		bands := m.Codebook.Questions[at].Datapoints
		for _, text := range numbers {
			in := 0
			for _, b := range bands {
				if b.Value != "" && b.Value == text || b.Value == "" && inBand(t, b.From, b.To, text) {
					in++
				}
			}
			if in != 1 {
				t.Fatalf("%s is in %d bands of %+v", text, in, bands)
			}
		}
		whole(t, table, m)
	}
}

// A labelled value among numbers is one of them, unless its label says that there is no answer or it is too large to be
// one: then it is an answer as before and no number. A column in which other numbers are too large is not used.
func TestLabelledNumbers(t *testing.T) {
	table := repeated(40, "id|miles|phone", count(1),
		func(i int) string { return []string{"0", "12", "250.5", "500", "998", "999", "99999999999999"}[i%7] },
		func(i int) string { return fmt.Sprint(49301234567890 + i%9) })
	f := table.file()
	f.Columns[1].Kind, f.Columns[2].Kind = guess.Quantity, guess.Quantity
	f.Columns[1].Labels = []guess.Label{{Value: "0", Text: "None"}, {Value: "500", Text: "500 or more"},
		{Value: "998", Text: "Refused"}, {Value: "999", Text: "Not stated"}, {Value: "99999999999999", Text: "Far"}}
	m := guessed(t, f, guess.Options{Respondent: "id"})
	if got := readings(m); got["miles"] != "number miles" || got["phone"] != "not used" {
		t.Errorf("%q", got)
	}
	if !strings.Contains(strings.Join(m.Notes, "\n"), "column miles: 99999999999999 (Far), 998 (Refused), 999 "+
		"(Not stated): an answer, and no number") {
		t.Errorf("%q", m.Notes)
	}
	ref := whole(t, table, m)
	numbers, banded := map[string]bool{}, 0
	for _, r := range ref.Respondents() {
		if n := r.Numbers["core.miles"]; n != nil {
			numbers[n.RatString()] = true
		}
		banded += len(r.Positive)
	}
	want := map[string]bool{"0": true, "12": true, "501/2": true, "500": true}
	if d := cmp.Diff(want, numbers); d != "" || banded != 40 {
		t.Errorf("%d respondents of 40 are in a band; numbers: %s", banded, d)
	}
}

func pow10(n int) float64 {
	f := 1.0
	for range n {
		f *= 10
	}
	return f
}

func inBand(t *testing.T, from, to, text string) bool {
	parse := func(s string) decimal.Decimal {
		d, err := decimal.Parse(s, true)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	d := parse(text)
	return parse(from).Cmp(d) <= 0 && d.Cmp(parse(to)) <= 0
}

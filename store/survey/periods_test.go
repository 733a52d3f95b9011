package survey_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/formats/csv"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
)

// openBook is a codebook whose waves are the periods of the data's dates.
func openBook(t *testing.T, wave string) *survey.Codebook {
	t.Helper()
	c, err := survey.ReadCodebook([]byte(`{"name":"Drinks","namespaces":[{"code":"core"}],"respondent":
		{"column":"id"},"wave":` + wave + `,"questions":[{"code":"q","type":"single","column":"q",
		"datapoints":[{"code":"tea"},{"code":"milk"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// csvTable is a text of fields with commas between them as a table.
func csvTable(t *testing.T, text string) survey.Table {
	t.Helper()
	table, err := csv.New(strings.NewReader(text), csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// Periods that a codebook does not list are those of the data, in their order, whatever the order of the rows.
func TestPeriodsOfTheData(t *testing.T) {
	rows := "id,w,q\n1,15.03.2024,tea\n2,02.01.2024,milk\n3,31.03.2024 23:59,tea\n4,2023-12-31,tea\n"
	for _, c := range []struct {
		wave  string
		codes []string
		of    []int // the wave of each row
	}{
		{`{"column":"w","by":"month"}`, []string{"2023-12", "2024-01", "2024-03"}, []int{2, 1, 2, 0}},
		{`{"column":"w","by":"quarter","values":[]}`, []string{"2023-Q4", "2024-Q1"}, []int{1, 1, 1, 0}},
		{`{"column":"w","by":"year"}`, []string{"2023", "2024"}, []int{1, 1, 1, 0}},
	} {
		source, err := survey.NewSource(csvTable(t, rows), openBook(t, c.wave), 2)
		if err != nil {
			t.Fatal(err)
		}
		described, err := source.Describe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var codes []string
		for _, w := range described.Waves {
			codes = append(codes, w.Code)
		}
		if d := cmp.Diff(c.codes, codes); d != "" {
			t.Errorf("%s: %s", c.wave, d)
		}
		var of []int
		for batch, err := range source.Respondents(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			for i := range batch.Respondents {
				of = append(of, batch.Respondents[i].Wave)
			}
		}
		if d := cmp.Diff(c.of, of); d != "" {
			t.Errorf("%s: %s", c.wave, d)
		}
		if w := described.Waves[0]; w.Start == "" || w.End == "" || w.Kind == "" || w.Name == "" {
			t.Errorf("the first wave is %+v", w)
		}
	}
}

// What is wrong with dates that are to make waves is told, with its place.
func TestPeriodsRefused(t *testing.T) {
	var weeks strings.Builder
	for year := 1990; year < 2012; year++ {
		for month := range 12 {
			for day := 1; day < 28; day += 7 {
				fmt.Fprintf(&weeks, "%d-%d-%d,%04d-%02d-%02d,tea\n", year, month, day, year, month+1, day)
			}
		}
	}
	for _, c := range []struct{ name, wave, rows, says string }{
		{"no date at all", `{"column":"w","by":"month"}`, "1,,tea\n2,,milk\n", `there is no date in column "w"`},
		{"a word among dates", `{"column":"w","by":"month"}`, "1,2024-01-02,tea\n2,soon,milk\n", `the value "soon" is no date`},
		{"an order that is not said", `{"column":"w","by":"month"}`, "1,2024-01-02,tea\n2,03/04/2024,milk\n",
			"is a date in two ways"},
		{"nothing for a respondent", `{"column":"w","by":"month"}`, "1,2024-01-02,tea\n2,,milk\n", "missing"},
		{"too many weeks", `{"column":"w","by":"week"}`, weeks.String(), "more than 1000 periods (week)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			source, err := survey.NewSource(csvTable(t, "id,w,q\n"+c.rows), openBook(t, c.wave), 1)
			if err != nil {
				t.Fatal(err)
			}
			for _, err = range source.Respondents(context.Background()) {
				if err != nil {
					break
				}
			}
			var own *survey.Error
			var book *survey.CodebookError
			if !errors.As(err, &own) && !errors.As(err, &book) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want an error that says %q", err, c.says)
			}
		})
	}
	if _, err := survey.ReadCodebook([]byte(`{"name":"D","namespaces":[{"code":"core"}],"respondent":
		{"column":"id"},"wave":{"column":"w"},"questions":[]}`)); err == nil {
		t.Error("waves that are neither listed nor periods of dates are read")
	}
}

// A codebook with periods that are not listed is written as it was read.
func TestPeriodsWritten(t *testing.T) {
	c := openBook(t, `{"column":"w","by":"month","dates":"day-first","missing":"skip"}`)
	text, err := survey.WriteCodebook(c)
	if err != nil {
		t.Fatal(err)
	}
	again, err := survey.ReadCodebook(text)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(c, again); d != "" || strings.Contains(string(text), `"values": null`) {
		t.Error(d, string(text))
	}
}

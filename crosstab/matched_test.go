package crosstab_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
)

// moving is a study whose locations change from wave to wave: uk in the first three, fr in the three in between, de in
// the last two. local was asked about in fr and in w4 in de.
const moving = `
survey
  namespace core
  wave w1 2024-01-01
  wave w2 2024-04-01
  wave w3 2024-07-01
  wave w4 2024-10-01
  location uk fr de
  question sex single f m
  question brand multi separate acme local

respondents
  wave | location | core | sex | brand
  w1   | uk       | 1    | f   | acme
  w1   | uk       | 2    | m   | !acme
  w2   | uk       | 3    | f   | acme
  w2   | uk       | 5    | m   | acme
  w2   | fr       | 7    | f   | acme local
  w3   | uk       | 11   | f   | !acme
  w3   | fr       | 13   | m   | acme !local
  w3   | de       | 17   | f   | !acme
  w4   | fr       | 19   | f   | acme local
  w4   | fr       | 23   | m   | !acme !local
  w4   | de       | 29   | f   | acme local
`

func movingStore(t *testing.T) audience.Store {
	t.Helper()
	st := new(naive.Store)
	if err := storetest.RunScript(t.Context(), "moving", moving, func() storetest.Engine { return st }); err != nil {
		t.Fatal(err)
	}
	return st
}

func leaf(question string, codes ...string) audience.Audience {
	return audience.Audience{Expr: audience.Answers{Question: question, Datapoints: codes}}
}

func waves(codes ...string) (as []audience.Audience) {
	for _, c := range codes {
		as = append(as, audience.Audience{ID: c, Expr: audience.Waves{Codes: []string{c}}})
	}
	return as
}

// shown is what a cell shows: its figures, and what it covers in codes.
func shown(c crosstab.Cell) string {
	return fmt.Sprintf("%s: %d/%d of %d, %v %v %v %v in %v %v", c.Column.Audience, c.Intersect.Sample, c.Column.Sample,
		c.Base.Sample, c.Intersect.Size, c.Row.Percentage, c.Row.IntersectPercentage, c.Intersect.Index, c.Coverage.Waves,
		c.Coverage.Locations)
}

// Rule matched: row by row each wave is cut to the locations that all waves of the row have. The figures are those of a
// request for that row and these locations.
func TestMatched(t *testing.T) {
	st := movingStore(t)
	women, local := leaf("sex", "f"), leaf("brand", "local")
	either := leaf("brand", "acme", "local")
	for _, test := range []struct {
		name      string
		request   crosstab.Request
		locations []string // of each row, comma-separated; "" is none
	}{
		{"one location in common", crosstab.Request{Rows: []audience.Audience{women, either}, Columns: waves("w1", "w2",
			"w3")},
			[]string{"uk", "uk"}},
		{"each row has its own", crosstab.Request{Rows: []audience.Audience{women, local, either},
			Columns: waves("w2", "w3")},
			[]string{"uk,fr", "fr", "uk,fr"}},
		{"a wave that was not measured does not count", crosstab.Request{Rows: []audience.Audience{local},
			Columns: waves("w1", "w3", "w4")}, []string{"fr"}},
		{"none in common", crosstab.Request{Rows: []audience.Audience{women, local}, Columns: waves("w1", "w4")},
			[]string{"", "fr,de"}},
		{"no rows: the base", crosstab.Request{Base: women, Columns: waves("w3", "w4")}, []string{"fr,de"}},
		{"a base that was not asked everywhere", crosstab.Request{Base: local, Rows: []audience.Audience{women},
			Columns: waves("w2", "w4")}, []string{"fr"}},
		{"within the locations requested", crosstab.Request{Rows: []audience.Audience{women}, Columns: waves("w2", "w3"),
			Locations: []string{"de", "uk"}}, []string{"uk"}},
		{"within the waves requested", crosstab.Request{Rows: []audience.Audience{women}, Columns: waves("w1", "w3", "w4"),
			Waves: []string{"w3", "w4", "w3"}}, []string{"fr,de"}},
		{"columns of several waves are cut wave by wave", crosstab.Request{Rows: []audience.Audience{women},
			Columns: []audience.Audience{{Expr: &audience.Waves{Codes: []string{"w2", "w3"}}}, {Expr: audience.Waves{
				Codes: []string{"w3"}}}}}, []string{"uk,fr"}},
		{"the last waves stay those that they were", crosstab.Request{Rows: []audience.Audience{women},
			Columns: waves("w1", "w2", "w3"), LastWaves: 2}, []string{"uk,fr,de"}},
	} {
		matched := test.request
		matched.Matched, matched.Coverage = true, true
		got, err := crosstab.Run(t.Context(), st, matched)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		var have, want []string
		for c := range got.Cells() {
			have = append(have, fmt.Sprint(c.RowIndex, " ", c.ColumnIndex, " ", shown(c)))
			if c.Coverage.LocationsDiffer {
				t.Errorf("%s: locations differ in %+v", test.name, c.Coverage)
			}
		}
		for i, locations := range test.locations {
			alone := test.request
			alone.Coverage = true
			if len(alone.Rows) > 0 {
				alone.Rows = alone.Rows[i : i+1]
			}
			if locations != "" {
				alone.Locations = strings.Split(locations, ",")
			} else {
				alone.Waves = []string{"w2"} // which no column is of
			}
			table, err := crosstab.Run(t.Context(), st, alone)
			if err != nil {
				t.Fatal(err)
			}
			for c := range table.Cells() {
				row := min(i+1, len(test.request.Rows))
				want = append(want, fmt.Sprint(row, " ", c.ColumnIndex, " ", shown(c)))
			}
		}
		if d := cmp.Diff(want, have); d != "" {
			t.Errorf("%s:\n%s", test.name, d)
		}
	}
}

// Fewer locations may make the last waves others. The columns that the request does not cover stay uncovered.
func TestMatchedKeepsTheLastWaves(t *testing.T) {
	st := movingStore(t)
	got, err := crosstab.Run(t.Context(), st, crosstab.Request{Rows: []audience.Audience{leaf("sex", "f")},
		Columns: waves("w1", "w2", "w3"), LastWaves: 3, Locations: []string{"uk", "de"}, Matched: true, Coverage: true})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for c := range got.Cells() {
		list = append(list, fmt.Sprint(c.Coverage.Waves, c.Coverage.Locations, " ", c.Base.Sample))
	}
	covers := strings.Join(list, "; ")
	if want := "[] [] 0; [w2] [uk] 2; [w3] [uk] 1"; covers != want { // in uk the last three waves are w1, w2 and w3
		t.Errorf("%s\nwant %s", covers, want)
	}
}

// Rule matched: what does not compare waves is refused, before codes are looked up.
func TestMatchedRefuses(t *testing.T) {
	st := movingStore(t)
	women := leaf("sex", "f")
	for name, columns := range map[string][]audience.Audience{
		"none": nil, "another": {women}, "one of them another": append(waves("w1"), women),
		"more than a wave": {{Expr: audience.And{audience.Waves{Codes: []string{"w1"}}, women.Expr}}},
		"a location":       {{Expr: audience.Locations{Codes: []string{"uk"}}}},
	} {
		_, err := crosstab.Run(t.Context(), st, crosstab.Request{Rows: []audience.Audience{leaf("none")}, Columns: columns,
			Matched: true})
		var invalid *audience.InvalidError
		if !errors.As(err, &invalid) || invalid.Path != "matched" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Rule coverage: a row whose waves cover different locations says so in all its cells, and no other does; and what the
// limit of the caller is told about it is not too little.
func TestTrendSaysThatLocationsDiffer(t *testing.T) {
	st := movingStore(t)
	rows := []audience.Audience{leaf("sex", "f"), leaf("brand", "local"), leaf("brand", "acme", "local")}
	for _, test := range []struct {
		name    string
		columns []audience.Audience
		want    string // a letter a cell
	}{
		{"waves", waves("w2", "w3"), "tt ff tt"},
		{"waves of which one has nothing of local", waves("w1", "w2"), "tt ff tt"},
		{"waves that all rows have", waves("w3", "w4"), "tt tt tt"},
		{"one wave", waves("w2"), "f f f"},
		{"no waves", rows, "fff fff fff"},
		{"none", nil, "f f f"},
	} {
		told := int64(0)
		table, err := crosstab.Run(t.Context(), st, crosstab.Request{Rows: rows, Columns: test.columns, Coverage: true,
			Limits: crosstab.Limits{Cost: func(e crosstab.Extent) error { told = e.Coverage; return nil }}})
		if err != nil {
			t.Fatal(err)
		}
		got, row := "", 1
		for c := range table.Cells() {
			if c.RowIndex != row {
				got, row = got+" ", c.RowIndex
			}
			got += fmt.Sprint(c.Coverage.LocationsDiffer)[:1]
			told -= int64(len(fmt.Sprint(*c.Coverage)))
		}
		if got != test.want || told < 0 {
			t.Errorf("%s: %s, want %s; %d bytes of what was told are left", test.name, got, test.want, told)
		}
	}
}

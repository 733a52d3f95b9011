package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/store/sqlite"
)

// told is a crosstab of sex and views with three columns, of which it is told by hand how sure it is.
func told(t *testing.T, o estimate.Options) *crossed {
	db, err := sqlite.Open(t.Context(), small(t), sqlite.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	leaf := func(name, code string) audience.Audience {
		return audience.Audience{Name: name, Expr: audience.Answers{Question: "sex", Datapoints: []string{code}}}
	}
	x, err := cross(t.Context(), db, crosstab.Request{LastWaves: crosstab.AllWaves,
		Rows:    []audience.Audience{leaf("Row", "f")},
		Columns: []audience.Audience{leaf("First", "f"), leaf("Second", "f"), leaf("Drittes 日本", "f")}})
	if err != nil {
		t.Fatal(err)
	}
	x.request.Statistics = &o
	sure := func(quality estimate.Quality) *estimate.Interval {
		return &estimate.Interval{StandardError: 2, Low: 36.25, High: 44.5, Quality: quality}
	}
	for i := range x.cells {
		for j := range x.cells[i] {
			x.cells[i][j].Statistics = &crosstab.Statistics{
				Row:       crosstab.AxisStatistics{IntersectPercentage: sure(estimate.OK)},
				Column:    crosstab.AxisStatistics{IntersectPercentage: sure(estimate.OK)},
				Intersect: crosstab.IntersectStatistics{EffectiveSample: 1234.6},
				Columns:   new(crosstab.ColumnStatistics),
			}
		}
	}
	return x
}

// differ has two cells of row 1 differ.
func differ(x *crossed, a, b int, difference, p float64, sound, significant bool) {
	for _, d := range []struct {
		of, other  int
		difference float64
	}{{a, b, difference}, {b, a, -difference}} {
		c := x.cells[1][d.of].Statistics.Columns
		c.Pairs = append(c.Pairs, crosstab.ColumnPair{ColumnIndex: d.other,
			Difference: estimate.Difference{Difference: d.difference, P: p / 2, AdjustedP: p,
				Sound: sound}})
		switch {
		case significant && d.difference > 0:
			c.HigherThan = append(c.HigherThan, d.other)
		case significant:
			c.LowerThan = append(c.LowerThan, d.other)
		}
	}
}

// A letter is a capital where the domain says that a column is above another; a small one where the pair is significant
// at the lower level.
func TestLetters(t *testing.T) {
	alone(t)
	for name, c := range map[string]struct {
		low   float64
		sound bool
		want  [3]string // above, of each column
	}{
		"one level":        {0, true, [3]string{"B", "", ""}},
		"two":              {90, true, [3]string{"B c", "", "b"}},
		"above a higher p": {93, true, [3]string{"B", "", "b"}},
		"exactly at it":    {92, true, [3]string{"B c", "", "b"}},
		"too few to tell":  {90, false, [3]string{"B", "", "b"}},
	} {
		x := told(t, estimate.Options{Level: 95, Compare: []estimate.Compare{estimate.Columns}, Pairs: true})
		differ(x, 1, 2, 8, 0.01, true, true)
		differ(x, 1, 3, 5, 0.08, c.sound, false) // 92 is the level at which 0.08 is just significant
		differ(x, 3, 2, 4, 0.06, true, false)
		got := [3]string{x.compared(1, 1, c.low).Letters(), x.compared(1, 2, c.low).Letters(),
			x.compared(1, 3, c.low).Letters()}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if d := x.compared(1, 2, c.low); !slices.Equal(d.Lower, []int{1}) || len(d.LowerLow) > 0 != (c.low > 0) {
			t.Errorf("%s: the second column is below %v, at the lower level %v", name, d.Lower, d.LowerLow)
		}
	}
}

// Marks of a percentage: those of differences that are significant at the level, and that of its base.
func TestMarks(t *testing.T) {
	alone(t)
	up := &estimate.Difference{Difference: 5, P: 0.04, AdjustedP: 0.05, Sound: true}
	down := &estimate.Difference{Difference: -5, P: 0.04, AdjustedP: 0.05, Sound: true}
	rest, previous := []estimate.Compare{estimate.Rest}, []estimate.Compare{estimate.Previous}
	for name, c := range map[string]struct {
		compare        []estimate.Compare
		rest, previous *estimate.Difference
		quality        estimate.Quality // "": there is no interval
		want           string
	}{
		"none":                     {rest, nil, nil, estimate.OK, ""},
		"above the rest":           {rest, up, nil, estimate.OK, "▲"},
		"below the rest":           {rest, down, nil, estimate.OK, "▼"},
		"not at the level":         {rest, &estimate.Difference{AdjustedP: 0.0501, Sound: true}, nil, estimate.OK, ""},
		"too few to tell":          {rest, &estimate.Difference{Difference: 1, AdjustedP: 0.01}, nil, estimate.OK, ""},
		"above the column before":  {previous, nil, up, estimate.OK, "▲"},
		"both":                     {append(rest, previous...), down, up, estimate.OK, "▼△"},
		"both, the other way":      {append(rest, previous...), up, down, estimate.OK, "▲▽"},
		"a small base":             {rest, down, nil, estimate.Caution, "▼*"},
		"a base that is too small": {rest, nil, nil, estimate.Withhold, "**"},
		"no interval":              {rest, nil, nil, "", "**"},
	} {
		x := told(t, estimate.Options{Level: 95, Compare: c.compare})
		s := x.cells[1][2].Statistics
		s.Rest, s.Previous, s.Row.IntersectPercentage.Quality = c.rest, c.previous, c.quality
		if c.quality == "" {
			s.Row.IntersectPercentage = nil
		}
		if got := (&table{crossed: x}).marks(1, 2); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// All that a table says of how sure it is, with names that are wide.
func TestTableTellsHowSure(t *testing.T) {
	alone(t)
	x := told(t, estimate.Options{Level: 97.5, Compare: []estimate.Compare{estimate.Columns, estimate.Rest},
		Correction: estimate.Holm, LowBase: estimate.LowBase{Caution: 1200}})
	differ(x, 1, 2, 8, 0.01, true, true)
	differ(x, 1, 3, 5, 0.04, true, false)
	x.cells[1][1].Statistics.Row.IntersectPercentage.Quality = estimate.Caution
	x.cells[1][1].Statistics.Rest = &estimate.Difference{Difference: 5, AdjustedP: 0.01,
		Sound: true}
	x.cells[1][0].Statistics.Row.IntersectPercentage = nil
	want := `core: 6 respondents stand for 3.0 people

                                                                  Drittes
                       Total          First         Second           日本
                                          A              B              C
───────────────────────────────────────────────────────────────────────────
Total size               3.0            1.5            1.5            1.5
      sample               6              3              3              3
      effective        1,235          1,235          1,235          1,235
      column %         100.0          100.0          100.0          100.0
      row %            100.0           50.0           50.0           50.0
      index            100.0          100.0          100.0          100.0
───────────────────────────────────────────────────────────────────────────
Row   size               1.5            1.5            1.5            1.5
      sample               3              3              3              3
      column %          50.0**        100.0▲*        100.0          100.0
      interval                    36.2–44.5      36.2–44.5      36.2–44.5
      above                             B c
      row %            100.0          100.0          100.0          100.0
      index            100.0          200.0          200.0          200.0

Covers core, both waves w1, w2, both locations.
Letters: the column % is significantly above that of the columns they name, at
  97.5 %; small letters: at 95 %.
▲▼ the column % is significantly above or below that of the rest of the base,
  at 97.5 %.
Test: two-sided design-based t-test on column proportions (linearised
  variance; each wave in a location is a sample of its own), not where nobody is
  in one of the two, or one is to be withheld; corrected for the number of tests
  (Holm): for letters of those in a row, for marks of those in the table.
effective: how many respondents of equal weight would be as sure (Kish).
  interval: that of the column %, at 97.5 % (Korn–Graubard).
* read with caution: fewer than 1,200 respondents in the base of the
  percentage; ** better withheld: fewer than 30.
`
	if d := cmp.Diff(want, newTable(x, 95, 80, false).text()); d != "" {
		t.Error(d)
	}
}

// The legend names the correction with its families, and the rule of low bases.
func TestLegend(t *testing.T) {
	all := []estimate.Compare{estimate.Columns, estimate.Rest, estimate.Previous}
	for _, c := range []struct {
		options estimate.Options
		want    []string
	}{
		{estimate.Options{Compare: all[:1]}, []string{"not corrected for the number of tests."}},
		{estimate.Options{Compare: all[:1], Correction: estimate.Bonferroni},
			[]string{"(Bonferroni): of those in a row."}},
		{estimate.Options{Compare: all[1:2], Correction: estimate.FDR},
			[]string{"(false discovery rate, Benjamini–Hochberg): of those in the table.", "▲▼ "}},
		{estimate.Options{Compare: all[1:], Correction: estimate.Holm}, []string{"of those with the same marks in the table.",
			"▲▼ the column % is significantly above or below that of the rest of the base",
			"△▽ the column % is significantly above or below that of the column before"}},
		{estimate.Options{Compare: all, Correction: estimate.Holm},
			[]string{"for letters of those in a row, for marks of those in the table."}},
		{estimate.Options{LowBase: estimate.LowBase{Rule: estimate.NCHS}}, []string{"by NCHS Data Presentation Standards"}},
		{estimate.Options{}, []string{"fewer than 100 respondents", "fewer than 30."}},
		{estimate.Options{LowBase: estimate.LowBase{Withhold: 50, Caution: 75}}, []string{"fewer than 75 respondents",
			"fewer than 50."}},
	} {
		c.options.Level = 95
		x := &crossed{request: crosstab.Request{Statistics: &c.options}, columns: make([]audience.Audience, 4)}
		text := strings.Join((&table{crossed: x}).legend(), "\n")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%+v: %q is missing in\n%s", c.options, want, text)
			}
		}
		if tests := strings.Contains(text, "t-test"); tests != (len(c.options.Compare) > 0) {
			t.Errorf("%+v:\n%s", c.options, text)
		}
	}
}

// What the flags that ask how sure figures are can't mean is told in their words.
func TestStatisticsFlags(t *testing.T) {
	alone(t)
	db := small(t)
	var columns []string
	for range crosstab.MaxCompared + 1 {
		columns = append(columns, "--columns", "sex:f")
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"--level", "90"}, "--level says how --stats tells how sure figures are: give that, too"},
		{[]string{"--withhold", "0"}, "--withhold says how --stats"},
		{[]string{"--compare", "rest"}, "--compare says how --stats"},
		{[]string{"--stats", "--level", "100"}, "--level 100 %: a level of confidence is in percent, above 50 and below 100"},
		{[]string{"--stats", "--level", "0"}, "--level 0 %"},
		{[]string{"--stats", "--level", "NaN"}, "--level NaN %"},
		{[]string{"--stats", "--level-low", "95"}, "--level-low 95 %: it is in percent, above 50 and below --level, which " +
			"is 95 %"},
		{[]string{"--stats", "--level-low", "50"}, "--level-low 50 %"},
		{[]string{"--stats", "--compare", "rest", "--level-low", "90"}, "--level-low is the level of small letters"},
		{[]string{"--stats", "--compare", "rests"}, `--compare: "rests" can't be compared here: columns, rest and previous`},
		{[]string{"--stats", "--compare", "none,rest"}, `--compare: "none" can't be compared here`},
		{[]string{"--stats", "--low-base", "nchs", "--caution", "50"}, "--low-base: the rule nchs has limits of its own"},
		{[]string{"--stats", "--withhold=-1"}, "--withhold: a number of respondents is 0 or more"},
		{[]string{"--stats", "--caution=-1"}, "--caution: a number of respondents is 0 or more"},
		{[]string{"--stats", "--correction", "sidak"}, "--correction must be one of"},
		{append([]string{"--stats"}, columns...), "--compare columns: 61 columns are more than the 60 that can be compared " +
			"with each other: ask for fewer columns, for --compare rest, or for --compare none"},
	} {
		code, out, errs := run(t, "", append([]string{"crosstab", "--db", db, "--rows", "sex"}, c.args...)...)
		if code != 2 || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("%q: exit %d, %s%s", c.args, code, out, errs)
		}
	}
}

// What the flags ask for.
func TestStatisticsOptions(t *testing.T) {
	zero, few := int64(0), int64(40)
	usual := statistics{Stats: true, Level: 95, Correction: "none", LowBase: "sample"}
	for name, c := range map[string]struct {
		change func(*statistics)
		want   *estimate.Options
	}{
		"nothing": {func(s *statistics) { s.Stats = false }, nil},
		"--stats": {func(*statistics) {}, &estimate.Options{Level: 95, Compare: []estimate.Compare{estimate.Columns},
			Correction: estimate.None, LowBase: estimate.LowBase{Rule: estimate.SampleRule}}},
		"none compared": {func(s *statistics) { s.Compare = []string{"none"} }, &estimate.Options{Level: 95,
			Correction: estimate.None, LowBase: estimate.LowBase{Rule: estimate.SampleRule}}},
		"all": {func(s *statistics) {
			*s = statistics{Stats: true, Level: 99, LevelLow: 80, Compare: []string{"rest", "columns", "rest", "previous"},
				Correction: "fdr", LowBase: "sample", Withhold: &zero, Caution: &few}
		}, &estimate.Options{Level: 99, Pairs: true, Correction: estimate.FDR,
			Compare: []estimate.Compare{estimate.Rest, estimate.Columns, estimate.Previous},
			LowBase: estimate.LowBase{Rule: estimate.SampleRule, Withhold: 1, Caution: 40}}},
	} {
		s := usual
		c.change(&s)
		got, err := s.options(3)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// Columns are compared whatever the total: it is in no family, so that the p-values are those of the columns alone.
func TestTotalIsNotCompared(t *testing.T) {
	alone(t)
	db, err := sqlite.Open(t.Context(), coffee(t), sqlite.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	leaf := func(question, code string) audience.Audience {
		return audience.Audience{Name: code, Expr: audience.Answers{Question: question, Datapoints: []string{code}}}
	}
	r := crosstab.Request{LastWaves: crosstab.AllWaves,
		Rows:    []audience.Audience{leaf("brands", "northwind"), leaf("brands", "oldmill")},
		Columns: []audience.Audience{leaf("age", "a16"), leaf("age", "a35"), leaf("brands", "roast")},
		Statistics: &estimate.Options{Correction: estimate.Bonferroni, Pairs: true,
			Compare: []estimate.Compare{estimate.Columns, estimate.Rest, estimate.Previous}}}
	x, err := cross(t.Context(), db, r)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := crosstab.Run(t.Context(), db, r)
	if err != nil {
		t.Fatal(err)
	}
	for c := range alone.Cells() {
		if d := cmp.Diff(c.Statistics, x.cells[c.RowIndex][c.ColumnIndex].Statistics); d != "" {
			t.Errorf("cell %d %d: %s", c.RowIndex, c.ColumnIndex, d)
		}
	}
	for i := range x.cells {
		s := x.cells[i][0].Statistics
		if s.Rest != nil || s.Previous != nil || s.Columns != nil || s.Row.IntersectPercentage == nil {
			t.Errorf("row %d: the total has %+v", i, s)
		}
	}
}

// Sixty columns are compared: the total does not count.
func TestSixtyColumnsAreCompared(t *testing.T) {
	alone(t)
	args := []string{"crosstab", "--db", coffee(t), "--rows", "brands:roast", "--stats", "--format", "csv"}
	for i := range crosstab.MaxCompared {
		args = append(args, "--columns", []string{"age:a16", "age:a35"}[i%2])
	}
	out := ok(t, args...)
	if !strings.Contains(out, ",BH,") || strings.Count(out, "\n") != 1+2*(1+crosstab.MaxCompared) {
		t.Error(out)
	}
}

package guess_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/period"
	"github.com/google/go-cmp/cmp"
)

// every gives dates in a layout, so many days apart.
func every(days int, layout, first string) func(int) string {
	start, err := time.Parse(time.DateOnly, first)
	if err != nil {
		panic(err)
	}
	return func(i int) string { return start.AddDate(0, 0, i*days).Format(layout) }
}

// once leaves out the value of one row.
func once(row int, column func(int) string) func(int) string {
	return func(i int) string {
		if i == row {
			return ""
		}
		return column(i)
	}
}

// Which columns of dates tell the waves, how these are cut, and what is asked instead.
func TestWavesOfDates(t *testing.T) {
	brand := among("Acme", "Zen", "Oak")
	const iso, us = time.DateOnly, "1/2/2006 15:04"
	for _, c := range []struct {
		name   string
		header string
		n      int                // respondents; 0: 40
		dates  []func(int) string // and a brand behind them
		label  string             // of the first column
		by     period.By          // of the waves; "" if the dates do not tell them
		column string
		order  period.Order
		waves  []string // the first and the last
		asked  string   // the flag of what is asked instead, or beside it
	}{
		{name: "ISO over a year, by its name", header: "interview_date|b", dates: []func(int) string{every(9, iso,
			"2024-01-03")}, by: "month", column: "interview_date", waves: []string{"2024-01", "2024-12"}},
		{name: "the US order, which a day above 12 tells", header: "Timestamp|b", dates: []func(int) string{every(9, us,
			"2024-01-03")}, by: "month", column: "Timestamp", order: "month-first", waves: []string{"2024-01", "2024-12"}},
		{name: "dots", header: "Datum|b", dates: []func(int) string{every(9, "02.01.2006", "2023-11-30")}, by: "month",
			column: "Datum", waves: []string{"2023-11", "2024-11"}},
		{name: "24 months", header: "date|b", dates: []func(int) string{every(14, iso, "2023-01-10")}, n: 51, by: "month",
			column: "date", waves: []string{"2023-01", "2024-12"}},
		{name: "less than two respondents a month", header: "date|b", dates: []func(int) string{every(16, iso,
			"2023-01-10")}},
		{name: "25 months", header: "date|b", dates: []func(int) string{every(19, iso, "2023-01-01")}, by: "quarter",
			column: "date", waves: []string{"2023-Q1", "2025-Q1"}},
		{name: "seven years", header: "date|b", dates: []func(int) string{every(64, iso, "2018-01-01")}, by: "year",
			column: "date", waves: []string{"2018", "2024"}},
		{name: "its label says so", header: "v3|b", label: "Date of interview", dates: []func(int) string{every(9, iso,
			"2024-01-03")}, by: "month", column: "v3", waves: []string{"2024-01", "2024-12"}},
		{name: "the surest of several", header: "startdate|interviewdate|b", dates: []func(int) string{
			every(9, iso, "2024-01-03"), every(9, iso, "2024-02-03")}, by: "month", column: "interviewdate",
			waves: []string{"2024-02", "2025-01"}},
		{name: "the complete one of several", header: "startdate|submitdate|b", dates: []func(int) string{
			every(9, iso, "2024-01-03"), once(7, every(9, iso, "2024-02-03"))}, by: "month", column: "startdate",
			waves: []string{"2024-01", "2024-12"}},
		{name: "eight digits", header: "intdate|b", dates: []func(int) string{every(9, "20060102",
			"2024-01-03")}, by: "month", column: "intdate", waves: []string{"2024-01", "2024-12"}},
		{name: "one respondent has none", header: "date|b", dates: []func(int) string{once(5, every(9, iso, "2024-01-03"))},
			asked: "dates date --wave date --wave-by month"},
		{name: "nothing says what dates they are", header: "q 7|b", dates: []func(int) string{every(20, iso, "2022-01-03")},
			asked: "dates q 7 --wave 'q 7' --wave-by quarter"},
		{name: "a month at the turn of three", header: "date|b", dates: []func(int) string{every(1, iso, "2024-01-30")}},
		{name: "births", header: "date|b", label: "Date of birth", dates: []func(int) string{every(200, iso, "1995-01-30")}},
		{name: "before there were interviews on the web", header: "date|b", dates: []func(int) string{every(200, iso,
			"1969-01-30")}},
		{name: "times of day", header: "start|b", dates: []func(int) string{every(9, "15:04", "2024-01-01")}},
		{name: "a day and a text", header: "date|b", dates: []func(int) string{func(i int) string {
			return []string{every(9, iso, "2024-01-03")(i), "soon"}[btoi(i == 3)]
		}}},
		{name: "a wave by its name comes first", header: "date|wave|b", dates: []func(int) string{every(9, iso, "2024-01-03"),
			among("1", "2")}, column: "wave", waves: []string{"wave_1", "wave_2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := repeated(max(40, c.n), c.header, append(c.dates, brand)...).file()
			f.Columns[0].Label = c.label
			m := guessed(t, f, guess.Options{})
			w := m.Codebook.Wave
			if w.Column != c.column || w.By != c.by || w.Dates != c.order {
				t.Errorf("%+v", w)
			}
			waves := m.Codebook.Survey.Waves
			if got := []string{waves[0].Code, waves[len(waves)-1].Code}; c.waves != nil && !slices.Equal(got, c.waves) {
				t.Errorf("from %s to %s", got[0], got[1])
			}
			var asked string
			for _, k := range m.Checks(f, guess.Options{}) {
				if k.Kind == guess.CheckDates {
					asked = fmt.Sprintf("dates %s %s", strings.Join(k.Names, ","), k.Flag)
				}
			}
			if asked != c.asked {
				t.Errorf("asked: %q", asked)
			}
			if r := readings(m)[c.column]; c.column != "" && r != "wave" {
				t.Errorf("%s is read as %q", c.column, r)
			}
		})
	}
}

// ragged is a survey of nine respondents over three months, of whom fr has none in the first, and stores were asked of
// later on: c's date tells what comes first.
var ragged = []string{"id|date|country|b|store",
	"a|1/2/2024|uk|Acme|", "b|1/3/2024|uk|Zen|", "c|1/31/2024|uk|Acme|",
	"d|2/1/2024|uk|Acme|Corner", "e|2/29/2024|fr|Zen|Mall", "f|2/5/2024|fr|Acme|Corner",
	"g|3/1/2024|uk|Zen|Mall", "h|3/31/2024|fr|Zen|Corner", "i|3/3/2024|fr|Acme|Mall"}

// A file is imported by its dates, with the waves that a reader can count, and by the codebook that is written of the
// guess as by the guess itself.
func TestImportByDates(t *testing.T) {
	f := tableOf(ragged...).file()
	m := guessed(t, f, guess.Options{})
	text, err := survey.WriteCodebook(m.Codebook)
	if err != nil {
		t.Fatal(err)
	}
	again, err := survey.ReadCodebook(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*survey.Codebook{m.Codebook, again} {
		source, err := survey.NewSource(f.Table, c, 2)
		if err != nil {
			t.Fatal(err)
		}
		store := &naive.Store{}
		report, err := survey.Import(t.Context(), source, store, survey.Options{Strict: survey.StrictAnswers})
		if err != nil {
			t.Fatal(err)
		}
		var came []string
		for _, w := range report.Fieldwork {
			came = append(came, fmt.Sprintf("%s %s %d", w.Wave, w.Location, w.Respondents))
		}
		if d := cmp.Diff([]string{"2024-01 uk 3", "2024-02 fr 2", "2024-02 uk 1", "2024-03 fr 2", "2024-03 uk 1"},
			came); d != "" {
			t.Error(d)
		}
		frame, err := store.Frame(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var waves []string
		for _, w := range frame.Waves {
			waves = append(waves, fmt.Sprintf("%s %s %s %s %s", w.Code, w.Name, w.Start, w.End, w.Kind))
		}
		want := []string{"2024-01 January 2024 2024-01-01 2024-01-31 month",
			"2024-02 February 2024 2024-02-01 2024-02-29 month", "2024-03 March 2024 2024-03-01 2024-03-31 month"}
		if d := cmp.Diff(want, waves); d != "" {
			t.Error(d)
		}
		var asked []string
		for at := range frame.Asked(frame.QuestionIn("core", "store"), 0).All() {
			w, l := frame.Fieldwork(at)
			asked = append(asked, frame.Waves[w].Code+" "+frame.Locations[l].Code)
		}
		if d := cmp.Diff([]string{"2024-02 fr", "2024-02 uk", "2024-03 fr", "2024-03 uk"}, asked); d != "" {
			t.Error(d)
		}
	}
}

// What can't be a wave by its date is told with its row and column, and flags that lead nowhere with their names.
func TestDatesThatAreNone(t *testing.T) {
	days := tableOf("id|on|x", "1|01/02/2024|a", "2|03/04/2024|b", "3||a")
	with := func(row int, text string) *table {
		out := tableOf("id|on|x", "1|01/02/2024|a", "2|03/04/2024|b", "3||a")
		out.rows[row-1][1] = text
		return out
	}
	for _, c := range []struct {
		name    string
		table   *table
		options guess.Options
		says    string
	}{
		{"a text among them", with(3, "soon"), guess.Options{Wave: "on", WaveBy: "month"},
			`row 3, column "on": the value "soon" is no date; one is written 2024-12-31, 31.12.2024 or 12/31/2024`},
		{"a day that is none", with(2, "30.02.2024"), guess.Options{Wave: "on", WaveBy: "month"},
			`row 2, column "on": the value "30.02.2024" is no date;`},
		{"two orders", &table{days.header, append([][]string{{"0", "13/1/2024", "a"}}, with(2, "1/13/2024").rows...)},
			guess.Options{Wave: "on", WaveBy: "month"}, `row 3, column "on": the value "1/13/2024" is no date that is day-first`},
		{"another order than was said", with(2, "1/13/2024"), guess.Options{Wave: "on", WaveBy: "year", Dates: "day-first"},
			`row 2, column "on": the value "1/13/2024" is no date that is day-first`},
		{"a month by week", with(2, "2024-03"), guess.Options{Wave: "on", WaveBy: "week"},
			`row 2, column "on": the value "2024-03" is a month, which is in no week`},
		{"a week that is none", with(2, "31.12.9999"), guess.Options{Wave: "on", WaveBy: "week"},
			`row 2, column "on": the value "31.12.9999" is in a week that ends after the year 9999`},
		{"no dates", days, guess.Options{Wave: "x", WaveBy: "week"}, `row 1, column "x": the value "a" is no date`},
		{"no period", days, guess.Options{Wave: "on", WaveBy: "day"}, `wave-by: "day" is no period; week, month, quarter and`},
		{"no column of dates", tableOf("id|x", "1|a", "2|b"), guess.Options{WaveBy: "week"}, "wave-by: no column is surely"},
		{"several columns of dates", tableOf("q1|q2", "2024-01-02|2024-01-02", "2024-01-02|2024-01-01"),
			guess.Options{WaveBy: "week"}, "wave-by: no column is surely"},
		{"no waves", days, guess.Options{Wave: guess.None, WaveBy: "week"}, "wave-by: there are no waves"},
		{"no order", days, guess.Options{Wave: "on", Dates: "year-first"}, `dates: "year-first" does not say what comes first`},
		{"an order of nothing", days, guess.Options{Wave: "x", Dates: "day-first"},
			"dates: no column of dates tells the waves"},
		{"an empty column", tableOf("id|on|x", "1||a", "2||b"), guess.Options{Wave: "on", WaveBy: "month"},
			`wave: column "on" is empty`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := guess.Codebook(t.Context(), c.table.file(), c.options)
			var row *survey.Error
			var option *guess.OptionError
			if err == nil || !strings.HasPrefix(err.Error(), c.says) || !errors.As(err, &row) && !errors.As(err, &option) {
				t.Errorf("%T %v", err, err)
			}
		})
	}
}

// Waves are as long as was said, whatever the span, and who has no date is in a wave of their own.
func TestWaveBy(t *testing.T) {
	f := tableOf("id|q|on", "1|x|30.12.2024", "2|y|05.01.2025", "3|x|", "4|y|06.01.2025 23:59", "5|x|NA", "6|y|-").file()
	f.Columns[2].Missing = func(text string) bool { return text == "-" }
	f.Columns[2].Labels = []guess.Label{{Value: "-", Text: "Not asked"}}
	for _, o := range []guess.Options{{WaveBy: "week", Wave: "ON"}, {WaveBy: "quarter", Wave: "on"}} {
		m := guessed(t, f, o)
		source, err := survey.NewSource(f.Table, m.Codebook, 1)
		if err != nil {
			t.Fatal(err)
		}
		report, err := survey.Import(t.Context(), source, &naive.Store{}, survey.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var came []string
		for _, w := range report.Fieldwork {
			came = append(came, fmt.Sprintf("%s %d", w.Wave, w.Respondents))
		}
		want := []string{"2025-W01 2", "2025-W02 1", "not_asked 1", "not_stated 2"}
		if o.WaveBy == "quarter" {
			want = []string{"2024-Q4 1", "2025-Q1 2", "not_asked 1", "not_stated 2"}
		}
		if d := cmp.Diff(want, came); d != "" {
			t.Error(d)
		}
		if len(m.Checks(f, o)) == 0 || slices.ContainsFunc(m.Checks(f, o), func(k guess.Check) bool {
			return k.Kind == guess.CheckWave || k.Kind == guess.CheckDates
		}) {
			t.Errorf("what was said is to be checked: %v", m.Checks(f, o))
		}
	}
}

// Interviews of a few days are no waves, whichever of the two comes first: what is the same in all dates is the month,
// unless it is 1.
func TestInterviewsOfSomeDays(t *testing.T) {
	for name, dates := range map[string]func(int) string{
		"the month first": among("03/06/2023 08:26", "03/07/2023 09:10", "03/09/2023 17:45", "03/10/2023 12:00"),
		"the day first":   among("06/03/2023 08:26", "07/03/2023 09:10", "09/03/2023 17:45", "10/03/2023 12:00"),
	} {
		m := guessed(t, repeated(40, "Timestamp|b", dates, among("x", "y")).file(), guess.Options{})
		if got := readings(m)["Timestamp"]; got != "not used" || m.Codebook.Wave.Column != "" {
			t.Errorf("%s: read as %q, waves by %+v", name, got, m.Codebook.Wave)
		}
	}
}

// Months that came late to fieldwork that was done once are no waves, and the report asks; no other dates tell them
// then. A batch of respondents is one, however large the first was.
func TestStragglers(t *testing.T) {
	for late, want := range map[int]string{0: "not used", 2: "not used", 19: "not used", 24: "wave"} {
		dates := func(i int) string {
			if i < late {
				return []string{"2021-10-03", "2021-12-07"}[btoi(i > 0 && i < 3)]
			}
			return "2021-09-15"
		}
		f := repeated(200, "Timestamp|b|Start date", dates, among("x", "y"), among("2015-03-01", "2018-05-01", "2021-07-01")).
			file()
		m := guessed(t, f, guess.Options{})
		if got := readings(m); got["Timestamp"] != want || got["Start date"] != "not used" {
			t.Errorf("%d came late: read as %q and %q, want %q", late, got["Timestamp"], got["Start date"], want)
		}
		if late > 0 && want == "not used" && !slices.ContainsFunc(m.Checks(f, guess.Options{}), func(k guess.Check) bool {
			return strings.Contains(k.String(), "nearly all of them are in one of the periods")
		}) {
			t.Errorf("%d came late, and nothing asks: %v", late, m.Checks(f, guess.Options{}))
		}
	}
}

// Where nothing decides whether days or months come first, the report says what was taken, and the flag that takes the
// other; a 1 that is the same in all dates is the day.
func TestUndecidedDates(t *testing.T) {
	for _, c := range []struct {
		name   string
		dates  func(int) string
		said   period.Order
		order  period.Order
		months int
		flag   string
	}{
		{"days are taken to", among("01/02/2024", "02/03/2024", "03/04/2024", "04/05/2024"), "", "day-first", 4,
			"--dates month-first"},
		{"the first of each month", among("01/01/2024", "02/01/2024", "03/01/2024", "04/01/2024"), "", "month-first", 4,
			"--dates day-first"},
		{"they go on in one order", func(i int) string {
			return []string{"1/3/2024", "1/5/2024", "1/9/2024", "2/2/2024", "2/6/2024", "3/1/2024", "3/7/2024", "4/2/2024"}[i/5]
		}, "", "month-first", 4, "--dates day-first"},
		{"they go on in the other", func(i int) string {
			return []string{"3/1/2024", "5/1/2024", "9/1/2024", "2/2/2024", "6/2/2024", "1/3/2024", "7/3/2024", "2/4/2024"}[i/5]
		}, "", "day-first", 4, "--dates month-first"},
		{"the last came first", func(i int) string {
			return []string{"2/4/2024", "7/3/2024", "1/3/2024", "6/2/2024", "2/2/2024", "9/1/2024", "5/1/2024", "3/1/2024"}[i/5]
		}, "", "day-first", 4, "--dates month-first"},
		{"the first of each month at midnight", among("1/1/2024 0:00", "2/1/2024 0:00", "3/1/2024 0:00", "4/1/2024 0:00"),
			"", "month-first", 4, "--dates day-first"},
		{"it was said", among("01/02/2024", "02/03/2024", "03/04/2024", "04/05/2024"), "month-first", "month-first", 4, ""},
		{"a day above 12", among("01/02/2024", "02/13/2024", "03/04/2024", "04/05/2024"), "", "month-first", 4, ""},
		{"it makes no difference", among("01/01/2024", "02/02/2024", "03/03/2024", "04/04/2024"), "", "", 4, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := repeated(40, "date|b", c.dates, among("x", "y")).file()
			o := guess.Options{Dates: c.said}
			m := guessed(t, f, o)
			if w := m.Codebook.Wave; w.Dates != c.order || len(w.Values) != c.months || w.By != period.Month {
				t.Errorf("%+v", w)
			}
			flag := ""
			for _, k := range m.Checks(f, o) {
				if k.Kind == guess.CheckOrder {
					flag = k.Flag
				}
			}
			told := strings.Contains(strings.Join(m.Notes, "\n"), "nothing in its dates decides whether days or months")
			if flag != c.flag || told != (c.flag != "") {
				t.Errorf("%q, %q", flag, m.Notes)
			}
		})
	}
}

// Times of a few days are those of one month, whatever that is; to say what comes first is no mistake then.
func TestDatesOfFewDays(t *testing.T) {
	days := among("1/3/2026 17:31:50", "1/3/2026 18:02:11", "1/4/2026 9:00:01", "1/5/2026 9:30:00", "1/8/2026 10:00:00")
	f := repeated(60, "Timestamp|b", days, among("x", "y")).file()
	for _, order := range []period.Order{"", period.MonthFirst, period.DayFirst} {
		m := guessed(t, f, guess.Options{Dates: order})
		if waves := len(m.Codebook.Wave.Values); (waves <= 1) != (order != period.DayFirst) {
			t.Errorf("%q: %d waves", order, waves)
		}
	}
}

// A column with the years of a survey tells the waves by its name, in several languages; years of births, of cars and
// of what is not known of some do not.
func TestYears(t *testing.T) {
	years := among("2015", "2016", "2017", "2018")
	for _, c := range []struct {
		header string
		column func(int) string
		wave   bool
	}{
		{"year", years, true}, {"Jahr", years, true}, {"Año", years, true}, {"survey_year", years, true},
		{"interview_year", years, true}, {"año_encuesta", years, true},
		{"birth_year", years, false}, {"year_bought", years, false}, {"Jahr", among("1950", "1990", "2001"), false},
		{"Jahr", once(3, years), false}, {"jahr", among("2015"), false}, {"Geburtsjahr", years, false},
	} {
		m := guessed(t, repeated(40, c.header+"|b", c.column, among("x", "y")).file(), guess.Options{})
		if got := readings(m)[c.header] == "wave"; got != c.wave {
			t.Errorf("%s is read as %q", c.header, readings(m)[c.header])
		}
		if c.wave && m.Codebook.Survey.Waves[0].Start != "2015-01-01" {
			t.Errorf("%s: %+v", c.header, m.Codebook.Survey.Waves[0])
		}
	}
}

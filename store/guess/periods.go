package guess

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/period"
)

// A column of dates is guessed to tell the waves if the first and the last of them are more than leastApart days apart,
// in leastMonths different months: fieldwork that was done once may begin in one month and end in the next but one.
// Waves are the longest periods of which there are mostPeriods at the most.
const (
	leastApart, leastMonths = 40, 3
	mostPeriods             = 24
)

// lengthFor is how long waves are by default: months for two years, quarters for six, else years.
func lengthFor(days []period.Day) period.By {
	first, last := days[0], days[len(days)-1]
	months := 12*(last.Year-first.Year) + last.Month - first.Month + 1
	switch {
	case months <= mostPeriods:
		return period.Month
	case months <= 3*mostPeriods:
		return period.Quarter
	}
	return period.Year
}

// periodsOf lists the periods in which there are days, the earliest first; false if a month is in none of them.
func periodsOf(days []period.Day, by period.By) (list []period.Period, ok bool) {
	for _, day := range days {
		p, ok := period.Of(day, by)
		if !ok {
			return nil, false
		}
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b period.Period) int { return strings.Compare(a.Start, b.Start) })
	return slices.Compact(list), true
}

// interviewDays lists the days of a column if they may be those of interviews.
func (c *column) interviewDays(said period.Order) ([]period.Day, bool) {
	if !c.holdsDays() || len(c.Labels) > 0 || has(words(c.Name), personal) || has(words(c.Label), personal) {
		return nil, false
	}
	order, _ := c.calendar.order(said)
	days, ok := c.calendar.in(order)
	return days, ok && days[0].Year >= 1990 && days[len(days)-1].Year <= 2100
}

// forMonths tells whether so many respondents can have been asked on these days in fieldwork that went on for months.
func forMonths(days []period.Day, respondents int64) bool {
	months, _ := periodsOf(days, period.Month)
	waves, ok := periodsOf(days, lengthFor(days))
	return ok && len(months) >= leastMonths && days[len(days)-1].Since(days[0]) > leastApart &&
		(respondents >= 2*int64(len(waves)) || len(waves) <= 5)
}

// dateNames are names of columns with the date of the interview, the surest first.
var dateNames = strings.Fields(`
	interviewdate dateofinterview dateinterview intdate intvdate ivdate doi surveydate dateofsurvey fieldworkdate
	interviewdatum befragungsdatum erhebungsdatum fechaentrevista fechadeentrevista fechaencuesta fechadeencuesta
	fechadelaentrevista fechadelaencuesta dataentrevista datadaentrevista dataintervista datadintervista
	dateentretien datedentretien dateenquete dateenquête datedelenquête
	submitdate submitdateutc datesubmitted submissiontime submissiondate submittedat submitted datestamp timestamp
	horodateur zeitstempel marcatemporal carimbodedatahora informazionicronologiche zamandamgası időbélyeg 타임스탬프
	时间戳记 时间戳 時間戳記 タイムスタンプ отметкавремени позначкачасу sygnaturaczasowa časovárazítka časovéznačky časováznačka
	časovérazítko tijdstempel tidsstämpel tidsstempel tidspunkt aikaleima marcajdetimp marcădetimp χρονικήσήμανση
	marcadetemps dấuthờigian stempelwaktu capwaktu completiontime completiondate
	completedate completedat completed datecompleted enddate endtime enddatetime end recordeddate starttime startdate
	startdatetime startdateutc start datetime date datum fecha data today dato data dia tag`)

// dateWords say of a date that it is that of the interview.
var dateWords = set("interview interviewed survey fieldwork completed submitted entrevista encuesta befragung " +
	"enquête entretien intervista pesquisa")

// dateRank is how surely a column of dates has those of the interviews, 0 being the surest; -1: nothing says so.
func (c *column) dateRank() int {
	if rank := c.rank(dateNames); rank >= 0 {
		return rank
	}
	if has(words(c.Name), dateWords) || has(words(c.Label), dateWords) && len(words(c.Label)) <= 12 {
		return 2 * len(dateNames)
	}
	return -1
}

// waveQuestion is a column of dates that may tell the waves, and is not used.
type waveQuestion struct {
	column  string
	by      period.By
	lacking int64 // respondents without a date
	once    bool  // nearly all dates are in one period
	// else nothing says that the dates are those of the interviews
}

// why says why the column is not used.
func (w *waveQuestion) why() Reason {
	if w.lacking > 0 {
		return Reason{Kind: ReasonLacking, Respondents: w.lacking}
	}
	if w.once {
		return Reason{Kind: ReasonOnePeriod}
	}
	return Reason{Kind: ReasonUnnamed}
}

// guessDates finds the column of the dates of interviews. Where respondents have none, or nothing says that the dates
// are those of the interviews, it is not used and named as a question.
func (g *guesser) guessDates() (int, Reason) {
	best, least := -1, 0
	var asked *waveQuestion
	askedRank, onceRank := 0, -1
	for _, i := range g.open() {
		c := g.columns[i]
		days, ok := c.interviewDays(g.options.Dates)
		if !ok {
			continue
		}
		rank, lacking, by := c.dateRank(), c.empty+c.missing, lengthFor(days)
		if !forMonths(days, c.filled) {
			if rank >= 0 && lacking == 0 && (onceRank < 0 || rank < onceRank) {
				onceRank = rank
			}
			continue
		}
		order, _ := c.calendar.order(g.options.Dates)
		once := c.mostlyOnce(order, by)
		switch {
		case rank < 0 && lacking > 0:
		case rank < 0, lacking > 0, once:
			if rank < 0 {
				rank = 3 * len(dateNames)
			}
			if once && (onceRank < 0 || rank < onceRank) {
				onceRank = rank
			}
			if asked == nil || rank < askedRank {
				asked, askedRank = &waveQuestion{c.origin.Name, by, lacking, once}, rank
			}
		case best < 0 || rank < least:
			best, least = i, rank
		}
	}
	if best < 0 || onceRank >= 0 && onceRank < least { // what is more surely the date of the interviews says: once
		g.maybeWave = asked
		return -1, Reason{}
	}
	return best, Reason{Kind: ReasonDatesLong}
}

// datesToDivide finds the column of dates that is meant where it was said how long waves are, and not what tells them:
// the one that is surely of the interviews, or the only one.
func (g *guesser) datesToDivide() (int, Reason) {
	best, least, n := -1, 0, 0
	for _, i := range g.open() {
		c := g.columns[i]
		if _, ok := c.interviewDays(g.options.Dates); !ok {
			continue
		}
		n++
		rank := c.dateRank()
		if rank < 0 {
			rank = 3 * len(dateNames)
		}
		if best < 0 || rank < least {
			best, least = i, rank
		}
	}
	switch {
	case best < 0 || least == 3*len(dateNames) && n > 1:
		return -1, Reason{}
	case least == 3*len(dateNames):
		return best, Reason{Kind: ReasonOnlyDates}
	}
	return best, Reason{Kind: ReasonDates}
}

// waveLength is how long waves are if the column has dates to be put together; "" if its values are the waves.
func (g *guesser) waveLength(i int, why Reason) period.By {
	c := g.columns[i]
	switch {
	case g.options.WaveBy != "":
		return g.options.WaveBy
	case !c.holdsDays(), why.Kind == Said && c.groups(fewPeriods):
		return ""
	}
	order, _ := c.calendar.order(g.options.Dates)
	days, ok := c.calendar.in(order)
	if !ok {
		return period.Month // what is wrong with the dates is told where they are read
	}
	return lengthFor(days)
}

// takeWave reads a column as that of the waves: its values, or the periods of its dates.
func (g *guesser) takeWave(i int, why Reason) error {
	o := &g.options
	switch {
	case o.WaveBy != "" && !o.WaveBy.Known():
		return &OptionError{"wave-by", fmt.Sprintf("%q is no period; week, month, quarter and year are", o.WaveBy)}
	case !o.Dates.Known():
		return &OptionError{"dates", fmt.Sprintf("%q does not say what comes first; day-first and month-first do", o.Dates)}
	case o.Wave == None && o.WaveBy != "":
		return &OptionError{"wave-by", "there are no waves, as was said of the wave"}
	case i < 0 && o.WaveBy != "":
		return &OptionError{"wave-by", "no column is surely that of the dates of the interviews; the wave is to be named"}
	}
	by := period.By("")
	if i >= 0 {
		by = g.waveLength(i, why)
	}
	switch {
	case by == "" && o.Dates != "" && (o.Wave != "" || !g.anyDates()):
		return &OptionError{"dates", "no column of dates tells the waves"}
	case by == "":
		return g.takeFieldwork(&g.wave, "wave", i, why)
	}
	return g.takeDates(i, by, why)
}

// anyDates tells whether a column has dates of which it makes a difference what comes first.
func (g *guesser) anyDates() bool {
	return slices.ContainsFunc(g.columns, func(c *column) bool {
		if !c.holdsDays() {
			return false
		}
		order, _ := c.calendar.order("")
		return order != ""
	})
}

// takeDates reads a column as that of the dates of waves. A value that the file declares as missing is a wave of its
// own, as it is where values are the waves.
func (g *guesser) takeDates(i int, by period.By, why Reason) error {
	c, a := g.columns[i], &g.wave
	if !c.holdsDays() {
		return g.noDates(i, by)
	}
	order, sure := c.calendar.order(g.options.Dates)
	days, ok := c.calendar.in(order)
	if !ok {
		return g.noDates(i, by)
	}
	if a.periods, ok = periodsOf(days, by); !ok {
		return g.noDates(i, by)
	}
	if len(a.periods) > mostValues {
		return &OptionError{"wave-by", fmt.Sprintf("the dates in column %q are of %d different periods (%s), which are more "+
			"than %d", c.origin.Name, len(a.periods), by, mostValues)}
	}
	a.column, a.by, a.order = c.origin.Name, by, order
	for _, p := range a.periods {
		a.values, a.names = append(a.values, p.Code), append(a.names, p.Name)
	}
	for _, v := range c.declared {
		name := c.labels.names[v.text]
		if name == "" {
			name = v.text
		}
		a.values, a.names = append(a.values, v.text), append(a.names, name)
	}
	g.read(i, "wave", "", why)
	g.note("column %s: read as the wave, because %s; dates are put together by %s: %s, from %s to %s", c.origin.Name, why,
		by, plural(len(a.periods), "wave"), a.periods[0].Name, a.periods[len(a.periods)-1].Name)
	if !sure {
		g.unsure = c.origin.Name
		g.note("column %s: %s", c.origin.Name, Reason{Kind: ReasonUndecided, Order: order})
	}
	g.unstated(a, c, c.empty, "wave")
	return nil
}

// other is the order that was not taken.
func other(order period.Order) period.Order {
	if order == period.MonthFirst {
		return period.DayFirst
	}
	return period.MonthFirst
}

// noDates is the error for the first row in which a column has no date, or one that does not go with those before it.
func (g *guesser) noDates(i int, by period.By) error {
	c, order := g.columns[i], g.options.Dates
	if c.filled == 0 {
		return &OptionError{"wave", fmt.Sprintf("column %q is empty: there is no date in it", c.origin.Name)}
	}
	return g.locate(i, func(text string) string {
		d, ok := period.Read(text)
		if !ok {
			return "is no date; one is written 2024-12-31, 31.12.2024 or 12/31/2024"
		}
		if order == "" {
			order = d.Tells()
		}
		day, ok := d.Day(order)
		if !ok && !d.Undecided() {
			return fmt.Sprintf("is no date that is %s, as others are, or as was said", order)
		}
		if ok {
			if _, within := period.Of(day, by); !within {
				return period.WhyNone(day, by)
			}
		}
		return ""
	})
}

// firstWrong reads the file again for the first value of a column of which wrong has something to say.
func firstWrong(ctx context.Context, f *File, c *column, i int, wrong func(text string) string) error {
	for row, err := range survey.Rows(ctx, f.Table) {
		if err != nil {
			return err
		}
		text := survey.Plain(string(row.Field(i)))
		if text == "" || marks[text] || c.Missing != nil && c.Missing(text) {
			continue
		}
		if says := wrong(text); says != "" {
			return &survey.Error{Row: row.Number, Column: c.origin.Name, Reason: fmt.Sprintf("the value %q %s",
				survey.Clip([]byte(text)), says)}
		}
	}
	return &OptionError{"wave", fmt.Sprintf("column %q has too many different dates", c.origin.Name)}
}
